//! The words and tables that all renderers share. Every sentence of the program's results is here and below; findings hold
//! codes and parameters.

mod activity;
mod agent;
mod asked;
mod comparison;
mod compiled;
mod connections;
mod diagnosis;
mod event;
mod evidence;
mod explained;
mod glossary;
mod headline;
mod held;
mod host;
mod instances;
mod journeys;
mod layers;
mod limit;
mod listing;
mod neighbours;
mod noise;
mod notice;
mod objective;
mod offered;
mod page;
mod reason;
mod requests;
mod responses;
mod runtime;
mod series;
mod service;
mod shock;
mod sizing;
mod soak;
mod study;
mod what_if;

pub(crate) use activity::activity;
pub(crate) use agent::{agent, zone};
pub(crate) use asked::{asked, of_messages};
pub(crate) use comparison::{
    CHANGE_HEADS, change, command, compare_verdict, figure_verdict, intervals, outcome, prediction, rounds, threshold,
};
pub(crate) use compiled::compiled;
pub(crate) use connections::{handshakes, of_connections, openings, pings};
pub(crate) use diagnosis::{
    CODE_CLASSES, cause, cause_costs, cause_title, cause_what, doc, helper, inside, pass, pass_heads, place, remedy,
    remedy_of_kind, spent_on,
};
pub use event::event;
pub(crate) use evidence::evidence;
pub(crate) use explained::explained_by;
pub(crate) use glossary::{GLOSSARY, SIZING_TERM};
pub(crate) use headline::{headline, next_step};
pub(crate) use held::{hold, what_was_held};
pub(crate) use host::host;
pub(crate) use instances::{
    INSTANCE_HEADS, INSTANCE_NAME_HEADS, INSTANCES, hottest, instance_figures, instance_names, instances_taken,
};
pub(crate) use journeys::{
    JOURNEY_HEADS, JOURNEYS, REACHED_HEADS, journey_figures, journey_lines, of_whom_once, reached_figures,
    reached_name, under_way,
};
pub(crate) use layers::{
    LAYER_HEADS, LAYER_HEADS_SPARE, LAYER_PLACE_HEAD, LAYERS, LAYERS_OF, LayerRow, layer, layer_lines, layers,
    no_causes, package,
};
pub(crate) use limit::{assumption, bound, bound_because, broke_before, predicted, predicted_with_assumption, why};
pub(crate) use listing::{
    LEFT_OUT, LISTING, LISTING_HEADS, LISTINGS, ListingRow, few_listing_rows, listing_costs, listing_rows,
    listing_title, listings_of,
};
pub(crate) use neighbours::{NEIGHBOUR_HEADS, NEIGHBOURS, neighbour_figures, ran_out_first};
pub(crate) use noise::{
    disturbance, measured as noise_measured, scatter as noise_scatter, sees as noise_sees, within as noise_within,
};
pub(crate) use notice::{hint, notice};
pub(crate) use objective::{OBJECTIVE_HEADS, in_unit, metric, objective, objective_figures};
pub(crate) use page::{
    causes, changes, judged_how, kept_up, law, minute, over_time, passes, sentence, step_mark, times, tried, trust,
    unsampled,
};
pub(crate) use reason::{ended, late, unjudged as unjudged_because};
pub(crate) use requests::{over_the_run, request, request_figures, request_heads, request_name};
pub(crate) use responses::{example, failure, meaning, statuses, statuses_together, whose};
pub(crate) use runtime::{
    ACTIVITY_HEADS, CHARGE_HEADS, FEW, RUNTIME, activity_list, activity_rows, charge, charge_rows, charged,
    runtime_share,
};
pub use series::unused;
pub(crate) use series::{
    compare_headline, compare_next_step, effect_because, measured_by, measurement_headline, responses_of, rule,
    scale_headline, scale_next_step, study_headline, study_next_step, use_of, what_is_here, with_interval,
};
pub(crate) use service::{cpu_cores, limits};
pub(crate) use shock::{SHOCK, not_back, shock, shock_facts};
pub(crate) use sizing::{
    SIZING, SIZING_HEADS, instances, sized, sized_by, sizing, sizing_assumes, sizing_assumption, sizing_parts,
    sizing_rows, unsized_because,
};
pub(crate) use soak::{SOAK, quantity as trend_quantity, soak_facts, trend};
pub(crate) use study::{
    EFFECT_HEADS, effect, effect_verdict, effect_why, here, is_only_shown, published, study_size, study_verdict,
};
pub(crate) use what_if::{what_if, what_if_facts, what_if_result, what_if_title, what_ifs};

