//! Causes that the profile shows as time of a line and no function: expressions that are made, stacks that are captured and
//! written out, formatters where nobody counted them.

use crate::Case;
use crate::calls::{Cost, Work};
use crate::compilers::prepares;
use crate::cost::{Cpu, OTHER_PLACES_MAX, SHARE_MIN};
use crate::own_time::{contains, is_made_on};
use crate::parts::Parts;

use crate::things::{costly, sum, things};
use plimsoll_findings::{Cause, CauseKind, Place, What};
use plimsoll_measure::{Frame, Makes, package_of};
use std::collections::{HashMap, HashSet};

/// V8 compiles an expression when it is used first, which takes up to so many times as long as making it: up to 16 times, of fifteen that
/// were tried with Node.js 20.
const FIRST_USE_MAX: u64 = 20;

/// What it is called as a cause that a line makes this.
pub(crate) const fn kind_of(makes: Makes) -> CauseKind {
    match makes {
        Makes::Expression | Makes::ExpressionUse | Makes::Formatter | Makes::FormatterUse => {
            CauseKind::ConstructedPerRequest
        }
        Makes::Stack => CauseKind::ErrorStack,
        Makes::Json => CauseKind::Json,
        Makes::Match => CauseKind::Regex,
    }
}

/// Time of one sort below one line of the service.
struct Line<'a> {
    /// The function that the line is in.
    function: Option<&'a Frame>,
    place: Option<Place>,
    via: Option<&'a str>,
    us: u64,
}

pub(crate) fn causes(case: &Case<'_>, costs: &[Cost]) -> Vec<Cause> {
    let parts = case.profile.map(Parts::of).unwrap_or_default();
    let new_expressions = files_of_new_expressions(costs);
    let of_lines = |kind, name: &str, is_made: &dyn Fn(&Cost) -> bool| {
        let made = Made { kind, name, is_made };
        made.causes(case, costs, &parts)
    };
    let mut causes = of_lines(CauseKind::ErrorStack, "the stack of an error", &|cost| {
        matches!(cost.work, Work::Made(Makes::Stack) | Work::Known(CauseKind::ErrorStack))
    });
    let constructed = CauseKind::ConstructedPerRequest;
    causes.extend(of_lines(constructed, "new RegExp", &|cost| match cost.work {
        Work::Made(Makes::Match) => cost.is_in(&new_expressions),
        _ => matches!(cost.work, Work::Made(Makes::Expression | Makes::ExpressionUse)),
    }));
    let is_schema = |cost: &Cost| cost.work == Work::Known(constructed);
    let schema = costs.iter().find(|cost| is_schema(cost));
    let package = schema
        .and_then(|cost| package_of(&cost.detail.file))
        .unwrap_or_default();
    causes.extend(of_lines(constructed, &format!("a schema of {package}"), &is_schema));
    // Formatters are counted call by call where anything is.
    if case.counted.is_none() {
        causes.extend(of_lines(constructed, "a formatter of Intl", &|cost| {
            matches!(cost.work, Work::Made(Makes::Formatter | Makes::FormatterUse))
        }));
    }
    causes
}

/// Files in which expressions are made anew all the time: where the ones that run were made long ago, making takes next to nothing.
pub(crate) fn files_of_new_expressions(costs: &[Cost]) -> HashSet<&str> {
    let mut times: HashMap<&str, (u64, u64)> = HashMap::new();
    for cost in costs {
        let Some(owner) = &cost.owner else { continue };
        let (made_us, matched_us) = times.entry(&owner.file).or_default();
        match cost.work {
            Work::Made(Makes::Expression) => *made_us += cost.us,
            Work::Made(Makes::Match) => *matched_us += cost.us,
            _ => {}
        }
    }
    let new = times
        .into_iter()
        .filter(|(_, (made_us, matched_us))| made_us * FIRST_USE_MAX >= *matched_us);
    new.map(|(file, _)| file).collect()
}

/// What is used for the first time was made in a function of the same file, on one of its lines.
fn made_in<'a>(costs: &'a [Cost], used: &Cost) -> Option<(&'a Frame, Option<u32>)> {
    let makes = match used.work {
        Work::Made(Makes::ExpressionUse | Makes::Match) => Work::Made(Makes::Expression),
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
    Some((owner, cost.hottest_line()))
}

/// Time of the first texts by formatters that are made at a place, µs.
pub(crate) fn first_use_us(case: &Case<'_>, place: &Place) -> u64 {
    let uses = case
        .costs
        .iter()
        .filter(|cost| cost.work == Work::Made(Makes::FormatterUse));
    let is_here = |cost: &&Cost| {
        let made = made_in(case.costs, cost).map(|(function, line)| case.places.of_frame(function, line));
        made.is_some_and(|made| made.is_same_line(place))
    };
    uses.filter(is_here).map(|cost| cost.us).sum()
}

/// How many are made on these lines for each request, where that was counted.
fn made_per_request(case: &Case<'_>, kind: CauseKind, lines: &[Line<'_>]) -> Option<f64> {
    let counted = case.counted?;
    let kinds: &[&str] = match kind {
        CauseKind::ErrorStack => &["error"],
        _ => &["expression", "schema"],
    };
    let is_counter = |name: &str| {
        let mut functions = counted.functions.iter();
        functions.any(|function| function.name == name && kinds.contains(&function.kind.as_str()))
    };
    let is_here = |at: &Place| {
        let mut places = lines.iter().filter_map(|line| line.place.as_ref());
        places.any(|place| at.is_same_line(place))
    };
    let here = counted.sites.iter().filter(|site| {
        let line = case.places.of_site(&site.frames);
        is_counter(&site.counter) && line.is_some_and(|line| is_here(&line))
    });
    let calls: u64 = here.map(|site| site.calls).sum();
    (calls > 0).then(|| counted.per_request(calls))
}

