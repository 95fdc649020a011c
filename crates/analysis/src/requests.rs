//! What became of each request of a scenario.

use crate::errors::by_class;
use crate::step_summary::RequestSummary;
use crate::window::service_errors;
use plimsoll_findings::{RequestFailure, RequestFinding};
use plimsoll_measure::{Counters, apart, merge_each};

/// Counts of each request over the whole run, by its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Vec<Counters>);

impl Requests {
    pub(crate) fn add<'a>(&mut self, requests: impl ExactSizeIterator<Item = &'a Counters>) {
        merge_each(&mut self.0, requests, Counters::merge);
    }

    /// The counts of each; empty where there is only one.
    pub(crate) fn counters(&self) -> &[Counters] {
        &self.0
    }

    /// Nothing where the scenario has one request, which is the run as a whole. `reported` is the step that is shown.
    pub(crate) fn findings(&self, names: &[String], reported: &[RequestSummary]) -> Vec<RequestFinding> {
        let first_of = |place: usize| {
            names
                .iter()
                .enumerate()
                .filter(move |(index, _)| apart(*index) == place)
        };
        let places = self.0.iter().enumerate();
        places
            .filter_map(|(place, counters)| {
                let (_, name) = first_of(place).next()?;
                Some(finding(
                    name,
                    first_of(place).count() - 1,
                    counters,
                    reported.get(place),
                ))
            })
            .collect()
    }
}

fn finding(name: &str, others: usize, counters: &Counters, reported: Option<&RequestSummary>) -> RequestFinding {
    let (errors, finished) = service_errors(counters);
    let failures = by_class(counters).into_iter();
    RequestFinding {
        name: name.to_owned(),
        others: u32::try_from(others).unwrap_or(u32::MAX),
        rate_per_s: reported.and_then(|summary| summary.rate_per_s),
        response_time: reported
            .map(|summary| summary.response_time.clone())
            .unwrap_or_default(),
        service_time: reported.map(|summary| summary.service_time.clone()).unwrap_or_default(),
        sent: counters.sent,
        completed: counters.completed,
        passed: counters.passed,
        errors,
        error_share: (finished > 0).then(|| errors as f64 / finished as f64),
        status: counters.status,
        status_other: counters.status_other,
        failures: failures.map(|(class, count)| RequestFailure { class, count }).collect(),
    }
}
