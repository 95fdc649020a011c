//! A study: a published case, what is measured of it here, and how the one is set beside the other.
//!
//! A study is data. What was published and what is measured stand in files of their own, so that nobody takes one for
//! the other: `published.json` and `study.yaml`.

mod document;
mod figure;
mod read;
mod schema;

pub use figure::{Figure, Value};
pub use schema::study_schemas;

use plimsoll_files::{Bounded, Directory, found};
use plimsoll_plan::notation::{Mismatch, PlanError};
use plimsoll_plan::{Rate, Secret, Stdout};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What is measured, and how it relates to what was published.
const STUDY: &str = "study.yaml";
/// What was published, and where.
const PUBLISHED: &str = "published.json";
const MOST_BYTES: u64 = 1 << 20;

/// A published case and how it is measured here.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Name of its directory.
    pub name: String,
    /// What it is about, in a few words.
    pub title: String,
    /// What it asks, one sentence.
    pub question: String,
    /// Where the figures were published; at least one.
    pub source: Vec<String>,
    /// What differs between the published case and here, a sentence each.
    pub differs: Vec<String>,
    /// How large it is measured, where that can be chosen.
    pub size: Option<StudySize>,
    /// From a service that is started to one that is ready, and from there to one that has gone, about.
    pub starting: Duration,
    /// Gets ready what it needs; run first, in the checkout's root, and quick where nothing is missing.
    pub prepare: Option<Vec<Secret>>,
    /// Runs beside everything that is measured, in the checkout's root. When it is ready, it prints one line: a JSON
    /// object of environment variables for the services. On SIGTERM it ends, with all that it started.
    pub beside: Option<Vec<Secret>>,
    /// What is measured, in this order.
    pub measurements: Vec<Measurement>,
    /// What is looked for in it.
    pub effects: Vec<Effect>,
}

/// How large a study is measured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudySize {
    /// What is counted, such as clients.
    pub of: String,
    /// What the study asks for.
    pub default: u32,
    /// What is measured.
    pub chosen: u32,
}

/// One thing that is measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// What effects call it.
    pub name: String,
    /// How it is measured.
    pub kind: MeasurementKind,
}

/// How something is measured.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasurementKind {
    /// As `plimsoll compare` does: every variant against the first.
    Compare {
        /// At least two.
        variants: Vec<StudyVariant>,
        /// What every round offers; `None` searches the load line in each.
        load: Option<MeasurementLoad>,
        /// Blocks that are used.
        rounds: u32,
        /// Judged part of each round.
        duration: Duration,
        /// What comes before it.
        warm_up: Duration,
        /// Of each search, where load lines are compared.
        budget: Duration,
    },
    /// As `plimsoll scale` does.
    Scale {
        /// What is started.
        service: Service,
        /// At least four, ascending.
        sizes: Vec<u32>,
        /// The variable that holds the size; `None` where sizes are connections.
        size_env: Option<String>,
        /// Connections, where sizes are not.
        connections: u32,
        /// Rounds of each size.
        rounds: u32,
        /// Judged part of each round.
        duration: Duration,
        /// What comes before it.
        warm_up: Duration,
    },
    /// As `plimsoll capacity` does.
    Capacity {
        /// What is started.
        service: Service,
        /// The search ends after this long.
        budget: Duration,
    },
    /// As `plimsoll run` does.
    Run {
        /// What is started.
        service: Service,
        /// What it is offered.
        load: MeasurementLoad,
        /// Judged part.
        duration: Duration,
        /// What comes before it.
        warm_up: Duration,
    },
    /// A program of the study that prints figures as JSON.
    Command {
        /// What is run, in the checkout's root.
        argv: Vec<Secret>,
        /// How long it takes, about; after ten times as long it is ended.
        takes: Duration,
    },
}

impl MeasurementKind {
    /// The keyword in a study.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Compare { .. } => "compare",
            Self::Scale { .. } => "scale",
            Self::Capacity { .. } => "capacity",
            Self::Run { .. } => "run",
            Self::Command { .. } => "command",
        }
    }
}

