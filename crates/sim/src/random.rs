//! Draws from the distributions that the models need.

use rand::{Rng, RngExt};

/// Exponential, by inversion.
pub(crate) fn exponential(rng: &mut impl Rng, mean: f64) -> f64 {
    // 1 − u lies in (0, 1], so its logarithm is finite.
    -mean * (1.0 - rng.random::<f64>()).ln()
}

/// Normal around zero, by the method of Box and Muller, 1958.
pub(crate) fn normal(rng: &mut impl Rng, standard_deviation: f64) -> f64 {
    let radius = exponential(rng, 2.0).sqrt();
    standard_deviation * radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
}
