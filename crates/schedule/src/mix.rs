//! Which request a start makes, and which values it takes.

use crate::mixed::mixed;
use crate::rows::{any_of, row_of, shuffled};
use plimsoll_plan::{Request, Values};

/// The order in which the requests of a scenario take turns, spread by weight.
#[derive(Debug, Clone)]
pub struct Mix {
    /// One turn of the pattern.
    pattern: Vec<Pick>,
    /// Occurrences of each request in the pattern.
    weights: Vec<u64>,
}

/// What a start makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pick {
    /// Index into the requests of the scenario.
    pub request: usize,
    /// How many starts made this request before. Variables are drawn by it and not by the number of the start,
    /// so that each request runs through all values whatever the others do.
    pub nth: u64,
}

impl Mix {
    /// The turns of `requests`, of which there is at least one; their weights are at least 1.
    #[must_use]
    pub fn new(requests: &[Request]) -> Self {
        Self::by_weights(
            requests
                .iter()
                .map(|request| u64::from(request.weight.max(1)))
                .collect(),
        )
    }

    /// Smooth weighted round robin, as in nginx: each turn every request gains its weight, the richest is picked and
    /// pays the sum. Over one pattern each is picked as often as its weight says, evenly spread.
    ///
    /// At least one weight is above zero; what has none is never picked.
    #[must_use]
    pub fn by_weights(weights: Vec<u64>) -> Self {
        let divisor = weights.iter().copied().fold(0, greatest_common_divisor).max(1);
        let weights: Vec<u64> = weights.into_iter().map(|weight| weight / divisor).collect();
        let sum: u64 = weights.iter().sum();
        let mut credit = vec![0_i128; weights.len()];
        let mut picked = vec![0_u64; weights.len()];
        let pattern = (0..sum)
            .map(|_| {
                let mut richest = 0;
                for index in 0..weights.len() {
                    credit[index] += i128::from(weights[index]);
                    if credit[index] > credit[richest] {
                        richest = index;
                    }
                }
                credit[richest] -= i128::from(sum);
                picked[richest] += 1;
                Pick {
                    request: richest,
                    nth: picked[richest] - 1,
                }
            })
            .collect();
        Self { pattern, weights }
    }

    /// What start `number` makes.
    #[inline]
    #[must_use]
    pub fn pick(&self, number: u64) -> Pick {
        let length = self.pattern.len() as u64;
        let turn = number / length;
        let pick = self.pattern[(number % length) as usize];
        Pick {
            request: pick.request,
            nth: turn * self.weights[pick.request] + pick.nth,
        }
    }
}

/// The index of the value that the `nth` occurrence of a request takes from `values`: each in turn, then again; of a table as it says. What is
/// left to chance follows from `nth` alone.
#[inline]
#[must_use]
pub fn draw(values: &Values, nth: u64) -> u64 {
    match values {
        Values::Range { from, to } => match (to - from).checked_add(1) {
            Some(count) => nth % count,
            None => nth,
        },
        Values::List(texts) => nth % (texts.len() as u64).max(1),
        Values::Shuffled { of, seed } => {
            let count = of.count().max(1);
            shuffled(nth % count, count, mixed(seed ^ mixed(nth / count)))
        }
        Values::Random { of, draw } => any_of(of.count(), draw.seed, nth),
        // No two have the same number.
        Values::Uuid(draw) | Values::Text { draw, .. } => mixed(draw.seed ^ mixed(nth)),
        Values::Column(column) => row_of(column.table(), nth),
        Values::Now(_) | Values::Message | Values::Kept { .. } => nth,
    }
}

fn greatest_common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::Draw;

    #[test]
    fn requests_take_turns_by_weight() {
        let mix = Mix::by_weights(vec![50, 10, 10]);
        let order: Vec<usize> = (0..14).map(|number| mix.pick(number).request).collect();
        assert_eq!(order, [0, 0, 1, 0, 2, 0, 0, 0, 0, 1, 0, 2, 0, 0]);
    }

    #[test]
    fn what_has_no_weight_is_never_picked() {
        let mix = Mix::by_weights(vec![0, 1]);
        let picks: Vec<Pick> = (0..3).map(|number| mix.pick(number)).collect();
        assert_eq!(picks, [0, 1, 2].map(|nth| Pick { request: 1, nth }));
    }

    #[test]
    fn each_request_counts_its_own_occurrences() {
        let mix = Mix::by_weights(vec![3, 2, 1]);
        let mut next = [0; 3];
        for number in 0..1000 {
            let pick = mix.pick(number);
            assert_eq!(pick.nth, next[pick.request], "start {number}");
            next[pick.request] += 1;
        }
    }

    #[test]
    fn values_are_drawn_in_turn() {
        let colours = Values::List(vec!["red".into(), "green".into(), "blue".into()]);
        assert_eq!(
            (0..5).map(|nth| draw(&colours, nth)).collect::<Vec<_>>(),
            [0, 1, 2, 0, 1]
        );
        let shuffled = |seed| Values::Shuffled {
            of: Box::new(Values::Range { from: 1, to: 50 }),
            seed,
        };
        let pass = |seed, from: u64| {
            (from..from + 50)
                .map(|nth| draw(&shuffled(seed), nth))
                .collect::<Vec<_>>()
        };
        let mut sorted = pass(1, 50);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).collect::<Vec<_>>(), "each once in a pass");
        assert!(pass(1, 0) != pass(1, 50) && pass(1, 0) != pass(2, 0) && pass(1, 0) == pass(1, 0));
        let uuid = |seed, nth| draw(&Values::Uuid(Draw { seed, anew: false }), nth);
        assert!(uuid(1, 0) != uuid(1, 1) && uuid(1, 0) != uuid(2, 0) && uuid(1, 0) == uuid(1, 0));
        let random = Values::Random {
            of: Box::new(Values::Range { from: 1, to: 10 }),
            draw: Draw { seed: 3, anew: false },
        };
        let mut times = [0_u32; 10];
        (0..10_000).for_each(|nth| times[draw(&random, nth) as usize] += 1);
        // Five standard deviations of such a count.
        assert!(times.iter().all(|times| times.abs_diff(1_000) < 150), "{times:?}");
        let range = Values::Range { from: 5, to: 6 };
        assert_eq!((0..3).map(|nth| draw(&range, nth)).collect::<Vec<_>>(), [0, 1, 0]);
        let everything = Values::Range { from: 0, to: u64::MAX };
        assert_eq!(draw(&everything, u64::MAX), u64::MAX);
    }
}
