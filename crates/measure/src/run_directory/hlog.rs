//! `latency.hlog`: HdrHistogram's interval log, one line per tick and kind of duration.
//!
//! Line format as in the `HistogramLogWriter` of <https://github.com/HdrHistogram/HdrHistogram>, log format 1.3,
//! payloads in the compressed V2 encoding.

use crate::apart::Part;
use crate::durations::{TickDurations, Timing};
use crate::histogram::{HIGHEST_NS, Histogram, SLOTS, Slots};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::read::ZlibDecoder;
use hdrhistogram::serialization::{Serializer as _, V2DeflateSerializer};
use std::fmt;
use std::io::{self, Read as _, Write as _};

/// The longest duration of a line is printed in ms, as the Java tools do.
const NS_PER_MS: f64 = 1e6;

/// What a histogram is of; the tag of its line. Of a single request its place in the scenario follows a colon, of a single agent its place
/// an `@`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) timing: Timing,
    pub(super) part: Part,
}

impl Kind {
    /// In the order in which a tick writes them: all requests, then each, then each agent.
    pub(super) fn all(durations: &TickDurations) -> impl Iterator<Item = Self> + use<> {
        let places = |parts: usize| 0..u16::try_from(parts).unwrap_or(u16::MAX);
        let requests = places(durations.requests.len()).map(Part::Request);
        let agents = places(durations.agents.len()).map(Part::Agent);
        let of = |part| Timing::ALL.into_iter().map(move |timing| Self { timing, part });
        std::iter::once(Part::All).chain(requests).chain(agents).flat_map(of)
    }

    fn parse(tag: &str) -> Option<Self> {
        let (name, part) = match (tag.split_once(':'), tag.split_once('@')) {
            (Some((name, request)), _) => (name, Part::Request(request.parse().ok()?)),
            (None, Some((name, agent))) => (name, Part::Agent(agent.parse().ok()?)),
            (None, None) => (tag, Part::All),
        };
        let timing = Timing::ALL.into_iter().find(|timing| timing.as_str() == name)?;
        Some(Self { timing, part })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.timing.as_str())?;
        match self.part {
            Part::All => Ok(()),
            Part::Request(place) => write!(f, ":{place}"),
            Part::Agent(place) => write!(f, "@{place}"),
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
        durations: &TickDurations,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for kind in Kind::all(durations) {
            let histogram = durations.part(kind.part).map(|durations| &durations[kind.timing]);
            let Some(histogram) = histogram.filter(|histogram| histogram.count() > 0) else {
                continue;
            };
            let text = match histogram.text() {
                Some(text) => text,
                None => self.encode(histogram)?,
            };
            let (start, length) = (Milliseconds::round(start_ns), Milliseconds::round(duration_ns));
            let max_ms = histogram.max_ns() as f64 / NS_PER_MS;
            writeln!(out, "Tag={kind},{start},{length},{max_ms:.3},{text}")?;
        }
        Ok(())
    }

    fn encode(&mut self, histogram: &Histogram) -> io::Result<&str> {
        self.payload.clear();
        self.text.clear();
        if let Some(filled) = histogram.filled() {
            let written = self.serializer.serialize(&*filled, &mut self.payload);
            written.map_err(|error| io::Error::other(error.to_string()))?;
            STANDARD.encode_string(&self.payload, &mut self.text);
        }
        Ok(&self.text)
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
        let kind = Kind::parse(tag)?;
        let start = Milliseconds::parse(fields.next()?)?;
        let _length = fields.next()?;
        let _max = fields.next()?;
        let encoded = fields.next()?.to_owned();
        Some(Self { kind, start, encoded })
    }

    /// `None` when the payload is damaged.
    pub(super) fn histogram(self) -> Option<Histogram> {
        let compressed = STANDARD.decode(&self.encoded).ok()?;
        Some(Histogram::read(slots_of(&compressed)?, self.encoded.into_boxed_str()))
    }
}

/// How many durations a line of `latency.hlog` holds; `None` when it is none, or is damaged. For whoever tries lines.
#[must_use]
pub fn count_of_histogram_line(line: &str) -> Option<u64> {
    Some(Interval::parse(line)?.histogram()?.count())
}

/// Begins a compressed payload.
const COMPRESSED: u32 = 0x1c84_9314;
/// Begins a payload.
const PLAIN: u32 = 0x1c84_9313;
const HEADER_BYTES: usize = 40;
/// Our histograms have 33,792 counts of at most nine bytes; what inflates to more is none of ours.
const MOST_PAYLOAD_BYTES: u64 = 512 << 10;
/// Above what a service does in an hour, and so small that sums of many do not overflow.
const MOST_COUNT: u64 = 1 << 48;

/// The slots of a compressed payload, if it is one of ours: of a histogram with other bounds, what is longer than it says or holds an
/// absurd number of durations is none.
fn slots_of(compressed: &[u8]) -> Option<Slots> {
    let (cookie, rest) = compressed.split_first_chunk()?;
    let (_length, deflated) = rest.split_first_chunk::<4>()?;
    if u32::from_be_bytes(*cookie) != COMPRESSED {
        return None;
    }
    let mut payload = Vec::new();
    let read = ZlibDecoder::new(deflated)
        .take(MOST_PAYLOAD_BYTES)
        .read_to_end(&mut payload)
        .ok()?;
    let (header, counts) = payload.split_at_checked(HEADER_BYTES)?;
    let word = |at: usize| header[at..].first_chunk().map(|bytes| u32::from_be_bytes(*bytes));
    let long = |at: usize| header[at..].first_chunk().map(|bytes| u64::from_be_bytes(*bytes));
    let is_ours = (read as u64) < MOST_PAYLOAD_BYTES
        && word(0)? == PLAIN
        && word(8)? == 0
        && word(12)? == 3
        && long(16)? == 1
        && long(24)? == HIGHEST_NS;
    if !is_ours {
        return None;
    }
    slots_of_counts(counts.get(..usize::try_from(word(4)?).ok()?)?)
}

