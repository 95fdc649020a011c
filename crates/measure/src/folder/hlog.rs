//! `latency.hlog`: HdrHistogram's interval log, one line per tick and kind of duration.
//!
//! Line format as in the `HistogramLogWriter` of <https://github.com/HdrHistogram/HdrHistogram>, log format 1.3,
//! payloads in the compressed V2 encoding.

use crate::durations::{Durations, Histogram};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::{Deserializer, Serializer as _, V2DeflateSerializer};
use std::io::{self, Write as _};

/// The longest duration of a line is printed in ms, as the Java tools do.
const NS_PER_MS: f64 = 1e6;

/// A kind of duration; the tag of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    ResponseTime,
    ServiceTime,
    ScheduleLag,
    DeliveryTime,
}

impl Kind {
    /// In the order in which a tick writes them.
    pub(super) const ALL: [Self; 4] = [
        Self::ResponseTime,
        Self::ServiceTime,
        Self::ScheduleLag,
        Self::DeliveryTime,
    ];

    const fn tag(self) -> &'static str {
        match self {
            Self::ResponseTime => "response_time",
            Self::ServiceTime => "service_time",
            Self::ScheduleLag => "schedule_lag",
            Self::DeliveryTime => "delivery_time",
        }
    }

    pub(super) const fn of(self, durations: &Durations) -> &Histogram {
        match self {
            Self::ResponseTime => &durations.response_time,
            Self::ServiceTime => &durations.service_time,
            Self::ScheduleLag => &durations.schedule_lag,
            Self::DeliveryTime => &durations.delivery_time,
        }
    }

    pub(super) const fn of_mut(self, durations: &mut Durations) -> &mut Histogram {
        match self {
            Self::ResponseTime => &mut durations.response_time,
            Self::ServiceTime => &mut durations.service_time,
            Self::ScheduleLag => &mut durations.schedule_lag,
            Self::DeliveryTime => &mut durations.delivery_time,
        }
    }
}

/// The comments at the top of the log and its legend.
pub(super) fn header(started_at: &str) -> String {
    format!(
        "#[Histogram log format version 1.3]\n\
         #[Written by plimsoll; the run began at {started_at}; times count from there, in seconds]\n\
         #[Values are nanoseconds; Interval_Max is in milliseconds]\n\
         \"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"\n"
    )
}

/// Turns histograms into lines; keeps its buffers.
pub(super) struct Encoder {
    serializer: V2DeflateSerializer,
    payload: Vec<u8>,
    text: String,
}

impl Encoder {
    pub(super) fn new() -> Self {
        Self {
            serializer: V2DeflateSerializer::new(),
            payload: Vec::new(),
            text: String::new(),
        }
    }

    /// Appends a line per kind of duration that occurred.
    pub(super) fn lines(
        &mut self,
        start_ns: u64,
        duration_ns: u64,
        durations: &Durations,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for kind in Kind::ALL {
            let histogram = kind.of(durations);
            let Some(filled) = histogram.filled() else {
                continue;
            };
            self.payload.clear();
            self.serializer
                .serialize(filled, &mut self.payload)
                .map_err(|error| io::Error::other(error.to_string()))?;
            self.text.clear();
            STANDARD.encode_string(&self.payload, &mut self.text);
            let (start, length) = (Milliseconds::round(start_ns), Milliseconds::round(duration_ns));
            let max_ms = histogram.max_ns() as f64 / NS_PER_MS;
            let (tag, text) = (kind.tag(), &self.text);
            writeln!(out, "Tag={tag},{start},{length},{max_ms:.3},{text}")?;
        }
        Ok(())
    }
}

/// Where a line stands in the run, and its histogram, still encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) kind: Kind,
    pub(super) start: Milliseconds,
    encoded: String,
}

impl Interval {
    /// `None` for what is not one of our lines: comments, the legend, other tags, torn lines.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let mut fields = line.trim_end().split(',');
        let tag = fields.next()?.strip_prefix("Tag=")?;
        let kind = Kind::ALL.into_iter().find(|kind| kind.tag() == tag)?;
        let start = Milliseconds::parse(fields.next()?)?;
        let _length = fields.next()?;
        let _max = fields.next()?;
        let encoded = fields.next()?.to_owned();
        Some(Self { kind, start, encoded })
    }

    /// `None` when the payload is damaged.
    pub(super) fn histogram(&self) -> Option<Histogram> {
        let payload = STANDARD.decode(&self.encoded).ok()?;
        let inner = Deserializer::new().deserialize(&mut payload.as_slice()).ok()?;
        Histogram::from_inner(&inner)
    }
}

/// Time as the log keeps it, written in seconds with three decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Milliseconds(u64);

impl Milliseconds {
    pub(super) const fn round(ns: u64) -> Self {
        Self(ns.saturating_add(500_000) / 1_000_000)
    }

    fn parse(seconds: &str) -> Option<Self> {
        let (whole, fraction) = seconds.split_once('.')?;
        let ms: u64 = (fraction.len() == 3).then(|| fraction.parse().ok())??;
        whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(ms).map(Self)
    }
}

impl std::fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    fn log() -> (Durations, Vec<u8>) {
        let mut durations = Durations::default();
        for ns in 1..1000 {
            durations.response_time.record(ns * 1_234_567);
        }
        durations.schedule_lag.record(0);
        let mut out = header("2026-01-02T03:04:05Z").into_bytes();
        Encoder::new()
            .lines(1_999_999_600, 1_000_000_000, &durations, &mut out)
            .expect("writing to memory");
        (durations, out)
    }

    #[test]
    fn a_line_is_read_back_as_it_was() {
        let (durations, out) = log();
        let text = String::from_utf8(out).expect("text");
        let intervals: Vec<_> = text.lines().filter_map(Interval::parse).collect();
        assert_eq!(intervals.len(), 2, "the empty histogram is left out: {text}");
        assert_eq!(intervals[0].kind, Kind::ResponseTime);
        assert_eq!(intervals[0].start, Milliseconds(2000));
        assert_eq!(intervals[0].histogram().as_ref(), Some(&durations.response_time));
        assert_eq!(intervals[1].histogram().as_ref(), Some(&durations.schedule_lag));
    }

    #[test]
    fn the_crates_own_parser_reads_it() {
        let (durations, out) = log();
        let entries: Vec<_> = IntervalLogIterator::new(&out)
            .collect::<Result<_, _>>()
            .expect("a valid log");
        let LogEntry::Interval(first) = &entries[0] else {
            panic!("{entries:?}")
        };
        assert_eq!(first.tag().map(|tag| tag.as_str()), Some("response_time"));
        assert_eq!(first.start_timestamp().as_millis(), 2000);
        let max_ms = durations.response_time.max_ns() as f64 / NS_PER_MS;
        assert!((first.max() - max_ms).abs() < 0.001);
    }

    #[test]
    fn damage_is_noticed() {
        let (_, out) = log();
        let text = String::from_utf8(out).expect("text");
        let line = text
            .lines()
            .find(|line| line.starts_with("Tag=response_time"))
            .expect("a line");
        let torn = Interval::parse(&line[..line.len() - 41]).expect("the header is whole");
        assert_eq!(torn.histogram(), None);
        assert_eq!(Interval::parse("Tag=response_time,1.0"), None);
        assert_eq!(Interval::parse("Tag=other,1.000,1.000,1.000,HISTF"), None);
        assert_eq!(Interval::parse("#[StartTime: 1.000]"), None);
    }
}
