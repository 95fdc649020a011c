//! Causes that the profile shows as time of a line and no function: expressions that are made, stacks that are captured and
//! written out, formatters where nobody counted them.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::cost::{OTHER_PLACES_MAX, SHARE_MIN};
use crate::schemas::prepares;
use plimsoll_findings::{Cause, CauseKind, Place, What};
use plimsoll_measure::Makes;

/// What making something is called as a cause.
pub(crate) const fn kind_of(makes: Makes) -> CauseKind {
    match makes {
        Makes::Expression | Makes::ExpressionUse | Makes::Formatter | Makes::FormatterUse => {
            CauseKind::ConstructedPerRequest
        }
        Makes::Stack => CauseKind::ErrorStack,
    }
}

/// Time of one sort below one line of the service.
struct Line {
    place: Option<Place>,
    via: Option<String>,
    us: u64,
}

pub(crate) fn causes(case: &Case<'_>, costs: &[Cost]) -> Vec<Cause> {
    let mut causes = of_lines(case, costs, CauseKind::ErrorStack, "the stack of an error", |work| {
        matches!(work, Work::Made(Makes::Stack) | Work::Known(CauseKind::ErrorStack))
    });
    causes.extend(of_lines(
        case,
        costs,
        CauseKind::ConstructedPerRequest,
        "new RegExp",
        |work| matches!(work, Work::Made(Makes::Expression | Makes::ExpressionUse)),
    ));
    causes.extend(of_lines(
        case,
        costs,
        CauseKind::ConstructedPerRequest,
        "a schema of zod",
        |work| *work == Work::Known(CauseKind::ConstructedPerRequest),
    ));
    // Formatters are counted call by call where anything is.
    if case.counted.is_none() {
        causes.extend(of_lines(
            case,
            costs,
            CauseKind::ConstructedPerRequest,
            "a formatter of Intl",
            |work| matches!(work, Work::Made(Makes::Formatter | Makes::FormatterUse)),
        ));
    }
    causes
}

/// What is used for the first time was made on a line of the same file.
fn made_at(case: &Case<'_>, costs: &[Cost], used: &Cost) -> Option<Place> {
    let makes = match used.work {
        Work::Made(Makes::ExpressionUse) => Work::Made(Makes::Expression),
        Work::Made(Makes::FormatterUse) => Work::Made(Makes::Formatter),
        Work::Known(CauseKind::ConstructedPerRequest) if prepares(&used.detail.function) => used.work.clone(),
        _ => return None,
    };
    let file = &used.owner.as_ref()?.file;
    let made = costs
        .iter()
        .filter(|cost| cost.work == makes && !prepares(&cost.detail.function));
    let owned = made.filter_map(|cost| Some((cost, cost.owner.as_ref()?)));
    let (cost, owner) = owned
        .filter(|(_, owner)| owner.file == *file)
        .max_by_key(|(cost, _)| cost.us)?;
    Some(case.places.of_frame(owner, cost.hottest_line()))
}

/// Time of the first texts by formatters that are made at a place, µs.
pub(crate) fn first_use_us(case: &Case<'_>, place: &Place) -> u64 {
    let uses = case
        .costs
        .iter()
        .filter(|cost| cost.work == Work::Made(Makes::FormatterUse));
    let here = uses.filter(|cost| made_at(case, case.costs, cost).is_some_and(|made| made.is_same_line(place)));
    here.map(|cost| cost.us).sum()
}

/// How many are made on a line for each request, where that was counted.
fn made_per_request(case: &Case<'_>, kind: CauseKind, place: &Place) -> Option<f64> {
    let counted = case.counted?;
    let kinds: &[&str] = match kind {
        CauseKind::ErrorStack => &["error"],
        _ => &["expression", "schema"],
    };
    let is_counter = |name: &str| {
        let mut functions = counted.functions.iter();
        functions.any(|function| function.name == name && kinds.contains(&function.kind.as_str()))
    };
    let here = counted.sites.iter().filter(|site| {
        let line = case.places.of_site(&site.frames);
        is_counter(&site.counter) && line.is_some_and(|line| line.is_same_line(place))
    });
    let calls: u64 = here.map(|site| site.calls).sum();
    (calls > 0).then(|| counted.per_request(calls))
}

/// Costly lines are a cause each; many cheap ones together are one, and the costliest stands for them.
fn of_lines(
    case: &Case<'_>,
    costs: &[Cost],
    kind: CauseKind,
    name: &str,
    is_made: impl Fn(&Work) -> bool,
) -> Vec<Cause> {
    let mut lines: Vec<Line> = Vec::new();
    for cost in costs.iter().filter(|cost| is_made(&cost.work)) {
        let owner = cost.owner.as_ref();
        let place = made_at(case, costs, cost).or_else(|| Some(case.places.of_frame(owner?, cost.hottest_line())));
        match lines.iter_mut().find(|line| line.place == place) {
            Some(line) => line.us += cost.us,
            None => lines.push(Line {
                place,
                via: cost.via.as_ref().map(ToString::to_string),
                us: cost.us,
            }),
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.us));
    let all_us: u64 = lines.iter().map(|line| line.us).sum();
    if lines.is_empty() || case.share_of(all_us) < SHARE_MIN {
        return Vec::new();
    }
    let costly = lines
        .iter()
        .take_while(|line| case.share_of(line.us) >= SHARE_MIN)
        .count();
    let rest = lines.split_off(costly.max(1));
    if costly == 0 {
        lines[0].us = all_us;
    }
    let others: Vec<Place> = rest.into_iter().filter_map(|line| line.place).collect();
    let cause = |(index, line): (usize, Line)| Cause {
        what: What::Calls {
            functions: vec![name.to_owned()],
            again: false,
            stop_loop: false,
        },
        per_request: line
            .place
            .as_ref()
            .and_then(|place| made_per_request(case, kind, place)),
        place: line.place,
        via: line.via,
        other_places: if index == 0 {
            others.iter().take(OTHER_PLACES_MAX).cloned().collect()
        } else {
            Vec::new()
        },
        ..case.costing(kind, line.us)
    };
    lines.into_iter().enumerate().map(cause).collect()
}
