//! Words for objectives, metrics and units, and figures in their units.

use crate::figures;
use plimsoll_findings::{Condition, Crowd, Metric, ObjectiveFinding, Quantity, ShareInterval, Unit};

/// As a plan writes it: `p99 <= 100ms`, `p99(read a profile) <= 20ms`, `errors = 0`.
pub(crate) fn objective(of: &Condition) -> String {
    let about = of.request.as_ref().map(|request| format!("({request})"));
    let zone = of.zone.as_ref().map(|zone| format!("zone {zone} "));
    let subject = format!(
        "{}{}{}",
        zone.unwrap_or_default(),
        subject(of),
        about.unwrap_or_default()
    );
    let bound = match of.unit {
        Unit::Ms => format!("{}ms", of.bound),
        Unit::Share => format!("{}%", percent(of.bound)),
        Unit::Bytes => figures::exact_bytes(of.bound as u64),
        Unit::Us | Unit::PerS | Unit::UsersPerS | Unit::Users | Unit::Connections | Unit::Number => {
            in_unit(of.bound, of.unit)
        }
    };
    match of.quantity {
        Quantity::Errors | Quantity::JourneyFailed if of.bound == 0.0 => format!("{subject} = 0"),
        Quantity::AchievedRate | Quantity::Held => format!("{subject} >= {bound}"),
        Quantity::Cpu
        | Quantity::ResponseTime
        | Quantity::HandshakeTime
        | Quantity::OpeningTime
        | Quantity::JourneyTime
        | Quantity::JourneyFailed
        | Quantity::MessageTime
        | Quantity::LoopDelay
        | Quantity::Memory
        | Quantity::Throttled
        | Quantity::Errors => {
            format!("{subject} <= {bound}")
        }
    }
}

fn subject(of: &Condition) -> String {
    match of.quantity {
        Quantity::Cpu => "cpu".to_owned(),
        Quantity::Errors => "errors".to_owned(),
        Quantity::AchievedRate => "rate".to_owned(),
        Quantity::ResponseTime => quantile(of.quantile),
        Quantity::HandshakeTime => format!("handshake {}", quantile(of.quantile)),
        Quantity::OpeningTime => format!("opening {}", quantile(of.quantile)),
        Quantity::JourneyTime => format!("journey {}", quantile(of.quantile)),
        Quantity::JourneyFailed => "journey failed".to_owned(),
        Quantity::MessageTime => format!("message {}", quantile(of.quantile)),
        Quantity::Held => "held".to_owned(),
        Quantity::LoopDelay => format!("loop delay {}", quantile(of.quantile)),
        Quantity::Memory => "memory".to_owned(),
        Quantity::Throttled => "throttled".to_owned(),
    }
}

fn quantile(quantile: Option<f64>) -> String {
    match quantile {
        Some(quantile) if quantile < 1.0 => format!("p{}", percent(quantile)),
        _ => "max".to_owned(),
    }
}

/// A share of 1 in per cent, exactly: plans have no more than a few digits.
fn percent(share: f64) -> f64 {
    (share * 1e11).round() / 1e9
}

/// What is compared.
pub(crate) fn metric(metric: Metric) -> &'static str {
    match metric {
        Metric::Throughput => "throughput",
        Metric::LoadLine => "load line",
        Metric::CpuPerRequest => "CPU per request",
        Metric::CpuShare => "CPU share",
        Metric::ResponseTimeMean => "mean response time",
        Metric::ResponseTimeP50 => "response time p50",
        Metric::ResponseTimeP90 => "response time p90",
        Metric::ResponseTimeP99 => "response time p99",
        Metric::ResponseTimeP999 => "response time p99.9",
        Metric::ResponseTimeMax => "longest response time",
        Metric::Errors => "errors",
        Metric::ResidentMemory => "resident memory",
        Metric::BytesPerResponse => "bytes per response",
        Metric::Lambda => "throughput of one (λ)",
        Metric::Sigma => "contention (σ)",
        Metric::Kappa => "coherency (κ)",
        Metric::PeakThroughput => "peak throughput",
        Metric::Fit => "R² of the law",
    }
}

/// A figure in its unit.
pub(crate) fn in_unit(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Us => figures::duration_us(value),
        Unit::Ms => figures::duration_ms(value),
        Unit::Bytes => figures::bytes(value as u64),
        Unit::Share => figures::share(value),
        Unit::PerS => figures::rate(value),
        Unit::UsersPerS => figures::users(value),
        Unit::Users => figures::at_a_time(Crowd::Users, value),
        Unit::Connections => figures::at_a_time(Crowd::Connections, value),
        Unit::Number => figures::small(value),
    }
}

/// Observed figure, worst window and passing windows, in the order of [`OBJECTIVE_HEADS`].
pub(crate) fn objective_figures(objective: &ObjectiveFinding) -> [String; 3] {
    let figure = |value: Option<f64>| figures::or_dash(value.map(|v| in_unit(v, objective.objective.unit)));
    let observed = match objective.interval {
        None => figure(objective.observed),
        Some(ShareInterval { low, high }) => {
            format!(
                "{} ({} to {})",
                figure(objective.observed),
                figures::share(low),
                figures::share(high)
            )
        }
    };
    [
        observed,
        figure(objective.worst),
        figures::known(Some(objective).filter(|o| o.windows_judged > 0), windows),
    ]
}

pub(super) fn windows(objective: &ObjectiveFinding) -> String {
    let (passed, judged) = (objective.windows_passed.into(), objective.windows_judged.into());
    format!("{} of {}", figures::count(passed), figures::count(judged))
}

pub(crate) const OBJECTIVE_HEADS: [&str; 3] = ["observed", "worst window", "windows passed"];

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_analysis::condition;
    use plimsoll_plan::Objective;

    #[test]
    fn objectives_read_as_in_the_plan() {
        for text in [
            "cpu <= 80%",
            "cpu <= 72.5%",
            "p99 <= 100ms",
            "p99.9 <= 0.25ms",
            "p50 <= 1.234567ms",
            "max <= 2000ms",
            "errors = 0",
            "errors <= 0.1%",
            "rate >= 99%",
            "handshake p99 <= 20ms",
            "handshake max <= 1000ms",
            "journey p99 <= 2000ms",
            "journey p50(play) <= 700ms",
            "journey failed = 0",
            "journey failed(play) <= 1.5%",
            "message p99 <= 200ms",
            "held >= 99.5%",
            "loop delay p99 <= 50ms",
            "memory <= 400MiB",
            "memory <= 1500MB",
            "throttled <= 5%",
            "zone eu-west p99 <= 100ms",
            "zone eu-west errors = 0",
        ] {
            let planned: Objective = text.parse().expect("an objective");
            assert_eq!(objective(&condition(&planned)), planned.to_string());
        }
    }

    #[test]
    fn an_objective_of_a_request_names_it() {
        let planned: Objective = "p99 <= 20ms".parse().expect("an objective");
        let of = Condition {
            request: Some("read a profile".to_owned()),
            ..condition(&planned)
        };
        assert_eq!(objective(&of), "p99(read a profile) <= 20ms");
    }
}
