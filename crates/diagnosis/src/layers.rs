//! What each middleware, hook and handler costs: what it does, what it causes later, its garbage, its part of what the event
//! loop, the threadpool and the threads of V8 do.

use crate::Case;
use crate::calls::is_gc;
use crate::cost::{Cpu, SHARE_MIN};
use plimsoll_findings::{LayerCost, LayerCosts, LayerRole, Place};
use plimsoll_measure::{CausedTime, Causer, Frame, Layer, LayerCounts, LayerKind, Layers, Profile, share_interval};
use std::collections::HashMap;

/// Where labels were followed for less time than this, nothing is said.
pub(crate) const FOLLOWED_US_MIN: u64 = 20_000;

/// What each layer costs, the costliest first; `None` where none is known.
pub(crate) fn layer_costs(case: &Case<'_>) -> Option<LayerCosts> {
    let profile = case.profile?;
    let caused = Caused::of(profile, case.allocations)?;
    let cpu = Cpu::of(case, profile);
    let mut layers: Vec<LayerCost> = profile
        .layers
        .known
        .iter()
        .enumerate()
        // What is read for a server is no function's doing.
        .filter(|(_, layer)| layer.kind != LayerKind::Server)
        .map(|(index, layer)| cost(case, &cpu, &caused, index, layer))
        .filter(|layer| layer.cpu_share > 0.0)
        .collect();
    layers.sort_by(|a, b| b.cpu_share.total_cmp(&a.cpu_share));
    let sum: f64 = layers.iter().map(|layer| layer.cpu_share).sum();
    (!layers.is_empty()).then(|| LayerCosts {
        layers,
        rest_share: (1.0 - sum).max(0.0),
    })
}

/// The costliest middleware or hook that could go, where it takes as much as a cause.
pub(crate) fn worth_leaving_out(costs: &LayerCosts) -> Option<&LayerCost> {
    let could_go = |layer: &&LayerCost| layer.role != LayerRole::Handler && !layer.guards;
    let costliest = costs.layers.iter().find(could_go);
    costliest.filter(|layer| layer.cpu_share >= SHARE_MIN)
}

/// The name that `--without` has for it.
pub(crate) fn removal(layer: &LayerCost) -> Option<String> {
    let name = match (layer.name.as_str(), &layer.place) {
        ("", place) => format!("{}:{}", place.as_ref()?.file, place.as_ref()?.line),
        (name, _) => name.to_owned(),
    };
    Some(format!("middleware:{name}"))
}

fn cost(case: &Case<'_>, cpu: &Cpu, caused: &Caused, index: usize, layer: &Layer) -> LayerCost {
    let causer = Causer::Layer(index);
    let collecting = cpu.collecting(caused.gc_share() * cpu.main_share);
    let garbage_share = caused.garbage_share(causer) * collecting;
    let threadpool_share = caused.task_share(causer) * cpu.pool_share;
    let running = cpu.running(caused.gc_share(), collecting);
    let all_of = |own_share: f64| cpu.with(own_share * running, threadpool_share) + garbage_share;
    let own_share = caused.own_share(causer);
    let share = all_of(own_share);
    let (own_low, own_high) = share_interval(own_share, caused.samples);
    LayerCost {
        role: role(layer.kind),
        name: layer.name.clone(),
        place: place(case, &layer.place),
        package: layer.package.clone(),
        defined: place(case, &layer.run),
        defined_in: layer.run_package.clone(),
        guards: layer.guards,
        cpu_us_per_request: case.us_of_share(share),
        cpu_share: share,
        cpu_share_low: all_of(own_low),
        cpu_share_high: all_of(own_high),
        garbage_share,
        threadpool_share,
    }
}

pub(crate) const fn role(kind: LayerKind) -> LayerRole {
    match kind {
        LayerKind::Middleware => LayerRole::Middleware,
        LayerKind::Hook => LayerRole::Hook,
        LayerKind::Handler => LayerRole::Handler,
        LayerKind::Server => LayerRole::Server,
    }
}

pub(crate) fn place(case: &Case<'_>, frame: &Frame) -> Option<Place> {
    let Frame { file, line, column, .. } = frame;
    (!file.is_empty()).then(|| Place {
        file: case.places.path(file).to_owned(),
        line: *line,
        column: Some(*column),
        function: String::new(),
        is_function: false,
    })
}

/// Time of the part of a profile in which labels were followed.
struct Caused {
    all_us: f64,
    /// How many samples that is.
    samples: f64,
    /// Collections: most of them run between callbacks, whoever asked for the memory.
    gc_us: f64,
    /// In callbacks, and in what is shared out by their number.
    own_us: HashMap<Causer, f64>,
    /// Of the memory that was asked for.
    garbage: HashMap<Causer, f64>,
    /// Of the time of tasks for the threadpool.
    tasks: HashMap<Causer, f64>,
}

