//! The page of a run or a search.

use super::document::{
    Block, Cell, ChartName, Column, Columns, Document, Fact, Glance, GlanceFigure, Heading, Layout, Legend, Outcome,
    Widths, badge, cards, chart, fact, figures as column, section, table, text, unseen, verdicts,
};
use super::instances::instances;
use super::kinds::{held, shock, soak};
use super::neighbours::neighbours;
use super::parts::{Known, facts, failures, folded, headline, next};
use super::{Paged, diagnosis};
use crate::figures;
use crate::words;
use plimsoll_findings::{
    Findings, LoadLine, ObjectiveFinding, RequestFinding, StepFinding, StepVerdict, TargetFinding,
};
use plimsoll_measure::RunKind;

/// In the order of the legend.
const STEP_VERDICTS: [StepVerdict; 4] = [
    StepVerdict::Passed,
    StepVerdict::Breached,
    StepVerdict::Invalid,
    StepVerdict::Unjudged,
];

impl Paged for Findings {
    fn document(&self) -> Document {
        let known = Known {
            command: self.command.as_str(),
            name: &self.name,
            target: &self.target,
            started_at: &self.started_at,
            duration_s: self.duration_s,
            version: &self.version,
            format: &self.format,
            host: words::host(&self.host),
            notices: &self.notices,
        };
        let title = match &self.load_line {
            Some(line) => words::asked(self, format!("load line {}", words::line_at(line))),
            None => words::verdict(self.verdict).1.to_owned(),
        };
        let mut content = self
            .diagnosis
            .as_ref()
            .map_or_else(Vec::new, |diagnosis| diagnosis::sections(self, diagnosis));
        content.extend(glance(self));
        content.extend(held(self));
        content.extend(shock(self));
        content.extend(soak(self));
        content.extend(load_line(self));
        content.extend(sizing(self));
        content.extend(objectives(self));
        content.extend(times(self));
        content.extend(timeline(self));
        content.extend(journeys(self));
        content.extend(requests(self));
        content.push(errors(self));
        content.push(Block::Columns(Columns {
            widths: Widths::Equal,
            content: vec![service(self), generator(self)],
        }));
        content.extend(instances(self));
        content.extend(neighbours(self));
        content.push(known.setting(self.target_command.as_deref()));
        let of_sizing = self.sizing.as_ref().map(|_| &words::SIZING_TERM);
        let terms = words::GLOSSARY.iter().chain(of_sizing);
        let terms = terms.map(|&(term, meaning)| fact(term, meaning));
        let terms = facts(Layout::Terms, terms.collect());
        content.push(folded("glossary", "What these figures mean", terms));
        Document {
            verdicts: verdicts(&STEP_VERDICTS, words::step_verdict),
            ..known.document(&title, outcome(self), content)
        }
    }
}

fn outcome(findings: &Findings) -> Outcome {
    let line = findings.load_line.as_ref();
    let broke = words::broke_first(findings).map(|(objective, how)| match objective {
        Some(objective) => Cell::code(objective, how.map(|how| words::asked(findings, how))),
        None => words::asked(findings, words::sentence(&how.unwrap_or_default())).into(),
    });
    let mut facts: Vec<Fact> = Vec::new();
    let range = |line| words::asked(findings, words::range(line));
    facts.extend(line.map(|line| fact("True line", Cell::noted(range(line), [words::certainty(line)]))));
    facts.extend(words::ran_out_first(findings).map(|full| fact("Ran out first", words::sentence(&full))));
    facts.extend(broke.map(|broke| fact("Broke first", broke)));
    facts.extend(findings.sizing.as_ref().map(|sizing| {
        let [first, rest] = words::sizing_parts(sizing);
        fact("Sizing", Cell::noted(words::sentence(&first), [rest]))
    }));
    let concurrent = line.and_then(words::concurrent).unwrap_or_default();
    facts.extend(
        concurrent
            .iter()
            .map(|(name, text)| fact(&words::capitalised(name), text.clone())),
    );
    facts.extend(line.map(|line| fact("Search ended", words::sentence(&words::ended(line.ended_because)))));
    Outcome {
        verdict: badge(words::verdict(findings.verdict)),
        note: line
            .filter(|line| !line.converged)
            .map(|_| words::UNCONFIRMED.to_owned()),
        heading: match line {
            Some(line) if findings.diagnosis.is_none() => line_as_figure(findings, line),
            _ => headline(&words::asked(findings, words::headline(&findings.headline))),
        },
        facts,
        next: next(&words::asked(findings, words::next_step(&findings.next_step))),
    }
}

fn line_as_figure(findings: &Findings, line: &LoadLine) -> Heading {
    let name = match words::line_failed(line) {
        Some(_) => "Load line",
        None => "Load line, at least",
    };
    let (figure, unit) = words::line_figure(line);
    Heading::Figure {
        name: name.to_owned(),
        figure,
        unit: words::asked(findings, unit),
    }
}

