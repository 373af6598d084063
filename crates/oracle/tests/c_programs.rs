//! Generated C programs: always the same ones, defined, with every construct.

use lapidary_oracle::c::tree::effect::Flow;
use lapidary_oracle::c::{
    Claim, Computed, Construct, Origin, Program, Table, Verdict, claims, shrink, suite,
};

fn programs(n: u64) -> impl Iterator<Item = Program> {
    (0..n).map(|number| Origin { seed: 1, number }.program())
}

#[test]
fn each_construct_is_in_at_least_five_percent() {
    let mut table = Table::default();
    programs(2000).for_each(|program| table.add(&program.constructs()));
    let rare: Vec<&str> = table.rarer_than(5.0).into_iter().map(Construct::name).collect();
    assert!(rare.is_empty(), "{rare:?}\n{}", table.print());
}

#[test]
fn no_program_has_unsequenced_conflicts() {
    for (number, program) in programs(500).enumerate() {
        let text = program.claiming(&[]);
        assert!(!Flow::of(&program.root).is_undefined, "{number}\n{text}");
    }
}

#[test]
fn seed_and_number_give_the_program() {
    let (first, second) = (programs(50), programs(50));
    for (a, b) in first.zip(second) {
        assert_eq!(a.claiming(&[1]), b.claiming(&[1]));
    }
    let other = Origin { seed: 2, number: 0 }.program();
    assert_ne!(other.claiming(&[]), Origin { seed: 1, number: 0 }.program().claiming(&[]));
}

fn computed(results: &[u64]) -> Computed {
    Computed { by: "a compiler".into(), results: results.to_vec() }
}

/// The results that claims allow, and what is wrong about them.
fn asked(program: &Program, results: &[&[u64]]) -> Vec<(Vec<u64>, Verdict)> {
    let computed: Vec<Computed> = results.iter().map(|results| computed(results)).collect();
    let all = claims(program, &computed).into_iter();
    all.map(|Claim { results, wrong, .. }| (results, wrong)).collect()
}

#[test]
fn claims_follow_from_what_compilers_agree_on() {
    let closed = programs(100).find(|program| !program.is_open()).unwrap();
    let open = programs(100).find(Program::is_open).unwrap();
    let (safe, not_safe) = (Verdict::Unsafe, Verdict::Safe);
    // All agree: the claim holds, and fails without one of the results.
    let expected = vec![(vec![3, 7], safe), (vec![3], not_safe)];
    assert_eq!(asked(&closed, &[&[7, 3], &[7, 3]]), expected);
    assert_eq!(asked(&closed, &[&[7], &[7]]), [(vec![7], safe), (vec![], not_safe)]);
    // All agree on something that is open: others may see it otherwise.
    assert_eq!(asked(&open, &[&[7], &[7]]), [(vec![], not_safe)]);
    let expected = vec![(vec![3], not_safe), (vec![7], not_safe)];
    assert_eq!(asked(&open, &[&[7, 3], &[7, 3]]), expected);
    // They differ: a claim that covers just one of them may not be called safe.
    for program in [&closed, &open] {
        let expected = vec![(vec![3], not_safe), (vec![7], not_safe)];
        assert_eq!(asked(program, &[&[3, 3], &[7, 7], &[3, 3]]), expected);
        let expected = vec![(vec![3], not_safe), (vec![3], not_safe)];
        assert_eq!(asked(program, &[&[3, 3], &[7, 3]]), expected);
    }
}

/// What remains is what the failure needs.
#[test]
fn shrinking_keeps_the_failure_and_little_else() {
    let fails = |program: &Program| program.definitions("").contains("n > 3");
    let mut n_shrunk = 0;
    for program in programs(150).filter(fails) {
        let small = shrink(&program, 100_000, &mut |program| fails(program));
        let text = small.definitions("");
        assert_eq!(text.matches("n > 3").count(), 1, "{text}");
        assert!(small.root.size() <= 8, "{text}");
        n_shrunk += 1;
    }
    assert!(n_shrunk > 10);
}

#[test]
fn claims_in_a_folder_are_read_again() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("claims");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let origin = Origin { seed: 1, number: 5 };
    let program = origin.program();
    let computed = [computed(&[4]), computed(&[4])];
    let written = claims(&program, &computed);
    for claim in &written {
        suite::store(&folder, origin.number, &program, claim, origin.bits()).unwrap();
    }
    let mut read: Vec<_> = suite::stored(&folder).unwrap();
    assert_eq!(read.len(), written.len());
    assert!(read.iter().all(|claim| claim.bits == origin.bits()));
    let first = read.remove(0);
    assert_eq!(first.wrong, written[0].wrong);
    let text = std::fs::read_to_string(first.file).unwrap();
    assert!(text.ends_with(&program.claiming(&written[0].results)), "{text}");
    std::fs::write(folder.join("none.c"), "int x;\n").unwrap();
    assert!(suite::stored(&folder).unwrap_err().contains("none.c"));
}
