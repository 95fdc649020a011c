//! What became of the users of each journey.

use crate::step_summary::{RequestSummary, StepSummary};
use plimsoll_findings::{JourneyFinding, ReachedFinding};
use plimsoll_measure::{Counters, REQUESTS_APART_MAX};
use plimsoll_plan::Scenario;
use std::ops::Range;

/// The journeys of a scenario, and under which requests their users are counted.
#[derive(Debug, Clone, Default)]
pub(crate) struct Journeys(Vec<Journey>);

#[derive(Debug, Clone)]
struct Journey {
    name: String,
    /// The place of its first request in the scenario.
    first: usize,
    requests: Vec<String>,
    /// Which of these are done on a user's first journey alone.
    once: Vec<bool>,
}

impl Journeys {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let mut first = scenario.requests.len();
        let journeys = scenario.journeys.iter().map(|journey| {
            let requests = journey.requests().into_iter();
            let requests: Vec<_> = requests.map(|action| action.request.name.clone()).collect();
            first += requests.len();
            Journey {
                name: journey.name.clone(),
                first: first - requests.len(),
                requests,
                once: journey.done_once(),
            }
        });
        Self(journeys.collect())
    }

    /// Their names, and the places of their requests.
    pub(crate) fn places(&self) -> Vec<(String, Range<usize>)> {
        let places = |journey: &Journey| journey.first..journey.first + journey.requests.len();
        self.0
            .iter()
            .map(|journey| (journey.name.clone(), places(journey)))
            .collect()
    }

    /// `all` is what was counted of all requests, `requests` of each, where there are several; `reported` is the step that is shown.
    pub(crate) fn findings(
        &self,
        all: &Counters,
        requests: &[Counters],
        reported: Option<&StepSummary>,
    ) -> Vec<JourneyFinding> {
        let counters = |place: usize| requests.get(place).unwrap_or(all);
        let summary = |place: usize| -> Option<&RequestSummary> {
            let reported = reported?;
            Some(reported.requests.get(place).unwrap_or(&reported.all_requests))
        };
        // The last place is for all requests that have none of their own.
        let count: usize = self.0.iter().map(|journey| journey.requests.len()).sum();
        let apart = if count > REQUESTS_APART_MAX {
            REQUESTS_APART_MAX - 1
        } else {
            count
        };
        let known = self.0.iter().filter(|journey| journey.first < apart);
        let finding = |journey: &Journey| {
            let users = counters(journey.first).users;
            let new = journey.once.contains(&true).then_some(users.new);
            let places = (journey.first..apart).zip(journey.requests.iter().zip(&journey.once));
            // What failed in the last place may be of another journey.
            let failed = match journey.first + journey.requests.len() <= apart {
                true => places.clone().map(|(place, _)| counters(place).users.failed).sum(),
                false => users.ended_early,
            };
            JourneyFinding {
                name: journey.name.clone(),
                finished_per_s: summary(journey.first).and_then(|summary| summary.users_per_s),
                time: summary(journey.first)
                    .map(|summary| summary.journey_time.clone())
                    .unwrap_or_default(),
                waiting: summary(journey.first)
                    .map(|summary| summary.waiting_time.clone())
                    .unwrap_or_default(),
                started: users.started,
                new,
                finished: users.finished,
                failed,
                under_way: users.started.saturating_sub(users.finished).saturating_sub(failed),
                requests: places
                    .map(|(place, (name, once))| {
                        let at = counters(place).users;
                        let of = if *once { users.new } else { users.started };
                        ReachedFinding {
                            request: name.clone(),
                            once: *once,
                            reached: at.reached,
                            share: (of > 0).then(|| at.reached as f64 / of as f64),
                            failed: at.failed,
                        }
                    })
                    .collect(),
            }
        };
        known.map(finding).collect()
    }
}
