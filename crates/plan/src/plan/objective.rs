//! What must hold.

use crate::notation::Notation;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::units::{Share, fixed_point};
use crate::plan::limit::Limit;
use crate::plan::limits::ByteSize;
use crate::plan::target::Target;
use crate::plan::zoned::{ZONE, zoned};
use schemars::{Schema, json_schema};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// One condition that the service must meet in a window, of all requests or of one. Written `cpu <= 80%`, `p99 <= 100ms`,
/// `errors = 0`, `errors <= 0.1%`, `rate >= 99%`, `p99(read a profile) <= 20ms`, `errors(order) = 0`,
/// `handshake p99 <= 20ms`, `opening p99 <= 50ms`, `journey p99(play) <= 2s`, `journey failed(play) <= 1%`, `message p99 <= 200ms`,
/// `held >= 100%`, `memory <= 400MiB`, `throttled <= 5%`, `loop delay p99 <= 50ms`, `zone eu-west p99 <= 100ms`.
#[derive(Debug, Clone, PartialEq)]
pub struct Objective {
    /// The zone of a fleet by whose agents alone it is judged; `None` where it is about all of them.
    pub zone: Option<String>,
    /// Name of the request of the scenario that it is about, or of the journey where it bounds what becomes of journeys; `None` where it is about
    /// all of them.
    pub request: Option<String>,
    /// What must hold.
    pub limit: Limit,
}

/// Makes the bound of a quantile of times.
type OfTime = fn(Share, Duration) -> Limit;

impl From<Limit> for Objective {
    /// Of all requests.
    fn from(limit: Limit) -> Self {
        Self {
            zone: None,
            request: None,
            limit,
        }
    }
}

impl Objective {
    /// What a service is held to unless a plan says otherwise, the first to break first: CPU at most 80 %, p99 at
    /// most 100 ms, no errors. Of a service that plimsoll neither starts nor watches nobody can judge the CPU, so it is not
    /// held to it.
    #[must_use]
    pub fn defaults(target: &Target) -> Vec<Self> {
        let is_sampled = target.command.is_some() || target.running.is_some();
        let cpu = is_sampled.then_some(Limit::Cpu {
            max: Share::percent(80),
        });
        let others = [
            Limit::ResponseTime {
                quantile: Share::percent(99),
                max: Duration::from_millis(100),
            },
            Limit::Errors { max: Share::default() },
        ];
        cpu.into_iter().chain(others).map(Self::from).collect()
    }

    /// What a service is held to in a search for connections unless a plan says otherwise: CPU as always, every connection
    /// open, no errors and, where they say something, p99 of the messages at most 100 ms.
    #[must_use]
    pub fn defaults_of_held(target: &Target, sends_messages: bool) -> Vec<Self> {
        let message = sends_messages.then_some(Limit::MessageTime {
            quantile: Share::percent(99),
            max: Duration::from_millis(100),
        });
        let others = [
            Some(EVERY_ONE_HELD),
            message,
            Some(Limit::Errors { max: Share::default() }),
        ];
        let is_cpu = |objective: &Self| matches!(objective.limit, Limit::Cpu { .. });
        let cpu = Self::defaults(target).into_iter().filter(is_cpu);
        cpu.chain(others.into_iter().flatten().map(Self::from)).collect()
    }

    /// What it bounds, as the notation begins: `cpu`, `p99`, `p99(order)`, `max`, `errors`, `rate`, `handshake p99`,
    /// `opening p99`, `journey p99(play)`, `journey failed(play)`, `message p99`, `held`, `memory`, `throttled`, `loop delay p99`.
    #[must_use]
    pub fn subject(&self) -> String {
        let subject = match self.limit {
            Limit::Cpu { .. } => "cpu".to_owned(),
            Limit::ResponseTime { quantile, .. } => quantile_text(quantile),
            Limit::HandshakeTime { quantile, .. } => format!("{HANDSHAKE}{}", quantile_text(quantile)),
            Limit::OpeningTime { quantile, .. } => format!("{OPENING}{}", quantile_text(quantile)),
            Limit::JourneyTime { quantile, .. } => format!("{JOURNEY}{}", quantile_text(quantile)),
            Limit::JourneyFailed { .. } => format!("{JOURNEY}{FAILED}"),
            Limit::MessageTime { quantile, .. } => format!("{MESSAGE}{}", quantile_text(quantile)),
            Limit::LoopDelay { quantile, .. } => format!("{LOOP_DELAY}{}", quantile_text(quantile)),
            Limit::Errors { .. } => "errors".to_owned(),
            Limit::AchievedRate { .. } => "rate".to_owned(),
            Limit::Held { .. } => "held".to_owned(),
            Limit::Memory { .. } => "memory".to_owned(),
            Limit::Throttled { .. } => "throttled".to_owned(),
        };
        match (&self.zone, &self.request) {
            (Some(zone), _) => format!("{ZONE}{zone} {subject}"),
            (None, Some(request)) => format!("{subject}({request})"),
            (None, None) => subject,
        }
    }
}

