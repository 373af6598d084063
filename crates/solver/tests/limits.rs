//! Limits end a run soon, with their reason, and leave nothing behind.
//!
//! CPU time and memory are the process's, so these tests take turns.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lapidary_expr::{Op, Sort, Term, Var, VarSet};
use lapidary_solver::interpolate::{Engine, interpolator};
use lapidary_solver::limits::{Limits, Watch, attempt, beside, cpu_time, resident_memory, within};
use lapidary_solver::z3::Z3;
use lapidary_solver::{Backend, Interpolator, Limit, Result, Stop};

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn var(name: &str, sort: Sort) -> Term {
    Term::var(Var::new(name, sort))
}

fn app(op: Op, args: &[Term]) -> Term {
    Term::app(op, args.to_vec()).expect("well-sorted")
}

/// Two factors of a large product.
fn factors() -> Term {
    let [x, y] = ["x", "y"].map(|name| var(name, Sort::Bv(62)));
    let product = app(Op::BvMul, &[x, y]).equals(Term::bv(62, 1_500_450_271u64 * 1_400_305_337));
    let is_factor = |x: Term| {
        Term::and([
            app(Op::BvUlt, &[Term::bv(62, 1), x]),
            app(Op::BvUlt, &[x, Term::bv(62, 1u64 << 31)]),
        ])
    };
    Term::and([product, is_factor(x), is_factor(y), app(Op::BvUlt, &[x, y])])
}

/// x³ + y³ + z³ = 114, of which no solution is known.
fn cubes() -> Term {
    let cube = |name: &str| app(Op::Mul, &[var(name, Sort::Int); 3]);
    app(Op::Add, &[cube("x"), cube("y"), cube("z")]).equals(Term::int(114))
}

/// Whether a new run in this thread answers as it should.
fn goes_on() {
    let [x, y] = ["x", "y"].map(|name| var(name, Sort::Int));
    let (less, greater) = (x.less(y), y.less(x));
    let answers = attempt(&Limits::default(), |watch| {
        let mut solver = Z3::new(watch)?.solver();
        solver.push();
        solver.assert(less);
        solver.assert(greater);
        let sat = solver.is_sat()?;
        solver.pop();
        Ok((sat, solver.core(&[less, greater])?, solver.is_sat()?))
    });
    assert_eq!(answers, Ok((false, Some(vec![0, 1]), true)));
}

/// `query` has no end; it runs into the CPU limit. How far beyond depends on the machine, so the bound on that is far away.
fn stops_in_time(name: &str, query: impl FnOnce(&Z3) -> Result<()>) {
    let _turn = turn();
    let limit = Duration::from_millis(250);
    let start = cpu_time();
    let limits = Limits { cpu: Some(start + limit), ..Limits::default() };
    let result = attempt(&limits, |watch| query(&Z3::new(watch)?));
    let late = cpu_time().saturating_sub(start + limit);
    assert_eq!(result, Err(Stop::Limit(Limit::Time)), "{name}");
    assert!(late < Duration::from_secs(10), "{name}: {late:?} late");
    goes_on();
}

#[test]
fn queries_stop() {
    for (name, formula) in [("factors", factors()), ("cubes", cubes())] {
        stops_in_time(name, |z3| {
            let mut solver = z3.solver();
            solver.assert(formula);
            solver.is_sat().map(drop)
        });
        stops_in_time(name, |z3| {
            let mut solver = z3.solver();
            solver.push();
            solver.assert(formula);
            let vars: VarSet = formula.vars().iter().copied().collect();
            solver.model(&vars).map(drop)
        });
        stops_in_time(name, |z3| z3.solver().core(&formula.conjuncts()).map(drop));
        stops_in_time(name, |z3| z3.solver().entails(formula, false.into()).map(drop));
    }
}

#[test]
fn elimination_stops() {
    let vars: VarSet = factors().vars().iter().copied().take(1).collect();
    // One elimination has a bounded effort of its own.
    stops_in_time("elimination", |z3| {
        let mut eliminator = z3.eliminator().expect("Z3 has one");
        loop {
            eliminator.eliminate(&vars, factors())?;
        }
    });
}

#[test]
fn interpolation_stops() {
    let [x, y] = ["x", "y"].map(|name| var(name, Sort::Bv(62)));
    for engine in Engine::ALL {
        let last = app(Op::BvUlt, &[y, x]);
        let parts = [factors(), Term::and([last, app(Op::BvUlt, &[x, Term::bv(62, 3)]), cubes()])];
        stops_in_time(engine.name(), |z3| {
            loop {
                interpolator(engine, z3).interpolate(&parts).map(drop).or_else(
                    |stop| match stop {
                        Stop::Interpolation(_) => Ok(()),
                        stop => Err(stop),
                    },
                )?;
            }
        });
    }
}

