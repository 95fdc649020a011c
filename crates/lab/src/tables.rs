//! Into how many descriptor tables held connections go.

/// Descriptors that a table needs besides its connections.
pub(crate) const DESCRIPTORS_OF_OUR_OWN: u64 = 64;

/// Threads, and whether each has a descriptor table of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tables {
    pub(crate) shards: u32,
    pub(crate) own: bool,
}

impl Tables {
    /// For `connections`, where a table has room for `limit` descriptors (`None` for any number). A thread costs memory
    /// and wakeups, so there are no more than are needed, and `least` where one table will do.
    pub(crate) fn plan(connections: u32, limit: Option<u64>, least: u32) -> Self {
        let room = limit.map_or(u64::MAX, |limit| limit.saturating_sub(DESCRIPTORS_OF_OUR_OWN).max(1));
        let needed = u64::from(connections).div_ceil(room);
        if needed <= 1 {
            return Self {
                shards: least,
                own: false,
            };
        }
        Self {
            shards: u32::try_from(needed).unwrap_or(u32::MAX).max(least),
            own: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_tables_as_are_needed() {
        let cases = [
            (10_000, Some(20_000), 2, 2, false),
            (19_936, Some(20_000), 1, 1, false),
            (19_937, Some(20_000), 1, 2, true),
            (30_000, Some(20_000), 4, 4, true),
            (1_000_000, Some(20_000), 1, 51, true),
            (1_000_000, Some(1_048_576), 2, 2, false),
            (1_000_000, None, 2, 2, false),
        ];
        for (connections, limit, least, shards, own) in cases {
            assert_eq!(
                Tables::plan(connections, limit, least),
                Tables { shards, own },
                "{connections} in {limit:?}"
            );
        }
    }
}
