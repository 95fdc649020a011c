//! What a run comes to, and what to do next.

use super::offered::{at_a_time, offered, raised_by};
use super::service::cpu_cores;
use super::shock::{after_shock, come_back, not_back};
use super::soak::{find_growth, growing, listed};
use super::{cause_what, meaning, no_causes, objective, objective_observed, reason, remedy_of_kind};
use crate::figures::{self, count, length_s, rate, share};
use plimsoll_findings::{Bound, FailureClass, Headline, InterruptedBy, LineThen, NextStep, Seen, WhatUnjudged};

/// One sentence without its end.
pub(crate) fn headline(headline: &Headline) -> String {
    match headline {
        Headline::LoadLine {
            users,
            concurrent_users,
            failed_users,
            held_connections,
            failed_connections,
            rate_per_s,
            failed_per_s,
            broke,
            ended_because,
            unjudged,
        } => {
            let crowd = at_a_time(*concurrent_users, *held_connections);
            let failed = match crowd {
                Some(_) => at_a_time(*failed_users, *failed_connections),
                None => failed_per_s.map(|failed| offered(*users, None, failed)),
            };
            let held = offered(*users, crowd, *rate_per_s);
            let line = match (failed, broke) {
                (Some(failed), Some(broke)) => {
                    format!("Load line {held}: {} broke first, at {failed}", objective(broke))
                }
                (Some(failed), None) => format!("Load line {held}: every request failed at {failed}"),
                (None, _) => format!("The load line is at least {held}: {}", reason::ended(*ended_because)),
            };
            match unjudged {
                Some(unjudged) => format!("{line}; {}", what_unjudged(unjudged)),
                None => line,
            }
        }
        Headline::NoLoadLine {
            users,
            broke,
            lowest_users,
            lowest_connections,
            lowest_per_s,
        } => {
            let lowest = at_a_time(*lowest_users, *lowest_connections)
                .or_else(|| lowest_per_s.map(|lowest| offered(*users, None, lowest)));
            let at = lowest.map_or(String::new(), |lowest| format!(" at {lowest}"));
            match broke {
                Some(broke) => format!("No load line: {} did not hold even{at}", objective(broke)),
                None => format!("No load line: every request failed even{at}"),
            }
        }
        Headline::Passed { any_objective, seen } => passed(*any_objective, *seen),
        Headline::Unjudged { what } => what_unjudged(what),
        Headline::Breached {
            objective: broken,
            observed,
            windows_passed,
            windows_judged,
        } => {
            let seen = observed.map(|observed| format!(": {} over the run", objective_observed(broken, observed)));
            format!(
                "{} did not hold{}, {} of {} windows passed",
                objective(broken),
                seen.unwrap_or_default(),
                count((*windows_passed).into()),
                count((*windows_judged).into())
            )
        }
        Headline::EveryRequestFailed => "Every request failed".to_owned(),
        Headline::GeneratorLate => {
            "The generator was the bottleneck, so the figures do not describe the service".to_owned()
        }
        Headline::AgentLost => {
            "An agent of the fleet did not do its part, so the load, or what is known of the service, is not whole"
                .to_owned()
        }
        Headline::Interrupted {
            by,
            after_s,
            has_figures,
        } => interrupted(*by, *after_s, *has_figures),
        Headline::PortTaken => {
            "The figures are not those of the service: another process listens in its place".to_owned()
        }
        Headline::TargetDied { after_s } => format!("The service ended by itself after {}", length_s(*after_s)),
        Headline::NeighbourDied { after_s } => {
            format!(
                "A neighbour of the service ended by itself after {}",
                length_s(*after_s)
            )
        }
        Headline::OutOfMemory { after_s } => format!("The service ran out of memory after {}", length_s(*after_s)),
        Headline::NoResponse { most } => format!("No request got a response{}", because(*most)),
        Headline::CouldNotGoOn => "The run could not go on".to_owned(),
        Headline::Held {
            connections,
            held_s,
            messages,
            streams,
        } => {
            let held = format!(
                "{} {} were held for {}",
                count(*connections),
                connections_or(*streams),
                length_s(*held_s)
            );
            match messages {
                None => format!("{held}, and none was lost"),
                Some(messages) => format!(
                    "{held}, and neither one of them nor one of {} messages was lost",
                    count(*messages)
                ),
            }
        }
        Headline::MessagesNotDelivered {
            lost: 0,
            missing,
            doubled: 0,
            sent,
        } => format!(
            "{} arrivals are missing: not every connection got all of {} messages",
            count(*missing),
            count(*sent)
        ),
        Headline::MessagesNotDelivered {
            lost, doubled, sent, ..
        } => {
            let of = format!("of {} messages", count(*sent));
            match (lost, doubled) {
                (lost, 0) => format!("{} {of} were lost", count(*lost)),
                (0, doubled) => format!(
                    "Messages came more than once: {} arrivals too many {of}",
                    count(*doubled)
                ),
                (lost, doubled) => format!(
                    "{} {of} were lost, and there were {} arrivals too many",
                    count(*lost),
                    count(*doubled)
                ),
            }
        }
        Headline::ConnectionsLost {
            lost,
            opened,
            most,
            streams,
        } => format!(
            "{} of {} {} were lost{}",
            count(*lost),
            count(*opened),
            connections_or(*streams),
            because(*most)
        ),
        Headline::PaceNotKept {
            opened,
            wanted,
            streams,
        } => format!(
            "Only {} of {} {} were opened in time: the pace was not kept",
            count(*opened),
            count(*wanted),
            connections_or(*streams)
        ),
        Headline::NotAllOpened {
            opened,
            wanted,
            generators_own,
            most,
            streams,
        } => {
            let fault = match generators_own {
                true => ", through no fault of the service",
                false => "",
            };
            format!(
                "Only {} of {} {} were opened{fault}{}",
                count(*opened),
                count(*wanted),
                connections_or(*streams),
                because(*most)
            )
        }
        Headline::HeldWithErrors {
            connections,
            most,
            streams,
        } => format!(
            "{} {} were held, but responses failed{}",
            count(*connections),
            connections_or(*streams),
            because(*most)
        ),
        Headline::Back {
            shock, after_s: None, ..
        } => format!("Every objective held through {}", super::shock(shock)),
        Headline::Back {
            shock,
            after_s: Some(after_s),
            window_s,
        } => format!("Every objective held again {}", after_shock(shock, *after_s, *window_s)),
        Headline::NotBack {
            shock,
            watched_s,
            state,
        } => format!(
            "Not back {} after {}: {}",
            length_s(*watched_s),
            super::shock(shock),
            not_back(state)
        ),
        Headline::BrokenBefore { objective: broken } => match broken {
            Some(broken) => format!(
                "{} did not hold before the shock, so nothing can come back",
                objective(broken)
            ),
            None => "Every request failed before the shock, so nothing can come back".to_owned(),
        },
        Headline::Grows { growth } => format!("Grows under a load that does not change: {}", growing(growth)),
        Headline::Steady {
            watched_s,
            matters_share_per_h,
            quantities,
        } => format!(
            "Nothing grows by more than {} an hour in {}: {}",
            share(*matters_share_per_h),
            length_s(*watched_s),
            listed(quantities)
        ),
        Headline::GrowthUndecided { watched_s, quantities } => format!(
            "Every objective held; {} is too short to judge the growth of {}",
            length_s(*watched_s),
            listed(quantities)
        ),
        Headline::NoneOpened { most } => format!("No connection was opened{}", because(*most)),
        Headline::Limit {
            bound, cause, place, ..
        } => {
            let bound = match bound {
                Bound::Cpu
                | Bound::EventLoop
                | Bound::Threadpool
                | Bound::ConnectionPool
                | Bound::Memory
                | Bound::Terminal
                | Bound::Neighbour
                | Bound::Upstream => super::bound(*bound),
                Bound::Neither => "bound neither by CPU nor by other services",
                Bound::Unknown => "bound by something that could not be seen",
            };
            match cause {
                Some(cause) => {
                    let at = place.as_ref().map(|place| format!(" at {place}"));
                    format!(
                        "The service is {bound}; first cause: {}{}",
                        cause_what(cause),
                        at.unwrap_or_default()
                    )
                }
                None => format!("The service is {bound}; {}", no_causes(headline)),
            }
        }
    }
}

