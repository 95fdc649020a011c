//! Histograms of durations.

mod slots;

pub(crate) use slots::{SLOTS, Slots};

use crate::summary::Summary;
use std::borrow::Cow;

/// Greatest value a histogram tells apart, in nanoseconds: one hour. Longer ones count as one hour.
pub const HIGHEST_NS: u64 = 3_600_000_000_000;

/// Durations in nanoseconds, three significant digits, 1 ns to one hour.
///
/// An empty one takes no memory; the first duration makes it take 270 KB. One that was read takes 16 bytes for each slot that holds
/// something, until it is changed.
#[derive(Debug, Clone, Default)]
pub struct Histogram {
    /// All slots: cheap to count in. Apart from the other form, so that counting looks at one thing alone.
    whole: Option<Box<Inner>>,
    /// Those that hold something, as it was read; `None` beside the others.
    read: Option<Box<Read>>,
}

/// Cheap to add to another one, and to write again.
#[derive(Debug, Clone)]
struct Read {
    slots: Slots,
    text: Box<str>,
}

enum Form<'a> {
    Empty,
    Whole(&'a Inner),
    Read(&'a Slots),
}

type Inner = hdrhistogram::Histogram<u64>;

fn empty() -> Box<Inner> {
    Box::new(Inner::new_with_bounds(1, HIGHEST_NS, 3).expect("the bounds are constant and valid"))
}

impl PartialEq for Histogram {
    /// Equal when they hold the same durations.
    fn eq(&self, other: &Self) -> bool {
        match (self.form(), other.form()) {
            (Form::Read(mine), Form::Read(theirs)) => mine == theirs,
            _ => self.filled() == other.filled(),
        }
    }
}

impl Histogram {
    /// Counts one duration; about 4 ns of CPU time.
    #[inline]
    pub fn record(&mut self, ns: u64) {
        match &mut self.whole {
            Some(inner) => inner.saturating_record(ns),
            None => self.record_first(ns),
        }
    }

    fn form(&self) -> Form<'_> {
        match (&self.whole, &self.read) {
            (Some(inner), _) => Form::Whole(inner),
            (None, Some(read)) => Form::Read(&read.slots),
            (None, None) => Form::Empty,
        }
    }

    #[cold]
    fn record_first(&mut self, ns: u64) {
        self.whole().saturating_record(ns);
    }

    /// All slots, to be counted in.
    fn whole(&mut self) -> &mut Inner {
        let read = self.read.take();
        self.whole.get_or_insert_with(|| {
            let mut inner = empty();
            if let Some(read) = read {
                read.slots.add_to(&mut inner);
            }
            inner
        })
    }

    /// Adds everything that `other` holds.
    pub fn merge(&mut self, other: &Self) {
        match other.form() {
            Form::Whole(theirs) if !theirs.is_empty() => {
                self.whole().add(theirs).expect("all histograms have the same bounds");
            }
            Form::Read(theirs) => theirs.add_to(self.whole()),
            Form::Empty | Form::Whole(_) => {}
        }
    }

    /// Forgets everything; keeps the memory.
    pub fn clear(&mut self) {
        self.read = None;
        if let Some(inner) = &mut self.whole {
            inner.reset();
        }
    }

    /// How many durations it holds.
    #[must_use]
    pub fn count(&self) -> u64 {
        match self.form() {
            Form::Empty => 0,
            Form::Whole(inner) => inner.len(),
            Form::Read(slots) => slots.count(),
        }
    }

    /// Nanoseconds at `quantile` (0 to 1); 0 when empty.
    #[must_use]
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        match self.form() {
            Form::Empty => 0,
            Form::Whole(inner) => inner.value_at_quantile(quantile),
            Form::Read(slots) => slots.quantile_ns(quantile),
        }
    }

    /// Longest duration in nanoseconds; 0 when empty.
    #[must_use]
    pub fn max_ns(&self) -> u64 {
        match self.form() {
            Form::Empty => 0,
            Form::Whole(inner) if inner.is_empty() => 0,
            Form::Whole(inner) => inner.max(),
            Form::Read(slots) => slots.max_ns(),
        }
    }

    /// Mean in nanoseconds; 0 when empty.
    #[must_use]
    pub fn mean_ns(&self) -> f64 {
        match self.form() {
            Form::Empty => 0.0,
            Form::Whole(inner) => inner.mean(),
            Form::Read(slots) => slots.mean_ns(),
        }
    }

    /// How many durations are at most `ns`.
    #[must_use]
    pub fn count_at_or_below(&self, ns: u64) -> u64 {
        match self.form() {
            Form::Empty => 0,
            Form::Whole(inner) => inner.count_between(0, ns),
            Form::Read(slots) => slots.count_at_or_below(ns),
        }
    }

    /// Pairs of quantile and nanoseconds, `points` of them, ascending from 0 to 1; empty when it is.
    ///
    /// The quantiles lie evenly on the axis 1/(1 − q) in log scale, the horizontal axis of HdrHistogram's percentile
    /// plots, so that each further nine gets the same room. The last one below 1 leaves out one duration.
    #[must_use]
    pub fn percentile_curve(&self, points: usize) -> Vec<(f64, u64)> {
        if self.count() == 0 {
            return Vec::new();
        }
        let decades = (self.count() as f64).log10();
        let steps = points.saturating_sub(2).max(1) as f64;
        let quantile = |point: usize| 1.0 - 10_f64.powf(-decades * point as f64 / steps);
        let mut curve: Vec<_> = (0..points.saturating_sub(1))
            .map(|point| (quantile(point), self.quantile_ns(quantile(point))))
            .collect();
        curve.push((1.0, self.max_ns()));
        curve
    }

    /// The histogram underneath; `None` when it is empty.
    #[must_use]
    pub fn filled(&self) -> Option<Cow<'_, hdrhistogram::Histogram<u64>>> {
        match self.form() {
            Form::Empty => None,
            Form::Whole(inner) => Some(Cow::Borrowed(inner)).filter(|inner| !inner.is_empty()),
            Form::Read(slots) => {
                let mut inner = empty();
                slots.add_to(&mut inner);
                Some(Cow::Owned(*inner))
            }
        }
    }

    /// One that was read, and the text that it was read from.
    pub(crate) fn read(slots: Slots, text: Box<str>) -> Self {
        match slots.count() {
            0 => Self::default(),
            _ => Self {
                whole: None,
                read: Some(Box::new(Read { slots, text })),
            },
        }
    }

    /// The text that it was read from.
    pub(crate) fn text(&self) -> Option<&str> {
        self.read.as_ref().map(|read| &*read.text)
    }

    /// The figures that a line of the run directory keeps, at the given quantiles.
    #[must_use]
    pub fn summary(&self, quantiles: &[f64]) -> Summary {
        if self.count() == 0 {
            return Summary::default();
        }
        Summary {
            count: self.count(),
            mean_ns: self.mean_ns(),
            max_ns: self.max_ns(),
            quantiles_ns: quantiles.iter().map(|&q| (q, self.quantile_ns(q))).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_curve_gives_each_nine_the_same_room() {
        let mut histogram = Histogram::default();
        (1..=1000).for_each(|ns| histogram.record(ns));
        let curve = histogram.percentile_curve(8);
        let quantiles: Vec<String> = curve.iter().map(|(q, _)| format!("{q:.4}")).collect();
        assert_eq!(
            quantiles,
            [
                "0.0000", "0.6838", "0.9000", "0.9684", "0.9900", "0.9968", "0.9990", "1.0000"
            ]
        );
        let ns: Vec<u64> = curve.iter().map(|&(_, ns)| ns).collect();
        assert_eq!(ns, [1, 684, 900, 969, 990, 997, 999, 1000]);
    }

    #[test]
    fn a_curve_of_little_is_short_but_whole() {
        assert_eq!(Histogram::default().percentile_curve(10), []);
        let mut histogram = Histogram::default();
        histogram.record(7);
        assert_eq!(histogram.percentile_curve(1), [(1.0, 7)]);
        assert_eq!(histogram.percentile_curve(3), [(0.0, 7), (0.0, 7), (1.0, 7)]);
    }

    #[test]
    fn what_is_longer_than_an_hour_counts_as_one() {
        let mut histogram = Histogram::default();
        histogram.record(u64::MAX);
        assert_eq!(histogram.count(), 1);
        let (max, hour) = (histogram.max_ns() as f64, HIGHEST_NS as f64);
        assert!((max / hour - 1.0).abs() < 0.001, "{max}");
    }

    /// The same durations as they are counted, and as they are read.
    fn both(values: &[u64]) -> (Histogram, Histogram) {
        let (mut whole, mut counts) = (Histogram::default(), [0_u64; SLOTS as usize]);
        for &ns in values {
            whole.record(ns);
        }
        // By the place among all slots, as HdrHistogram iterates over them.
        let filled = whole.filled();
        for (count, slot) in counts
            .iter_mut()
            .zip(filled.iter().flat_map(|filled| filled.iter_all()))
        {
            *count = slot.count_at_value();
        }
        let mut slots = Slots::default();
        for (place, &count) in counts.iter().enumerate() {
            if count > 0 {
                slots.push(place as u64, count).expect("a place of ours");
            }
        }
        drop(filled);
        (whole, Histogram::read(slots, Box::default()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn read_histogram_says_what_the_counted_one_says(
            some in proptest::collection::vec((0_u32..45, 0..u64::MAX), 0..40),
            more in proptest::collection::vec((0_u32..45, 0..u64::MAX), 0..40),
            quantile in 0.0..1.1_f64,
        ) {
            let values = |drawn: &[(u32, u64)]| drawn.iter().map(|(bits, any)| any % (1 << bits)).collect::<Vec<_>>();
            let (some, more) = (values(&some), values(&more));
            let ((whole, read), (whole_more, read_more)) = (both(&some), both(&more));
            prop_assert_eq!(&whole, &read);
            let quantiles = [0.0, 0.5, 0.99, 0.999, 1.0, quantile];
            prop_assert_eq!(whole.summary(&quantiles), read.summary(&quantiles));
            prop_assert_eq!(whole.percentile_curve(9), read.percentile_curve(9));
            for &ns in some.iter().chain(&more) {
                prop_assert_eq!(whole.count_at_or_below(ns), read.count_at_or_below(ns));
            }
            let of_both = both(&[some, more].concat()).0;
            for (mine, theirs) in [(&whole, &read_more), (&read, &whole_more), (&read, &read_more)] {
                let mut merged = mine.clone();
                merged.merge(theirs);
                prop_assert_eq!(&merged, &of_both);
                prop_assert_eq!(merged.summary(&quantiles), of_both.summary(&quantiles));
            }
        }
    }

    #[test]
    fn place_behind_the_last_slot_is_none_of_ours() {
        let mut slots = Slots::default();
        assert_eq!(slots.push(u64::MAX, 1), None);
        assert_eq!(slots.push(SLOTS, 1), None);
        assert_eq!(slots.push(SLOTS - 1, 1), Some(()));
        assert_eq!(empty().distinct_values() as u64, SLOTS);
    }
}
