//! What the rounds of a comparison offer, in words.

use super::Rounds;
use plimsoll_measure::run_directory::Sweep;
use plimsoll_plan::{Load, Plan, Rate};
use std::time::Duration;

pub(super) fn load_in_words(plan: &Plan, rounds: Rounds, sweep: Option<&Sweep>) -> String {
    let seconds = |duration: Duration| format!("{} s", duration.as_secs_f64());
    let warm_up = plan.judging().warm_up;
    match (rounds, plan.load()) {
        (Rounds::LoadLine, _) => format!(
            "searches of the load line, {} each at most",
            seconds(plan.search().budget)
        ),
        (Rounds::HalfOfThroughput(duration), _) => judged(warm_up, duration, &seconds),
        (Rounds::Load, Load::Open(open)) => {
            let rate = open.segments.first().map_or(Rate::ZERO, |segment| segment.from);
            let arrivals = open.arrivals.as_str();
            format!(
                "{rate}, {arrivals} arrivals; {}",
                judged(warm_up, open.duration(), &seconds)
            )
        }
        (Rounds::Load, Load::Closed(closed)) => {
            let duration = closed.duration.unwrap_or_default();
            // Of the first size they would be none of the others.
            let connections = match sweep {
                Some(sweep) if sweep.sizes_of == "connections" => String::new(),
                _ => format!("{} connections, ", closed.connections),
            };
            format!("{connections}closed model; {}", judged(warm_up, duration, &seconds))
        }
        (Rounds::Load, Load::Hold(hold)) => format!("{} connections held", hold.connections),
    }
}

fn judged(warm_up: Duration, whole: Duration, seconds: &dyn Fn(Duration) -> String) -> String {
    let judged = whole.saturating_sub(warm_up);
    format!(
        "each round {} judged after at least {} of warm-up",
        seconds(judged),
        seconds(warm_up)
    )
}
