//! What a run comes to, and what to do next, from its findings.

use crate::limits::holds_back;
use crate::service::{fills_one_of_its_cores, has_full_instance};
use crate::soak;
use plimsoll_findings::{
    Condition, ErrorFinding, FailureClass, Findings, Headline, HoldFinding, InterruptedBy, LineThen, MessageFinding,
    NextStep, Notice, Quantity, Seen, ShockFinding, StepFinding, StepVerdict, TargetFinding, Verdict, WhatUnjudged,
};
use plimsoll_measure::{ErrorClass, RunKind};

/// What it comes to.
pub(crate) fn headline(findings: &Findings) -> Headline {
    if agent_was_lost(findings) {
        return Headline::AgentLost;
    }
    if let Some(headline) = held_run(findings).and_then(|hold| held(findings, hold)) {
        return headline;
    }
    if let Some(headline) = findings.shock.as_ref().and_then(|shock| came_back(findings, shock)) {
        return headline;
    }
    if let Some(headline) = findings.soak.as_ref().and_then(|found| soak::headline(findings, found)) {
        return headline;
    }
    match findings.verdict {
        Verdict::Unjudged if findings.load_line.is_some() => line(findings, Some(unjudged(findings))),
        Verdict::Passed | Verdict::Invalid | Verdict::Interrupted if findings.load_line.is_some() => {
            line(findings, None)
        }
        Verdict::Breached if findings.command == RunKind::Capacity => no_line(findings),
        Verdict::Passed => Headline::Passed {
            any_objective: !findings.objectives.is_empty(),
            seen: Seen {
                throughput_per_s: findings.totals.throughput_per_s,
                completed: findings.totals.completed,
                p99_ms: findings.response_time.p99_ms,
            },
        },
        Verdict::Unjudged => Headline::Unjudged {
            what: unjudged(findings),
        },
        Verdict::Breached => breached(findings),
        Verdict::Invalid => Headline::GeneratorLate,
        Verdict::Interrupted => interrupted(findings),
        Verdict::Failed => failed(findings),
    }
}

fn line(findings: &Findings, unjudged: Option<WhatUnjudged>) -> Headline {
    match &findings.load_line {
        Some(line) => Headline::LoadLine {
            users: line.users,
            concurrent_users: line.concurrent.as_ref().map(|line| line.users),
            failed_users: line.concurrent.as_ref().and_then(|line| line.failed),
            held_connections: line.held.as_ref().map(|line| line.connections),
            failed_connections: line.held.as_ref().and_then(|line| line.failed),
            rate_per_s: line.rate_per_s,
            failed_per_s: line.failed_per_s,
            broke: line.broke.clone(),
            ended_because: line.ended_because,
            unjudged,
        },
        None => interrupted(findings),
    }
}

fn no_line(findings: &Findings) -> Headline {
    let offered = findings.steps.iter().filter_map(|step| step.offered_per_s);
    Headline::NoLoadLine {
        users: !findings.journeys.is_empty(),
        broke: findings.broke().map(|broken| broken.objective.clone()),
        lowest_users: findings.steps.iter().filter_map(|step| step.users).min().map(u64::from),
        lowest_connections: findings
            .steps
            .iter()
            .filter_map(|step| step.connections)
            .min()
            .map(u64::from),
        lowest_per_s: offered.reduce(f64::min),
    }
}

fn unjudged(findings: &Findings) -> WhatUnjudged {
    let nothing = findings.notices.iter().find_map(|notice| match notice {
        Notice::NothingJudged { because } => Some(*because),
        _ => None,
    });
    if nothing.is_some() {
        return WhatUnjudged::Everything { because: nothing };
    }
    let objectives = &findings.objectives;
    let mut without = objectives.iter().filter_map(|o| Some((o, o.unjudged_because?)));
    match without.next() {
        None => WhatUnjudged::Everything { because: None },
        Some((first, because)) => WhatUnjudged::Objectives {
            first: first.objective.clone(),
            because,
            count: 1 + without.count(),
            of: objectives.len(),
        },
    }
}

