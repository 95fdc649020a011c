//! How late the server itself was: its share in what a generator reports.

use hdrhistogram::Histogram;
use std::fmt;

/// Times from when a piece should have left to when it was in the hands of the kernel.
pub(crate) struct Lateness(Histogram<u64>);

impl Lateness {
    pub(crate) fn new() -> Self {
        let mut histogram = Histogram::new(3).expect("3 digits are allowed");
        histogram.auto(true);
        Self(histogram)
    }

    pub(crate) fn record(&mut self, ns: u64) {
        self.0 += ns;
    }
}

/// As JSON.
impl fmt::Display for Lateness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let us = |ns: u64| ns as f64 / 1e3;
        let at = |quantile| us(self.0.value_at_quantile(quantile));
        write!(
            f,
            r#"{{"pieces": {}, "late_p50_us": {}, "late_p99_us": {}, "late_p999_us": {}, "late_max_us": {}}}"#,
            self.0.len(),
            at(0.5),
            at(0.99),
            at(0.999),
            us(self.0.max())
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_its_quantiles_in_microseconds() {
        let mut lateness = Lateness::new();
        (1..=1000).for_each(|ns| lateness.record(ns));
        assert_eq!(
            lateness.to_string(),
            r#"{"pieces": 1000, "late_p50_us": 0.5, "late_p99_us": 0.99, "late_p999_us": 0.999, "late_max_us": 1}"#
        );
    }
}
