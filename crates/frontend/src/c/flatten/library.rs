//! Calls of functions of floating numbers: what they compute, as an expression.

use super::Flattener;
use crate::c::flat::Function;
use crate::c::flat::{Value, ValueKind};
use crate::c::flatten::conventions::Known;
use crate::c::flatten::math_names::Library;
use crate::c::ir::{Binary, Expr, Unary};
use crate::c::types::{IntType, Type, TypeId};

/// Numbers of a floating type, and what can be said about them.
struct Floats {
    ty: TypeId,
    float: IntType,
    int: TypeId,
    start: usize,
}

impl Floats {
    /// A constant that every floating type has.
    fn constant(&self, value: f64) -> Value {
        let bits = match self.float.width {
            32 => u64::from((value as f32).to_bits()),
            _ => value.to_bits(),
        };
        Value::int(i128::from(bits), self.ty, self.start)
    }

    fn least_normal(&self) -> Value {
        let least =
            if self.float.width == 32 { f64::from(f32::MIN_POSITIVE) } else { f64::MIN_POSITIVE };
        self.constant(least)
    }

    fn int(&self, value: i128) -> Value {
        Value::int(value, self.int, self.start)
    }

    fn truth(&self, kind: ValueKind) -> Value {
        Value::new(kind, self.int, self.start)
    }

    fn number(&self, kind: ValueKind) -> Value {
        Value::new(kind, self.ty, self.start)
    }

    fn compare(&self, op: Binary, a: &Value, b: &Value) -> Value {
        self.truth(ValueKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())))
    }

    fn calculate(&self, op: Binary, a: &Value, b: &Value) -> Value {
        self.number(ValueKind::Binary(op, Box::new(a.clone()), Box::new(b.clone())))
    }

    fn and(&self, a: Value, b: Value) -> Value {
        self.truth(ValueKind::And(Box::new(a), Box::new(b)))
    }

    fn or(&self, a: Value, b: Value) -> Value {
        self.truth(ValueKind::Or(Box::new(a), Box::new(b)))
    }

    fn apply(&self, function: Function, x: &Value) -> Value {
        self.number(ValueKind::Apply(function, Box::new(x.clone())))
    }

    fn negated(&self, x: &Value) -> Value {
        self.number(ValueKind::Unary(Unary::Neg, Box::new(x.clone())))
    }

    fn is_negative(&self, x: &Value) -> Value {
        self.truth(ValueKind::IsNegative(Box::new(x.clone())))
    }

    /// No number equals itself but those that are none.
    fn is_nan(&self, x: &Value) -> Value {
        self.compare(Binary::Ne, x, x)
    }

    fn is_infinite(&self, x: &Value) -> Value {
        self.compare(Binary::Eq, &self.apply(Function::Absolute, x), &self.constant(f64::INFINITY))
    }

    fn is_finite(&self, x: &Value) -> Value {
        self.compare(Binary::Lt, &self.apply(Function::Absolute, x), &self.constant(f64::INFINITY))
    }

    fn is_normal(&self, x: &Value) -> Value {
        let is_large =
            self.compare(Binary::Le, &self.least_normal(), &self.apply(Function::Absolute, x));
        self.and(is_large, self.is_finite(x))
    }

    fn copied_sign(&self, x: &Value, sign: &Value) -> Value {
        let signs = self.compare(Binary::Eq, &self.is_negative(x), &self.is_negative(sign));
        choice(signs, x.clone(), self.negated(x))
    }

    /// The integer next to it toward zero, or the one after that.
    fn rounded(&self, x: &Value) -> Value {
        let whole = self.apply(Function::Truncated, x);
        let rest = self.calculate(Binary::Sub, x, &whole);
        let rest = self.apply(Function::Absolute, &rest);
        let is_far = self.compare(Binary::Le, &self.constant(0.5), &rest);
        let one = self.copied_sign(&self.constant(1.0), x);
        choice(is_far, self.calculate(Binary::Add, &whole, &one), whole)
    }

    /// One of five numbers: for NaN, infinities, normal numbers, subnormal numbers and zeros.
    fn class(&self, x: &Value, classes: [Value; 5]) -> Value {
        let [nan, infinite, normal, subnormal, zero] = classes;
        let is_zero = self.compare(Binary::Eq, x, &self.constant(0.0));
        let class = choice(self.is_normal(x), normal, choice(is_zero, zero, subnormal));
        choice(self.is_nan(x), nan, choice(self.is_infinite(x), infinite, class))
    }
}

fn choice(condition: Value, then: Value, otherwise: Value) -> Value {
    let (ty, start) = (then.ty, then.start);
    let parts = (Box::new(condition), Box::new(then), Box::new(otherwise));
    Value::new(ValueKind::Conditional(parts.0, parts.1, parts.2), ty, start)
}

