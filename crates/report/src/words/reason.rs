//! Why something was not judged, is invalid, has ended.

use crate::figures;
use plimsoll_findings::{Crowd, EndedBecause, Late, Unjudged, Unsteady, Windows};

pub(crate) const GENERATOR_HINT: &str =
    "give the generator more cores or a machine of its own; `plimsoll doctor` checks this one";
pub(crate) const CPU_HINT: &str = "let plimsoll start the service, or name its process, so that its CPU can be sampled";

/// A fragment that fits after "was not judged: ".
pub(crate) fn unjudged(because: Unjudged) -> String {
    match because {
        Unjudged::NothingMeasured => "nothing was measured".to_owned(),
        Unjudged::WarmUp { warm_up_s } => {
            format!("the run ended within its warm-up of {}", figures::length_s(warm_up_s))
        }
        Unjudged::CutShort => "the run ended before that was decided".to_owned(),
        Unjudged::GeneratorLate => "the generator was the bottleneck".to_owned(),
        Unjudged::NoCpu => "the CPU of the service could not be sampled".to_owned(),
        Unjudged::ShortWindows => "no judged window was long enough to take a share of CPU".to_owned(),
        Unjudged::NoMemory => "the memory of the service could not be sampled".to_owned(),
        Unjudged::NoLoop => "nothing was heard of the event loop of the service".to_owned(),
        Unjudged::NoQuota => "no quota of CPU time (cgroup) bounds the service".to_owned(),
        Unjudged::NoResponse => "no response came in a judged window".to_owned(),
        Unjudged::NoHandshake => "no TLS handshake ended in a judged window".to_owned(),
        Unjudged::NoOpening => "no WebSocket was opened in a judged window".to_owned(),
        Unjudged::NoJourney => "no user came to the end of a journey in a judged window".to_owned(),
        Unjudged::NoJourneyEnded => "no journey of a user ended in a judged window".to_owned(),
        Unjudged::NothingFinished => "no request finished in a judged window".to_owned(),
        Unjudged::NothingScheduled => "no request was due in a judged window".to_owned(),
        Unjudged::NoMessage => "the service accepted no message".to_owned(),
        Unjudged::HistogramsLost => "the histograms that it would be judged by are lost".to_owned(),
    }
}

pub(crate) const fn unjudged_hint(because: Unjudged) -> &'static str {
    match because {
        Unjudged::NothingMeasured | Unjudged::WarmUp { .. } | Unjudged::ShortWindows => {
            "run longer than the warm-up, or make the warm-up shorter"
        }
        Unjudged::CutShort => "run it again to its end",
        Unjudged::GeneratorLate => GENERATOR_HINT,
        Unjudged::NoCpu | Unjudged::NoMemory => CPU_HINT,
        Unjudged::NoLoop => "let the service be one of Node.js that loads the probe: the notices say why it did not",
        Unjudged::NoQuota => "give the service the limit that it has in production: `target.limits.cpu` or --cpu-limit",
        Unjudged::NoResponse | Unjudged::NothingFinished => {
            "run longer, and check that the service responds in that time"
        }
        Unjudged::NoHandshake | Unjudged::NoOpening => {
            "let each request open a connection: `connections.keep_alive: false` or --no-keepalive"
        }
        Unjudged::NoJourney | Unjudged::NoJourneyEnded => "run longer than a journey takes with its pauses",
        Unjudged::NothingScheduled => "run longer, or at a higher rate",
        Unjudged::NoMessage => "run longer than it takes until an action is due",
        Unjudged::HistogramsLost => "run it again",
    }
}

/// What the generator lacked.
pub(crate) fn late(late: Late) -> String {
    let (cause, Windows { windows, judged }) = match late {
        Late::OutOfResources { requests } => {
            return format!(
                "the generator ran out of local ports or descriptors for {}",
                figures::counted(requests, "request")
            );
        }
        Late::WokeLate {
            share,
            bound_ms,
            windows,
        } => (
            format!(
                "the generator itself woke more than {} late for {}",
                figures::duration_ms(bound_ms),
                match share {
                    0.0 => "a start".to_owned(),
                    share => format!("{} of the starts", figures::share(share)),
                }
            ),
            windows,
        ),
        Late::Busy { share, windows } => (
            format!("a generator thread was at least {} busy", figures::share(share)),
            windows,
        ),
        Late::Interrupted { share, windows } => (
            format!(
                "a core of the generator spent at least {} of its time in soft interrupts",
                figures::share(share)
            ),
            windows,
        ),
        Late::Throttled { share, windows } => (
            format!(
                "a CPU quota (cgroup) stopped threads of the generator for at least {} of the time",
                figures::share(share)
            ),
            windows,
        ),
    };
    format!("{cause} in {windows} of {judged} windows")
}

/// Why a search ended.
pub(crate) fn ended(because: EndedBecause) -> String {
    match because {
        EndedBecause::Converged => {
            "the bracket is as narrow as was asked for and both its ends are confirmed".to_owned()
        }
        EndedBecause::BudgetSpent => "the time budget of the search was spent".to_owned(),
        EndedBecause::MaxPassed => "the most that the search may offer passed".to_owned(),
        EndedBecause::GeneratorLimitOfUsers { users } => {
            format!("the generator could not offer {}", figures::concurrent(users as f64))
        }
        EndedBecause::GeneratorLimitOfConnections { connections } => format!(
            "the generator could not hold {}",
            figures::at_a_time(Crowd::Connections, connections as f64)
        ),
        EndedBecause::GeneratorLimit { rate_per_s } => {
            format!("the generator could not offer {}", figures::rate(rate_per_s))
        }
        EndedBecause::NothingPassed => "not even the lowest load passed".to_owned(),
        EndedBecause::Stopped => "the run stopped before the search was over".to_owned(),
    }
}

/// What keeps a service from being warm.
pub(crate) fn unsteady(because: Unsteady) -> String {
    match because {
        Unsteady::CpuPerRequest { fell } => format!("CPU per request still fell by {}", figures::share(fell)),
        Unsteady::Queue { least, most } => format!(
            "its queue was not steady, with {} to {} requests in it",
            figures::count(least),
            figures::count(most)
        ),
    }
}
