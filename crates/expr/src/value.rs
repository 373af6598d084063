//! Values: what evaluation yields, exact and unbounded.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::sort::{ArraySort, Sort};

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer; small ones are stored without allocation.
    Int(IBig),
    /// A rational in lowest terms.
    Rat(RBig),
    /// A bit-vector.
    Bv(Bv),
    /// An array.
    Array(Arc<ArrayValue>),
}

/// A bit-vector value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bv {
    width: u32,
    bits: UBig,
}

/// An array value: finitely many entries that differ from a default.
///
/// Equal maps are equal values: among the ways to write a map over a small index sort, one is chosen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    sort: ArraySort,
    default: Value,
    entries: BTreeMap<Value, Value>,
}

/// The interpretation of an uninterpreted function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FuncValue {
    /// Results at the listed arguments.
    pub entries: BTreeMap<Vec<Value>, Value>,
    /// The result everywhere else.
    pub default: Value,
}

impl Value {
    /// An integer.
    pub fn int(value: impl Into<IBig>) -> Value {
        Value::Int(value.into())
    }

    /// The sort of the value.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Rat(_) => Sort::Rat,
            Value::Bv(bv) => Sort::Bv(bv.width),
            Value::Array(array) => Sort::Array(array.sort),
        }
    }

    /// A value of `sort`: false, zero, or the array full of such.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(IBig::ZERO),
            Sort::Rat => Value::Rat(RBig::ZERO),
            Sort::Bv(width) => Value::Bv(Bv::new(width, UBig::ZERO)),
            Sort::Array(array) => {
                Value::array(array, Value::default_of(array.element()), BTreeMap::new())
            }
        }
    }

    /// The array with `entries` and `default` elsewhere.
    pub fn array(sort: ArraySort, default: Value, entries: BTreeMap<Value, Value>) -> Value {
        Value::Array(Arc::new(ArrayValue::new(sort, default, entries)))
    }

    /// The value as a machine word, if it fits in one; [`unpack`](Value::unpack) reads it back.
    pub fn pack(&self) -> Option<i64> {
        match self {
            Value::Bool(truth) => Some(i64::from(*truth)),
            Value::Int(number) => i64::try_from(number).ok(),
            Value::Bv(bv) => u64::try_from(&bv.bits).ok().map(u64::cast_signed),
            Value::Rat(_) | Value::Array(_) => None,
        }
    }

    /// The value of `sort` that was packed into a word.
    pub fn unpack(sort: Sort, word: i64) -> Value {
        match sort {
            Sort::Bool => Value::Bool(word != 0),
            Sort::Bv(width) => Value::Bv(Bv { width, bits: UBig::from(word.cast_unsigned()) }),
            _ => Value::int(word),
        }
    }

    /// Replaces an element of an array, without a copy if nobody else has the array.
    pub fn store(&mut self, index: Value, element: Value) {
        match self {
            Value::Array(array) => Arc::make_mut(array).set(index, element),
            other => panic!("array expected, found {other:?}"),
        }
    }

    pub(crate) fn is_true(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("truth value expected, found {other:?}"),
        }
    }

    pub(crate) fn as_int(&self) -> &IBig {
        match self {
            Value::Int(i) => i,
            other => panic!("integer expected, found {other:?}"),
        }
    }

    pub(crate) fn as_bv(&self) -> &Bv {
        match self {
            Value::Bv(bv) => bv,
            other => panic!("bit-vector expected, found {other:?}"),
        }
    }

    pub(crate) fn as_array(&self) -> &ArrayValue {
        match self {
            Value::Array(array) => array,
            other => panic!("array expected, found {other:?}"),
        }
    }

    /// The number as a rational.
    pub(crate) fn to_rat(&self) -> RBig {
        match self {
            Value::Int(i) => RBig::from(i.clone()),
            Value::Rat(r) => r.clone(),
            other => panic!("number expected, found {other:?}"),
        }
    }
}

impl Bv {
    /// The low `width` bits of `bits`.
    pub fn new(width: u32, bits: UBig) -> Bv {
        let excess = bits.bit_len() > width as usize;
        Bv { width, bits: if excess { bits & ones(width) } else { bits } }
    }

