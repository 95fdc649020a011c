//! What a search offered, in its unit, and what raises the line that it found.

use super::objective;
use crate::figures;
use plimsoll_findings::{Condition, Crowd, Quantity};

/// What is offered: users at a time or connections where there is a number of them, else a rate of users or of requests.
pub(super) fn offered(users: bool, crowd: Option<String>, per_s: f64) -> String {
    crowd.unwrap_or_else(|| figures::rate_of(users, per_s))
}

/// A number at a time, of users or of connections; `None` of a rate.
pub(super) fn at_a_time(users: Option<u64>, connections: Option<u64>) -> Option<String> {
    let of = |crowd, number: Option<u64>| number.map(|number| figures::at_a_time(crowd, number as f64));
    of(Crowd::Users, users).or_else(|| of(Crowd::Connections, connections))
}

/// What raises a load line above which this broke, where it is no matter of CPU per request.
pub(super) fn raised_by(broke: Option<&Condition>) -> String {
    match broke.map(|broke| broke.quantity) {
        Some(Quantity::Held) => "see the errors, the output of the service and its limit of open files".to_owned(),
        Some(Quantity::LoopDelay) => "find what blocks the event loop with `plimsoll diagnose`".to_owned(),
        Some(Quantity::Memory) => "hold less memory for each request that is under way".to_owned(),
        Some(Quantity::Throttled) => "spend less CPU, or raise the limit of CPU".to_owned(),
        Some(Quantity::Cpu) => "spend less CPU, or give the service more cores".to_owned(),
        _ => {
            let what = broke.map_or("the service".to_owned(), objective);
            format!("look at what {what} waits for")
        }
    }
}
