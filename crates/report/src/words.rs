//! The words and tables that the text renderers share.

mod responses;

pub(crate) use responses::{example, failure, statuses, statuses_together, whose};

use crate::figures;
use plimsoll_analysis::{
    Bound, Cause, CompareVerdict, Comparison, EffectFinding, EffectVerdict, FigureFinding, FigureVerdict, Findings,
    HereFinding, HoldFinding, LawFinding, LoadLine, ObjectiveFinding, Parameter, Place, Predicted, PredictionFinding,
    PublishedFinding, ScalePoint, ScaleVerdict, StepVerdict, StudyVerdict, Tells, Verdict,
};

/// How something fared; each renderer has its own mark and colour for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Doubtful,
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

pub(crate) fn compare_verdict(verdict: CompareVerdict) -> (Tone, &'static str) {
    match verdict {
        CompareVerdict::Better => (Tone::Good, "better"),
        CompareVerdict::Worse => (Tone::Bad, "worse"),
        CompareVerdict::Mixed => (Tone::Doubtful, "mixed"),
        CompareVerdict::NoDifference => (Tone::Unknown, "no difference found"),
        CompareVerdict::Invalid => (Tone::Doubtful, "invalid"),
        CompareVerdict::Interrupted => (Tone::Doubtful, "interrupted"),
        CompareVerdict::Failed => (Tone::Bad, "failed"),
    }
}

pub(crate) fn figure_verdict(verdict: FigureVerdict) -> (Tone, &'static str) {
    match verdict {
        FigureVerdict::Better => (Tone::Good, "better"),
        FigureVerdict::Worse => (Tone::Bad, "worse"),
        FigureVerdict::NoDifference => (Tone::Unknown, "none found"),
        FigureVerdict::Unjudged => (Tone::Unknown, "not judged"),
    }
}

pub(crate) const CHANGE_HEADS: [&str; 5] = ["first", "variant", "change", "interval", "would see"];

/// Both values, the change, its interval and the least change that would have been seen, in the order of
/// [`CHANGE_HEADS`].
pub(crate) fn change(figure: &FigureFinding) -> [String; 5] {
    let value = |value: f64| in_unit(value, &figure.unit);
    [
        value(figure.baseline),
        value(figure.value),
        figures::signed_share(figure.change),
        format!(
            "{} to {}",
            figures::signed_share(figure.change_low),
            figures::signed_share(figure.change_high)
        ),
        figures::share(figure.detectable),
    ]
}

/// A figure in the unit that findings name.
fn in_unit(value: f64, unit: &str) -> String {
    match unit {
        "us" => figures::duration_us(value),
        "ms" => figures::duration_ms(value),
        "bytes" => figures::bytes(value as u64),
        "share" => figures::share(value),
        "per_s" => figures::rate(value),
        _ => figures::small(value),
    }
}

pub(crate) fn study_verdict(verdict: StudyVerdict) -> (Tone, &'static str) {
    match verdict {
        StudyVerdict::Reproduced => (Tone::Good, "reproduced"),
        StudyVerdict::Partly => (Tone::Doubtful, "partly reproduced"),
        StudyVerdict::NotReproduced => (Tone::Unknown, "not reproduced"),
        StudyVerdict::Untold => (Tone::Doubtful, "cannot be told"),
        StudyVerdict::Shown => (Tone::Unknown, "shown"),
        StudyVerdict::Invalid => (Tone::Doubtful, "invalid"),
        StudyVerdict::Interrupted => (Tone::Doubtful, "interrupted"),
        StudyVerdict::Failed => (Tone::Bad, "failed"),
    }
}

pub(crate) fn effect_verdict(verdict: EffectVerdict) -> (Tone, &'static str) {
    match verdict {
        EffectVerdict::Reproduced => (Tone::Good, "reproduced"),
        EffectVerdict::Weaker => (Tone::Doubtful, "weaker"),
        EffectVerdict::NotReproduced => (Tone::Unknown, "not here"),
        EffectVerdict::Untold => (Tone::Doubtful, "cannot tell"),
        EffectVerdict::Reversed => (Tone::Bad, "reversed"),
        EffectVerdict::Shown => (Tone::Unknown, "shown"),
        EffectVerdict::NotMeasured => (Tone::Bad, "not measured"),
    }
}

pub(crate) const EFFECT_HEADS: [&str; 4] = ["published", "here", "interval", "size"];