impl Flattener<'_> {
    /// Whether a call is one of a function of floating numbers, and not of another one with its name.
    pub(super) fn is_about_floats(&self, known: Known, args: &[Expr], result: TypeId) -> bool {
        let is_float = |ty: TypeId| matches!(self.program.types.get(ty), Type::Float(_));
        let is_number =
            |arg: &Expr| is_float(arg.ty) || self.program.types.as_int(arg.ty).is_some();
        let is_given_text = known == Known::Float(Library::Nan);
        (is_float(result) || args.iter().any(|arg| is_float(arg.ty)))
            && (is_given_text || args.iter().all(is_number))
    }

    /// Calls a function of floating numbers.
    pub(super) fn library(
        &mut self,
        library: Library,
        function: u32,
        args: &[Expr],
        call: &Expr,
    ) -> Value {
        let (ty, start) = (call.ty, call.start);
        let values = self.arguments(args);
        let types = &self.program.types;
        // Those that return truth values take numbers of any type, and may be given two.
        let floats = values.iter().map(|value| value.ty).chain([ty]);
        let floats = floats.filter(|ty| matches!(types.get(*ty), Type::Float(_)));
        let widest = floats.max_by_key(|ty| types.size(*ty));
        let float = widest.and_then(|ty| Some((ty, types.as_float(ty)?)));
        let is_float = types.as_float(ty).is_some();
        let float = float.filter(|(widest, _)| !is_float || *widest == ty);
        let float = float.filter(|_| is_float || library.is_test());
        let result = float.and_then(|(ty, float)| {
            let floats = Floats { ty, float, int: self.int_type(), start };
            let converted = values.iter().map(|value| {
                match types.as_float(value.ty).or(types.as_int(value.ty)) {
                    Some(_) if !matches!(library, Library::Classify) => {
                        self.converted(value.clone(), ty)
                    }
                    _ => value.clone(),
                }
            });
            computed(&floats, library, &converted.collect::<Vec<_>>())
        });
        match result {
            Some(value) => self.converted(value, ty),
            None => self.not_modelled(function, ty, start),
        }
    }
}

/// What a function computes of its arguments; none if they are not what it takes.
fn computed(floats: &Floats, library: Library, args: &[Value]) -> Option<Value> {
    let of_one = |compute: &dyn Fn(&Value) -> Value| match args {
        [x] if x.ty == floats.ty => Some(compute(x)),
        _ => None,
    };
    let of_two = |compute: &dyn Fn(&Value, &Value) -> Value| match args {
        [x, y] if x.ty == floats.ty && y.ty == floats.ty => Some(compute(x, y)),
        _ => None,
    };
    let compare = |op: Binary| of_two(&|x, y| floats.compare(op, x, y));
    let reversed = |op: Binary| of_two(&|x, y| floats.compare(op, y, x));
    match library {
        Library::Of(function) => of_one(&|x| floats.apply(function, x)),
        Library::Minimum | Library::Maximum => of_two(&|x, y| {
            let (a, b) = if library == Library::Minimum { (x, y) } else { (y, x) };
            let is_x = floats.or(floats.is_nan(y), floats.compare(Binary::Lt, a, b));
            choice(is_x, x.clone(), y.clone())
        }),
        Library::CopySign => of_two(&|x, y| floats.copied_sign(x, y)),
        Library::Round => of_one(&|x| floats.rounded(x)),
        // Its bits depend on the text that it is given.
        Library::Nan => Some(floats.apply(Function::Absolute, &floats.constant(f64::NAN))),
        Library::Infinity => Some(floats.constant(f64::INFINITY)),
        Library::IsNan => of_one(&|x| floats.is_nan(x)),
        Library::IsInfinite => of_one(&|x| floats.is_infinite(x)),
        Library::InfiniteSign => of_one(&|x| {
            let sign = choice(floats.is_negative(x), floats.int(-1), floats.int(1));
            choice(floats.is_infinite(x), sign, floats.int(0))
        }),
        Library::IsFinite => of_one(&|x| floats.is_finite(x)),
        Library::IsNormal => of_one(&|x| floats.is_normal(x)),
        Library::SignBit => of_one(&|x| floats.is_negative(x)),
        Library::Classify => match args {
            [classes @ .., x] if x.ty == floats.ty => {
                let classes: [Value; 5] = classes.to_vec().try_into().ok()?;
                Some(floats.class(x, classes))
            }
            _ => None,
        },
        Library::ClassifyGlibc => {
            of_one(&|x| floats.class(x, [0, 1, 4, 3, 2].map(|class| floats.int(class))))
        }
        Library::Less => compare(Binary::Lt),
        Library::LessOrEqual => compare(Binary::Le),
        Library::Greater => reversed(Binary::Lt),
        Library::GreaterOrEqual => reversed(Binary::Le),
        Library::LessOrGreater => of_two(&|x, y| {
            let [less, greater] = [(x, y), (y, x)].map(|(a, b)| floats.compare(Binary::Lt, a, b));
            floats.or(less, greater)
        }),
        Library::Unordered => of_two(&|x, y| floats.or(floats.is_nan(x), floats.is_nan(y))),
    }
}