/// Time in the constructors of errors goes to the lines that are known to make them: no text of theirs says so, but the probe. It is no
/// more than what the profile has for them.
fn add_constructors(case: &Case<'_>, lines: &mut [Line<'_>]) {
    let sites = case.counted.into_iter().flat_map(|counted| &counted.sites);
    let constructed = sites.filter_map(|site| Some((site, site.made_in.as_ref()?)));
    for (site, constructor) in constructed.filter(|(_, at)| !is_made_on(case, Makes::Stack, at)) {
        let place = case.places.of_site(&site.frames);
        let is_of = |line: &&mut Line<'_>| {
            let is_called_here = line.place.as_ref().zip(place.as_ref());
            is_called_here.is_some_and(|(line, place)| line.is_same_line(place))
                || line
                    .function
                    .is_some_and(|function| contains(case, function, constructor))
        };
        if let Some(line) = lines.iter_mut().find(is_of) {
            let own = case.costs.iter().filter(|cost| cost.work == Work::Own);
            let spent = own.filter(|cost| {
                cost.owner
                    .as_ref()
                    .is_some_and(|owner| contains(case, owner, constructor))
            });
            let counted_us = case.counted_in_profile_us(site.ns);
            line.us += counted_us.min(spent.map(|cost| cost.us).sum());
        }
    }
}

/// One sort of what is made.
struct Made<'a> {
    kind: CauseKind,
    name: &'a str,
    is_made: &'a dyn Fn(&Cost) -> bool,
}

impl Made<'_> {
    /// A function that makes it is one cause, with the functions that are parts of it.
    fn causes(&self, case: &Case<'_>, costs: &[Cost], parts: &Parts<'_>) -> Vec<Cause> {
        let lines = self.lines(case, costs);
        let share = |line: &Line<'_>| case.share_of(line.us);
        if sum(&lines, share) < SHARE_MIN {
            return Vec::new();
        }
        let makers: HashSet<&Frame> = lines.iter().filter_map(|line| line.function).collect();
        let whole = |line: &Line<'_>| Some(parts.whole(line.function?, |frame| makers.contains(frame)).clone());
        let causes = costly(things(lines, whole, share), share);
        causes.iter().map(|lines| self.cause(case, lines)).collect()
    }

    fn lines<'a>(&self, case: &Case<'_>, costs: &'a [Cost]) -> Vec<Line<'a>> {
        let mut lines: Vec<Line<'a>> = Vec::new();
        for cost in costs.iter().filter(|cost| (self.is_made)(cost)) {
            let made = made_in(costs, cost).map(|(function, line)| (Some(function), vec![(line, cost.us)]));
            let (function, times) = made.unwrap_or_else(|| (cost.owner.as_ref(), times(cost)));
            for (line, us) in times {
                let place = function.map(|function| case.places.of_frame(function, line));
                match lines.iter_mut().find(|line| line.place == place) {
                    Some(line) => line.us += us,
                    None => lines.push(Line {
                        function,
                        place,
                        via: cost.via.as_deref(),
                        us,
                    }),
                }
            }
        }
        if self.kind == CauseKind::ErrorStack {
            add_constructors(case, &mut lines);
        }
        lines
    }

    /// The costliest line stands for all.
    fn cause(&self, case: &Case<'_>, lines: &[Line<'_>]) -> Cause {
        let cost = case.costing(self.kind, lines.iter().map(|line| line.us).sum());
        let share = (cost.cpu_share.unwrap_or_default() + self.garbage_share(case, lines)).min(1.0);
        let mut places = lines.iter().filter_map(|line| line.place.clone());
        Cause {
            what: What::Calls {
                functions: vec![self.name.to_owned()],
                again: false,
                stop_loop: false,
            },
            per_request: made_per_request(case, self.kind, lines),
            place: places.next(),
            via: lines.iter().find_map(|line| line.via).map(str::to_owned),
            other_places: places.take(OTHER_PLACES_MAX).collect(),
            cpu_us_per_request: case.us_of_share(share),
            cpu_share: Some(share),
            ..cost
        }
    }

    /// Collecting what functions ask for as they make it, where those that do so have frames.
    fn garbage_share(&self, case: &Case<'_>, lines: &[Line<'_>]) -> f64 {
        let functions: HashSet<Option<&Frame>> = lines.iter().map(|line| line.function).collect();
        let is_garbage = |cost: &&Cost| (self.is_made)(cost) && functions.contains(&cost.owner.as_ref());
        let bytes: u64 = case.allocated.iter().filter(is_garbage).map(|cost| cost.us).sum();
        let all: u64 = case.allocated.iter().map(|cost| cost.us).sum();
        let collecting = case.profile.map_or(0.0, |profile| {
            Cpu::of(case, profile).collecting(case.collecting_share())
        });
        collecting * bytes as f64 / all.max(1) as f64
    }
}

/// Time by line; what is of no known line goes to the costliest one.
fn times(cost: &Cost) -> Vec<(Option<u32>, u64)> {
    let known: u64 = cost.lines.iter().map(|(_, us)| us).sum();
    let mut times = vec![(cost.hottest_line(), cost.us.saturating_sub(known))];
    times.extend(cost.lines.iter().map(|&(line, us)| (Some(line), us)));
    times.retain(|(_, us)| *us > 0);
    times
}
