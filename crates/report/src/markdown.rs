//! Findings as GitHub-flavoured Markdown, for the summary of a CI job.

mod comparison;
mod scaling;
mod study;

pub(crate) use comparison::comparison;
pub(crate) use scaling::scaling;
pub(crate) use study::study;

use crate::figures;
use crate::words::{self, Tone};
use plimsoll_findings::{Diagnosis, Findings, Notice, ResponsesFinding, Verdict};

/// The findings as Markdown, ending in a newline.
#[must_use]
pub fn markdown(findings: &Findings) -> String {
    let mut out = String::new();
    let (tone, word) = words::verdict(findings.verdict);
    let title = match &findings.load_line {
        Some(line) if findings.verdict == Verdict::Passed => words::load_line(line),
        Some(line) => format!("{word}, {}", words::load_line(line)),
        None => word.to_owned(),
    };
    let title = words::asked(findings, title);
    out.push_str(&format!(
        "## {} {}: {title}\n\n{}\n\n",
        mark(tone),
        inert(&findings.name),
        inert(&words::asked(findings, words::headline(&findings.headline)))
    ));
    for (name, text) in [
        ("Ran out first", words::ran_out_first(findings)),
        ("Broke first", words::broke(findings)),
        ("Interval", words::interval(findings)),
        ("Sizing", findings.sizing.as_ref().map(words::sizing)),
    ] {
        if let Some(text) = text {
            let text = words::asked(findings, text);
            out.push_str(&format!("- **{name}:** {}\n", inert(&text)));
        }
    }
    out.push_str(&format!(
        "- **{}:** {}\n",
        words::asked(findings, "Requests"),
        words::volume(findings)
    ));
    if findings.has_statuses() {
        out.push_str(&format!("- **Statuses:** {}\n", words::statuses(findings)));
    }
    for (name, text) in words::of_connections(findings) {
        out.push_str(&format!("- **{name}:** {text}\n"));
    }
    if let Some(hold) = &findings.hold {
        let what = words::what_was_held(hold);
        for (name, text) in words::hold(hold) {
            out.push_str(&format!("- **{what}, {name}:** {text}\n"));
        }
    }
    for (name, text) in findings.shock.iter().flat_map(words::shock_facts) {
        out.push_str(&format!("- **{}, {name}:** {}\n", words::SHOCK, inert(&text)));
    }
    for (name, text) in findings.soak.iter().flat_map(words::soak_facts) {
        out.push_str(&format!("- **{}, {name}:** {text}\n", words::SOAK));
    }
    out.push_str(&format!(
        "- **Next:** {}\n",
        inert(&words::asked(findings, words::next_step(&findings.next_step)))
    ));
    if let Some(diagnosis) = &findings.diagnosis {
        causes(&mut out, findings, diagnosis);
        what_ifs(&mut out, diagnosis);
        layers(&mut out, diagnosis);
        runtime(&mut out, diagnosis);
        listing(&mut out, diagnosis);
    }
    sizing(&mut out, findings);
    objectives(&mut out, findings);
    steps(&mut out, findings);
    durations(&mut out, findings);
    journeys(&mut out, findings);
    requests(&mut out, findings);
    errors(&mut out, findings);
    instances(&mut out, findings);
    neighbours(&mut out, findings);
    notices(&mut out, &findings.notices);
    out.push_str(&format!(
        "\n<sub>plimsoll {} {}, {}, took {}, {}</sub>\n",
        inert(&findings.version),
        findings.command,
        inert(&findings.started_at),
        figures::length_s(findings.duration_s),
        inert(&words::host(&findings.host))
    ));
    out
}

fn causes(out: &mut String, findings: &Findings, diagnosis: &Diagnosis) {
    out.push_str(&format!(
        "\n### Causes\n\n{}: {}.\n\n",
        words::bound(diagnosis.bound),
        inert(&words::why(diagnosis))
    ));
    if diagnosis.causes.is_empty() {
        let none = words::no_causes(&findings.headline);
        out.push_str(&format!("{}.\n", words::capitalised(&inert(&none))));
        return;
    }
    out.push_str("| kind | cause | costs | predicted | remedy |\n|---|---|---|---|---|\n");
    for cause in &diagnosis.causes {
        let inside = words::inside(cause).map(|inside| format!("; inside {inside}"));
        let caller = cause.called_from.as_ref();
        let caller = caller.map(|caller| format!("; called from {}", words::place(caller)));
        let compiled = cause.compiled.map(|by| format!("; {}", words::compiled(by)));
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} |\n",
            cause.kind.as_str(),
            inert(
                &[Some(words::cause(cause)), inside, caller, compiled]
                    .into_iter()
                    .flatten()
                    .collect::<String>()
            ),
            inert(&words::cause_costs(cause)),
            figures::or_dash(
                cause
                    .predicted
                    .as_ref()
                    .map(|predicted| words::of_messages(cause.by_message, words::predicted(predicted)))
            ),
            inert(&words::remedy(cause))
        ));
    }
}

