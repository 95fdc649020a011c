//! Words for what runs beside the service.

use super::service::cpu_cores;
use crate::figures::{self, share};
use plimsoll_findings::{Findings, FullNeighbour, NeighbourFinding};

/// Title of their section.
pub(crate) const NEIGHBOURS: &str = "Neighbours";

/// Heads of their figures, behind the name.
pub(crate) const NEIGHBOUR_HEADS: [&str; 4] = ["cpu", "cpu per request", "memory at most", "sockets at most"];

/// Figures of a neighbour under their heads.
pub(crate) fn neighbour_figures(neighbour: &NeighbourFinding) -> [String; 4] {
    let Some(used) = &neighbour.resources else {
        return [const { String::new() }; 4].map(|_| figures::or_dash(None));
    };
    [
        format!("{} of {}", share(used.cpu_share), cpu_cores(used.cpu_cores())),
        figures::known(used.cpu_us_per_request, figures::duration_us),
        figures::bytes(used.rss_max_bytes),
        figures::count(used.sockets_max.into()),
    ]
}

/// The neighbour that ran out of CPU before the service did: `neighbour redis: …`.
pub(crate) fn ran_out_first(findings: &Findings) -> Option<String> {
    findings.ran_out_first.as_ref().map(full_neighbour)
}

/// The same of one neighbour.
pub(crate) fn full_neighbour(full: &FullNeighbour) -> String {
    let FullNeighbour {
        name,
        busy_cores,
        cpu_cores: of,
        throttled_ms_per_s,
        shares_cores,
        service_cpu_share,
        users,
        offered_per_s,
    } = full;
    let at = offered_per_s.map_or(String::new(), |rate| format!(" at {}", figures::rate_of(*users, rate)));
    let stopped = throttled_ms_per_s.map_or(String::new(), |ms| {
        format!(", and was throttled for {} of each second", figures::duration_ms(ms))
    });
    let used = format!("{} of {}{stopped}", figures::small(*busy_cores), cpu_cores(*of));
    let service = share(*service_cpu_share);
    match shares_cores {
        false => format!("neighbour {name}, which used {used}{at}; the service used {service} of its CPU"),
        true => format!(
            "neighbour {name}, which used {used}{at}; the service, which runs on the same, used {service} of its CPU"
        ),
    }
}