impl fmt::Display for Objective {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let subject = self.subject();
        match self.limit {
            Limit::ResponseTime { max, .. }
            | Limit::HandshakeTime { max, .. }
            | Limit::OpeningTime { max, .. }
            | Limit::JourneyTime { max, .. }
            | Limit::MessageTime { max, .. }
            | Limit::LoopDelay { max, .. } => {
                write!(f, "{subject} <= {}ms", fixed_point(max.as_nanos(), 6))
            }
            Limit::Errors { max } | Limit::JourneyFailed { max } if max.value() == 0.0 => write!(f, "{subject} = 0"),
            Limit::Cpu { max } | Limit::Throttled { max } | Limit::Errors { max } | Limit::JourneyFailed { max } => {
                write!(f, "{subject} <= {max}")
            }
            Limit::Memory { max } => write!(f, "{subject} <= {max}"),
            Limit::AchievedRate { min } | Limit::Held { min } => write!(f, "{subject} >= {min}"),
        }
    }
}

impl FromStr for Objective {
    type Err = Mismatch;

    fn from_str(text: &str) -> Result<Self, Mismatch> {
        Self::read(text)
    }
}

impl Notation for Objective {
    const EXPECTED: &'static str = "an objective such as `cpu <= 80%`, `p99 <= 100ms`, `errors = 0` or `rate >= 99%`";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let Some((zone, rest)) = zoned(text) else {
            return Self::read_of_all(text);
        };
        let objective = Self::read_of_all(rest).map_err(|mismatch| mismatch.moved(text.len() - rest.len()))?;
        let is_seen = matches!(objective.limit, Limit::ResponseTime { .. } | Limit::Errors { .. });
        if !is_seen || objective.request.is_some() {
            let expected = "response times or errors of all its requests, such as `zone eu-west p99 <= 100ms`";
            return Err(Mismatch::new(quoted(text), expected));
        }
        let zone = Some(zone.to_owned());
        Ok(Self { zone, ..objective })
    }

    fn schema() -> Schema {
        json_schema!({
            "type": "string",
            "pattern": r"^((cpu|throttled) *(<=|≤) *[0-9.]+%|memory *(<=|≤) *[0-9.]+ ?([KMGT]iB|[KMG]i|[kMG]?B)|errors *(\(.+\))? *((<=|≤) *[0-9.]+%|= *0)|(rate|held) *(>=|≥) *[0-9.]+%|(p[0-9.]+|max) *(\(.+\))? *(<=|≤) *[0-9].*|(handshake|opening|message|loop delay) +(p[0-9.]+|max) *(<=|≤) *[0-9].*|journey +(p[0-9.]+|max) *(\(.+\))? *(<=|≤) *[0-9].*|journey +failed *(\(.+\))? *((<=|≤) *[0-9.]+%|= *0)|zone +[A-Za-z0-9-]{1,40} +(errors *((<=|≤) *[0-9.]+%|= *0)|(p[0-9.]+|max) *(<=|≤) *[0-9].*))$",
            "examples": [
                "cpu <= 80%", "p99 <= 100ms", "max <= 1s", "errors = 0", "errors <= 0.1%", "rate >= 99%",
                "p99(read a profile) <= 20ms", "errors(order) = 0", "handshake p99 <= 20ms",
                "opening p99 <= 50ms", "journey p99(play) <= 2s", "journey failed(play) <= 1%", "message p99 <= 200ms", "held >= 100%",
                "memory <= 400MiB", "throttled <= 5%", "loop delay p99 <= 50ms", "zone eu-west p99 <= 100ms",
            ],
        })
    }
}