fn what_ifs(out: &mut String, diagnosis: &Diagnosis) {
    if diagnosis.what_if.is_empty() {
        return;
    }
    out.push_str(&format!(
        "\n### What if\n\n{}.\n\n|  | left out | measured | figures |\n|---|---|---|---|\n",
        words::capitalised(&words::what_ifs(diagnosis))
    ));
    for what_if in &diagnosis.what_if {
        let (tone, word) = words::compare_verdict(what_if.verdict);
        let facts = words::what_if_facts(what_if);
        let facts: Vec<_> = facts.iter().map(|(name, text)| format!("{name} {text}")).collect();
        out.push_str(&format!(
            "| {} {word} | {} | {} | {} |\n",
            mark(tone),
            inert(&words::what_if_title(what_if)),
            inert(&words::what_if_result(what_if)),
            inert(&facts.join("; "))
        ));
    }
}

fn layers(out: &mut String, diagnosis: &Diagnosis) {
    let Some(costs) = &diagnosis.layers else { return };
    let (title, place) = (words::LAYERS, words::LAYER_PLACE_HEAD);
    let heads = words::LAYER_HEADS.join(" | ");
    out.push_str(&format!(
        "\n### {title}\n\n{}.\n\n|  | {heads} | {place} |\n|---|{}---|\n",
        words::capitalised(words::LAYERS_OF.trim()),
        "--:|".repeat(words::LAYER_HEADS.len())
    ));
    for layer in words::layers(costs) {
        let figures = layer.figures.map(|figure| inert(&figure)).join(" | ");
        out.push_str(&format!(
            "| {} | {figures} | {} |\n",
            inert(&layer.name),
            inert(&layer.place)
        ));
    }
}

fn runtime(out: &mut String, diagnosis: &Diagnosis) {
    let Some(time) = &diagnosis.runtime else { return };
    let heads = words::CHARGE_HEADS;
    out.push_str(&format!(
        "\n### {}\n\n{}: {}.\n\n| {} | {} | {} |\n|---|--:|---|\n",
        words::RUNTIME,
        words::capitalised(&words::runtime_share(time)),
        words::activity_list(time, words::FEW),
        heads[0],
        heads[1],
        heads[2]
    ));
    for row in words::charge_rows(time, words::FEW) {
        out.push_str(&format!("| {} |\n", row.map(|cell| inert(&cell)).join(" | ")));
    }
    out.push_str(&format!("\n{}.\n", words::capitalised(&words::charged(time))));
}

/// The costliest function alone.
fn listing(out: &mut String, diagnosis: &Diagnosis) {
    let Some(listing) = diagnosis.listings.as_ref().and_then(|all| all.functions.first()) else {
        return;
    };
    let rows = words::listing_rows(listing);
    let [ms, line] = words::LISTING_HEADS;
    let width = |head: &str, cell: fn(&words::ListingRow) -> &str| {
        let cells = rows.iter().map(|row| cell(row).chars().count());
        cells.chain([head.len()]).max().unwrap_or(0)
    };
    let (ms_width, line_width) = (width(ms, |row| &row.ms), width(line, |row| &row.line));
    let mut code = format!("{ms:>ms_width$}  {line:>line_width$}\n");
    for row in &rows {
        if row.after_gap {
            code.push_str(&format!("{:>ms_width$}  {:>line_width$}\n", "", words::LEFT_OUT));
        }
        let text = format!("{:>ms_width$}  {:>line_width$}  {}", row.ms, row.line, row.text);
        let inert = text.chars().map(|c| if words::is_deceptive(c) { ' ' } else { c });
        code.push_str(inert.collect::<String>().trim_end());
        code.push('\n');
    }
    // Longer than any in the code.
    let fence = "`".repeat(longest_run(&code, '`').max(2) + 1);
    out.push_str(&format!(
        "\n### {}\n\n{}: {}.\n\n{fence}text\n{code}{fence}\n",
        words::LISTING,
        inert(&words::listing_title(listing)),
        inert(&words::listing_costs(listing))
    ));
}

/// How often `wanted` stands in a row at most.
fn longest_run(text: &str, wanted: char) -> usize {
    let runs = text.split(|c| c != wanted).map(str::len);
    runs.max().unwrap_or(0)
}

