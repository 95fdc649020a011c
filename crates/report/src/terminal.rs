//! Findings as text for people at a terminal or reading a build log.
//!
//! The first lines say the load line or the verdict, what broke first and where, the interval and the next step.
//! Symbols and words carry every meaning; colour only repeats it.

mod comparison;
mod diagnosis;
mod hold;
mod journeys;
mod noise;
mod page;
mod scaling;
mod service;
mod shock;
mod soak;
mod study;
mod table;

pub(crate) use comparison::comparison;
pub use noise::noise;
pub(crate) use scaling::scaling;
pub(crate) use study::study;
pub use study::{Listed, studies};

use crate::figures;
use crate::words::{self, Tone};
use page::{Page, Paint, Span, mark, plain, span};
use plimsoll_findings::{ErrorFinding, Findings, Notice, ResponsesFinding};
use plimsoll_measure::RunKind;
use std::path::Path;
use table::{Side, Table};

/// What the terminal can show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// ANSI colours.
    pub colour: bool,
    /// Columns; less than 40 is taken as 40.
    pub width: u16,
    /// Characters outside ASCII.
    pub unicode: bool,
}

impl Default for Style {
    /// A pipe: 80 columns, no colour.
    fn default() -> Self {
        Self {
            colour: false,
            width: 80,
            unicode: true,
        }
    }
}

/// Where the run was written, as far as it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written<'a> {
    /// The HTML page.
    pub report: Option<&'a Path>,
    /// The run directory.
    pub directory: Option<&'a Path>,
}

/// The findings as text, ending in a newline.
#[must_use]
pub fn terminal(findings: &Findings, style: Style, written: Written<'_>) -> String {
    let mut page = Page::new(style);
    match &findings.diagnosis {
        Some(found) => diagnosis::conclusion(&mut page, findings, found),
        None => conclusion(&mut page, findings),
    }
    subject(&mut page, findings);
    if let Some(found) = &findings.diagnosis {
        diagnosis::sections(&mut page, found);
    }
    hold::section(&mut page, findings);
    shock::section(&mut page, findings);
    soak::section(&mut page, findings);
    sizing(&mut page, findings);
    objectives(&mut page, findings);
    steps(&mut page, findings);
    durations(&mut page, findings);
    journeys::section(&mut page, findings);
    requests(&mut page, findings);
    errors(&mut page, findings);
    service::service(&mut page, findings);
    service::instances(&mut page, findings);
    service::neighbours(&mut page, findings);
    generator(&mut page, findings);
    notices(&mut page, &findings.notices);
    places(&mut page, written);
    page.finish()
}

/// Width of the labels that stand before figures and sentences.
const LABEL: usize = 14;

fn label(text: &str) -> Span {
    span(Paint::Quiet, format!("  {text:<LABEL$}"))
}

fn fact(page: &mut Page, name: &str, text: &str) {
    page.paragraph(&[label(name)], Paint::Plain, text);
}

fn section(page: &mut Page, title: &str, at: &str) {
    page.blank();
    page.line(&[span(Paint::Strong, title), span(Paint::Quiet, at)]);
}

fn conclusion(page: &mut Page, findings: &Findings) {
    let (tone, word) = words::verdict(findings.verdict);
    let lead = [
        mark(tone),
        span(Paint::StrongTone(tone), format!(" {}  ", word.to_uppercase())),
    ];
    match &findings.load_line {
        Some(line) => page.paragraph(&lead, Paint::Strong, &words::asked(findings, words::load_line(line))),
        None => page.paragraph(
            &lead,
            Paint::Strong,
            &words::asked(findings, words::headline(&findings.headline)),
        ),
    }
    ran_out_first(page, findings);
    if let Some(broke) = words::broke(findings) {
        fact(page, "broke first", &words::asked(findings, broke));
    }
    match words::interval(findings) {
        Some(interval) => fact(page, "interval", &words::asked(findings, interval)),
        None => {
            // Connections that are only held request nothing.
            let is_quiet = findings.hold.is_some() && findings.totals.completed == 0;
            if let Some(per_s) = findings.totals.throughput_per_s.filter(|_| !is_quiet) {
                fact(
                    page,
                    "completed",
                    &words::asked(findings, format!("{} in the judged part", figures::rate(per_s))),
                );
            }
        }
    }
    for (name, text) in findings
        .load_line
        .as_ref()
        .and_then(words::concurrent)
        .unwrap_or_default()
    {
        fact(page, name, &text);
    }
    if let Some(sizing) = &findings.sizing {
        fact(page, "sizing", &words::sizing(sizing));
    }
    page.paragraph(
        &[label("next")],
        Paint::Strong,
        &words::asked(findings, words::next_step(&findings.next_step)),
    );
}

