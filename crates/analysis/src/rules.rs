//! What every step of a run is judged by.

use crate::about::{About, JudgedZone};
use crate::judge::Tally;
use crate::lateness::Bounds;
use plimsoll_findings::{ObjectiveFinding, Unjudged};
use plimsoll_measure::apart;
use plimsoll_plan::{HoldLoad, Judging, Limit, Load, Objective, Plan, Receivers};
use std::ops::Range;
use std::time::Duration;

/// What every step of a run is judged by.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    pub(crate) objectives: Vec<Objective>,
    /// Names of the requests of the scenario, in its order.
    pub(crate) requests: Vec<String>,
    /// Names of its journeys, and where the requests of each are among them.
    pub(crate) journeys: Vec<(String, Range<usize>)>,
    /// What runs beside the service.
    pub(crate) neighbours: Vec<String>,
    /// The zone of each agent of a fleet.
    pub(crate) zones: Vec<Option<String>>,
    /// The zones that objectives are about, each once.
    pub(crate) judged_zones: Vec<JudgedZone>,
    /// How connections are held, where they are.
    pub(crate) held: Option<HeldRules>,
    pub(crate) judging: Judging,
    pub(crate) bounds: Bounds,
}

/// How connections are held.
#[derive(Debug, Clone)]
pub(crate) struct HeldRules {
    pub(crate) load: HoldLoad,
    /// Who gets each message; `None` where none is sent.
    pub(crate) receivers: Option<Receivers>,
}

impl HeldRules {
    pub(crate) fn of(plan: &Plan) -> Option<Self> {
        let Load::Hold(load) = plan.load() else { return None };
        Some(Self {
            load: load.clone(),
            receivers: plan.scenario().repeated().map(|(_, action)| action.receivers),
        })
    }
}

impl Rules {
    /// Every objective where there was no step to judge it by.
    pub(crate) fn nothing_judged(&self) -> Vec<ObjectiveFinding> {
        let finding = |objective| Tally::default().finding(objective, Err(Unjudged::NothingMeasured));
        self.objectives.iter().map(finding).collect()
    }

    /// What an objective is about.
    pub(crate) fn about(&self, objective: &Objective) -> About {
        match &objective.zone {
            // What one agent saw is not kept apart: it is all.
            Some(name) if matches!(self.zones.as_slice(), [Some(zone)] if zone == name) => About::All,
            Some(name) => {
                let place = self.judged_zones.iter().position(|zone| zone.name == *name);
                About::Zone(place.unwrap_or(usize::MAX))
            }
            None => self.places(objective).map_or(About::All, About::Requests),
        }
    }

    /// Where the request is kept that an objective is about, or those of the journey; `None` where that is all of them.
    pub(crate) fn places(&self, objective: &Objective) -> Option<Range<usize>> {
        let name = objective.request.as_ref().filter(|_| self.requests.len() > 1)?;
        if let Limit::JourneyTime { .. } | Limit::JourneyFailed { .. } = objective.limit {
            let journey = self.journeys.iter().find(|(journey, _)| journey == name);
            return journey.map(|(_, places)| apart(places.start)..apart(places.end - 1) + 1);
        }
        let place = self.requests.iter().position(|request| request == name).map(apart)?;
        Some(place..place + 1)
    }

    pub(crate) fn window_ns(&self) -> u64 {
        nanos(self.judging.window).max(1)
    }

    /// By so much a load or a window may begin too early or too late.
    pub(crate) fn slack_ns(&self) -> u64 {
        self.window_ns() / 20
    }

    /// Response time up to which a response is goodput: the widest bound, which is the one set for
    /// the highest quantile.
    pub(crate) fn goodput_bound_ns(&self) -> Option<u64> {
        let of_all = self
            .objectives
            .iter()
            .filter(|objective| objective.request.is_none() && objective.zone.is_none());
        let bounds = of_all.filter_map(|objective| match objective.limit {
            Limit::ResponseTime { max, .. } => Some(nanos(max)),
            _ => None,
        });
        bounds.max()
    }
}

pub(crate) fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