/// The ratio that was published, the one of here, its interval, and how large the one is of the other, in the order of
/// [`EFFECT_HEADS`].
pub(crate) fn effect(effect: &EffectFinding) -> [String; 4] {
    let interval = |here: &HereFinding| match (here.low, here.high) {
        (Some(low), Some(high)) => Some(format!("{} to {}", figures::small(low), figures::small(high))),
        (Some(low), None) => Some(format!("above {}", figures::small(low))),
        (None, _) => None,
    };
    let here = effect.here.as_ref();
    [
        figures::or_dash(effect.published.as_ref().map(published_ratio)),
        figures::or_dash(here.map(|here| here.ratio.map_or("no end".to_owned(), figures::small))),
        figures::or_dash(here.and_then(interval)),
        figures::or_dash(effect.share_of_published.map(figures::share)),
    ]
}

fn published_ratio(published: &PublishedFinding) -> String {
    let bound = |sign: &str, bound: Option<f64>| bound.map(|bound| format!("{sign} {}", figures::small(bound)));
    published
        .direction
        .clone()
        .or_else(|| bound("≥", published.at_least))
        .or_else(|| bound("≤", published.at_most))
        .or_else(|| published.ratio.map(figures::small))
        .unwrap_or_default()
}

/// What was published, with its figures.
pub(crate) fn published(published: &PublishedFinding) -> String {
    match (published.from, published.to) {
        (Some(from), Some(to)) => format!("{} → {}, {}", figures::small(from), figures::small(to), published.what),
        _ => format!("{}, {}", published_ratio(published), published.what),
    }
}

/// What is here, with its figures.
pub(crate) fn here(here: &HereFinding) -> String {
    let to = in_unit(here.to, &here.unit);
    let figures = match here.from {
        Some(from) => format!("{} → {to}", in_unit(from, &here.unit)),
        None => to,
    };
    let steps = match here.steps {
        1 => String::new(),
        steps => format!(", {steps} steps"),
    };
    format!("{figures}, {}{steps}", here.figure)
}

pub(crate) fn step_verdict(verdict: StepVerdict) -> (Tone, &'static str) {
    match verdict {
        StepVerdict::Passed => (Tone::Good, "passed"),
        StepVerdict::Breached => (Tone::Bad, "breached"),
        StepVerdict::Invalid => (Tone::Doubtful, "invalid"),
        StepVerdict::Unjudged => (Tone::Unknown, "not judged"),
    }
}

pub(crate) fn objective(objective: &ObjectiveFinding) -> (Tone, &'static str) {
    match objective.passed {
        Some(true) => (Tone::Good, "passed"),
        Some(false) => (Tone::Bad, "breached"),
        None => (Tone::Doubtful, "not judged"),
    }
}

/// Why an objective has no verdict.
pub(crate) fn unjudged(objective: &ObjectiveFinding) -> String {
    let because = objective.unjudged_because.as_deref().unwrap_or("no window was judged");
    format!("not judged: {because}")
}

/// Observed figure, worst window and passing windows, in the order of [`OBJECTIVE_HEADS`].
pub(crate) fn objective_figures(objective: &ObjectiveFinding) -> [String; 3] {
    let figure = |value: Option<f64>| figures::or_dash(value.map(|v| figures::in_unit(v, &objective.unit)));
    [
        figure(objective.observed),
        figure(objective.worst),
        figures::known(Some(objective).filter(|o| o.windows_judged > 0), windows),
    ]
}

fn windows(objective: &ObjectiveFinding) -> String {
    let (passed, judged) = (objective.windows_passed.into(), objective.windows_judged.into());
    format!("{} of {}", figures::count(passed), figures::count(judged))
}

pub(crate) const OBJECTIVE_HEADS: [&str; 3] = ["observed", "worst window", "windows passed"];

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
        Some(line) => format!("at {}", figures::rate(line.rate_per_s)),
        None => "over the judged part".to_owned(),
    }
}

/// Control characters, and those that reorder the text around them: a name could disguise a verdict with them.
pub(crate) fn is_deceptive(c: char) -> bool {
    c.is_control() || plimsoll_plain::is_unsafe(c)
}

/// The load line, and what is not certain of it.
pub(crate) fn load_line(line: &LoadLine) -> String {
    let rate = figures::rate(line.rate_per_s);
    match line.failed_per_s {
        None => format!("load line at least {rate}"),
        Some(_) if line.converged => format!("load line {rate}"),
        Some(_) => format!("load line {rate}, its bracket not confirmed"),
    }
}

