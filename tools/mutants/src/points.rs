//! Where a source can be changed, and how. The operators are fixed here; nothing else decides what a mutant is.

use std::ops::Range;

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, Stmt, UnOp};

/// A part of a source for which something else can stand.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The bytes of the part.
    pub(crate) range: Range<usize>,
    /// Whether the part is a statement, with its semicolon, rather than an expression.
    pub(crate) is_statement: bool,
    /// What may stand there instead.
    pub(crate) changes: Vec<Change>,
}

/// One thing that may stand for a point.
#[derive(Clone, Debug)]
pub(crate) struct Change {
    /// The number of the mutant; 0 as long as it has none.
    pub(crate) number: u32,
    /// The byte where the change is: an operator stands behind its first operand.
    pub(crate) at: usize,
    /// The operator of mutation.
    pub(crate) operator: &'static str,
    /// What is changed, as it is told.
    pub(crate) from: String,
    /// What it becomes, as it is told.
    pub(crate) to: String,
    /// The whole text in place of the point.
    pub(crate) text: String,
}

/// All points of a source, from left to right, outer ones first.
pub(crate) fn points(source: &str) -> Result<Vec<Point>, String> {
    let file = syn::parse_file(source).map_err(|error| error.to_string())?;
    let mut finder = Finder { source, points: Vec::new() };
    finder.visit_file(&file);
    let mut points = finder.points;
    points.sort_by_key(|point| (point.range.start, usize::MAX - point.range.end));
    // A part that is a point in two ways, such as `!x` as a condition, is one point.
    let mut merged: Vec<Point> = Vec::new();
    for point in points {
        match merged.last_mut() {
            Some(last) if last.range == point.range => last.changes.extend(point.changes),
            _ => merged.push(point),
        }
    }
    Ok(merged)
}

struct Finder<'s> {
    source: &'s str,
    points: Vec<Point>,
}

