//! Functions of the library that work on objects of any type: each call has a body of its own, for the types of its arguments.

use super::{Entry, Parsed, Parser};
use crate::c::ir::{Expr, Function, Kind as ExprKind};
use crate::c::parse::lexer::{Kind, Token};
use crate::c::types::{IntType, Type, TypeId};

/// A body for some types that is still to be read.
pub(super) struct Instance {
    /// The function that it is of.
    pub(super) function: u32,
    /// The piece of the library, by its number.
    pub(super) piece: usize,
    /// What names of types stand for in the piece.
    types: Vec<(&'static str, TypeId)>,
}

impl Parser<'_> {
    /// A call of such a function, if the types of the arguments are known.
    pub(super) fn call_for_types(
        &mut self,
        callee: &Expr,
        args: &[Expr],
        close: usize,
    ) -> Parsed<Option<Expr>> {
        let ExprKind::Function(function) = callee.kind else { return Ok(None) };
        let known = &self.functions[function as usize];
        let is_it = |name: &str| known.body.is_none() && name == known.name;
        let pieces = self.source.pieces();
        let Some(piece) = pieces.iter().position(|piece| is_it(piece.name)) else {
            return Ok(None);
        };
        let Some(types) = self.types_for(pieces[piece].name, args) else { return Ok(None) };
        let name = Token { kind: Kind::Word, text: pieces[piece].name, start: callee.start };
        let Some(ty) = self.type_in_piece(piece, &types)? else { return Ok(None) };
        self.functions.push(Function {
            name: name.text.into(),
            ty,
            start: callee.start,
            locals: Vec::new(),
            n_params: 0,
            body: None,
            is_used: true,
            has_address: false,
            is_noreturn: false,
            attribute: None,
        });
        let function = self.functions.len() as u32 - 1;
        self.instances.push(Instance { function, piece, types });
        let callee = Expr::new(ExprKind::Function(function), ty, callee.start);
        Ok(Some(self.call(callee, args.to_vec(), close)))
    }

    /// What the names of types stand for in a call of a function.
    fn types_for(&mut self, name: &str, args: &[Expr]) -> Option<Vec<(&'static str, TypeId)>> {
        match (name, args) {
            ("qsort", [base, _, size, _]) | ("bsearch", [_, base, _, size, _]) => {
                let element = self.types.element(base.ty).or(self.types.pointee(base.ty))?;
                let is_size = size.as_int() == self.types.size(element).map(i128::from);
                let is_object = !matches!(self.types.get(element), Type::Void | Type::Function(_));
                (is_size && is_object).then(|| vec![("lapidary_element", element)])
            }
            (_, [left, right, result]) if name.ends_with("_overflow") => {
                let to = self.types.pointee(result.ty)?;
                let ints = [left.ty, right.ty, to].map(|ty| self.types.as_int(ty));
                let [Some(left_int), Some(right_int), Some(to_int)] = ints else { return None };
                let is_wide = [left_int, right_int, to_int].iter().any(|int| int.width > 32);
                let wide = if is_wide { IntType::INT128 } else { IntType::LLONG };
                let is_product = name == "__builtin_mul_overflow";
                let is_unsigned = is_product && !left_int.signed && !right_int.signed;
                let wide = self.types.int(if is_unsigned { wide.unsigned() } else { wide });
                let names = ["lapidary_left", "lapidary_right", "lapidary_result", "lapidary_wide"];
                Some(names.into_iter().zip([left.ty, right.ty, to, wide]).collect())
            }
            _ => None,
        }
    }

    /// The type of the function of a piece.
    fn type_in_piece(
        &mut self,
        piece: usize,
        types: &[(&'static str, TypeId)],
    ) -> Parsed<Option<TypeId>> {
        let piece = &self.source.pieces()[piece];
        let aside = self.begin(piece);
        for (name, ty) in types {
            self.define(name, Entry::Typedef(*ty));
        }
        let ty = self.type_of_piece(piece);
        self.resume(aside);
        ty
    }

    /// Reads the bodies.
    pub(super) fn instances(&mut self) -> Parsed<()> {
        let instances = std::mem::take(&mut self.instances);
        let made: Vec<u32> = instances.iter().map(|instance| instance.function).collect();
        for instance in instances {
            let piece = &self.source.pieces()[instance.piece];
            // The piece defines its function by name: no other function has this name for now.
            let is_other = |function: &Function| function.name == piece.name;
            let others: Vec<usize> =
                (0..self.functions.len()).filter(|i| is_other(&self.functions[*i])).collect();
            let is_own = |other: &&usize| {
                let is_made = made.contains(&(**other as u32)) || self.hidden.contains(*other);
                self.functions[**other].body.is_some() && !is_made
            };
            if let Some(own) = others.iter().find(is_own) {
                let start = self.functions[*own].start;
                let what = format!("`{}` is defined after it was called", piece.name);
                return Err(Box::new(self.source.error(start..start + 1, what)));
            }
            others.iter().for_each(|other| self.functions[*other].name.clear());
            self.functions[instance.function as usize].name = piece.name.into();
            let linked = self.checks.linked.remove(piece.name);
            let aside = self.begin(piece);
            for (name, ty) in &instance.types {
                self.define(name, Entry::Typedef(*ty));
            }
            let read = self.declarations_of(piece);
            self.resume(aside);
            others.iter().for_each(|other| self.functions[*other].name = piece.name.into());
            self.checks.linked.remove(piece.name);
            if let Some(linked) = linked {
                self.checks.linked.insert(piece.name, linked);
            }
            read?;
        }
        Ok(())
    }
}

/// Whether a piece has names of types that calls give a meaning.
pub(super) fn is_template(text: &str) -> bool {
    text.contains("lapidary_element") || text.contains("lapidary_wide")
}