fn sizing(out: &mut String, findings: &Findings) {
    let Some((sizing, predicted)) = words::sized(findings) else {
        return;
    };
    out.push_str(&format!("\n### {}\n\n", words::SIZING));
    let sentence = |text: &str| format!("{}.\n", words::capitalised(&inert(text)));
    let [needed, spare] = words::SIZING_HEADS;
    out.push_str(&sentence(&words::sized_by(sizing, predicted)));
    out.push_str(&format!("\n|  | {needed} | {spare} |\n|---|--:|--:|\n"));
    for (name, figures) in words::sizing_rows(sizing, predicted) {
        let figures = figures.map(|figure| inert(&figure)).join(" | ");
        out.push_str(&format!("| {name} | {figures} |\n"));
    }
    out.push_str(&format!("\n{}", sentence(&words::sizing_assumes(predicted))));
}

fn objectives(out: &mut String, findings: &Findings) {
    if findings.objectives.is_empty() {
        return;
    }
    let [observed, worst, windows] = words::OBJECTIVE_HEADS;
    out.push_str(&format!(
        "\n### Objectives {}\n\n|  | objective | {observed} | {worst} | {windows} |\n|---|---|--:|--:|--:|\n",
        words::taken_at(findings)
    ));
    for objective in &findings.objectives {
        let (tone, word) = words::objective_verdict(objective);
        let figures = words::objective_figures(objective).map(|f| inert(&f)).join(" | ");
        out.push_str(&format!(
            "| {} {word} | {} | {figures} |\n",
            mark(tone),
            inert(&words::objective(&objective.objective))
        ));
    }
}

fn steps(out: &mut String, findings: &Findings) {
    if findings.steps.len() < 2 {
        return;
    }
    let (offered, completed) = (
        words::asked(findings, words::offered_in(findings)),
        words::asked(findings, "req/s"),
    );
    out.push_str(&format!(
        "\n<details><summary>Steps tried</summary>\n\n|  | offered {offered} | completed {completed} | p99 | cpu | errors | why |\n\
         |---|--:|--:|--:|--:|--:|---|\n",
    ));
    for step in &findings.steps {
        let (tone, word) = words::step_verdict(step.verdict);
        out.push_str(&format!(
            "| {} {word} | {} | {} | {} | {} | {} | {} |\n",
            mark(tone),
            figures::or_dash(step.offered().map(figures::number)),
            figures::known(step.throughput_per_s, figures::number),
            figures::known(step.response_time.p99_ms, figures::duration_ms),
            figures::or_dash(step.cpu_share.map(|s| inert(&figures::share(s)))),
            inert(&figures::known(step.error_share, figures::share)),
            inert(&words::step_why(step)),
        ));
    }
    out.push_str("\n</details>\n");
}

fn durations(out: &mut String, findings: &Findings) {
    if findings.response_time.count == 0 {
        return;
    }
    out.push_str(&format!(
        "\n### Times {}\n\n|  | {} |\n|---|--:|--:|--:|--:|--:|--:|\n",
        words::taken_at(findings),
        words::PERCENTILE_HEADS.join(" | ")
    ));
    for (name, row) in words::durations(findings) {
        out.push_str(&format!("| {name} | {} |\n", row.join(" | ")));
    }
}

fn journeys(out: &mut String, findings: &Findings) {
    if findings.journeys.is_empty() {
        return;
    }
    out.push_str(&format!(
        "\n### {} {}; counts over the whole run\n\n| journey | {} |\n|---|{}\n",
        words::JOURNEYS,
        words::taken_at(findings),
        words::JOURNEY_HEADS.join(" | "),
        "--:|".repeat(words::JOURNEY_HEADS.len())
    ));
    for journey in &findings.journeys {
        let figures = words::journey_figures(journey).join(" | ");
        out.push_str(&format!("| {} | {figures} |\n", inert(&journey.name)));
    }
    let [users, share, failed] = words::REACHED_HEADS;
    out.push_str(&format!(
        "\n| journey | came to | {users} | {share} | {failed} |\n|---|---|--:|--:|--:|\n"
    ));
    for journey in &findings.journeys {
        for reached in &journey.requests {
            let figures = words::reached_figures(reached).map(|figure| inert(&figure)).join(" | ");
            let (journey, request) = (inert(&journey.name), inert(&words::reached_name(reached)));
            out.push_str(&format!("| {journey} | {request} | {figures} |\n"));
        }
    }
    let once = findings.journeys.iter().filter_map(words::of_whom_once);
    for text in once.chain(words::under_way(&findings.journeys)) {
        out.push_str(&format!("\n{}.\n", inert(&text)));
    }
}