impl Caused {
    fn of(profile: &Profile, allocations: &Profile) -> Option<Self> {
        let layers = &profile.layers;
        let all_us = layers.followed_us();
        if all_us < FOLLOWED_US_MIN {
            return None;
        }
        let is_gc = |time: &&CausedTime| is_gc(&profile.frames[profile.calls[time.call].frame]);
        let gc_us: u64 = layers.times.iter().filter(is_gc).map(|time| time.us).sum();
        let mut own_us: HashMap<Causer, f64> = HashMap::new();
        for time in layers.times.iter().filter(|time| !is_gc(time)) {
            *own_us.entry(time.causer).or_default() += time.us as f64;
        }
        share_out_loop(layers, &mut own_us);
        Some(Self {
            all_us: all_us as f64,
            samples: all_us.checked_div(layers.sample_us).unwrap_or_default() as f64,
            gc_us: gc_us as f64,
            own_us,
            garbage: garbage(profile, allocations),
            tasks: shares(counts(layers).map(|(causer, counts)| (causer, counts.task_us as f64))),
        })
    }

    /// Of the busy time, without collections.
    fn own_share(&self, causer: Causer) -> f64 {
        self.own_us.get(&causer).copied().unwrap_or_default() / self.all_us
    }

    /// Collections, of the busy time.
    fn gc_share(&self) -> f64 {
        self.gc_us / self.all_us
    }

    /// Of what is collected.
    fn garbage_share(&self, causer: Causer) -> f64 {
        self.garbage.get(&causer).copied().unwrap_or_default()
    }

    /// Of what the threadpool does.
    fn task_share(&self, causer: Causer) -> f64 {
        self.tasks.get(&causer).copied().unwrap_or_default()
    }
}

/// What the loop does between callbacks, it does to get to them.
fn share_out_loop(layers: &Layers, own_us: &mut HashMap<Causer, f64>) {
    let callbacks = shares(counts(layers).map(|(causer, counts)| (causer, counts.callbacks as f64)));
    let loop_us = own_us.remove(&Causer::Loop).unwrap_or_default();
    for (causer, share) in callbacks {
        *own_us.entry(causer).or_default() += loop_us * share;
    }
}

pub(crate) fn counts(layers: &Layers) -> impl Iterator<Item = (Causer, LayerCounts)> {
    let known = layers.known.iter().enumerate();
    let known = known.map(|(index, layer)| (Causer::Layer(index), layer.counts));
    known.chain([(Causer::Nobody, layers.others)])
}

/// Of their sum, each.
fn shares(parts: impl Iterator<Item = (Causer, f64)>) -> HashMap<Causer, f64> {
    let mut sums: HashMap<Causer, f64> = HashMap::new();
    for (causer, part) in parts {
        *sums.entry(causer).or_default() += part;
    }
    let all: f64 = sums.values().sum();
    for sum in sums.values_mut() {
        *sum /= all.max(1.0);
    }
    sums
}

/// Shares of the memory that was asked for. Where it was asked for is sampled without a time, so what is asked for at a place
/// is shared out as the time there.
fn garbage(profile: &Profile, allocations: &Profile) -> HashMap<Causer, f64> {
    let times = TimesByPath::of(profile);
    let mut parts: Vec<(Causer, f64)> = Vec::new();
    let mut places: Vec<usize> = Vec::with_capacity(allocations.calls.len());
    for call in &allocations.calls {
        let frame = &allocations.frames[call.frame];
        let place = match call.caller {
            Some(caller) => times.below(places[caller], frame),
            None => 0,
        };
        places.push(place);
        let of_call = times.shares(place);
        parts.extend(of_call.map(|(causer, share)| (causer, share * call.self_us as f64)));
    }
    shares(parts.into_iter())
}

/// The call tree, each path of functions once, with what is below it by causer.
struct TimesByPath<'a> {
    paths: HashMap<(usize, &'a Frame), usize>,
    us: Vec<HashMap<Causer, u64>>,
}

impl<'a> TimesByPath<'a> {
    /// The first path is the root.
    fn of(profile: &'a Profile) -> Self {
        let mut paths = HashMap::new();
        let mut callers: Vec<usize> = vec![0];
        let mut places: Vec<usize> = Vec::with_capacity(profile.calls.len());
        for call in &profile.calls {
            let place = match call.caller {
                None => 0,
                Some(caller) => {
                    let caller = places[caller];
                    *paths.entry((caller, &profile.frames[call.frame])).or_insert_with(|| {
                        callers.push(caller);
                        callers.len() - 1
                    })
                }
            };
            places.push(place);
        }
        let mut us: Vec<HashMap<Causer, u64>> = vec![HashMap::new(); callers.len()];
        for time in profile.layers.times.iter().filter(|time| time.causer != Causer::Loop) {
            let mut at = places[time.call];
            *us[at].entry(time.causer).or_default() += time.us;
            while at != 0 {
                at = callers[at];
                *us[at].entry(time.causer).or_default() += time.us;
            }
        }
        Self { paths, us }
    }

    /// The path of a function below another, or the other where no time was seen below it.
    fn below(&self, place: usize, frame: &'a Frame) -> usize {
        let below = self.paths.get(&(place, frame)).copied();
        below.filter(|&below| !self.us[below].is_empty()).unwrap_or(place)
    }

    fn shares(&self, place: usize) -> impl Iterator<Item = (Causer, f64)> {
        let all: u64 = self.us[place].values().sum();
        let share = move |(&causer, &us): (&Causer, &u64)| (causer, us as f64 / all.max(1) as f64);
        self.us[place].iter().map(share)
    }
}
