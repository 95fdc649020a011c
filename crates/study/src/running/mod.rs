//! A published case measured here: each of its measurements is an ordinary comparison, sweep, search or run, in the directory
//! of the study.

mod measurements;

use crate::error::StudyError;
use crate::judging::{MeasuredPart, judge};
use crate::language::{Measurement, MeasurementKind, Study, StudyTexts};
use plimsoll_files::Directory;
use plimsoll_findings::{Event, StudyFindings};
use plimsoll_lab::{Keeping, Options, Series, replay_in, replay_series_in};
use plimsoll_measure::run_directory::{self, Budget, Ended, ProgramFigures, StudyInfo, StudyPart};
use plimsoll_plan::{Secret, Shown};
use plimsoll_report::Report;
use plimsoll_target::{Beside, Program};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Getting ready may fetch and build what is missing.
const PREPARE_LIMIT: Duration = Duration::from_secs(900);
/// Variables of its programs: this one, and how large the study is measured.
const PROGRAM: &str = "PLIMSOLL";
const SIZE: &str = "STUDY_SIZE";
/// What a program wrote to standard output, in its directory.
const PRINTED: &str = "printed.txt";

/// A study that is to be made.
#[derive(Debug, Clone)]
pub struct Studying {
    /// What is measured.
    pub study: Study,
    /// The texts that it was read from; they are kept beside the figures.
    pub texts: StudyTexts,
    /// The checkout's root, where its programs run.
    pub root: PathBuf,
    /// This program, for those of the study: they find it in `PLIMSOLL`.
    pub program: PathBuf,
    /// Where the directory of the study is made.
    pub runs_dir: PathBuf,
    /// How runs are made; its own directory is not used.
    pub options: Options,
}

/// What a study left.
#[derive(Debug)]
pub struct Studied {
    /// What it found.
    pub findings: StudyFindings,
    /// Where its measurements are.
    pub directory: PathBuf,
    /// What was measured, in order.
    pub parts: Vec<StudiedPart>,
}

/// A measurement and its directory.
#[derive(Debug)]
pub struct StudiedPart {
    /// What was measured.
    pub part: MeasuredPart,
    /// Where; `None` when it never had a directory.
    pub directory: Option<PathBuf>,
}

impl Studying {
    /// Makes every measurement in turn. One that cannot be made is said to have failed, and the others are made all the
    /// same. Setting `stop` ends it early with what was measured until then.
    ///
    /// # Errors
    /// When the directory of the study cannot be written.
    pub fn run(&self, stop: &AtomicBool, mut on_event: impl FnMut(Event<'_>)) -> Result<Studied, StudyError> {
        let begun = Instant::now();
        let mut course = Course {
            info: self.info(),
            directory: PathBuf::new(),
            measured: Vec::new(),
            keeping: Keeping::default(),
        };
        course.directory = course.info.create(&self.runs_dir, &self.texts.files())?;
        on_event(Event::DirectoryCreated {
            path: &course.directory,
        });
        let outcome = self.run_in(&mut course, stop, &mut on_event);
        course.info.duration_s = begun.elapsed().as_secs_f64();
        course.info.ended = Some(match outcome {
            _ if stop.load(Ordering::Relaxed) => Ended::Interrupted,
            Ok(()) => Ended::Complete,
            Err(error) => Ended::Failed(format!("failed to {error}")),
        });
        course.write(&mut on_event);
        let findings = judge(&self.study, &course.info, &course.measured);
        let json = findings.json();
        let kept = run_directory::write_findings(&course.directory, &json);
        course.keeping.bear(kept, &mut on_event);
        Ok(course.into_studied(findings))
    }

    fn info(&self) -> StudyInfo {
        StudyInfo {
            format: StudyInfo::format(),
            name: self.study.name.clone(),
            size: self.study.size.as_ref().map(|size| size.chosen),
            started_at: jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            duration_s: 0.0,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: plimsoll_target::host::describe(),
            parts: Vec::new(),
            ended: None,
        }
    }

    fn run_in(
        &self,
        course: &mut Course,
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), StudyError> {
        let beside = match self.get_ready(course, stop, on_event) {
            Ok(beside) => beside,
            Err(error) if error.cancelled() => return Ok(()),
            Err(error) => {
                let why = format!("failed to {error}");
                for measurement in &self.study.measurements {
                    let part = MeasuredPart::Failed(why.clone());
                    course.take(&measurement.name, None, part, on_event);
                }
                return Ok(());
            }
        };
        let env = beside.as_ref().map_or(&[][..], |beside| &beside.env);
        let of = self.study.measurements.len();
        for (number, measurement) in self.study.measurements.iter().enumerate() {
            if stop.load(Ordering::Relaxed) {
                break;
            }
            on_event(Event::MeasurementStarted {
                measurement: number,
                of,
                name: &measurement.name,
                kind: measurement.kind.as_str(),
            });
            let mut directory = None;
            let made = self.measure(measurement, course, env, stop, &mut |event| {
                if let (Event::DirectoryCreated { path }, None) = (&event, &directory) {
                    directory = Some(path.to_path_buf());
                }
                on_event(event);
            });
            let part = match made {
                Ok(part) => part,
                Err(error) if error.cancelled() || stop.load(Ordering::Relaxed) => break,
                Err(error) => {
                    let hint = error.hint().map_or(String::new(), |hint| format!(" ({hint})"));
                    MeasuredPart::Failed(format!("failed to {error}{hint}"))
                }
            };
            course.take(&measurement.name, directory.as_deref(), part, on_event);
        }
        Ok(())
    }
}

impl Studying {
    /// What its programs have to know.
    fn settings(&self) -> Vec<(String, Secret)> {
        let program = self.program.to_string_lossy().into_owned();
        let size = self.study.size.as_ref().map(|size| size.chosen.to_string());
        let settings = [(PROGRAM, Some(program)), (SIZE, size)];
        let given = settings.into_iter().filter_map(|(name, value)| Some((name, value?)));
        given
            .map(|(name, value)| (name.to_owned(), Secret::new(value)))
            .collect()
    }

