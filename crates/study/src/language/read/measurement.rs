//! What is measured.

use super::{Read, StudyReader, entries};
use crate::language::document::{KindWord, MeasurementDocument, VariantDocument};
use crate::language::{Measurement, MeasurementKind, MeasurementLoad, Service, StudyVariant};
use plimsoll_plan::Secret;
use plimsoll_plan::notation::{At, Entries, Field, Given, Mismatch, Notation, Place, Rate, Written, quoted};
use std::time::Duration;

const ROUNDS: u32 = 6;
const ROUNDS_OF_SEARCHES: u32 = 4;
const ROUNDS_OF_SIZES: u32 = 3;
const LEAST_ROUNDS: u32 = 4;
const LEAST_ROUNDS_OF_SIZES: u32 = 2;
const SIZES: [u32; 7] = [1, 2, 4, 8, 16, 32, 64];
const LEAST_SIZES: usize = 4;
const CONNECTIONS_OF_SIZES: u32 = 64;
const BUDGET: Duration = Duration::from_secs(60);

impl StudyReader<'_> {
    pub(super) fn measurement(
        &mut self,
        key: &str,
        section: &At<MeasurementDocument>,
        before: &[Measurement],
    ) -> Read<MeasurementKind> {
        self.reader.remember(key, section.place);
        let written = &section.value;
        let kind = self
            .reader
            .required(&format!("{key}.kind"), &written.kind, section.place)?;
        let rounds: Option<u32> = self.reader.field(&format!("{key}.rounds"), &written.rounds)?;
        let duration = self.time(&format!("{key}.duration"), &written.duration)?;
        let warm_up = self.reader.field(&format!("{key}.warm_up"), &written.warm_up)?;
        let budget = self.time(&format!("{key}.budget"), &written.budget)?.unwrap_or(BUDGET);
        let connections = self.count(&format!("{key}.connections"), &written.connections)?;
        let load = self.offered(key, section, connections, before)?;
        let needs_load = || Mismatch::new("no load", "`rate`, `connections`, or `of_line` and `times`");
        let at_least = |least: u32, rounds: u32| {
            if rounds < least {
                let mismatch = Mismatch::new(quoted(&rounds.to_string()), format!("at least {least} rounds"));
                return Err(self.reader.error_about(&format!("{key}.rounds"), mismatch));
            }
            Ok(rounds)
        };
        Ok(match kind {
            KindWord::Compare => {
                let default = if load.is_some() { ROUNDS } else { ROUNDS_OF_SEARCHES };
                let rounds = at_least(LEAST_ROUNDS, rounds.unwrap_or(default))?;
                if matches!(load, Some(MeasurementLoad::OfLine { .. })) {
                    return Err(self
                        .reader
                        .error_about(key, Mismatch::new("`of_line`", "`rate` or `connections`")));
                }
                MeasurementKind::Compare {
                    variants: self.variants(key, section)?,
                    load,
                    rounds,
                    duration: duration.unwrap_or(Duration::from_secs(4)),
                    warm_up: warm_up.unwrap_or(Duration::from_secs(2)),
                    budget,
                }
            }
            KindWord::Scale => MeasurementKind::Scale {
                rounds: at_least(LEAST_ROUNDS_OF_SIZES, rounds.unwrap_or(ROUNDS_OF_SIZES))?,
                service: self.service(key, section)?,
                sizes: self.sizes(key, section)?,
                size_env: self.reader.field(&format!("{key}.size_env"), &written.size_env)?,
                connections: connections.unwrap_or(CONNECTIONS_OF_SIZES),
                duration: duration.unwrap_or(Duration::from_secs(3)),
                warm_up: warm_up.unwrap_or(Duration::from_secs(1)),
            },
            KindWord::Capacity => MeasurementKind::Capacity {
                service: self.service(key, section)?,
                budget,
            },
            KindWord::Run => MeasurementKind::Run {
                service: self.service(key, section)?,
                load: load.ok_or_else(|| self.reader.error(section.place, needs_load()))?,
                duration: duration.unwrap_or(Duration::from_secs(10)),
                warm_up: warm_up.unwrap_or(Duration::from_secs(2)),
            },
            KindWord::Command => {
                let argv = self.words(&format!("{key}.command"), &written.command)?;
                let missing = || {
                    self.reader
                        .error(section.place, Mismatch::new("no `command`", "what is run"))
                };
                MeasurementKind::Command {
                    argv: argv.ok_or_else(missing)?,
                    takes: self
                        .time(&format!("{key}.takes"), &written.takes)?
                        .unwrap_or(Duration::from_secs(10)),
                }
            }
        })
    }

    fn offered(
        &mut self,
        key: &str,
        section: &At<MeasurementDocument>,
        connections: Option<u32>,
        before: &[Measurement],
    ) -> Read<Option<MeasurementLoad>> {
        let written = &section.value;
        let rate: Option<Rate> = self.reader.field(&format!("{key}.rate"), &written.rate)?;
        if rate == Some(Rate::ZERO) {
            return Err(self.reader.error_about(
                &format!("{key}.rate"),
                Mismatch::new("a rate of zero", "a rate above zero"),
            ));
        }
        let of_line: Option<String> = self.reader.field(&format!("{key}.of_line"), &written.of_line)?;
        let times = self.reader.field(&format!("{key}.times"), &written.times)?;
        match (rate, connections, of_line, times) {
            (None, None, None, None) => Ok(None),
            (Some(rate), None, None, None) => Ok(Some(MeasurementLoad::Rate(rate))),
            (None, Some(connections), None, None) => Ok(Some(MeasurementLoad::Connections(connections))),
            (None, None, Some(measurement), Some(times)) => {
                let lines = before
                    .iter()
                    .filter(|m| matches!(m.kind, MeasurementKind::Capacity { .. }));
                let mut names = lines.map(|m| m.name.as_str());
                if !names.clone().any(|name| name == measurement) {
                    let expected = "a measurement above it whose kind is `capacity`";
                    let mismatch = Mismatch::new(quoted(&measurement), expected).nearest(&measurement, &mut names);
                    return Err(self.reader.error_about(&format!("{key}.of_line"), mismatch));
                }
                Ok(Some(MeasurementLoad::OfLine {
                    measurement,
                    times: times.0,
                }))
            }
            _ => {
                let expected = "one of: `rate`, `connections`, `of_line` with `times`";
                Err(self
                    .reader
                    .error(section.place, Mismatch::new("several loads", expected)))
            }
        }
    }

    fn variants(&mut self, key: &str, section: &At<MeasurementDocument>) -> Read<Vec<StudyVariant>> {
        let written = &section.value;
        let mut variants = Vec::new();
        let key = format!("{key}.variants");
        for (name, at) in entries(self.reader.section(&key, &written.variants)) {
            let name = self.reader.read_with(name, String::read)?;
            let key = format!("{key}.{name}");
            let VariantDocument {
                plan,
                env,
                command,
                stdout,
            } = &at.value;
            let plan = if plan.0.is_some() { plan } else { &written.plan };
            let mut service = self.started(&key, at.place, plan, &written.env)?;
            for (name, value) in self.environment(&key, env)? {
                service.env.retain(|(known, _)| *known != name);
                service.env.push((name, value));
            }
            let command = if command.0.is_some() { command } else { &written.command };
            service.command = self.words(&format!("{key}.command"), command)?;
            let stdout = if stdout.0.is_some() { stdout } else { &written.stdout };
            service.stdout = self.reader.field(&format!("{key}.stdout"), stdout)?;
            variants.push(StudyVariant { name, service });
        }
        if variants.len() < 2 {
            let mismatch = Mismatch::new(format!("{} variants", variants.len()), "at least two `variants`");
            return Err(self.reader.error_about(&key, mismatch));
        }
        Ok(variants)
    }

    fn service(&mut self, key: &str, section: &At<MeasurementDocument>) -> Read<Service> {
        let written = &section.value;
        let mut service = self.started(key, section.place, &written.plan, &written.env)?;
        service.command = self.words(&format!("{key}.command"), &written.command)?;
        service.stdout = self.reader.field(&format!("{key}.stdout"), &written.stdout)?;
        Ok(service)
    }

    fn started(
        &mut self,
        key: &str,
        parent: Option<Place>,
        plan: &Field<String>,
        env: &Given<At<Entries<Written<String>>>>,
    ) -> Read<Service> {
        let plan = self.reader.required(&format!("{key}.plan"), plan, parent)?;
        Ok(Service {
            plan: self.reader.beside_plan(&plan),
            env: self.environment(key, env)?,
            command: None,
            stdout: None,
        })
    }

    fn environment(&mut self, key: &str, env: &Given<At<Entries<Written<String>>>>) -> Read<Vec<(String, Secret)>> {
        let mut read = Vec::new();
        for (name, value) in entries(self.reader.section(&format!("{key}.env"), env)) {
            let name = self.reader.read_with(name, String::read)?;
            let value = self.reader.written(&format!("{key}.env.{name}"), value)?;
            read.push((name, Secret::new(value)));
        }
        Ok(read)
    }

    fn sizes(&mut self, key: &str, section: &At<MeasurementDocument>) -> Read<Vec<u32>> {
        let key = format!("{key}.sizes");
        let Some(given) = self.reader.section(&key, &section.value.sizes) else {
            return Ok(SIZES.to_vec());
        };
        let numbered = given.value.iter().enumerate();
        let sizes = numbered.map(|(index, size)| self.reader.written(&format!("{key}[{index}]"), size));
        let mut sizes: Vec<u32> = sizes.collect::<Read<_>>()?;
        sizes.sort_unstable();
        sizes.dedup();
        if sizes.len() < LEAST_SIZES || sizes.first() == Some(&0) {
            let mismatch = Mismatch::new(format!("{} sizes", sizes.len()), "at least four, none of them 0");
            return Err(self.reader.error(given.place, mismatch));
        }
        Ok(sizes)
    }
}
