//! A network that loses, repeats, delays and reorders, and that is cut for a while.

use rand::{Rng, RngExt};

/// How messages travel.
#[derive(Debug, Clone)]
pub(crate) struct Network {
    loss: f64,
    twice: f64,
    pub(crate) least_ns: u64,
    pub(crate) jitter_ns: u64,
    /// Now and then one takes so much longer, ns.
    rare_ns: u64,
    /// Agents that are cut off, and from when to when, ns.
    pub(crate) cuts: Vec<(usize, u64, u64)>,
}

impl Network {
    /// One that is fast and loses nothing.
    pub(crate) fn good(rng: &mut impl Rng) -> Self {
        Self {
            loss: 0.0,
            twice: 0.0,
            least_ns: rng.random_range(50_000..20_000_000),
            jitter_ns: rng.random_range(1..5_000_000),
            rare_ns: 0,
            cuts: Vec::new(),
        }
    }

    /// One that does what networks do.
    pub(crate) fn bad(rng: &mut impl Rng) -> Self {
        Self {
            loss: [0.0, 0.02, 0.1, 0.3][rng.random_range(0..4)],
            twice: [0.0, 0.1, 0.5][rng.random_range(0..3)],
            jitter_ns: [1_000, 1_000_000, 100_000_000][rng.random_range(0..3)],
            rare_ns: [0, 300_000_000, 8_000_000_000][rng.random_range(0..3)],
            ..Self::good(rng)
        }
    }

    /// When the copies of a message arrive that is sent now between the coordinator and an agent, ns.
    pub(crate) fn arrivals(&self, agent: usize, now_ns: u64, rng: &mut impl Rng) -> Vec<u64> {
        let is_cut = |(cut, from, to): &(usize, u64, u64)| *cut == agent && (*from..*to).contains(&now_ns);
        if self.cuts.iter().any(is_cut) {
            return Vec::new();
        }
        let copies = if rng.random::<f64>() < self.twice { 2 } else { 1 };
        let mut arrivals = Vec::new();
        for _ in 0..copies {
            if rng.random::<f64>() < self.loss {
                continue;
            }
            let rare_ns = if self.rare_ns > 0 && rng.random::<f64>() < 0.02 {
                self.rare_ns
            } else {
                0
            };
            arrivals.push(now_ns + self.least_ns + rng.random_range(0..=self.jitter_ns) + rare_ns);
        }
        arrivals
    }
}
