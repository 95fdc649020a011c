//! Words for notices.

use super::responses::responses_beside;
use super::service::cpu_cores;
use super::{in_unit, metric, objective, reason};
use crate::figures::{self, count, counted, length_s, share};
use plimsoll_findings::{ExampleFinding, Notice};
use plimsoll_measure::{Resource, RunKind};
use std::borrow::Cow;

/// One sentence without its end.
pub(crate) fn notice(of: &Notice) -> String {
    match of {
        Notice::Interrupted(noted)
        | Notice::TargetDied(noted)
        | Notice::OutOfMemory(noted)
        | Notice::NeighbourDied(noted)
        | Notice::PortTaken(noted)
        | Notice::AgentLost(noted)
        | Notice::Torn(noted)
        | Notice::Warning(noted) => noted.said.clone(),
        Notice::NotesLeftOut { count } => format!("{count} more warnings were left out"),
        Notice::CouldNotGoOn { why } => why.clone(),
        Notice::NoEnd => {
            "the record of the run has no end: it was cut off, or still goes on; the figures are those until then"
                .to_owned()
        }
        Notice::HistogramsLost => "histograms are lost, so percentiles of whole steps are unknown".to_owned(),
        Notice::GeneratorLate { because } => reason::late(*because),
        Notice::GeneratorNearLimit { resource, taken, of } => near_limit(*resource, *taken, *of),
        Notice::LittlesLawBroken { users, by_law } => format!(
            "Little's law does not hold at the load line: throughput × (response time + pause) is {}, and there were {}",
            figures::concurrent(*by_law),
            count(*users)
        ),
        Notice::NotConverged => "the time budget ended before both ends of the bracket were confirmed".to_owned(),
        Notice::FailedBelowLine { failed, judged } => {
            format!("{failed} of {judged} windows failed in steps up to the load line, more than the plan forgives")
        }
        Notice::IntervalFromStep {
            users,
            at_a_time,
            step,
            rate_per_s,
            upper,
            without_per_s,
        } => {
            let level = |level: f64| match at_a_time {
                true => figures::concurrent(level),
                false => figures::rate_of(*users, level),
            };
            format!(
                "the interval reaches so far {} because of step {} alone, at {}: without it, it would end at {}",
                if *upper { "up" } else { "down" },
                step + 1,
                level(*rate_per_s),
                level(*without_per_s)
            )
        }
        Notice::OneCoreFull { busy_cores, cores } => format!(
            "the service used {busy_cores:.2} of the {cores} cores that it may use: where one thread does all the work, as in \
             a Node.js service without workers, it is full at {} of {cores} cores, and an objective on CPU above that cannot \
             break",
            share(1.0 / f64::from(*cores)),
        ),
        Notice::WorseThanBefore {
            figure,
            value,
            usual,
            bound,
            days,
        } => {
            let beyond = if figure.lower_is_better() { "above" } else { "below" };
            format!(
                "{} is {}: on {days} earlier days this machine had {}, and it is {beyond} {} on one day in a hundred",
                metric(*figure),
                in_unit(*value, figure.unit()),
                in_unit(*usual, figure.unit()),
                in_unit(*bound, figure.unit())
            )
        }
        Notice::TooLittleHistory { days, least } => format!(
            "the history has {} of this machine, service and load: from {least} on, a metric that is worse than before gives a warning",
            counted(u64::from(*days), "earlier day")
        ),
        Notice::MachineUnknown => {
            "the history is not used: nothing tells this machine from others, and figures of another machine are never compared".to_owned()
        }
        Notice::Redirects {
            count: redirects,
            completed,
            first,
        } => format!(
            "{} of {} responses are redirects, which are not followed: the run measures redirects, not what they lead to{}",
            count(*redirects),
            count(*completed),
            the_first(first.as_ref())
        ),
        Notice::ErrorStatuses {
            count: errors,
            completed,
        } => format!(
            "{} of {} responses have a status of 400 or above, which the plan expects: the run measures errors",
            count(*errors),
            count(*completed)
        ),
        Notice::UnevenInstances {
            number,
            pid,
            main_thread_share,
            others,
            others_share,
        } => {
            let others = match others {
                1 => format!("the other one {}", share(*others_share)),
                others => format!("the {others} others {} in the mean", share(*others_share)),
            };
            format!(
                "instance {number} (process {pid}) uses {} of a core, {others}: the service is full when that one is",
                share(*main_thread_share)
            )
        }
        Notice::InstancesChanged { ended, started } => {
            let [ended, started] = [ended, started].map(|number| counted(u64::from(*number), "instance"));
            format!("{ended} of the service ended under load, and {started} started")
        }
        Notice::InstancesBeyondLimit {
            instances,
            cpu_cores: cores,
        } => format!(
            "{} share a limit of {} of CPU: they stop each other, and each takes memory of its own",
            counted(u64::from(*instances), "instance"),
            cpu_cores(*cores)
        ),
        Notice::Throttled {
            users,
            cpu_cores: cores,
            throttled_ms_per_s,
            offered_per_s,
        } => format!(
            "the limit of {} of CPU kept the service from running for {} of each second{}",
            cpu_cores(*cores),
            figures::duration_ms(*throttled_ms_per_s),
            offered_per_s.map_or(String::new(), |offered| {
                format!(" at {}, where an objective broke", figures::rate_of(*users, offered))
            })
        ),
        Notice::ProcessesKilled {
            kills,
            memory_limit_bytes,
        } => format!(
            "the kernel ended {} of the service because memory ran out{}; the service went on without",
            kills_of(*kills),
            memory_limit_bytes.map_or(String::new(), |limit| format!(", at {}", figures::bytes(limit)))
        ),
        Notice::KeepAliveRaces {
            count: races,
            repeated,
            share: of_all,
            charged,
            first,
        } => {
            let whose = match charged {
                true => "more than one in five, so they count as errors",
                false => "they do not count as errors",
            };
            format!(
                "{} ({}) met a kept connection that the service was closing, {} sent again; {whose}{}",
                counted(*races, "request"),
                share(*of_all),
                count(*repeated),
                the_first(first.as_ref())
            )
        }
        Notice::UnrequestedBytes { connections, first } => format!(
            "{} given up because bytes came that no request had asked for{}",
            counted(*connections, "connection"),
            the_first(first.as_ref())
        ),
        Notice::NothingJudged { because } => format!("nothing was judged: {}", reason::unjudged(*because)),
        Notice::Unjudged { objective: of, because } => {
            format!("{} was not judged: {}", objective(of), reason::unjudged(*because))
        }
        Notice::NotCounted => "the service ran already, so it was profiled and nothing was counted in it: calls per request, waits for other \
                               services, middleware and kept memory are not known"
            .to_owned(),
        Notice::NothingCounted => {
            "the probe counted nothing in the service, so calls and waits are not known".to_owned()
        }
        Notice::RequestsAllAlike => {
            "the requests of the plan are all equal, so whether the service asks others for the same on \
                                     behalf of different ones cannot be seen"
                .to_owned()
        }
        Notice::NoProfile => "there is no CPU profile of the service, so its costly functions are not known".to_owned(),
        Notice::FewSamples {
            cause,
            samples,
            low,
            high,
        } => format!(
            "`{cause}` rests on {} of the CPU profile: with 95% confidence it takes between {} and {} of the busy time",
            counted(*samples, "sample"),
            share(*low),
            share(*high)
        ),
        Notice::DiagnosisIncomplete { why } => format!("the diagnosis is incomplete: {why}"),
        Notice::DiagnosisCutOff { before } => {
            let before = before.map_or(String::new(), |pass| format!(" before its {}", run_of_diagnosis(pass)));
            format!("the diagnosis was cut off{before}, so causes may be missing")
        }
        Notice::LoadLinesOpenEnded {
            rounds,
            used,
            ended_because,
        } => format!(
            "in {rounds} of {used} rounds nothing failed above the load line, because {}: it may be higher, and a difference that \
             depends on by how much is not judged",
            reason::ended(*ended_because)
        ),
        Notice::WarmingUp { fell } => format!(
            "the service still warmed up while it was judged: CPU per request fell by {} within the rounds",
            share(*fell)
        ),
        Notice::NotWarm { waited_s, because } => format!(
            "the service was not warm after {} of warm-up: {}",
            length_s(*waited_s),
            reason::unsteady(*because)
        ),
        Notice::ResponsesDiffer(beside) => format!("responses of the two: {}", responses_beside(beside)),
        Notice::InRound {
            round,
            variant,
            notice: inner,
        } => format!("round {}, {variant}: {}", round + 1, notice(inner)),
    }
}

