//! Several variants in turn: rounds that are ordinary runs, each with the service started anew.

mod load_in_words;

use load_in_words::load_in_words;

use crate::course::{Course, Time, length, within};
use crate::error::LabError;
use crate::experiment::{Experiment, Options};
use crate::history::HistoryFile;
use crate::keeping::Keeping;
use crate::look::look;
use crate::outcome::Outcome;
use crate::replay_series::scaling;
use crate::revisions::{Revision, Worktree};
use plimsoll_findings::{Comparison, Disturbance, Event, NoiseFindings, Scaling};
use plimsoll_measure::RunKind;
use plimsoll_measure::run_directory::{
    self, ComparisonInfo, DirectoryError, Ended, Gate, MOST_ROUNDS, Prediction, Round, Sweep, Variant,
};
use plimsoll_plan::{Arrivals, ClosedLoad, Load, OpenLoad, Plan, Rate, Shown};
use plimsoll_report::{Report, comes_to, unused};
use plimsoll_series::{ComparedRound, LEAST_BLOCKS, UNUSED_BLOCKS, compare, next_block, noise, order};
use plimsoll_target::Removal;
use plimsoll_target::host::CpuTimes;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A comparison that is to be made.
#[derive(Debug, Clone)]
pub struct Comparing {
    /// What is compared.
    pub name: String,
    /// At least two; every other is set against the first.
    pub variants: Vec<VariantPlan>,
    /// Blocks wanted, besides the first ones, which are not used; a block has one round of each variant.
    pub blocks: u32,
    /// The first blocks, which find everything cold.
    pub unused_blocks: u32,
    /// When no further block begins, however few there are.
    pub until: Option<Instant>,
    /// The share by which a figure may be worse before the comparison fails.
    pub fail_if_worse: Option<f64>,
    /// What is to be decided of the second variant; its rounds go on until it is, or until their time is over.
    pub gate: Option<Gate>,
    /// Where earlier checks left what they measured, and this one adds to it.
    pub history: Option<HistoryFile>,
    /// What rounds are.
    pub rounds: Rounds,
    /// Installs the packages of a revision; `None` links those that are installed here.
    pub setup: Option<String>,
    /// Where the directory of the comparison is made.
    pub runs_dir: PathBuf,
    /// How runs are made; its own directory is not used.
    pub options: Options,
    /// What the variants are sizes of; only in a sweep.
    pub sweep: Option<Sweep>,
    /// What a diagnosis predicted of the second variant.
    pub prediction: Option<Prediction>,
}

/// A variant and the plan that runs it.
#[derive(Debug, Clone)]
pub struct VariantPlan {
    /// What it is called.
    pub name: String,
    /// What it is, in words.
    pub what: Shown,
    /// Its plan. The load, the seed and the connections are the same in all of them.
    pub plan: Plan,
    /// The revision that it is started from; `None` is the directory as it is.
    pub revision: Option<Revision>,
    /// What the probe leaves out of it; `None` runs it without the probe.
    pub without: Option<Vec<Removal>>,
}

/// What rounds are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounds {
    /// The load of the plan.
    Load,
    /// An open load of this length at half of the throughput that the first variant reaches when nothing holds the
    /// generator back.
    HalfOfThroughput(Duration),
    /// Searches of the load line.
    LoadLine,
}

/// What a comparison left.
#[derive(Debug, Clone)]
pub struct Compared {
    /// What it found.
    pub comparison: Comparison,
    /// Where its rounds are.
    pub directory: PathBuf,
}

/// How many connections find out what a variant can do …
const PILOT_CONNECTIONS: u32 = 16;
/// … after this long …
const PILOT_WARM_UP: Duration = Duration::from_secs(2);
/// … and for this long.
const PILOT: Duration = Duration::from_secs(3);
/// Shares of the cores that disturb rounds when the host or other programs take more.
const STOLEN: f64 = 0.005;
const OTHERS: f64 = 0.05;

impl Comparing {
    /// Of these variants under the load of their plans, with nothing else wanted. It is called after the plan of the first.
    #[must_use]
    pub fn of(variants: Vec<VariantPlan>, blocks: u32, runs_dir: PathBuf) -> Self {
        Self {
            name: variants
                .first()
                .map_or_else(String::new, |first| first.plan.name().to_owned()),
            variants,
            blocks,
            unused_blocks: UNUSED_BLOCKS,
            until: None,
            fail_if_worse: None,
            gate: None,
            history: None,
            rounds: Rounds::Load,
            setup: None,
            runs_dir,
            options: Options::default(),
            sweep: None,
            prediction: None,
        }
    }

