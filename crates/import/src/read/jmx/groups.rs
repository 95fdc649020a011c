//! Thread groups: how many clients there are, or how many arrive, and for how long.

use super::properties::{number, property};
use super::stages::{Course, added_up};
use crate::journey::{Journeys, Load, Phase, When};
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
const SETUP: &str = "SetupThreadGroup";
const TEARDOWN: &str = "PostThreadGroup";
/// Of a group without an end.
const ENDLESS: Duration = Duration::from_secs(30);
/// As many as an engine takes.
const MOST_CLIENTS: f64 = 1_000_000.0;
/// Steps of a staircase.
const MOST_STEPS: u64 = 1_000;

pub(super) fn is_group(element: &Element) -> bool {
    element.name.ends_with(THREADS)
}

/// When a group is done that is no part of the load; `None` of others.
pub(super) fn done_once(journeys: &mut Journeys, element: &Element, values: &Values) -> Option<When> {
    let when = match element.name.as_str() {
        SETUP => When::Before,
        TEARDOWN => When::After,
        _ => return None,
    };
    let said = |name: &str| property(element, name).and_then(|text| number(text, values));
    let threads = said("ThreadGroup.num_threads").unwrap_or(1.0);
    let loops = loops(element, values).unwrap_or(1.0);
    if threads * loops > 1.0 || is_scheduled(element) {
        let what = format!("{threads} threads that do it {loops} times");
        journeys.leave_out(&Place::Line(element.line), what, "one user of the plan does it once");
    }
    Some(when)
}

/// How many clients a group has that is part of the load; many where arrivals are clients.
pub(super) fn clients(element: &Element, values: &Values) -> Option<f64> {
    match element.name.as_str() {
        SETUP | TEARDOWN => None,
        THREADS => property(element, "ThreadGroup.num_threads").and_then(|text| number(text, values)),
        _ => Some(f64::INFINITY),
    }
}

/// Whether a group ends after a time.
fn is_scheduled(element: &Element) -> bool {
    property(element, "ThreadGroup.scheduler") == Some("true")
}

/// How many times each thread of a group does what is in it, where that is a number.
fn loops(element: &Element, values: &Values) -> Option<f64> {
    let is_controller = |child: &&Element| child.attribute("name") == Some("ThreadGroup.main_controller");
    let controller = element.children.iter().find(is_controller)?;
    let loops = property(controller, "LoopController.loops").and_then(|text| number(text, values));
    loops.filter(|loops| *loops > 0.0)
}

/// All groups of a test plan, which a plan has as one load.
pub(super) struct Groups {
    clients: f64,
    /// The longest time over which threads of a group begin.
    ramp: Duration,
    duration: Option<Duration>,
    /// Of groups that count them; `None` as soon as one does not.
    sequences: f64,
    endless: bool,
    phases: Vec<Phase>,
    /// How many threads of each group there are over time, for as long as each group says so.
    courses: Option<Vec<Course>>,
    /// Whether one of them comes and goes in another way than all at the end of one ramp.
    in_stages: bool,
}

impl Default for Groups {
    fn default() -> Self {
        Self {
            clients: 0.0,
            ramp: Duration::ZERO,
            duration: None,
            sequences: 0.0,
            endless: false,
            phases: Vec::new(),
            courses: Some(Vec::new()),
            in_stages: false,
        }
    }
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
        let (clients, duration, loops) = match element.name.as_str() {
            ARRIVALS => return self.arrivals(journeys, element, values),
            FREE_FORM => return self.free_form(journeys, element, values),
            STEPPING => {
                let clients = said("ThreadGroup.num_threads").unwrap_or(1.0);
                let course = stepping(&said, clients);
                self.take_in(course, clients, true)
            }
            ULTIMATE => {
                let (mut clients, mut longest) = (0.0, (0.0_f64, 0.0_f64));
                for cells in rows(element, "ultimatethreadgroupdata", values) {
                    let cell = |nth: usize| cells.get(nth).copied().unwrap_or_default();
                    let mut course = Course::default();
                    course.hold(cell(1));
                    course.ramp_to(cell(0), cell(2));
                    course.hold(cell(3));
                    course.ramp_to(0.0, cell(4));
                    clients += cell(0);
                    let (rising, whole) = self.add_course(course, true);
                    longest = (longest.0.max(rising), longest.1.max(whole));
                }
                self.ramp = self.ramp.max(seconds(longest.0));
                (clients, Some(seconds(longest.1)), None)
            }
            CONCURRENCY => {
                let unit = unit(element);
                let clients = said("TargetLevel").unwrap_or(1.0);
                let rising = said("RampUp").unwrap_or_default() * unit;
                let steps = said("Steps").unwrap_or_default().round().min(MOST_STEPS as f64);
                let mut course = Course::default();
                for step in 1..=steps as u64 {
                    course.ramp_to(clients * step as f64 / steps, 0.0);
                    course.hold(rising / steps);
                }
                course.ramp_to(clients, if steps < 1.0 { rising } else { 0.0 });
                course.hold(said("Hold").unwrap_or_default() * unit);
                self.take_in(course, clients, steps > 1.0 && rising > 0.0)
            }
            THREADS => {
                let ramp = said("ThreadGroup.ramp_time").unwrap_or_default();
                let is_scheduled = is_scheduled(element);
                let delay = said("ThreadGroup.delay").filter(|_| is_scheduled).unwrap_or_default();
                let loops = loops(element, values);
                let duration = said("ThreadGroup.duration").filter(|duration| is_scheduled && *duration > 0.0);
                let clients = said("ThreadGroup.num_threads").unwrap_or(1.0);
                match (duration, loops) {
                    (Some(duration), None) => {
                        let mut course = Course::default();
                        course.hold(delay);
                        let risen = clients * (duration / ramp.max(1e-9)).min(1.0);
                        course.ramp_to(risen, ramp.min(duration));
                        course.hold(duration - ramp.min(duration));
                        self.take_in(course, clients, delay > 0.0 || ramp >= duration)
                    }
                    _ => {
                        if delay > 0.0 {
                            journeys.leave_out(&place, "a delayed start", "all load of a plan begins at once");
                        }
                        self.courses = None;
                        self.ramp = self.ramp.max(seconds(ramp));
                        (clients, duration.map(seconds), loops)
                    }
                }
            }
            _ => {
                journeys.leave_out(
                    &place,
                    format!("the thread group {}", element.name),
                    "its load is not known; the plan has one client",
                );
                self.courses = None;
                (1.0, None, None)
            }
        };
        let clients = clients.clamp(1.0, MOST_CLIENTS).round();
        self.clients += clients;
        let duration = duration.filter(|duration| !duration.is_zero());
        self.duration = self.duration.max(duration);
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

