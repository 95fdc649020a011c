//! Figures read off measurements, and their ratio.

use super::{MeasuredPart, Parts, State, part};
use crate::language::{Bound, Effect, Figure, Value};
use plimsoll_findings::{
    FigureFinding, FigureOf, Findings, HereFinding, LoadLine, Metric, Parameter, Scaling, Unit, WhatIsHere,
};
use plimsoll_measure::run_directory::ProgramFigure;

/// A ratio, with the interval that holds it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ratio {
    what: WhatIsHere,
    unit: Unit,
    from: Option<f64>,
    to: f64,
    /// Infinite where nothing is divided by.
    pub(super) ratio: f64,
    /// The ends; without an interval the ratio itself.
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) has_interval: bool,
    steps: u32,
}

impl Ratio {
    /// Size of the effect as a share of a published one, by logarithms; `None` where one of them has none.
    pub(super) fn share_of(&self, published: f64) -> Option<f64> {
        let share = self.ratio.ln() / published.ln();
        share.is_finite().then_some(share)
    }

    pub(super) fn into_finding(self) -> HereFinding {
        let end = |value: f64| Some(value).filter(|value| self.has_interval && value.is_finite());
        HereFinding {
            from: self.from,
            to: self.to,
            ratio: Some(self.ratio).filter(|ratio| ratio.is_finite()),
            low: end(self.low),
            high: end(self.high),
            steps: self.steps,
            what: self.what,
            unit: self.unit,
        }
    }

    fn of_one_step(mut self, steps: u32) -> Self {
        let root = |value: f64| value.powf(1.0 / f64::from(steps));
        self.steps = steps;
        self.ratio = root(self.ratio);
        self.low = root(self.low);
        self.high = root(self.high);
        self
    }
}

/// The ratio that an effect is, or that of its figure to a bound; `None` when it was not measured.
pub(super) fn ratio(effect: &Effect, parts: Parts<'_>) -> Option<Ratio> {
    let bound = effect.published.as_ref().map(|published| published.bound);
    let ratio = if let Some(variant) = &effect.here.variant {
        compared(&effect.here, variant, parts)?
    } else {
        let here = seen(&effect.here, parts)?;
        match (&effect.against, bound) {
            (Some(against), _) => divided(effect, &here, &seen(against, parts)?)?,
            (None, Some(Bound::AtLeast(bound) | Bound::AtMost(bound))) => beside(effect, &here, bound),
            // Nothing to divide by and nothing to hold it against: it is shown as it is.
            (None, _) => beside(effect, &here, here.value),
        }
    };
    Some(ratio.of_one_step(effect.steps))
}

fn compared(value: &Value, variant: &str, parts: Parts<'_>) -> Option<Ratio> {
    let MeasuredPart::Compared(comparison) = usable(parts, &value.measurement)? else {
        return None;
    };
    let figure = metric(&value.figure)?;
    let found = |finding: &&FigureFinding| finding.figure == figure && finding.variant == variant;
    let finding = comparison.figures.iter().find(found)?;
    let first = comparison.variants.first().map_or("", |first| first.name.as_str());
    Some(Ratio {
        what: WhatIsHere::Compared {
            figure,
            variant: variant.to_owned(),
            first: first.to_owned(),
        },
        unit: finding.unit,
        from: Some(finding.baseline),
        to: finding.value,
        ratio: 1.0 + finding.change,
        low: 1.0 + finding.change_low,
        high: 1.0 + finding.change_high,
        has_interval: true,
        steps: 1,
    })
}

/// With two independent intervals the ratio lies between the quotients of their ends whenever both hold what they should.
fn divided(effect: &Effect, here: &Seen, against: &Seen) -> Option<Ratio> {
    let over = |a: f64, b: f64| if b > 0.0 { a / b } else { f64::INFINITY };
    if here.value <= 0.0 && against.value <= 0.0 {
        return None;
    }
    let has_interval = here.interval.is_some() && against.interval.is_some();
    let (low, high) = here.ends();
    let (against_low, against_high) = against.ends();
    Some(Ratio {
        what: what(effect),
        unit: here.unit,
        from: Some(against.value),
        to: here.value,
        ratio: over(here.value, against.value),
        low: over(low, against_high),
        high: over(high, against_low),
        has_interval,
        steps: 1,
    })
}

