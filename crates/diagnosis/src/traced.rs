//! What the calls of traced requests to other services cost these, over all threads that serve.

use crate::grown::grown;
use plimsoll_measure::probe::{CallSite, SITES_MAX, SiteFrame, TracedCounter, TracedSite};

/// Requests from which on something is said.
const REQUESTS_MIN: u64 = 4;

/// Sums over the traced requests of a pass.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Traced {
    /// Without its sites.
    pub(crate) sums: TracedCounter,
    pub(crate) sites: Vec<PlacedCalls>,
}

/// Calls of traced requests from one place.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedCalls {
    pub(crate) frames: Vec<SiteFrame>,
    pub(crate) calls: TracedSite,
}

/// What was traced in the window, and in the whole pass.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TracedSpans {
    window: Traced,
    pass: Traced,
}

impl TracedSpans {
    /// Takes in what a thread traced up to the edges of the window; `site` finds its call sites.
    pub(crate) fn add<'a>(
        &mut self,
        now: &TracedCounter,
        then: Option<&TracedCounter>,
        site: impl Fn(u32) -> Option<&'a CallSite>,
    ) {
        self.window.add(now, then.unwrap_or(&TracedCounter::default()), &site);
        self.pass.add(now, &TracedCounter::default(), &site);
    }

    /// Few requests are traced where each takes long: then those of the warm-up count as well, for what a request does is the
    /// same there. `None` where even these are too few.
    pub(crate) fn enough(self) -> Option<Traced> {
        let is_enough = |traced: &Traced| traced.sums.requests >= REQUESTS_MIN;
        Some(self.window)
            .filter(is_enough)
            .or_else(|| Some(self.pass).filter(is_enough))
    }
}

impl Traced {
    /// How many per request.
    pub(crate) fn per_request(&self, count: u64) -> f64 {
        count as f64 / self.sums.requests.max(1) as f64
    }

    /// As a share of the time of the requests.
    pub(crate) fn share(&self, ns: u64) -> f64 {
        ns as f64 / self.sums.ns.max(1) as f64
    }

    fn add<'a>(&mut self, now: &TracedCounter, then: &TracedCounter, site: &impl Fn(u32) -> Option<&'a CallSite>) {
        let sum = &mut self.sums;
        // Of several threads each may have seen the same kinds.
        sum.kinds = sum.kinds.max(grown(now.kinds, 0));
        for (sum, now, then) in [
            (&mut sum.requests, now.requests, then.requests),
            (&mut sum.cut, now.cut, then.cut),
            (&mut sum.ns, now.ns, then.ns),
            (&mut sum.calls, now.calls, then.calls),
            (&mut sum.waited_ns, now.waited_ns, then.waited_ns),
            (&mut sum.repeated, now.repeated, then.repeated),
            (&mut sum.repeated_ns, now.repeated_ns, then.repeated_ns),
            (&mut sum.shared, now.shared, then.shared),
            (&mut sum.shared_ns, now.shared_ns, then.shared_ns),
            (&mut sum.connections, now.connections, then.connections),
            (&mut sum.connecting_ns, now.connecting_ns, then.connecting_ns),
            (&mut sum.series, now.series, then.series),
            (&mut sum.series_ns, now.series_ns, then.series_ns),
        ] {
            *sum += grown(now, then);
        }
        for now in &now.sites {
            let then = then.sites.iter().find(|then| then.id == now.id);
            if let Some(site) = site(now.id) {
                self.add_site(&site.frames, now, &then.copied().unwrap_or_default());
            }
        }
    }

    fn add_site(&mut self, frames: &[SiteFrame], now: &TracedSite, then: &TracedSite) {
        let known = self.sites.iter().position(|site| site.frames == frames);
        let at = known.unwrap_or_else(|| {
            self.sites.push(PlacedCalls {
                frames: frames.to_vec(),
                calls: TracedSite::default(),
            });
            self.sites.len() - 1
        });
        let sum = &mut self.sites[at].calls;
        for (sum, now, then) in [
            (&mut sum.calls, now.calls, then.calls),
            (&mut sum.repeated, now.repeated, then.repeated),
            (&mut sum.shared, now.shared, then.shared),
            (&mut sum.connections, now.connections, then.connections),
            (&mut sum.series, now.series, then.series),
        ] {
            *sum += grown(now, then);
        }
        if self.sites.len() > SITES_MAX {
            self.sites.pop();
        }
    }
}
