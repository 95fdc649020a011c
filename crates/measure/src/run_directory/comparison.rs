//! The file `comparison.json`: which run directories make up a comparison or a sweep of sizes, and what they stand for.

use super::budget::{Budget, MOST_ROUNDS};
use super::{DirectoryError, format::Format, lines::name, writer};
use crate::history::HistoryDay;
use crate::record::Ended;
use plimsoll_files::Directory;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

const FILE: &str = "comparison.json";
const FORMAT: Format = Format {
    name: "plimsoll.comparison",
    version: 1,
};

/// Far above what anyone waits for.
const MOST_BLOCKS: u32 = 10_000;
const MOST_VARIANTS: usize = 1000;

/// A comparison as far as it has got. Its figures are in the run directories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonInfo {
    /// `plimsoll.comparison/1`.
    pub format: String,
    /// What is compared.
    pub name: String,
    /// When it began, RFC 3339, UTC.
    pub started_at: String,
    /// Version of the plimsoll that wrote it.
    pub version: String,
    /// What is compared; every other is set against the first.
    pub variants: Vec<Variant>,
    /// What every round offers and where that came from, one sentence.
    pub load: String,
    /// The model is closed, so that throughput is a figure of the service.
    pub closed: bool,
    /// Blocks wanted, besides the first ones, which are not used; a block has one round of each variant.
    pub blocks: u32,
    /// How many blocks at the beginning are not used.
    #[serde(default = "one")]
    pub unused_blocks: u32,
    /// The share by which a figure may be worse before the comparison fails.
    pub fail_if_worse: Option<f64>,
    /// What the variants are sizes of; only in a sweep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sweep: Option<Sweep>,
    /// What a check asks; only in a check.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<Gate>,
    /// What a diagnosis predicted of the second variant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Prediction>,
    /// The rounds that have begun, in order.
    pub rounds: Vec<Round>,
    /// How it ended; `None` while it goes on and after a crash.
    pub ended: Option<Ended>,
}

/// Directories from before it was written down have one.
const fn one() -> u32 {
    1
}

/// Variants that are the same service in several sizes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sweep {
    /// What the sizes count, such as `connections`.
    pub sizes_of: String,
    /// The size of each variant.
    pub sizes: Vec<u32>,
}

/// What a check asks: whether the second variant is worse than the first by so much that a build has to stop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gate {
    /// The loss that must not get through, as a share: 0.05 is 5 % more CPU per request.
    pub threshold: f64,
    /// How long rounds may take together.
    pub within_s: f64,
    /// Whether a check that could not decide fails.
    pub fail_if_inconclusive: bool,
    /// When the rounds so far were looked at, in order.
    pub looks: Vec<Look>,
    /// What earlier checks measured; `None` without a history.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
}

/// What earlier checks measured of the same service under the same load on the same machine.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Before {
    /// Whether anything tells this machine from others.
    pub knows_machine: bool,
    /// The days before that of the check, oldest first.
    pub days: Vec<HistoryDay>,
}

/// One look at the rounds so far.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// Complete blocks at that time.
    pub blocks: u32,
    /// The share of the time that was over, 0 to 1; 1 in the last look.
    pub time_share: f64,
}

/// What fixing a cause was predicted to give.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prediction {
    /// Run directory of the diagnosis, without its path.
    pub diagnosis: String,
    /// The cause, and its line where it has one.
    pub cause: String,
    /// Factor on the load line.
    pub factor: f64,
    /// The factor is hardly below this; `None` in a diagnosis without intervals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<f64>,
    /// The factor is hardly above this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<f64>,
    /// Only `low` is said: the factor is at least that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
}

/// One of the things that are compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// What it is called.
    pub name: String,
    /// What it is: its command, environment, revision or plan.
    pub what: String,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// The block that it belongs to, from 0.
    pub block: u32,
    /// Its variant, by its place among the variants.
    pub variant: usize,
    /// Its run directory, inside that of the comparison.
    #[serde(rename = "folder")] // its name since version 1 of the format
    pub directory: String,
}

impl ComparisonInfo {
    /// The format that is written.
    #[must_use]
    pub fn format() -> String {
        FORMAT.to_string()
    }

    /// How many rounds there are at most, with blocks that are run again.
    #[must_use]
    pub fn rounds_at_most(&self) -> usize {
        (self.blocks_at_most() as usize).saturating_mul(self.variants.len())
    }

    /// How many blocks are begun at most: as many as are wanted, and half of them again where a round is invalid.
    #[must_use]
    pub const fn blocks_at_most(&self) -> u32 {
        self.unused_blocks
            .saturating_add(self.blocks)
            .saturating_add(self.blocks / 2)
    }

