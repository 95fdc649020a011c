//! What findings say in words: the headline, the next step, the names of things.

use crate::findings::{ErrorFinding, Findings, HoldFinding, ObjectiveFinding, TargetFinding, Verdict};
use plimsoll_measure::{Host, RunKind};
use plimsoll_plan::Url;

pub(crate) const GENERATOR_HINT: &str =
    "give the generator more cores or a machine of its own; `plimsoll doctor` checks this one";
pub(crate) const CPU_HINT: &str = "let plimsoll start the service, or name its process, so that its CPU can be sampled";

/// Why CPU is short though much of it is left.
pub(crate) fn one_core(service: &TargetFinding) -> String {
    format!(
        "the service used {:.2} of the {} cores that it may use: where one thread does all the work, as in a Node.js \
         service without workers, it is full at {:.0} % of {} cores, and an objective on CPU above that cannot break",
        service.cpu_share * f64::from(service.cores),
        service.cores,
        100.0 / f64::from(service.cores),
        service.cores
    )
}

pub(crate) const ONE_CORE_HINT: &str =
    "give it the cores that it can use, such as --target-cpus 0, or start a worker per core";

/// The address as one writes it.
pub(crate) fn url(url: &Url) -> String {
    url.to_string()
}

/// The machine in one line; what is not known is left out.
pub(crate) fn host(host: &Host) -> String {
    let cpus = |cpus: &[usize]| cpus.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let mut parts = Vec::new();
    parts.push(host.kernel.clone());
    parts.push(host.cpu_model.clone());
    if host.cores > 0 {
        parts.push(format!("{} cores", host.cores));
    }
    if host.memory_bytes > 0 {
        parts.push(format!("{:.1} GiB", host.memory_bytes as f64 / f64::from(1 << 30)));
    }
    if !host.target_cpus.is_empty() {
        parts.push(format!("service on cpu {}", cpus(&host.target_cpus)));
    }
    if !host.generator_cpus.is_empty() {
        parts.push(format!("generator on cpu {}", cpus(&host.generator_cpus)));
    }
    parts.push(host.io.clone());
    parts.push(host.wakeups.clone());
    parts.retain(|part| !part.is_empty());
    parts.join(", ")
}