/// What replaces a binary operator.
fn replacements(op: &BinOp) -> (&'static str, &'static [&'static str]) {
    match op {
        BinOp::Lt(_) => ("comparison", &["<=", ">="]),
        BinOp::Le(_) => ("comparison", &["<", ">"]),
        BinOp::Gt(_) => ("comparison", &[">=", "<="]),
        BinOp::Ge(_) => ("comparison", &[">", "<"]),
        BinOp::Eq(_) => ("comparison", &["!="]),
        BinOp::Ne(_) => ("comparison", &["=="]),
        BinOp::Add(_) => ("arithmetic", &["-"]),
        BinOp::Sub(_) => ("arithmetic", &["+"]),
        BinOp::Mul(_) => ("arithmetic", &["+"]),
        BinOp::Div(_) => ("arithmetic", &["*"]),
        BinOp::Rem(_) => ("arithmetic", &["/"]),
        BinOp::Shl(_) => ("arithmetic", &[">>"]),
        BinOp::Shr(_) => ("arithmetic", &["<<"]),
        BinOp::BitAnd(_) => ("arithmetic", &["|"]),
        BinOp::BitOr(_) => ("arithmetic", &["&"]),
        BinOp::BitXor(_) => ("arithmetic", &["|"]),
        BinOp::AddAssign(_) => ("assignment", &["-="]),
        BinOp::SubAssign(_) => ("assignment", &["+="]),
        BinOp::MulAssign(_) => ("assignment", &["+="]),
        BinOp::BitOrAssign(_) => ("assignment", &["&="]),
        BinOp::BitAndAssign(_) => ("assignment", &["|="]),
        BinOp::And(_) => ("connective", &["||"]),
        BinOp::Or(_) => ("connective", &["&&"]),
        _ => ("", &[]),
    }
}

/// Whether a condition binds names: a chain with `let` is no expression that could be put elsewhere.
fn has_let(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Whether another operator already turns this condition round.
fn is_turned_elsewhere(expr: &Expr) -> bool {
    match expr {
        Expr::Binary(binary) => replacements(&binary.op).0 == "comparison",
        Expr::Unary(unary) => matches!(unary.op, UnOp::Not(_)),
        Expr::Lit(_) => true,
        Expr::Paren(paren) => is_turned_elsewhere(&paren.expr),
        _ => false,
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::Path(path) => path.is_ident("test"),
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string() == "test",
        syn::Meta::NameValue(_) => false,
    })
}

impl Finder<'_> {
    fn text(&self, span: Span) -> &str {
        &self.source[span.byte_range()]
    }

    fn add(&mut self, span: Span, operator: &'static str, from: &str, to: &str, text: String) {
        let (from, to) = (from.to_string(), to.to_string());
        let range = span.byte_range();
        let change = Change { number: 0, at: range.start, operator, from, to, text };
        self.points.push(Point { range, is_statement: false, changes: vec![change] });
    }

    fn binary(&mut self, binary: &syn::ExprBinary) {
        let (operator, replacements) = replacements(&binary.op);
        if operator == "connective" && (has_let(&binary.left) || has_let(&binary.right)) {
            return;
        }
        let from = self.text(binary.op.span()).to_string();
        let (left, right) = (self.text(binary.left.span()), self.text(binary.right.span()));
        let texts = replacements.iter().map(|to| match operator {
            "assignment" => (*to, format!("{left} {to} {right}")),
            _ => (*to, format!("({left}) {to} ({right})")),
        });
        for (to, text) in texts.collect::<Vec<_>>() {
            self.add(binary.span(), operator, &from, to, text);
            let point = self.points.last_mut().expect("just added");
            point.changes[0].at = binary.op.span().byte_range().start;
        }
    }

    fn literal(&mut self, literal: &syn::ExprLit) {
        let from = self.text(literal.span()).to_string();
        match &literal.lit {
            Lit::Bool(value) => {
                let to = (!value.value).to_string();
                self.add(literal.span(), "truth value", &from, &to.clone(), to);
            }
            Lit::Int(value) => {
                let Ok(number) = value.base10_parse::<u128>() else { return };
                for other in [number.checked_add(1), number.checked_sub(1)].into_iter().flatten() {
                    let to = format!("{other}{}", value.suffix());
                    self.add(literal.span(), "number", &from, &to.clone(), to);
                }
            }
            _ => {}
        }
    }

    fn condition(&mut self, condition: &Expr) {
        if !has_let(condition) && !is_turned_elsewhere(condition) {
            let text = self.text(condition.span()).to_string();
            self.add(
                condition.span(),
                "condition",
                &text,
                &format!("!({text})"),
                format!("!({text})"),
            );
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        self.binary(binary);
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_lit(&mut self, literal: &'ast syn::ExprLit) {
        self.literal(literal);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        if matches!(unary.op, UnOp::Not(_)) {
            let operand = self.text(unary.expr.span()).to_string();
            self.add(unary.span(), "negation", &format!("!{operand}"), &operand, operand.clone());
        }
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_if(&mut self, branch: &'ast syn::ExprIf) {
        self.condition(&branch.cond);
        visit::visit_expr_if(self, branch);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            self.condition(guard);
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        let from = call.method.to_string();
        let other = match from.as_str() {
            "min" => Some("max"),
            "max" => Some("min"),
            "any" => Some("all"),
            "all" => Some("any"),
            "is_some" => Some("is_none"),
            "is_none" => Some("is_some"),
            _ => None,
        };
        if let Some(to) = other {
            let (whole, name) = (call.span().byte_range(), call.method.span().byte_range());
            let before = &self.source[whole.start..name.start];
            let text = format!("{before}{to}{}", &self.source[name.end..whole.end]);
            self.add(call.span(), "method", &from, to, text);
        }
        visit::visit_expr_method_call(self, call);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(expr, Some(_)) = statement {
            let inner = if let Expr::Try(inner) = expr { &inner.expr } else { expr };
            if matches!(inner, Expr::Call(_) | Expr::MethodCall(_)) {
                let from = self.text(statement.span()).to_string();
                self.add(statement.span(), "statement", &from, "nothing", String::new());
                self.points.last_mut().expect("just added").is_statement = true;
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        if function.sig.constness.is_none() && !is_test(&function.attrs) {
            visit::visit_item_fn(self, function);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if function.sig.constness.is_none() {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !is_test(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    // No change makes sense, or is possible, where the compiler computes.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_variant(&mut self, _: &'ast syn::Variant) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}
}