/// A service as a plan starts it, changed for the study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Its plan file.
    pub plan: PathBuf,
    /// Added to the environment of the plan's command, or put in its place.
    pub env: Vec<(String, Secret)>,
    /// Started instead of the plan's command.
    pub command: Option<Vec<Secret>>,
    /// Where its output goes instead of where the plan says.
    pub stdout: Option<Stdout>,
}

/// One of the things that are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyVariant {
    /// What it is called.
    pub name: String,
    /// What is started.
    pub service: Service,
}

/// What is offered.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasurementLoad {
    /// This rate.
    Rate(Rate),
    /// The load line that another measurement found, this many times.
    OfLine {
        /// The measurement.
        measurement: String,
        /// Above 0.
        times: f64,
    },
    /// Each of this many connections waits for its response.
    Connections(u32),
}

/// A published effect, and its value here.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// What it is called.
    pub name: String,
    /// What was published of it; nothing where it is only shown.
    pub published: Option<Published>,
    /// What it is here.
    pub here: Value,
    /// What `here` is divided by; `None` where `here` is a ratio by itself, or is held against a bound.
    pub against: Option<Value>,
    /// The ratio here stands for this many equal steps, of which one was published.
    pub steps: u32,
}

/// A published figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Published {
    /// Its key in `published.json`.
    pub key: String,
    /// What it is, in words.
    pub what: String,
    /// How it is set beside what is measured.
    pub bound: Bound,
}

/// What was published, as far as it can be set beside a measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A ratio other than 1. Here it has to lie on the same side of 1, and be at least `least_share` as large; sizes of
    /// ratios are those of their logarithms.
    Ratio {
        /// The figures that it is made of, where they were published.
        figures: Option<[f64; 2]>,
        /// The ratio.
        ratio: f64,
        /// 0 to 1.
        least_share: f64,
    },
    /// A ratio of 1: no change. Here it may be this much more or less.
    Same {
        /// A share of 1.
        within: f64,
    },
    /// More or less of it, without a figure.
    Direction(Direction),
    /// Lower limit.
    AtLeast(f64),
    /// Upper limit.
    AtMost(f64),
}

/// Which way something went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// It grew.
    More,
    /// It shrank.
    Less,
}

/// The two files of a study.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyTexts {
    /// `study.yaml`.
    pub study: String,
    /// `published.json`.
    pub published: String,
}

impl StudyTexts {
    /// Reads the files in the directory of a study.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn open(directory: &Path) -> Result<Self, PlanError> {
        let read = |name: &str| {
            let path = directory.join(name);
            text(&path, found::bytes(&path, MOST_BYTES))
        };
        Ok(Self {
            study: read(STUDY)?,
            published: read(PUBLISHED)?,
        })
    }

    /// Reads them where a run kept them.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn kept(directory: &Directory) -> Result<Self, PlanError> {
        let read = |name: &str| {
            let bytes = directory.file(name, MOST_BYTES).and_then(Bounded::bytes);
            text(&directory.path().join(name), bytes)
        };
        Ok(Self {
            study: read(STUDY)?,
            published: read(PUBLISHED)?,
        })
    }

    /// The files as they are kept: name and text.
    #[must_use]
    pub fn files(&self) -> [(&'static str, &str); 2] {
        [(STUDY, &self.study), (PUBLISHED, &self.published)]
    }
}

fn text(path: &Path, bytes: std::io::Result<Vec<u8>>) -> Result<String, PlanError> {
    let unreadable = |found: &str, hint: String| {
        PlanError::new(
            path.to_string_lossy(),
            Mismatch::new(found, "a part of a study").hint(hint),
        )
    };
    let bytes = bytes.map_err(|error| match error.kind() {
        ErrorKind::NotFound => unreadable(
            "no such file",
            format!("the directory of a study contains {STUDY} and {PUBLISHED}"),
        ),
        _ => unreadable("no readable file", error.to_string()),
    })?;
    String::from_utf8(bytes).map_err(|error| unreadable("no text", error.to_string()))
}