impl Objective {
    /// Reads one that is about no zone.
    fn read_of_all(text: &str) -> Result<Self, Mismatch> {
        let is_operator = |c: char| matches!(c, '<' | '>' | '=' | '≤' | '≥');
        // The name of a request may hold anything, even what looks like an operator.
        let (named, from) = match named(text) {
            Some((subject, request, end)) => (Some((subject, request)), end),
            None => (None, 0),
        };
        let begin = text[from..]
            .find(is_operator)
            .map(|begin| from + begin)
            .ok_or_else(|| Self::mismatch(text))?;
        let end = text[begin..]
            .find(|c| !is_operator(c))
            .map_or(text.len(), |length| begin + length);
        let (operator, bound) = (&text[begin..end], text[end..].trim());
        let (subject, request) = match named {
            Some((subject, request)) if text[from..begin].trim().is_empty() => (subject, Some(request)),
            Some(_) => return Err(Self::mismatch(text)),
            None => (text[..begin].trim(), None),
        };
        let operator = match operator {
            "≤" => "<=",
            "≥" => ">=",
            operator => operator,
        };
        let wanted = if matches!(subject, "rate" | "held") { ">=" } else { "<=" };
        let is_failed = subject.strip_prefix(JOURNEY).is_some_and(|rest| rest.trim() == FAILED);
        let may_be_none = subject == "errors" || is_failed;
        if operator != wanted && !(may_be_none && operator == "=" && bound == "0") {
            let mismatch = Mismatch::new(quoted(text), format!("`{wanted}` in an objective about {subject}"));
            let whole = text[..begin].trim();
            return Err(mismatch.hint(format!("did you mean `{whole} {wanted} {bound}`?")));
        }
        // A complaint about the bound is one about the end of the text.
        let within = |mismatch: Mismatch| mismatch.at(text.len() - text[end..].trim_start().len()..text.len());
        // A bare number is milliseconds to whoever writes one here.
        let in_ms = |mismatch: Mismatch| match bound.parse::<f64>() {
            Ok(_) => mismatch.hint(format!("did you mean `{bound}ms`?")),
            Err(_) => mismatch,
        };
        let share = || Share::read(bound).map_err(within);
        let limit = match subject {
            "cpu" | "rate" | "held" | "memory" | "throttled" if request.is_some() => {
                let mismatch = Mismatch::new(quoted(text), "an objective about response times or errors of a request");
                return Err(mismatch.hint(format!(
                    "`{subject}` is of all requests together; write `{subject} {operator} {bound}`"
                )));
            }
            "cpu" => Limit::Cpu { max: share()? },
            "errors" if bound == "0" => Limit::Errors { max: Share::default() },
            "errors" => Limit::Errors { max: share()? },
            _ if is_failed && bound == "0" => Limit::JourneyFailed { max: Share::default() },
            _ if is_failed => Limit::JourneyFailed { max: share()? },
            "rate" => Limit::AchievedRate { min: share()? },
            "held" => Limit::Held { min: share()? },
            "memory" => Limit::Memory {
                max: ByteSize::read(bound).map_err(within)?,
            },
            "throttled" => Limit::Throttled { max: share()? },
            _ => {
                let kinds: [(&str, OfTime); 5] = [
                    (HANDSHAKE, |quantile, max| Limit::HandshakeTime { quantile, max }),
                    (OPENING, |quantile, max| Limit::OpeningTime { quantile, max }),
                    (JOURNEY, |quantile, max| Limit::JourneyTime { quantile, max }),
                    (MESSAGE, |quantile, max| Limit::MessageTime { quantile, max }),
                    (LOOP_DELAY, |quantile, max| Limit::LoopDelay { quantile, max }),
                ];
                let of = |(begin, limit)| Some((subject.strip_prefix(begin)?.trim_start(), limit));
                let response: OfTime = |quantile, max| Limit::ResponseTime { quantile, max };
                let (figure, limit) = kinds.into_iter().find_map(of).unwrap_or((subject, response));
                let Some(quantile) = quantile(figure) else {
                    let subjects = [
                        "cpu",
                        "errors",
                        "rate",
                        "held",
                        "memory",
                        "throttled",
                        "max",
                        "p99",
                        "handshake p99",
                        "opening p99",
                        "journey p99",
                        "journey failed",
                        "message p99",
                        "loop delay p99",
                    ];
                    return Err(Self::mismatch(text).nearest(subject, subjects));
                };
                let max = Duration::read(bound).map_err(in_ms).map_err(within)?;
                limit(quantile, max)
            }
        };
        Ok(Self {
            zone: None,
            request: request.map(ToOwned::to_owned),
            limit,
        })
    }
}

/// What an objective about TLS handshakes begins with.
const HANDSHAKE: &str = "handshake ";
/// What an objective about openings of WebSockets begins with.
const OPENING: &str = "opening ";
/// What an objective about journeys begins with, and what follows where it is about those that failed.
const JOURNEY: &str = "journey ";
const FAILED: &str = "failed";
/// What an objective about messages between held connections begins with.
const MESSAGE: &str = "message ";
/// What an objective about the event loop begins with.
const LOOP_DELAY: &str = "loop delay ";
/// What is asked for where nobody says how many connections may be missing.
const EVERY_ONE_HELD: Limit = Limit::Held {
    min: Share::percent(100),
};

/// `p99`, or `max` for the greatest.
fn quantile_text(quantile: Share) -> String {
    if quantile.value() >= 1.0 {
        "max".to_owned()
    } else {
        format!("p{}", quantile.percent_text())
    }
}

