//! When requests are sent, from a document.

use crate::notation::error::PlanError;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::units::Rate;
use crate::notation::written::{At, ShortOr};
use crate::plan::document::{LoadDocument, Model, StageDocument, SteppingDocument};
use crate::plan::hold::{HoldLoad, Ports};
use crate::plan::load::{ClosedLoad, Load, OpenLoad, Segment, Stage};
use std::time::Duration;

/// The most stages or steps of a load.
const MOST_SEGMENTS: u32 = 10_000;

impl Reader<'_> {
    pub(crate) fn load(&mut self, section: &At<LoadDocument>) -> Result<Load, PlanError> {
        let load = &section.value;
        let model = self.field("load.model", &load.model)?.unwrap_or(Model::Open);
        let rate = self.field("load.rate", &load.rate)?;
        let duration = self.field("load.duration", &load.duration)?;
        let arrivals = self.field("load.arrivals", &load.arrivals)?;
        let stages = self.section("load.stages", &load.stages);
        let stepping = self.section("load.stepping", &load.stepping);
        let connections = self.field("load.connections", &load.connections)?;
        let requests = self.field("load.requests", &load.requests)?;
        let think_time = self.field("load.think_time", &load.think_time)?;
        let pacing = self.field("load.pacing", &load.pacing)?;
        let ramp = self.field("load.ramp", &load.ramp)?;
        let pace = self.field("load.pace", &load.pace)?;
        let park = self.field("load.park", &load.park)?;
        let ping = self.field("load.ping", &load.ping)?;
        let ports = self.field("load.ports", &load.ports)?;
        self.refuse_keys_of_others(model)?;
        match model {
            Model::Hold => Ok(Load::Hold(HoldLoad {
                connections: connections.ok_or_else(|| {
                    self.error(
                        section.place,
                        Mismatch::new("no `connections`", "the number of connections"),
                    )
                })?,
                pace: pace.unwrap_or(HoldLoad::PACE),
                duration: duration.ok_or_else(|| self.missing::<Duration>("load.duration", section.place))?,
                park: park.unwrap_or_default(),
                ping,
                ports: ports.map(|Ports(ports)| ports).unwrap_or_default(),
            })),
            Model::Closed => {
                let closed = ClosedLoad {
                    connections: connections.ok_or_else(|| {
                        self.error(
                            section.place,
                            Mismatch::new("no `connections`", "the number of connections"),
                        )
                    })?,
                    duration,
                    requests,
                    think_time: think_time.unwrap_or_default(),
                    pacing: pacing.unwrap_or_default(),
                    ramp: ramp.unwrap_or_default(),
                };
                if duration.is_none() && requests.is_none() {
                    let mismatch = Mismatch::new("a load that never ends", "`duration`, `requests` or both");
                    return Err(self.error(section.place, mismatch));
                }
                Ok(Load::Closed(closed))
            }
            Model::Open => {
                let arrivals = arrivals.unwrap_or_default();
                let ways = [
                    rate.is_some() || duration.is_some(),
                    stages.is_some(),
                    stepping.is_some(),
                ];
                if ways.iter().filter(|way| **way).count() > 1 {
                    let mismatch =
                        Mismatch::new("several loads in one", "`rate` and `duration`, `stages` or `stepping`");
                    return Err(self.error(section.place, mismatch));
                }
                let segments = if let Some(stages) = stages {
                    self.stages(&stages.value)?
                } else if let Some(stepping) = stepping {
                    self.steps(stepping)?
                } else {
                    let rate = rate.ok_or_else(|| self.missing::<Rate>("load.rate", section.place))?;
                    let duration = duration.ok_or_else(|| self.missing::<Duration>("load.duration", section.place))?;
                    let places = (self.place("load.rate"), self.place("load.duration"));
                    self.remember("load.segments[0].to", places.0);
                    self.remember("load.segments[0].duration", places.1);
                    OpenLoad::constant(rate, duration, arrivals).segments
                };
                Ok(Load::Open(OpenLoad { segments, arrivals }))
            }
        }
    }

    /// Complains about the first key that is given and belongs to other models only.
    fn refuse_keys_of_others(&self, model: Model) -> Result<(), PlanError> {
        use Model::{Closed, Hold, Open};
        const KEYS: &[(&str, &[Model])] = &[
            ("rate", &[Open]),
            ("arrivals", &[Open]),
            ("stages", &[Open]),
            ("stepping", &[Open]),
            ("connections", &[Closed, Hold]),
            ("requests", &[Closed]),
            ("think_time", &[Closed]),
            ("pacing", &[Closed]),
            ("ramp", &[Closed]),
            ("pace", &[Hold]),
            ("park", &[Hold]),
            ("ping", &[Hold]),
            ("ports", &[Hold]),
        ];
        let foreign = KEYS.iter().filter(|(_, models)| !models.contains(&model));
        let given = foreign.filter_map(|(key, models)| Some((key, models, self.place(&format!("load.{key}"))?)));
        given.take(1).try_for_each(|(key, models, place)| {
            let (this, other) = (model.as_str(), models[0].as_str());
            let mismatch = Mismatch::new(format!("`{key}`"), format!("keys of the {this} model"));
            Err(self.error(
                Some(place),
                mismatch.hint(format!("for the {other} model write `model: {other}`")),
            ))
        })
    }

    fn stages(&mut self, stages: &[ShortOr<Stage, StageDocument>]) -> Result<Vec<Segment>, PlanError> {
        let mut segments = Vec::with_capacity(stages.len());
        let mut last = Rate::ZERO;
        for (index, stage) in stages.iter().enumerate() {
            let segment = match stage {
                ShortOr::Short(stage) => {
                    let stage = self.written(&format!("load.segments[{index}]"), stage)?;
                    Segment {
                        from: last,
                        to: stage.rate,
                        duration: stage.duration,
                    }
                }
                ShortOr::Full(stage) => self.stage(&format!("load.segments[{index}]"), stage, last)?,
            };
            last = segment.to;
            segments.push(segment);
        }
        Ok(segments)
    }

    fn stage(&mut self, key: &str, section: &At<StageDocument>, last: Rate) -> Result<Segment, PlanError> {
        self.remember(key, section.place);
        let stage = &section.value;
        let ramp_to = self.field(&format!("{key}.to"), &stage.ramp_to)?;
        let from = self.field(&format!("{key}.from"), &stage.from)?;
        let hold = self.field(&format!("{key}.to"), &stage.hold)?;
        let duration = self.required::<Duration>(&format!("{key}.duration"), &stage.duration, section.place)?;
        match (ramp_to, hold, from) {
            (Some(to), None, from) => Ok(Segment {
                from: from.unwrap_or(last),
                to,
                duration,
            }),
            (None, Some(rate), None) => Ok(Segment {
                from: rate,
                to: rate,
                duration,
            }),
            _ => {
                let mismatch = Mismatch::new(
                    "a stage that is neither ramp nor hold",
                    "`ramp_to` and perhaps `from`, or `hold`, and `duration`",
                );
                Err(self.error(section.place, mismatch))
            }
        }
    }

    fn steps(&mut self, section: &At<SteppingDocument>) -> Result<Vec<Segment>, PlanError> {
        let SteppingDocument {
            start,
            step,
            every,
            steps,
        } = &section.value;
        let start = self.required("load.stepping.start", start, section.place)?;
        let step: Rate = self.required("load.stepping.step", step, section.place)?;
        let duration = self.required("load.stepping.every", every, section.place)?;
        let steps: u32 = self.required("load.stepping.steps", steps, section.place)?;
        if !(1..=MOST_SEGMENTS).contains(&steps) {
            let mismatch = Mismatch::new(quoted(&steps.to_string()), format!("1 to {MOST_SEGMENTS} steps"));
            return Err(self.error_about("load.stepping.steps", mismatch));
        }
        let mut rate: Rate = start;
        let mut segments = Vec::new();
        for index in 0..steps {
            let places = (self.place("load.stepping.step"), self.place("load.stepping.every"));
            self.remember(&format!("load.segments[{index}].to"), places.0);
            self.remember(&format!("load.segments[{index}].duration"), places.1);
            segments.push(Segment {
                from: rate,
                to: rate,
                duration,
            });
            rate = Rate::from_micro_per_s(rate.micro_per_s() + step.micro_per_s());
        }
        Ok(segments)
    }
}
