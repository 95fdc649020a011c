//! What the service gives to the threadpool: tasks that wait for a thread, and else what takes the CPU there.

use crate::Case;
use crate::cost::Cpu;
use crate::counted::Counted;
use crate::layers::{FOLLOWED_US_MIN, counts};
use crate::own_time::HOT_SHARE_MIN;
use crate::site::Site;
use crate::waiting::{CALLS_MIN, at, is_called, lines};
use plimsoll_findings::{Cause, CauseKind, Evidence, What};
use plimsoll_measure::Profile;

/// A trivial task of an idle threadpool ends after a tenth of a millisecond. It waits for the CPU as well.
const WAIT_MS: f64 = 3.0;
/// The pool takes most of the CPU: this share is not that of main threads …
const CPU_SHARE_MIN: f64 = 0.4;
/// … and a request has this many tasks for it.
const CALLS_PER_REQUEST_MIN: f64 = 0.5;
/// Then tasks wait for a thread, and not for the CPU alone, where this many are under way for each thread on average, …
const UNDER_WAY_MIN: f64 = 0.5;
/// … or where a request has more of them than there are threads, and they take this many times what they use of the CPU: one
/// after the other they would not.
const STRETCH_MIN: f64 = 2.0;
/// What compresses a message on a WebSocket.
const MESSAGES: &str = "ws PerMessageDeflate.compress";
/// Compression of messages takes this share of the CPU: what else the pool does is known to be less.
const MESSAGES_SHARE_MIN: f64 = 0.1;
/// Tasks that take a smaller share of the pool's CPU than this do not explain it: packages with native code use the pool as well.
const EXPLAINED_MIN: f64 = 0.5;

pub(crate) fn causes(case: &Case<'_>, known: &[Cause]) -> Option<Cause> {
    let counted = case.counted?;
    // A message is a task, so many of them wait for threads as well.
    if let Some(cause) = messages(case, counted) {
        return Some(cause);
    }
    let tasks = Tasks::of(case, counted)?;
    if tasks.wait_for_threads() {
        return Some(saturation(case, counted, &tasks));
    }
    if tasks.followed.is_some_and(|seen| seen.stretch < EXPLAINED_MIN) {
        return None;
    }
    work(case, counted, known)
}

/// Whether a cause is work of the threadpool that takes the CPU itself.
pub(crate) const fn takes_the_cpu(cause: &Cause) -> bool {
    matches!(cause.evidence, Evidence::Pool { cpu_share, .. } if cpu_share >= CPU_SHARE_MIN)
}

/// What is known of the tasks.
#[derive(Debug, Clone, Copy)]
struct Tasks {
    per_request: f64,
    threads: u32,
    /// For how long a trivial one waited.
    wait_ms: f64,
    /// Of the CPU of the process what main threads did not use.
    cpu_share: f64,
    followed: Option<Followed>,
}

/// What following some of them said.
#[derive(Debug, Clone, Copy)]
struct Followed {
    /// How many are under way, on average.
    under_way: f64,
    /// How long they take, as a multiple of the CPU that the pool uses for them.
    stretch: f64,
}

impl Tasks {
    /// `None` where there are too few.
    fn of(case: &Case<'_>, counted: &Counted) -> Option<Self> {
        let pool = &counted.pool;
        let functions = counted.functions.iter().filter(|function| function.kind == "pool");
        let calls: u64 = functions.map(|function| function.calls).sum();
        // A trivial task that never ended has waited as well.
        let waits = pool.canaries + u64::from(pool.pending_ns > 0);
        (calls >= CALLS_MIN).then(|| Self {
            per_request: counted.per_request(calls),
            threads: counted.hello.threadpool_size,
            wait_ms: (pool.wait_ns + pool.pending_ns) as f64 / 1e6 / waits.max(1) as f64,
            cpu_share: beside_share(counted),
            followed: case.profile.and_then(|profile| Followed::of(case, profile)),
        })
    }

