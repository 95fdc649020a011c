//! What the functions that a framework calls for a request do, and what they cause.

use crate::frame::Frame;
use std::collections::HashMap;

/// A function that was registered with a framework.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layer {
    /// What it is.
    pub kind: LayerKind,
    /// Its name; empty for an anonymous function.
    pub name: String,
    /// The line that registers it, or makes the server listen; its file is empty where that is not known.
    pub place: Frame,
    /// The package that this line is in; `None` for the service's own code.
    pub package: Option<String>,
    /// The function itself, where a sample saw it; else its file is empty.
    pub run: Frame,
    /// The package that the function is in; `None` for the service's own code, and where it was not seen.
    pub run_package: Option<String>,
    /// It decides which requests get through.
    pub guards: bool,
    /// What it caused.
    pub counts: LayerCounts,
}

/// What a function that is registered with a framework is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum LayerKind {
    /// It runs for many routes, and passes requests on.
    #[default]
    Middleware,
    /// It runs at some moment of a request.
    Hook,
    /// It responds.
    Handler,
    /// No function, but a server: requests are read for it before anybody else knows of them.
    Server,
}

/// What was counted while labels were followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerCounts {
    /// Callbacks that the event loop ran.
    pub callbacks: u64,
    /// Tasks that the threadpool did.
    pub tasks: u64,
    /// How long they took, waiting for a thread included, µs.
    pub task_us: u64,
}

/// Who had a piece of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Causer {
    /// The event loop, between callbacks.
    Loop,
    /// A callback of none of the layers.
    Nobody,
    /// What runs for a layer, by its index.
    Layer(usize),
}

/// Some time of a call, for one causer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CausedTime {
    /// Index of the call in [`crate::Profile::calls`].
    pub call: usize,
    /// For whom.
    pub causer: Causer,
    /// How much, µs.
    pub us: u64,
}

/// The layers of a service, and the part of a profile in which it was followed which of them caused what.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layers {
    /// In the order in which they were registered.
    pub known: Vec<Layer>,
    /// What none of them caused.
    pub others: LayerCounts,
    /// Time in that part.
    pub times: Vec<CausedTime>,
    /// What one sample of it stands for, µs; 0 where nothing was sampled.
    pub sample_us: u64,
}

impl Layers {
    /// How much of the profile was followed, µs.
    #[must_use]
    pub fn followed_us(&self) -> u64 {
        self.times.iter().map(|time| time.us).sum()
    }

    /// Adds those of another process; `calls` are where its calls are here.
    pub(crate) fn merge(&mut self, other: &Self, calls: &[usize]) {
        let places: Vec<usize> = other.known.iter().map(|layer| self.place_of(layer)).collect();
        self.others.add(other.others);
        self.sample_us = self.sample_us.max(other.sample_us);
        let mut times: HashMap<(usize, Causer), usize> = self
            .times
            .iter()
            .zip(0..)
            .map(|(time, at)| ((time.call, time.causer), at))
            .collect();
        for time in &other.times {
            let call = calls[time.call];
            let causer = match time.causer {
                Causer::Layer(layer) => Causer::Layer(places[layer]),
                causer => causer,
            };
            let at = *times.entry((call, causer)).or_insert_with(|| {
                self.times.push(CausedTime { call, causer, us: 0 });
                self.times.len() - 1
            });
            self.times[at].us = self.times[at].us.saturating_add(time.us);
        }
    }

    /// Where a layer of another process is here, with what it caused added.
    fn place_of(&mut self, layer: &Layer) -> usize {
        // One line may register several functions of a name.
        let is_same = |mine: &Layer| {
            let same_line = (mine.kind, &mine.name, &mine.place) == (layer.kind, &layer.name, &layer.place);
            let seen = !mine.run.file.is_empty() && !layer.run.file.is_empty();
            same_line && (!seen || mine.run == layer.run)
        };
        match self.known.iter().position(is_same) {
            Some(at) => {
                self.known[at].counts.add(layer.counts);
                if self.known[at].run.file.is_empty() {
                    self.known[at].run = layer.run.clone();
                    self.known[at].run_package = layer.run_package.clone();
                }
                at
            }
            None => {
                self.known.push(layer.clone());
                self.known.len() - 1
            }
        }
    }
}

impl LayerCounts {
    fn add(&mut self, other: Self) {
        self.callbacks = self.callbacks.saturating_add(other.callbacks);
        self.tasks = self.tasks.saturating_add(other.tasks);
        self.task_us = self.task_us.saturating_add(other.task_us);
    }
}