fn beside(effect: &Effect, here: &Seen, bound: f64) -> Ratio {
    let (low, high) = here.ends();
    let bound = if bound > 0.0 { bound } else { 1.0 };
    Ratio {
        what: what(effect),
        unit: here.unit,
        from: None,
        to: here.value,
        ratio: here.value / bound,
        low: low / bound,
        high: high / bound,
        has_interval: here.interval.is_some(),
        steps: 1,
    }
}

fn what(effect: &Effect) -> WhatIsHere {
    let figure_of = |value: &Value| FigureOf {
        figure: metric(&value.figure),
        name: match &value.figure {
            Figure::Named(name) => Some(name.clone()),
            _ => None,
        },
        measurement: value.measurement.clone(),
        size: value.size,
    };
    WhatIsHere::Read {
        figure: figure_of(&effect.here),
        against: effect.against.as_ref().map(figure_of),
    }
}

/// The metric that a study names; `None` of what a program prints.
const fn metric(figure: &Figure) -> Option<Metric> {
    Some(match figure {
        Figure::Throughput => Metric::Throughput,
        Figure::Cpu => Metric::CpuPerRequest,
        Figure::CpuShare => Metric::CpuShare,
        Figure::Mean => Metric::ResponseTimeMean,
        Figure::P50 => Metric::ResponseTimeP50,
        Figure::P99 => Metric::ResponseTimeP99,
        Figure::Max => Metric::ResponseTimeMax,
        Figure::Memory => Metric::ResidentMemory,
        Figure::BytesPerResponse => Metric::BytesPerResponse,
        Figure::Errors => Metric::Errors,
        Figure::LoadLine => Metric::LoadLine,
        Figure::Lambda => Metric::Lambda,
        Figure::Sigma => Metric::Sigma,
        Figure::Kappa => Metric::Kappa,
        Figure::Peak => Metric::PeakThroughput,
        Figure::Fit => Metric::Fit,
        Figure::Named(_) => return None,
    })
}

/// The unit that a program prints beside a figure; one that we do not know leaves a bare number.
fn unit_of_program(text: &str) -> Unit {
    match text {
        "ms" => Unit::Ms,
        "us" => Unit::Us,
        "per_s" => Unit::PerS,
        "bytes" => Unit::Bytes,
        "share" => Unit::Share,
        _ => Unit::Number,
    }
}

/// A figure and the interval that holds it.
#[derive(Debug, Clone, PartialEq)]
struct Seen {
    value: f64,
    interval: Option<(f64, f64)>,
    unit: Unit,
}

impl Seen {
    fn ends(&self) -> (f64, f64) {
        self.interval.unwrap_or((self.value, self.value))
    }
}

fn usable<'a>(parts: Parts<'a>, measurement: &str) -> Option<&'a MeasuredPart> {
    part(parts, measurement).filter(|part| part.state() == State::Usable)
}

fn seen(value: &Value, parts: Parts<'_>) -> Option<Seen> {
    let (found, interval) = match (usable(parts, &value.measurement)?, &value.figure) {
        (MeasuredPart::Printed(printed), Figure::Named(name)) => return of_program(printed.figures.get(name)?),
        (MeasuredPart::Scaled(scaling), figure) => of_scaling(scaling, figure, value.size)?,
        (MeasuredPart::Ran(findings), Figure::LoadLine) => return of_line(findings.load_line.as_ref()?),
        (MeasuredPart::Ran(findings), figure) => of_run(findings, figure)?,
        (MeasuredPart::Compared(_) | MeasuredPart::Printed(_) | MeasuredPart::Failed(_), _) => return None,
    };
    found.is_finite().then(|| Seen {
        value: found,
        interval,
        unit: metric(&value.figure).map_or(Unit::Number, Metric::unit),
    })
}

type Found = (f64, Option<(f64, f64)>);

fn of_scaling(scaling: &Scaling, figure: &Figure, size: Option<u32>) -> Option<Found> {
    let parameter = |p: Parameter| (p.value, Some((p.low, p.high.unwrap_or(f64::INFINITY))));
    let law = scaling.law.as_ref();
    let at = || scaling.points.iter().find(|point| Some(point.size) == size);
    Some(match figure {
        Figure::Lambda => parameter(law?.lambda),
        Figure::Sigma => parameter(law?.sigma),
        Figure::Kappa => parameter(law?.kappa),
        Figure::Peak => (law?.peak_per_s?, None),
        Figure::Fit => (fit(scaling)?, None),
        Figure::Throughput => (at()?.throughput_per_s, None),
        Figure::P50 => (at()?.p50_ms?, None),
        Figure::Cpu => (at()?.cpu_us_per_request?, None),
        _ => return None,
    })
}

