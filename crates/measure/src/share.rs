//! What a share of some tells of the share of all.

/// 95 % of a normal distribution are within so many standard deviations.
const STANDARD_95: f64 = 1.96;

/// What a share of so many samples or cases tells of the share of all: the interval of E. B. Wilson, "Probable inference, the law of
/// succession, and statistical inference", Journal of the American Statistical Association 22 (1927), at 95 %.
#[must_use]
pub fn share_interval(share: f64, samples: f64) -> (f64, f64) {
    if samples < 1.0 {
        return (0.0, 1.0);
    }
    let squared = STANDARD_95 * STANDARD_95;
    let middle = share + squared / (2.0 * samples);
    let half = STANDARD_95 * (share * (1.0 - share) / samples + squared / (4.0 * samples * samples)).sqrt();
    let whole = 1.0 + squared / samples;
    (((middle - half) / whole).max(0.0), ((middle + half) / whole).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At both ends of the interval, what was seen is so many standard deviations off what is expected.
    #[test]
    fn intervals_are_those_of_wilson() {
        for (hits, samples) in [(6.0, 100.0), (1.0, 10.0), (50.0, 100.0), (400.0, 5000.0)] {
            let share: f64 = hits / samples;
            let (low, high) = share_interval(share, samples);
            assert!(low < share && share < high, "{low} {share} {high}");
            for end in [low, high] {
                let off = (share - end).abs() / (end * (1.0 - end) / samples).sqrt();
                assert!((off - STANDARD_95).abs() < 1e-9, "{off}");
            }
        }
        assert_eq!(share_interval(0.5, 0.0), (0.0, 1.0));
    }
}
