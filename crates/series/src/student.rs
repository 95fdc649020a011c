//! Student's distribution for whole degrees of freedom, where it has closed forms: formulas 26.7.3 and 26.7.4 of
//! Abramowitz and Stegun, Handbook of Mathematical Functions, 1964.

use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The value below which one of Student's distribution lies with `probability`, which is above one half.
pub(crate) fn student_quantile(probability: f64, freedom: u32) -> f64 {
    let inside = 2.0 * probability - 1.0;
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    // Each turn halves the angle that holds it; a double has 53 bits.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if within(middle, freedom) < inside {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::from(freedom).sqrt() * low.tan()
}

/// Probability that |t| is at most √freedom · tan(angle).
fn within(angle: f64, freedom: u32) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let odd = freedom % 2 == 1;
    if freedom == 1 {
        return FRAC_2_PI * angle;
    }
    let mut term = if odd { cos } else { 1.0 };
    let mut sum = term;
    let mut k = if odd { 3 } else { 2 };
    while k < freedom {
        term *= f64::from(k - 1) / f64::from(k) * cos * cos;
        sum += term;
        k += 2;
    }
    if odd {
        FRAC_2_PI * (angle + sin * sum)
    } else {
        sin * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_agrees_with_the_table() {
        // Abramowitz and Stegun, table 26.10: points with 2.5 %, 0.5 % and 0.05 % above them.
        for (freedom, points) in [
            (1, [12.706, 63.657, 636.619]),
            (2, [4.303, 9.925, 31.598]),
            (3, [3.182, 5.841, 12.924]),
            (4, [2.776, 4.604, 8.610]),
            (7, [2.365, 3.499, 5.408]),
            (8, [2.306, 3.355, 5.041]),
            (18, [2.101, 2.878, 3.922]),
            (30, [2.042, 2.750, 3.646]),
        ] {
            for (probability, point) in [0.975, 0.995, 0.9995].into_iter().zip(points) {
                let found = student_quantile(probability, freedom);
                assert!(
                    (found - point).abs() < 2e-3 * point / 4.0,
                    "{freedom} {probability}: {found}"
                );
            }
        }
    }
}
