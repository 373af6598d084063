//! The constructs of C that generated programs have to show, and how often they do.

use std::collections::BTreeMap;
use std::fmt::Write;

macro_rules! constructs {
    ($($name:ident $text:literal,)*) => {
        /// Something that a program can show of the language.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "the names that are printed stand beside them")]
        pub enum Construct { $($name,)* }

        /// All of them.
        pub const ALL: &[Construct] = &[$(Construct::$name,)*];

        impl Construct {
            /// What it is called.
            pub fn name(self) -> &'static str {
                match self { $(Construct::$name => $text,)* }
            }
        }
    };
}

constructs! {
    Structure "structure",
    Nested "structure in a structure",
    Packed "attribute packed",
    Aligned "attribute aligned",
    Union "union",
    BitField "bit-field",
    ZeroWidth "bit-field of width zero",
    WideBitField "bit-field wider than int",
    StructureValue "structure assigned, passed or returned",
    Array "array",
    Pointer "pointer",
    PointerToPointer "pointer to pointer",
    PointerToStructure "pointer to structure",
    AddressTakenLocal "address of a local variable",
    FunctionPointer "function pointer",
    CallWithEffect "call with side effects in an expression",
    OrderComparison "order: i < f()",
    OrderArithmetic "order: i + f() * 10",
    OrderArguments "order: g(i, f())",
    OrderMember "order: ps->a = f()",
    OrderElement "order: a[i] = f()",
    OrderCompound "order: i += f()",
    OrderInitialiser "order: { i, f() }",
    Increment "increment in an expression",
    Compound "compound assignment",
    Initialiser "initialiser list",
    Loop "loop",
    Jump "break or continue",
    GotoBack "goto, backward",
    GotoForward "goto, forward",
    Switch "switch",
    FallThrough "switch with fall-through",
    Bool "_Bool",
    Char "char types",
    Short "short types",
    Int "int and unsigned",
    Long "long types",
    LongLong "long long types",
    Enum "enumeration",
    Float "float",
    Double "double",
    Cast "cast",
    Shift "shift",
    Division "division",
    Conditional "conditional operator",
    Logical "&& or ||",
    Comma "comma",
    Sizeof "sizeof",
    Offsetof "offsetof",
    PointerComparison "comparison of pointers to one object",
    PointerDistance "distance of pointers to one object",
    OnePastEquality "equality with a one-past pointer of another object",
    UnrelatedOrder "order or distance of pointers to different objects",
    StringEquality "equality of string literals",
    AddressAsNumber "address as a number",
    AddressToExternal "address given to an undefined function",
    NumberToExternal "address as a number given to an undefined function",
    ArrayOfArrays "array of arrays",
    ArrayOfStructures "array of structures",
    PointerMember "pointer in a structure",
    PointerArithmetic "pointer arithmetic",
    String "string literal",
    JumpIntoLoop "jump into a loop",
    CaseRange "range of case labels",
    VariableLength "array of variable length",
    StatementExpression "statement expression",
    CompoundLiteral "compound literal",
    Typeof "typeof",
    StaticLocal "static local variable",
    Recursion "recursion",
}

/// How many programs show each construct.
#[derive(Clone, Debug, Default)]
pub struct Table {
    n_programs: usize,
    with: BTreeMap<Construct, usize>,
}

impl Table {
    /// Counts a program that shows these.
    pub fn add(&mut self, counts: &BTreeMap<Construct, usize>) {
        self.n_programs += 1;
        for construct in counts.keys() {
            *self.with.entry(*construct).or_default() += 1;
        }
    }

    /// The share of the programs that show a construct, in percent.
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    pub fn share(&self, construct: Construct) -> f64 {
        let with = self.with.get(&construct).copied().unwrap_or_default();
        100.0 * with as f64 / self.n_programs.max(1) as f64
    }

    /// The constructs in fewer than this many percent of the programs.
    pub fn rarer_than(&self, percent: f64) -> Vec<Construct> {
        ALL.iter().copied().filter(|construct| self.share(*construct) < percent).collect()
    }

    /// A line for each construct.
    pub fn print(&self) -> String {
        let mut text = format!("constructs in {} programs\n", self.n_programs);
        for construct in ALL {
            let _ = writeln!(text, "{:6.1} %  {}", self.share(*construct), construct.name());
        }
        text
    }
}