/// A whole number with thousands set apart.
pub(crate) fn count(whole: u64) -> String {
    let digits = whole.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate with at most one decimal and thousands set apart.
pub(crate) fn rate(per_s: f64) -> String {
    let tenths = (per_s * 10.0).round() as u64;
    let (whole, tenth) = (tenths / 10, tenths % 10);
    let mut text = count(whole);
    if tenth > 0 && whole < 100 {
        text.push('.');
        text.push_str(&tenth.to_string());
    }
    format!("{text} req/s")
}

fn figure(objective: &ObjectiveFinding) -> Option<String> {
    let value = objective.observed?;
    Some(match objective.unit.as_str() {
        "ms" if value < 10.0 => format!("{value:.2} ms"),
        "ms" => format!("{value:.0} ms"),
        _ if value > 0.0 && value < 0.001 => format!("{:.3} %", value * 100.0),
        _ => format!("{:.1} %", value * 100.0),
    })
}

/// One sentence that says what it comes to.
pub(crate) fn headline(findings: &Findings) -> String {
    if let Some(hold) = &findings.hold
        && let Some(sentence) = held(findings, hold)
    {
        return sentence;
    }
    match findings.verdict {
        Verdict::Unjudged if findings.load_line.is_some() => format!("{}; {}", line(findings), unjudged(findings)),
        Verdict::Passed | Verdict::Invalid | Verdict::Interrupted if findings.load_line.is_some() => line(findings),
        Verdict::Breached if findings.command == RunKind::Capacity => no_line(findings),
        Verdict::Passed => passed(findings),
        Verdict::Unjudged => unjudged(findings),
        Verdict::Breached => breached(findings),
        Verdict::Invalid => "The generator was the bottleneck, so the figures do not describe the service".to_owned(),
        Verdict::Interrupted => interrupted(findings),
        Verdict::Failed => failed(findings),
    }
}

fn line(findings: &Findings) -> String {
    let Some(line) = &findings.load_line else {
        return String::new();
    };
    let held = rate(line.rate_per_s);
    match (line.failed_per_s, &line.broke) {
        (Some(failed), Some(broke)) => format!("Load line {held}: {broke} broke first, at {}", rate(failed)),
        (Some(failed), None) => format!("Load line {held}: every request failed at {}", rate(failed)),
        (None, _) => format!("The load line is not below {held}: {}", line.ended_because),
    }
}

fn no_line(findings: &Findings) -> String {
    let offered = findings.steps.iter().filter_map(|s| s.offered_per_s);
    let lowest = rate(offered.fold(f64::INFINITY, f64::min));
    match findings.broke() {
        Some(broken) => format!("No load line: {} did not hold even at {lowest}", broken.objective),
        None => format!("No load line: every request failed even at {lowest}"),
    }
}

fn passed(findings: &Findings) -> String {
    let seen = seen(findings);
    if findings.objectives.is_empty() {
        return format!("{seen}; no objective was set");
    }
    match findings.totals.throughput_per_s {
        Some(per_s) if per_s > 0.0 => format!("Every objective held at {seen}"),
        _ => format!("Every objective held: {seen}"),
    }
}

/// What was seen, as far as there is a figure of it.
fn seen(findings: &Findings) -> String {
    let p99 = match findings.response_time.p99_ms {
        Some(p99) => format!(", p99 {p99:.2} ms"),
        None => String::new(),
    };
    match findings.totals.throughput_per_s {
        Some(per_s) if per_s > 0.0 => format!("{}{p99}", rate(per_s)),
        // It is no rate that was carried: what came came late.
        _ => format!(
            "{} responses, none of them before the load ended{p99}",
            count(findings.totals.completed)
        ),
    }
}

fn unjudged(findings: &Findings) -> String {
    let without: Vec<_> = findings
        .objectives
        .iter()
        .filter_map(|objective| Some((objective, objective.unjudged_because.as_deref()?)))
        .collect();
    let nothing = findings
        .notices
        .iter()
        .find(|notice| notice.message.starts_with(NOTHING_JUDGED));
    match (nothing, without.as_slice()) {
        (Some(notice), _) => capitalised(&notice.message),
        (None, [(objective, because)]) => format!("{} was not judged: {because}", objective.objective),
        (None, [(objective, because), ..]) => format!(
            "{} of {} objectives were not judged, the first is {}: {because}",
            without.len(),
            findings.objectives.len(),
            objective.objective
        ),
        (None, []) => "Nothing was judged".to_owned(),
    }
}

/// How the notice begins that nothing at all has a verdict.
pub(crate) const NOTHING_JUDGED: &str = "nothing was judged";

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

fn interrupted(findings: &Findings) -> String {
    let after = findings.duration_s;
    let stopped = if findings.notices.iter().any(|notice| notice.code == "torn") {
        format!("Records of the {after:.0} s run are lost")
    } else if findings.notices.iter().any(|notice| notice.message == NO_HISTOGRAMS) {
        format!("Histograms of the {after:.0} s run are lost")
    } else if findings.notices.iter().any(|notice| notice.message.contains(NO_END)) {
        format!("Cut off after {after:.0} s")
    } else {
        format!("Stopped after {after:.0} s")
    };
    if findings.hold.is_none() && findings.steps.iter().all(|step| step.throughput_per_s.is_none()) {
        return format!("{stopped}, before anything was judged");
    }
    format!("{stopped}; the figures describe what was seen until then")
}

/// What is said where histograms of a run are lost.
pub(crate) const NO_HISTOGRAMS: &str = "histograms are lost, so percentiles of whole steps are unknown";

/// What is said of a stream of records that nobody ended.
pub(crate) const NO_END: &str = "the record of the run has no end";

fn breached(findings: &Findings) -> String {
    let Some(broken) = findings.broke() else {
        return "Every request failed".to_owned();
    };
    let seen = figure(broken).map_or(String::new(), |value| format!(": {value} over the run"));
    format!(
        "{} did not hold{seen}, {} of {} windows passed",
        broken.objective, broken.windows_passed, broken.windows_judged
    )
}

fn failed(findings: &Findings) -> String {
    if findings.notices.iter().any(|n| n.code == "port_taken") {
        return "The figures are not those of the service: another process has its port".to_owned();
    }
    if findings.notices.iter().any(|n| n.code == "target_died") {
        return format!("The service ended by itself after {:.0} s", findings.duration_s);
    }
    match findings.errors.iter().find(|error| error.charged) {
        Some(error) if findings.totals.completed == 0 => format!("No request was answered: {}", error.meaning),
        _ if findings.totals.completed == 0 => "No request was answered".to_owned(),
        _ => "The run could not go on".to_owned(),
    }
}

/// One sentence that says what to do next.
pub(crate) fn next_step(findings: &Findings) -> String {
    if let Some(hold) = &findings.hold
        && let Some(sentence) = hold_better(findings, hold)
    {
        return sentence;
    }
    match findings.verdict {
        Verdict::Passed if findings.load_line.is_some() => use_line(findings),
        Verdict::Passed => "Let `plimsoll capacity` find the greatest rate at which the objectives hold.".to_owned(),
        Verdict::Breached => mend(findings),
        Verdict::Invalid => format!("Run it again after you {GENERATOR_HINT}."),
        Verdict::Interrupted => "Run it again to its end for a verdict.".to_owned(),
        Verdict::Unjudged => judge(findings),
        Verdict::Failed => revive(findings),
    }
}

/// What to do so that there is a verdict.
fn judge(findings: &Findings) -> String {
    let notice = findings.notices.iter().find(|notice| notice.code == "unjudged");
    let hint = notice.and_then(|notice| notice.hint.as_deref());
    hint.map_or_else(
        || "Run it longer than its warm-up.".to_owned(),
        |hint| format!("{}.", capitalised(hint)),
    )
}

/// What to do with a load line.
fn use_line(findings: &Findings) -> String {
    let Some(line) = &findings.load_line else {
        return String::new();
    };
    let plan_for = format!("Plan for at most {} per instance", rate(line.rate_per_s));
    match line.failed_per_s {
        None => format!("{plan_for}, or let the search offer more to find where it breaks."),
        Some(_) if !line.converged => format!("{plan_for}; a longer budget would place the line more closely."),
        Some(_) => {
            let cost = line
                .cpu_us_per_request
                .filter(|_| line.broke.as_deref().is_some_and(|b| b.starts_with("cpu")));
            match cost {
                Some(us) => {
                    format!("{plan_for}; every microsecond saved of the {us:.0} µs of CPU per request raises it.")
                }
                None => format!(
                    "{plan_for}; to raise it, look at what {} waits for.",
                    line.broke.as_deref().unwrap_or("the service")
                ),
            }
        }
    }
}

/// What to do about the first objective that broke.
fn mend(findings: &Findings) -> String {
    let broken = findings.broke().map(|o| o.objective.as_str());
    let cpu_share = findings.target_resources.as_ref().map(|t| t.cpu_share);
    match broken.and_then(|objective| objective.split(' ').next()) {
        Some("cpu") => spend_less_cpu(findings),
        Some("errors") | None => blame_errors(findings),
        Some("rate") => "The service, or the number of connections, did not keep up with the offered rate: lower it or raise the connections.".to_owned(),
        Some(_) => match cpu_share {
            Some(share) if share >= 0.9 => spend_less_cpu(findings),
            Some(_) if findings.target_resources.as_ref().is_some_and(TargetFinding::fills_one_of_its_cores) => {
                "One core is full while others idle: start a worker per core, or spend less CPU per request.".to_owned()
            }
            Some(share) => format!(
                "The service's cores were only {:.0} % busy, so its answers wait for something else: look at the services it calls, its pools and its locks.",
                share * 100.0
            ),
            None => format!("To see whether CPU is short, {CPU_HINT}."),
        },
    }
}

fn spend_less_cpu(findings: &Findings) -> String {
    let per_request = findings.target_resources.as_ref().and_then(|t| t.cpu_us_per_request);
    let cost = per_request.map_or(String::new(), |us| format!(" (now {us:.0} µs each)"));
    format!(
        "Spend less CPU per request{cost}, or give the service more cores; `plimsoll capacity` tells the rate it carries now."
    )
}

fn blame_errors(findings: &Findings) -> String {
    match findings.errors.iter().find(|error| error.charged) {
        Some(error) => format!(
            "Most failures are of class {}: {}; see the output of the service.",
            error.class, error.meaning
        ),
        None => "See the output of the service.".to_owned(),
    }
}

fn revive(findings: &Findings) -> String {
    if findings.notices.iter().any(|n| n.code == "port_taken") {
        return "The notice below names the process that has the port; stop it, or choose another port.".to_owned();
    }
    if findings.notices.iter().any(|n| n.code == "target_died") {
        return "The notice below holds its exit status and its last lines; start it by itself to see why.".to_owned();
    }
    if findings.totals.completed == 0 {
        return format!("Check that the service answers at {}.", findings.target);
    }
    "See service.log.".to_owned()
}

/// The most frequent of these failures.
fn most_frequent<'a>(findings: &'a Findings, classes: &[&str]) -> Option<&'a ErrorFinding> {
    findings
        .errors
        .iter()
        .find(|error| classes.contains(&error.class.as_str()))
}

