use super::*;
use crate::language::StudyTexts;
use plimsoll_measure::Host;
use plimsoll_measure::run_directory::{ProgramFigure, StudyPart};
use std::path::Path;

/// A study of one program that prints `a` and `b`, with this published figure.
fn study(published: &str, effect: &str) -> Study {
    let texts = StudyTexts {
        study: format!(
            "title: t\nquestion: q\nmeasurements: {{ m: {{ kind: command, command: x }} }}\neffects: {{ e: {effect} }}\n"
        ),
        published: format!(r#"{{"source": ["s"], "figures": {{"f": {published}}}}}"#),
    };
    Study::parse(&texts, Path::new("studies/s")).expect("a valid study")
}

fn found(published: &str, effect: &str, a: &[f64], b: &[f64]) -> StudyFindings {
    let figure = |values: &[f64]| ProgramFigure {
        unit: "ms".to_owned(),
        values: values.to_vec(),
    };
    let printed = ProgramFigures {
        figures: [("a".to_owned(), figure(a)), ("b".to_owned(), figure(b))].into(),
    };
    let info = StudyInfo {
        format: StudyInfo::format(),
        name: "s".to_owned(),
        size: None,
        started_at: String::new(),
        duration_s: 1.0,
        version: String::new(),
        host: Host::default(),
        parts: vec![StudyPart {
            name: "m".to_owned(),
            directory: None,
            failed: None,
        }],
        ended: Some(Ended::Complete),
    };
    judge(
        &study(published, effect),
        &info,
        &[("m".to_owned(), MeasuredPart::Printed(printed))],
    )
}

const RATIO: &str = "{ published: f, here: { of: m, figure: a }, against: { of: m, figure: b } }";
const FIGURE: &str = "{ published: f, here: { of: m, figure: a } }";

fn about(middle: f64) -> Vec<f64> {
    (-4..=4).map(|step| middle * (1.0 + f64::from(step) / 200.0)).collect()
}

#[test]
fn each_rule_has_its_verdicts() {
    use EffectVerdict::{NotReproduced, Reproduced, Reversed, Weaker};
    let from_to = r#"{"what": "w", "from": 100, "to": 68}"#;
    let same = r#"{"what": "w", "ratio": 1}"#;
    let more = r#"{"what": "w", "direction": "more"}"#;
    let least = r#"{"what": "w", "at_least": 10}"#;
    let most = r#"{"what": "w", "at_most": 10}"#;
    for (published, effect, a, b, expected) in [
        (from_to, RATIO, 70.0, 100.0, Reproduced),
        (from_to, RATIO, 90.0, 100.0, Weaker),
        (from_to, RATIO, 99.5, 100.0, NotReproduced),
        (from_to, RATIO, 130.0, 100.0, Reversed),
        (same, RATIO, 110.0, 100.0, Reproduced),
        (same, RATIO, 123.0, 100.0, Weaker),
        (same, RATIO, 150.0, 100.0, NotReproduced),
        (more, RATIO, 110.0, 100.0, Reproduced),
        (more, RATIO, 90.0, 100.0, Reversed),
        (least, FIGURE, 12.0, 1.0, Reproduced),
        (least, FIGURE, 10.05, 1.0, Weaker),
        (least, FIGURE, 9.0, 1.0, NotReproduced),
        (most, FIGURE, 9.0, 1.0, Reproduced),
        (most, FIGURE, 12.0, 1.0, NotReproduced),
    ] {
        let findings = found(published, effect, &about(a), &about(b));
        let effect = &findings.effects[0];
        assert_eq!(effect.verdict, expected, "{published} {a} {b}: {effect:?}");
    }
}

#[test]
fn a_wide_interval_does_not_say_that_an_effect_is_not_here() {
    let from_to = r#"{"what": "w", "from": 100, "to": 68}"#;
    let wide: Vec<f64> = (1..=9).map(|step| 50.0 + f64::from(step) * 9.0).collect();
    let findings = found(from_to, RATIO, &wide, &about(100.0));
    assert_eq!(
        findings.effects[0].verdict,
        EffectVerdict::Untold,
        "{:?}",
        findings.effects
    );
    assert_eq!(findings.verdict, StudyVerdict::Untold);
}

#[test]
fn the_whole_follows_from_its_effects() {
    let from_to = r#"{"what": "w", "from": 100, "to": 68}"#;
    let verdict = |a: f64| found(from_to, RATIO, &about(a), &about(100.0)).verdict;
    assert_eq!(verdict(70.0), StudyVerdict::Reproduced);
    assert_eq!(verdict(90.0), StudyVerdict::Partly);
    assert_eq!(verdict(130.0), StudyVerdict::NotReproduced);
    let findings = found(from_to, RATIO, &[], &about(100.0));
    assert_eq!(findings.verdict, StudyVerdict::Failed);
    assert_eq!(findings.effects[0].because, EffectBecause::NoSuchFigure);
}

#[test]
fn several_steps_are_brought_down_to_one() {
    let published = r#"{"what": "w", "ratio": 1.1}"#;
    let effect = "{ published: f, steps: 4, here: { of: m, figure: a }, against: { of: m, figure: b } }";
    let findings = found(published, effect, &[1.4641], &[1.0]);
    let here = findings.effects[0].here.as_ref().expect("measured");
    assert!((here.ratio.expect("a ratio") - 1.1).abs() < 1e-9, "{here:?}");
    assert_eq!(
        findings.effects[0].share_of_published.map(|s| (s * 100.0).round()),
        Some(100.0)
    );
}

#[test]
fn what_is_divided_by_nothing_has_no_end() {
    let published = r#"{"what": "w", "ratio": 2}"#;
    let findings = found(published, RATIO, &about(1.0), &[0.0; 9]);
    let effect = &findings.effects[0];
    assert_eq!(effect.verdict, EffectVerdict::Reproduced, "{effect:?}");
    assert_eq!(effect.here.as_ref().and_then(|here| here.ratio), None);
}