/// What to do about it.
pub(crate) fn hint(notice: &Notice) -> Option<Cow<'_, str>> {
    Some(Cow::Borrowed(match notice {
        Notice::Interrupted(noted)
        | Notice::TargetDied(noted)
        | Notice::OutOfMemory(noted)
        | Notice::NeighbourDied(noted)
        | Notice::PortTaken(noted)
        | Notice::AgentLost(noted)
        | Notice::Torn(noted)
        | Notice::Warning(noted) => return noted.advice.as_deref().map(Cow::Borrowed),
        Notice::NotesLeftOut { .. }
        | Notice::HistogramsLost
        | Notice::DiagnosisIncomplete { .. }
        | Notice::DiagnosisCutOff { .. } => return None,
        Notice::ResponsesDiffer(_) => {
            "what is compared does not do the same: see whether the difference is meant, and whether it explains the figures"
        }
        Notice::InRound { notice, .. } => return hint(notice),
        Notice::CouldNotGoOn { .. } => "see service.log",
        Notice::NoEnd => "run it again to its end for a verdict",
        Notice::GeneratorLate { .. } => reason::GENERATOR_HINT,
        Notice::GeneratorNearLimit { resource, .. } => near_limit_hint(*resource),
        Notice::LittlesLawBroken { .. } => {
            "users were neither waiting for the service nor pausing: the generator or one of its limits kept them, or journeys take longer than \
             the steps; see the generator's part of the report, and take longer steps"
        }
        Notice::NotConverged => "give the search a longer budget, or ask for a wider bracket",
        Notice::FailedBelowLine { .. } => {
            "the service or its host stalls at times whatever the load; take longer steps to see how often"
        }
        Notice::IntervalFromStep { .. } => {
            "see what was different in that step: a service that was still cold, or a host with neighbours; search again to be sure"
        }
        Notice::OneCoreFull { .. } => {
            "give it the cores that it can use, such as --target-cpus 0, or start a worker per core"
        }
        Notice::UnevenInstances { .. } => {
            "spread requests rather than connections, as a balancer in front does; where the primary of a cluster hands connections over, \
             let clients open more of them, and close them from time to time"
        }
        Notice::InstancesChanged { .. } => {
            "see service.log for why they ended; requests that they had failed, and those that came meanwhile went to the others"
        }
        Notice::InstancesBeyondLimit { .. } => {
            "start as many as the limit has cores, rounded up: `os.cpus().length` counts the cores of the machine, whatever the limit"
        }
        Notice::Throttled { .. } => {
            "a request that comes while the CPU time of a period of 100 ms is spent waits for the next; raise `limits.cpu` of the plan, or \
             spend less CPU at once, such as in collections of memory and in helper threads"
        }
        Notice::ProcessesKilled { .. } => {
            "raise `limits.memory` of the plan, or start fewer workers; requests that the ended ones had failed"
        }
        Notice::WorseThanBefore { .. } => {
            "check against a revision of an earlier day with `plimsoll check --base REV`: the machine may have changed as well"
        }
        Notice::TooLittleHistory { .. } => return None,
        Notice::MachineUnknown => "name the machine with --machine; a container knows it by a mounted /etc/machine-id",
        Notice::Redirects { .. } => {
            "give the plan the address that they lead to, or follow them with --follow or `follow_redirects` in `target`"
        }
        Notice::ErrorStatuses { .. } => {
            "see that the address is right, and let `expect.status` name the statuses of a success"
        }
        Notice::KeepAliveRaces { .. } => {
            "let the service keep idle connections for longer than its clients do (Node.js: server.keepAliveTimeout), or \
             announce it with `keep-alive: timeout=N`"
        }
        Notice::UnrequestedBytes { .. } => {
            "see whether `content-length` is less than the body, or a body follows a response that has none (to HEAD, 204, \
             304)"
        }
        Notice::NothingJudged { because } | Notice::Unjudged { because, .. } => reason::unjudged_hint(*because),
        Notice::NotCounted => "let plimsoll start the service, with its command after `--`, to count them",
        Notice::NothingCounted | Notice::NoProfile => {
            "it works in Node.js 20 and newer, from the moment a server listens; the service must not clear NODE_OPTIONS"
        }
        Notice::FewSamples { .. } => "offer a higher rate with `-R`, or make the passes longer with `-d`",
        Notice::RequestsAllAlike => "add requests to the plan that differ as those of your users do",
        Notice::LoadLinesOpenEnded { .. } => {
            "let the searches go on until something fails: raise `search.max` or `search.budget` in the plan"
        }
        Notice::WarmingUp { .. } => "give it longer with `--warm-up`",
        Notice::NotWarm { .. } => {
            "what was judged includes the cost of warming up; `compare`, `scale` and `diagnose` wait longer with `--warm-up`"
        }
    }))
}

