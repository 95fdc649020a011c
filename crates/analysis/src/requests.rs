//! What became of each request of a scenario.

use crate::findings::{FailureClass, RequestFailure, RequestFinding};
use crate::step::RequestSummary;
use crate::window::service_errors;
use plimsoll_measure::{Counters, apart};

/// Counts of each request over the whole run, by its place.
#[derive(Debug, Clone, Default)]
pub(crate) struct Requests(Vec<Counters>);

impl Requests {
    pub(crate) fn add<'a>(&mut self, requests: impl ExactSizeIterator<Item = &'a Counters>) {
        let places = self.0.len().max(requests.len());
        self.0.resize_with(places, Counters::default);
        self.0
            .iter_mut()
            .zip(requests)
            .for_each(|(mine, theirs)| mine.merge(theirs));
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
    let races = Some((FailureClass::KeepAliveRace, counters.races())).filter(|&(_, count)| count > 0);
    let classes = counters
        .errors
        .iter()
        .map(|(class, count)| (FailureClass::Error(class), count));
    let mut failures: Vec<_> = classes
        .chain(races)
        .map(|(class, count)| RequestFailure { class, count })
        .collect();
    failures.sort_by_key(|failure| std::cmp::Reverse(failure.count));
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
        failures,
    }
}
