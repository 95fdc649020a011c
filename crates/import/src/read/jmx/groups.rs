//! Thread groups: how many clients there are, or how many arrive, and for how long.

use super::properties::{number, property};
use crate::journey::{Journeys, Load, Phase};
use crate::left_out::Place;
use crate::read::xml::Element;
use crate::text::Values;
use std::time::Duration;

const THREADS: &str = "ThreadGroup";
const STEPPING: &str = "kg.apc.jmeter.threads.SteppingThreadGroup";
const ULTIMATE: &str = "kg.apc.jmeter.threads.UltimateThreadGroup";
const CONCURRENCY: &str = "com.blazemeter.jmeter.threads.concurrency.ConcurrencyThreadGroup";
const ARRIVALS: &str = "com.blazemeter.jmeter.threads.arrivals.ArrivalsThreadGroup";
const FREE_FORM: &str = "com.blazemeter.jmeter.threads.arrivals.FreeFormArrivalsThreadGroup";
const ONCE: [&str; 2] = ["SetupThreadGroup", "PostThreadGroup"];
/// Of a group without an end.
const ENDLESS: Duration = Duration::from_secs(30);
/// As many as an engine takes.
const MOST_CLIENTS: f64 = 1_000_000.0;
/// Steps of a staircase.
const MOST_STEPS: u64 = 1_000;

pub(super) fn is_group(element: &Element) -> bool {
    element.name.ends_with(THREADS)
}

/// All groups of a test plan, which a plan has as one load.
#[derive(Default)]
pub(super) struct Groups {
    clients: f64,
    /// The longest time over which threads of a group begin.
    ramp: Duration,
    duration: Option<Duration>,
    /// Of groups that count them; `None` as soon as one does not.
    sequences: f64,
    endless: bool,
    phases: Vec<Phase>,
}

impl Groups {
    /// Takes in a group, and gives how often its sequence is done beside those of others; `None` where it is left out.
    pub(super) fn add(&mut self, journeys: &mut Journeys, element: &Element, values: &Values) -> Option<f64> {
        let place = Place::Line(element.line);
        let said = |name: &str| {
            property(element, name)
                .and_then(|text| number(text, values))
                .filter(|number| *number >= 0.0)
        };
        let seconds = |number: f64| Duration::try_from_secs_f64(number).unwrap_or_default();
        if ONCE.contains(&element.name.as_str()) {
            journeys.leave_out(
                &place,
                element.name.clone(),
                "write it as `before` and `after` in the plan",
            );
            return None;
        }
        let (clients, duration, loops) = match element.name.as_str() {
            ARRIVALS => return self.arrivals(journeys, element, values),
            FREE_FORM => return self.free_form(journeys, element, values),
            STEPPING => {
                journeys.leave_out(
                    &place,
                    "threads that are started in steps",
                    "the plan starts them evenly over the same time",
                );
                let held = said("flighttime").unwrap_or_default();
                let clients = said("ThreadGroup.num_threads").unwrap_or(1.0);
                let per_step = said("Start users count").unwrap_or(clients).max(1.0);
                let rising = (clients / per_step).ceil() * said("Start users period").unwrap_or_default();
                self.ramp = self.ramp.max(seconds(rising));
                (clients, Some(seconds(held + rising)), None)
            }
            ULTIMATE => {
                journeys.leave_out(
                    &place,
                    "threads that are started and ended by a schedule",
                    "the plan starts all of them evenly over the time in which the schedule does, and keeps them until the end",
                );
                let (mut clients, mut end) = (0.0, 0.0_f64);
                for cells in rows(element, "ultimatethreadgroupdata", values) {
                    let risen = cells.iter().skip(1).take(2).sum();
                    self.ramp = self.ramp.max(seconds(risen));
                    clients += cells.first().copied().unwrap_or_default();
                    end = end.max(cells.iter().skip(1).sum());
                }
                (clients, Some(seconds(end)), None)
            }
            CONCURRENCY => {
                let unit = unit(element);
                let rising = said("RampUp").unwrap_or_default();
                self.ramp = self.ramp.max(seconds(rising * unit));
                let held = said("Hold").unwrap_or_default();
                (
                    said("TargetLevel").unwrap_or(1.0),
                    Some(seconds((rising + held) * unit)),
                    None,
                )
            }
            THREADS => {
                self.ramp = self
                    .ramp
                    .max(seconds(said("ThreadGroup.ramp_time").unwrap_or_default()));
                if property(element, "ThreadGroup.scheduler") == Some("true")
                    && said("ThreadGroup.delay").is_some_and(|delay| delay > 0.0)
                {
                    journeys.leave_out(&place, "a delayed start", "all load of a plan begins at once");
                }
                let controller = element
                    .children
                    .iter()
                    .find(|child| child.attribute("name") == Some("ThreadGroup.main_controller"));
                let loops = controller
                    .and_then(|controller| property(controller, "LoopController.loops"))
                    .and_then(|text| number(text, values));
                let is_scheduled = property(element, "ThreadGroup.scheduler") == Some("true");
                let duration = said("ThreadGroup.duration").filter(|duration| is_scheduled && *duration > 0.0);
                (
                    said("ThreadGroup.num_threads").unwrap_or(1.0),
                    duration.map(seconds),
                    loops.filter(|loops| *loops > 0.0),
                )
            }
            _ => {
                journeys.leave_out(
                    &place,
                    format!("the thread group {}", element.name),
                    "its load is not known; the plan has one client",
                );
                (1.0, None, None)
            }
        };
        let clients = clients.clamp(1.0, MOST_CLIENTS).round();
        self.clients += clients;
        self.duration = self.duration.max(duration.filter(|duration| !duration.is_zero()));
        match (loops, duration) {
            (Some(loops), _) => self.sequences += clients * loops,
            (None, Some(_)) => self.endless = true,
            (None, None) => {
                self.endless = true;
                self.duration = self.duration.max(Some(ENDLESS));
                journeys.leave_out(
                    &place,
                    "a group without an end",
                    format!("the plan ends after {} s", ENDLESS.as_secs()),
                );
            }
        }
        Some(clients * loops.unwrap_or(1.0))
    }