/// The interval that holds the true line, in words.
pub(crate) fn interval(findings: &Findings) -> Option<String> {
    let line = findings.load_line.as_ref()?;
    let range = match line.interval_high_per_s {
        Some(high) => format!(
            "{} to {}",
            figures::number(line.interval_low_per_s),
            figures::rate(high)
        ),
        None => format!("{} or more", figures::rate(line.interval_low_per_s)),
    };
    let bracket = match line.bracket_share {
        Some(share) => format!("bracket {}", figures::share(share)),
        None => "no upper end met".to_owned(),
    };
    Some(format!(
        "{range} ({} confidence), {bracket}",
        figures::share(line.confidence)
    ))
}

/// The objective that broke first and where, in words.
pub(crate) fn broke(findings: &Findings) -> Option<String> {
    if let Some(line) = &findings.load_line {
        return Some(match (&line.broke, line.failed_per_s) {
            (Some(objective), Some(rate)) => format!("{objective}, at {}", figures::rate(rate)),
            (Some(objective), None) => objective.clone(),
            (None, Some(rate)) => format!("at {}", figures::rate(rate)),
            (None, None) => "nothing: every rate that was judged passed".to_owned(),
        });
    }
    if findings.verdict == Verdict::Invalid {
        return None;
    }
    let first = findings.broke()?;
    let [observed, ..] = objective_figures(first);
    Some(format!(
        "{}: {observed}, held in {} windows",
        first.objective,
        windows(first)
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

/// Held connections: what is said of them, with a word for each.
pub(crate) fn hold(hold: &HoldFinding) -> Vec<(&'static str, String)> {
    let count = figures::count;
    let mut facts = vec![
        (
            "held",
            format!(
                "{} of {} at the end, {} at most, {} lost",
                count(hold.live),
                count(hold.wanted),
                count(hold.live_max),
                count(hold.lost)
            ),
        ),
        (
            "opened",
            format!(
                "{} within {}, then held for {}",
                count(hold.opened),
                figures::known(hold.opening_s, figures::length_s),
                figures::known(hold.held_s, figures::length_s)
            ),
        ),
        ("answers", count(hold.delivered)),
    ];
    let delivery = &hold.delivery_time;
    if delivery.count > 0 {
        let [p50, p99, max] =
            [delivery.p50_ms, delivery.p99_ms, delivery.max_ms].map(|ms| figures::known(ms, figures::duration_ms));
        let text = format!(
            "p50 {p50}, p99 {p99}, longest {max} ({} sampled)",
            count(delivery.count)
        );
        facts.push(("delivery", text));
    }
    let each = [
        ("generator", hold.generator_bytes_per_connection),
        ("service", hold.service_bytes_per_connection),
        ("kernel", hold.kernel_bytes_per_connection),
    ];
    let known: Vec<_> = each
        .into_iter()
        .filter_map(|(whose, bytes)| Some(format!("{whose} {} B", figures::number(bytes?))))
        .collect();
    if !known.is_empty() {
        facts.push(("each costs", known.join(", ")));
    }
    facts
}

/// How many rounds there were and how many of them count, in words.
pub(crate) fn rounds(comparison: &Comparison) -> String {
    let used = comparison.rounds.iter().filter(|round| round.used).count() as u64;
    let each = comparison.variants.first().map_or(0, |variant| variant.rounds_used);
    format!(
        "{} run, {} used, {} of each variant",
        figures::count(comparison.rounds.len() as u64),
        figures::count(used),
        figures::count(each.into())
    )
}

/// What became of the threshold that was set, in words.
pub(crate) fn threshold(comparison: &Comparison) -> Option<String> {
    let limit = figures::share(comparison.fail_if_worse?);
    Some(if comparison.failed {
        format!("failed: worse by more than {limit}")
    } else {
        format!("held: nothing is known to be worse by more than {limit}")
    })
}

/// What a diagnosis predicted of the second variant, in words.
pub(crate) fn prediction(of: &PredictionFinding) -> String {
    let factor = figures::number(of.predicted);
    format!("load line × {factor}, by {} for {}", of.diagnosis, of.cause)
}

/// What came of it, in words.
pub(crate) fn outcome(of: &PredictionFinding) -> Option<String> {
    let [proven, low, high] = [of.proven?, of.proven_low?, of.proven_high?].map(figures::number);
    let error = match of.error {
        None => "no gain".to_owned(),
        Some(error) => {
            let side = if error < 0.0 { "too low" } else { "too high" };
            format!("predicted {side} by {} of the gain", figures::share(error.abs()))
        }
    };
    Some(format!("× {proven} ({low} to {high}); {error}"))
}

/// What runs out first, in words.
pub(crate) fn bound(bound: Bound) -> &'static str {
    match bound {
        Bound::Cpu => "CPU-bound",
        Bound::Upstream => "bound by other services",
        Bound::Neither => "bound by neither CPU nor other services",
        Bound::Unknown => "bound by something unseen",
    }
}

/// A line of code: `src/app.js:42 (handler)`.
pub(crate) fn place(place: &Place) -> String {
    let column = place
        .column
        .filter(|_| !place.is_function)
        .map(|column| format!(":{column}"));
    let function = match place.function.as_str() {
        "" => String::new(),
        name => format!(" ({name})"),
    };
    format!("{place}{}{function}", column.unwrap_or_default())
}

/// A cause and the line that it comes from.
pub(crate) fn cause(cause: &Cause) -> String {
    let via = cause.via.as_ref().filter(|via| !cause.what.ends_with(via.as_str()));
    let via = via.map(|via| format!(", through {via}")).unwrap_or_default();
    match &cause.place {
        Some(at) if at.is_function => format!("{}{via}, in {}", cause.what, place(at)),
        Some(at) => format!("{}{via}, at {}", cause.what, place(at)),
        None => format!("{}{via}", cause.what),
    }
}

/// What a cause costs each request.
pub(crate) fn cause_costs(cause: &Cause) -> String {
    let mut costs = Vec::new();
    if let Some(us) = cause.cpu_us_per_request {
        let share = cause
            .cpu_share
            .map(|share| format!(", {} of its CPU", figures::share(share)));
        costs.push(format!(
            "{} per request{}",
            figures::duration_us(us),
            share.unwrap_or_default()
        ));
    }
    if let Some(ms) = cause.wait_ms_per_request {
        costs.push(format!("{} of waiting per request", figures::duration_ms(ms)));
    }
    if let Some(calls) = cause.per_request {
        costs.push(match figures::number(calls).as_str() {
            "1" => "once per request".to_owned(),
            times => format!("{times} times per request"),
        });
    }
    if costs.is_empty() {
        return "not known in CPU or time".to_owned();
    }
    costs.join("; ")
}

/// What mending a cause is predicted to give back.
pub(crate) fn predicted(predicted: &Predicted) -> String {
    let factor = figures::number(predicted.factor);
    match predicted.load_line_per_s {
        Some(line) => format!("load line {} (× {factor}), if mended", figures::rate(line)),
        None => format!("load line × {factor}, if mended"),
    }
}

/// The same, with what it rests on.
pub(crate) fn predicted_with_assumption(of: &Predicted) -> String {
    format!("{}; assumes that {}", predicted(of), of.assumption)
}

/// How much more a pass with probe costs: `+4.2%`.
pub(crate) fn extra(share: f64) -> String {
    let sign = if share >= 0.0 { "+" } else { "-" };
    format!("{sign}{}", figures::share(share.abs()))
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
    let with = |parameter: &Parameter, draw: &dyn Fn(f64) -> String| {
        let range = match parameter.high {
            Some(high) => format!("{} to {}", draw(parameter.low), draw(high)),
            None => format!("{} or more", draw(parameter.low)),
        };
        format!("{} ({range})", draw(parameter.value))
    };
    let small = |value: f64| format!("{value:.6}");
    let mut all = vec![
        ("λ", format!("{} req/s", with(&law.lambda, &figures::number))),
        ("σ contention", with(&law.sigma, &small)),
        ("κ coherency", with(&law.kappa, &small)),
    ];
    if let (Some(size), Some(per_s)) = (&law.peak_size, law.peak_per_s) {
        let at = with(size, &figures::number);
        // Without coherency no law has a peak.
        let name = match law.tells {
            Tells::Both | Tells::Coherency => "peak",
            Tells::Contention | Tells::Either | Tells::Neither => "peak of the fit",
        };
        all.push((name, format!("{at} {sizes_of}, {}", figures::rate(per_s))));
    }
    all
}