/// What is held.
fn connections_or(streams: bool) -> &'static str {
    match streams {
        false => "connections",
        true => "streams",
    }
}

fn because(most: Option<FailureClass>) -> String {
    most.map_or(String::new(), |class| format!(": {}", meaning(class)))
}

fn passed(any_objective: bool, seen: Seen) -> String {
    let p99 = seen
        .p99_ms
        .map_or(String::new(), |p99| format!(", p99 {}", figures::duration_ms(p99)));
    let carried = seen.throughput_per_s.filter(|per_s| *per_s > 0.0);
    let what = match carried {
        Some(per_s) => format!("{}{p99}", rate(per_s)),
        // It is no rate that was carried: what came came late.
        None => format!(
            "{} responses, none of them before the load ended{p99}",
            count(seen.completed)
        ),
    };
    match (any_objective, carried) {
        (false, _) => format!("{what}; no objective was set"),
        (true, Some(_)) => format!("Every objective held at {what}"),
        (true, None) => format!("Every objective held: {what}"),
    }
}

fn what_unjudged(what: &WhatUnjudged) -> String {
    match what {
        WhatUnjudged::Everything { because: None } => "Nothing was judged".to_owned(),
        WhatUnjudged::Everything { because: Some(because) } => {
            format!("Nothing was judged: {}", reason::unjudged(*because))
        }
        WhatUnjudged::Objectives {
            first,
            because,
            count: 1,
            ..
        } => format!("{} was not judged: {}", objective(first), reason::unjudged(*because)),
        WhatUnjudged::Objectives {
            first,
            because,
            count,
            of,
        } => format!(
            "{count} of {of} objectives were not judged, the first is {}: {}",
            objective(first),
            reason::unjudged(*because)
        ),
    }
}

