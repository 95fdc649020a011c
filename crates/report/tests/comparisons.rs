//! Comparisons in every form. The committed samples are made here and drawn by the tests of the report page as well:
//! `PLIMSOLL_WRITE_SAMPLES=1 cargo test -p plimsoll-report --test comparisons` writes them.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod failures;

use failures::error;
use plimsoll_analysis::{
    CompareVerdict, Comparison, ErrorFinding, ExampleFinding, FigureFinding, FigureVerdict, Notice, PredictionFinding,
    ResponsesFinding, RoundFinding, VariantFinding,
};
use plimsoll_report::{Report, Style, Written, comparison_schema};
use std::path::Path;

const BLOCKS: u32 = 12;

fn samples() -> [(&'static str, Comparison); 4] {
    [
        ("worse", worse()),
        ("better", better()),
        ("no-difference", no_difference()),
        ("hostile", hostile()),
    ]
}

fn figure(figure: &str, unit: &str, baseline: f64, change: f64, margin: f64) -> FigureFinding {
    let lower_is_better = unit != "per_s";
    let verdict = match (change - margin > 0.0, change + margin < 0.0) {
        (true, _) if lower_is_better => FigureVerdict::Worse,
        (_, true) if lower_is_better => FigureVerdict::Better,
        _ => FigureVerdict::NoDifference,
    };
    FigureFinding {
        figure: figure.to_owned(),
        unit: unit.to_owned(),
        variant: "b".to_owned(),
        judged: true,
        lower_is_better,
        baseline,
        value: baseline * (1.0 + change),
        change,
        change_low: change - margin,
        change_high: change + margin,
        detectable: margin * 1.4,
        verdict,
        failed: verdict == FigureVerdict::Worse && change > 0.05,
        block_changes: (0..BLOCKS)
            .map(|block| change + margin * 1.3 * (f64::from(block) * 2.4).sin())
            .collect(),
    }
}

fn round(round: u32) -> RoundFinding {
    let block = round / 2;
    let second = round % 2 == 1;
    RoundFinding {
        round,
        block,
        variant: if second { "b" } else { "a" }.to_owned(),
        folder: format!("2026-03-02T09-14-{:02}-run", 7 + round),
        used: block > 0,
        unused_because: (block == 0).then(|| "the first round of each variant finds everything cold".to_owned()),
        cpu_us_per_request: Some(if second { 225.3 } else { 201.0 } + f64::from(round % 5)),
        p50_ms: Some(0.41),
        p99_ms: Some(2.2),
        throughput_per_s: Some(1000.0),
        error_share: Some(0.0),
        load_line_per_s: None,
    }
}

fn responses() -> Vec<ResponsesFinding> {
    let a = ResponsesFinding {
        of: "a".to_owned(),
        finished: 78_000,
        status: [0, 78_000, 0, 0, 0],
        ..ResponsesFinding::default()
    };
    let b = ResponsesFinding {
        of: "b".to_owned(),
        finished: 78_000,
        status: [0, 77_220, 0, 0, 624],
        status_other: 0,
        errors: vec![error("status", 624, 0.008), error("keep_alive_race", 156, 0.002)],
    };
    vec![a, b]
}

fn worse() -> Comparison {
    let memory = FigureFinding {
        judged: false,
        verdict: FigureVerdict::Unjudged,
        failed: false,
        ..figure("resident memory", "bytes", 71_400_000.0, 0.012, 0.018)
    };
    Comparison {
        format: "plimsoll.comparison-findings/2".to_owned(),
        name: "info page".to_owned(),
        target: "http://127.0.0.1:3001".to_owned(),
        started_at: "2026-03-02T09:14:07Z".to_owned(),
        duration_s: 166.0,
        version: "0.1.0".to_owned(),
        host: "Linux 6.1.0, AMD EPYC 7543, 4 cores, 16.0 GiB".to_owned(),
        verdict: CompareVerdict::Worse,
        headline: "b is worse: CPU per request +12.1 % (+9.0 % to +15.2 %)".to_owned(),
        next_step: "Look for what the change adds to each request before you keep it.".to_owned(),
        variants: ["node server.js", "CONSOLE_LOG=on node server.js"]
            .into_iter()
            .zip(["a", "b"])
            .map(|(what, name)| VariantFinding {
                name: name.to_owned(),
                what: what.to_owned(),
                rounds_used: BLOCKS,
            })
            .collect(),
        load: "1000/s, even arrivals; each round 4 s judged after 2 s of warm-up".to_owned(),
        confidence: 0.95,
        fail_if_worse: Some(0.05),
        failed: true,
        figures: vec![
            figure("CPU per request", "us", 201.0, 0.121, 0.031),
            figure("response time p50", "ms", 0.41, 0.024, 0.036),
            figure("response time p99", "ms", 2.2, -0.03, 0.17),
            figure("throughput", "per_s", 1000.0, 0.0, 0.0003),
            memory,
        ],
        prediction: None,
        rounds: (0..2 * (BLOCKS + 1)).map(round).collect(),
        responses: responses(),
        notices: vec![Notice {
            code: "warning".to_owned(),
            message: "the service still warmed up while it was judged: CPU per request fell by 8 % within the rounds"
                .to_owned(),
            hint: Some("give it longer with `--warm-up`".to_owned()),
        }],
    }
}

/// Mended as a diagnosis said.
fn better() -> Comparison {
    Comparison {
        verdict: CompareVerdict::Better,
        headline: "b is better: CPU per request -36.0 % (-40.0 % to -32.0 %)".to_owned(),
        failed: false,
        figures: vec![figure("CPU per request", "us", 201.0, -0.36, 0.04)],
        prediction: Some(PredictionFinding {
            diagnosis: "2026-03-02T09-02-11-diagnose".to_owned(),
            cause: "JSON.parse of the same text again, server.js:13".to_owned(),
            predicted: 1.45,
            proven: Some(1.5625),
            proven_low: Some(1.470_588),
            proven_high: Some(1.666_667),
            error: Some(-0.2),
        }),
        notices: vec![],
        ..worse()
    }
}

fn no_difference() -> Comparison {
    let mut comparison = Comparison {
        verdict: CompareVerdict::NoDifference,
        headline: "No difference larger than 2.4 % in CPU per request".to_owned(),
        failed: false,
        figures: vec![
            figure("CPU per request", "us", 201.0, 0.006, 0.018),
            figure("response time p50", "ms", 0.41, 0.004, 0.036),
        ],
        notices: vec![],
        ..worse()
    };
    let late = &mut comparison.rounds[9];
    late.used = false;
    late.unused_because =
        Some("The generator was the bottleneck, so the figures do not describe the service".to_owned());
    comparison
}

fn hostile() -> Comparison {
    let hostile = "a\u{1b}[31m</script><img src=x> | **b** \u{202e}c".to_owned();
    Comparison {
        name: hostile.clone(),
        verdict: CompareVerdict::Failed,
        headline: hostile.clone(),
        next_step: hostile.clone(),
        variants: vec![
            VariantFinding {
                name: hostile.clone(),
                what: hostile.clone(),
                rounds_used: 0,
            };
            2
        ],
        fail_if_worse: None,
        failed: false,
        figures: vec![],
        prediction: Some(PredictionFinding {
            diagnosis: hostile.clone(),
            cause: hostile.clone(),
            predicted: 1e9,
            proven: None,
            proven_low: None,
            proven_high: None,
            error: None,
        }),
        rounds: vec![],
        responses: vec![ResponsesFinding {
            of: hostile.clone(),
            finished: u64::MAX,
            status: [u64::MAX; 5],
            status_other: u64::MAX,
            errors: vec![ErrorFinding {
                class: hostile.clone(),
                meaning: hostile.clone(),
                example: Some(ExampleFinding {
                    at_s: f64::MAX,
                    expected: hostile.clone(),
                    found: hostile.clone(),
                    received: hostile,
                }),
                ..error("status", u64::MAX, 1e300)
            }],
        }],
        ..worse()
    }
}

#[test]
fn committed_samples_are_those_made_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/comparisons");
    for (name, comparison) in samples() {
        let path = folder.join(format!("{name}.json"));
        if std::env::var_os("PLIMSOLL_WRITE_SAMPLES").is_some() {
            std::fs::write(&path, comparison.json()).expect("the folder can be written");
        }
        let text = std::fs::read_to_string(&path).expect("the sample is committed");
        let committed: Comparison = serde_json::from_str(&text).expect("the sample has the shape of a comparison");
        assert_eq!(
            committed, comparison,
            "{name}: write the samples anew, as the head of this file says"
        );
    }
}

#[test]
fn every_form() {
    for (name, comparison) in samples() {
        let written = Written {
            report: Some(Path::new("runs/x/report.html")),
            folder: Some(Path::new("runs/x")),
        };
        let text = comparison.terminal(Style::default(), written);
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{name}");
        insta::assert_snapshot!(format!("terminal-{name}"), text);
        insta::assert_snapshot!(format!("markdown-{name}"), comparison.markdown());
        insta::assert_snapshot!(format!("junit-{name}"), comparison.junit());
        assert!(!comparison.page().1.contains("<img"), "{name}");
    }
}

#[test]
fn the_schema_names_every_field() {
    let schema = comparison_schema();
    let properties = schema["properties"].as_object().expect("an object");
    let value: serde_json::Value = serde_json::from_str(&worse().json()).expect("JSON");
    for field in value.as_object().expect("an object").keys() {
        assert!(properties.contains_key(field), "{field}");
    }
}
