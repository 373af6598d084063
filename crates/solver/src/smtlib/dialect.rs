//! Solvers as data: how each one is started and what it can be told.

use lapidary_expr::Sort;

use super::Command;

/// What there is to know about a solver that speaks SMT-LIB 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The name in messages.
    pub name: &'static str,
    /// How its program's name begins.
    pub programs: &'static [&'static str],
    /// Arguments that it needs to talk; added to the command where they are missing.
    pub args: &'static [&'static str],
    /// Options to set at the start, beside `:print-success` and `:produce-models`: without them there are no cores.
    pub options: &'static [&'static str],
    /// Options that it may refuse: seeds, and what only some versions know.
    pub hints: &'static [&'static str],
    /// The logic to set, if any.
    pub logic: Option<&'static str>,
    /// How it tells unsatisfiable cores.
    pub cores: Cores,
    /// Whether declarations may outlive scopes (`:global-declarations`).
    pub global_declarations: bool,
    /// The theories that it has.
    pub theories: &'static [Theory],
    /// Which constant arrays it has.
    pub const_arrays: ConstArrays,
    /// The names of conversions.
    pub names: Names,
    /// Whether bit-vector division by zero has SMT-LIB 2.6's meaning. (Division of numbers by zero is open
    /// in SMT-LIB and always written out.)
    pub total_bv_division: bool,
    /// How it is asked for interpolants.
    pub interpolation: Interpolation,
}

/// How a solver tells which assumptions contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cores {
    /// `check-sat-assuming` with literals, then `get-unsat-assumptions`.
    Assumptions,
    /// Assertions with `:named`, then `get-unsat-core`. Names are declarations: they must end with their scope.
    Named,
    /// Not at all: every assumption may be needed.
    None,
}

/// A part of the language that not every solver has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    /// Integers.
    Int,
    /// Rationals.
    Rat,
    /// Integers and rationals together, with conversions.
    IntRat,
    /// Products of unknown numbers, and division by them.
    Nonlinear,
    /// Bit-vectors.
    Bv,
    /// Integers and bit-vectors together, with conversions.
    IntBv,
    /// Arrays.
    Array,
    /// Uninterpreted functions.
    Function,
}

/// Which elements constant arrays may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstArrays {
    /// Any term.
    Terms,
    /// Literals only, and no arrays with entries among them.
    Values,
    /// There are no constant arrays.
    None,
}

/// The names of conversions between integers and bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Names {
    /// Bits as an unsigned number.
    pub bv_to_int: &'static str,
    /// Bits as a signed number; written out where there is none.
    pub bv_to_signed: Option<&'static str>,
    /// A number as bits.
    pub int_to_bv: &'static str,
}

/// The command that asks for interpolants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// None.
    None,
    /// `(get-interpolants a b c)` for named assertions: a sequence.
    Sequence {
        /// The options to set at the start.
        options: &'static [&'static str],
    },
    /// `(get-interpolant (a b))` for interpolation groups: one cut.
    Groups {
        /// The options to set at the start.
        options: &'static [&'static str],
    },
    /// `(get-interpolant name goal)`: one cut; a sequence is made of one after the other.
    Goal {
        /// The options to set at the start.
        options: &'static [&'static str],
    },
}

use Theory::{Array, Bv, Function, Int, IntBv, IntRat, Nonlinear, Rat};

const ALL: &[Theory] = &[Int, Rat, IntRat, Nonlinear, Bv, IntBv, Array, Function];

/// The names before SMT-LIB 2.7, which solvers keep for its own (`ubv_to_int`, `sbv_to_int`, `int_to_bv`).
const OLD: Names = Names { bv_to_int: "bv2nat", bv_to_signed: None, int_to_bv: "int2bv" };

const INTERPOLANTS: &str = ":produce-interpolants true";
const CORES: &str = ":produce-unsat-cores true";
const ASSUMPTIONS: &str = ":produce-unsat-assumptions true";

/// Any solver: what SMT-LIB 2.6 promises, and no more.
pub const GENERIC: Dialect = Dialect {
    name: "solver",
    programs: &[],
    args: &[],
    options: &[ASSUMPTIONS],
    hints: &[],
    logic: Some("ALL"),
    cores: Cores::Assumptions,
    global_declarations: false,
    theories: ALL,
    const_arrays: ConstArrays::None,
    names: OLD,
    total_bv_division: false,
    interpolation: Interpolation::None,
};

/// Z3's program.
pub const Z3: Dialect = Dialect {
    name: "z3",
    programs: &["z3"],
    args: &["-in"],
    hints: &[":smt.random_seed 0", ":sat.random_seed 0"],
    global_declarations: true,
    const_arrays: ConstArrays::Terms,
    total_bv_division: true,
    ..GENERIC
};

