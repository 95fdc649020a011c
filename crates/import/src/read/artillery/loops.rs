//! Loops of flows: so many times, or over a list.

use crate::journey::{List, Rounds, RoundsBy};
use crate::left_out::Place;
use crate::read::json::scalar;
use serde_json::Value;

/// Rounds of a plan.
const MOST_ROUNDS: u32 = 10_000;

/// The rounds of a loop; or why a plan has it once.
pub(super) fn rounds(place: &Place, step: &Value) -> Result<Rounds, &'static str> {
    let named = |key: &str, usual: &str| step[key].as_str().unwrap_or(usual).to_owned();
    let (from, by) = match step.get("over") {
        Some(over) => {
            let by = RoundsBy::Each {
                variable: named("loopElement", "$loopElement"),
                list: list(over).ok_or("it is over what plans have no list of; the plan has it once")?,
                most: None,
            };
            (0, by)
        }
        None => {
            let (from, times) = numbers(&step["count"])
                .filter(|(_, times)| (1..=MOST_ROUNDS).contains(times))
                .ok_or("how often it is done is not a number; the plan has it once")?;
            (from, RoundsBy::Times(times))
        }
    };
    Ok(Rounds {
        place: place.clone(),
        what: "a loop".to_owned(),
        by,
        count: Some((named("loopValue", "$loopCount"), from)),
    })
}

/// The name of a list, or plain values.
fn list(over: &Value) -> Option<List> {
    match over {
        Value::String(name) => Some(List::Named(name.clone())),
        Value::Array(values) if !values.is_empty() => {
            values.iter().map(scalar).collect::<Option<_>>().map(List::Values)
        }
        _ => None,
    }
}

/// `5`, or `5-10`, which is without the last: the first number, and how many there are.
fn numbers(count: &Value) -> Option<(u64, u32)> {
    let text = scalar(count)?;
    let (from, to) = text.split_once('-').unwrap_or(("0", &text));
    let (from, to): (u64, u64) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    Some((from, u32::try_from(to.checked_sub(from)?).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn loops_count_up_to_their_last_number() {
        for (count, expected) in [
            (json!(5), Some((0, 5))),
            (json!("5"), Some((0, 5))),
            (json!("3-10"), Some((3, 7))),
            (json!("10-3"), None),
            (json!("{{ times }}"), None),
            (json!(-1), None),
            (Value::Null, None),
        ] {
            assert_eq!(numbers(&count), expected, "{count}");
        }
    }
}
