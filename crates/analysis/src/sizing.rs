//! How many instances a demand needs, by the load line of one.
//!
//! An instance may carry the line less the headroom, and each carries the same. The number is the least that keeps to this, so it is
//! computed in whole numbers: no rounding gives an instance too few.

use plimsoll_findings::{
    Findings, Headline, InstanceLoad, Instances, InstancesCost, LoadLine, PriceFinding, SizingAssumption,
    SizingFinding, SizingPrediction, Unsized,
};
use plimsoll_measure::RunKind;
use plimsoll_plan::{Price, Rate, Share, Sizing};

/// Hours of a month, a twelfth of a year.
const MONTH_H: u64 = 730;
const HOUR_S: f64 = 3_600.0;
/// Shares are counted in billionths.
const WHOLE: u128 = 1_000_000_000;

/// What comes of what is asked about a search with these findings; `None` where nothing is asked.
pub(crate) fn finding(asked: &Sizing, findings: &Findings) -> Option<SizingFinding> {
    let demand = asked.demand.filter(|_| findings.command == RunKind::Capacity)?;
    let predicted = line_of(findings).and_then(|line| predict(demand, asked, line).ok_or(Unsized::NoLine));
    Some(SizingFinding {
        users: findings
            .load_line
            .as_ref()
            .map_or(!findings.journeys.is_empty(), |line| line.users),
        demand_per_s: demand.as_f64_per_s(),
        headroom_share: asked.headroom.value(),
        price: asked.price.as_ref().map(|price| PriceFinding {
            per_hour: price.times(1),
            before: price.before().to_owned(),
            after: price.after().to_owned(),
        }),
        unsized_because: predicted.as_ref().err().copied(),
        predicted: predicted.ok(),
    })
}

/// The line that the run says to plan for.
fn line_of(findings: &Findings) -> Result<&LoadLine, Unsized> {
    match (&findings.headline, &findings.load_line) {
        (Headline::LoadLine { unjudged: None, .. }, Some(line)) => Ok(line),
        (Headline::LoadLine { .. }, _) => Err(Unsized::Unjudged),
        (_, Some(_)) => Err(Unsized::Failed),
        (_, None) => Err(Unsized::NoLine),
    }
}

fn predict(demand: Rate, asked: &Sizing, line: &LoadLine) -> Option<SizingPrediction> {
    let needed = |line_per_s: f64| instances(demand, Rate::from_f64_per_s(line_per_s), asked.headroom);
    let by_line = needed(line.rate_per_s)?;
    let bounds = [
        line.interval_high_per_s.and_then(needed),
        needed(line.interval_low_per_s),
    ];
    let with = |spare: u64| {
        let number = by_line.saturating_add(spare);
        let load = |number: u64| {
            let rate_per_s = demand.as_f64_per_s() / number as f64;
            InstanceLoad {
                rate_per_s,
                line_share: rate_per_s / line.rate_per_s,
            }
        };
        let [low, high] = bounds.map(|bound| bound.map(|number| number.saturating_add(spare)));
        Instances {
            instances: number,
            instances_low: low,
            instances_high: high,
            each: load(number),
            one_lost: (number > 1).then(|| load(number - 1)),
            cost: asked.price.as_ref().map(|price| cost(number, price, demand)),
        }
    };
    Some(SizingPrediction {
        usable_per_s: line.rate_per_s * (1.0 - asked.headroom.value()),
        at_most: !line.has_failed(),
        confidence: line.confidence,
        needed: with(0),
        with_spare: with(1),
        assumption: SizingAssumption::Independent,
    })
}

/// The least number of instances that carry `demand` when each carries its line less the headroom; `None` where that is nothing.
fn instances(demand: Rate, line: Rate, headroom: Share) -> Option<u64> {
    let used = WHOLE.saturating_sub((headroom.value() * WHOLE as f64).round() as u128);
    let usable = u128::from(line.micro_per_s()) * used;
    let wanted = u128::from(demand.micro_per_s()) * WHOLE;
    let number = (usable > 0).then(|| wanted.div_ceil(usable))?;
    u64::try_from(number).ok()
}