    /// Fetches what is missing, and starts what runs beside the measurements.
    fn get_ready(
        &self,
        course: &Course,
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<Beside>, StudyError> {
        let mut program = |name: &str, argv: &[Secret], run: &mut dyn FnMut(Program<'_>) -> Result<(), StudyError>| {
            on_event(Event::Preparing {
                what: &format!("getting ready: {}", Shown::of_command(argv)),
            });
            let (directory, stderr) = StudyInfo::create_program(&course.directory, name)?;
            run(Program {
                argv,
                env: &self.settings(),
                directory: &self.root,
                stdout: &directory.join(PRINTED),
                stderr: &stderr,
                limit: PREPARE_LIMIT,
            })
        };
        if let Some(argv) = &self.study.prepare {
            program("prepare", argv, &mut |program| {
                program.run(stop)?;
                Ok(())
            })?;
        }
        let mut beside = None;
        if let Some(argv) = &self.study.beside {
            program("beside", argv, &mut |program| {
                beside = Some(program.run_beside(stop)?);
                Ok(())
            })?;
        }
        Ok(beside)
    }
}

/// A study as it goes.
struct Course {
    info: StudyInfo,
    directory: PathBuf,
    measured: Vec<(String, MeasuredPart)>,
    keeping: Keeping,
}

impl Course {
    fn write(&mut self, on_event: &mut dyn FnMut(Event<'_>)) {
        self.keeping.bear(self.info.write(&self.directory), on_event);
    }

    fn take(&mut self, name: &str, directory: Option<&Path>, part: MeasuredPart, on_event: &mut dyn FnMut(Event<'_>)) {
        self.info.parts.push(StudyPart {
            name: name.to_owned(),
            directory: directory
                .and_then(Path::file_name)
                .map(|name| name.to_string_lossy().into_owned()),
            failed: match &part {
                MeasuredPart::Failed(why) => Some(why.clone()),
                _ => None,
            },
        });
        self.measured.push((name.to_owned(), part));
        self.write(on_event);
    }

    fn into_studied(self, findings: StudyFindings) -> Studied {
        let places = self.info.parts.into_iter().map(|place| place.directory);
        let parts = self
            .measured
            .into_iter()
            .zip(places)
            .map(|((_, part), directory)| StudiedPart {
                part,
                directory: directory.map(|directory| self.directory.join(directory)),
            });
        Studied {
            findings,
            parts: parts.collect(),
            directory: self.directory,
        }
    }
}

/// Whether the directory is that of a study that was run.
#[must_use]
pub fn is_study(directory: &Path) -> bool {
    Directory::open(directory).is_ok_and(|directory| StudyInfo::is_in(&directory))
}

/// What the study in `directory` comes to, from its measurements alone. Works on one that was cut off.
///
/// # Errors
/// When it is not the directory of one, or a measurement cannot be read.
pub fn replay_study(path: &Path) -> Result<Studied, StudyError> {
    let directory = run_directory::open(path)?;
    let budget = Budget::default();
    let info = StudyInfo::read(&directory, &budget)?;
    let kept = |error: plimsoll_plan::PlanError| StudyError::Unmeasured {
        what: "read the study that was run".to_owned(),
        found: error.to_string(),
        hint: None,
    };
    let texts = StudyTexts::kept(&directory).map_err(kept)?;
    let study = Study::parse_as(&info.name, &texts, path)
        .map_err(kept)?
        .sized(info.size);
    let mut measured = Vec::new();
    for place in &info.parts {
        let kind = study.measurement(&place.name).map(|measurement| &measurement.kind);
        let part = match (&place.failed, &place.directory, kind) {
            (Some(why), _, _) => MeasuredPart::Failed(why.clone()),
            (None, Some(inner), Some(kind)) => read_back(run_directory::inner(&directory, inner)?, kind, &budget)?,
            (None, _, _) => MeasuredPart::Failed("nothing was kept of it".to_owned()),
        };
        measured.push((place.name.clone(), part));
    }
    let findings = judge(&study, &info, &measured);
    let course = Course {
        info,
        directory: path.to_owned(),
        measured,
        keeping: Keeping::default(),
    };
    Ok(course.into_studied(findings))
}

fn read_back(directory: Directory, kind: &MeasurementKind, budget: &Budget) -> Result<MeasuredPart, StudyError> {
    Ok(match kind {
        MeasurementKind::Compare { .. } | MeasurementKind::Scale { .. } => {
            match replay_series_in(&directory, budget)? {
                Series::Comparison(comparison) => MeasuredPart::Compared(comparison),
                Series::Scaling(scaling) => MeasuredPart::Scaled(scaling),
            }
        }
        MeasurementKind::Capacity { .. } | MeasurementKind::Run { .. } => {
            MeasuredPart::Ran(Box::new(replay_in(directory, budget)?))
        }
        MeasurementKind::Command { .. } => MeasuredPart::Printed(ProgramFigures::read(&directory, budget)?),
    })
}

impl Studying {
    fn measure(
        &self,
        measurement: &Measurement,
        course: &Course,
        env: &[(String, Secret)],
        stop: &AtomicBool,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<MeasuredPart, StudyError> {
        measurements::Measuring {
            study: &self.study,
            root: &self.root,
            settings: self.settings(),
            env,
            directory: &course.directory,
            options: &self.options,
            measured: &course.measured,
            stop,
        }
        .make(measurement, on_event)
    }
}
