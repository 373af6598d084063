//! Laws of `⊑` and of what states mean.

use lapidary_cegar::{Domain, Result};
use lapidary_oracle::Case;

use crate::Broken;
use crate::world::World;

/// `s ⊑ s`.
pub(crate) fn reflexive<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    for s in World::new(case).states(domain)? {
        if !domain.leq(&s, &s)? {
            return Ok(Some(format!("not {s:?} ⊑ itself")));
        }
    }
    Ok(None)
}

/// `s ⊑ t` and `t ⊑ u` imply `s ⊑ u`.
pub(crate) fn transitive<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    let states = World::new(case).states(domain)?;
    for s in &states {
        for t in &states {
            if !domain.leq(s, t)? {
                continue;
            }
            for u in &states {
                if domain.leq(t, u)? && !domain.leq(s, u)? {
                    return Ok(Some(format!("{s:?} ⊑ {t:?} ⊑ {u:?}, but not the first the last")));
                }
            }
        }
    }
    Ok(None)
}

/// `s ⊑ t` implies `expr(s) ⇒ expr(t)`.
pub(crate) fn monotone<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    let world = World::new(case);
    let states = world.states(domain)?;
    for s in &states {
        for t in &states {
            if !domain.leq(s, t)? {
                continue;
            }
            let [part, whole] = [s, t].map(|state| world.satisfying(domain.expr(state)));
            if let Some(values) = world.missing(&part, &whole) {
                return Ok(Some(format!("{s:?} ⊑ {t:?}, but {values} is only in the first")));
            }
        }
    }
    Ok(None)
}

/// `s ⊑ ⊤`, and `⊤` has all values.
pub(crate) fn top_is_greatest<D: Domain>(domain: &mut D, case: &Case) -> Result<Broken> {
    let (world, top) = (World::new(case), domain.top());
    if !domain.expr(&top).is_true() {
        return Ok(Some(format!("top means {}", domain.expr(&top))));
    }
    for s in world.states(domain)? {
        if !domain.leq(&s, &top)? {
            return Ok(Some(format!("not {s:?} ⊑ top")));
        }
    }
    Ok(None)
}
