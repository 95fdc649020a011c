//! What breaks a response time while the CPU has room: an event loop that stands still or waits, and a threadpool that is full.

use crate::Case;
use crate::rate;
use crate::synchronous::COUNTED;
use plimsoll_findings::{Bound, BoundBecause, Cause, CauseKind, Evidence, What};

/// What stops the loop for this share of the response time that broke explains the breach: requests queue behind it.
const OF_BOUND_MIN: f64 = 0.5;
/// Where nothing is known that stops it, the loop is late as often as this, per second, and so many times.
const LATE_PER_S_MIN: f64 = 0.2;
const LATE_MIN: u64 = 3;
/// The loop is as full as this where the objective broke, …
const LOOP_FULL: f64 = 0.85;
/// … a core no busier than this, …
const CORE_BUSY_MAX: f64 = 0.7;
/// … and calls that block take this share of the time that the loop is busy.
const BLOCKING_SHARE_MIN: f64 = 0.3;
/// A request waits for the threadpool or for a connection for this share of its time; or the pool does this share of the work.
const POOL_WAIT_SHARE_MIN: f64 = 0.25;
const POOL_CPU_SHARE_MIN: f64 = 0.4;

/// Collections of all memory take long where much is kept.
pub(crate) fn collections_stop(case: &Case<'_>, causes: &[Cause]) -> Option<(Bound, BoundBecause)> {
    let (bound_ms, _) = case.response_bound()?;
    let major = case.counted?.gc.major;
    let pause_ms = major.ns as f64 / 1e6 / major.count.max(1) as f64;
    let keeps = causes.iter().any(|cause| of_memory(cause.kind));
    (keeps && pause_ms >= bound_ms * OF_BOUND_MIN)
        .then_some((Bound::Memory, BoundBecause::CollectionsStop { pause_ms }))
}

/// Something rare stops the event loop.
pub(crate) fn loop_stands(case: &Case<'_>, causes: &[Cause]) -> Option<(Bound, BoundBecause)> {
    let (bound_ms, _) = case.response_bound()?;
    let event_loop = &case.counted?.event_loop;
    let stalls = || causes.iter().filter(|cause| cause.kind == CauseKind::EventLoopStall);
    let longest_run_ms = stalls().map(run_ms).fold(0.0, f64::max);
    let late_ms = event_loop.longest_delay_ns as f64 / 1e6;
    if longest_run_ms >= bound_ms * OF_BOUND_MIN {
        return Some((
            Bound::EventLoop,
            BoundBecause::LoopStands {
                longest_ms: longest_run_ms.max(late_ms),
                share: Some(stalls().map(|cause| time_share(case, cause)).sum::<f64>().min(1.0)),
            },
        ));
    }
    // Beats that came so late, by the bounds between which they are counted.
    let mut from_ns = 0;
    let mut late = 0;
    for (to_ns, count) in &event_loop.delays {
        if from_ns as f64 / 1e6 >= bound_ms * OF_BOUND_MIN {
            late += count;
        }
        from_ns = to_ns.unwrap_or(from_ns);
    }
    let often = late as f64 >= case.counted?.span_s * LATE_PER_S_MIN;
    (late_ms >= bound_ms && late >= LATE_MIN && often).then_some((
        Bound::EventLoop,
        BoundBecause::LoopStands {
            longest_ms: late_ms,
            share: None,
        },
    ))
}

/// The loop is full of calls that wait, while the CPU is not.
pub(crate) fn loop_waits(case: &Case<'_>, causes: &[Cause], busy: Option<f64>) -> Option<(Bound, BoundBecause)> {
    let broke_per_s = case.broke.as_ref()?.rate_per_s?;
    let busy = busy.filter(|busy| *busy <= CORE_BUSY_MAX)?;
    let full = loop_share(case)? * broke_per_s / rate(case.plain)?;
    let blocks = |cause: &&Cause| COUNTED.contains(&cause.kind);
    let blocking: f64 = causes.iter().filter(blocks).map(|cause| time_share(case, cause)).sum();
    if full < LOOP_FULL || blocking < BLOCKING_SHARE_MIN * loop_share(case)? {
        return None;
    }
    let first = causes
        .iter()
        .filter(blocks)
        .max_by(|a, b| time_share(case, a).total_cmp(&time_share(case, b)));
    let in_terminal = first.is_some_and(writes_output) && case.counted?.hello.stdout == "tty";
    let bound = if in_terminal { Bound::Terminal } else { Bound::EventLoop };
    Some((
        bound,
        BoundBecause::LoopWaits {
            full: full.min(1.0),
            busy,
        },
    ))
}