const ENDS: &[&str] = &["closed", "reset", "response_timeout", "malformed"];
const NOT_OPENED: &[&str] = &["refused", "unreachable", "connect_timeout"];

/// What became of the connections; `None` where the sentences of every run say it.
fn held(findings: &Findings, hold: &HoldFinding) -> Option<String> {
    let (live, opened, wanted) = (count(hold.live), count(hold.opened), count(hold.wanted));
    let because = |classes: &[&str]| {
        most_frequent(findings, classes).map_or(String::new(), |error| format!(": {}", error.meaning))
    };
    match findings.verdict {
        Verdict::Passed => Some(format!(
            "{live} connections were held for {:.1} s, and none was lost",
            hold.held_s.unwrap_or_default()
        )),
        Verdict::Breached if hold.lost > 0 => Some(format!(
            "{} of {opened} connections were lost{}",
            count(hold.lost),
            because(ENDS)
        )),
        Verdict::Breached if hold.opened < hold.wanted && most_frequent(findings, NOT_OPENED).is_none() => Some(
            format!("Only {opened} of {wanted} connections were opened in time: the pace was not kept"),
        ),
        Verdict::Breached if hold.opened < hold.wanted => Some(format!(
            "Only {opened} of {wanted} connections were opened{}",
            because(NOT_OPENED)
        )),
        Verdict::Breached if findings.totals.errors > 0 => Some(format!(
            "{live} connections were held, but answers failed{}",
            because(&["status"])
        )),
        Verdict::Invalid => Some(format!(
            "Only {opened} of {wanted} connections were opened, through no fault of the service{}",
            because(&["no_descriptor", "no_port"])
        )),
        Verdict::Failed if hold.opened == 0 => Some(format!("No connection was opened{}", because(NOT_OPENED))),
        Verdict::Breached | Verdict::Failed | Verdict::Interrupted | Verdict::Unjudged => None,
    }
}

