//! What a run knows of a target agent that it holds.

use super::PARTS_MAX;
use super::message::AboutTarget;
use crate::clock::TheirClock;
use crate::fault::What;
use crate::ids::AgentId;

/// One machine with the service.
#[derive(Debug, Clone)]
pub struct Machine {
    /// Its agent.
    pub id: AgentId,
    /// What that said of itself.
    pub about: AboutTarget,
    pub(super) clock: TheirClock,
    pub(super) pongs: u32,
    pub(super) heard_ns: u64,
    pub(super) taken: bool,
    pub(super) released: bool,
    pub(super) fault: Option<What>,
    /// Parts of the reply to what was asked last.
    parts: Vec<Option<String>>,
}

impl Machine {
    pub(super) fn new(id: AgentId, about: AboutTarget, now_ns: u64) -> Self {
        Self {
            id,
            about,
            clock: TheirClock::default(),
            pongs: 0,
            heard_ns: now_ns,
            taken: false,
            released: false,
            fault: None,
            parts: Vec::new(),
        }
    }

    /// How exactly its clock is known, ns.
    #[must_use]
    pub fn clock_error_ns(&self, now_ns: u64) -> Option<u64> {
        self.clock.error_ns(now_ns)
    }

    /// Its clock less ours, ns, as far as it is known.
    #[must_use]
    pub fn ahead_ns(&self) -> i64 {
        self.clock.ahead_ns()
    }

    /// Something else is asked.
    pub(super) fn forget_reply(&mut self) {
        self.parts.clear();
    }

    /// Keeps a part of the reply; whether that makes sense.
    pub(super) fn take_part(&mut self, index: u32, of: u32, text: String) -> bool {
        let fits = index < of && of <= PARTS_MAX && (self.parts.is_empty() || self.parts.len() == of as usize);
        if fits {
            self.parts.resize(of as usize, None);
            self.parts[index as usize].get_or_insert(text);
        }
        fits
    }

    /// The first part that has not come; `None` once all have.
    pub(super) fn missing(&self) -> Option<u32> {
        match self.parts.iter().position(Option::is_none) {
            Some(place) => Some(place as u32),
            None => self.parts.is_empty().then_some(0),
        }
    }

    pub(super) fn reply(&self) -> String {
        self.parts.iter().flatten().map(String::as_str).collect()
    }
}