use crate::figures;
use plimsoll_findings::{
    Condition, Findings, LawFinding, LittlesLaw, LoadLine, ObjectiveFinding, ScalePoint, ScaleVerdict, StepFinding,
    StepVerdict, Tells, Verdict,
};
use schemars::JsonSchema;
use serde::Serialize;

/// What a run comes to, one sentence without its end.
#[must_use]
pub fn comes_to(findings: &Findings) -> String {
    headline(&findings.headline)
}

/// With a capital. A Greek letter stays as it is: it names a parameter.
pub(crate) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// How something fared; each renderer has its own mark and colour for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Tone {
    /// As it should be.
    Good,
    /// As it should not be.
    Bad,
    /// Known only in part.
    Doubtful,
    /// Not known, or neither.
    Unknown,
}

pub(crate) fn verdict(verdict: Verdict) -> (Tone, &'static str) {
    match verdict {
        Verdict::Passed => (Tone::Good, "passed"),
        Verdict::Breached => (Tone::Bad, "breached"),
        Verdict::Invalid => (Tone::Doubtful, "invalid"),
        Verdict::Interrupted => (Tone::Doubtful, "interrupted"),
        Verdict::Unjudged => (Tone::Doubtful, "not judged"),
        Verdict::Failed => (Tone::Bad, "failed"),
    }
}

/// The machine in one line; nothing before the first round.
pub(crate) fn host_or_nothing(of: Option<&plimsoll_measure::Host>) -> String {
    of.map_or(String::new(), host)
}

pub(crate) fn step_verdict(verdict: StepVerdict) -> (Tone, &'static str) {
    match verdict {
        StepVerdict::Passed => (Tone::Good, "passed"),
        StepVerdict::Breached => (Tone::Bad, "breached"),
        StepVerdict::Invalid => (Tone::Doubtful, "invalid"),
        StepVerdict::Unjudged => (Tone::Unknown, "not judged"),
    }
}

pub(crate) fn objective_verdict(objective: &ObjectiveFinding) -> (Tone, &'static str) {
    match objective.passed {
        Some(true) => (Tone::Good, "passed"),
        Some(false) => (Tone::Bad, "breached"),
        None => (Tone::Doubtful, "not judged"),
    }
}

/// What was observed of an objective.
pub(crate) fn objective_observed(of: &Condition, observed: f64) -> String {
    in_unit(observed, of.unit)
}

/// Why a step has its verdict: what the generator lacked, or what broke.
pub(crate) fn step_why(step: &StepFinding) -> String {
    let because = step.invalid_because.map(late);
    because
        .or_else(|| step.broke.as_ref().map(objective))
        .unwrap_or_default()
}

/// Why an objective has no verdict.
pub(crate) fn unjudged(objective: &ObjectiveFinding) -> String {
    let because = objective.unjudged_because.map(reason::unjudged);
    format!("not judged: {}", because.as_deref().unwrap_or("no window was judged"))
}

/// The durations that were recorded, and their figures in the order of [`PERCENTILE_HEADS`].
pub(crate) fn durations(findings: &Findings) -> Vec<(&'static str, [String; 6])> {
    [
        ("response time", &findings.response_time),
        ("service time", &findings.service_time),
        ("schedule lag", &findings.schedule_lag),
    ]
    .into_iter()
    .filter(|(_, p)| p.count > 0)
    .map(|(name, p)| {
        (
            name,
            [p.p50_ms, p.p90_ms, p.p95_ms, p.p99_ms, p.p999_ms, p.max_ms]
                .map(|ms| figures::known(ms, figures::duration_ms)),
        )
    })
    .collect()
}

pub(crate) const PERCENTILE_HEADS: [&str; 6] = ["p50", "p90", "p95", "p99", "p99.9", "max"];

/// Where the durations, objectives and resources of a report were taken.
pub(crate) fn taken_at(findings: &Findings) -> String {
    match &findings.load_line {
        Some(line) => asked(findings, format!("at {}", line_at(line))),
        None if findings.shock.is_some() => "before the shock".to_owned(),
        None => "over the judged part".to_owned(),
    }
}

/// Control characters, and those that reorder the text around them: a name could disguise a verdict with them.
pub(crate) fn is_deceptive(c: char) -> bool {
    c.is_control() || plimsoll_plain::is_unsafe(c)
}