    const fn command(&self) -> &'static str {
        match (&self.sweep, &self.gate) {
            (Some(_), _) => "scale",
            (None, Some(_)) => "check",
            (None, None) => "compare",
        }
    }

    /// Whether `directory` is that of a comparison.
    #[must_use]
    pub fn is_in(directory: &Directory) -> bool {
        directory.has(FILE)
    }

    /// Reads the comparison in `directory`.
    ///
    /// # Errors
    /// [`DirectoryError`] when it cannot be read, is damaged, or a later plimsoll wrote it.
    pub fn read(directory: &Directory, budget: &Budget) -> Result<Self, DirectoryError> {
        let path = directory.path().join(FILE);
        let info: Self = FORMAT.read(directory, FILE, budget)?;
        let malformed = |found: String| DirectoryError::malformed(&path, found);
        if info.blocks > MOST_BLOCKS || info.unused_blocks > MOST_BLOCKS || info.variants.len() > MOST_VARIANTS {
            return Err(malformed(format!(
                "more than {MOST_BLOCKS} blocks or {MOST_VARIANTS} variants"
            )));
        }
        if info.rounds.len() > MOST_ROUNDS {
            let found = format!("{} rounds, expected at most {MOST_ROUNDS}", info.rounds.len());
            return Err(malformed(found));
        }
        if !budget.takes_rounds(info.rounds.len()) {
            return Err(malformed("more rounds than all series of a study have".to_owned()));
        }
        // What is read once must not be read a thousand times.
        let mut directories = HashSet::new();
        if let Some(twice) = info.rounds.iter().find(|round| !directories.insert(&round.directory)) {
            return Err(malformed(format!("two rounds lie in {:?}", twice.directory)));
        }
        // A directory from elsewhere must not make us read another one.
        let strange = |round: &&Round| {
            round.variant >= info.variants.len()
                || round.directory.is_empty()
                || name(Path::new(&round.directory)) != round.directory
        };
        if info
            .sweep
            .as_ref()
            .is_some_and(|sweep| sweep.sizes.len() != info.variants.len())
        {
            return Err(malformed("not every variant has a size".to_owned()));
        }
        match info.rounds.iter().find(strange) {
            Some(round) => Err(malformed(format!("a round lies in {:?}", round.directory))),
            None => Ok(info),
        }
    }

    /// Makes the directory `<start>-compare`, `<start>-check` or `<start>-scale` in `parent`, which is made as well if need be.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when it cannot be made.
    pub fn create(&self, parent: &Path) -> Result<PathBuf, DirectoryError> {
        let directory = writer::create_directory(parent, &self.started_at, self.command())?;
        writer::replace_json(&directory, FILE, self)?;
        Ok(directory.path().to_owned())
    }

    /// Writes it to `directory` in one go: a reader sees the old one or the new one.
    ///
    /// # Errors
    /// [`DirectoryError::Io`] when the file cannot be written.
    pub fn write(&self, directory: &Path) -> Result<(), DirectoryError> {
        writer::replace_json(&writer::reopened(directory)?, FILE, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(directory: &str) -> ComparisonInfo {
        let variant = |name: &str| Variant {
            name: name.to_owned(),
            what: "node server.js".to_owned(),
        };
        ComparisonInfo {
            format: ComparisonInfo::format(),
            name: "n".to_owned(),
            started_at: "2026-10-04T13:05:59Z".to_owned(),
            version: "0.1.0".to_owned(),
            variants: vec![variant("a"), variant("b")],
            load: String::new(),
            closed: false,
            blocks: 10,
            unused_blocks: 2,
            fail_if_worse: Some(0.05),
            sweep: None,
            gate: None,
            prediction: Some(Prediction {
                diagnosis: "2026-10-04T12-00-00-diagnose".to_owned(),
                cause: "a loop, server.js:3".to_owned(),
                factor: 1.5,
                low: Some(1.3),
                high: None,
                at_least: true,
            }),
            rounds: vec![Round {
                block: 0,
                variant: 1,
                directory: directory.to_owned(),
            }],
            ended: None,
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let parent = tempfile::tempdir().expect("a directory");
        let directory = info("x").create(parent.path()).expect("created");
        assert_eq!(name(&directory), "2026-10-04T13-05-59-compare");
        let open = |path: &Path| Directory::open(path).expect("a directory");
        assert!(ComparisonInfo::is_in(&open(&directory)) && !ComparisonInfo::is_in(&open(parent.path())));
        assert_eq!(
            ComparisonInfo::read(&open(&directory), &Budget::default()).expect("read"),
            info("x")
        );
    }

    #[test]
    fn what_is_not_ours_is_refused() {
        let parent = tempfile::tempdir().expect("a directory");
        let refused = |info: &ComparisonInfo| {
            info.write(parent.path()).expect("written");
            let directory = Directory::open(parent.path()).expect("a directory");
            ComparisonInfo::read(&directory, &Budget::default())
                .expect_err("refused")
                .to_string()
        };
        for name in ["../x", "/x", "x/y", "..", ""] {
            assert!(refused(&info(name)).contains("a round lies in"), "{name}");
        }
        let round = |number: usize| Round {
            directory: number.to_string(),
            ..info("x").rounds[0].clone()
        };
        let with = |rounds: usize| ComparisonInfo {
            rounds: (0..rounds).map(round).collect(),
            ..info("x")
        };
        let found = refused(&with(MOST_ROUNDS + 1));
        assert!(found.contains("801 rounds, expected at most 800"), "{found}");
        with(MOST_ROUNDS).write(parent.path()).expect("written");
        let directory = Directory::open(parent.path()).expect("a directory");
        ComparisonInfo::read(&directory, &Budget::default()).expect("as many as we make");
        let later = ComparisonInfo {
            format: "plimsoll.comparison/9".to_owned(),
            ..info("x")
        };
        assert!(refused(&later).contains("expected plimsoll.comparison/1 or older"));
    }
}