fn interrupted(findings: &Findings) -> Headline {
    let has = |wanted: fn(&Notice) -> bool| findings.notices.iter().any(wanted);
    let by = if has(|notice| matches!(notice, Notice::Torn(_))) {
        InterruptedBy::LostRecords
    } else if has(|notice| *notice == Notice::HistogramsLost) {
        InterruptedBy::LostHistograms
    } else if has(|notice| *notice == Notice::NoEnd) {
        InterruptedBy::NoEnd
    } else {
        InterruptedBy::Stop
    };
    let judged_nothing = findings.steps.iter().all(|step| step.throughput_per_s.is_none());
    Headline::Interrupted {
        by,
        after_s: findings.duration_s,
        has_figures: findings.hold.is_some() || !judged_nothing,
    }
}

fn breached(findings: &Findings) -> Headline {
    findings
        .broke()
        .map_or(Headline::EveryRequestFailed, |broken| Headline::Breached {
            objective: broken.objective.clone(),
            observed: broken.observed,
            windows_passed: broken.windows_passed,
            windows_judged: broken.windows_judged,
        })
}

fn port_was_taken(findings: &Findings) -> bool {
    let is = |notice: &Notice| matches!(notice, Notice::PortTaken(_));
    findings.notices.iter().any(is)
}

fn agent_was_lost(findings: &Findings) -> bool {
    let is = |notice: &Notice| matches!(notice, Notice::AgentLost(_));
    findings.verdict == Verdict::Invalid && findings.notices.iter().any(is)
}

fn target_died(findings: &Findings) -> bool {
    let is = |notice: &Notice| matches!(notice, Notice::TargetDied(_));
    findings.notices.iter().any(is)
}

fn out_of_memory(findings: &Findings) -> bool {
    let is = |notice: &Notice| matches!(notice, Notice::OutOfMemory(_));
    findings.notices.iter().any(is)
}

fn neighbour_died(findings: &Findings) -> bool {
    let is = |notice: &Notice| matches!(notice, Notice::NeighbourDied(_));
    findings.notices.iter().any(is)
}

fn failed(findings: &Findings) -> Headline {
    if port_was_taken(findings) {
        Headline::PortTaken
    } else if neighbour_died(findings) {
        Headline::NeighbourDied {
            after_s: findings.duration_s,
        }
    } else if out_of_memory(findings) {
        Headline::OutOfMemory {
            after_s: findings.duration_s,
        }
    } else if target_died(findings) {
        Headline::TargetDied {
            after_s: findings.duration_s,
        }
    } else if findings.totals.completed == 0 {
        Headline::NoResponse {
            most: most_charged(findings),
        }
    } else {
        Headline::CouldNotGoOn
    }
}

fn most_charged(findings: &Findings) -> Option<FailureClass> {
    let charged = findings.errors.iter().find(|error| error.charged);
    charged.map(|error| error.class)
}

/// What to do next.
pub(crate) fn next_step(findings: &Findings) -> NextStep {
    if agent_was_lost(findings) {
        return NextStep::SeeAgents;
    }
    if let Some(step) = held_run(findings).and_then(|hold| hold_better(findings, hold)) {
        return step;
    }
    if let Some(step) = findings
        .shock
        .as_ref()
        .and_then(|shock| come_back_better(findings, shock))
    {
        return step;
    }
    if let Some(step) = findings
        .soak
        .as_ref()
        .and_then(|found| soak::next_step(findings, found))
    {
        return step;
    }
    match findings.verdict {
        Verdict::Passed => use_line(findings).unwrap_or(NextStep::FindLine),
        Verdict::Breached => fix(findings),
        Verdict::Invalid => NextStep::RelieveGenerator,
        Verdict::Interrupted => NextStep::RunToEnd,
        Verdict::Unjudged => NextStep::GetJudged {
            because: findings.notices.iter().find_map(|notice| match notice {
                Notice::NothingJudged { because } | Notice::Unjudged { because, .. } => Some(*because),
                _ => None,
            }),
        },
        Verdict::Failed => revive(findings),
    }
}

