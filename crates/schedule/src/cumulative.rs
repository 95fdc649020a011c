//! How many arrivals a load asks for up to a point in time, and the inverse: when the cumulative count is reached.
//! Both exact, in integers.
//!
//! The count is kept in units of half a femto-arrival (`ARRIVAL` of them make one). A rate in millionths per second
//! times a time in nanoseconds is then twice an integer, and the area under a ramp, half of its sum of rates times
//! its length, an integer: no segment ends between two units, so nothing is lost where one passes into the next.

use plimsoll_plan::Segment;

/// One arrival.
pub(crate) const ARRIVAL: u128 = 2_000_000_000_000_000;

/// The cumulative count of a whole load.
#[derive(Debug, Clone)]
pub(crate) struct Cumulative {
    pieces: Vec<Piece>,
}

/// The cumulative count over one segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    /// Since the beginning of the load.
    pub(crate) start_ns: u64,
    /// Count at its beginning.
    pub(crate) before: u128,
    /// Count at its end.
    pub(crate) after: u128,
    /// Millionths per second.
    pub(crate) from: u64,
    to: u64,
    duration_ns: u64,
}

impl Cumulative {
    pub(crate) fn new(segments: &[Segment]) -> Self {
        let mut pieces = Vec::with_capacity(segments.len());
        let (mut start_ns, mut before) = (0_u64, 0_u128);
        for segment in segments {
            // 2^64 ns are 584 years; a valid plan is far shorter.
            let duration_ns = u64::try_from(segment.duration.as_nanos()).unwrap_or(u64::MAX);
            let (from, to) = (segment.from.micro_per_s(), segment.to.micro_per_s());
            let after = before + (u128::from(from) + u128::from(to)) * u128::from(duration_ns);
            pieces.push(Piece {
                start_ns,
                before,
                after,
                from,
                to,
                duration_ns,
            });
            (start_ns, before) = (start_ns.saturating_add(duration_ns), after);
        }
        Self { pieces }
    }

    pub(crate) fn total(&self) -> u128 {
        self.pieces.last().map_or(0, |piece| piece.after)
    }

    /// Whole arrivals of the load.
    pub(crate) fn arrivals(&self) -> u64 {
        u64::try_from(self.total() / ARRIVAL).unwrap_or(u64::MAX)
    }

    pub(crate) fn piece(&self, index: usize) -> Option<&Piece> {
        self.pieces.get(index)
    }
}

impl Piece {
    pub(crate) fn is_constant(&self) -> bool {
        self.from == self.to
    }

    /// When the count reaches `target`, ns since the beginning of the load, rounded down.
    /// `target` is at least `before` and less than `after`.
    pub(crate) fn time_of(&self, target: u128) -> u64 {
        let wanted = target - self.before;
        let local_ns = if self.is_constant() {
            // Less than `duration_ns`, because `wanted` is less than `2 * from * duration_ns`.
            (wanted / (2 * u128::from(self.from))) as u64
        } else {
            self.invert_ramp(wanted)
        };
        self.start_ns + local_ns
    }

