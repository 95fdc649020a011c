//! One measurement of a study: its plans with what the study changes, run by what every other command runs by.

use super::PRINTED;
use crate::error::StudyError;
use crate::judging::MeasuredPart;
use crate::language::{Measurement, MeasurementKind, MeasurementLoad, Service, Study, StudyVariant};
use plimsoll_findings::Event;
use plimsoll_lab::{
    Comparing, Experiment, LabError, Options, Rounds, RunKind, Sweep, UNUSED_BLOCKS, UNUSED_BLOCKS_OF_LONG, VariantPlan,
};
use plimsoll_measure::run_directory::{ProgramFigures, StudyInfo};
use plimsoll_plan::{Arrivals, ClosedLoad, Command, Load, OpenLoad, Plan, PlanDraft, Rate, Secret, Shown};
use plimsoll_target::Program;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A program is ended after this many times as long as it should take.
const PATIENCE: u32 = 10;

/// What a measurement is made with.
pub(super) struct Measuring<'a> {
    pub(super) study: &'a Study,
    pub(super) root: &'a Path,
    /// What every program has to know …
    pub(super) settings: Vec<(String, Secret)>,
    /// … and what runs beside gives every service and program.
    pub(super) env: &'a [(String, Secret)],
    /// Of the study.
    pub(super) directory: &'a Path,
    pub(super) options: &'a Options,
    /// What was measured before.
    pub(super) measured: &'a [(String, MeasuredPart)],
    pub(super) stop: &'a AtomicBool,
}

