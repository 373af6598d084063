//! Models of Z3 as valuations.

use std::collections::BTreeMap;
use std::rc::Rc;

use lapidary_expr::{Bv, Func, FuncValue, Sort, Term, UBig, Valuation, Value, VarSet};
use z3::ast::Dynamic;

use super::Z3;
use crate::{Result, Stop};

/// The values of `vars` and of all functions in `model`; what the model leaves open gets some value.
pub(super) fn valuation(z3: &Z3, model: &z3::Model, vars: &VarSet) -> Result<Valuation> {
    let mut valuation = Valuation::new();
    for var in vars {
        let ast = model
            .eval(&z3.constant(*var), true)
            .ok_or_else(|| unreadable("a variable without value"))?;
        valuation.set(*var, value(z3, model, &ast, var.sort())?);
    }
    let functions: Vec<_> =
        z3.translator.borrow().functions().map(|(func, decl)| (func, Rc::clone(decl))).collect();
    for (func, decl) in functions {
        valuation.set_func(func, interpretation(z3, model, func, &decl)?);
    }
    Ok(valuation)
}

fn interpretation(
    z3: &Z3,
    model: &z3::Model,
    func: Func,
    decl: &z3::FuncDecl,
) -> Result<FuncValue> {
    let constant = |default: Value| FuncValue { entries: BTreeMap::new(), default };
    if func.params().is_empty() {
        let ast = model
            .eval(&decl.apply(&[]), true)
            .ok_or_else(|| unreadable("a constant without value"))?;
        return value(z3, model, &ast, func.result()).map(constant);
    }
    match model.get_func_interp(decl) {
        Some(interpretation) => function(z3, model, &interpretation, func.params(), func.result()),
        None => Ok(constant(Value::default_of(func.result()))),
    }
}

fn unreadable(what: &str) -> Stop {
    Stop::Solver(format!("the model has {what}"))
}

fn value(z3: &Z3, model: &z3::Model, ast: &Dynamic, sort: Sort) -> Result<Value> {
    let small = match sort {
        Sort::Bool => ast.as_bool().and_then(|b| b.as_bool()).map(Value::Bool),
        Sort::Int => ast.as_int().and_then(|i| i.as_i64()).map(Value::int),
        Sort::Bv(width) => ast
            .as_bv()
            .and_then(|bv| bv.as_u64())
            .map(|bits| Value::Bv(Bv::new(width, UBig::from(bits)))),
        Sort::Rat => None,
        Sort::Array(array) => {
            let function = ast.as_array().and_then(|ast| ast.as_array_func_decl());
            let interpretation = function.and_then(|decl| model.get_func_interp(&decl));
            match interpretation {
                Some(interpretation) => {
                    let function = function_value(z3, model, &interpretation, array)?;
                    Some(function)
                }
                None => None,
            }
        }
    };
    match small {
        Some(value) => Ok(value),
        None => literal(z3, ast, sort),
    }
}

fn function_value(
    z3: &Z3,
    model: &z3::Model,
    interpretation: &z3::FuncInterp,
    array: lapidary_expr::ArraySort,
) -> Result<Value> {
    let FuncValue { entries, default } =
        function(z3, model, interpretation, &[array.index()], array.element())?;
    let entries =
        entries.into_iter().filter_map(|(mut args, value)| args.pop().map(|index| (index, value)));
    Ok(Value::array(array, default, entries.collect()))
}

/// Large numbers and arrays, by way of their text.
fn literal(z3: &Z3, ast: &Dynamic, sort: Sort) -> Result<Value> {
    let term: Term = z3.translator.borrow().back(ast)?;
    match term.as_lit() {
        Some(value) if value.sort() == sort => Ok(value.clone()),
        // Integral rationals may be printed as integers.
        Some(Value::Int(i)) if sort == Sort::Rat => Ok(Value::Rat(i.clone().into())),
        _ => Err(unreadable(&format!("the value `{ast}`, which is no literal"))),
    }
}

fn function(
    z3: &Z3,
    model: &z3::Model,
    interpretation: &z3::FuncInterp,
    params: &[Sort],
    result: Sort,
) -> Result<FuncValue> {
    let mut entries = BTreeMap::new();
    for entry in interpretation.get_entries() {
        let args = entry.get_args();
        let args: Vec<Value> = args
            .iter()
            .zip(params)
            .map(|(arg, sort)| value(z3, model, arg, *sort))
            .collect::<Result<_>>()?;
        entries.insert(args, value(z3, model, &entry.get_value(), result)?);
    }
    let default = match interpretation.get_else() {
        Some(default) => value(z3, model, &default, result)?,
        None => Value::default_of(result),
    };
    Ok(FuncValue { entries, default })
}
