//! Whose code each sample saw.

use super::document::{Counts, Document, Kind, Layer as Found};
use plimsoll_measure::probe::SiteFrame;
use plimsoll_measure::{CausedTime, Causer, Frame, Layer, LayerCounts, LayerKind, Layers};
use std::collections::HashMap;

/// What the probe takes for itself in a service that runs without it.
const PROBE: i64 = -2;
/// Layers count from here; below are the loop and nobody.
const FIRST_LAYER: i64 = 2;
/// Layers of a service, and characters of a name.
const LAYERS_MAX: usize = 256;
const NAME_LENGTH_MAX: usize = 512;
/// Callbacks of a pass, and time in µs: more is no count.
const COUNT_MAX: f64 = 1e12;

/// Times by call and causer.
pub(super) struct LayerTimes<'a> {
    labels: &'a [i64],
    layers: usize,
    times: HashMap<(usize, Causer), u64>,
    samples: u64,
}

impl<'a> LayerTimes<'a> {
    pub(super) fn of(document: &'a Document<'_>) -> Self {
        Self {
            labels: &document.sample_layers,
            layers: document.layers.len().min(LAYERS_MAX),
            times: HashMap::new(),
            samples: 0,
        }
    }

    /// Whether a sample saw the probe at what it alone does.
    pub(super) fn is_probe(&self, index: usize) -> bool {
        self.labels.get(index) == Some(&PROBE)
    }

    pub(super) fn add(&mut self, index: usize, call: usize, us: u64) {
        let causer = match self.labels.get(index) {
            Some(0) => Causer::Loop,
            Some(1) => Causer::Nobody,
            Some(&label) if label >= FIRST_LAYER => match usize::try_from(label - FIRST_LAYER) {
                Ok(layer) if layer < self.layers => Causer::Layer(layer),
                _ => Causer::Nobody,
            },
            _ => return,
        };
        let sum = self.times.entry((call, causer)).or_default();
        *sum = sum.saturating_add(us);
        self.samples += 1;
    }

    pub(super) fn finish(self, document: &Document<'_>) -> Layers {
        let mut times: Vec<CausedTime> = self
            .times
            .into_iter()
            .map(|((call, causer), us)| CausedTime { call, causer, us })
            .collect();
        times.sort_unstable_by_key(|time| (time.call, time.causer));
        let all_us = times.iter().fold(0_u64, |sum, time| sum.saturating_add(time.us));
        Layers {
            known: document.layers.iter().take(LAYERS_MAX).map(layer).collect(),
            others: counts(&document.others),
            times,
            sample_us: all_us.checked_div(self.samples).unwrap_or_default(),
        }
    }
}

fn layer(found: &Found) -> Layer {
    let frame = |place: &SiteFrame| Frame {
        function: place.function.clone(),
        file: place.file.clone(),
        line: place.line,
        column: place.column,
    };
    let place = found.place.as_ref();
    Layer {
        kind: match found.kind {
            Kind::Middleware => LayerKind::Middleware,
            Kind::Hook => LayerKind::Hook,
            Kind::Handler => LayerKind::Handler,
            Kind::Server => LayerKind::Server,
        },
        name: found.name.chars().take(NAME_LENGTH_MAX).collect(),
        place: place.map_or_else(Frame::default, frame),
        package: place.and_then(|place| place.package.clone()),
        run: found.run.as_ref().map_or_else(Frame::default, frame),
        run_package: found.run.as_ref().and_then(|run| run.package.clone()),
        guards: found.guards,
        counts: counts(&found.counts),
    }
}

fn counts(found: &Counts) -> LayerCounts {
    LayerCounts {
        callbacks: found.callbacks.clamp(0.0, COUNT_MAX) as u64,
        tasks: found.tasks.clamp(0.0, COUNT_MAX) as u64,
        task_us: (found.task_ns / 1e3).clamp(0.0, COUNT_MAX) as u64,
    }
}