impl Measuring<'_> {
    pub(super) fn make(
        &self,
        measurement: &Measurement,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<MeasuredPart, StudyError> {
        let name = format!("{}, {}", self.study.title, measurement.name);
        match &measurement.kind {
            MeasurementKind::Compare {
                variants,
                load,
                rounds,
                duration,
                warm_up,
                budget,
            } => {
                let load = match load {
                    Some(load) => Some((self.load(load, *warm_up + *duration)?, *duration, *warm_up)),
                    None => None,
                };
                let comparing = Comparing {
                    variants: variant_plans(variants, load.as_ref(), *budget, self.env)?,
                    blocks: *rounds,
                    unused_blocks: if load.is_some() {
                        UNUSED_BLOCKS
                    } else {
                        UNUSED_BLOCKS_OF_LONG
                    },
                    rounds: if load.is_some() { Rounds::Load } else { Rounds::LoadLine },
                    sweep: None,
                    ..self.series(name)
                };
                let compared = comparing.run(self.stop, on_event)?;
                Ok(MeasuredPart::Compared(Box::new(compared.comparison)))
            }
            MeasurementKind::Scale {
                service,
                sizes,
                size_env,
                connections,
                rounds,
                duration,
                warm_up,
            } => {
                let rounds = Sizing {
                    service,
                    env: self.env,
                    size_env: size_env.as_deref(),
                    connections: *connections,
                    duration: *duration,
                    warm_up: *warm_up,
                    rounds: *rounds,
                };
                let comparing = Comparing {
                    variants: sizes
                        .iter()
                        .map(|&size| rounds.variant(size))
                        .collect::<Result<_, _>>()?,
                    blocks: rounds.rounds,
                    rounds: Rounds::Load,
                    sweep: Some(Sweep {
                        sizes_of: if size_env.is_some() { "workers" } else { "connections" }.to_owned(),
                        sizes: sizes.clone(),
                    }),
                    ..self.series(name)
                };
                let (scaling, _) = comparing.scale(self.stop, on_event)?;
                Ok(MeasuredPart::Scaled(Box::new(scaling)))
            }
            MeasurementKind::Capacity { service, budget } => {
                let mut plan = plan_of(service, self.env)?;
                plan.search.budget = *budget;
                self.run(plan, name, RunKind::Capacity, on_event)
            }
            MeasurementKind::Run {
                service,
                load,
                duration,
                warm_up,
            } => {
                let mut plan = plan_of(service, self.env)?;
                let load = self.load(load, *warm_up + *duration)?;
                offer(&mut plan, &(load, *duration, *warm_up));
                self.run(plan, name, RunKind::Run, on_event)
            }
            MeasurementKind::Command { argv, takes } => self.program(&measurement.name, argv, *takes, on_event),
        }
    }

    fn series(&self, name: String) -> Comparing {
        Comparing {
            name,
            unused_blocks: UNUSED_BLOCKS_OF_LONG,
            options: self.options.clone(),
            ..Comparing::of(Vec::new(), 0, self.directory.to_owned())
        }
    }

    fn run(
        &self,
        mut plan: PlanDraft,
        name: String,
        kind: RunKind,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<MeasuredPart, StudyError> {
        plan.name = name;
        let experiment = Experiment {
            plan: plan.validate()?,
            kind,
            warms_up: false,
            options: Options {
                runs_dir: Some(self.directory.to_owned()),
                ..self.options.clone()
            },
        };
        let outcome = experiment.run(self.stop, on_event)?;
        Ok(MeasuredPart::Ran(Box::new(outcome.findings)))
    }

    fn program(
        &self,
        name: &str,
        argv: &[Secret],
        takes: Duration,
        on_event: &mut dyn FnMut(Event<'_>),
    ) -> Result<MeasuredPart, StudyError> {
        let (directory, output) = StudyInfo::create_program(self.directory, name)?;
        on_event(Event::DirectoryCreated { path: &directory });
        let program = Program {
            argv,
            env: &[&self.settings, self.env].concat(),
            directory: self.root,
            stdout: &directory.join(PRINTED),
            stderr: &output,
            limit: takes * PATIENCE,
        };
        let text = program.run(self.stop)?;
        let figures: ProgramFigures = serde_json::from_str(&text).map_err(|error| StudyError::Unmeasured {
            what: format!("read what {} printed", Shown::of_command(argv)),
            found: error.to_string(),
            hint: Some(
                r#"it prints {"figures": {"name": {"unit": "ms", "values": [1.2]}}} and nothing else"#.to_owned(),
            ),
        })?;
        figures.write(&directory)?;
        Ok(MeasuredPart::Printed(figures))
    }

    fn load(&self, load: &MeasurementLoad, whole: Duration) -> Result<Load, StudyError> {
        Ok(match load {
            MeasurementLoad::Rate(rate) => Load::Open(OpenLoad::constant(*rate, whole, Arrivals::Even)),
            MeasurementLoad::Connections(connections) => closed(*connections, whole),
            MeasurementLoad::OfLine { measurement, times } => {
                let found = self.measured.iter().find(|(name, _)| name == measurement);
                let line = match found {
                    Some((_, MeasuredPart::Ran(findings))) => findings.load_line.as_ref(),
                    _ => None,
                };
                let line = line.ok_or_else(|| StudyError::Unmeasured {
                    what: format!("offer {times} × the load line of {measurement}"),
                    found: "it found none".to_owned(),
                    hint: None,
                })?;
                let rate = Rate::from_f64_per_s((line.rate_per_s * times).round());
                Load::Open(OpenLoad::constant(rate, whole, Arrivals::Even))
            }
        })
    }
}

fn closed(connections: u32, whole: Duration) -> Load {
    Load::Closed(ClosedLoad {
        connections,
        duration: Some(whole),
        requests: None,
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    })
}

/// Gives a plan this load, the judged part of it, and what comes before.
fn offer(plan: &mut PlanDraft, (load, judged, warm_up): &(Load, Duration, Duration)) {
    plan.load = load.clone();
    plan.judging.warm_up = *warm_up;
    plan.judging.window = plan.judging.window.min(*judged);
}

/// The plan of a service with what runs beside it and the study change.
fn plan_of(service: &Service, env: &[(String, Secret)]) -> Result<PlanDraft, LabError> {
    let mut plan = Plan::open(&service.plan)?.draft();
    if let Some(argv) = &service.command {
        plan.target.command = Some(match plan.target.command.take() {
            Some(planned) => Command {
                argv: argv.clone(),
                ..planned
            },
            None => Command::new(argv.clone()),
        });
    }
    if let Some(command) = &mut plan.target.command {
        for (name, value) in env.iter().chain(&service.env) {
            command.set_env(name, value.clone());
        }
        command.stdout = service.stdout.unwrap_or(command.stdout);
    } else if !service.env.is_empty() {
        let found = format!(
            "{} starts no service that could have an environment",
            service.plan.display()
        );
        return Err(LabError::Plan(found));
    }
    Ok(plan)
}

fn variant_plans(
    variants: &[StudyVariant],
    load: Option<&(Load, Duration, Duration)>,
    budget: Duration,
    env: &[(String, Secret)],
) -> Result<Vec<VariantPlan>, LabError> {
    let mut plans: Vec<VariantPlan> = Vec::new();
    for variant in variants {
        let mut plan = plan_of(&variant.service, env)?;
        plan.search.budget = budget;
        if let Some(load) = load {
            offer(&mut plan, load);
        }
        if let Some(first) = plans.first() {
            plan.seed = first.plan.seed();
            plan.connections = first.plan.connections();
        }
        plans.push(VariantPlan {
            name: variant.name.clone(),
            what: in_words(&variant.service, &plan),
            plan: plan.validate()?,
            revision: None,
            without: None,
        });
    }
    Ok(plans)
}

/// What the study changes, and what is started.
fn in_words(service: &Service, plan: &PlanDraft) -> Shown {
    let env = service.env.iter().map(|(name, _)| Shown::of_setting(name));
    Shown::join(env.chain(plan.target.command.as_ref().map(Command::shown)))
}

/// What the rounds of a sweep have in common.
struct Sizing<'a> {
    service: &'a Service,
    env: &'a [(String, Secret)],
    size_env: Option<&'a str>,
    connections: u32,
    duration: Duration,
    warm_up: Duration,
    rounds: u32,
}

impl Sizing<'_> {
    fn variant(&self, size: u32) -> Result<VariantPlan, LabError> {
        let mut service = self.service.clone();
        let connections = match self.size_env {
            Some(name) => {
                service.env.push((name.to_owned(), size.to_string().into()));
                self.connections
            }
            None => size,
        };
        let mut plan = plan_of(&service, self.env)?;
        let load = closed(connections, self.warm_up + self.duration);
        offer(&mut plan, &(load, self.duration, self.warm_up));
        Ok(VariantPlan {
            name: size.to_string(),
            what: in_words(&service, &plan),
            plan: plan.validate()?,
            revision: None,
            without: None,
        })
    }
}
