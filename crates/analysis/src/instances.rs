//! The processes of a service that run Node.js, where there are several: what each used, which are alike, and whether they are unlike busy.
//!
//! A process is full when its main thread is, whatever the cores beside it have left; so the one whose main thread is busiest counts.

use plimsoll_findings::{InstanceFinding, InstanceRole, Notice, TargetFinding};
use plimsoll_measure::{InstanceSample, InstancesSample};
use std::collections::BTreeMap;

/// More are not followed.
const MOST: usize = 256;
/// Least time of which a share is taken, ns, as of a whole service.
const SHARE_MIN_NS: u64 = 50_000_000;
/// The busiest instance is named where it is this many times as busy as the others in the mean …
const UNEVEN_TIMES: f64 = 1.25;
/// … and by so much of a core busier.
const UNEVEN_BY: f64 = 0.1;

/// A process for good: its machine, when it began there, and its number.
type Id = (Option<String>, u64, u32);

fn id(process: &InstanceSample) -> Id {
    (process.machine.clone(), process.began, process.pid)
}

/// What one of them used between samples.
#[derive(Debug, Clone, Default)]
struct Used {
    script: Option<String>,
    leads: bool,
    main_ns: u64,
    cpu_ns: u64,
    elapsed_ns: u64,
    rss_max_bytes: u64,
}

/// What each of them used over some time.
#[derive(Debug, Clone, Default)]
pub(crate) struct InstancesUse(BTreeMap<Id, Used>);

impl InstancesUse {
    pub(crate) fn merge(&mut self, other: &Self) {
        for (id, used) in &other.0 {
            if self.0.len() >= MOST && !self.0.contains_key(id) {
                continue;
            }
            let mine = self.0.entry(id.clone()).or_default();
            mine.script.clone_from(&used.script);
            mine.leads |= used.leads;
            mine.main_ns = mine.main_ns.saturating_add(used.main_ns);
            mine.cpu_ns = mine.cpu_ns.saturating_add(used.cpu_ns);
            mine.elapsed_ns = mine.elapsed_ns.saturating_add(used.elapsed_ns);
            mine.rss_max_bytes = mine.rss_max_bytes.max(used.rss_max_bytes);
        }
    }

    /// Busy share of the main thread that is busiest, of whatever process; `None` where there are no two instances.
    pub(crate) fn hottest_share(&self) -> Option<f64> {
        self.script()?;
        let shares = self.0.values().filter_map(Used::main_thread_share);
        shares.max_by(f64::total_cmp)
    }

    /// The script of the instances.
    fn script(&self) -> Option<Option<&str>> {
        let used = self
            .0
            .values()
            .map(|used| (used.script.as_deref(), used.leads, used.cpu_ns));
        script_of_instances(used)
    }
}

impl Used {
    fn main_thread_share(&self) -> Option<f64> {
        (self.elapsed_ns >= SHARE_MIN_NS).then(|| self.main_ns as f64 / self.elapsed_ns as f64)
    }
}

/// What is nearer to being full. Nothing is known without the share of the whole.
pub(crate) fn fuller(whole: Option<f64>, hottest: Option<f64>) -> Option<f64> {
    whole.map(|share| hottest.map_or(share, |hottest| share.max(hottest)))
}

/// The script that most processes run which start no others, at least two; of two as frequent ones the one that uses more CPU.
fn script_of_instances<'a>(processes: impl Iterator<Item = (Option<&'a str>, bool, u64)>) -> Option<Option<&'a str>> {
    let mut scripts: BTreeMap<Option<&str>, (u32, u64)> = BTreeMap::new();
    for (script, _, cpu_ns) in processes.filter(|(_, leads, _)| !leads) {
        let (count, sum) = scripts.entry(script).or_default();
        *count += 1;
        *sum = sum.saturating_add(cpu_ns);
    }
    let several = scripts.into_iter().filter(|(_, (count, _))| *count > 1);
    several
        .max_by_key(|(_, count_and_cpu)| *count_and_cpu)
        .map(|(script, _)| script)
}

/// The instances of a service over one step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Instances {
    last: Option<InstancesSample>,
    /// Between the last sample and the one before it, until a tick takes it.
    latest: InstancesUse,
    judged: InstancesUse,
}

impl Instances {
    /// Takes in a sample: of the start of the step, or of the end of the tick that comes next.
    pub(crate) fn see(&mut self, now: &InstancesSample) {
        let Some(last) = self.last.replace(now.clone()) else {
            return;
        };
        let elapsed_ns = now.at_ns.saturating_sub(last.at_ns);
        let used = now.processes.iter().take(MOST).filter_map(|process| {
            let before = last.processes.iter().find(|before| id(before) == id(process))?;
            let used = Used {
                script: process.script.clone(),
                leads: process.leads,
                main_ns: process.main_ns.saturating_sub(before.main_ns),
                cpu_ns: process.cpu_ns.saturating_sub(before.cpu_ns),
                elapsed_ns,
                rss_max_bytes: process.rss_bytes,
            };
            Some((id(process), used))
        });
        self.latest = InstancesUse(used.collect());
    }