fn cost(number: u64, price: &Price, demand: Rate) -> InstancesCost {
    let per_hour = price.times(number);
    InstancesCost {
        per_hour,
        per_month: price.times(number.saturating_mul(MONTH_H)),
        per_million_requests: per_hour * 1e6 / (demand.as_f64_per_s() * HOUR_S),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_findings::EndedBecause;
    use plimsoll_plan::{parse_price, parse_rate, parse_share};
    use proptest::prelude::*;

    fn of(demand: &str, line: &str, headroom: &str) -> Option<u64> {
        let rate = |text| parse_rate(text).expect("a rate");
        instances(rate(demand), rate(line), parse_share(headroom).expect("a share"))
    }

    #[test]
    fn instances_are_the_least_that_carry_the_demand() {
        for (demand, line, headroom, expected) in [
            ("30000/s", "4860/s", "30%", Some(9)),
            ("30000/s", "4860/s", "0%", Some(7)),
            // Exactly full, and a millionth of a request more.
            ("7000/s", "1000/s", "30%", Some(10)),
            ("7000.000001/s", "1000/s", "30%", Some(11)),
            ("100/s", "1000/s", "90%", Some(1)),
            ("300/s", "1000/s", "70%", Some(1)),
            ("600/s", "1000/s", "40%", Some(1)),
            ("930/s", "1000/s", "7%", Some(1)),
            // Less than one carries.
            ("1/h", "10M/s", "0%", Some(1)),
            ("60/min", "1/s", "0%", Some(1)),
            ("3600/h", "1/s", "50%", Some(2)),
            ("10M/s", "0.000001/s", "99%", Some(1_000_000_000_000_000)),
            ("1/s", "0/s", "30%", None),
        ] {
            assert_eq!(
                of(demand, line, headroom),
                expected,
                "{demand} by {line} less {headroom}"
            );
        }
    }

    fn line(failed_per_s: Option<f64>, interval: (f64, Option<f64>)) -> LoadLine {
        LoadLine {
            users: false,
            concurrent: None,
            held: None,
            rate_per_s: 1000.0,
            failed_per_s,
            interval_low_per_s: interval.0,
            interval_high_per_s: interval.1,
            confidence: 0.95,
            bracket_share: None,
            converged: true,
            broke: None,
            ended_because: EndedBecause::Converged,
            cpu_us_per_request: None,
        }
    }

    fn predicted(demand: &str, price: Option<&str>, line: &LoadLine) -> SizingPrediction {
        let demand = parse_rate(demand).expect("a rate");
        let asked = Sizing {
            demand: Some(demand),
            headroom: Share::percent(20),
            price: price.map(|price| parse_price(price).expect("a price")),
        };
        predict(demand, &asked, line).expect("a prediction")
    }

    #[test]
    fn a_line_with_an_interval_gives_instances_with_an_interval() {
        let found = predicted("8000/s", Some("$0.12/h"), &line(Some(1040.0), (900.0, Some(1100.0))));
        let bounds = |of: &Instances| (of.instances_low, of.instances, of.instances_high);
        assert_eq!(bounds(&found.needed), (Some(10), 10, Some(12)));
        assert_eq!(bounds(&found.with_spare), (Some(11), 11, Some(13)));
        assert!(!found.at_most);
        let share = |load: InstanceLoad| (load.rate_per_s, load.line_share);
        assert_eq!(share(found.needed.each), (800.0, 0.8));
        assert_eq!(found.with_spare.one_lost.map(share), Some((800.0, 0.8)));
        let cost = found.needed.cost.expect("a price");
        assert_eq!((cost.per_hour, cost.per_month), (1.2, 876.0));
        assert!((cost.per_million_requests - 1.2 / 28.8).abs() < 1e-12, "{cost:?}");
    }

    #[test]
    fn a_line_that_nothing_broke_gives_a_most() {
        let found = predicted("8000/s", None, &line(None, (900.0, None)));
        assert!(found.at_most);
        assert_eq!(
            (found.needed.instances_low, found.needed.instances_high),
            (None, Some(12))
        );
        assert_eq!(found.needed.cost, None);
    }

    #[test]
    fn a_demand_below_one_instance_takes_one_and_two_with_a_spare() {
        let found = predicted("5/s", None, &line(Some(1040.0), (0.0, Some(1100.0))));
        assert_eq!((found.needed.instances, found.with_spare.instances), (1, 2));
        assert_eq!(found.needed.one_lost, None);
        assert_eq!(found.with_spare.one_lost.map(|load| load.rate_per_s), Some(5.0));
        // The lower end carries nothing.
        assert_eq!(found.needed.instances_high, None);
    }

    fn rates() -> impl Strategy<Value = Rate> {
        (1_u64..=Rate::MAX.micro_per_s()).prop_map(Rate::from_micro_per_s)
    }

    /// Billionths, as whole per mille: exact.
    fn shares() -> impl Strategy<Value = (u128, Share)> {
        (0_u32..=990).prop_map(|per_mille| {
            let share = Share::new(f64::from(per_mille) / 1000.0).expect("a share");
            (u128::from(1000 - per_mille), share)
        })
    }

    proptest! {
        #[test]
        fn instances_carry_the_demand_and_one_fewer_does_not(demand in rates(), line in rates(), (used, headroom) in shares()) {
            let number = u128::from(instances(demand, line, headroom).expect("a line above zero"));
            let carried = |number: u128| number * u128::from(line.micro_per_s()) * used;
            let wanted = u128::from(demand.micro_per_s()) * 1000;
            prop_assert!(carried(number) >= wanted);
            prop_assert!(carried(number - 1) < wanted);
        }

        #[test]
        fn instances_grow_with_demand_and_headroom_and_fall_with_the_line(
            (demand, more) in (rates(), rates()),
            (line, higher) in (rates(), rates()),
            (a, b) in (shares(), shares()),
        ) {
            let number = |demand, line, headroom| instances(demand, line, headroom).expect("a line above zero");
            let (less, more) = (demand.min(more), demand.max(more));
            prop_assert!(number(less, line, a.1) <= number(more, line, a.1));
            let (low, high) = if a.1 <= b.1 { (a.1, b.1) } else { (b.1, a.1) };
            prop_assert!(number(demand, line, low) <= number(demand, line, high));
            let (lower, higher) = (line.min(higher), line.max(higher));
            prop_assert!(number(demand, lower, a.1) >= number(demand, higher, a.1));
        }
    }
}