impl Study {
    /// Whether `directory` is that of a study.
    #[must_use]
    pub fn is_in(directory: &Path) -> bool {
        directory.join(STUDY).is_file()
    }

    /// Reads a study. `directory` is what errors call its place, what plans lie relative to, and what it is named after.
    ///
    /// # Errors
    /// When a text is no valid part of a study, or they do not fit each other.
    pub fn parse(texts: &StudyTexts, directory: &Path) -> Result<Self, PlanError> {
        let name = directory.file_name().unwrap_or_default().to_string_lossy();
        Self::parse_as(&name, texts, directory)
    }

    /// As [`Study::parse`], with another name than that of the directory.
    ///
    /// # Errors
    /// As [`Study::parse`].
    pub fn parse_as(name: &str, texts: &StudyTexts, directory: &Path) -> Result<Self, PlanError> {
        let file = |name: &str| directory.join(name).to_string_lossy().into_owned();
        read::read(name, (&file(STUDY), &texts.study), (&file(PUBLISHED), &texts.published))
    }

    /// The measurement of that name.
    #[must_use]
    pub fn measurement(&self, name: &str) -> Option<&Measurement> {
        self.measurements.iter().find(|measurement| measurement.name == name)
    }

    /// With this judged part of every round, and this many rounds, where they are given.
    #[must_use]
    pub fn shortened(mut self, judged: Option<Duration>, wanted: Option<u32>) -> Self {
        for measurement in &mut self.measurements {
            match &mut measurement.kind {
                MeasurementKind::Compare { duration, rounds, .. } | MeasurementKind::Scale { duration, rounds, .. } => {
                    *duration = judged.unwrap_or(*duration);
                    *rounds = wanted.unwrap_or(*rounds);
                }
                MeasurementKind::Run { duration, .. } => *duration = judged.unwrap_or(*duration),
                MeasurementKind::Capacity { .. } | MeasurementKind::Command { .. } => {}
            }
        }
        self
    }

    /// At this size, where it is given and the study has one.
    #[must_use]
    pub fn sized(mut self, wanted: Option<u32>) -> Self {
        if let (Some(size), Some(wanted)) = (&mut self.size, wanted) {
            size.chosen = wanted;
        }
        self
    }

    /// How long it takes when nothing has to be repeated, about.
    #[must_use]
    pub fn takes(&self) -> Duration {
        let takes = |measurement: &Measurement| measurement.kind.takes(self.starting);
        self.measurements.iter().map(takes).sum()
    }
}

/// Blocks that a comparison makes first and does not use, as docs/concepts/comparison.md says …
const UNUSED_BLOCKS: u32 = 2;
/// … and where rounds are searches, and in a sweep.
const UNUSED_BLOCKS_OF_LONG_ROUNDS: u32 = 1;

impl MeasurementKind {
    fn takes(&self, starting: Duration) -> Duration {
        match self {
            Self::Compare {
                variants,
                load,
                rounds,
                duration,
                warm_up,
                budget,
            } => {
                let (round, unused) = match load {
                    Some(_) => (*warm_up + *duration, UNUSED_BLOCKS),
                    None => (*budget, UNUSED_BLOCKS_OF_LONG_ROUNDS),
                };
                (round + starting) * (rounds + unused) * variants.len() as u32
            }
            Self::Scale {
                sizes,
                rounds,
                duration,
                warm_up,
                ..
            } => (*warm_up + *duration + starting) * (rounds + UNUSED_BLOCKS_OF_LONG_ROUNDS) * sizes.len() as u32,
            Self::Capacity { budget, .. } => *budget + starting,
            Self::Run { duration, warm_up, .. } => *warm_up + *duration + starting,
            Self::Command { takes, .. } => *takes,
        }
    }
}
