//! Even arrivals: arrival k comes when the cumulative count reaches k.

use crate::cumulative::{ARRIVAL, Cumulative, Piece};
use crate::{AgentShare, Start};

/// The even arrivals of one share.
#[derive(Debug, Clone)]
pub(crate) struct Even {
    cumulative: Cumulative,
    stride: u64,
    /// The next start.
    number: u64,
    /// Whole arrivals of the load.
    end: u64,
    /// Index of the next piece to enter.
    next_piece: usize,
    /// The first number that is beyond the entered piece.
    piece_end: u64,
    pace: Pace,
}

/// How the time of the next start is found in the entered piece.
#[derive(Debug, Clone, Copy)]
enum Pace {
    Steady(Steady),
    Ramp(Piece),
}

impl Even {
    pub(crate) fn new(cumulative: Cumulative, share: AgentShare) -> Self {
        Self {
            stride: share.stride(),
            number: share.first(),
            end: cumulative.arrivals(),
            next_piece: 0,
            piece_end: 0,
            pace: Pace::Steady(Steady::default()),
            cumulative,
        }
    }

    /// Enters the piece in which the next start falls; `None` after the last start.
    #[cold]
    fn enter_piece(&mut self) -> Option<()> {
        if self.number >= self.end {
            return None;
        }
        let target = u128::from(self.number) * ARRIVAL;
        loop {
            let piece = *self.cumulative.piece(self.next_piece)?;
            self.next_piece += 1;
            if target < piece.after {
                self.piece_end = u64::try_from(piece.after.div_ceil(ARRIVAL))
                    .unwrap_or(u64::MAX)
                    .min(self.end);
                self.pace = if piece.is_constant() {
                    Pace::Steady(Steady::new(&piece, target, self.stride))
                } else {
                    Pace::Ramp(piece)
                };
                return Some(());
            }
        }
    }
}

impl Iterator for Even {
    type Item = Start;

    #[inline]
    fn next(&mut self) -> Option<Start> {
        if self.number >= self.piece_end {
            self.enter_piece()?;
        }
        let number = self.number;
        let at_ns = match &mut self.pace {
            Pace::Steady(steady) => steady.take(),
            Pace::Ramp(piece) => piece.time_of(u128::from(number) * ARRIVAL),
        };
        self.number = number.saturating_add(self.stride);
        Some(Start { at_ns, number })
    }
}

/// Divides an arithmetic progression by a constant without dividing: quotient and remainder are carried along
/// (Bresenham). At each step `at_ns * divisor + remainder` is the exact count.
#[derive(Debug, Clone, Copy, Default)]
struct Steady {
    at_ns: u64,
    remainder: u64,
    step_ns: u64,
    step_remainder: u64,
    divisor: u64,
}

impl Steady {
    fn new(piece: &Piece, target: u128, stride: u64) -> Self {
        let divisor = 2 * piece.from;
        let step = u128::from(stride) * ARRIVAL;
        Self {
            at_ns: piece.time_of(target),
            remainder: ((target - piece.before) % u128::from(divisor)) as u64,
            // A step longer than 2^64 ns leaves the piece, so it is never taken.
            step_ns: u64::try_from(step / u128::from(divisor)).unwrap_or(u64::MAX),
            step_remainder: (step % u128::from(divisor)) as u64,
            divisor,
        }
    }

    /// The current time, then one step on.
    #[inline]
    fn take(&mut self) -> u64 {
        let at_ns = self.at_ns;
        self.remainder += self.step_remainder;
        let carry = self.remainder >= self.divisor;
        self.remainder -= if carry { self.divisor } else { 0 };
        self.at_ns = at_ns.saturating_add(self.step_ns).saturating_add(u64::from(carry));
        at_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_plan::{Rate, Segment};
    use proptest::prelude::*;
    use std::time::Duration;

    proptest! {
        #[test]
        fn carrying_the_remainder_equals_the_closed_form(
            rates in proptest::collection::vec((1_u64..10_000_000_000, 1_u64..100_000_000), 1..4),
            of in 1_u32..20,
            index in 0_u32..20,
        ) {
            let segments: Vec<Segment> = rates
                .iter()
                .map(|&(micro, ns)| Segment {
                    from: Rate::from_micro_per_s(micro),
                    to: Rate::from_micro_per_s(micro),
                    duration: Duration::from_nanos(ns),
                })
                .collect();
            let cumulative = Cumulative::new(&segments);
            let share = AgentShare::new(index % of, of).unwrap();
            for start in Even::new(cumulative.clone(), share) {
                let target = u128::from(start.number) * ARRIVAL;
                let piece = (0..).map_while(|i| cumulative.piece(i)).find(|piece| target < piece.after).unwrap();
                prop_assert_eq!(start.at_ns, piece.time_of(target));
            }
        }
    }

    #[test]
    fn strides_beyond_the_load_do_not_overflow() {
        let slow = Segment {
            from: Rate::from_micro_per_s(1),
            to: Rate::from_micro_per_s(1),
            duration: Duration::from_secs(2_000_000),
        };
        let share = AgentShare::new(1, u32::MAX).unwrap();
        let starts: Vec<Start> = Even::new(Cumulative::new(&[slow]), share).collect();
        assert_eq!(
            starts,
            [Start {
                at_ns: 1_000_000_000_000_000,
                number: 1
            }]
        );
    }
}