/// cvc5.
pub const CVC5: Dialect = Dialect {
    name: "cvc5",
    programs: &["cvc5"],
    args: &["--lang=smt2", "--incremental"],
    // Its unsatisfiable assumptions are all of them, unless it minimizes; its cores are better.
    options: &[CORES],
    // Newer versions want to be asked for constant arrays.
    hints: &[":arrays-exp true", ":seed 0"],
    cores: Cores::Named,
    const_arrays: ConstArrays::Values,
    total_bv_division: true,
    // It enumerates terms, if need be for ever; this limit is no clock.
    interpolation: Interpolation::Goal { options: &[INTERPOLANTS, ":rlimit-per 200000"] },
    ..GENERIC
};

/// MathSAT 5.
pub const MATHSAT: Dialect = Dialect {
    name: "mathsat",
    programs: &["mathsat"],
    logic: None,
    const_arrays: ConstArrays::Values,
    interpolation: Interpolation::Groups { options: &[INTERPOLANTS] },
    ..GENERIC
};

/// SMTInterpol, usually started as `java -jar smtinterpol.jar -q`.
pub const SMTINTERPOL: Dialect = Dialect {
    name: "smtinterpol",
    programs: &["smtinterpol"],
    args: &["-q"],
    hints: &[":random-seed 1"],
    global_declarations: true,
    const_arrays: ConstArrays::Terms,
    interpolation: Interpolation::Sequence { options: &[INTERPOLANTS] },
    ..GENERIC
};

/// OpenSMT: numbers, arrays and functions.
pub const OPENSMT: Dialect = Dialect {
    name: "opensmt",
    programs: &["opensmt"],
    args: &["-p"],
    options: &[CORES],
    hints: &[":random-seed 1"],
    logic: Some("QF_AUFLIRA"),
    cores: Cores::Named,
    theories: &[Int, Rat, Array, Function],
    interpolation: Interpolation::Sequence { options: &[INTERPOLANTS] },
    ..GENERIC
};

/// Yices 2. Its models do not tell arrays, and any command before `get-unsat-assumptions` spoils the names there.
pub const YICES: Dialect = Dialect {
    name: "yices",
    programs: &["yices-smt2", "yices_smt2"],
    args: &["--incremental"],
    options: &[CORES],
    cores: Cores::Named,
    theories: &[Int, Rat, IntRat, Bv, Array, Function],
    total_bv_division: true,
    ..GENERIC
};

/// Bitwuzla: bit-vectors, arrays and functions.
pub const BITWUZLA: Dialect = Dialect {
    name: "bitwuzla",
    programs: &["bitwuzla"],
    global_declarations: true,
    theories: &[Bv, Array, Function],
    const_arrays: ConstArrays::Terms,
    total_bv_division: true,
    interpolation: Interpolation::Goal { options: &[INTERPOLANTS] },
    ..GENERIC
};

/// What recordings are written in: with constant arrays, so that nothing is left out.
pub(crate) const RECORDING: Dialect = Dialect {
    name: "the recording",
    global_declarations: true,
    const_arrays: ConstArrays::Terms,
    total_bv_division: true,
    ..GENERIC
};

impl Dialect {
    /// The solvers that are known by name.
    pub const KNOWN: [&Dialect; 7] =
        [&Z3, &CVC5, &MATHSAT, &SMTINTERPOL, &OPENSMT, &YICES, &BITWUZLA];

    /// The dialect of a command: that of the known solver whose name the program has, or an argument (as in
    /// `java -jar smtinterpol.jar`); otherwise [`GENERIC`].
    pub fn of(command: &Command) -> &'static Dialect {
        let words = std::iter::once(&command.program).chain(&command.args);
        let mut names =
            words.map(|word| Command { program: word.clone(), args: Vec::new() }.name());
        let known = |name: String| {
            let is = |dialect: &&Dialect| dialect.programs.iter().any(|p| name.starts_with(p));
            Dialect::KNOWN.into_iter().find(is)
        };
        names.find_map(known).unwrap_or(&GENERIC)
    }

    /// Whether it has the theory.
    pub fn has(&self, theory: Theory) -> bool {
        self.theories.contains(&theory)
    }

    /// Whether it has the sort.
    pub fn has_sort(&self, sort: Sort) -> bool {
        match sort {
            Sort::Bool => true,
            Sort::Int => self.has(Int),
            Sort::Rat => self.has(Rat),
            Sort::Bv(_) => self.has(Bv),
            Sort::Array(array) => {
                self.has(Array) && self.has_sort(array.index()) && self.has_sort(array.element())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_assertions_end_with_their_scope() {
        for dialect in Dialect::KNOWN {
            assert!(!(dialect.global_declarations && dialect.cores == Cores::Named), "{dialect:?}");
        }
    }

    #[test]
    fn dialects_are_recognized() {
        for (command, expected) in [
            ("z3", "z3"),
            ("/opt/z3-4.13/bin/z3 -in", "z3"),
            ("cvc5-Linux-static --incremental", "cvc5"),
            ("java -jar /opt/smtinterpol-2.5.jar -q", "smtinterpol"),
            ("yices-smt2", "yices"),
            ("mysolver", "solver"),
        ] {
            let command = Command::parse(command).expect("a command");
            assert_eq!(Dialect::of(&command).name, expected, "{command}");
        }
    }
}
