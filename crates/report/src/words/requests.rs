//! The requests of a scenario, each on its own.

use super::responses::statuses_of;
use crate::figures;
use plimsoll_findings::RequestFinding;

/// Heads of [`request_figures`].
pub(crate) const REQUEST_HEADS: [&str; 6] = ["req/s", "p50", "p99", "longest", "errors", "statuses"];

/// Its name, and how many share its place.
pub(crate) fn request_name(request: &RequestFinding) -> String {
    match request.others {
        0 => request.name.clone(),
        1 => format!("{} and 1 other", request.name),
        others => format!("{} and {others} others", request.name),
    }
}

/// What became of it, by [`REQUEST_HEADS`].
pub(crate) fn request_figures(request: &RequestFinding) -> [String; 6] {
    let ms = |value| figures::known(value, figures::duration_ms);
    let errors = match request.error_share {
        Some(share) if request.errors > 0 => {
            let classes = request.failures.iter().map(|failure| failure.class.as_str());
            format!("{} ({})", figures::share(share), classes.collect::<Vec<_>>().join(", "))
        }
        share => figures::known(share, figures::share),
    };
    [
        figures::known(request.rate_per_s, figures::number),
        ms(request.response_time.p50_ms),
        ms(request.response_time.p99_ms),
        ms(request.response_time.max_ms),
        errors,
        statuses_of(&request.status, request.status_other),
    ]
}

/// The same in one line.
pub(crate) fn request(request: &RequestFinding) -> String {
    let figures = REQUEST_HEADS.into_iter().zip(request_figures(request));
    let facts = figures.map(|(head, figure)| format!("{head} {figure}"));
    format!(
        "request {}: {}",
        request_name(request),
        facts.collect::<Vec<_>>().join(", ")
    )
}
