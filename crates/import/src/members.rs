//! Parts of what clients take: `{{ user.id }}` of a `user`, `${ids_2}` of several `ids`. A plan takes each by a path of its own.

use crate::conditions;
use crate::fill::each_text;
use crate::journey::{Journeys, List, Members, Request, RoundsBy, Sequence, Take, TakeFrom};
use crate::target::each_request;
use std::collections::BTreeSet;

/// Has users take the parts that the file asks for, and nothing of which it asks for parts alone.
pub(crate) fn settle(journeys: &Journeys, sequences: &mut [Sequence]) {
    if journeys.members == Members::None {
        return;
    }
    let mut used = used(sequences);
    let mut known: BTreeSet<String> = journeys.values.keys().cloned().collect();
    known.extend(journeys.lists.iter().map(|(name, _)| name.clone()));
    known.extend(journeys.made.iter().map(|made| made.key.clone()));
    each_request(sequences, &mut |request| {
        known.extend(request.takes.iter().map(|take| take.variable.clone()));
        true
    });
    let lacking: Vec<String> = used.difference(&known).cloned().collect();
    conditions::each_rounds(sequences, &mut |rounds| {
        if let RoundsBy::Each {
            list: List::Named(name) | List::Numbered(name, _),
            ..
        } = &rounds.by
        {
            used.insert(name.clone());
        }
    });
    each_request(sequences, &mut |request| {
        give(request, &lacking, &used, journeys.members);
        true
    });
}

fn give(request: &mut Request, lacking: &[String], used: &BTreeSet<String>, members: Members) {
    for take in std::mem::take(&mut request.takes) {
        let part = |name: &String| {
            let from = part(&take, name, members)?;
            Some(Take {
                place: take.place.clone(),
                variable: name.clone(),
                from,
                all: false,
            })
        };
        let parts: Vec<Take> = lacking.iter().filter_map(part).collect();
        let is_whole = parts.is_empty() || used.contains(&take.variable);
        request.takes.extend(Some(take).filter(|_| is_whole));
        request.takes.extend(parts);
    }
}

/// Where the part of this name is, if it is one of what is taken.
fn part(take: &Take, name: &str, members: Members) -> Option<TakeFrom> {
    const EVERY: &str = "[*]";
    let rest = name.strip_prefix(take.variable.as_str())?;
    let element = |path: &str, number: &str| match path.matches(EVERY).count() {
        0 => Some(format!("{path}[{number}]")),
        1 => Some(path.replace(EVERY, &format!("[{number}]"))),
        // Which one it is of all depends on how many there are of each.
        _ => None,
    };
    match (members, &take.from) {
        (Members::Paths, TakeFrom::Json(path)) => {
            let is_path =
                rest.starts_with(['.', '[']) && rest.chars().all(|c| c.is_alphanumeric() || "_.[]'".contains(c));
            let rest = Some(rest).filter(|_| is_path)?;
            if !path.contains(EVERY) {
                return Some(TakeFrom::Json(format!("{path}{rest}")));
            }
            let (number, rest) = rest.strip_prefix('[')?.split_once(']')?;
            number.parse::<u32>().ok()?;
            Some(TakeFrom::Json(element(path, number)? + rest))
        }
        (Members::Numbers, from) if take.all => {
            let number: u32 = rest.strip_prefix('_')?.parse().ok().filter(|number| *number > 0)?;
            match from {
                TakeFrom::Json(path) => Some(TakeFrom::Json(element(path, &(number - 1).to_string())?)),
                TakeFrom::Regex(expression, group) if number == 1 => Some(TakeFrom::Regex(expression.clone(), *group)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The names of all variables in requests and conditions.
fn used(sequences: &mut [Sequence]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    each_request(sequences, &mut |request| {
        each_text(request, &mut |text| {
            used.extend(text.variables().map(str::to_owned));
            text.clone()
        });
        true
    });
    for sequence in sequences {
        conditions::each(&mut sequence.steps, &mut |condition| {
            used.extend(condition.holds.variables().into_iter().map(str::to_owned));
        });
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::left_out::Place;

    #[test]
    fn parts_have_paths_of_their_own() {
        let json = |path: &str| TakeFrom::Json(path.to_owned());
        let regex = || TakeFrom::Regex("id=(.)".to_owned(), 1);
        for (members, from, name, expected) in [
            (Members::Paths, json("$.user"), "x.id", Some(json("$.user.id"))),
            (Members::Paths, json("$.ids"), "x[0]", Some(json("$.ids[0]"))),
            (
                Members::Paths,
                json("$.items[*]"),
                "x[2].id",
                Some(json("$.items[2].id")),
            ),
            (
                Members::Paths,
                json("$.items[*].id"),
                "x[2]",
                Some(json("$.items[2].id")),
            ),
            (Members::Paths, json("$.items[*].id"), "x.length", None),
            (Members::Paths, json("$.a[*].b[*]"), "x[0]", None),
            (Members::Paths, json("$.user"), "xy.id", None),
            (Members::Paths, regex(), "x[0]", None),
            (
                Members::Numbers,
                json("$.items[*].id"),
                "x_1",
                Some(json("$.items[0].id")),
            ),
            (Members::Numbers, json("$.ids"), "x_2", Some(json("$.ids[1]"))),
            (Members::Numbers, regex(), "x_1", Some(regex())),
            (Members::Numbers, regex(), "x_2", None),
            (Members::Numbers, json("$.ids"), "x_matchNr", None),
            (Members::Numbers, json("$.ids"), "x_0", None),
        ] {
            let take = Take {
                place: Place::Line(1),
                variable: "x".to_owned(),
                from,
                all: true,
            };
            assert_eq!(part(&take, name, members), expected, "{name}");
        }
    }
}
