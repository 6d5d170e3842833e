//! Parametric representation of a constraint (M. Aagaard, R. Jones, K.-J. Seger, DAC 1999): functions of the
//! variables whose image is exactly the set of allowed assignments.
//!
//! Variables are treated in order. One may keep its own value if, after the values that those before it have got, both
//! values can be completed to an allowed assignment; else it is forced. So every result is allowed, and an allowed
//! assignment is its own image.

use crate::bdd::{Full, Func, Space};

/// For each variable that the constraint mentions, in order, its function. `None` if nothing is allowed.
pub fn parametrise(space: &Space, constraint: &Func) -> Result<Option<Vec<(u32, Func)>>, Full> {
    if space.is_no(constraint) {
        return Ok(None);
    }
    let vars = space.support(constraint);
    // What the first variables must satisfy so that the others can be completed.
    let mut shadows = vec![constraint.clone()];
    for v in vars.iter().skip(1).rev() {
        let last = &shadows[shadows.len() - 1];
        shadows.push(space.exists(last, &space.set(&[*v])?)?);
    }
    shadows.reverse();
    let mut made: Vec<(u32, Func)> = Vec::with_capacity(vars.len());
    for (v, shadow) in vars.iter().zip(&shadows) {
        let one = space.cofactor(shadow, &space.point(&[(*v, true)])?)?;
        let zero = space.cofactor(shadow, &space.point(&[(*v, false)])?)?;
        let pairs: Vec<(u32, &Func)> = made.iter().map(|(v, f)| (*v, f)).collect();
        let (one, zero) = (space.compose(&one, &pairs)?, space.compose(&zero, &pairs)?);
        // If only one value can be completed, that one.
        let own = space.or(&space.var(*v)?, &space.not(&zero))?;
        made.push((*v, space.and(&one, &own)?));
    }
    Ok(Some(made))
}
