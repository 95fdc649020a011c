//! What a check measured beside what earlier ones measured on the same machine. It only warns: between days a machine moves by
//! more than what a check looks for.

use super::figures::Figure;
use crate::student::student_quantile;
use plimsoll_findings::{FigureFinding, Metric, Notice};
use plimsoll_measure::history::{HistoryDay, HistoryFigures};
use plimsoll_measure::run_directory::Gate;

/// From fewer days, what a machine does between them is a guess.
const LEAST_DAYS: usize = 5;
/// Of days that are as the earlier ones, one in a hundred is called worse.
const LEVEL: f64 = 0.01;

/// A warning for each figure that is worse than on earlier days, by more than the machine moves between days and by more than
/// the threshold; or why nothing can be said of earlier days.
pub(super) fn notices(gate: &Gate, figures: &[Figure]) -> Vec<Notice> {
    let Some(before) = &gate.before else {
        return Vec::new();
    };
    if !before.knows_machine {
        return vec![Notice::MachineUnknown];
    }
    if before.days.len() < LEAST_DAYS {
        return vec![Notice::TooLittleHistory {
            days: before.days.len() as u32,
            least: LEAST_DAYS as u32,
        }];
    }
    let findings = figures.iter().map(|figure| &figure.finding);
    let judged = findings.filter(|finding| finding.judged);
    judged
        .filter_map(|finding| worse(finding, &before.days, gate.threshold))
        .collect()
}

fn worse(finding: &FigureFinding, days: &[HistoryDay], threshold: f64) -> Option<Notice> {
    let values = days.iter().filter_map(|day| value(finding.figure, &day.figures));
    let days = Days::of(values)?;
    let lower_is_better = finding.lower_is_better;
    let bound = days.bound(lower_is_better);
    let (is_beyond, loss) = if lower_is_better {
        (finding.value > bound, finding.value / days.mean)
    } else {
        (finding.value < bound, days.mean / finding.value)
    };
    (is_beyond && loss > 1.0 + threshold).then_some(Notice::WorseThanBefore {
        figure: finding.figure,
        value: finding.value,
        usual: days.mean,
        bound,
        days: days.count,
    })
}

/// A figure over earlier days.
struct Days {
    count: u32,
    /// Geometric mean.
    mean: f64,
    /// Standard deviation of the logarithms.
    deviation: f64,
    /// How many independent values that deviation is worth, less one.
    freedom: u32,
}

impl Days {
    /// The deviation is that from one day to the next, so that a slow decline does not widen the bound that is to show it: J. von
    /// Neumann, Distribution of the ratio of the mean square successive difference to the variance, Annals of Mathematical
    /// Statistics 12, 1941, pages 367 to 395.
    fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let days: Vec<f64> = values.map(f64::ln).collect();
        if days.len() < LEAST_DAYS {
            return None;
        }
        let count = days.len() as f64;
        let steps: f64 = days.windows(2).map(|pair| (pair[1] - pair[0]).powi(2)).sum();
        Some(Self {
            count: days.len() as u32,
            mean: (days.iter().sum::<f64>() / count).exp(),
            deviation: (steps / (2.0 * (count - 1.0))).sqrt(),
            // A chi-square of as much variance.
            freedom: (2.0 * (count - 1.0).powi(2) / (3.0 * count - 4.0)) as u32,
        })
    }

    /// A further day is beyond this with a probability of [`LEVEL`]: the prediction interval of one more value.
    fn bound(&self, lower_is_better: bool) -> f64 {
        let of_mean = 1.0 / f64::from(self.count);
        let margin = student_quantile(1.0 - LEVEL, self.freedom) * self.deviation * (1.0 + of_mean).sqrt();
        self.mean * if lower_is_better { margin } else { -margin }.exp()
    }
}

fn value(figure: Metric, figures: &HistoryFigures) -> Option<f64> {
    match figure {
        Metric::CpuPerRequest => figures.cpu_us_per_request,
        Metric::ResponseTimeP50 => figures.p50_ms,
        Metric::ResponseTimeP99 => figures.p99_ms,
        Metric::Throughput => figures.throughput_per_s,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::made::seeds_with;
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// Steps of 4 %: t of two degrees of freedom at one in a hundred is 6.965.
    #[test]
    fn bound_is_that_of_one_more_day() {
        let values = [0.0, 0.04, 0.0, 0.04, 0.0_f64].map(|at| 100.0 * at.exp());
        let days = Days::of(values.into_iter()).expect("five days");
        assert_eq!((days.count, days.freedom), (5, 2));
        assert!((days.mean - 101.61).abs() < 0.01, "{}", days.mean);
        let margin = 6.965 * (0.04 * 0.5_f64.sqrt()) * 1.2_f64.sqrt();
        assert!((days.bound(true) / days.mean - margin.exp()).abs() < 1e-3);
        assert!((days.bound(false) / days.mean - (-margin).exp()).abs() < 1e-3);
        assert!(Days::of(values.into_iter().take(4)).is_none());
    }

    /// So many days of a machine that moves by 2 % between them, and by `decline` a day.
    fn machine(seed: u64, days: u32, decline: f64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut normal = || {
            let (u, v): (f64, f64) = (rng.random(), rng.random());
            (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        };
        (0..days)
            .map(|day| (0.02 * normal() + decline * f64::from(day)).exp())
            .collect()
    }

    fn is_beyond(values: &[f64]) -> bool {
        let (newest, earlier) = values.split_last().expect("days");
        *newest > Days::of(earlier.iter().copied()).expect("days enough").bound(true)
    }

    #[test]
    fn day_as_the_others_is_beyond_in_one_of_a_hundred() {
        for days in [6, 11, 31] {
            let beyond = seeds_with(2000, |seed| is_beyond(&machine(seed, days, 0.0)));
            assert!(beyond.len() <= 40, "{days} days: {}", beyond.len());
        }
    }

    #[test]
    fn slow_decline_is_beyond_within_two_months() {
        let is_seen = |seed| {
            let values = machine(seed, 61, 0.003);
            (30..=61).any(|day| is_beyond(&values[..day]))
        };
        let seen = seeds_with(200, is_seen);
        assert!(seen.len() >= 190, "{}", seen.len());
    }
}