fn ran_out_first(page: &mut Page, findings: &Findings) {
    if let Some(full) = words::ran_out_first(findings) {
        page.paragraph(&[label("ran out first")], Paint::Strong, &full);
    }
}

fn subject(page: &mut Page, findings: &Findings) {
    page.blank();
    fact(page, "plan", &format!("{} ({})", findings.name, findings.command));
    fact(page, "target", &findings.target);
    if let Some(command) = &findings.target_command {
        fact(page, "started by", command);
    }
    fact(
        page,
        "run",
        &format!(
            "{}, took {}",
            findings.started_at,
            figures::length_s(findings.duration_s)
        ),
    );
    fact(page, &words::asked(findings, "requests"), &words::volume(findings));
    if findings.has_statuses() {
        fact(page, "statuses", &words::statuses(findings));
    }
    if let Some(handshakes) = words::handshakes(findings) {
        fact(page, "handshakes", &handshakes);
    }
    if let Some(openings) = words::openings(findings) {
        fact(page, "openings", &openings);
    }
    if let Some(pings) = words::pings(findings) {
        fact(page, "server pings", &pings);
    }
    if let Some(line) = &findings.load_line {
        fact(page, "search ended", &words::ended(line.ended_because));
    }
}

fn sizing(page: &mut Page, findings: &Findings) {
    let Some((sizing, predicted)) = words::sized(findings) else {
        return;
    };
    section(page, words::SIZING, "");
    page.paragraph(&[plain("  ")], Paint::Plain, &words::sized_by(sizing, predicted));
    let [needed, spare] = words::SIZING_HEADS;
    let mut table = Table::new(&[("", Side::Left), (needed, Side::Right), (spare, Side::Right)]);
    for (name, figures) in words::sizing_rows(sizing, predicted) {
        let mut cells = vec![plain(name)];
        cells.extend(figures.map(plain));
        table.row(cells);
    }
    table.draw(page);
    page.paragraph(&[plain("  ")], Paint::Quiet, &words::sizing_assumes(predicted));
}

/// A mark and its word, for a table.
fn verdict_cell(tone: Tone, word: &str) -> Span {
    span(Paint::Tone(tone), format!("{} {word}", mark(tone).text))
}

fn objectives(page: &mut Page, findings: &Findings) {
    if findings.objectives.is_empty() {
        return;
    }
    section(page, "Objectives", &format!(" {}", words::taken_at(findings)));
    let [observed, worst, windows] = words::OBJECTIVE_HEADS;
    let mut table = Table::new(&[
        ("", Side::Left),
        ("objective", Side::Left),
        (observed, Side::Right),
        (worst, Side::Right),
        (windows, Side::Right),
    ])
    .spare(&["worst window", "observed"]);
    for objective in &findings.objectives {
        let (tone, word) = words::objective_verdict(objective);
        let [observed, worst, windows] = words::objective_figures(objective).map(plain);
        table.row(vec![
            verdict_cell(tone, word),
            plain(words::objective(&objective.objective)),
            observed,
            worst,
            windows,
        ]);
    }
    table.draw(page);
}

fn steps(page: &mut Page, findings: &Findings) {
    if findings.steps.len() < 2 && findings.command != RunKind::Capacity || findings.steps.is_empty() {
        return;
    }
    let (offered, completed) = (words::offered_in(findings), "req/s");
    let units = match offered == completed {
        true => completed.to_owned(),
        false => format!("offered in {offered}, completed in {completed}"),
    };
    let units = words::asked(findings, units);
    section(page, "Steps", &format!(" in the order they were run, {units}"));
    let mut table = Table::new(&[
        ("", Side::Left),
        ("offered", Side::Right),
        ("completed", Side::Right),
        ("p99", Side::Right),
        ("cpu", Side::Right),
        ("errors", Side::Right),
        ("why", Side::Left),
    ])
    .spare(&["errors", "completed"]);
    for step in &findings.steps {
        let (tone, word) = words::step_verdict(step.verdict);
        table.row(vec![
            verdict_cell(tone, word),
            plain(figures::or_dash(step.offered().map(figures::number))),
            plain(figures::known(step.throughput_per_s, figures::number)),
            plain(figures::known(step.response_time.p99_ms, figures::duration_ms)),
            plain(figures::or_dash(step.cpu_share.map(figures::share))),
            plain(figures::known(step.error_share, figures::share)),
            plain(words::step_why(step)),
        ]);
    }
    table.draw(page);
}

fn durations(page: &mut Page, findings: &Findings) {
    if findings.response_time.count == 0 {
        return;
    }
    section(page, "Times", &format!(" {}", words::taken_at(findings)));
    let mut columns = vec![("", Side::Left)];
    columns.extend(words::PERCENTILE_HEADS.map(|head| (head, Side::Right)));
    let mut table = Table::new(&columns).spare(&["p95", "p90", "p99.9"]);
    for (name, row) in words::durations(findings) {
        let mut cells = vec![plain(name)];
        cells.extend(row.map(plain));
        table.row(cells);
    }
    table.draw(page);
}

