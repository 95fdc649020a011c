//! The normal and Student's distribution, as far as the search needs them. The approximations are
//! those of Abramowitz and Stegun, Handbook of Mathematical Functions, 1964.

/// Probability that a standard normal value is below `z`; formula 26.2.17, error below 1e-7.
pub(super) fn normal_below(z: f64) -> f64 {
    const B: [f64; 5] = [
        0.319_381_530,
        -0.356_563_782,
        1.781_477_937,
        -1.821_255_978,
        1.330_274_429,
    ];
    let t = 1.0 / (1.0 + 0.231_641_9 * z.abs());
    let series = B.iter().rev().fold(0.0, |sum, b| (sum + b) * t);
    let tail = (-z * z / 2.0).exp() / std::f64::consts::TAU.sqrt() * series;
    if z >= 0.0 { 1.0 - tail } else { tail }
}

/// The value below which a standard normal one lies with this probability; formula 26.2.23, error
/// below 4.5e-4.
pub(super) fn normal_quantile(probability: f64) -> f64 {
    let tail = probability.min(1.0 - probability).max(1e-12);
    let t = (-2.0 * tail.ln()).sqrt();
    let z =
        t - (2.515_517 + t * (0.802_853 + t * 0.010_328)) / (1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308)));
    if probability < 0.5 { -z } else { z }
}

/// Probability that a value of Student's distribution is below `t`; formula 26.7.8.
pub(super) fn student_below(t: f64, freedom: f64) -> f64 {
    normal_below(t * (1.0 - 1.0 / (4.0 * freedom)) / (1.0 + t * t / (2.0 * freedom)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_agree_with_the_tables() {
        for (z, probability) in [(0.0, 0.5), (1.281_552, 0.9), (1.959_964, 0.975), (-2.326_348, 0.01)] {
            assert!((normal_below(z) - probability).abs() < 1e-6, "{z}");
            assert!((normal_quantile(probability) - z).abs() < 5e-4, "{probability}");
        }
        // Table 26.10: the 97.5 % points.
        for (freedom, t) in [(8.0, 2.306), (12.0, 2.179), (30.0, 2.042)] {
            assert!((student_below(t, freedom) - 0.975).abs() < 2e-3, "{freedom}");
        }
    }
}
