//! Systems as text of the language.

use lapidary_expr::{Term, Var};
use lapidary_model::Sts;
use lapidary_model::sts::Transition;

use crate::cfa::PrintError;
use crate::cfa::lexer::Language;
use crate::cfa::print::append;
use crate::cfa::print::names::{Names, word};
use crate::cfa::print::term;
use crate::cfa::typing::TypeName;

/// Writes a system with all its properties.
pub fn print(sts: &Sts) -> Result<String, PrintError> {
    let vars: Vec<Var> = sts.vars.iter().chain(&sts.inputs).copied().collect();
    let names = Names::of_system(&sts.name, &vars);
    let mut body = String::new();
    for (i, var) in vars.iter().enumerate() {
        body.push_str(if i < sts.vars.len() { "        " } else { "        input " });
        append(&mut body, format_args!("var {} : {}\n", names.var(*var), TypeName(var.sort())));
    }
    let mut condition = |kind: &str, formula: Term| {
        append(&mut body, format_args!("        {kind} {}\n", term::print(formula, &names)?));
        Ok(())
    };
    sts.init.iter().try_for_each(|formula| condition("initial", *formula))?;
    sts.constraints.iter().try_for_each(|formula| condition("invariant", *formula))?;
    match &sts.step {
        Transition::Relation(formula) => condition("transition", *formula)?,
        Transition::Functions { guard, next } => {
            if !guard.is_true() {
                condition("transition", *guard)?;
            }
            for (var, value) in next {
                condition("transition", Term::var(var.primed()).equals(*value))?;
            }
        }
    }
    let mut text =
        format!("specification {} {{\n    system main = {{\n{body}    }}\n", names.process());
    for property in &sts.properties {
        let (name, good) = (word(&property.name, Language::Systems), property.bad.not());
        append(
            &mut text,
            format_args!("    property {name} : main models G({})\n", term::print(good, &names)?),
        );
    }
    Ok(text + "}\n")
}
