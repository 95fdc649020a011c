//! The service, its processes and what runs beside it.

use super::page::{Page, plain};
use super::table::{Side, Table};
use super::{fact, section};
use crate::figures;
use crate::words;
use plimsoll_findings::Findings;

pub(super) fn service(page: &mut Page, findings: &Findings) {
    let Some(target) = &findings.target_resources else {
        return;
    };
    section(page, "Service", &format!(" {}", words::taken_at(findings)));
    let per_request = match target.cpu_us_per_request {
        Some(us) => words::asked(findings, format!(", {} per request", figures::duration_us(us))),
        None => String::new(),
    };
    fact(
        page,
        "cpu",
        &format!(
            "{} of {}{per_request}",
            figures::share(target.cpu_share),
            words::cpu_cores(target.cpu_cores())
        ),
    );
    if let Some(text) = words::hottest(target) {
        fact(page, "busiest", &text);
    }
    fact(
        page,
        "memory",
        &format!("{} resident at most", figures::bytes(target.rss_max_bytes)),
    );
    for (name, text) in words::limits(target) {
        fact(page, name, &text);
    }
    fact(
        page,
        "held",
        &format!(
            "{} threads, {} sockets at most; {} involuntary context switches/s",
            figures::count(target.threads_max.into()),
            figures::count(target.sockets_max.into()),
            figures::number(target.involuntary_switches_per_s)
        ),
    );
}

pub(super) fn instances(page: &mut Page, findings: &Findings) {
    let target = findings.target_resources.as_ref();
    let Some(target) = target.filter(|target| !target.instances.is_empty()) else {
        return;
    };
    section(
        page,
        words::INSTANCES,
        &format!(" {}", words::instances_taken(findings)),
    );
    let [name, process, script] = words::INSTANCE_NAME_HEADS;
    let mut columns = vec![(name, Side::Left), (process, Side::Right), (script, Side::Left)];
    columns.extend(words::INSTANCE_HEADS.map(|head| (head, Side::Right)));
    let mut table = Table::new(&columns).spare(&["memory at most", "all threads"]);
    for instance in &target.instances {
        let names = words::instance_names(instance).into_iter();
        let cells = names.chain(words::instance_figures(instance)).map(plain);
        table.row(cells.collect());
    }
    table.draw(page);
}

pub(super) fn neighbours(page: &mut Page, findings: &Findings) {
    if findings.neighbours.is_empty() {
        return;
    }
    section(page, words::NEIGHBOURS, &format!(" {}", words::taken_at(findings)));
    let mut columns = vec![("neighbour", Side::Left)];
    columns.extend(words::NEIGHBOUR_HEADS.map(|head| (head, Side::Right)));
    let mut table = Table::new(&columns).spare(&["sockets at most", "cpu per request"]);
    for neighbour in &findings.neighbours {
        let mut cells = vec![plain(neighbour.name.as_str())];
        cells.extend(words::neighbour_figures(neighbour).map(plain));
        table.row(cells);
    }
    table.draw(page);
}