fn glance(findings: &Findings) -> Option<Block> {
    let (times, totals) = (&findings.response_time, &findings.totals);
    if times.count == 0 {
        return None;
    }
    let figure = |name: &str, figure: String, note: Option<String>| GlanceFigure {
        name: name.to_owned(),
        figure,
        note,
    };
    let ms = |value| figures::known(value, figures::duration_ms);
    let mut all = vec![
        figure(
            "completed",
            words::asked(findings, figures::known(totals.throughput_per_s, figures::rate)),
            None,
        ),
        figure("p50", ms(times.p50_ms), None),
        figure("p99", ms(times.p99_ms), None),
        figure("errors", figures::count(totals.errors), Some("whole run".to_owned())),
    ];
    if let Some(target) = &findings.target_resources {
        let of = format!("of {}", words::cpu_cores(target.cpu_cores()));
        let per_request = match findings.asks_by_messages() {
            false => "CPU/request",
            true => "CPU/message",
        };
        all.push(figure("CPU", figures::share(target.cpu_share), Some(of)));
        all.extend(
            target
                .cpu_us_per_request
                .map(|us| figure(per_request, figures::duration_us(us), None)),
        );
        let memory = figures::bytes(target.rss_max_bytes);
        all.push(figure("memory", memory, Some("at most".to_owned())));
    }
    let taken_at = words::capitalised(&words::taken_at(findings));
    Some(Block::Glance(Glance {
        label: format!("Figures {}", words::taken_at(findings)),
        taken_at,
        figures: all,
    }))
}

/// Of a search, or of a run with several steps.
fn load_line(findings: &Findings) -> Option<Block> {
    let is_search = findings.command == RunKind::Capacity || findings.steps.len() > 1;
    let has_rates = findings.steps.iter().any(|step| step.offered().is_some());
    if !is_search || !has_rates {
        return None;
    }
    let has = |verdict| findings.steps.iter().any(|step| step.verdict == verdict);
    let title = match has(StepVerdict::Breached) {
        true => "Where it breaks",
        false => "What was tried",
    };
    let marks = STEP_VERDICTS.into_iter().filter(|&verdict| has(verdict));
    let legend = Legend {
        marks: marks.map(|verdict| badge(words::step_mark(verdict))).collect(),
        line: findings
            .load_line
            .as_ref()
            .map(|_| "load line and its interval".to_owned()),
    };
    let steps = format!("All {} steps as a table", findings.steps.len());
    Some(section(
        "load-line",
        title,
        words::tried(findings),
        vec![
            Block::Legend(legend),
            chart(ChartName::LoadLine),
            folded("steps", &steps, step_table(findings)),
        ],
    ))
}

/// Three columns fit a phone.
fn sizing(findings: &Findings) -> Option<Block> {
    let (sizing, predicted) = words::sized(findings)?;
    let mut columns = vec![unseen("figure")];
    columns.extend(words::SIZING_HEADS.map(column));
    let row = |(name, figures): (&str, [String; 2])| -> Vec<Cell> {
        std::iter::once(Cell::from(name))
            .chain(figures.map(Cell::Text))
            .collect()
    };
    let rows = words::sizing_rows(sizing, predicted).into_iter().map(row).collect();
    let lead = format!(
        "{}. {}.",
        words::capitalised(&words::sized_by(sizing, predicted)),
        words::capitalised(&words::sizing_assumes(predicted))
    );
    Some(section(
        "sizing",
        words::SIZING,
        lead,
        vec![table(words::SIZING, columns, rows)],
    ))
}

fn step_table(findings: &Findings) -> Block {
    let heads = ["offered", "completed", "goodput", "p50", "p99", "p99.9"];
    let more = ["CPU", "CPU per request", "errors", "dropped"];
    let mut columns = vec![unseen("verdict")];
    let all = heads.into_iter().chain(more);
    columns.extend(all.map(|head| column(&words::asked(findings, head))));
    columns.push(text("why"));
    let rows = findings.steps.iter().map(step_row).collect();
    table("All steps", columns, rows)
}

fn step_row(step: &StepFinding) -> Vec<Cell> {
    let number = |value| Cell::Text(figures::known(value, figures::number));
    let ms = |value| Cell::Text(figures::known(value, figures::duration_ms));
    vec![
        Cell::badge(words::step_verdict(step.verdict)),
        number(step.offered()),
        number(step.throughput_per_s),
        number(step.goodput_per_s),
        ms(step.response_time.p50_ms),
        ms(step.response_time.p99_ms),
        ms(step.response_time.p999_ms),
        figures::known(step.cpu_share, figures::share).into(),
        figures::known(step.cpu_us_per_request, figures::duration_us).into(),
        figures::known(step.error_share, figures::share).into(),
        figures::count(step.dropped).into(),
        words::step_why(step).into(),
    ]
}

