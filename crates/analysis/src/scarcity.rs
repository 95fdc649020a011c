//! Whether the generator came near the end of something that it cannot do without.
//!
//! That alone spoils no figure, so it is said and not judged. What did run out is counted by an error class of its own.

use crate::findings::Notice;
use crate::sentences::count;
use plimsoll_measure::{GeneratorLoad, Resource, Taken};

/// Parts from which on it is said.
const PORTS_SHARE: f64 = 0.9;
const DESCRIPTORS_SHARE: f64 = 0.9;
const MEMORY_SHARE: f64 = 0.95;

/// The scarcest tick so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scarcity {
    worst: GeneratorLoad,
}

impl Scarcity {
    pub(crate) fn tick(&mut self, load: &GeneratorLoad) {
        self.worst.merge(load);
        self.worst.shards.clear();
    }

    pub(crate) fn notices(&self) -> impl Iterator<Item = Notice> {
        self.worst.resources.iter().filter_map(notice)
    }
}

fn notice(taken: &Taken) -> Option<Notice> {
    let of = format!("{} of {}", count(taken.taken), count(taken.of));
    let (from, message, hint) = match taken.resource {
        Resource::Ports => (
            PORTS_SHARE,
            format!("{of} local ports for connections from the generator to the service were taken"),
            "when none is left, connections fail and the result is invalid: keep connections alive, let them leave from \
             more addresses with --local-addrs, or widen net.ipv4.ip_local_port_range",
        ),
        Resource::Descriptors => (
            DESCRIPTORS_SHARE,
            format!("the generator had {of} descriptors open"),
            "when none is left, connections fail and the result is invalid: raise the limit with `ulimit -n`, \
             or use fewer connections",
        ),
        Resource::Memory => (
            MEMORY_SHARE,
            format!(
                "{:.1} % of the memory that the generator may use was left",
                (1.0 - taken.share()) * 100.0
            ),
            "a machine without memory takes its time from the generator, or ends it: use fewer connections, \
             or a machine with more",
        ),
    };
    (taken.share() >= from).then(|| Notice {
        code: "generator_near_limit".to_owned(),
        message,
        hint: Some(hint.to_owned()),
    })
}
