//! When requests are sent, from a document.

use crate::notation::Notation;
use crate::notation::error::PlanError;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::units::Rate;
use crate::notation::written::{At, ShortOr};
use crate::plan::document::{LoadDocument, Model, StageDocument, SteppingDocument};
use crate::plan::hold::{HoldLoad, Ports};
use crate::plan::load::{ClosedLoad, Load, OpenLoad, Segment, Stage, UserStage, read_ramp};
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
                if let Some(stages) = stages {
                    if connections.is_some() || duration.is_some() || ramp.is_some() {
                        let mismatch = Mismatch::new(
                            "several loads in one",
                            "`connections` with `duration` or `requests`, or `stages`",
                        );
                        return Err(self.error(section.place, mismatch));
                    }
                    let place = stages.place;
                    let stages = self.stages(&stages.value, read_users)?;
                    if stages.is_empty() {
                        return Err(self.error(place, Mismatch::new("no stage", "at least one")));
                    }
                    return Ok(Load::Closed(ClosedLoad {
                        requests,
                        think_time: think_time.unwrap_or_default(),
                        pacing: pacing.unwrap_or_default(),
                        ..ClosedLoad::in_stages(stages.into_iter().map(UserStage::from).collect())
                    }));
                }
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
                    stages: Vec::new(),
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
                    let stages = self.stages(&stages.value, Rate::read)?;
                    stages.into_iter().map(Segment::from).collect()
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
            ("stages", &[Open, Closed]),
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

    fn stages<L: Copy + Default>(
        &mut self,
        stages: &[ShortOr<Stage, StageDocument>],
        read: fn(&str) -> Result<L, Mismatch>,
    ) -> Result<Vec<Stretch<L>>, PlanError> {
        let mut stretches = Vec::with_capacity(stages.len());
        let mut last = L::default();
        for (index, stage) in stages.iter().enumerate() {
            let key = format!("load.segments[{index}]");
            let stretch = match stage {
                ShortOr::Short(stage) => {
                    self.remember(&key, stage.place);
                    let (duration, to) = self.read_with(stage, |text| read_ramp(text, read))?;
                    Stretch {
                        from: last,
                        to,
                        duration,
                    }
                }
                ShortOr::Full(stage) => self.stage(&key, stage, last, read)?,
            };
            last = stretch.to;
            stretches.push(stretch);
        }
        Ok(stretches)
    }

    fn stage<L: Copy>(
        &mut self,
        key: &str,
        section: &At<StageDocument>,
        last: L,
        read: fn(&str) -> Result<L, Mismatch>,
    ) -> Result<Stretch<L>, PlanError> {
        self.remember(key, section.place);
        let stage = &section.value;
        let ramp_to = self.field_as(&format!("{key}.to"), &stage.ramp_to, read)?;
        let from = self.field_as(&format!("{key}.from"), &stage.from, read)?;
        let hold = self.field_as(&format!("{key}.to"), &stage.hold, read)?;
        let duration = self.required::<Duration>(&format!("{key}.duration"), &stage.duration, section.place)?;
        let (from, to) = match (ramp_to, hold, from) {
            (Some(to), None, from) => (from.unwrap_or(last), to),
            (None, Some(level), None) => (level, level),
            _ => {
                let mismatch = Mismatch::new(
                    "a stage that is neither ramp nor hold",
                    "`ramp_to` and perhaps `from`, or `hold`, and `duration`",
                );
                return Err(self.error(section.place, mismatch));
            }
        };
        Ok(Stretch { from, to, duration })
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

/// A stage of either model: rates where it is open, users where it is closed.
struct Stretch<L> {
    from: L,
    to: L,
    duration: Duration,
}

impl From<Stretch<Rate>> for Segment {
    fn from(Stretch { from, to, duration }: Stretch<Rate>) -> Self {
        Self { from, to, duration }
    }
}

impl From<Stretch<u32>> for UserStage {
    fn from(Stretch { from, to, duration }: Stretch<u32>) -> Self {
        Self { from, to, duration }
    }
}

fn read_users(text: &str) -> Result<u32, Mismatch> {
    let hint = "in the closed model stages say how many users there are";
    u32::read(text).map_err(|_| Mismatch::new(quoted(text), "a whole number of users").hint(hint))
}
