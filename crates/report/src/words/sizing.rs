//! How many instances a demand needs, in words. It is predicted, and each of these texts says so or stands under one that does.

use crate::figures::{self, rate_of, share};
use plimsoll_findings::{
    Findings, Instances, PriceFinding, SizingAssumption, SizingFinding, SizingPrediction, Unsized,
};

/// What the section is called.
pub(crate) const SIZING: &str = "Sizing";

/// What the two columns of figures are of.
pub(crate) const SIZING_HEADS: [&str; 2] = ["for the demand", "with one spare"];

/// The prediction in one sentence without its end, or why there is none.
pub(crate) fn sizing(of: &SizingFinding) -> String {
    let [first, rest] = sizing_parts(of);
    let between = if of.predicted.is_some() { ", " } else { ": " };
    [first, rest].join(between)
}

/// The same in two parts: the instances for the demand, and the rest.
pub(crate) fn sizing_parts(of: &SizingFinding) -> [String; 2] {
    let demand = rate_of(of.users, of.demand_per_s);
    match (&of.predicted, of.unsized_because) {
        (Some(predicted), _) => [
            format!("{} for {demand}", instances(&predicted.needed, predicted.at_most)),
            format!(
                "{} ({}) with one spare; predicted",
                number(&predicted.with_spare, predicted.at_most),
                range(&predicted.with_spare)
            ),
        ],
        (None, because) => [
            format!("not predicted for {demand}"),
            unsized_because(because.unwrap_or(Unsized::NoLine)).to_owned(),
        ],
    }
}

/// What was asked, with what is predicted; `None` where nothing is.
pub(crate) fn sized(findings: &Findings) -> Option<(&SizingFinding, &SizingPrediction)> {
    let sizing = findings.sizing.as_ref()?;
    Some((sizing, sizing.predicted.as_ref()?))
}

/// What it is predicted from.
pub(crate) fn sized_by(of: &SizingFinding, predicted: &SizingPrediction) -> String {
    let line = if predicted.at_most {
        "a load line of which only the least is known"
    } else {
        "the load line"
    };
    format!(
        "predicted from {line}, not measured: for {}, with {} of the line kept free, so that an instance is given {} at most",
        rate_of(of.users, of.demand_per_s),
        share(of.headroom_share),
        rate_of(of.users, predicted.usable_per_s)
    )
}

/// What must hold for it, and how far its intervals go.
pub(crate) fn sizing_assumes(predicted: &SizingPrediction) -> String {
    format!(
        "assumes that {}; intervals are those of the line, with {} confidence",
        sizing_assumption(predicted.assumption),
        share(predicted.confidence)
    )
}

pub(crate) const fn sizing_assumption(of: SizingAssumption) -> &'static str {
    match of {
        SizingAssumption::Independent => {
            "instances share nothing that runs out first, such as a database, and load is spread evenly"
        }
    }
}

/// Why no number of instances is predicted.
pub(crate) const fn unsized_because(of: Unsized) -> &'static str {
    match of {
        Unsized::NoLine => "no load line was found",
        Unsized::Unjudged => "not every objective was judged at the load line",
        Unsized::Failed => "the run failed",
    }
}

/// What is predicted, a line each: its name, and a figure for each of [`SIZING_HEADS`].
pub(crate) fn sizing_rows(of: &SizingFinding, predicted: &SizingPrediction) -> Vec<(&'static str, [String; 2])> {
    let both = [&predicted.needed, &predicted.with_spare];
    let mut rows = vec![
        ("instances", both.map(|these| number(these, predicted.at_most))),
        ("interval", both.map(range)),
        (
            "each runs at",
            both.map(|these| rate_of(of.users, these.each.rate_per_s)),
        ),
        ("share of the line", both.map(|these| share(these.each.line_share))),
        (
            "when one is lost",
            both.map(|these| {
                let left = these.one_lost.map(|load| rate_of(of.users, load.rate_per_s));
                left.unwrap_or_else(|| "none is left".to_owned())
            }),
        ),
        (
            "share then",
            both.map(|these| figures::known(these.one_lost, |load| share(load.line_share))),
        ),
    ];
    let [needed, spare] = both.map(|these| these.cost);
    if let (Some(price), Some(needed), Some(spare)) = (&of.price, needed, spare) {
        let costs = [
            ("cost per hour", [needed.per_hour, spare.per_hour]),
            ("cost per month", [needed.per_month, spare.per_month]),
            (
                "cost per 1M requests",
                [needed.per_million_requests, spare.per_million_requests],
            ),
        ];
        let bound = |amount| bounded(priced(price, amount), predicted.at_most);
        rows.extend(costs.map(|(name, amounts)| (name, amounts.map(bound))));
    }
    rows
}

