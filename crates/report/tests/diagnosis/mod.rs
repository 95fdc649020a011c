//! The sample of a diagnosis.

use plimsoll_analysis::{
    Bound, Cause, CauseKind, Diagnosis, Findings, FlameCall, Pass, Place, Predicted, Slice, Verdict,
};
use plimsoll_measure::RunKind;

/// The diagnosis of a service whose load line is known.
pub(crate) fn diagnosed(searched: Findings) -> Findings {
    let line = searched.load_line.as_ref().map_or(0.0, |line| line.rate_per_s);
    Findings {
        command: RunKind::Diagnose,
        verdict: Verdict::Passed,
        headline: "The service is CPU-bound; first cause: console.log at src/app.js:28".to_owned(),
        next_step: "write less per request, or through a logger that buffers and writes outside of the event loop; \
                    then diagnose again"
            .to_owned(),
        diagnosis: Some(Diagnosis {
            bound: Bound::Cpu,
            bound_because: "the objective on CPU broke first above the line".to_owned(),
            rate_per_s: Some(3402.0),
            passes: vec![pass("plain", 163.4), pass("counters", 172.1), pass("profile", 181.9)],
            causes: vec![
                Cause {
                    other_places: vec![place("src/log.js", 12, "warn")],
                    predicted: Some(predicted(line, 0.416)),
                    ..cause(
                        CauseKind::BlockingWrite,
                        "console.log",
                        Some(place("src/app.js", 28, "<anonymous>")),
                    )
                },
                Cause {
                    via: Some("body-parser".to_owned()),
                    ..cause(CauseKind::Json, "JSON.parse of the same text again", None)
                },
                Cause {
                    place: Some(Place {
                        column: Some(3),
                        is_function: true,
                        ..place("src/search.js", 7, "match")
                    }),
                    per_request: None,
                    ..cause(CauseKind::Regex, "regular expression /^(a+)+$/", None)
                },
                Cause {
                    cpu_us_per_request: None,
                    cpu_share: None,
                    wait_ms_per_request: Some(14.2),
                    ..cause(
                        CauseKind::SerialAwaits,
                        "calls to other services one after the other",
                        None,
                    )
                },
            ],
            breakdown: vec![
                slice("blocking-write", 0.416),
                slice("Node.js", 0.31),
                slice("own code", 0.274),
            ],
            flame: vec![
                call(None, "(root)", 1.0),
                call(Some(0), "handler", 0.7),
                call(Some(1), "log", 0.4),
            ],
        }),
        ..searched
    }
}

fn pass(name: &str, us: f64) -> Pass {
    Pass {
        name: name.to_owned(),
        throughput_per_s: Some(3401.6),
        cpu_us_per_request: Some(us),
        extra_cpu_share: (name != "plain").then_some(us / 163.4 - 1.0),
        p50_ms: Some(0.41),
        p99_ms: Some(3.9),
    }
}

fn cause(kind: CauseKind, what: &str, place: Option<Place>) -> Cause {
    Cause {
        kind,
        what: what.to_owned(),
        place,
        other_places: vec![],
        via: None,
        per_request: Some(1.0),
        cpu_us_per_request: Some(68.0),
        cpu_share: Some(0.416),
        wait_ms_per_request: None,
        evidence: "1 call per request, 68 µs each, 546 bytes on average".to_owned(),
        remedy: "do it less often".to_owned(),
        predicted: None,
        line_predicted: None,
        doc: format!("docs/findings/{}.md", kind.as_str()),
    }
}

fn place(file: &str, line: u32, function: &str) -> Place {
    Place {
        file: file.to_owned(),
        line,
        column: Some(39),
        function: function.to_owned(),
        is_function: false,
    }
}

fn predicted(line: f64, share: f64) -> Predicted {
    let factor = 1.0 / (1.0 - share);
    Predicted {
        load_line_per_s: Some(line * factor),
        factor,
        assumption: "CPU stays what runs out first, and this cost goes completely".to_owned(),
    }
}

fn slice(what: &str, share: f64) -> Slice {
    Slice {
        what: what.to_owned(),
        share,
    }
}

fn call(caller: Option<u32>, function: &str, share: f64) -> FlameCall {
    FlameCall {
        caller,
        function: function.to_owned(),
        place: String::new(),
        class: "own".to_owned(),
        share,
        self_share: 0.3,
    }
}