/// What became of a service that was disturbed; `None` where what is said of every run says it.
fn came_back(findings: &Findings, shock: &ShockFinding) -> Option<Headline> {
    if broke_before_shock(findings) {
        let objective = findings.broke().map(|broken| broken.objective.clone());
        return Some(Headline::BrokenBefore { objective });
    }
    match findings.verdict {
        Verdict::Passed => Some(Headline::Back {
            shock: shock.shock.clone(),
            after_s: shock.back_after_s.filter(|_| shock.broke),
            window_s: shock.window_s,
        }),
        Verdict::Breached | Verdict::Unjudged => Some(Headline::NotBack {
            shock: shock.shock.clone(),
            watched_s: shock.watched_s?,
            state: shock.not_back.clone()?,
        }),
        Verdict::Invalid | Verdict::Interrupted | Verdict::Failed => None,
    }
}

/// What is judged of a run with a shock is what came before that.
fn broke_before_shock(findings: &Findings) -> bool {
    let broke = |step: &StepFinding| step.verdict == StepVerdict::Breached;
    findings.verdict == Verdict::Breached && findings.steps.iter().any(broke)
}

/// What to do next with a service that was disturbed; `None` where what is said of every run says it.
fn come_back_better(findings: &Findings, shock: &ShockFinding) -> Option<NextStep> {
    match (findings.verdict, &shock.not_back) {
        (Verdict::Passed, _) => Some(NextStep::ShockMore),
        (Verdict::Breached, _) if broke_before_shock(findings) => Some(NextStep::LowerBase),
        (Verdict::Breached | Verdict::Unjudged, Some(state)) => Some(NextStep::LetComeBack { state: state.clone() }),
        _ => None,
    }
}

/// What to do with a load line.
fn use_line(findings: &Findings) -> Option<NextStep> {
    let line = findings.load_line.as_ref()?;
    let broke_cpu = |broke: &Condition| broke.quantity == Quantity::Cpu;
    let cost = line
        .cpu_us_per_request
        .filter(|_| line.broke.as_ref().is_some_and(broke_cpu));
    let throttled = findings.notices.iter().find_map(|notice| match notice {
        Notice::Throttled { cpu_cores, .. } => Some(LineThen::RaiseCpuLimit { cpu_cores: *cpu_cores }),
        _ => None,
    });
    let neighbour = findings.ran_out_first.as_ref().map(|full| LineThen::RelieveNeighbour {
        name: full.name.clone(),
    });
    let then = match (line.has_failed(), cost) {
        (false, _) => LineThen::OfferMore,
        _ if !line.converged => LineThen::TakeLonger,
        (_, Some(cpu_us_per_request)) => LineThen::SaveCpu { cpu_us_per_request },
        (_, None) => neighbour.or(throttled).unwrap_or(LineThen::SeeWaits {
            broke: line.broke.clone(),
        }),
    };
    Some(NextStep::UseLine {
        users: line.users,
        concurrent_users: line.concurrent.as_ref().map(|line| line.users),
        held_connections: line.held.as_ref().map(|line| line.connections),
        rate_per_s: line.rate_per_s,
        then,
    })
}

/// What to do about the first objective that broke.
fn fix(findings: &Findings) -> NextStep {
    if let Some(full) = &findings.ran_out_first {
        let name = full.name.clone();
        return NextStep::RelieveNeighbour { name };
    }
    let service = findings.target_resources.as_ref();
    match findings.broke().map(|broken| broken.objective.quantity) {
        Some(Quantity::Cpu) => spread(findings).unwrap_or_else(|| spend_less_cpu(findings)),
        Some(Quantity::Errors | Quantity::JourneyFailed | Quantity::Held) | None => NextStep::SeeErrors {
            most: most_charged(findings),
        },
        Some(Quantity::AchievedRate) => NextStep::LowerRate,
        Some(Quantity::LoopDelay) => NextStep::FreeLoop,
        Some(Quantity::Memory) => NextStep::HoldLessMemory,
        Some(Quantity::Throttled) => service
            .and_then(raise_limit)
            .unwrap_or_else(|| spend_less_cpu(findings)),
        Some(
            Quantity::ResponseTime
            | Quantity::HandshakeTime
            | Quantity::OpeningTime
            | Quantity::JourneyTime
            | Quantity::MessageTime,
        ) => match service {
            Some(service) if service.cpu_share >= 0.9 || has_full_instance(service, 0.9) => spend_less_cpu(findings),
            Some(service) if fills_one_of_its_cores(service) => NextStep::WorkerPerCore,
            Some(service) => raise_limit(service).unwrap_or(NextStep::SeeWaits {
                cpu_share: service.cpu_share,
            }),
            None => NextStep::SampleCpu,
        },
    }
}