fn quantile(text: &str) -> Option<Share> {
    let quantile = match text {
        "max" => Some(Share::percent(100)),
        _ => text.strip_prefix('p').and_then(Share::from_percent_text),
    };
    quantile.filter(|quantile| quantile.value() > 0.0)
}

/// What comes before the name of a request or a journey in parentheses, the name, and where they end.
fn named(text: &str) -> Option<(&str, &str, usize)> {
    let (subject, rest) = text.split_once('(')?;
    let subject = subject.trim();
    let word = subject.strip_prefix(JOURNEY).map_or(subject, str::trim_start);
    let is_word = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'.');
    let close = rest.rfind(')').filter(|_| is_word)?;
    Some((subject, rest[..close].trim(), text.len() - rest.len() + close + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_read_back_as_they_are_written() {
        for text in [
            "cpu <= 80%",
            "cpu <= 99.9%",
            "p99 <= 100ms",
            "p99.99 <= 0.25ms",
            "p50 <= 0.000001ms",
            "max <= 1500ms",
            "errors = 0",
            "errors <= 0.1%",
            "rate >= 99%",
            "p99(read a profile) <= 20ms",
            "errors(order) = 0",
            "max(GET /a?b=1&c<=2 (old)) <= 1000ms",
            "handshake p99 <= 20ms",
            "handshake max <= 1000ms",
            "opening p99.9 <= 50ms",
            "journey p99 <= 3000ms",
            "journey max(play (long)) <= 60000ms",
            "journey failed = 0",
            "journey failed(play (long)) <= 1.5%",
            "message p99.9 <= 200ms",
            "message max <= 1000ms",
            "held >= 99.9%",
            "memory <= 400MiB",
            "throttled <= 2.5%",
            "loop delay p99 <= 50ms",
            "loop delay max <= 1000ms",
            "zone eu-west p99 <= 100ms",
            "zone 7 errors = 0",
        ] {
            assert_eq!(
                text.parse::<Objective>().map(|objective| objective.to_string()),
                Ok(text.to_owned())
            );
        }
    }

    #[test]
    fn spelling_is_lenient_where_the_meaning_is_plain() {
        for (text, same) in [
            ("cpu<=80%", "cpu <= 80%"),
            (" p99  ≤ 0.1s", "p99 <= 100ms"),
            ("p100 <= 1s", "max <= 1000ms"),
            ("errors <= 0", "errors = 0"),
            ("errors <= 0%", "errors = 0"),
            ("p99 ( order )<=1s", "p99(order) <= 1000ms"),
            ("handshake   p100≤1s", "handshake max <= 1000ms"),
            ("journey  p99.9 ( play )≤1m", "journey p99.9(play) <= 60000ms"),
            ("journey  failed ( play )≤1%", "journey failed(play) <= 1%"),
            ("journey failed<=0", "journey failed = 0"),
            (" zone  eu-west   p99≤0.1s", "zone eu-west p99 <= 100ms"),
        ] {
            assert_eq!(
                text.parse::<Objective>().map(|objective| objective.to_string()),
                Ok(same.to_owned())
            );
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "cpu",
            "cpu <= 80",
            "cpu < 80%",
            "cpu >= 80%",
            "p99 <= 100",
            "p0 <= 1s",
            "p101 <= 1s",
            "errors = 1",
            "speed <= 3s",
            "journey errors = 0",
            "journey failed = 1",
            "journey failed <= 1s",
            "journey failed >= 1%",
            "failed <= 1%",
            "handshake p99(order) <= 1s",
            "rate <= 99%",
            "cpu(order) <= 80%",
            "rate(order) >= 99%",
            "p99(order) x <= 1s",
            "(order) <= 1s",
            "p99() x",
            "handshake <= 1s",
            "handshake p0 <= 1s",
            "handshake p99(order) <= 1s",
            "handshake cpu <= 80%",
            "opening p99(order) <= 1s",
            "message <= 1s",
            "message p99(order) <= 1s",
            "held <= 99%",
            "held(order) >= 99%",
            "memory <= 400",
            "memory >= 400MiB",
            "memory(order) <= 400MiB",
            "throttled <= 5ms",
            "throttled = 0",
            "loop delay <= 1s",
            "loop delay p99(order) <= 1s",
            "loop p99 <= 1s",
            "zone p99 <= 1s",
            "zone eu west p99 <= 1s",
            "zone eu-west cpu <= 80%",
            "zone eu-west p99(order) <= 1s",
            "zone eu-west rate >= 99%",
            "zone eu-west handshake p99 <= 1s",
            "zone eu-west zone us-east p99 <= 1s",
        ] {
            assert!(text.parse::<Objective>().is_err(), "{text}");
        }
    }
}