    fn wait_for_threads(&self) -> bool {
        let trivial_waits = self.wait_ms >= WAIT_MS;
        if self.cpu_share < CPU_SHARE_MIN || self.per_request < CALLS_PER_REQUEST_MIN {
            return trivial_waits;
        }
        let threads = f64::from(self.threads);
        let is_used = self
            .followed
            .is_none_or(|seen| seen.under_way >= threads * UNDER_WAY_MIN);
        let at_once = self.followed.is_none_or(|seen| seen.stretch >= STRETCH_MIN);
        trivial_waits && is_used || self.per_request > threads && at_once
    }
}

impl Followed {
    /// Labels are followed for a part of the time.
    fn of(case: &Case<'_>, profile: &Profile) -> Option<Self> {
        let layers = &profile.layers;
        let followed_us = layers.followed_us();
        let task_us: u64 = counts(layers).map(|(_, counts)| counts.task_us).sum();
        let part = followed_us as f64 / case.busy_us;
        (followed_us >= FOLLOWED_US_MIN && task_us > 0 && profile.pool_us > 0).then(|| Self {
            under_way: task_us as f64 / (part * case.span_us),
            stretch: task_us as f64 / (part * profile.pool_us as f64),
        })
    }
}

fn saturation(case: &Case<'_>, counted: &Counted, tasks: &Tasks) -> Cause {
    let Tasks {
        per_request,
        threads,
        wait_ms,
        cpu_share,
        ..
    } = *tasks;
    let evidence = Evidence::Pool {
        per_request,
        threads,
        wait_ms,
        cpu_share,
    };
    let cause = Cause {
        per_request: Some(per_request),
        wait_ms_per_request: Some((wait_ms * per_request.min(1.0)).min(case.mean_ms().unwrap_or(f64::INFINITY))),
        ..Cause::of(CauseKind::ThreadpoolSaturation, evidence)
    };
    at(lines(case, counted, "pool", is_called), cause)
}

/// What the tasks cost, unless another cause has their line.
fn work(case: &Case<'_>, counted: &Counted, known: &[Cause]) -> Option<Cause> {
    let mut functions: Vec<_> = counted
        .functions
        .iter()
        .filter(|function| function.kind == "pool" && function.calls > 0)
        .collect();
    // Files and names are waited for. Where anything is computed, that takes the CPU.
    if functions.iter().any(|function| computes(&function.name)) {
        functions.retain(|function| computes(&function.name));
    }
    functions.sort_by_key(|function| std::cmp::Reverse(function.calls));
    let calls: u64 = functions.iter().map(|function| function.calls).sum();
    let bytes: u64 = functions.iter().map(|function| function.bytes).sum();
    let calling_ns = functions.iter().map(|function| function.ns).sum();
    let is_computed = functions.iter().all(|function| computes(&function.name));
    let pool_share = pool_share(case, counted, is_computed)?;
    if calls < CALLS_MIN || counted.per_request(calls) < CALLS_PER_REQUEST_MIN {
        return None;
    }
    let share = (pool_share + case.counted_share(CauseKind::ThreadpoolWork, calling_ns)).min(1.0);
    let per_request = counted.per_request(calls);
    let cost_us = case.us_of_share(share);
    let names: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
    let is_one = |site: &Site| is_called(site) && names.contains(&site.counter);
    let lines = lines(case, counted, "pool", is_one);
    let cause = Cause {
        per_request: Some(per_request),
        cpu_us_per_request: cost_us,
        cpu_share: Some(share),
        ..Cause::new(
            CauseKind::ThreadpoolWork,
            What::Calls {
                functions: names,
                again: false,
                stop_loop: false,
            },
            Evidence::Calls {
                per_request,
                us_per_call: cost_us.unwrap_or_default() / per_request,
                mean_bytes: bytes as f64 / calls as f64,
                repeated_share: None,
            },
        )
    };
    let cause = at(lines, cause);
    let has_line = |known: &Cause| known.place.is_some() && known.place == cause.place && known.cpu_share.is_some();
    (!known.iter().any(has_line)).then_some(cause)
}

