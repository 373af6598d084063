//! What the value of a term says about its variables.

use lapidary_expr::{Op, Sort, Term};

use super::abs::Abs;
use super::operators;
use super::state::State;
use super::transfer::{Transfer, replace_by_any};
use lapidary_expr::interval::Range;

/// Terms that are nested deeper say nothing.
const DEEPEST: u32 = 40;

impl Transfer {
    /// Restricts the state to where the value of `term` is among `to`; false if that is nowhere.
    pub(in crate::pass) fn restrict(
        &self,
        state: &mut State,
        term: Term,
        to: Abs,
        depth: u32,
    ) -> bool {
        if depth >= DEEPEST || to == Abs::all(term.sort()) {
            return true;
        }
        match (term.op(), term.args()) {
            (Op::Lit(value), _) => Abs::of(value).meet(to).is_some(),
            (Op::Var(var), _) => {
                let Some(i) = self.index(*var) else { return true };
                let Some(met) = state.get(i).meet(to) else { return false };
                state.set(i, met);
                true
            }
            (Op::Ite, [condition, then, otherwise]) => {
                self.restrict_branch(state, [*condition, *then, *otherwise], to, depth)
            }
            (Op::Select, _) if term.sort() != Sort::Bool => self.restrict_element(state, term, to),
            (Op::Add, args) => self.restrict_sum(state, args, to, depth),
            (Op::Mul, [factor, arg]) => self.restrict_product(state, *factor, *arg, to, depth),
            (Op::Mod, [arg, divisor]) => self.restrict_remainder(state, *arg, *divisor, to, depth),
            (Op::BvAdd | Op::BvSub | Op::BvNeg | Op::BvNot, args) => {
                self.restrict_wrapped(state, term.op(), args, to, depth)
            }
            (Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract(_, 0), [arg]) => {
                self.restrict_resized(state, term, *arg, to, depth)
            }
            (Op::BvToInt | Op::BvToSigned, [arg]) => {
                let (Sort::Bv(width), Abs::Int(range)) = (arg.sort(), to) else { return true };
                let (Abs::Bits(_, unsigned, signed), is_signed) =
                    (self.eval(*arg, state), *term.op() == Op::BvToSigned)
                else {
                    return true;
                };
                let (unsigned, signed) = match is_signed {
                    true => (Some(unsigned), signed.meet(range)),
                    false => (unsigned.meet(range), Some(signed)),
                };
                let (Some(unsigned), Some(signed)) = (unsigned, signed) else { return false };
                self.restrict(state, *arg, Abs::Bits(width, unsigned, signed), depth + 1)
            }
            _ if term.sort() == Sort::Bool => {
                let is_formula = !matches!(term.op(), Op::Select | Op::Apply(_));
                match to.as_truth().filter(|_| is_formula) {
                    Some(truth) => self.refine(state, term, truth, depth + 1),
                    None => true,
                }
            }
            _ => self.eval(term, state).meet(to).is_some(),
        }
    }

    fn restrict_branch(&self, state: &mut State, args: [Term; 3], to: Abs, depth: u32) -> bool {
        let [condition, then, otherwise] = args;
        let case = |holds: bool, branch: Term| {
            self.eval(branch, state).meet(to)?;
            let mut case = state.clone();
            let is_possible = self.refine(&mut case, condition, holds, depth + 1)
                && self.restrict(&mut case, branch, to, depth + 1);
            is_possible.then_some(case)
        };
        let cases = [case(true, then), case(false, otherwise)];
        replace_by_any(state, cases.into_iter().flatten())
    }

    /// Each part is the sum less the others.
    fn restrict_sum(&self, state: &mut State, args: &[Term], to: Abs, depth: u32) -> bool {
        let Abs::Int(to) = to else { return true };
        let ranges = args.iter().map(|arg| match self.eval(*arg, state) {
            Abs::Int(range) => range,
            _ => Range::ALL,
        });
        let ranges: Vec<Range> = ranges.collect();
        let mut after = vec![Range::single(0)];
        for range in ranges.iter().rev() {
            after.push(after[after.len() - 1].plus(*range));
        }
        let mut before = Range::single(0);
        for (i, (arg, range)) in args.iter().zip(&ranges).enumerate() {
            let others = before.plus(after[args.len() - 1 - i]);
            let Some(rest) = range.meet(to.minus(others)) else { return false };
            if rest != *range && !self.restrict(state, *arg, Abs::Int(rest), depth + 1) {
                return false;
            }
            before = before.plus(*range);
        }
        true
    }

