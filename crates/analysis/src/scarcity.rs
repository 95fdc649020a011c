//! Whether the generator came near the end of something that it cannot do without.
//!
//! That alone spoils no figure, so it is said and not judged. What did run out is counted by an error class of its own.

use plimsoll_findings::Notice;
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
    let from = match taken.resource {
        Resource::Ports => PORTS_SHARE,
        Resource::Descriptors => DESCRIPTORS_SHARE,
        Resource::Memory => MEMORY_SHARE,
    };
    (taken.share() >= from).then_some(Notice::GeneratorNearLimit {
        resource: taken.resource,
        taken: taken.taken,
        of: taken.of,
    })
}
