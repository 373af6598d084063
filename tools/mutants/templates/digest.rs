//! Reads programs and prints a hash of each automaton: equal hashes mean that the engine would do the same.
//!
//! Standard input has a line for each program: `bits arith path`. Standard output gets a line with the hash.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{BufRead, Write};
use std::panic::catch_unwind;

use lapidary_frontend::c::{Arith, DataModel, Options};
use lapidary_frontend::load_with;

fn digest(bits: &str, arith: &str, path: &str) -> u64 {
    let options = Options {
        model: if bits == "64" { DataModel::Lp64 } else { DataModel::Ilp32 },
        arith: match arith {
            "bv" => Arith::Bv,
            "int" => Arith::Int,
            _ => Arith::Auto,
        },
        stack: 1 << 26,
        ..Options::default()
    };
    let text = std::fs::read_to_string(path).expect("the program can be read");
    let mut hasher = DefaultHasher::new();
    match load_with(path, &text, &options) {
        Ok(task) => {
            lapidary_model::cfa_to_dot(task.cfa()).hash(&mut hasher);
            task.cfa().has_written_checks().hash(&mut hasher);
            let map = task.map.expect("a C program has a map");
            let told = (&map.edges, &map.unsupported, &map.approximations, &map.nondets, &map.unset);
            format!("{told:?}").hash(&mut hasher);
            let rest = (&map.errors, map.asserts, &map.variables, &map.notes, map.has_property);
            format!("{rest:?} {:?} {:?}", map.arith, map.end).hash(&mut hasher);
        }
        Err(error) => error.to_string().hash(&mut hasher),
    }
    hasher.finish()
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("the list can be read");
        let mut words = line.splitn(3, ' ');
        let [bits, arith, path] = [(); 3].map(|()| words.next().unwrap_or_default().to_string());
        let hash = catch_unwind(|| digest(&bits, &arith, &path)).unwrap_or(0);
        println!("{hash}");
        std::io::stdout().flush().expect("the hash can be written");
    }
}