fn kills_of(kills: u64) -> String {
    match kills {
        1 => "a process".to_owned(),
        more => format!("{} processes", count(more)),
    }
}

fn the_first(first: Option<&ExampleFinding>) -> String {
    first.map_or(String::new(), |first| {
        let received = match first.received.as_str() {
            "" => String::new(),
            text => format!(": {text}"),
        };
        format!("; the first, at {}: {}{received}", length_s(first.at_s), first.found)
    })
}

fn near_limit(resource: Resource, taken: u64, of: u64) -> String {
    match resource {
        Resource::Ports => format!(
            "{} of {} local ports for connections from the generator to the service were taken",
            count(taken),
            count(of)
        ),
        Resource::Descriptors => format!("the generator had {} of {} descriptors open", count(taken), count(of)),
        Resource::Memory => {
            let left = 1.0 - taken as f64 / of.max(1) as f64;
            format!("{} of the memory that the generator may use was left", share(left))
        }
    }
}

const fn near_limit_hint(resource: Resource) -> &'static str {
    match resource {
        Resource::Ports => {
            "when none is left, connections fail and the result is invalid: keep connections alive, let them leave from more \
             addresses with --local-addrs, or widen net.ipv4.ip_local_port_range"
        }
        Resource::Descriptors => {
            "when none is left, connections fail and the result is invalid: raise the limit with `ulimit -n`, or use fewer \
             connections"
        }
        Resource::Memory => {
            "a machine without memory takes its time from the generator, or ends it: use fewer connections, or a machine \
             with more"
        }
    }
}

const fn run_of_diagnosis(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Counters => "pass with counters",
        RunKind::Profile => "pass with a profile",
        _ => "first pass",
    }
}
