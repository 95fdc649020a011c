//! What a journal on another machine kept, on its way to the journal of the run.

use plimsoll_measure::probe::ProbeLine;
use plimsoll_measure::{CollectionMark, InstancesSample, KeptSample, LoopDelays, NeighbourSample, Note, Record};
use plimsoll_plan::KnownSecrets;
use plimsoll_target::Origins;
use serde::{Deserialize, Serialize};

/// Something that was kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Relayed {
    /// A note.
    Note(Note),
    /// The instances of the service.
    Instances(InstancesSample),
    /// The service is asked what it keeps.
    Collection(CollectionMark),
    /// What it keeps.
    Kept(KeptSample),
    /// For how long its event loop kept timers waiting.
    LoopDelays(LoopDelays),
    /// A neighbour of the service.
    Neighbour(NeighbourSample),
    /// What the probe said.
    Probe(ProbeLine),
    /// A CPU profile of a thread.
    Profile(RelayedProfile),
    /// Where a thread asked for memory.
    Allocations(RelayedProfile),
}

/// A profile as V8 made it, with what is known of where its code comes from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RelayedProfile {
    /// Of which thread.
    pub(crate) number: u32,
    pub(crate) json: String,
    pub(crate) origins: Origins,
}

impl RelayedProfile {
    pub(crate) fn new(number: u32, json: &str, origins: &Origins) -> Self {
        Self {
            number,
            json: json.to_owned(),
            origins: origins.clone(),
        }
    }
}

impl Relayed {
    /// A record that is about the service; `None` of one that is about the load.
    pub(crate) fn of(record: &Record<'_>) -> Option<Self> {
        Some(match record {
            Record::Note(note) => Self::Note(note.clone()),
            Record::Instances(sample) => Self::Instances(sample.clone()),
            Record::Collection(mark) => Self::Collection(*mark),
            Record::Kept(sample) => Self::Kept(sample.clone()),
            Record::LoopDelays(delays) => Self::LoopDelays(delays.clone()),
            Record::Neighbour(sample) => Self::Neighbour(sample.clone()),
            Record::StepStart(_)
            | Record::Tick { .. }
            | Record::Machine(_)
            | Record::Shock(_)
            | Record::StepEnd(_)
            | Record::RunEnd(_) => return None,
        })
    }

    /// The same without what has to be hidden: who kept it knows the secrets of its own plan alone, and a service may print what it was sent.
    pub(crate) fn without(mut self, hidden: &KnownSecrets) -> Self {
        if let Self::Note(note) = &mut self {
            note.message = hidden.hide(&note.message).into_owned();
            note.hint = note.hint.as_deref().map(|hint| hidden.hide(hint).into_owned());
        }
        self
    }

    /// The same, with times by another clock, and numbers of threads that those of another machine do not have.
    pub(crate) fn moved(mut self, time: impl Fn(u64) -> u64, thread: impl Fn(u32) -> u32) -> Self {
        match &mut self {
            Self::Note(note) => note.at_ns = time(note.at_ns),
            Self::Instances(sample) => sample.at_ns = time(sample.at_ns),
            Self::Collection(mark) => mark.at_ns = time(mark.at_ns),
            Self::Kept(sample) => {
                sample.at_ns = time(sample.at_ns);
                sample.asked_ns = time(sample.asked_ns);
            }
            Self::LoopDelays(delays) => delays.at_ns = time(delays.at_ns),
            Self::Neighbour(neighbour) => neighbour.sample.at_ns = time(neighbour.sample.at_ns),
            Self::Probe(ProbeLine::From { connection, .. }) => *connection = thread(*connection),
            Self::Probe(ProbeLine::WindowBegins | ProbeLine::WindowEnds) => {}
            Self::Profile(profile) | Self::Allocations(profile) => profile.number = thread(profile.number),
        }
        self
    }
}