/// R²: the share of the variance of the throughput over the sizes that the law explains.
fn fit(scaling: &Scaling) -> Option<f64> {
    let count = scaling.points.len() as f64;
    let mean = scaling.points.iter().map(|p| p.throughput_per_s).sum::<f64>() / count;
    let mut left = 0.0;
    let mut all = 0.0;
    for point in &scaling.points {
        left += (point.throughput_per_s - point.fitted_per_s?).powi(2);
        all += (point.throughput_per_s - mean).powi(2);
    }
    (all > 0.0).then(|| 1.0 - left / all)
}

/// A load line in its unit.
fn of_line(line: &LoadLine) -> Option<Seen> {
    let (value, low, high) = match line.at_a_time() {
        Some(at) => (at.line as f64, at.interval_low, at.interval_high),
        None => (line.rate_per_s, line.interval_low_per_s, line.interval_high_per_s),
    };
    value.is_finite().then(|| Seen {
        value,
        interval: Some((low, high.unwrap_or(f64::INFINITY))),
        unit: line.unit(),
    })
}

fn of_run(findings: &Findings, figure: &Figure) -> Option<Found> {
    let times = &findings.response_time;
    let some = |ms: Option<f64>| Some((ms?, None));
    let resources = findings.target_resources.as_ref();
    let totals = &findings.totals;
    let per_response = |count: u64, of: u64| (of > 0).then(|| (count as f64 / of as f64, None));
    match figure {
        Figure::Throughput => Some((totals.throughput_per_s?, None)),
        Figure::Cpu => Some((resources?.cpu_us_per_request?, None)),
        Figure::CpuShare => Some((resources?.cpu_share, None)),
        Figure::Memory => Some((resources?.rss_max_bytes as f64, None)),
        Figure::Mean => some(times.mean_ms),
        Figure::P50 => some(times.p50_ms),
        Figure::P99 => some(times.p99_ms),
        Figure::Max => some(times.max_ms),
        Figure::BytesPerResponse => per_response(totals.received_bytes, totals.completed),
        Figure::Errors => per_response(totals.errors, totals.errors.saturating_add(totals.passed)),
        _ => None,
    }
}

fn of_program(figure: &ProgramFigure) -> Option<Seen> {
    let mut values: Vec<f64> = figure.values.iter().copied().filter(|v| v.is_finite()).collect();
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    let value = if values.len().is_multiple_of(2) {
        let low = values.get(half.checked_sub(1)?)?;
        f64::midpoint(*low, values[half])
    } else {
        values[half]
    };
    Some(Seen {
        value,
        interval: of_median(&values),
        unit: unit_of_program(&figure.unit),
    })
}

/// The interval between two of the values, as many from each end, that holds the median with at least 95 %, whatever the
/// distribution is; `None` for fewer than six. W. J. Conover, Practical Nonparametric Statistics, 1999, section 3.2.
fn of_median(sorted: &[f64]) -> Option<(f64, f64)> {
    let n = sorted.len() as i32;
    let mut outside = 0.0;
    let mut chance = 0.5_f64.powi(n);
    let mut taken = None;
    for from_end in 0..n / 2 {
        outside += 2.0 * chance;
        if outside > 0.05 {
            break;
        }
        taken = Some(from_end as usize);
        chance *= f64::from(n - from_end) / f64::from(from_end + 1);
    }
    let at = taken?;
    Some((sorted[at], sorted[sorted.len() - 1 - at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_a_median() {
        let ascending = |n: u32| (1..=n).map(f64::from).collect::<Vec<_>>();
        // Tables give these ranks for 95 %: Conover, table A3.
        for (n, expected) in [
            (5, None),
            (6, Some((1.0, 6.0))),
            (9, Some((2.0, 8.0))),
            (20, Some((6.0, 15.0))),
        ] {
            assert_eq!(of_median(&ascending(n)), expected, "{n} values");
        }
    }

    #[test]
    fn a_program_is_read_by_its_median() {
        let figure = |values: &[f64]| ProgramFigure {
            unit: "ms".to_owned(),
            values: values.to_vec(),
        };
        assert_eq!(of_program(&figure(&[])), None);
        assert_eq!(of_program(&figure(&[3.0, 1.0])).expect("seen").value, 2.0);
        assert_eq!(of_program(&figure(&[9.0, 1.0, 2.0])).expect("seen").value, 2.0);
    }
}