    /// The least time in which something can come of it: the rounds of the blocks that are not used, and of as many as decide anything.
    /// Starting services comes on top.
    #[must_use]
    pub fn least_time(&self) -> Duration {
        let round = match self.rounds {
            Rounds::HalfOfThroughput(round) => round,
            Rounds::Load | Rounds::LoadLine => self
                .variants
                .first()
                .map_or(Duration::ZERO, |first| length(first.plan.load())),
        };
        round * self.variants.len() as u32 * (self.unused_blocks + LEAST_BLOCKS)
    }

    /// Makes the comparison. Setting `stop` ends it early with the blocks that are complete.
    ///
    /// # Errors
    /// When a variant cannot be run at all; what was seen until then is in the directory.
    pub fn run(&self, stop: &AtomicBool, mut on_event: impl FnMut(Event<'_>)) -> Result<Compared, LabError> {
        for variant in &self.variants {
            let without = variant.without.as_deref().unwrap_or_default();
            look(&variant.plan, without, &self.options, stop, &mut on_event)?;
        }
        self.compare(stop, on_event)
    }

    /// Makes the comparison of a service that has what is left out of it.
    ///
    /// # Errors
    /// As [`Comparing::run`].
    pub(crate) fn compare(&self, stop: &AtomicBool, mut on_event: impl FnMut(Event<'_>)) -> Result<Compared, LabError> {
        let (info, seen, directory, mut keeping) = self.record(stop, &mut on_event)?;
        let comparison = compare(&info, &seen);
        keeping.bear(keep(&directory, &comparison), &mut on_event);
        if let Some(history) = &self.history
            && let Err(unused) = history.add(&info, &comparison)
        {
            on_event(Event::Note(&unused));
        }
        Ok(Compared { comparison, directory })
    }

    /// Makes the rounds of a sweep, and fits the law to them.
    ///
    /// # Errors
    /// As [`Comparing::run`].
    pub fn scale(
        &self,
        stop: &AtomicBool,
        mut on_event: impl FnMut(Event<'_>),
    ) -> Result<(Scaling, PathBuf), LabError> {
        let (info, seen, directory, mut keeping) = self.record(stop, &mut on_event)?;
        let scaling = scaling(&info, &seen);
        keeping.bear(keep(&directory, &scaling), &mut on_event);
        Ok((scaling, directory))
    }

    /// Makes rounds of a service against itself, and says what a check can see on this machine in its usual time, `within`.
    ///
    /// # Errors
    /// As [`Comparing::run`].
    pub fn noise(
        &self,
        within: Duration,
        stop: &AtomicBool,
        mut on_event: impl FnMut(Event<'_>),
    ) -> Result<(NoiseFindings, PathBuf), LabError> {
        let before = CpuTimes::now();
        let began = Instant::now();
        let (info, seen, directory, mut keeping) = self.record(stop, &mut on_event)?;
        let mut found = noise(&info, &seen, began.elapsed().as_secs_f64(), within.as_secs_f64());
        if let Some(usage) = before.and_then(|before| CpuTimes::now()?.since(&before)) {
            if usage.stolen_share > STOLEN {
                found.disturbances.push(Disturbance::Stolen {
                    share: usage.stolen_share,
                });
            }
            if usage.other_cores > OTHERS * f64::from(usage.cores) {
                let (cores, of) = (usage.other_cores, usage.cores);
                found.disturbances.push(Disturbance::OtherPrograms { cores, of });
            }
        }
        keeping.bear(keep(&directory, &compare(&info, &seen)), &mut on_event);
        match info.ended {
            Some(Ended::Failed(why)) => Err(LabError::Noise(why)),
            _ => Ok((found, directory)),
        }
    }

    fn record(
        &self,
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<(ComparisonInfo, Vec<ComparedRound>, PathBuf, Keeping), LabError> {
        let mut info = self.info();
        if let (Some(gate), Some(history)) = (&self.gate, &self.history) {
            let before = history.before(&info);
            let before = before.map_err(|unused| on_event(Event::Note(&unused))).ok();
            info.gate = Some(Gate { before, ..gate.clone() });
        }
        let most = info.rounds_at_most();
        if most > MOST_ROUNDS {
            return Err(LabError::TooManyRounds { most });
        }
        let mut course = Course {
            directory: PathBuf::new(),
            info,
            seen: Vec::new(),
            wanted: 0,
            told: Vec::new(),
            keeping: Keeping::default(),
            stop,
            on_event,
        };
        course.directory = course.info.create(&self.runs_dir)?;
        (course.on_event)(Event::DirectoryCreated {
            path: &course.directory,
        });
        let outcome = self.run_in(&mut course);
        course.info.ended = Some(match &outcome {
            _ if stop.load(Ordering::Relaxed) => Ended::Interrupted,
            Ok(None) => Ended::Complete,
            Ok(Some(why)) => Ended::Failed(why.clone()),
            Err(error) => Ended::Failed(error.with_hint()),
        });
        course.write();
        match outcome {
            Err(error) if !stop.load(Ordering::Relaxed) => return Err(error),
            _ => {}
        }
        (course.on_event)(Event::RoundsFinished);
        Ok((course.info, course.seen, course.directory, course.keeping))
    }

    /// Why it could not go on, if it could not.
    fn run_in(&self, course: &mut Course<'_>) -> Result<Option<String>, LabError> {
        let mut variants = self.variants.clone();
        // They are there as long as services run in them.
        let _worktrees = self.checkout(&mut variants, course)?;
        if let Rounds::HalfOfThroughput(duration) = self.rounds {
            let (rate, throughput_per_s) = match self.pilot(&variants[0], course)? {
                Pilot::Rate(rate, throughput_per_s) => (rate, throughput_per_s),
                Pilot::Failed(why) => return Ok(Some(why)),
            };
            for variant in &mut variants {
                let load = Load::Open(OpenLoad::constant(rate, duration, Arrivals::Even));
                variant.plan = variant.plan.with(|plan| plan.load = load)?;
            }
            course.info.load = format!(
                "{rate}, half of the {throughput_per_s:.0}/s that {} reached with {PILOT_CONNECTIONS} connections; {}",
                variants[0].name, course.info.load
            );
            course.write();
        }
        let is_over = || self.until.is_some_and(|until| Instant::now() >= until);
        let mut time = Time::of(&course.info, variants[0].plan.load());
        while let Some(block) = next_block(&course.info, &course.seen).filter(|_| !is_over()) {
            course.wanted = time.rounds(&course.info);
            for index in order(&course.info, block) {
                if course.stop.load(Ordering::Relaxed) {
                    return Ok(None);
                }
                if let Some(why) = self.round(&variants[index], index, block, course)? {
                    return Ok(Some(why));
                }
            }
            time.block_ends();
            course.look(&time);
        }
        Ok(None)
    }

    fn info(&self) -> ComparisonInfo {
        let plan = &self.variants[0].plan;
        ComparisonInfo {
            format: ComparisonInfo::format(),
            name: self.name.clone(),
            started_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            variants: self
                .variants
                .iter()
                .map(|variant| Variant {
                    name: variant.name.clone(),
                    what: variant.what.to_string(),
                })
                .collect(),
            load: load_in_words(plan, self.rounds, self.sweep.as_ref()),
            closed: matches!(plan.load(), Load::Closed(_)) && self.rounds == Rounds::Load,
            blocks: self.blocks,
            unused_blocks: self.unused_blocks,
            fail_if_worse: self.fail_if_worse,
            sweep: self.sweep.clone(),
            gate: self.gate.clone(),
            prediction: self.prediction.clone(),
            rounds: Vec::new(),
            ended: None,
        }
    }

    fn checkout(&self, variants: &mut [VariantPlan], course: &mut Course<'_>) -> Result<Vec<Worktree>, LabError> {
        let mut worktrees = Vec::new();
        for (variant, info) in variants.iter_mut().zip(&mut course.info.variants) {
            let (Some(revision), Some(command)) = (&variant.revision, &variant.plan.target().command) else {
                continue;
            };
            (course.on_event)(Event::Preparing {
                what: &format!("checking out {}", revision.name()),
            });
            let directory = command.working_dir.as_deref().unwrap_or(Path::new("."));
            let worktree = Worktree::checkout(directory, revision, self.setup.as_deref(), course.stop)?;
            variant.plan = variant.plan.with(|plan| {
                if let Some(command) = &mut plan.target.command {
                    command.working_dir = Some(worktree.directory.clone());
                }
            })?;
            info.what = format!("{}, commit {}", info.what, worktree.commit);
            worktrees.push(worktree);
        }
        course.write();
        Ok(worktrees)
    }

    /// What half of the throughput of `variant` is.
    fn pilot(&self, variant: &VariantPlan, course: &mut Course<'_>) -> Result<Pilot, LabError> {
        (course.on_event)(Event::Preparing {
            what: "finding a rate: half of the throughput of the first variant",
        });
        let plan = variant.plan.with(|plan| {
            plan.load = Load::Closed(ClosedLoad {
                connections: PILOT_CONNECTIONS,
                duration: Some(PILOT_WARM_UP + PILOT),
                requests: None,
                think_time: Duration::ZERO,
                pacing: Duration::ZERO,
                ramp: Duration::ZERO,
                stages: Vec::new(),
            });
            plan.judging.warm_up = PILOT_WARM_UP;
            plan.judging.window = plan.judging.window.min(PILOT);
        })?;
        let findings = self.run_once(variant, plan, RunKind::Bench, course, None)?.findings;
        let passed_any = findings.totals.passed > 0;
        // The rate of a load is in users where these go on journeys.
        let users_per_s = findings.journeys.iter().map(|journey| journey.finished_per_s);
        let reached_per_s = match findings.journeys.is_empty() {
            true => findings.totals.throughput_per_s,
            false => users_per_s.sum(),
        };
        let Some(throughput_per_s) = reached_per_s.filter(|_| passed_any) else {
            return Ok(Pilot::Failed(format!("{}: {}", variant.name, comes_to(&findings))));
        };
        // Two digits are as much as a pilot knows.
        let half = throughput_per_s / 2.0;
        let digit = 10_f64.powf((half.max(1.0).log10().floor() - 1.0).max(0.0));
        let rate = Rate::per_s(((half / digit).round() * digit) as u32);
        if rate == Rate::ZERO {
            return Ok(Pilot::Failed(format!("{}: {}", variant.name, comes_to(&findings))));
        }
        Ok(Pilot::Rate(rate, throughput_per_s))
    }

    fn round(
        &self,
        variant: &VariantPlan,
        index: usize,
        block: u32,
        course: &mut Course<'_>,
    ) -> Result<Option<String>, LabError> {
        let number = course.seen.len() as u32;
        let of = course.wanted.max(number + 1);
        (course.on_event)(Event::RoundStarted {
            round: number,
            of,
            variant: &variant.name,
        });
        let kind = match self.rounds {
            Rounds::LoadLine => RunKind::Capacity,
            Rounds::Load | Rounds::HalfOfThroughput(_) => RunKind::Run,
        };
        let outcome = self.run_once(variant, variant.plan.clone(), kind, course, Some((number, of)))?;
        let directory = outcome.directory.as_deref().and_then(Path::file_name);
        let place = Round {
            block,
            variant: index,
            directory: directory.unwrap_or_default().to_string_lossy().into_owned(),
        };
        let findings = outcome.findings;
        let round = ComparedRound::of(number, &place, &findings).saying(outcome.contents);
        // Without a directory there is nothing to be read back.
        if !place.directory.is_empty() {
            course.info.rounds.push(place);
        }
        course.write();
        (course.on_event)(Event::RoundFinished {
            round: number,
            of,
            variant: &variant.name,
            late_counts: course.info.gate.is_some(),
            findings: &findings,
        });
        let why = round
            .fatal()
            .map(|why| format!("{}, round {}: {}", variant.name, number + 1, unused(why)));
        course.seen.push(round);
        Ok(why)
    }

    /// One run in the directory of the comparison.
    fn run_once(
        &self,
        variant: &VariantPlan,
        plan: Plan,
        kind: RunKind,
        course: &mut Course<'_>,
        place: Option<(u32, u32)>,
    ) -> Result<Outcome, LabError> {
        let options = Options {
            runs_dir: Some(course.directory.clone()),
            without: variant.without.clone(),
            ..self.options.clone()
        };
        let told = &mut course.told;
        let on_event = &mut course.on_event;
        let experiment = Experiment {
            plan,
            kind,
            warms_up: true,
            options,
        };
        let outcome = experiment.run(course.stop, |event| match event {
            Event::Progress(progress) => on_event(Event::Progress(within(progress, place))),
            // What weakens one round weakens them all, and once is enough to say it.
            Event::Note(note) if !told.contains(&note.message) => {
                told.push(note.message.clone());
                on_event(Event::Note(note));
            }
            _ => {}
        });
        outcome.map_err(|error| LabError::Variant {
            name: variant.name.clone(),
            hint: self.hint(variant, &error),
            source: Box::new(error),
        })
    }

    /// What is built is not committed, so a revision lacks it.
    fn hint(&self, variant: &VariantPlan, error: &LabError) -> Option<String> {
        let lacks_it = matches!(error, LabError::Start(_)) && variant.revision.is_some() && self.setup.is_none();
        lacks_it.then(|| {
            "a revision has what is committed, and the packages that are installed here; where it is to be built as well, use --setup, such as \
             --setup 'npm ci && npm run build'"
                .to_owned()
        })
    }
}

enum Pilot {
    /// The rate, and the throughput that it is half of.
    Rate(Rate, f64),
    Failed(String),
}

fn keep(directory: &Path, findings: &impl Report) -> Result<(), DirectoryError> {
    run_directory::write_findings(directory, &findings.json())
}
