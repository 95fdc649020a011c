//! What each agent of a fleet saw of the service in a step, and what its zone did.

use super::Step;
use crate::percentiles::Gathered;
use crate::rules::Rules;
use crate::window::service_errors;
use plimsoll_findings::{SeenFinding, ZoneFinding};
use plimsoll_measure::{AGENTS_MAX, Counters, Durations, PartLine, TickDurations, TickLine, Timing};

/// What was seen from one place over the judged windows and the drain.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) outcomes: Counters,
    pub(super) response_time: Gathered,
}

impl Step {
    pub(super) fn gather_seen(&mut self, line: &TickLine, durations: &TickDurations, rules: &Rules) {
        let agents = self.seen.len().max(line.agents.len().min(AGENTS_MAX));
        self.seen.resize_with(agents, Seen::default);
        for ((mine, line), durations) in self.seen.iter_mut().zip(&line.agents).zip(&durations.agents) {
            mine.add(line, durations);
        }
        for (mine, zone) in self.zones.iter_mut().zip(&rules.judged_zones) {
            for &agent in &zone.agents {
                if let (Some(line), Some(durations)) = (line.agents.get(agent), durations.agents.get(agent)) {
                    mine.add(line, durations);
                }
            }
        }
    }

    /// Agents by their zones, in the order of the first of each.
    pub(super) fn zones(&self, of_agents: &[Option<String>]) -> Vec<ZoneFinding> {
        let mut zones: Vec<(&str, u32, Seen)> = Vec::new();
        for (zone, seen) in of_agents.iter().zip(&self.seen) {
            let Some(name) = zone.as_deref() else { continue };
            match zones.iter_mut().find(|(known, ..)| *known == name) {
                Some((_, agents, whole)) => {
                    *agents += 1;
                    whole.merge(seen);
                }
                None => zones.push((name, 1, seen.clone())),
            }
        }
        let zone = |(name, agents, seen): (&str, u32, Seen)| ZoneFinding {
            name: name.to_owned(),
            agents,
            seen: seen.finding(),
        };
        zones.into_iter().map(zone).collect()
    }
}

impl Seen {
    fn add(&mut self, line: &PartLine, durations: &Durations) {
        self.outcomes.merge(&line.counters);
        self.response_time
            .add(&durations[Timing::ResponseTime], &line.durations[Timing::ResponseTime]);
    }

    fn merge(&mut self, other: &Self) {
        self.outcomes.merge(&other.outcomes);
        self.response_time.merge(&other.response_time);
    }

    pub(super) fn finding(&self) -> SeenFinding {
        let (errors, finished) = service_errors(&self.outcomes);
        SeenFinding {
            error_share: (finished > 0).then(|| errors as f64 / finished as f64),
            response_time: self.response_time.percentiles(),
        }
    }
}