/// A load line, in its unit.
pub(crate) fn line_at(line: &LoadLine) -> String {
    match line.at_a_time() {
        Some(at) => figures::at_a_time(at.of, at.line as f64),
        None => line_rate(line, line.rate_per_s),
    }
}

/// Where it failed, in its unit.
pub(crate) fn line_failed(line: &LoadLine) -> Option<String> {
    match line.at_a_time() {
        Some(at) => at.failed.map(|failed| figures::at_a_time(at.of, failed as f64)),
        None => line.failed_per_s.map(|rate| line_rate(line, rate)),
    }
}

/// The number of a load line, and its unit.
pub(crate) fn line_figure(line: &LoadLine) -> (String, &'static str) {
    match line.at_a_time() {
        Some(at) => (figures::count(at.line), figures::crowd(at.of)),
        None if line.users => (figures::number(line.rate_per_s), "users/s"),
        None => (figures::number(line.rate_per_s), "req/s"),
    }
}

/// A rate of a load line, in its unit.
fn line_rate(line: &LoadLine, per_s: f64) -> String {
    figures::rate_of(line.users, per_s)
}

/// What the users of a load line ask for, and what Little's law says of them.
pub(crate) fn concurrent(line: &LoadLine) -> Option<Vec<(&'static str, String)>> {
    let concurrent = line.concurrent.as_ref()?;
    let mut facts = vec![("asked for", format!("{} at the line", figures::rate(line.rate_per_s)))];
    if let Some(law) = &concurrent.littles_law {
        facts.push(("little's law", littles_law(law, concurrent.users)));
    }
    Some(facts)
}

fn littles_law(law: &LittlesLaw, users: u64) -> String {
    let product = format!(
        "{} × ({} response time + {} pause) = {}",
        figures::rate(law.throughput_per_s),
        figures::duration_ms(law.response_ms),
        figures::duration_ms(law.pause_ms),
        figures::concurrent(law.users)
    );
    let waiting = law.throughput_per_s * law.response_ms / 1e3;
    match law.holds {
        true => format!(
            "{product}, of whom {} wait for a response at any time",
            figures::number(waiting)
        ),
        false => format!("{product}, and not {}", figures::count(users)),
    }
}

/// The unit of what steps offer.
pub(crate) fn offered_in(findings: &Findings) -> &'static str {
    match (
        findings.steps.iter().find_map(StepFinding::at_a_time),
        findings.journeys.is_empty(),
    ) {
        (Some((of, _)), _) => figures::crowd(of),
        (None, true) => "req/s",
        (None, false) => "users/s",
    }
}

/// What is said of a load line whose search ended early.
pub(crate) const UNCONFIRMED: &str = "its bracket not confirmed";

/// The load line, and what is not certain of it.
pub(crate) fn load_line(line: &LoadLine) -> String {
    let rate = line_at(line);
    match line_failed(line) {
        None => format!("load line at least {rate}"),
        Some(_) if line.converged => format!("load line {rate}"),
        Some(_) => format!("load line {rate}, {UNCONFIRMED}"),
    }
}

/// The interval that holds the true line, in words.
pub(crate) fn interval(findings: &Findings) -> Option<String> {
    findings.load_line.as_ref().map(interval_of)
}

/// The interval that holds the true line.
pub(crate) fn interval_of(line: &LoadLine) -> String {
    format!(
        "{} ({} confidence), {}",
        range(line),
        figures::share(line.confidence),
        bracket(line)
    )
}

/// From where to where the interval goes that holds the true line.
pub(crate) fn range(line: &LoadLine) -> String {
    if let Some(at) = line.at_a_time() {
        let low = at.interval_low;
        return match at.interval_high {
            Some(high) => format!(
                "{} to {}",
                figures::count(low.round() as u64),
                figures::at_a_time(at.of, high)
            ),
            None => format!("{} or more", figures::at_a_time(at.of, low)),
        };
    }
    match line.interval_high_per_s {
        Some(high) => format!(
            "{} to {}",
            figures::number(line.interval_low_per_s),
            line_rate(line, high)
        ),
        None => format!("{} or more", line_rate(line, line.interval_low_per_s)),
    }
}

/// How far that interval can be relied on.
pub(crate) fn certainty(line: &LoadLine) -> String {
    format!("{} confidence, {}", figures::share(line.confidence), bracket(line))
}