    /// The last nanosecond at which the count is at most `wanted`. It exists because the count starts at 0, is the
    /// only one because the rate inside a ramp is above zero, and lies before the end because there the count is
    /// above `wanted`.
    fn invert_ramp(&self, wanted: u128) -> u64 {
        let mut low = self.estimate(wanted).min(self.duration_ns - 1);
        let mut step = 1;
        while !self.is_at_most(low, wanted) {
            low = low.saturating_sub(step);
            step *= 2;
        }
        let mut high = low + 1;
        step = 1;
        while high < self.duration_ns && self.is_at_most(high, wanted) {
            (low, high) = (high, high.saturating_add(step).min(self.duration_ns));
            step *= 2;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if self.is_at_most(middle, wanted) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Close to the solution of `2 * from * t + (to - from) / duration * t² = wanted`; right to the nanosecond for
    /// ramps of some hours. In the form that has no cancellation.
    fn estimate(&self, wanted: u128) -> u64 {
        let from = self.from as f64;
        let wanted = wanted as f64;
        let bend = (self.to as f64 - from) / self.duration_ns as f64;
        let root = (from * from + bend * wanted).max(0.0).sqrt();
        // NaN, from 0 / 0 at the foot of a ramp, becomes 0.
        (wanted / (from + root)) as u64
    }

    /// Whether the count `local_ns` into the ramp is at most `wanted`. Exact: `t² / duration` is split into quotient
    /// and remainder, so that no product passes 2^128 for rates up to 10^13 and durations up to 10^17.
    fn is_at_most(&self, local_ns: u64, wanted: u128) -> bool {
        let (t, duration) = (u128::from(local_ns), u128::from(self.duration_ns));
        let slope = u128::from(self.from.abs_diff(self.to));
        let quotient = t * t / duration;
        let remainder = t * t - quotient * duration;
        let straight = 2 * u128::from(self.from) * t;
        // Real x and integer n: x <= n is ceil(x) <= n, and n <= x is n <= floor(x).
        if self.to > self.from {
            straight + slope * quotient + (slope * remainder).div_ceil(duration) <= wanted
        } else {
            straight <= wanted + slope * quotient + slope * remainder / duration
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::Rate;
    use proptest::prelude::*;
    use std::time::Duration;

    fn piece(from: u64, to: u64, duration_ns: u64) -> Piece {
        let segment = Segment {
            from: Rate::from_micro_per_s(from),
            to: Rate::from_micro_per_s(to),
            duration: Duration::from_nanos(duration_ns),
        };
        *Cumulative::new(&[segment]).piece(0).unwrap()
    }

    #[test]
    fn a_ramp_from_zero_is_a_square_root() {
        // 0 to 10/s over 10 s: the count is t²/2, so arrival k comes at sqrt(2k) s.
        let ramp = piece(0, 10_000_000, 10_000_000_000);
        assert_eq!(ramp.after, 50 * ARRIVAL);
        for (k, at_ns) in [
            (0, 0),
            (1, 1_414_213_562),
            (2, 2_000_000_000),
            (8, 4_000_000_000),
            (49, 9_899_494_936),
        ] {
            assert_eq!(ramp.time_of(k * ARRIVAL), at_ns, "arrival {k}");
        }
    }

    proptest! {
        #[test]
        fn inversion_is_exact_for_any_valid_segment(
            from in 0_u64..=10_000_000_000_000,
            to in 0_u64..=10_000_000_000_000,
            duration_ns in 1_u64..=31_622_400_000_000_000,
            share in 0_u64..=u64::MAX,
        ) {
            prop_assume!(from + to > 0);
            let piece = piece(from, to, duration_ns);
            let wanted = (piece.after >> 64) * u128::from(share) + (((piece.after & u128::from(u64::MAX)) * u128::from(share)) >> 64);
            let at = piece.time_of(wanted);
            prop_assert!(at < duration_ns);
            if piece.is_constant() {
                prop_assert!(u128::from(2 * from) * u128::from(at) <= wanted);
                prop_assert!(u128::from(2 * from) * u128::from(at + 1) > wanted);
            } else {
                prop_assert!(piece.is_at_most(at, wanted));
                prop_assert!(at + 1 == duration_ns || !piece.is_at_most(at + 1, wanted));
            }
        }

        /// `is_at_most` against the definition multiplied out, where that fits.
        #[test]
        fn comparison_is_exact(from in 0_u64..1_000_000, to in 0_u64..1_000_000, duration in 1_u64..1_000_000, t in 0_u64..1_000_000, offset in -2_i128..3) {
            prop_assume!(from != to && t <= duration);
            let piece = piece(from, to, duration);
            let [f, g, d, t128] = [from, to, duration, t].map(i128::from);
            let multiplied = 2 * f * t128 * d + (g - f) * t128 * t128;
            let wanted = (multiplied / d + offset).max(0);
            prop_assert_eq!(piece.is_at_most(t, wanted as u128), multiplied <= wanted * d);
        }
    }
}