/// What the compression of messages costs, where most of what the pool computes is that.
fn messages(case: &Case<'_>, counted: &Counted) -> Option<Cause> {
    let computed = counted
        .functions
        .iter()
        .filter(|function| function.kind == "pool" && computes(&function.name));
    let all_calls: u64 = computed.map(|function| function.calls).sum();
    let function = counted
        .functions
        .iter()
        .find(|function| function.kind == "pool" && function.name == MESSAGES)?;
    let (calls, per_request) = (function.calls, counted.per_request(function.calls));
    if calls < CALLS_MIN || per_request < CALLS_PER_REQUEST_MIN || calls * 2 <= all_calls {
        return None;
    }
    let pool_share = match case.profile.filter(|profile| profile.pool_us > 0) {
        Some(profile) => Cpu::of(case, profile).pool_share,
        None => Some(beside_share(counted)).filter(|share| *share >= CPU_SHARE_MIN)?,
    };
    let share = (pool_share + case.counted_share(CauseKind::MessageCompression, function.ns)).min(1.0);
    if share < MESSAGES_SHARE_MIN {
        return None;
    }
    let cost_us = case.us_of_share(share);
    let cause = Cause {
        per_request: Some(per_request),
        cpu_us_per_request: cost_us,
        cpu_share: Some(share),
        ..Cause::new(
            CauseKind::MessageCompression,
            What::Calls {
                functions: vec![MESSAGES.to_owned()],
                again: false,
                stop_loop: false,
            },
            Evidence::Calls {
                per_request,
                us_per_call: cost_us.unwrap_or_default() / per_request,
                mean_bytes: function.bytes as f64 / calls as f64,
                repeated_share: None,
            },
        )
    };
    let is_one = |site: &Site| is_called(site) && site.counter == MESSAGES;
    Some(at(lines(case, counted, "pool", is_one), cause))
}

/// Whether tasks of a function compute, rather than wait for files or for names.
fn computes(function: &str) -> bool {
    let is_random = function.starts_with("crypto.random");
    (function.starts_with("crypto.") && !is_random) || function.starts_with("zlib.") || function == MESSAGES
}

/// Of the CPU of the service what the pool uses, if that is much: as threads were told apart, or else all that main threads do not
/// use, where something is computed and most of it can be nothing else.
fn pool_share(case: &Case<'_>, counted: &Counted, is_computed: bool) -> Option<f64> {
    match case.profile.filter(|profile| profile.pool_us > 0) {
        Some(profile) => Some(Cpu::of(case, profile).pool_share).filter(|share| *share >= HOT_SHARE_MIN),
        None => Some(beside_share(counted)).filter(|share| *share >= CPU_SHARE_MIN && is_computed),
    }
}

fn beside_share(counted: &Counted) -> f64 {
    let known_ns = counted.main_ns.saturating_add(counted.started_ns);
    counted.process_ns.saturating_sub(known_ns) as f64 / counted.process_ns.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four threads.
    fn waits(per_request: f64, wait_ms: f64, cpu_share: f64, followed: Option<(f64, f64)>) -> bool {
        let followed = followed.map(|(under_way, stretch)| Followed { under_way, stretch });
        Tasks {
            per_request,
            threads: 4,
            wait_ms,
            cpu_share,
            followed,
        }
        .wait_for_threads()
    }

    #[test]
    fn a_pool_that_takes_the_cpu_is_full_where_tasks_wait_for_threads() {
        // One costly task for each request, which a trivial one hardly waits for.
        assert!(!waits(1.0, 0.6, 0.9, None));
        assert!(!waits(1.0, 0.6, 0.9, Some((0.5, 1.3))));
        // Where it does, that may be for the CPU.
        assert!(waits(1.0, 5.0, 0.9, None));
        assert!(!waits(1.0, 5.0, 0.9, Some((0.5, 1.3))));
        assert!(waits(1.0, 5.0, 0.9, Some((3.5, 4.0))));
        // More tasks at once than threads, and as many one after the other.
        assert!(waits(12.0, 0.4, 0.9, None));
        assert!(waits(12.0, 0.4, 0.9, Some((1.2, 9.0))));
        assert!(!waits(12.0, 0.4, 0.9, Some((0.5, 1.1))));
    }

    #[test]
    fn a_pool_that_waits_for_others_is_full_where_a_trivial_task_waits() {
        assert!(waits(0.2, 5.0, 0.1, Some((0.5, 40.0))));
        assert!(!waits(12.0, 0.4, 0.1, Some((3.0, 40.0))));
    }
}
