//! How much of what a service says through the probe is taken in during one pass. The probe is code inside of the service:
//! whatever says it is the probe may be anything, so nothing here grows with what it says.
//!
//! A pass of the real probe stays far below all of this, but for one that runs for long with many threads: then figures
//! between the first and the last are dropped, and the last of each thread have a part of their own.

use plimsoll_measure::run_directory::MOST_PROFILES_BYTES;
use std::fmt;
use std::time::{Duration, Instant};

/// Connections in one pass; one for each thread of the service that serves, and one more for each time that it comes again.
pub(super) const CONNECTIONS_MAX: usize = 256;
/// The longest line while functions are counted: all call sites of a thread with all their figures.
pub(super) const COUNTERS_LINE_BYTES_MAX: usize = 512 << 10;
/// The longest line of a thread that profiles, but for a profile.
pub(super) const PROFILE_PASS_LINE_BYTES_MAX: usize = 64 << 10;
/// The longest profile, as JSON.
pub(super) const PROFILE_BYTES_MAX: usize = 32 << 20;
/// All profiles of a pass together: what is read back of a directory.
pub(super) const PROFILES_BYTES_MAX: usize = MOST_PROFILES_BYTES as usize;
/// All lines together of which the end has not come yet, but for profiles.
pub(super) const PARTIAL_BYTES_MAX: usize = 32 << 20;
/// What is kept of one connection, and of all, before the end of the window, bytes of JSON.
const CONNECTION_BYTES_MAX: u64 = 32 << 20;
const PASS_BYTES_MAX: u64 = 128 << 20;
/// Of that for call sites, which are held in memory to the end of the pass.
const SITES_BYTES_MAX: u64 = 24 << 20;
/// For the last figures of each connection.
const LAST_BYTES_MAX: u64 = 512 << 10;
/// Messages of one connection: as many at once as there are call sites, and so many a second.
const MESSAGES_AT_ONCE: f64 = 2048.0;
const MESSAGES_PER_S: f64 = 64.0;

/// What was not taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ProbeLosses {
    /// Lines that are no message of the probe.
    pub damaged_lines: u64,
    /// Lines that were too long.
    pub long_lines: u64,
    /// Messages that came too fast, or for which the pass had no place left, and their bytes.
    pub messages: u64,
    /// Bytes of those messages.
    pub message_bytes: u64,
    /// Profiles that nobody had asked for, or that were too large together.
    pub profiles: u64,
    /// Connections beyond those that are listened to.
    pub connections: u64,
}

impl ProbeLosses {
    /// Whether everything was taken in.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for ProbeLosses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lost = [
            (self.damaged_lines, "unreadable lines".to_owned()),
            (self.long_lines, "lines that are too long".to_owned()),
            (
                self.messages,
                format!(
                    "messages ({} KB) beyond what a pass keeps",
                    self.message_bytes.div_ceil(1000)
                ),
            ),
            (
                self.profiles,
                "profiles that are too large or were not asked for".to_owned(),
            ),
            (self.connections, format!("connections beyond {CONNECTIONS_MAX}")),
        ];
        let lost: Vec<String> = lost
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        f.write_str(&lost.join(", "))
    }
}

/// What a pass has taken in.
#[derive(Debug, Default)]
pub(super) struct Budget {
    bytes: u64,
    site_bytes: u64,
    pub(super) profile_bytes: usize,
}

/// What one connection has had of it.
#[derive(Debug)]
pub(super) struct Share {
    bytes: u64,
    last_bytes: u64,
    messages: f64,
    at: Instant,
}

impl Share {
    pub(super) fn new(now: Instant) -> Self {
        Self {
            bytes: 0,
            last_bytes: 0,
            messages: MESSAGES_AT_ONCE,
            at: now,
        }
    }

    /// Whether one more message may be looked at.
    pub(super) fn takes_message(&mut self, now: Instant) -> bool {
        let since: Duration = now.saturating_duration_since(self.at);
        self.at = now;
        self.messages = (self.messages + since.as_secs_f64() * MESSAGES_PER_S).min(MESSAGES_AT_ONCE);
        let takes = self.messages >= 1.0;
        if takes {
            self.messages -= 1.0;
        }
        takes
    }
}

impl Budget {
    /// Whether a message of so many bytes is kept. At the end of the window each connection has a part of its own.
    pub(super) fn takes(&mut self, share: &mut Share, bytes: u64, is_site: bool, at_end: bool) -> bool {
        if is_site && self.site_bytes + bytes > SITES_BYTES_MAX {
            return false;
        }
        if self.bytes + bytes <= PASS_BYTES_MAX && share.bytes + bytes <= CONNECTION_BYTES_MAX {
            self.bytes += bytes;
            share.bytes += bytes;
        } else if at_end && share.last_bytes + bytes <= LAST_BYTES_MAX {
            share.last_bytes += bytes;
        } else {
            return false;
        }
        self.site_bytes += if is_site { bytes } else { 0 };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_connection_leaves_the_others_their_part() {
        let now = Instant::now();
        let mut budget = Budget::default();
        let mut shares: Vec<Share> = (0..5).map(|_| Share::new(now)).collect();
        let mut kept = |share: &mut Share, at_end| {
            let mut kept = 0;
            while budget.takes(share, 1 << 10, false, at_end) {
                kept += 1 << 10;
            }
            kept
        };
        let (first, others) = shares.split_first_mut().expect("five");
        assert_eq!(kept(first, false), CONNECTION_BYTES_MAX);
        let all: u64 = others.iter_mut().map(|share| kept(share, false)).sum();
        assert_eq!(all, PASS_BYTES_MAX - CONNECTION_BYTES_MAX);
        for share in &mut shares {
            assert_eq!(kept(share, true), LAST_BYTES_MAX, "of the last figures");
        }
    }

    #[test]
    fn messages_are_bounded_by_time_and_sites_by_bytes() {
        let now = Instant::now();
        let mut share = Share::new(now);
        let at_once = (0..10_000).filter(|_| share.takes_message(now)).count();
        assert_eq!(at_once, MESSAGES_AT_ONCE as usize);
        let later = now + Duration::from_secs(1);
        let more = (0..10_000).filter(|_| share.takes_message(later)).count();
        assert_eq!(more, MESSAGES_PER_S as usize);
        let mut budget = Budget::default();
        assert!(budget.takes(&mut share, SITES_BYTES_MAX, true, false));
        assert!(!budget.takes(&mut share, 1, true, false));
        assert!(budget.takes(&mut share, 1, false, false));
    }

    #[test]
    fn losses_are_said_in_words() {
        assert!(ProbeLosses::default().is_nothing());
        let losses = ProbeLosses {
            long_lines: 2,
            messages: 7,
            message_bytes: 1_500,
            ..ProbeLosses::default()
        };
        assert_eq!(
            losses.to_string(),
            "2 lines that are too long, 7 messages (2 KB) beyond what a pass keeps"
        );
    }
}