/// How many instances: `9`, or `at most 9`.
fn number(of: &Instances, at_most: bool) -> String {
    bounded(figures::count(of.instances), at_most)
}

fn bounded(number: String, at_most: bool) -> String {
    match at_most {
        true => format!("at most {number}"),
        false => number,
    }
}

/// From where to where the interval of the line makes them go: `9 to 10`, or `10 or fewer`.
fn range(of: &Instances) -> String {
    let count = figures::count;
    match (of.instances_low, of.instances_high) {
        (Some(low), Some(high)) if low == high => count(low),
        (Some(low), Some(high)) => format!("{} to {}", count(low), count(high)),
        (Some(low), None) => format!("{} or more", count(low)),
        (None, Some(high)) => format!("{} or fewer", count(high)),
        (None, None) => "not known".to_owned(),
    }
}

/// Both: `9 instances (9 to 10)`.
pub(crate) fn instances(of: &Instances, at_most: bool) -> String {
    let number = bounded(figures::counted(of.instances, "instance"), at_most);
    format!("{number} ({})", range(of))
}

/// An amount with its unit where the price has it.
fn priced(price: &PriceFinding, amount: f64) -> String {
    format!("{}{}{}", price.before, figures::amount(amount), price.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_findings::{InstanceLoad, InstancesCost};

    #[test]
    fn numbers_carry_the_interval_of_the_line() {
        let said = |low, number, high, at_most| {
            let each = InstanceLoad {
                rate_per_s: 1.0,
                line_share: 0.5,
            };
            let these = Instances {
                instances: number,
                instances_low: low,
                instances_high: high,
                each,
                one_lost: None,
                cost: None,
            };
            instances(&these, at_most)
        };
        assert_eq!(said(Some(11), 12, Some(13), false), "12 instances (11 to 13)");
        assert_eq!(said(Some(12), 12, Some(12), false), "12 instances (12)");
        assert_eq!(said(Some(1), 1, None, false), "1 instance (1 or more)");
        assert_eq!(said(None, 12, Some(13), false), "12 instances (13 or fewer)");
        assert_eq!(said(None, 12, Some(13), true), "at most 12 instances (13 or fewer)");
        assert_eq!(said(None, 1, None, true), "at most 1 instance (not known)");
    }

    /// Fewer instances than the most cost less than they do.
    #[test]
    fn costs_of_a_bound_are_a_bound() {
        let priced = |at_most| {
            let load = InstanceLoad {
                rate_per_s: 100.0,
                line_share: 0.5,
            };
            let these = Instances {
                instances: 3,
                instances_low: None,
                instances_high: Some(3),
                each: load,
                one_lost: None,
                cost: Some(InstancesCost {
                    per_hour: 0.36,
                    per_month: 262.8,
                    per_million_requests: 0.5,
                }),
            };
            let predicted = SizingPrediction {
                usable_per_s: 140.0,
                at_most,
                confidence: 0.95,
                needed: these.clone(),
                with_spare: these,
                assumption: SizingAssumption::Independent,
            };
            let of = SizingFinding {
                users: false,
                demand_per_s: 300.0,
                headroom_share: 0.3,
                price: Some(PriceFinding {
                    per_hour: 0.12,
                    before: "$".to_owned(),
                    after: String::new(),
                }),
                predicted: None,
                unsized_because: None,
            };
            let rows = sizing_rows(&of, &predicted);
            let costs = rows.into_iter().filter(|(name, _)| name.starts_with("cost"));
            costs.map(|(_, [needed, _])| needed).collect::<Vec<_>>()
        };
        assert_eq!(priced(false), ["$0.36", "$262.80", "$0.5"]);
        assert_eq!(priced(true), ["at most $0.36", "at most $262.80", "at most $0.5"]);
    }
}