/// What to do next with held connections; `None` likewise.
fn hold_better(findings: &Findings, hold: &HoldFinding) -> Option<String> {
    let doctor = |wanted: u64| format!("`plimsoll doctor --connections {wanted}` says what this machine needs");
    let is_most =
        |class: &str, among: &[&str]| most_frequent(findings, among).is_some_and(|error| error.class == class);
    match findings.verdict {
        Verdict::Passed => Some(format!(
            "Hold more; {} for them.",
            doctor(hold.wanted.saturating_mul(2))
        )),
        Verdict::Breached if hold.lost > 0 && is_most("closed", ENDS) => Some(
            "Raise the time for which the service lets a connection be idle (Node.js: server.keepAliveTimeout, 5 s \
             unless set)."
                .to_owned(),
        ),
        Verdict::Breached if hold.opened < hold.wanted && most_frequent(findings, NOT_OPENED).is_none() => Some(
            "Ask for a lower pace or a longer time; where the generator woke late, give it more cores or addresses."
                .to_owned(),
        ),
        Verdict::Breached if hold.live < hold.wanted => Some(format!(
            "See the output of the service and its limit of open files; {}.",
            doctor(hold.wanted)
        )),
        Verdict::Invalid if is_most("no_port", &["no_port", "no_descriptor"]) => Some(
            "Let connections leave from more addresses with --local-addrs, or go to more ports with --ports."
                .to_owned(),
        ),
        Verdict::Invalid => Some(format!("Raise the limit of open files; {}.", doctor(hold.wanted))),
        Verdict::Failed if hold.opened == 0 => Some(format!("Check that the service listens at {}.", findings.target)),
        Verdict::Breached | Verdict::Failed | Verdict::Interrupted | Verdict::Unjudged => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_read_easily() {
        let texts: Vec<_> = [0.25, 12.34, 999.96, 1_840.0, 1_234_567.8]
            .into_iter()
            .map(rate)
            .collect();
        assert_eq!(
            texts,
            [
                "0.3 req/s",
                "12.3 req/s",
                "1,000 req/s",
                "1,840 req/s",
                "1,234,567 req/s"
            ]
        );
    }
}