fn interrupted(by: InterruptedBy, after_s: f64, has_figures: bool) -> String {
    let after = length_s(after_s);
    let stopped = match by {
        InterruptedBy::LostRecords => format!("Records of the {after} run are lost"),
        InterruptedBy::LostHistograms => format!("Histograms of the {after} run are lost"),
        InterruptedBy::NoEnd => format!("Cut off after {after}"),
        InterruptedBy::Stop => format!("Stopped after {after}"),
    };
    if has_figures {
        format!("{stopped}; the figures describe what was seen until then")
    } else {
        format!("{stopped}, before anything was judged")
    }
}

/// One sentence with its end.
pub(crate) fn next_step(step: &NextStep) -> String {
    let doctor =
        |connections: u64| format!("`plimsoll doctor --connections {connections}` says what this machine needs");
    match step {
        NextStep::UseLine {
            users,
            concurrent_users,
            held_connections,
            rate_per_s,
            then,
        } => {
            let plan_for = format!("Plan for at most {} per instance", offered(*users, at_a_time(*concurrent_users, *held_connections), *rate_per_s));
            match then {
                LineThen::OfferMore => format!("{plan_for}, or let the search offer more to find where it breaks."),
                LineThen::TakeLonger => format!("{plan_for}; a longer budget would place the line more closely."),
                LineThen::SaveCpu { cpu_us_per_request } => format!(
                    "{plan_for}; every microsecond saved of the {} of CPU per request raises it.",
                    figures::duration_us(*cpu_us_per_request)
                ),
                LineThen::RaiseCpuLimit { cpu_cores: cores } => format!(
                    "{plan_for}; above it the limit of {} of CPU keeps the service from running.",
                    cpu_cores(*cores)
                ),
                LineThen::RelieveNeighbour { name } => format!(
                    "{plan_for}; to raise it, give the neighbour {name} more CPU, or ask less of it per request."
                ),
                LineThen::SeeWaits { broke } => format!("{plan_for}; to raise it, {}.", raised_by(broke.as_ref())),
            }
        }
        NextStep::FindLine => {
            "Let `plimsoll capacity` find the greatest rate at which the objectives hold.".to_owned()
        }
        NextStep::SpreadRequests { number } => {
            format!("Spread requests evenly: instance {number} is full before the others are. Then see what a request costs.")
        }
        NextStep::SpendLessCpu { cpu_us_per_request } => {
            let now = cpu_us_per_request.map(|us| format!(" (now {} each)", figures::duration_us(us)));
            format!(
                "Spend less CPU per request{}, or give the service more cores; `plimsoll capacity` finds the rate it carries \
                 now.",
                now.unwrap_or_default()
            )
        }
        NextStep::SeeErrors { most: Some(class) } => format!(
            "Most failures are of class {}: {}; see the output of the service.",
            class.as_str(),
            meaning(*class)
        ),
        NextStep::SeeErrors { most: None } => "See the output of the service.".to_owned(),
        NextStep::LowerRate => {
            "The service, or the number of connections, did not keep up with the offered rate: lower it or raise the \
             connections."
                .to_owned()
        }
        NextStep::WorkerPerCore => {
            "One core is full while others idle: start a worker per core, or spend less CPU per request.".to_owned()
        }
        NextStep::LeaveOut { removal } => format!(
            "Measure what the service gains without it: `plimsoll compare --without '{removal}'`."
        ),
        NextStep::RaiseCpuLimit {
            cpu_cores: cores,
            throttled_ms_per_s,
        } => format!(
            "The limit of {} of CPU kept the service from running for {} of each second: raise it, or spend less CPU per request.",
            cpu_cores(*cores),
            figures::duration_ms(*throttled_ms_per_s)
        ),
        NextStep::RelieveNeighbour { name } => format!(
            "The neighbour {name} ran out of CPU before the service did: give it more, or ask less of it per request."
        ),
        NextStep::RaiseMemoryLimit => {
            "Give the service more memory, or find what holds it; the notice below says what the limit was.".to_owned()
        }
        NextStep::FreeLoop => {
            "Something keeps the event loop busy for long at a time: `plimsoll diagnose` names its lines.".to_owned()
        }
        NextStep::HoldLessMemory => {
            "Find what holds the memory: `plimsoll soak` says whether it grows, and which lines asked for what stays.".to_owned()
        }
        NextStep::SeeWaits { cpu_share } => format!(
            "The service's cores were only {} busy, so its responses wait for something else: look at the services it calls, \
             its pools and its locks.",
            share(*cpu_share)
        ),
        NextStep::SampleCpu => format!("To see whether CPU is short, {}.", reason::CPU_HINT),
        NextStep::RelieveGenerator => format!("Run it again after you {}.", reason::GENERATOR_HINT),
        NextStep::SeeAgents => {
            "The notice below names the agent and says why; put that right, and run it again.".to_owned()
        }
        NextStep::RunToEnd => "Run it again to its end for a verdict.".to_owned(),
        NextStep::GetJudged { because: None } => "Run it longer than its warm-up.".to_owned(),
        NextStep::GetJudged {
            because: Some(because),
        } => format!("{}.", super::capitalised(reason::unjudged_hint(*because))),
        NextStep::SeePort => {
            "The notice below names the process that listens there; stop it, or let the service listen elsewhere.".to_owned()
        }
        NextStep::SeeExit => {
            "The notice below holds its exit status and its last lines; start it by itself to see why.".to_owned()
        }
        NextStep::SeeNeighbour => {
            "The notice below names it, with its exit status and its last lines; start it by itself to see why.".to_owned()
        }
        NextStep::CheckTarget { target } => format!("Check that the service responds at {target}."),
        NextStep::SeeServiceLog => "See service.log.".to_owned(),
        NextStep::HoldMore { connections } => format!("Hold more; {} for them.", doctor(*connections)),
        NextStep::SendFewer => {
            "Run it again with a longer `every`: what goes wrong at any rate is a fault of the service, what goes wrong at this \
             one alone is an overload."
                .to_owned()
        }
        NextStep::KeepIdleLonger => {
            "Raise the time for which the service lets a connection be idle (Node.js: server.keepAliveTimeout, 5 s unless \
             set)."
                .to_owned()
        }
        NextStep::ShockMore => {
            "Disturb it more, by a greater or longer burst, the loss of a neighbour or a restart, until you know what it does not come back from."
                .to_owned()
        }
        NextStep::LetComeBack { state } => come_back(state).to_owned(),
        NextStep::LowerBase => {
            "Begin from a lower rate: 60 % of the load line leaves room to come back, and `plimsoll capacity` finds the line.".to_owned()
        }
        NextStep::FindGrowth { quantity } => find_growth(*quantity).to_owned(),
        NextStep::SoakLonger => {
            "Watch it for longer, with --duration: twice the time makes the intervals about a third as wide.".to_owned()
        }
        NextStep::SoakOn => {
            "Watch it for as long as it runs between two deployments: what grows by less than this in an hour may still fill a machine in days."
                .to_owned()
        }
        NextStep::LowerPace => {
            "Ask for a lower pace or a longer time; where the generator woke late, give it more cores or addresses."
                .to_owned()
        }
        NextStep::SeeOpenFiles { connections } => format!(
            "See the output of the service and its limit of open files; {}.",
            doctor(*connections)
        ),
        NextStep::MoreAddresses => {
            "Let connections leave from more addresses with --local-addrs, or go to more ports with --ports.".to_owned()
        }
        NextStep::RaiseOpenFiles { connections } => {
            format!("Raise the limit of open files; {}.", doctor(*connections))
        }
        NextStep::CheckListens { target } => format!("Check that the service listens at {target}."),
        NextStep::FixCause { kind } => format!("{}; then diagnose again", remedy_of_kind(*kind)),
        NextStep::SeeFlame => {
            "look at the flame graph for what the service itself does, or give it more cores".to_owned()
        }
    }
}
