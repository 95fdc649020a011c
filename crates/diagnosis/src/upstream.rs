//! Calls to other services: repeated, in a row, and over connections of their own.
//!
//! What one request does is known of those that were traced. What requests that are equal ask for again is the doing of the
//! load: it is no finding.

use crate::Case;
use crate::callers::{CallLine, lines_of};
use crate::counted::Counted;
use crate::traced::Traced;
use crate::waiting::{CALLS_MIN, CONNECTION_SHARE_MIN, avoidable};
use plimsoll_findings::{Cause, CauseKind, Evidence};
use plimsoll_measure::probe::{SiteFrame, TracedSite, UpstreamCounter};

/// What would go is at least this share of a request's time …
const TIME_SHARE_MIN: f64 = 0.05;
/// … or of its calls, for a call costs more than the time of whoever waits for it.
const CALL_SHARE_MIN: f64 = 0.5;
/// Superfluous calls per request: a response that is kept for a while is asked for less often.
const AGAIN_MIN: f64 = 0.1;
/// Calls in a row take at least this share of a request's time beyond the longest of them.
const SERIES_SHARE_MIN: f64 = 0.1;
/// Without a trace: calls per request, of which some could be made at once …
const SERIAL_CALLS_MIN: f64 = 1.9;
/// … which in a row take up to the whole time of the request, and next to each other a multiple of it.
const SERIAL_SHARE: std::ops::RangeInclusive<f64> = 0.4..=1.1;
/// Most calls, but for those that a request repeats itself, are for a URL that was asked for a moment ago.
const REPEATED_SHARE_MIN: f64 = 0.5;

pub(crate) fn causes(case: &Case<'_>) -> Vec<Cause> {
    let Some(counted) = case.counted else {
        return Vec::new();
    };
    let calls = Calls { counted, case };
    if calls.requests() < CALLS_MIN {
        return Vec::new();
    }
    let of_requests = match &counted.traced {
        Some(traced) => vec![calls.repeated(traced), calls.shared(traced), calls.series(traced)],
        None => vec![calls.serial_by_time()],
    };
    of_requests.into_iter().chain([calls.connections()]).flatten().collect()
}

/// The load asks for the same again and again, so nobody can see whether requests that differ would ask others for the same.
pub(crate) fn hides_repetition(counted: &Counted) -> bool {
    let Some(traced) = &counted.traced else { return false };
    let calls = counted.of_upstream(|upstream| upstream.requests);
    let repeated = counted.of_upstream(|upstream| upstream.repeated);
    let share = repeated as f64 / calls.max(1) as f64;
    // What a request repeats itself is known.
    let within = traced.sums.repeated as f64 / traced.sums.calls.max(1) as f64;
    let between = share - within;
    traced.sums.kinds <= 1 && calls >= CALLS_MIN && between >= REPEATED_SHARE_MIN * (1.0 - within).max(0.5)
}

struct Calls<'a> {
    counted: &'a Counted,
    case: &'a Case<'a>,
}