    fn restrict_product(
        &self,
        state: &mut State,
        factor: Term,
        arg: Term,
        to: Abs,
        depth: u32,
    ) -> bool {
        let (Some(factor), Abs::Int(to)) = (factor.as_int(), to) else { return true };
        let Ok(factor) = i128::try_from(factor) else { return true };
        match to.divided_exactly(factor) {
            Some(rest) => self.restrict(state, arg, Abs::Int(rest), depth + 1),
            None => false,
        }
    }

    /// A known remainder is a congruence.
    fn restrict_remainder(
        &self,
        state: &mut State,
        arg: Term,
        divisor: Term,
        to: Abs,
        depth: u32,
    ) -> bool {
        let (Abs::Int(to), Some(divisor)) = (to, divisor.as_int()) else { return true };
        let Ok(divisor) = i128::try_from(divisor) else { return true };
        let Abs::Int(range) = self.eval(arg, state) else { return true };
        if divisor == 0 {
            return true;
        }
        let divisor = divisor.abs();
        let Some(to) = to.meet(range.modulo(divisor)) else { return false };
        let (_, Some(rest)) = (divisor, to.value()) else { return true };
        match range.meet(
            Range::new(
                lapidary_expr::interval::LEAST,
                lapidary_expr::interval::GREATEST,
                divisor,
                rest,
            )
            .unwrap_or(Range::ALL),
        ) {
            Some(rest) => rest == range || self.restrict(state, arg, Abs::Int(rest), depth + 1),
            None => false,
        }
    }

    /// Sums and the like can be solved for each part, modulo 2^n.
    fn restrict_wrapped(
        &self,
        state: &mut State,
        op: &Op,
        args: &[Term],
        to: Abs,
        depth: u32,
    ) -> bool {
        let values: Vec<Abs> = args.iter().map(|arg| self.eval(*arg, state)).collect();
        let apply = |op: Op, args: &[Abs]| operators::apply(&op, args_sort(to), args);
        for (i, (arg, value)) in args.iter().zip(&values).enumerate() {
            let solved = match (op, i) {
                (Op::BvNeg | Op::BvNot, _) => apply(op.clone(), &[to]),
                (Op::BvSub, 0) => apply(Op::BvAdd, &[to, values[1]]),
                (Op::BvSub, _) => apply(Op::BvSub, &[values[0], to]),
                _ => {
                    let others = values.iter().enumerate().filter(|(j, _)| *j != i);
                    others.fold(to, |rest, (_, other)| apply(Op::BvSub, &[rest, *other]))
                }
            };
            let Some(rest) = value.meet(solved) else { return false };
            if rest != *value && !self.restrict(state, *arg, rest, depth + 1) {
                return false;
            }
        }
        true
    }

    /// Extension keeps numbers of one kind, and extraction those that are small.
    fn restrict_resized(
        &self,
        state: &mut State,
        term: Term,
        arg: Term,
        to: Abs,
        depth: u32,
    ) -> bool {
        let (Abs::Bits(width, unsigned, signed), Abs::Bits(new, to_unsigned, to_signed)) =
            (self.eval(arg, state), to)
        else {
            return true;
        };
        let (unsigned, signed) = match term.op() {
            Op::ZeroExtend(_) => (unsigned.meet(to_unsigned), Some(signed)),
            Op::SignExtend(_) => (Some(unsigned), signed.meet(to_signed)),
            _ if unsigned.is_within(0, (1 << new) - 1) => {
                (unsigned.meet(to_unsigned), Some(signed))
            }
            _ if signed.is_within(-(1 << (new - 1)), (1 << (new - 1)) - 1) => {
                (Some(unsigned), signed.meet(to_signed))
            }
            _ => return true,
        };
        let (Some(unsigned), Some(signed)) = (unsigned, signed) else { return false };
        match self.eval(arg, state).meet(Abs::Bits(width, unsigned, signed)) {
            Some(rest) => self.restrict(state, arg, rest, depth + 1),
            None => false,
        }
    }
}

/// The sort of the bit-vectors in a set.
fn args_sort(of: Abs) -> Sort {
    match of {
        Abs::Bits(width, ..) => Sort::Bv(width),
        _ => Sort::Int,
    }
}
