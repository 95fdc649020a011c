//! Whether what a line adds to rises all the time.

use crate::grown::grown;

/// Messages of the probe that are kept of one site.
const SEEN_MAX: usize = 4096;
/// Fewer say nothing of whether it rises.
const SEEN_MIN: usize = 3;
/// More listeners or rooms in half of the window …
const GROWTH_MIN: u64 = 25;
/// … and so many times more than there are more connections, each of which may keep some while it is open.
const OF_CONNECTIONS_MIN: u64 = 4;

/// How many there were where one more was added, message by message.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Keeping(Vec<Seen>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    /// The fewest since the message before.
    least: u64,
    /// Connections that were open at most.
    connections: u64,
}

/// By how much it rose, and to what; nothing where it did not rise all the time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Growth {
    pub(crate) by: u64,
    pub(crate) to: u64,
}

impl Keeping {
    pub(crate) fn push(&mut self, least: u64, connections: u64) {
        if self.0.len() < SEEN_MAX {
            let (least, connections) = (grown(least, 0), grown(connections, 0));
            self.0.push(Seen { least, connections });
        }
    }

    /// In the second half of the window: in the first, connections of the load are opened, each with what it needs.
    pub(crate) fn growth(&self) -> Growth {
        let half = &self.0[(self.0.len() / 2).min(self.0.len().saturating_sub(SEEN_MIN))..];
        let (Some(first), Some(last)) = (half.first(), half.last()) else {
            return Growth::default();
        };
        let rises = half.len() >= SEEN_MIN && half.windows(2).all(|pair| pair[1].least >= pair[0].least);
        let by = last.least.saturating_sub(first.least);
        let connections = last.connections.saturating_sub(first.connections);
        if rises && by >= GROWTH_MIN && by >= OF_CONNECTIONS_MIN * connections {
            Growth { by, to: last.least }
        } else {
            Growth::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Growth, Keeping};

    fn growth(seen: &[(u64, u64)]) -> (u64, u64) {
        let mut keeping = Keeping::default();
        for &(least, connections) in seen {
            keeping.push(least, connections);
        }
        let Growth { by, to } = keeping.growth();
        (by, to)
    }

    #[test]
    fn growth_that_goes_on_is_seen_and_what_connections_need_is_not() {
        for (seen, expected) in [
            // One for each message.
            (&[(20, 8), (120, 8), (220, 8), (320, 8)][..], (200, 320)),
            // What clients need that come at the beginning.
            (
                &[(20, 0), (400, 64), (640, 64), (640, 64), (640, 64), (640, 64)],
                (0, 0),
            ),
            // What they need that come all the time and stay.
            (&[(20, 10), (60, 30), (100, 50), (140, 70)], (0, 0)),
            // They come and go, and something stays of each.
            (&[(20, 10), (60, 11), (100, 10), (140, 9)], (80, 140)),
            // It is given back.
            (&[(20, 8), (160, 8), (90, 8), (230, 8)], (0, 0)),
            // Hardly any.
            (&[(20, 8), (24, 8), (28, 8), (32, 8)], (0, 0)),
            (&[(20, 8), (1000, 8)], (0, 0)),
            (&[], (0, 0)),
        ] {
            assert_eq!(growth(seen), expected, "{seen:?}");
        }
    }
}