/// Where a quota keeps the service from running.
fn raise_limit(service: &TargetFinding) -> Option<NextStep> {
    let throttled_ms_per_s = service.throttled_ms_per_s().filter(|ms| holds_back(*ms))?;
    Some(NextStep::RaiseCpuLimit {
        cpu_cores: service.cpu_cores(),
        throttled_ms_per_s,
    })
}

/// Where one of several instances is much busier than the others.
fn spread(findings: &Findings) -> Option<NextStep> {
    findings.notices.iter().find_map(|notice| match notice {
        Notice::UnevenInstances { number, .. } => Some(NextStep::SpreadRequests { number: *number }),
        _ => None,
    })
}

fn spend_less_cpu(findings: &Findings) -> NextStep {
    let service = findings.target_resources.as_ref();
    let cpu_us_per_request = service.and_then(|service| service.cpu_us_per_request);
    NextStep::SpendLessCpu { cpu_us_per_request }
}

fn revive(findings: &Findings) -> NextStep {
    if port_was_taken(findings) {
        NextStep::SeePort
    } else if neighbour_died(findings) {
        NextStep::SeeNeighbour
    } else if out_of_memory(findings) {
        NextStep::RaiseMemoryLimit
    } else if target_died(findings) {
        NextStep::SeeExit
    } else if findings.totals.completed == 0 {
        NextStep::CheckTarget {
            target: findings.target.clone(),
        }
    } else {
        NextStep::SeeServiceLog
    }
}

const ENDS: &[ErrorClass] = &[
    ErrorClass::Closed,
    ErrorClass::Reset,
    ErrorClass::StreamReset,
    ErrorClass::ResponseTimeout,
    ErrorClass::Malformed,
    ErrorClass::CloseProtocolError,
    ErrorClass::CloseUnsupportedData,
    ErrorClass::CloseInvalidPayload,
    ErrorClass::ClosePolicyViolation,
    ErrorClass::CloseTooBig,
    ErrorClass::CloseInternalError,
    ErrorClass::CloseServiceRestart,
    ErrorClass::CloseTryAgainLater,
    ErrorClass::ClosePrivate,
    ErrorClass::CloseOther,
];
const NOT_OPENED: &[ErrorClass] = &[
    ErrorClass::Refused,
    ErrorClass::Unreachable,
    ErrorClass::ConnectTimeout,
    ErrorClass::Tls,
    // The opening of a WebSocket.
    ErrorClass::Status,
    ErrorClass::NotAdmitted,
];
const GENERATORS_OWN: &[ErrorClass] = &[ErrorClass::NoDescriptor, ErrorClass::NoPort];

/// The most frequent of these failures.
fn most(findings: &Findings, classes: &[ErrorClass]) -> Option<FailureClass> {
    let among = |error: &&ErrorFinding| matches!(error.class, FailureClass::Error(class) if classes.contains(&class));
    findings.errors.iter().find(among).map(|error| error.class)
}

/// The connections of a run that is about them. Those of a search are of one step of many.
fn held_run(findings: &Findings) -> Option<&HoldFinding> {
    findings.hold.as_ref().filter(|_| findings.command != RunKind::Capacity)
}