    /// What they used in the tick that ends now.
    pub(crate) fn take(&mut self) -> InstancesUse {
        std::mem::take(&mut self.latest)
    }

    /// Counts a tick that is judged.
    pub(crate) fn count(&mut self, used: &InstancesUse) {
        self.judged.merge(used);
    }

    /// Over everything judged.
    pub(crate) fn hottest_share(&self) -> Option<f64> {
        self.judged.hottest_share()
    }

    /// Leaders first; empty where there are no two instances.
    pub(crate) fn findings(&self) -> Vec<InstanceFinding> {
        let Some(script) = self.judged.script() else {
            return Vec::new();
        };
        let alive = |id: &Id| {
            let last = self.last.iter().flat_map(|last| &last.processes);
            last.map(self::id).any(|alive| alive == *id)
        };
        let mut numbers: BTreeMap<InstanceRole, u32> = BTreeMap::new();
        let mut all: Vec<InstanceFinding> = Vec::new();
        for (id, used) in &self.judged.0 {
            let role = match (used.leads, used.script.as_deref() == script) {
                (true, _) => InstanceRole::Leader,
                (false, true) => InstanceRole::Instance,
                (false, false) => InstanceRole::Beside,
            };
            let number = numbers.entry(role).or_default();
            *number += 1;
            all.push(InstanceFinding {
                role,
                number: *number,
                pid: id.2,
                machine: id.0.clone(),
                script: used.script.clone(),
                main_thread_share: used.main_thread_share().unwrap_or_default(),
                busy_cores: used.cpu_ns as f64 / used.elapsed_ns.max(1) as f64,
                rss_max_bytes: used.rss_max_bytes,
                ended: !alive(id),
            });
        }
        all.sort_by_key(|instance| instance.role);
        all
    }
}

/// What is wrong with the instances of the service.
pub(crate) fn notices(service: Option<&TargetFinding>) -> impl Iterator<Item = Notice> {
    let of = |service| uneven(service).into_iter().chain(beyond_limit(service));
    service.into_iter().flat_map(of)
}

/// The instance that is much busier than the others.
fn uneven(service: &TargetFinding) -> Option<Notice> {
    let instances = service.instances.iter();
    let instances = || {
        instances
            .clone()
            .filter(|one| one.role == InstanceRole::Instance && !one.ended)
    };
    let busiest = instances().max_by(|a, b| a.main_thread_share.total_cmp(&b.main_thread_share))?;
    let others = instances().count().checked_sub(1).filter(|others| *others > 0)?;
    let sum: f64 = instances().map(|one| one.main_thread_share).sum();
    let others_share = (sum - busiest.main_thread_share) / others as f64;
    let by = busiest.main_thread_share - others_share;
    let is_uneven = by >= UNEVEN_BY && busiest.main_thread_share >= UNEVEN_TIMES * others_share;
    is_uneven.then_some(Notice::UnevenInstances {
        number: busiest.number,
        pid: busiest.pid,
        main_thread_share: busiest.main_thread_share,
        others: others as u32,
        others_share,
    })
}

/// More instances than a quota has cores: they stop each other, and each takes memory.
fn beyond_limit(service: &TargetFinding) -> Option<Notice> {
    let quota = service.limits.as_ref()?.cpu_cores?;
    let serve = |one: &&InstanceFinding| one.role == InstanceRole::Instance && !one.ended;
    let instances = service.instances.iter().filter(serve).count();
    (instances as f64 > quota.ceil()).then_some(Notice::InstancesBeyondLimit {
        instances: instances as u32,
        cpu_cores: quota,
    })
}

/// Instances that come and go during a run. Who was sampled once is none yet: it may be a helper that soon ends.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turnover {
    /// Those that are alive, and whether each was seen before the last sample.
    last: BTreeMap<Id, bool>,
    /// Until it is loaded, or one ends, a service may still be starting them.
    started_all: bool,
    ended: u32,
    started: u32,
}

impl Turnover {
    pub(crate) fn see(&mut self, now: &InstancesSample) {
        let used = now
            .processes
            .iter()
            .map(|one| (one.script.as_deref(), one.leads, one.cpu_ns));
        let script = script_of_instances(used);
        let mut alive = BTreeMap::new();
        for one in now.processes.iter().take(MOST) {
            let known = self.last.get(&id(one)).copied();
            // The last one that is left is one still.
            let is_instance =
                known.is_some() || !one.leads && script.is_some_and(|script| script == one.script.as_deref());
            if is_instance {
                alive.insert(id(one), known.is_some());
                self.started += u32::from(self.started_all && known == Some(false));
            }
        }
        let gone = self
            .last
            .iter()
            .filter(|(id, seen_before)| **seen_before && !alive.contains_key(id));
        let ended = gone.count() as u32;
        self.started_all |= ended > 0;
        self.ended += ended;
        self.last = alive;
    }

    /// A judged part begins.
    pub(crate) fn is_loaded(&mut self) {
        self.started_all |= !self.last.is_empty();
    }

    pub(crate) fn notice(&self) -> Option<Notice> {
        (self.ended > 0).then_some(Notice::InstancesChanged {
            ended: self.ended,
            started: self.started,
        })
    }
}