impl Calls<'_> {
    fn requests(&self) -> u64 {
        self.counted.of_upstream(|upstream| upstream.requests)
    }

    /// Calls for what the same request asked before.
    fn repeated(&self, traced: &Traced) -> Option<Cause> {
        let sums = &traced.sums;
        self.again(traced, true, sums.repeated, sums.repeated_ns, |calls| calls.repeated)
    }

    /// Calls for what requests that differ ask as well.
    fn shared(&self, traced: &Traced) -> Option<Cause> {
        let sums = &traced.sums;
        self.again(traced, false, sums.shared, sums.shared_ns, |calls| calls.shared)
    }

    fn again(
        &self,
        traced: &Traced,
        within_request: bool,
        again: u64,
        ns: u64,
        of_site: impl Fn(&TracedSite) -> u64,
    ) -> Option<Cause> {
        let again_per_request = traced.per_request(again);
        let share = again as f64 / traced.sums.calls.max(1) as f64;
        if again_per_request < AGAIN_MIN || (traced.share(ns) < TIME_SHARE_MIN && share < CALL_SHARE_MIN) {
            return None;
        }
        let saved_ms = self.ms_of(traced, ns);
        let evidence = Evidence::Repeated {
            within_request,
            again_per_request,
            per_request: traced.per_request(traced.sums.calls),
            saved_ms,
            request_ms: self.request_ms(traced),
        };
        let cause = Cause {
            per_request: Some(again_per_request),
            wait_ms_per_request: Some(saved_ms),
            ..Cause::of(CauseKind::RepeatedUpstream, evidence)
        };
        Some(at(self.traced_lines(traced, false, of_site), cause))
    }

    fn series(&self, traced: &Traced) -> Option<Cause> {
        let sums = &traced.sums;
        if sums.series == 0 || traced.share(sums.series_ns) < SERIES_SHARE_MIN {
            return None;
        }
        let saved_ms = self.ms_of(traced, sums.series_ns);
        let per_request = traced.per_request(sums.series);
        let evidence = Evidence::Series {
            per_request,
            saved_ms,
            request_ms: self.request_ms(traced),
        };
        let cause = Cause {
            per_request: Some(per_request),
            wait_ms_per_request: Some(saved_ms),
            ..Cause::of(CauseKind::SerialAwaits, evidence)
        };
        let lines = self.traced_lines(traced, true, |calls| calls.series);
        Some(at(from_the_first(lines), cause))
    }

    /// From a recording in which no request was traced.
    fn serial_by_time(&self) -> Option<Cause> {
        let per_request = self.counted.per_request(self.requests());
        let share = self.counted.upstream_share()?;
        if per_request < SERIAL_CALLS_MIN || !SERIAL_SHARE.contains(&share) {
            return None;
        }
        let waited_ms = self
            .counted
            .per_request(self.counted.of_upstream(|upstream| upstream.active_ns))
            / 1e6;
        let evidence = Evidence::Serial {
            per_request,
            waited_ms,
            request_ms: self.case.mean_ms().unwrap_or(waited_ms),
        };
        let cause = Cause {
            per_request: Some(per_request),
            wait_ms_per_request: Some(waited_ms * (1.0 - 1.0 / per_request)),
            ..Cause::of(CauseKind::SerialAwaits, evidence)
        };
        Some(at(from_the_first(self.sampled_lines()), cause))
    }

    /// Of one of the other services at least, most calls open a connection.
    fn connections(&self) -> Option<Cause> {
        let opens = |upstream: &&UpstreamCounter| {
            let superfluous = avoidable(upstream.connections, upstream.active_peak);
            upstream.requests >= CALLS_MIN && superfluous as f64 >= upstream.requests as f64 * CONNECTION_SHARE_MIN
        };
        let those = self.counted.upstream.iter().filter(opens);
        let (calls, opened) = those.fold((0, 0), |(calls, opened), upstream| {
            (calls + upstream.requests, opened + upstream.connections)
        });
        if calls == 0 {
            return None;
        }
        let traced = self.counted.traced.as_ref();
        let saved_ms = traced.map(|traced| self.ms_of(traced, traced.sums.connecting_ns));
        let evidence = Evidence::UpstreamConnections {
            per_call: opened as f64 / calls as f64,
            saved_ms,
        };
        let cause = Cause {
            per_request: Some(self.counted.per_request(opened)),
            wait_ms_per_request: saved_ms,
            ..Cause::of(CauseKind::UpstreamNoKeepalive, evidence)
        };
        // Elsewhere a connection is opened now and then.
        let often = |calls: &TracedSite| calls.connections as f64 >= calls.calls as f64 * CONNECTION_SHARE_MIN;
        let of_site = |calls: &TracedSite| if often(calls) { calls.connections } else { 0 };
        let lines = match traced {
            Some(traced) => self.traced_lines(traced, false, of_site),
            None => self.sampled_lines(),
        };
        Some(at(lines, cause))
    }

    /// Time of traced requests, as that of a mean request: the trace makes them longer, and some are of the warm-up.
    fn ms_of(&self, traced: &Traced, ns: u64) -> f64 {
        traced.share(ns) * self.request_ms(traced)
    }

    fn request_ms(&self, traced: &Traced) -> f64 {
        let traced_ms = traced.per_request(traced.sums.ns) / 1e6;
        self.case.mean_ms().unwrap_or(traced_ms)
    }

    /// The lines that make calls of which some are of the kind, those with most of them first.
    fn traced_lines(&self, traced: &Traced, in_series: bool, of_site: impl Fn(&TracedSite) -> u64) -> Vec<CallLine> {
        let sites: Vec<(&[SiteFrame], u64)> = traced
            .sites
            .iter()
            .map(|site| (site.frames.as_slice(), of_site(&site.calls)))
            .collect();
        let lines = lines_of(&self.case.places, &sites, in_series);
        if lines.is_empty() { self.sampled_lines() } else { lines }
    }

    /// The lines that make calls, those with most of them first.
    fn sampled_lines(&self) -> Vec<CallLine> {
        let is_call = |counter: &str| {
            let function = self.counted.functions.iter().find(|function| function.name == counter);
            function.is_some_and(|function| function.kind == "fetch")
        };
        let sites: Vec<(&[SiteFrame], u64)> = self
            .counted
            .sites
            .iter()
            .filter(|site| is_call(&site.counter))
            .map(|site| (site.frames.as_slice(), site.calls))
            .collect();
        lines_of(&self.case.places, &sites, false)
    }
}

/// A cause at the first of these lines.
fn at(lines: Vec<CallLine>, cause: Cause) -> Cause {
    const OTHER_PLACES_MAX: usize = 4;
    let mut lines = lines.into_iter();
    let first = lines.next();
    Cause {
        via: first.as_ref().and_then(|line| line.via.clone()),
        inside: first.as_ref().and_then(|line| line.inside.clone()),
        helper: first.as_ref().and_then(|line| line.helper.clone()),
        place: first.map(|line| line.place),
        other_places: lines.map(|line| line.place).take(OTHER_PLACES_MAX).collect(),
        ..cause
    }
}

/// The same lines, but those of the function with most calls first, and in their order: the series begins with the first.
fn from_the_first(mut lines: Vec<CallLine>) -> Vec<CallLine> {
    if let Some(most) = lines.first().map(|line| line.place.clone()) {
        let is_other = |line: &CallLine| line.place.file != most.file || line.place.function != most.function;
        lines.sort_by_key(|line| if is_other(line) { u32::MAX } else { line.place.line });
    }
    lines
}
