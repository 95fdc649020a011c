//! Whether the second variant is worse than the first by so much that a build has to stop: decided as early as the rounds
//! allow, and left undecided where the time is too short for the noise of the machine.
//!
//! Two statements are tested at each look: that nothing is worse, and that there is a loss of the threshold. The check fails
//! when the first is ruled out and the second is not, and passes when the second is ruled out. Both bounds hold over all
//! looks together, so a check may end at any of them, for whatever reason: these are the repeated confidence intervals of
//! C. Jennison and B. W. Turnbull, Interim analyses: the repeated confidence interval approach, Journal of the Royal
//! Statistical Society B 51, 1989, pages 305 to 361.

mod judge;
mod power;

pub(crate) use judge::{FALSE_ALARMS, Judge, LET_THROUGH, Role, is_due, is_suspicious};
pub(crate) use power::Noise;
#[cfg(test)]
pub(crate) use power::{fewest, least_deviations};