fn objectives(findings: &Findings) -> Option<Block> {
    if findings.objectives.is_empty() {
        return None;
    }
    let mut columns = vec![unseen("verdict"), text("objective")];
    columns.extend(words::OBJECTIVE_HEADS.map(column));
    let row = |objective: &ObjectiveFinding| {
        let mut cells = vec![
            Cell::badge(words::objective_verdict(objective)),
            Cell::code(words::objective(&objective.objective), None),
        ];
        cells.extend(words::objective_figures(objective).map(Cell::Text));
        cells
    };
    let rows = findings.objectives.iter().map(row).collect();
    let lead = words::judged_how(findings);
    Some(section(
        "objectives",
        "Objectives",
        lead,
        vec![cards("Objectives", columns, rows)],
    ))
}

/// Percentiles down, the three durations across: fits a phone.
fn times(findings: &Findings) -> Option<Block> {
    let all = words::durations(findings);
    if all.is_empty() {
        return None;
    }
    let means: Vec<String> = [&findings.response_time, &findings.service_time, &findings.schedule_lag]
        .into_iter()
        .filter(|times| times.count > 0)
        .map(|times| figures::known(times.mean_ms, figures::duration_ms))
        .collect();
    let mut columns = vec![unseen("percentile")];
    columns.extend(all.iter().map(|(name, _)| column(name)));
    let row = |head: &str, figures: Vec<String>| -> Vec<Cell> {
        std::iter::once(Cell::from(head))
            .chain(figures.into_iter().map(Cell::Text))
            .collect()
    };
    let mut rows = vec![row("mean", means)];
    for (place, head) in words::PERCENTILE_HEADS.into_iter().enumerate() {
        rows.push(row(
            head,
            all.iter().map(|(_, figures)| figures[place].clone()).collect(),
        ));
    }
    let figures = table("Response times", columns, rows);
    let content = match has_curve(findings) {
        true => Block::Columns(Columns {
            widths: Widths::ChartAndTable,
            content: vec![chart(ChartName::Curve), figures],
        }),
        false => figures,
    };
    Some(section(
        "times",
        "Response times",
        words::times(findings),
        vec![content],
    ))
}

/// A curve has two ends.
fn has_curve(findings: &Findings) -> bool {
    let rarest = 1.0 - 1.0 / findings.response_time.count.max(2) as f64;
    let curve = &findings.response_time_curve;
    let seen = curve.iter().filter(|point| point.quantile <= rarest).count();
    seen + usize::from(seen < curve.len()) >= 2
}

fn timeline(findings: &Findings) -> Option<Block> {
    (!findings.timeline.is_empty()).then(|| {
        section(
            "timeline",
            "Over time",
            words::over_time(findings),
            vec![chart(ChartName::Timeline)],
        )
    })
}

fn journeys(findings: &Findings) -> Option<Block> {
    if findings.journeys.is_empty() {
        return None;
    }
    let mut columns: Vec<Column> = vec![text("journey")];
    columns.extend(words::JOURNEY_HEADS.map(column));
    let rows = findings.journeys.iter().map(|journey| {
        let cells = std::iter::once(journey.name.clone()).chain(words::journey_figures(journey));
        cells.map(Cell::Text).collect::<Vec<Cell>>()
    });
    let mut content = vec![cards("Journeys", columns, rows.collect())];
    for journey in &findings.journeys {
        let mut columns: Vec<Column> = vec![text(&format!("request of {}", journey.name))];
        columns.extend(words::REACHED_HEADS.map(column));
        let rows = journey.requests.iter().map(|reached| {
            let cells = std::iter::once(words::reached_name(reached)).chain(words::reached_figures(reached));
            cells.map(Cell::Text).collect::<Vec<Cell>>()
        });
        content.push(cards(
            &format!("Journeys of {}, by request", journey.name),
            columns,
            rows.collect(),
        ));
    }
    let lead = format!(
        "Times {}, from the arrival of a user to the end of the journey, pauses included; counts over the whole run.",
        words::taken_at(findings)
    );
    let once = findings.journeys.iter().filter_map(words::of_whom_once);
    let more = once.chain(words::under_way(&findings.journeys));
    let lead = more.fold(lead, |lead, text| format!("{lead} {text}."));
    Some(section("journeys", words::JOURNEYS, lead, content))
}

/// Place of the service time among the columns of requests.
const SERVICE_TIME: usize = 5;

