//! How often controllers have what is in them done, and which of it.

use super::properties::property;
use super::{Reader, Scope, called, pairs, texts_of_float};
use crate::journey::Step;
use crate::left_out::Place;
use crate::made::{self, Made, MadeVariable};
use crate::read::xml::Element;

/// Whether one of what is in a controller is done each time.
pub(super) fn is_choice(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "RandomController" | "InterleaveControl" | "SwitchController"
    )
}

impl<'a> Reader<'_> {
    /// What a controller takes one of each time.
    pub(super) fn branches(&mut self, element: &Element, beside: &'a Element, outer: &Scope<'a>) -> Vec<Vec<Step>> {
        let otherwise = match element.name.as_str() {
            "InterleaveControl" => Some("the plan takes one of them by chance, not one after the other"),
            "SwitchController" => Some("the plan takes one of its branches by chance"),
            _ => None,
        };
        if let Some(why) = otherwise {
            self.journeys
                .leave_out(&Place::Line(element.line), called(element), why);
        }
        let scope = self.scope(beside, outer);
        let mut branches = Vec::new();
        for (element, beside) in pairs(beside) {
            let mut steps = Vec::new();
            self.element(element, beside, &scope, &mut steps);
            if !steps.is_empty() {
                branches.push(steps);
            }
        }
        branches
    }

    pub(super) fn one_of(&mut self, mut branches: Vec<Vec<Step>>) -> Step {
        if branches.len() < 2 {
            return Step::Repeat(1.0, branches.pop().unwrap_or_default());
        }
        let key = made::one_of(branches.len());
        if !self.journeys.made.iter().any(|known| known.key == key) {
            self.journeys.made.push(MadeVariable {
                name: key.clone(),
                key,
                made: Made::Number(1, branches.len() as u64),
                anew: true,
            });
        }
        Step::OneOf(branches)
    }

    /// How often the steps of a controller are done.
    pub(super) fn times(&mut self, element: &Element) -> f64 {
        let place = Place::Line(element.line);
        match element.name.as_str() {
            "GenericController" | "TransactionController" | "RecordingController" | "CriticalSectionController" => 1.0,
            "LoopController" => {
                let loops = property(element, "LoopController.loops").and_then(|text| self.number(text));
                match loops.filter(|loops| *loops >= 0.0) {
                    Some(loops) => loops,
                    None => {
                        self.journeys.leave_out(
                            &place,
                            called(element),
                            "it has no end or none that is known; the plan has it once",
                        );
                        1.0
                    }
                }
            }
            "ThroughputController" if property(element, "ThroughputController.style") == Some("1") => {
                let share = texts_of_float(element)
                    .and_then(|text| self.number(&text))
                    .unwrap_or(100.0);
                share.clamp(0.0, 100.0) / 100.0
            }
            _ => {
                self.journeys.leave_out(
                    &place,
                    called(element),
                    "plans have no conditions; what is in it is always sent",
                );
                1.0
            }
        }
    }
}