    /// Takes in what a group does over time, and gives its threads and how long it takes.
    fn take_in(&mut self, course: Course, clients: f64, in_stages: bool) -> (f64, Option<Duration>, Option<f64>) {
        let (rising, whole) = self.add_course(course, in_stages);
        let seconds = |number: f64| Duration::try_from_secs_f64(number).unwrap_or_default();
        self.ramp = self.ramp.max(seconds(rising));
        (clients, Some(seconds(whole)), None)
    }

    /// Adds a course, and gives after how many seconds it has the most threads, and ends.
    fn add_course(&mut self, course: Course, in_stages: bool) -> (f64, f64) {
        let times = (course.risen_s(), course.ends_s());
        self.in_stages |= in_stages;
        if let Some(courses) = &mut self.courses {
            courses.push(course);
        }
        times
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
        if journeys.sequences.iter().any(|sequence| sequence.when == When::Load) {
            let why =
                "a plan has one load; its requests are sent beside those of the others, in the stages of all of them";
            journeys.leave_out(&Place::Line(element.line), "a further group of arrivals", why);
        }
        Some(weight.max(1e-6))
    }

    /// Threads over time where a plan says that in stages.
    fn stages(&self, journeys: &mut Journeys) -> Option<Vec<Phase>> {
        // One group that rises and stays is said more simply.
        let is_one = self.courses.as_ref().is_some_and(|courses| courses.len() < 2);
        if !self.in_stages && (is_one || self.courses.is_none()) {
            return None;
        }
        let fits = |phases: &Vec<Phase>| phases.iter().all(|phase| phase.from.max(phase.to) <= MOST_CLIENTS);
        let stages = self.courses.as_deref().and_then(added_up).filter(fits);
        if stages.is_none() && self.in_stages {
            journeys.leave_out(
                &first_place(journeys),
                "threads that come and go by a schedule",
                "the plan starts all of them evenly over the longest ramp-up and keeps them until the end, \
                 because another group counts its rounds or there would be too many stages",
            );
        }
        stages
    }

    pub(super) fn into_load(mut self, journeys: &mut Journeys) {
        let mut phases = std::mem::take(&mut self.phases);
        phases.retain(|phase| !phase.duration.is_zero());
        if phases.iter().any(|phase| phase.from > 0.0 || phase.to > 0.0) {
            if self.clients > 0.0 {
                journeys.leave_out(
                    &first_place(journeys),
                    "threads beside arrivals",
                    "a plan has one load, here the one of the arrivals",
                );
            }
            journeys.load = Some(Load::Arrivals(phases));
        } else if let Some(stages) = self.stages(journeys) {
            journeys.load = Some(Load::Staged(stages));
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

/// A group that starts its threads in steps, and ends them so. What it does not say is all of them at once.
fn stepping(said: &impl Fn(&str) -> Option<f64>, clients: f64) -> Course {
    let many = |name: &str| said(name).filter(|count| *count >= 1.0).unwrap_or(clients).max(1.0);
    let (start, stop) = (many("Start users count"), many("Stop users count"));
    let first = said("Start users count burst")
        .filter(|count| *count >= 1.0)
        .unwrap_or(start);
    let (start_every, stop_every) = (
        said("Start users period").unwrap_or_default(),
        said("Stop users period").unwrap_or_default(),
    );
    let mut course = Course::default();
    course.hold(said("Threads initial delay").unwrap_or_default());
    let mut there = first.min(clients);
    for _ in 0..MOST_STEPS {
        let rising = said("rampUp").unwrap_or_default();
        // The next step does not wait for the end of this one.
        let rising = if there < clients {
            rising.min(start_every)
        } else {
            rising
        };
        course.ramp_to(there, rising);
        if there >= clients {
            break;
        }
        course.hold(start_every - rising);
        there = (there + start).min(clients);
    }
    course.hold(said("flighttime").unwrap_or_default());
    for _ in 0..MOST_STEPS {
        there = (there - stop).max(0.0);
        course.ramp_to(there, 0.0);
        if there <= 0.0 {
            break;
        }
        course.hold(stop_every);
    }
    course
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