/// A stop comes back at once from everything, once it is there.
#[test]
fn a_stop_stays() {
    let _turn = turn();
    let limits = Limits { cpu: Some(Duration::ZERO), ..Limits::default() };
    let result = attempt(&limits, |watch| {
        let z3 = Z3::new(watch)?;
        let mut solver = z3.solver();
        while watch.check().is_ok() {}
        // Interrupts are on their way: assertions may be lost, so no answer may come.
        solver.push();
        solver.assert(false.into());
        let formula = var("x", Sort::Int).less(Term::int(3));
        let vars: VarSet = formula.vars().iter().copied().collect();
        let stop = Err(Stop::Limit(Limit::Time));
        assert_eq!(solver.is_sat(), stop);
        assert_eq!(solver.model(&vars).map(drop), stop.clone().map(drop));
        assert_eq!(solver.core(&[formula]).map(drop), stop.clone().map(drop));
        assert_eq!(solver.entails(true.into(), formula), stop);
        solver.pop();
        let mut eliminator = z3.eliminator().expect("Z3 has one");
        assert_eq!(eliminator.eliminate(&vars, formula).map(drop), stop.clone().map(drop));
        let parts = [formula, formula.not()];
        assert_eq!(interpolator(Engine::Auto, &z3).interpolate(&parts).map(drop), stop.map(drop));
        Ok(())
    });
    assert_eq!(result, Ok(()));
    goes_on();
}

#[test]
fn interrupts() {
    let _turn = turn();
    let flag = Arc::new(AtomicBool::new(false));
    let limits = Limits { interrupt: Some(Arc::clone(&flag)), ..Limits::default() };
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, Ordering::Relaxed);
        });
        attempt(&limits, |watch| {
            let mut solver = Z3::new(watch)?.solver();
            solver.assert(factors());
            solver.is_sat()
        })
    });
    assert_eq!(result, Err(Stop::Limit(Limit::Interrupt)));
    goes_on();
}

#[test]
fn a_part_of_a_run_stops_by_itself() {
    let _turn = turn();
    let whole = Watch::default();
    let part = whole.stoppable();
    let stopped = std::thread::scope(|scope| {
        let searching = scope.spawn(|| {
            let stopped = beside(&part, || {
                // A budget of its own does not keep it from hearing that it is to stop.
                let mut solver = Z3::new(&part.with_work(u64::MAX))?.solver();
                solver.assert(factors());
                solver.is_sat()
            });
            goes_on();
            stopped
        });
        std::thread::sleep(Duration::from_millis(300));
        part.stop();
        searching.join().expect("no panic")
    });
    assert_eq!(stopped, Err(Stop::Limit(Limit::Interrupt)));
    assert_eq!(whole.check(), Ok(()));
    // Where there is nothing to stop, nothing happens.
    whole.stop();
    assert_eq!(whole.check(), Ok(()));
}

#[test]
fn memory_ends() {
    let _turn = turn();
    let Some(now) = resident_memory() else { return };
    let limits = Limits {
        memory: Some(now + (48 << 20)),
        // Memory that earlier tests have freed is used first, so it may take a while.
        cpu: Some(cpu_time() + Duration::from_mins(5)),
        ..Limits::default()
    };
    let result = attempt(&limits, |watch| {
        let mut solver = Z3::new(watch)?.solver();
        let bits = |i: usize| var(&format!("x{i}"), Sort::Bv(64));
        for n in 0.. {
            let product = app(Op::BvMul, &[bits(n), bits(n + 1)]);
            solver.assert(app(
                Op::BvUlt,
                &[app(Op::BvUdiv, &[product, bits(n + 2)]), Term::bv(64, n)],
            ));
            if n % 20 == 0 {
                solver.is_sat()?;
            }
        }
        Ok(())
    });
    assert_eq!(result, Err(Stop::Limit(Limit::Memory)));
    goes_on();
}

#[test]
fn results_and_failures_pass() {
    let _turn = turn();
    assert_eq!(attempt(&Limits::default(), |_| Ok(7)), Ok(7));
    assert_eq!(within(&Limits::default(), |_| 7), 7);
    let failure = Stop::Solver("it did not work".into());
    assert_eq!(attempt(&Limits::default(), |_| Err::<(), _>(failure.clone())), Err(failure));
    let bug = std::panic::catch_unwind(|| {
        attempt(&Limits::default(), |_| -> Result<()> {
            std::panic::resume_unwind(Box::new("bug"))
        })
    });
    assert!(bug.is_err(), "a bug is not hidden");
    goes_on();
}