fn requests(page: &mut Page, findings: &Findings) {
    if findings.requests.is_empty() {
        return;
    }
    section(
        page,
        &words::asked(findings, "Requests"),
        &format!(
            " {}; {} over the whole run",
            words::taken_at(findings),
            words::over_the_run(findings)
        ),
    );
    let (head, heads) = words::request_heads(findings);
    let mut columns = vec![(head, Side::Left)];
    columns.extend(heads.iter().map(|head| (*head, Side::Right)));
    // What comes last is words.
    if let Some(last) = columns.last_mut() {
        last.1 = Side::Left;
    }
    let mut table = Table::new(&columns).spare(&["longest", "statuses"]);
    for request in &findings.requests {
        let mut cells = vec![plain(words::request_name(request))];
        cells.extend(words::request_figures(request).into_iter().take(heads.len()).map(plain));
        table.row(cells);
    }
    table.draw(page);
}

fn errors(page: &mut Page, findings: &Findings) {
    if findings.errors.is_empty() {
        return;
    }
    section(page, "Errors", " over the whole run");
    let of = words::asked(findings, "requests");
    findings.errors.iter().for_each(|error| failure(page, error, &of));
}

/// One class of failures, as a share of all of these.
fn failure(page: &mut Page, error: &ErrorFinding, of: &str) {
    let tone = if error.charged { Tone::Bad } else { Tone::Doubtful };
    page.line(&[
        plain("  "),
        mark(tone),
        span(
            Paint::Strong,
            format!(" {}{}", error.class.as_str(), words::whose(error)),
        ),
        plain(format!(
            "  {}, {} of the {of}",
            figures::count(error.count),
            figures::share(error.share)
        )),
    ]);
    page.paragraph(&[plain("    ")], Paint::Quiet, words::meaning(error.class));
    if let Some(example) = &error.example {
        page.paragraph(&[plain("    ")], Paint::Plain, &words::example(example));
    }
}

/// What came back in several runs.
fn responses(page: &mut Page, responses: &[ResponsesFinding]) {
    if responses.is_empty() {
        return;
    }
    section(page, "Responses", " by status, in all rounds, warm-up included");
    for responses in responses {
        fact(
            page,
            words::responses_of(&responses.of),
            &words::statuses_together(responses),
        );
        let errors = responses.errors.iter();
        errors.for_each(|error| failure(page, error, "requests"));
    }
}

fn generator(page: &mut Page, findings: &Findings) {
    let own = &findings.generator;
    section(page, "Generator", "");
    let (tone, word) = words::kept_up(own.kept_up);
    let shards = if own.shards == 1 { "shard" } else { "shards" };
    page.paragraph(
        &[
            plain("  "),
            mark(tone),
            span(Paint::Tone(tone), format!(" {word:<width$}", width = LABEL - 2)),
        ],
        Paint::Plain,
        &format!(
            "{} {shards}{}{}",
            own.shards,
            own.busy_share_max.map_or(String::new(), |share| format!(
                ", busiest {} busy",
                figures::share(share)
            )),
            own.wake_lag_p99_ms.map_or(String::new(), |ms| format!(
                ", woke {} late at p99{}",
                figures::duration_ms(ms),
                own.wake_lag_p999_ms
                    .map_or(String::new(), |ms| format!(", {} at p99.9", figures::duration_ms(ms)))
            ))
        ),
    );
    if let Some(us) = own.cpu_us_per_request {
        let per_request = format!("{} per request", figures::duration_us(us));
        fact(page, "cpu", &words::asked(findings, per_request));
    }
    for agent in &own.agents {
        fact(page, "agent", &words::agent(agent));
    }
    for zone in &own.zones {
        fact(page, "zone", &words::zone(zone));
    }
}

fn notices(page: &mut Page, notices: &[Notice]) {
    if notices.is_empty() {
        return;
    }
    section(page, "Notices", "");
    for notice in notices {
        page.paragraph(
            &[plain("  "), mark(Tone::Doubtful), plain(" ")],
            Paint::Plain,
            &words::notice(notice),
        );
        if let Some(hint) = words::hint(notice) {
            page.paragraph(&[span(Paint::Quiet, "    hint: ")], Paint::Plain, &hint);
        }
    }
}

fn places(page: &mut Page, written: Written<'_>) {
    let places = [("report", written.report), ("run directory", written.directory)];
    if places.iter().any(|(_, path)| path.is_some()) {
        page.blank();
    }
    for (name, path) in places {
        if let Some(path) = path {
            fact(page, name, &path.display().to_string());
        }
    }
}
