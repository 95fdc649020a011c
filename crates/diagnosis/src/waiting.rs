//! Causes that cost time without costing CPU, or that are seen from outside: connections, headers, memory, cores that
//! nobody uses.

use crate::Case;
use crate::bound::busy_core;
use crate::counted::Counted;
use crate::hot::garbage_from;
use crate::place::via;
use crate::site::Site;
use plimsoll_findings::{Assumption, Cause, CauseKind, Evidence, Place, Predicted};

/// A request waits for this share of its time until a connection of a pool is free, and for as long as this: a pool of which two thirds
/// are taken makes requests that come at random wait as well.
const CONNECTION_WAIT_SHARE_MIN: f64 = 0.2;
const CONNECTION_WAIT_MS_MIN: f64 = 0.1;
/// This share of calls or requests opens a connection that none of them would have needed.
pub(crate) const CONNECTION_SHARE_MIN: f64 = 0.5;
/// This share of the requests makes a handshake, and this share of the handshakes is full.
const HANDSHAKE_SHARE_MIN: f64 = 0.05;
const FULL_SHARE_MIN: f64 = 0.9;
/// Where the generator gave up on more than this share of the requests, connections and memory say nothing of the service.
const GIVEN_UP_MAX: f64 = 0.01;
/// Too few to say anything of.
pub(crate) const CALLS_MIN: u64 = 20;
const RESPONSES_MIN: u64 = 20;
/// Texts below this are not worth compressing, bytes.
const TEXT_BYTES_MIN: f64 = 2048.0;
/// From the first major collection to the last the heap grows by at least this, bytes, and by this share of itself.
const GROWTH_BYTES_MIN: f64 = 4e6;
const GROWTH_SHARE_MIN: f64 = 0.25;