fn requests(findings: &Findings) -> Option<Block> {
    if findings.requests.is_empty() {
        return None;
    }
    let (head, heads) = words::request_heads(findings);
    let mut columns: Vec<Column> = vec![text(head)];
    let (figures, statuses) = heads.split_at(heads.len() - usize::from(findings.has_statuses()));
    columns.extend(figures.iter().map(|head| column(head)));
    columns.insert(SERVICE_TIME, column("service time p99"));
    columns.extend(statuses.iter().map(|head| text(head)));
    let row = |request: &RequestFinding| -> Vec<Cell> {
        let mut cells = vec![words::request_name(request)];
        cells.extend(words::request_figures(request).into_iter().take(heads.len()));
        let service = figures::known(request.service_time.p99_ms, figures::duration_ms);
        cells.insert(SERVICE_TIME, service);
        cells.into_iter().map(Cell::Text).collect()
    };
    let rows = findings.requests.iter().map(row).collect();
    let lead = format!(
        "Rates and response times {}; {} over the whole run.",
        words::taken_at(findings),
        words::over_the_run(findings)
    );
    let title = words::asked(findings, "Requests");
    Some(section("requests", &title, lead, vec![cards(&title, columns, rows)]))
}

fn errors(findings: &Findings) -> Block {
    let statuses = match findings.has_statuses() {
        true => format!(" Responses by status: {}.", words::statuses(findings)),
        false => String::new(),
    };
    let (lead, content) = match findings.errors.as_slice() {
        [] => (format!("None in the whole run.{statuses}"), Vec::new()),
        errors => (format!("In the whole run.{statuses}"), vec![failures("Errors", errors)]),
    };
    section("errors", "Errors", lead, content)
}

fn service(findings: &Findings) -> Block {
    let Some(target) = &findings.target_resources else {
        return section("service", "Service", words::unsampled(findings), Vec::new());
    };
    let lead = format!("As the operating system saw it, {}.", words::taken_at(findings));
    let content = vec![facts(Layout::Figures, resources(findings, target))];
    section("service", "Service", lead, content)
}

fn resources(findings: &Findings, target: &TargetFinding) -> Vec<Fact> {
    let switches = figures::number(target.involuntary_switches_per_s);
    let cpu = format!(
        "{} of {}",
        figures::share(target.cpu_share),
        words::cpu_cores(target.cpu_cores())
    );
    let mut all = vec![fact("CPU", cpu)];
    all.extend(words::hottest(target).map(|text| fact("CPU of the busiest", text)));
    all.extend([
        fact(
            &words::asked(findings, "CPU per request"),
            figures::known(target.cpu_us_per_request, figures::duration_us),
        ),
        fact("Memory, resident at most", figures::bytes(target.rss_max_bytes)),
        fact("Threads at most", figures::count(target.threads_max.into())),
        fact("Sockets at most", figures::count(target.sockets_max.into())),
        fact("Involuntary context switches", format!("{switches}/s")),
    ]);
    let limits = words::limits(target).into_iter();
    all.extend(limits.map(|(name, text)| fact(&words::capitalised(name), text)));
    all
}

/// Whether the measuring side was honest.
fn generator(findings: &Findings) -> Block {
    let (own, totals) = (&findings.generator, &findings.totals);
    let ms = |value| figures::known(value, figures::duration_ms);
    let busiest = figures::known(own.busy_share_max, |busy| {
        format!("{} of its core", figures::share(busy))
    });
    let received = figures::bytes(totals.received_bytes);
    let mut all = vec![
        fact("State", Cell::badge(words::kept_up(own.kept_up))),
        fact(
            "Busiest shard",
            format!("{busiest}, {} in all", figures::count(own.shards.into())),
        ),
        fact("Wake lag, p99 of the worst second", ms(own.wake_lag_p99_ms)),
        fact("Wake lag, p99.9 of the worst second", ms(own.wake_lag_p999_ms)),
        fact("Schedule lag, p99", ms(own.lag_p99_ms)),
        fact(
            &words::asked(findings, "CPU per request"),
            figures::known(own.cpu_us_per_request, figures::duration_us),
        ),
        fact("Scheduled", figures::count(totals.scheduled)),
        fact("Sent", figures::count(totals.sent)),
        fact("Completed", figures::count(totals.completed)),
        fact("Dropped", figures::count(totals.dropped)),
        fact("Connections opened", figures::count(totals.connections_opened)),
        fact(
            "Bytes out, in",
            format!("{}, {received}", figures::bytes(totals.sent_bytes)),
        ),
    ];
    all.extend(own.agents.iter().map(|agent| fact("Agent", words::agent(agent))));
    all.extend(own.zones.iter().map(|zone| fact("Zone", words::zone(zone))));
    all.extend(words::of_connections(findings).map(|(name, text)| fact(name, text)));
    let content = vec![facts(Layout::Figures, all)];
    section("generator", "Generator", words::trust(findings), content)
}
