//! A made-up service with one worker. Its figures hang together as those of a real one would: CPU grows with the rate, response
//! times with the queue, and past its capacity a backlog builds up.

/// Milliseconds that no load takes away: parsing, the network, the loop.
const FLOOR_MS: f64 = 0.31;

/// One worker that needs `cpu_us` of CPU for each request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Service {
    pub(crate) cpu_us: f64,
    pub(crate) rss_start_bytes: u64,
}

impl Service {
    fn busy(&self, rate_per_s: f64) -> f64 {
        rate_per_s * self.cpu_us / 1e6
    }

    /// Share of the time that the worker is busy, at most all of it.
    pub(crate) fn cpu_share(&self, rate_per_s: f64) -> f64 {
        self.busy(rate_per_s).min(0.996)
    }

    pub(crate) fn throughput(&self, rate_per_s: f64) -> f64 {
        rate_per_s.min(0.996e6 / self.cpu_us)
    }

    /// Response time at a quantile after `seconds` of this load.
    pub(crate) fn response_ms(&self, rate_per_s: f64, quantile: f64, seconds: f64) -> f64 {
        let busy = self.busy(rate_per_s);
        let backlog_ms = (busy - 0.996).max(0.0) * seconds * 1e3;
        FLOOR_MS + backlog_ms + self.mean_ms(rate_per_s) * -(1.0 - quantile.min(0.999_999)).ln()
    }

    fn mean_ms(&self, rate_per_s: f64) -> f64 {
        self.cpu_us / 1e3 / (1.0 - self.busy(rate_per_s).min(0.985))
    }

    /// Grows while the heap warms up, with the teeth of garbage collection.
    pub(crate) fn rss_bytes(&self, at_s: f64) -> u64 {
        let grown = 16.0e6 * (1.0 - (-at_s / 20.0).exp());
        let tooth = (at_s * 0.7).fract() * 3.0e6;
        self.rss_start_bytes + (grown + tooth) as u64
    }
}

/// Between -`size` and `size`, the same for the same `at`.
pub(crate) fn wobble(at: f64, size: f64) -> f64 {
    let mut bits = at.to_bits().wrapping_mul(0x9e37_79b9_7f4a_7c15);
    bits ^= bits >> 29;
    bits = bits.wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits ^= bits >> 32;
    ((bits % 2_001) as f64 / 1_000.0 - 1.0) * size
}