fn requests(out: &mut String, findings: &Findings) {
    if findings.requests.is_empty() {
        return;
    }
    let (head, heads) = words::request_heads(findings);
    out.push_str(&format!(
        "\n### {} {}; {} over the whole run\n\n| {} | {} |\n|---|{}---|\n",
        words::asked(findings, "Requests"),
        words::taken_at(findings),
        words::over_the_run(findings),
        head,
        heads.join(" | "),
        "--:|".repeat(heads.len() - 1)
    ));
    for request in &findings.requests {
        let figures = words::request_figures(request).map(|figure| inert(&figure));
        let figures = figures[..heads.len()].join(" | ");
        out.push_str(&format!("| {} | {figures} |\n", inert(&words::request_name(request))));
    }
}

fn errors(out: &mut String, findings: &Findings) {
    if findings.errors.is_empty() {
        return;
    }
    out.push_str("\n### Errors\n\n| class | count | share | meaning | example |\n|---|--:|--:|---|---|\n");
    for error in &findings.errors {
        out.push_str(&format!(
            "| {}{} | {} | {} | {} | {} |\n",
            inert(error.class.as_str()),
            words::whose(error),
            figures::count(error.count),
            inert(&figures::share(error.share)),
            inert(words::meaning(error.class)),
            figures::or_dash(error.example.as_ref().map(|example| inert(&words::example(example))))
        ));
    }
}

fn instances(out: &mut String, findings: &Findings) {
    let target = findings.target_resources.as_ref();
    let Some(target) = target.filter(|target| !target.instances.is_empty()) else {
        return;
    };
    out.push_str(&format!(
        "\n### {} {}\n\n| {} | {} |\n|---|--:|---|{}\n",
        words::INSTANCES,
        words::instances_taken(findings),
        words::INSTANCE_NAME_HEADS.join(" | "),
        words::INSTANCE_HEADS.join(" | "),
        "--:|".repeat(words::INSTANCE_HEADS.len())
    ));
    for instance in &target.instances {
        let names = words::instance_names(instance).map(|name| inert(&name)).join(" | ");
        let figures = words::instance_figures(instance)
            .map(|figure| inert(&figure))
            .join(" | ");
        out.push_str(&format!("| {names} | {figures} |\n"));
    }
}

fn neighbours(out: &mut String, findings: &Findings) {
    if findings.neighbours.is_empty() {
        return;
    }
    out.push_str(&format!(
        "\n### {} {}\n\n| neighbour | {} |\n|---|{}\n",
        words::NEIGHBOURS,
        words::taken_at(findings),
        words::NEIGHBOUR_HEADS.join(" | "),
        "--:|".repeat(words::NEIGHBOUR_HEADS.len())
    ));
    for neighbour in &findings.neighbours {
        let figures = words::neighbour_figures(neighbour)
            .map(|figure| inert(&figure))
            .join(" | ");
        out.push_str(&format!("| {} | {figures} |\n", inert(&neighbour.name)));
    }
}

/// What came back in several runs.
fn responses(out: &mut String, responses: &[ResponsesFinding]) {
    if responses.is_empty() {
        return;
    }
    out.push_str("\n### Responses in all rounds\n\n");
    responses.iter().for_each(|responses| came_back(out, "", responses));
}

/// An item of a list, with the failures below it.
fn came_back(out: &mut String, indent: &str, responses: &ResponsesFinding) {
    let statuses = words::statuses_together(responses);
    out.push_str(&format!(
        "{indent}- {}: {statuses}\n",
        inert(words::responses_of(&responses.of))
    ));
    for error in &responses.errors {
        out.push_str(&format!("{indent}  - {}\n", inert(&words::failure(error))));
    }
}

fn notices(out: &mut String, notices: &[Notice]) {
    if notices.is_empty() {
        return;
    }
    out.push_str("\n### Notices\n\n");
    for notice in notices {
        let hint = words::hint(notice).map(|hint| format!(" *Hint:* {}", inert(&hint)));
        out.push_str(&format!(
            "- {}{}\n",
            inert(&words::notice(notice)),
            hint.unwrap_or_default()
        ));
    }
}

fn mark(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "✅",
        Tone::Bad => "❌",
        Tone::Doubtful => "⚠️",
        Tone::Unknown => "➖",
    }
}

/// Text that stays text inside a paragraph or a table cell: no markup, no HTML, no mention, one line.
fn inert(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '@' => out.push_str("&#64;"),
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c if words::is_deceptive(c) => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::inert;

    #[test]
    fn foreign_text_is_not_markup() {
        assert_eq!(
            inert("a | b\n<img src=x> **bold** [l](u) `c` @team \\ &amp;"),
            "a \\| b &lt;img src=x&gt; \\*\\*bold\\*\\* \\[l\\](u) \\`c\\` &#64;team \\\\ &amp;amp;"
        );
    }
}