/// Tasks wait for a thread of the threadpool.
pub(crate) fn pool_full(case: &Case<'_>, causes: &[Cause]) -> Option<(Bound, BoundBecause)> {
    case.response_bound()?;
    let found = causes
        .iter()
        .find(|cause| cause.kind == CauseKind::ThreadpoolSaturation)?;
    let Evidence::Pool {
        threads,
        wait_ms,
        cpu_share,
        ..
    } = found.evidence
    else {
        return None;
    };
    let waits = found.wait_ms_per_request.unwrap_or(0.0) >= case.mean_ms()? * POOL_WAIT_SHARE_MIN;
    (waits || cpu_share >= POOL_CPU_SHARE_MIN)
        .then_some((Bound::Threadpool, BoundBecause::PoolFull { threads, wait_ms }))
}

/// Requests wait for a connection of a pool for a good part of their time.
pub(crate) fn connections_taken(case: &Case<'_>, causes: &[Cause]) -> Option<(Bound, BoundBecause)> {
    case.response_bound()?;
    let share_and_size = |cause: &Cause| match cause.evidence {
        Evidence::Connections {
            size,
            wait_ms,
            request_ms,
            ..
        } if request_ms > 0.0 => Some((wait_ms / request_ms, size)),
        _ => None,
    };
    let (share, size) = causes.iter().find_map(share_and_size)?;
    (share >= POOL_WAIT_SHARE_MIN).then_some((Bound::ConnectionPool, BoundBecause::ConnectionsTaken { size, share }))
}

/// Whether a cause of this kind is what the bound is about, so that fixing it moves the line.
pub(crate) fn is_about(bound: Bound, cause: &Cause) -> bool {
    match bound {
        Bound::Cpu => true,
        Bound::EventLoop => COUNTED.contains(&cause.kind),
        Bound::Threadpool => cause.kind == CauseKind::ThreadpoolSaturation,
        // Whoever makes fewer calls, or holds a connection for less time, needs fewer.
        Bound::ConnectionPool => matches!(
            cause.kind,
            CauseKind::ConnectionPool | CauseKind::RepeatedUpstream | CauseKind::UpstreamNoKeepalive
        ),
        Bound::Memory => of_memory(cause.kind),
        Bound::Terminal => writes_output(cause),
        // Whoever makes fewer calls asks less of it.
        Bound::Upstream | Bound::Neighbour => matches!(
            cause.kind,
            CauseKind::SerialAwaits | CauseKind::RepeatedUpstream | CauseKind::UpstreamNoKeepalive
        ),
        Bound::Neither | Bound::Unknown => false,
    }
}

/// Share of the time in which the event loop does nothing else, at the rate of the diagnosis.
pub(crate) fn time_share(case: &Case<'_>, cause: &Cause) -> f64 {
    let us = match cause.evidence {
        // Of calls that wait the CPU is less than the time.
        Evidence::Calls {
            per_request,
            us_per_call,
            ..
        } => Some(per_request * us_per_call),
        _ => cause.cpu_us_per_request,
    };
    let threads = case.counted.map_or(1, |counted| counted.threads.max(1));
    us.unwrap_or(0.0) * rate(case.plain).unwrap_or(0.0) / 1e6 / f64::from(threads)
}

/// Share of the time in which the event loop is busy, at the rate of the diagnosis.
pub(crate) fn loop_share(case: &Case<'_>) -> Option<f64> {
    let event_loop = &case.counted?.event_loop;
    let all_ns = event_loop.active_ns.saturating_add(event_loop.idle_ns);
    (all_ns > 0).then(|| event_loop.active_ns as f64 / all_ns as f64)
}

/// How long a stall lasts, ms.
fn run_ms(cause: &Cause) -> f64 {
    match cause.evidence {
        Evidence::Stall { longest_run_ms, .. } => longest_run_ms,
        Evidence::Calls { us_per_call, .. } => us_per_call / 1e3,
        _ => 0.0,
    }
}

const fn of_memory(kind: CauseKind) -> bool {
    matches!(kind, CauseKind::HeapGrowth | CauseKind::Gc)
}

/// Whether it writes to standard output, which may be a terminal.
pub(crate) fn writes_output(cause: &Cause) -> bool {
    let to_output = |name: &String| {
        name.starts_with("console.") || name == "process.stdout.write" || name == "process.stderr.write"
    };
    matches!(&cause.what, What::Calls { functions, .. } if functions.iter().any(to_output))
}
