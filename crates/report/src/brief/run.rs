//! A run in brief, a search or a diagnosis among them.

use super::{Brief, FEW, diagnosis};
use crate::terminal::Written;
use crate::words;
use plimsoll_findings::{Findings, Verdict};

pub(crate) fn run(findings: &Findings, written: Written<'_>) -> String {
    let (_, word) = words::verdict(findings.verdict);
    let title = match (&findings.diagnosis, &findings.load_line) {
        (Some(diagnosis), _) if findings.verdict == Verdict::Passed => words::bound(diagnosis.bound).to_owned(),
        (_, Some(line)) => format!("{word}, {}", words::load_line(line)),
        _ => word.to_owned(),
    };
    let headline = words::headline(&findings.headline);
    let mut brief = Brief::new(&title, &findings.name, &headline, written);
    for (name, text) in [
        ("ran out first", words::ran_out_first(findings)),
        ("broke first", words::broke(findings)),
        ("interval", words::interval(findings)),
        ("sizing", findings.sizing.as_ref().map(words::sizing)),
        ("next", Some(words::next_step(&findings.next_step))),
    ] {
        if let Some(text) = text {
            brief.fact(name, &text);
        }
    }
    for (name, text) in findings.hold.iter().flat_map(words::hold) {
        brief.fact(name, &text);
    }
    for (name, text) in findings.shock.iter().flat_map(words::shock_facts) {
        brief.fact(name, &text);
    }
    for (name, text) in findings.soak.iter().flat_map(words::soak_facts) {
        brief.fact(&format!("growth, {name}"), &text);
    }
    for error in findings.errors.iter().take(FEW) {
        let example = error
            .example
            .as_ref()
            .map(|example| format!("; {}", words::example(example)));
        brief.fact(
            "error",
            &format!(
                "{} × {}: {}{}",
                crate::figures::count(error.count),
                error.class.as_str(),
                words::meaning(error.class),
                example.unwrap_or_default()
            ),
        );
    }
    brief.left_out += findings.errors.len().saturating_sub(FEW);
    brief.fact(&words::asked(findings, "requests"), &words::volume(findings));
    if let Some(diagnosis) = &findings.diagnosis {
        diagnosis::parts(&mut brief, findings, diagnosis, written);
    }
    sizing(&mut brief, findings);
    objectives(&mut brief, findings);
    brief.notices(&findings.notices);
    brief.finish()
}

fn sizing(brief: &mut Brief, findings: &Findings) {
    let Some((sizing, predicted)) = words::sized(findings) else {
        return;
    };
    brief.title(words::SIZING);
    brief.fact("from", &words::sized_by(sizing, predicted));
    for (name, [needed, spare]) in words::sizing_rows(sizing, predicted) {
        let [of_needed, of_spare] = words::SIZING_HEADS;
        brief.fact(name, &format!("{needed} {of_needed}; {spare} {of_spare}"));
    }
    brief.fact("note", &words::sizing_assumes(predicted));
}

fn objectives(brief: &mut Brief, findings: &Findings) {
    if findings.objectives.is_empty() {
        return;
    }
    brief.title(&format!("Objectives {}", words::taken_at(findings)));
    for objective in &findings.objectives {
        let (_, word) = words::objective_verdict(objective);
        let figures = words::objective_figures(objective);
        let facts = words::OBJECTIVE_HEADS.iter().zip(figures);
        let facts: Vec<String> = facts.map(|(head, figure)| format!("{head} {figure}")).collect();
        let facts = match objective.passed {
            None => words::unjudged(objective),
            Some(_) => format!("{word}; {}", facts.join(", ")),
        };
        let name = super::code(&words::objective(&objective.objective));
        brief.block(&format!("- {name} {}\n", super::text(&facts)));
    }
}