fn bracket(line: &LoadLine) -> String {
    match line.bracket_share {
        Some(share) => format!("bracket {}", figures::share(share)),
        None => "no upper end met".to_owned(),
    }
}

/// The objective that broke first and where, in words.
pub(crate) fn broke(findings: &Findings) -> Option<String> {
    let between = if findings.load_line.is_some() { ", " } else { ": " };
    let (objective, how) = broke_first(findings)?;
    Some([objective, how].into_iter().flatten().collect::<Vec<_>>().join(between))
}

/// The objective that broke first, and where or how.
pub(crate) fn broke_first(findings: &Findings) -> Option<(Option<String>, Option<String>)> {
    if let Some(line) = &findings.load_line {
        let at = line_failed(line).map(|failed| format!("at {failed}"));
        let nothing = || "nothing: every load that was judged passed".to_owned();
        let broke = line.broke.as_ref().map(objective);
        let how = if broke.is_none() {
            at.or_else(|| Some(nothing()))
        } else {
            at
        };
        return Some((broke, how));
    }
    if findings.verdict == Verdict::Invalid {
        return None;
    }
    let first = findings.broke()?;
    let [observed, ..] = objective_figures(first);
    Some((
        Some(objective(&first.objective)),
        Some(format!("{observed}, held in {} windows", objective::windows(first))),
    ))
}

/// How many requests had which outcome, in words.
pub(crate) fn volume(findings: &Findings) -> String {
    let t = &findings.totals;
    let dropped = if t.dropped == 0 {
        String::new()
    } else {
        format!(", {} never made", figures::count(t.dropped))
    };
    format!(
        "{} completed of {} scheduled{dropped}, {}",
        figures::count(t.completed),
        figures::count(t.scheduled),
        match t.errors {
            0 => "no error".to_owned(),
            1 => "1 error".to_owned(),
            n => format!("{} errors", figures::count(n)),
        }
    )
}

pub(crate) fn scale_verdict(verdict: ScaleVerdict) -> (Tone, &'static str) {
    match verdict {
        ScaleVerdict::Fitted => (Tone::Good, "fitted"),
        ScaleVerdict::Invalid => (Tone::Doubtful, "invalid"),
        ScaleVerdict::Interrupted => (Tone::Doubtful, "interrupted"),
        ScaleVerdict::Failed => (Tone::Bad, "failed"),
    }
}

/// What the points of a sweep can tell of the two costs.
pub(crate) fn tells(tells: Tells) -> &'static str {
    match tells {
        Tells::Both => "contention and coherency are both there",
        Tells::Contention => "contention explains these points; coherency is not needed, so a peak is not proven",
        Tells::Coherency => "coherency explains these points; contention is not needed",
        Tells::Either => "these data cannot tell σ (contention) from κ (coherency)",
        Tells::Neither => "neither contention nor coherency can be seen in these points",
    }
}

pub(crate) const POINT_HEADS: [&str; 6] = ["size", "completed", "law", "efficiency", "p50", "CPU per request"];

/// A size and its figures, in the order of [`POINT_HEADS`].
pub(crate) fn point(point: &ScalePoint) -> [String; 6] {
    [
        figures::count(point.size.into()),
        figures::number(point.throughput_per_s),
        figures::or_dash(point.fitted_per_s.map(figures::number)),
        figures::or_dash(point.efficiency.map(figures::share)),
        figures::or_dash(point.p50_ms.map(figures::duration_ms)),
        figures::or_dash(point.cpu_us_per_request.map(figures::duration_us)),
    ]
}

/// The parameters of the law with their intervals, by name.
pub(crate) fn parameters(law: &LawFinding, sizes_of: &str) -> Vec<(&'static str, String)> {
    let small = |value: f64| format!("{value:.6}");
    let mut all = vec![
        ("λ", format!("{} req/s", with_interval(&law.lambda, &figures::number))),
        ("σ contention", with_interval(&law.sigma, &small)),
        ("κ coherency", with_interval(&law.kappa, &small)),
    ];
    if let (Some(size), Some(per_s)) = (&law.peak_size, law.peak_per_s) {
        let at = with_interval(size, &figures::number);
        // Without coherency no law has a peak.
        let name = match law.tells {
            Tells::Both | Tells::Coherency => "peak",
            Tells::Contention | Tells::Either | Tells::Neither => "peak of the fit",
        };
        all.push((name, format!("{at} {sizes_of}, {}", figures::rate(per_s))));
    }
    all
}
