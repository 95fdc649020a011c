//! How much is read: of one file, and of one directory with everything inside of it. A file costs little more than its
//! name where it is linked a thousand times, so limits on files alone bound nothing.

use super::DirectoryError;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

const MIB: u64 = 1 << 20;

/// A profile as the runtime made it.
pub const MOST_PROFILE_BYTES: u64 = 48 * MIB;
/// All profiles of a directory, those of memory among them. A pass of a diagnosis takes in no more.
pub const MOST_PROFILES_BYTES: u64 = 64 * MIB;

/// The most rounds of one series: each is a run that is read and judged by itself.
pub const MOST_ROUNDS: usize = 800;
/// Those of all series in a study.
const MOST_ROUNDS_TOGETHER: usize = 2 * MOST_ROUNDS;

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    /// `run.json`, `host.json`, `comparison.json` and the like.
    About,
    /// `plan.json`: 16 MiB of bodies, in base64 or with their quotes escaped.
    Plan,
    Findings,
    /// Records, which are read one by one: a day and a half of ticks.
    Ticks,
    Samples,
    Probe,
    Histograms,
    Profile,
    /// Where the code in a profile comes from.
    Origins,
}

impl Content {
    const ALL: [Self; 9] = [
        Self::About,
        Self::Plan,
        Self::Findings,
        Self::Ticks,
        Self::Samples,
        Self::Probe,
        Self::Histograms,
        Self::Profile,
        Self::Origins,
    ];

    /// The most that one file holds.
    pub(super) const fn most_bytes(self) -> u64 {
        match self {
            Self::About => 8 * MIB,
            Self::Findings => 16 * MIB,
            Self::Plan => 24 * MIB,
            Self::Origins => 32 * MIB,
            Self::Profile => MOST_PROFILE_BYTES,
            Self::Ticks | Self::Samples | Self::Probe => 128 * MIB,
            Self::Histograms => 2048 * MIB,
        }
    }

    /// The most that all such files hold, in a directory and those inside of it.
    const fn most_bytes_together(self) -> u64 {
        match self {
            Self::Profile => MOST_PROFILES_BYTES,
            Self::About | Self::Findings | Self::Origins => 64 * MIB,
            Self::Ticks | Self::Samples => 128 * MIB,
            // Two passes of a diagnosis have a probe; the rounds of a series have a plan each.
            Self::Probe | Self::Plan => 256 * MIB,
            Self::Histograms => 2048 * MIB,
        }
    }

    /// The limit in words.
    pub(super) fn together(self) -> String {
        format!(
            "the {} MiB that a directory may hold in such files",
            self.most_bytes_together() / MIB
        )
    }
}

/// What may still be read of a directory that the user named, shared by all directories inside of it.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Left>);

#[derive(Debug)]
struct Left {
    bytes: [AtomicU64; Content::ALL.len()],
    rounds: AtomicU64,
}

impl Default for Budget {
    fn default() -> Self {
        Self(Arc::new(Left {
            bytes: Content::ALL.map(|content| AtomicU64::new(content.most_bytes_together())),
            rounds: AtomicU64::new(MOST_ROUNDS_TOGETHER as u64),
        }))
    }
}

impl Budget {
    /// Whether so many bytes more may be read. When they may not, nothing more may.
    pub(super) fn takes(&self, content: Content, bytes: usize) -> bool {
        takes(&self.0.bytes[content as usize], bytes)
    }

    /// Whether so many rounds more may be read.
    pub(super) fn takes_rounds(&self, rounds: usize) -> bool {
        takes(&self.0.rounds, rounds)
    }

    /// As [`Budget::takes`], where nothing can be left out.
    pub(super) fn take(&self, content: Content, path: &Path, bytes: usize) -> Result<(), DirectoryError> {
        if self.takes(content, bytes) {
            return Ok(());
        }
        let error = io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("it goes beyond {}", content.together()),
        );
        Err(DirectoryError::io("read", path, error))
    }
}

fn takes(left: &AtomicU64, wanted: usize) -> bool {
    let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
        left.checked_sub(wanted as u64)
    });
    if taken.is_err() {
        left.store(0, Ordering::Relaxed);
    }
    taken.is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_holds_no_less_than_a_file() {
        for content in Content::ALL {
            assert!(content.most_bytes() <= content.most_bytes_together(), "{content:?}");
        }
    }

    #[test]
    fn a_budget_is_shared_and_ends() {
        let budget = Budget::default();
        let inner = budget.clone();
        let most = usize::try_from(MOST_PROFILES_BYTES).expect("small");
        assert!(budget.takes(Content::Profile, most - 10));
        assert!(inner.takes(Content::Profile, 4));
        assert!(!budget.takes(Content::Profile, 7));
        assert!(
            !inner.takes(Content::Profile, 1),
            "nothing comes behind what was left out"
        );
        let error = budget.take(Content::Profile, Path::new("a"), 1).expect_err("refused");
        assert!(error.to_string().contains("64 MiB"), "{error}");
        assert!(budget.takes(Content::Ticks, 1), "others have their own");
    }
}