/// The slots of counts. A negative number stands for as many zeros.
fn slots_of_counts(mut counts: &[u8]) -> Option<Slots> {
    let (mut slots, mut place) = (Slots::with_room_for(counts.len()), 0_u64);
    while !counts.is_empty() {
        let number = next_number(&mut counts)?;
        let magnitude = number.div_ceil(2);
        if number % 2 == 1 {
            place = place.checked_add(magnitude).filter(|place| *place <= SLOTS)?;
            continue;
        }
        if slots.count().saturating_add(magnitude) > MOST_COUNT {
            return None;
        }
        slots.push(place, magnitude)?;
        place += 1;
    }
    Some(slots)
}

/// The next number in the encoding of the format: LEB128-64b9B, zigzag.
fn next_number(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, mut rest) = bytes.split_first()?;
    let mut number = u64::from(first & 0x7f);
    let mut more = first & 0x80 != 0;
    for byte in 1..9 {
        if !more {
            break;
        }
        let (&next, behind) = rest.split_first()?;
        rest = behind;
        let bits = if byte == 8 { next } else { next & 0x7f };
        number |= u64::from(bits) << (7 * byte);
        more = next & 0x80 != 0;
    }
    *bytes = rest;
    Some(number)
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

impl fmt::Display for Milliseconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::durations::Durations;
    use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

    fn log() -> (TickDurations, Vec<u8>) {
        let mut durations = TickDurations::default();
        for ns in 1..1000 {
            durations[Timing::ResponseTime].record(ns * 1_234_567);
        }
        durations[Timing::ScheduleLag].record(0);
        durations.requests = vec![Durations::default(), durations.all.clone()];
        durations.agents = vec![durations.all.clone()];
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
        let tags: Vec<_> = intervals.iter().map(|interval| interval.kind.to_string()).collect();
        assert_eq!(
            tags,
            [
                "response_time",
                "schedule_lag",
                "response_time:1",
                "schedule_lag:1",
                "response_time@0",
                "schedule_lag@0"
            ],
            "empty ones are left out"
        );
        assert_eq!(intervals[0].start, Milliseconds(2000));
        assert_eq!(
            intervals[0].clone().histogram().as_ref(),
            Some(&durations[Timing::ResponseTime])
        );
        assert_eq!(
            intervals[3].clone().histogram().as_ref(),
            Some(&durations[Timing::ScheduleLag])
        );
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
        let max_ms = durations[Timing::ResponseTime].max_ns() as f64 / NS_PER_MS;
        assert!((first.max() - max_ms).abs() < 0.001);
    }

    fn encoded(payload: &[u8]) -> Interval {
        let mut line = COMPRESSED.to_be_bytes().to_vec();
        line.extend_from_slice(&[0; 4]);
        let mut compressor = flate2::write::ZlibEncoder::new(line, flate2::Compression::best());
        compressor.write_all(payload).expect("writing to memory");
        let line = STANDARD.encode(compressor.finish().expect("writing to memory"));
        Interval::parse(&format!("Tag=response_time,0.000,1.000,1.000,{line}")).expect("a line")
    }

    /// A payload with one byte for each of its counts.
    fn payload(digits: u32, low: u64, high: u64, counts: &[u8]) -> Vec<u8> {
        let mut payload = Vec::new();
        for word in [PLAIN, u32::try_from(counts.len()).expect("small"), 0, digits] {
            payload.extend_from_slice(&word.to_be_bytes());
        }
        payload.extend_from_slice(&low.to_be_bytes());
        payload.extend_from_slice(&high.to_be_bytes());
        payload.extend_from_slice(&1_f64.to_be_bytes());
        payload.extend_from_slice(counts);
        payload
    }

    #[test]
    fn a_bomb_or_an_absurd_histogram_is_none() {
        let read = |payload: &[u8]| encoded(payload).histogram().map(|histogram| histogram.count());
        assert_eq!(read(&payload(3, 1, HIGHEST_NS, &[2, 4])), Some(3));
        assert_eq!(read(&payload(3, 1, HIGHEST_NS, &vec![0; 1 << 26])), None, "a bomb");
        assert_eq!(read(&payload(5, 1, HIGHEST_NS, &[2])), None, "more digits than ours");
        assert_eq!(read(&payload(3, 0, HIGHEST_NS, &[2])), None);
        assert_eq!(read(&payload(3, 1, u64::MAX, &[2])), None);
        assert_eq!(read(&payload(3, 1 << 62, u64::MAX, &[2])), None);
        assert_eq!(
            read(&payload(3, 1, HIGHEST_NS, &[0xff; 9])),
            None,
            "the most negative number of zeros"
        );
        assert_eq!(
            read(&payload(
                3,
                1,
                HIGHEST_NS,
                &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]
            )),
            None
        );
        assert_eq!(read(&payload(3, 1, HIGHEST_NS, &[0x80])), None, "cut off");
        let mut longer = payload(3, 1, HIGHEST_NS, &[2]);
        longer[4..8].copy_from_slice(&u32::MAX.to_be_bytes());
        assert_eq!(read(&longer), None, "it says that it is longer than it is");
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
