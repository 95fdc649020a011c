//! Who makes which starts.

/// The part of a load that one agent, or one shard of it, makes: every `of`-th start, beginning with start `index`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentShare {
    index: u64,
    of: u64,
}

impl AgentShare {
    /// All starts.
    pub const WHOLE: Self = Self { index: 0, of: 1 };

    /// The share of agent `index`, from 0, among `of`; `None` when there is no such agent.
    #[must_use]
    pub fn new(index: u32, of: u32) -> Option<Self> {
        (index < of).then(|| Self {
            index: u64::from(index),
            of: u64::from(of),
        })
    }

    /// The shares of `shards` shards of this agent, which take turns at its starts. Empty when `shards` is 0.
    #[must_use]
    pub fn split(self, shards: u32) -> Vec<Self> {
        let of = self.of.saturating_mul(u64::from(shards));
        (0..u64::from(shards))
            .map(|shard| Self {
                index: self.index + self.of * shard,
                of,
            })
            .collect()
    }

    /// Its part of the requests that so many users make: those are divided among who has a user. `None` where this one has none.
    #[must_use]
    pub fn among(self, users: u64) -> Option<Self> {
        (self.index < users).then(|| Self {
            index: self.index,
            of: self.of.min(users),
        })
    }

    /// Whether start `number` belongs to it.
    #[must_use]
    pub fn contains(self, number: u64) -> bool {
        number % self.of == self.index
    }

    /// How many of the starts `0..end` belong to it.
    #[must_use]
    pub fn count_below(self, end: u64) -> u64 {
        end.saturating_sub(self.index).div_ceil(self.of)
    }

    /// Number of its first start.
    #[must_use]
    pub const fn first(self) -> u64 {
        self.index
    }

    /// Distance between the numbers of its starts.
    #[must_use]
    pub const fn stride(self) -> u64 {
        self.of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_count_what_they_contain() {
        for of in 1..6 {
            for index in 0..of {
                let share = AgentShare::new(index, of).unwrap();
                for end in 0..20 {
                    let contained = (0..end).filter(|&number| share.contains(number)).count();
                    assert_eq!(share.count_below(end), contained as u64, "{share:?} below {end}");
                }
            }
        }
        assert_eq!(AgentShare::new(3, 3), None);
        assert_eq!(AgentShare::new(0, 0), None);
    }
    #[test]
    fn requests_are_shared_among_those_who_have_a_user() {
        for (of, users) in [(1, 1), (3, 1), (3, 2), (3, 3), (3, 50), (8, 5)] {
            let shares = (0..of).filter_map(|index| AgentShare::new(index, of).unwrap().among(users));
            let shares: Vec<_> = shares.collect();
            assert_eq!(shares.len() as u64, users.min(u64::from(of)));
            for requests in [0, 1, 7, 1003] {
                let sum: u64 = shares.iter().map(|share| share.count_below(requests)).sum();
                assert_eq!(sum, requests, "{of} {users}");
            }
        }
    }
}