    /// The two's complement of `value` in `width` bits.
    pub fn wrap(width: u32, value: &IBig) -> Bv {
        let modulus = IBig::from(UBig::ONE << width as usize);
        let bits = dashu_int::ops::RemEuclid::rem_euclid(value.clone(), &modulus);
        Bv { width, bits }
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The bits as an unsigned number.
    pub fn unsigned(&self) -> &UBig {
        &self.bits
    }

    /// The bits as an unsigned number in a radix of 2 or 16, with all digits. Formatting by a width would panic for
    /// more than 65,535 digits.
    pub fn digits(&self, radix: u8) -> String {
        let digits = self.bits.in_radix(radix).to_string();
        let n_digits = self.width.div_ceil(if radix == 16 { 4 } else { 1 }) as usize;
        "0".repeat(n_digits.saturating_sub(digits.len())) + &digits
    }

    /// The bits as a two's complement number.
    pub fn signed(&self) -> IBig {
        let value = IBig::from(self.bits.clone());
        if self.sign() { value - IBig::from(UBig::ONE << self.width as usize) } else { value }
    }

    /// The most significant bit.
    pub fn sign(&self) -> bool {
        self.bits.bit_len() == self.width as usize
    }
}

/// The number with `width` low bits set.
pub(crate) fn ones(width: u32) -> UBig {
    (UBig::ONE << width as usize) - UBig::ONE
}

impl ArrayValue {
    /// The normal form: no entry equals the default. Where entries fill at least half of a finite index
    /// sort, the same map has several defaults to choose from; the most frequent element is taken, the
    /// smallest one among equals.
    fn new(sort: ArraySort, default: Value, mut entries: BTreeMap<Value, Value>) -> ArrayValue {
        entries.retain(|_, element| *element != default);
        let mut array = ArrayValue { sort, default, entries };
        array.normalize();
        array
    }

    /// Chooses among several defaults.
    fn normalize(&mut self) {
        if let Some(size) = domain_size(self.sort.index())
            && self.entries.len() * 2 >= size
        {
            self.rebase(size);
        }
    }

    fn rebase(&mut self, size: usize) {
        let mut counts: BTreeMap<&Value, usize> = BTreeMap::new();
        *counts.entry(&self.default).or_default() += size - self.entries.len();
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let default =
            counts.into_iter().find(|(_, n)| *n == most).map_or(&self.default, |(v, _)| v).clone();
        if default == self.default {
            return;
        }
        let all = (0..size).map(|i| nth_index(self.sort.index(), i));
        let entries =
            all.map(|i| (i.clone(), self.get(&i).clone())).filter(|(_, e)| *e != default).collect();
        *self = ArrayValue { sort: self.sort, default, entries };
    }

    /// The sort of the array.
    pub fn sort(&self) -> ArraySort {
        self.sort
    }

    /// The element where no entry says otherwise.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The entries that differ from the default, by index.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// The element at `index`.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Replaces the element at `index`.
    pub(crate) fn set(&mut self, index: Value, element: Value) {
        match element == self.default {
            true => drop(self.entries.remove(&index)),
            false => drop(self.entries.insert(index, element)),
        }
        self.normalize();
    }
}

/// How many values an index sort has, if they are few enough to be all named by entries.
fn domain_size(sort: Sort) -> Option<usize> {
    let size = match sort {
        Sort::Bool => 2,
        Sort::Bv(width) => 1usize.checked_shl(width)?,
        Sort::Array(array) => {
            let indices = u32::try_from(domain_size(array.index())?).ok()?;
            domain_size(array.element())?.checked_pow(indices)?
        }
        Sort::Int | Sort::Rat => return None,
    };
    (size <= 1 << 24).then_some(size)
}

fn nth_index(sort: Sort, n: usize) -> Value {
    match sort {
        Sort::Bool => Value::Bool(n == 1),
        Sort::Bv(width) => Value::Bv(Bv::new(width, UBig::from(n))),
        // The elements are the digits of `n`.
        Sort::Array(array) => {
            let indices = domain_size(array.index()).unwrap_or(0);
            let base = domain_size(array.element()).unwrap_or(1);
            let mut rest = n;
            let entries = (0..indices).map(|i| {
                let digit = rest % base;
                rest /= base;
                (nth_index(array.index(), i), nth_index(array.element(), digit))
            });
            Value::array(array, nth_index(array.element(), 0), entries.collect())
        }
        Sort::Int | Sort::Rat => unreachable!("{sort} has no small domain"),
    }
}

/// SMT-LIB's spelling.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write_signed(f, i, |f, n| write!(f, "{n}")),
            Value::Rat(r) => write_signed(f, r.numerator(), |f, n| match r.denominator() {
                d if d.is_one() => write!(f, "{n}.0"),
                d => write!(f, "(/ {n} {d})"),
            }),
            Value::Bv(bv) if bv.width.is_multiple_of(4) => write!(f, "#x{}", bv.digits(16)),
            Value::Bv(bv) => write!(f, "#b{}", bv.digits(2)),
            Value::Array(array) => {
                f.write_str(&"(store ".repeat(array.entries.len()))?;
                write!(f, "((as const {}) {})", Sort::Array(array.sort), array.default)?;
                array
                    .entries
                    .iter()
                    .try_for_each(|(index, element)| write!(f, " {index} {element})"))
            }
        }
    }
}

fn write_signed(
    f: &mut fmt::Formatter<'_>,
    number: &IBig,
    magnitude: impl Fn(&mut fmt::Formatter<'_>, UBig) -> fmt::Result,
) -> fmt::Result {
    let (sign, size) = number.clone().into_parts();
    if sign == dashu_int::Sign::Negative {
        f.write_str("(- ")?;
        magnitude(f, size)?;
        return f.write_str(")");
    }
    magnitude(f, size)
}