/// What became of the connections; `None` where what is said of every run says it.
fn held(findings: &Findings, hold: &HoldFinding) -> Option<Headline> {
    let &HoldFinding {
        wanted, opened, live, ..
    } = hold;
    let not_opened = most(findings, NOT_OPENED);
    let streams = hold.connections_max.is_some();
    Some(match findings.verdict {
        Verdict::Passed => Headline::Held {
            connections: live,
            held_s: hold.held_s.unwrap_or_default(),
            messages: hold.messages.as_ref().map(|messages| messages.sent),
            streams,
        },
        Verdict::Breached if hold.lost > 0 => Headline::ConnectionsLost {
            lost: hold.lost,
            opened,
            most: most(findings, ENDS),
            streams,
        },
        Verdict::Breached if opened < wanted && not_opened.is_none() => Headline::PaceNotKept {
            opened,
            wanted,
            streams,
        },
        Verdict::Breached if opened < wanted => Headline::NotAllOpened {
            opened,
            wanted,
            generators_own: false,
            most: not_opened,
            streams,
        },
        Verdict::Breached if findings.totals.errors > 0 => Headline::HeldWithErrors {
            connections: live,
            most: most_charged(findings),
            streams,
        },
        Verdict::Breached => {
            let messages = not_delivered(hold)?;
            Headline::MessagesNotDelivered {
                lost: messages.lost.unwrap_or(0),
                missing: missing(messages),
                doubled: messages.doubled,
                sent: messages.sent,
            }
        }
        Verdict::Invalid => Headline::NotAllOpened {
            opened,
            wanted,
            generators_own: true,
            most: Some(most(findings, GENERATORS_OWN)?),
            streams,
        },
        Verdict::Failed if opened == 0 => Headline::NoneOpened { most: not_opened },
        Verdict::Failed | Verdict::Interrupted | Verdict::Unjudged => return None,
    })
}

/// The messages, where some of them did not arrive, or not once.
fn not_delivered(hold: &HoldFinding) -> Option<&MessageFinding> {
    let messages = hold.messages.as_ref()?;
    (messages.lost.unwrap_or(0) > 0 || missing(messages) > 0 || messages.doubled > 0).then_some(messages)
}

/// Arrivals of messages for several connections that did not come.
fn missing(messages: &MessageFinding) -> u64 {
    let broadcast = messages.broadcast.as_ref();
    broadcast.and_then(|broadcast| broadcast.missing).unwrap_or(0)
}

/// What to do next with held connections; `None` where what is said of every run says it.
fn hold_better(findings: &Findings, hold: &HoldFinding) -> Option<NextStep> {
    let is_most = |class, among| most(findings, among) == Some(FailureClass::Error(class));
    let wanted = hold.wanted;
    let connections = hold.connections_max.unwrap_or(wanted);
    Some(match findings.verdict {
        Verdict::Passed => NextStep::HoldMore {
            connections: connections.saturating_mul(2),
        },
        Verdict::Breached if hold.lost > 0 && hold.connections_max.is_some() => NextStep::SeeServiceLog,
        Verdict::Breached if hold.lost > 0 && is_most(ErrorClass::Closed, ENDS) => NextStep::KeepIdleLonger,
        Verdict::Breached if hold.opened < wanted && most(findings, NOT_OPENED).is_none() => NextStep::LowerPace,
        Verdict::Breached if hold.live < wanted => NextStep::SeeOpenFiles { connections },
        Verdict::Breached if findings.totals.errors == 0 && not_delivered(hold).is_some() => NextStep::SendFewer,
        Verdict::Invalid if is_most(ErrorClass::NoPort, GENERATORS_OWN) => NextStep::MoreAddresses,
        Verdict::Invalid => most(findings, GENERATORS_OWN).map(|_| NextStep::RaiseOpenFiles { connections })?,
        Verdict::Failed if hold.opened == 0 => NextStep::CheckListens {
            target: findings.target.clone(),
        },
        Verdict::Breached | Verdict::Failed | Verdict::Interrupted | Verdict::Unjudged => return None,
    })
}
