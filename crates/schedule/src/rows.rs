//! Which row of a table is given out when.

use crate::mixed::mixed;
use plimsoll_plan::{RowOrder, Table};

/// So many rounds make the order of a shuffled table look like chance.
const ROUNDS: u64 = 6;

/// The row, from 0, of what is given out for the `nth` time: each once, then again. A shuffled table has another order each time.
#[must_use]
pub fn row_of(table: &Table, nth: u64) -> u64 {
    let count = table.count().max(1);
    let (pass, place) = (nth / count, nth % count);
    match table.order() {
        RowOrder::InTurn => place,
        RowOrder::Shuffled => shuffled(place, count, mixed(table.seed() ^ mixed(pass))),
        RowOrder::Random => any_of(count, table.seed(), nth),
    }
}

/// Any of `count`, each as likely, whichever came before.
pub(crate) fn any_of(count: u64, seed: u64, nth: u64) -> u64 {
    ((u128::from(mixed(seed ^ mixed(nth))) * u128::from(count)) >> u64::BITS) as u64
}

/// Where `place` of `count` goes to when all are shuffled by `key`: a permutation that needs no memory. A Feistel network (Luby and Rackoff,
/// 1988) permutes the next power of four; what it leads beyond `count` goes through it again (Black and Rogaway, 2002).
pub(crate) fn shuffled(place: u64, count: u64, key: u64) -> u64 {
    let bits = u64::BITS - (count - 1).leading_zeros();
    let half = bits.div_ceil(2).max(1);
    let mask = (1 << half) - 1;
    let mut at = place;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ (mixed(key ^ mixed(right * ROUNDS + round)) & mask));
        }
        at = left << half | right;
        if at < count {
            return at;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_place_is_taken_once(count in 1..300_u64, key in any::<u64>()) {
            let mut places: Vec<u64> = (0..count).map(|place| shuffled(place, count, key)).collect();
            places.sort_unstable();
            prop_assert_eq!(places, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    fn every_order_of_three_comes_about_as_often() {
        let mut orders = std::collections::BTreeMap::new();
        for key in 0..6_000 {
            *orders
                .entry([0, 1, 2].map(|place| shuffled(place, 3, mixed(key))))
                .or_insert(0) += 1;
        }
        assert_eq!(orders.len(), 6);
        // Ten standard deviations of such a count.
        assert!(
            orders.values().all(|times: &u32| times.abs_diff(1_000) < 290),
            "{orders:?}"
        );
    }

    #[test]
    fn shuffled_neighbours_are_far_from_each_other() {
        let count = 10_000_u64;
        let apart = |place| shuffled(place, count, 7).abs_diff(shuffled(place + 1, count, 7));
        let mean = (0..count - 1).map(apart).sum::<u64>() / (count - 1);
        // Of two places that are left to chance a third of all lies between.
        assert!(mean.abs_diff(count / 3) < count / 30, "{mean}");
    }
}