pub(crate) fn causes(case: &Case<'_>) -> Vec<Cause> {
    let Some(counted) = case.counted else {
        return Vec::new();
    };
    [
        connection_pool(counted, case),
        connections(counted, case),
        handshakes(counted, case),
        compression(counted),
        etag(counted),
        growth(counted, case),
        one_core(counted, case),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The lines from which functions of one kind are called, most calls first. A stack that does not reach the service's
/// own code ends in a package; then it is the lines from which that package is called for other things. Of sites that `counts` alone.
pub(crate) fn lines(
    case: &Case<'_>,
    counted: &Counted,
    kind: &str,
    counts: impl Fn(&Site) -> bool,
) -> Vec<(Place, Option<String>)> {
    let of_kind = |site: &&Site| {
        let function = counted.functions.iter().find(|function| function.name == site.counter);
        function.is_some_and(|function| function.kind == kind) && counts(site)
    };
    let mut sites: Vec<&Site> = counted.sites.iter().filter(of_kind).collect();
    sites.sort_by_key(|site| std::cmp::Reverse(site.calls));
    let mut lines = distinct(case, sites.iter().copied());
    if lines.is_empty() {
        let through = sites.first().and_then(|site| via(&site.frames));
        let others = counted
            .sites
            .iter()
            .filter(|site| site.calls >= CALLS_MIN && via(&site.frames) == through);
        lines = distinct(case, others.filter(|_| through.is_some()));
        lines.sort_by(|(a, _), (b, _)| (&a.file, a.line).cmp(&(&b.file, b.line)));
    }
    lines
}

/// Whether anything came from there in the window.
pub(crate) const fn is_called(site: &Site) -> bool {
    site.calls > 0
}

fn distinct<'a>(case: &Case<'_>, sites: impl Iterator<Item = &'a Site>) -> Vec<(Place, Option<String>)> {
    let mut lines: Vec<(Place, Option<String>)> = Vec::new();
    for site in sites {
        if let Some(place) = case.places.of_site(&site.frames)
            && !lines.iter().any(|(known, _)| *known == place)
        {
            lines.push((place, via(&site.frames)));
        }
    }
    lines
}

/// A cause at the first of these lines.
pub(crate) fn at(lines: Vec<(Place, Option<String>)>, cause: Cause) -> Cause {
    let mut lines = lines.into_iter();
    let (place, via) = lines.next().unzip();
    Cause {
        place,
        via: via.flatten(),
        other_places: lines.map(|(place, _)| place).take(4).collect(),
        ..cause
    }
}

/// The pool of connections that requests wait for longest. Pools of one package may stand in front of each other, so that the same
/// wait is that of two.
fn connection_pool(counted: &Counted, case: &Case<'_>) -> Option<Cause> {
    let pool = counted.pools.iter().max_by_key(|pool| pool.waiting_ns)?;
    let wait_ns = counted.per_request(pool.waiting_ns);
    let share = wait_ns / counted.mean_ns().filter(|mean_ns| *mean_ns > 0.0)?;
    if share < CONNECTION_WAIT_SHARE_MIN || wait_ns / 1e6 < CONNECTION_WAIT_MS_MIN || pool.asked < CALLS_MIN {
        return None;
    }
    // As a part of a mean request of the plain pass; calls at the same time wait for longer than the request takes.
    let request_ms = case.mean_ms().or_else(|| Some(counted.mean_ns()? / 1e6))?;
    let wait_ms = share.min(1.0) * request_ms;
    let evidence = Evidence::Connections {
        name: pool.name.clone(),
        size: Some(pool.size).filter(|size| *size > 0),
        per_request: counted.per_request(pool.asked),
        wait_ms,
        request_ms,
    };
    let cause = Cause {
        per_request: Some(counted.per_request(pool.asked)),
        wait_ms_per_request: Some(wait_ms),
        ..Cause::of(CauseKind::ConnectionPool, evidence)
    };
    let asking = lines(case, counted, "connection", is_called);
    // An agent is asked within the call of the client.
    let asking = if asking.is_empty() {
        lines(case, counted, "fetch", is_called)
    } else {
        asking
    };
    Some(at(asking, cause))
}

/// A client that keeps its connections opens as many as it uses at once; what is opened beyond that was closed too early.
pub(crate) fn avoidable(opened: u64, most_at_once: u64) -> u64 {
    opened.saturating_sub(most_at_once)
}

fn connections(counted: &Counted, case: &Case<'_>) -> Option<Cause> {
    let avoidable = avoidable(counted.requests.connections, counted.requests.connections_peak);
    // The plan may ask for a connection each, and who gives up closes one; that is not the service's doing.
    let ours = !case.plan.connections().keep_alive || case.given_up > GIVEN_UP_MAX;
    if ours || counted.requests.started < CALLS_MIN || counted.per_request(avoidable) < CONNECTION_SHARE_MIN {
        return None;
    }
    let share = counted.per_request(counted.requests.connections);
    Some(Cause {
        per_request: Some(share),
        ..Cause::of(
            CauseKind::NoKeepalive,
            Evidence::ClientConnections { per_request: share },
        )
    })
}

/// A client that resumes sessions where it may, and cannot.
fn handshakes(counted: &Counted, case: &Case<'_>) -> Option<Cause> {
    let requests = &counted.requests;
    let (full, all) = (
        requests.handshakes_full,
        requests.handshakes_full + requests.handshakes_resumed,
    );
    let (per_request, full_share) = (counted.per_request(all), full as f64 / all.max(1) as f64);
    // The plan may ask for full ones.
    let ours = !case.plan.resumes_sessions();
    if ours || all < CALLS_MIN || per_request < HANDSHAKE_SHARE_MIN || full_share < FULL_SHARE_MIN {
        return None;
    }
    Some(Cause {
        per_request: Some(per_request),
        ..Cause::of(
            CauseKind::FullHandshakes,
            Evidence::Handshakes {
                per_request,
                full_share,
            },
        )
    })
}

fn compression(counted: &Counted) -> Option<Cause> {
    let seen = &counted.responses;
    let mean_bytes = seen.compressible_bytes as f64 / seen.compressible.max(1) as f64;
    let often = seen.compressible * 2 >= seen.sampled && seen.accepts_encoding * 2 >= seen.compressible;
    let plain = seen.compressed == 0 && mean_bytes >= TEXT_BYTES_MIN;
    (seen.sampled >= RESPONSES_MIN && often && plain)
        .then(|| Cause::of(CauseKind::NoCompression, Evidence::Uncompressed { mean_bytes }))
}

/// A client that asks on a condition holds a response already; without a tag it gets the same one in full.
fn etag(counted: &Counted) -> Option<Cause> {
    let seen = &counted.responses;
    let mean_bytes = seen.body_bytes as f64 / seen.sampled.max(1) as f64;
    let asked = seen.conditional * 2 >= seen.get && seen.get >= RESPONSES_MIN;
    let evidence = Evidence::Conditional {
        share: seen.conditional as f64 / seen.get.max(1) as f64,
        mean_bytes,
    };
    (asked && seen.not_modified == 0).then(|| Cause::of(CauseKind::NoEtag, evidence))
}

fn growth(counted: &Counted, case: &Case<'_>) -> Option<Cause> {
    // Requests that the service is still at are kept for as long.
    if case.given_up > GIVEN_UP_MAX {
        return None;
    }
    let mut grown = 0.0;
    for heap in &counted.heaps {
        let (Some(&first), Some(&last)) = (heap.first(), heap.last()) else {
            continue;
        };
        let by = last as f64 - first as f64;
        let rises = heap.windows(2).all(|pair| pair[1] > pair[0]);
        if rises && by >= GROWTH_BYTES_MIN && by >= first as f64 * GROWTH_SHARE_MIN {
            grown += by;
        }
    }
    (grown > 0.0).then(|| Cause {
        place: garbage_from(case),
        ..Cause::of(
            CauseKind::HeapGrowth,
            Evidence::Growth {
                bytes: grown,
                bytes_per_request: counted.per_request(1) * grown,
                limit_bytes: counted.hello.heap_limit_bytes,
                over_s: counted.span_s,
            },
        )
    })
}

/// One thread does everything while the cores beside it have nothing to do.
fn one_core(counted: &Counted, case: &Case<'_>) -> Option<Cause> {
    let service = case.plain.target_resources.as_ref()?;
    // A quota may grant less than the cores have.
    let factor = service.cpu_cores();
    if busy_core(case).is_none() || counted.threads != 1 || factor < 2.0 {
        return None;
    }
    Some(Cause {
        predicted: Some(Predicted {
            load_line_per_s: case.line.map(|line| line.rate_per_s * factor),
            users: case.line.is_some_and(|line| line.users),
            factor,
            low: 1.0,
            high: Some(factor),
            at_least: false,
            response_time: None,
            next: None,
            assumption: Assumption::NothingShared,
        }),
        ..Cause::of(CauseKind::OneCoreBusy, Evidence::OneProcess { cores: service.cores })
    })
}