    fn arrivals(&mut self, journeys: &mut Journeys, element: &Element, values: &Values) -> Option<f64> {
        let said = |name: &str| {
            property(element, name)
                .and_then(|text| number(text, values))
                .filter(|number| *number >= 0.0)
        };
        let unit = unit(element);
        let target = said("TargetLevel").unwrap_or_default() / unit;
        let (rising, held) = (
            said("RampUp").unwrap_or_default() * unit,
            said("Hold").unwrap_or_default() * unit,
        );
        let steps = said("Steps").unwrap_or_default().round() as u64;
        let seconds = |number: f64| Duration::try_from_secs_f64(number).unwrap_or_default();
        if (1..=MOST_STEPS).contains(&steps) && rising > 0.0 {
            for step in 1..=steps {
                let rate = target * step as f64 / steps as f64;
                self.phases.push(Phase {
                    from: rate,
                    to: rate,
                    duration: seconds(rising / steps as f64),
                });
            }
        } else if rising > 0.0 {
            self.phases.push(Phase {
                from: 0.0,
                to: target,
                duration: seconds(rising),
            });
        }
        if held > 0.0 {
            self.phases.push(Phase {
                from: target,
                to: target,
                duration: seconds(held),
            });
        }
        self.only_one(journeys, element, target)
    }

    fn free_form(&mut self, journeys: &mut Journeys, element: &Element, values: &Values) -> Option<f64> {
        let unit = unit(element);
        let mut most: f64 = 0.0;
        for cells in rows(element, "Schedule", values) {
            if let [from, to, duration, ..] = cells.as_slice() {
                most = most.max(*from).max(*to);
                self.phases.push(Phase {
                    from: from / unit,
                    to: to / unit,
                    duration: Duration::try_from_secs_f64(duration * unit).unwrap_or_default(),
                });
            }
        }
        self.only_one(journeys, element, most / unit)
    }

    /// Arrivals of several groups would have to be added up.
    fn only_one(&mut self, journeys: &mut Journeys, element: &Element, weight: f64) -> Option<f64> {
        if !journeys.sequences.is_empty() {
            let why =
                "a plan has one load; its requests are sent beside those of the others, in the stages of all of them";
            journeys.leave_out(&Place::Line(element.line), "a further group of arrivals", why);
        }
        Some(weight.max(1e-6))
    }

    pub(super) fn into_load(self, journeys: &mut Journeys) {
        let phases: Vec<Phase> = self
            .phases
            .into_iter()
            .filter(|phase| !phase.duration.is_zero())
            .collect();
        if phases.iter().any(|phase| phase.from > 0.0 || phase.to > 0.0) {
            if self.clients > 0.0 {
                journeys.leave_out(
                    &first_place(journeys),
                    "threads beside arrivals",
                    "a plan has one load, here the one of the arrivals",
                );
            }
            journeys.load = Some(Load::Arrivals(phases));
        } else if self.clients > 0.0 {
            // A plan has a load behind its ramp.
            let ramp = match self.duration {
                Some(duration) if self.ramp >= duration => {
                    let why = "the plan has all of them from the beginning, because it would end before";
                    journeys.leave_out(&first_place(journeys), "the ramp-up of threads", why);
                    Duration::ZERO
                }
                _ => self.ramp,
            };
            let counted = (!self.endless && self.sequences > 0.0).then_some(self.sequences.min(1e15) as u64);
            journeys.load = Some(Load::Clients {
                clients: self.clients.min(MOST_CLIENTS) as u32,
                ramp,
                duration: self.duration,
                sequences: counted,
            });
        }
    }
}

fn first_place(journeys: &Journeys) -> Place {
    let first = journeys.sequences.first();
    first.map_or(Place::Line(1), |sequence| sequence.place.clone())
}

/// Seconds of a unit of time.
/// The numbers of a table of that name, row by row.
fn rows(element: &Element, name: &str, values: &Values) -> Vec<Vec<f64>> {
    let cell = |cell: &Element| number(&cell.text, values).unwrap_or_default().max(0.0);
    let tables = element
        .children
        .iter()
        .filter(|child| child.attribute("name") == Some(name));
    tables
        .flat_map(|table| &table.children)
        .map(|row| row.children.iter().map(cell).collect())
        .collect()
}

fn unit(element: &Element) -> f64 {
    if property(element, "Unit") == Some("M") {
        60.0
    } else {
        1.0
    }
}
