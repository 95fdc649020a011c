//! A `.cpuprofile` as V8 writes it: its JSON, and nothing else.

use crate::call_frame::CallFrame;
use plimsoll_measure::probe::SiteFrame;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) nodes: Vec<Node<'a>>,
    /// Timestamps, µs.
    pub(super) start_time: i64,
    pub(super) end_time: i64,
    #[serde(default)]
    pub(super) samples: Vec<u64>,
    #[serde(default)]
    pub(super) time_deltas: Vec<i64>,
    /// CPU of the thread that took the samples. The probe adds it to what V8 made.
    #[serde(default, rename = "sampler_ns")]
    pub(super) sampler_ns: Option<u64>,
    /// CPU of the threadpool, and of the threads of V8, by the probe as well.
    #[serde(default, rename = "pool_ns")]
    pub(super) pool_ns: Option<u64>,
    #[serde(default, rename = "v8_ns")]
    pub(super) v8_ns: Option<u64>,
    /// Whether those ran on other cores than the thread that is profiled, by the probe as well.
    #[serde(default, rename = "apart")]
    pub(super) apart: bool,
    /// Whether this thread is one that the service started, which only the thread itself can profile, …
    #[serde(default, rename = "started_thread")]
    pub(super) started_thread: bool,
    /// … for how long it ran, and for how long it could have, where that is known.
    #[serde(default, rename = "ran_ns")]
    pub(super) ran_ns: Option<u64>,
    #[serde(default, rename = "queued_ns")]
    pub(super) queued_ns: Option<u64>,
    /// Of each sample whose code it saw, by the probe as well.
    #[serde(default, rename = "sample_layers")]
    pub(super) sample_layers: Vec<i64>,
    #[serde(default)]
    pub(super) layers: Vec<Layer>,
    #[serde(default)]
    pub(super) others: Counts,
}

/// A function that is registered with a framework.
#[derive(Deserialize)]
pub(super) struct Layer {
    pub(super) kind: Kind,
    pub(super) name: String,
    pub(super) place: Option<SiteFrame>,
    #[serde(default)]
    pub(super) run: Option<SiteFrame>,
    pub(super) guards: bool,
    #[serde(flatten)]
    pub(super) counts: Counts,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Middleware,
    Hook,
    Handler,
    Server,
}

#[derive(Deserialize, Default)]
pub(super) struct Counts {
    #[serde(default)]
    pub(super) callbacks: f64,
    #[serde(default)]
    pub(super) tasks: f64,
    #[serde(default)]
    pub(super) task_ns: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Node<'a> {
    pub(super) id: u64,
    #[serde(borrow)]
    pub(super) call_frame: CallFrame<'a>,
    #[serde(default)]
    pub(super) children: Vec<u64>,
    #[serde(default)]
    pub(super) position_ticks: Vec<PositionTick>,
}

#[derive(Deserialize)]
pub(super) struct PositionTick {
    /// From 1.
    pub(super) line: i64,
    pub(super) ticks: u64,
}
