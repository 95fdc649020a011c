//! How many instances a demand needs: what is refused, and what a finished run says to it.

use crate::bench::{Bench, Ran};
use std::fs;
use std::path::{Path, PathBuf};

/// A run directory of `command`, as it was recorded.
fn recorded(bench: &Bench, command: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/recorded")
        .join(command);
    let to = bench.path(command);
    fs::create_dir_all(&to).expect("made");
    for entry in fs::read_dir(from).expect("recorded").flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).expect("copied");
    }
    to
}

fn report(bench: &Bench, directory: &Path, more: &[&str]) -> Ran {
    let directory = directory.display().to_string();
    bench.run(&[&["report", &directory], more].concat())
}

#[test]
fn finished_search_is_sized_without_measuring() {
    let bench = Bench::new();
    let directory = recorded(&bench, "capacity");
    let before = bench.report(&directory);
    let found = before.json();
    assert!(found["sizing"].is_null(), "{found:#}");
    let line = found["load_line"]["rate_per_s"].as_f64().expect("a line");
    // Ten lines less the headroom, exactly.
    let demand = format!("{}/s", line * 6.0);
    let asked = ["--demand", &demand, "--headroom", "40%", "--price", "$0.50/h", "--json"];
    let sized = report(&bench, &directory, &asked);
    assert_eq!(sized.code, before.code);
    let sizing = &sized.json()["sizing"];
    let needed = &sizing["predicted"]["needed"];
    assert_eq!(needed["instances"].as_u64(), Some(10), "{sizing:#}");
    assert_eq!(needed["cost"]["per_hour"].as_f64(), Some(5.0), "{sizing:#}");
    assert_eq!(
        sizing["predicted"]["with_spare"]["instances"].as_u64(),
        Some(11),
        "{sizing:#}"
    );
    let text = report(&bench, &directory, &asked[..6]).stdout;
    assert!(
        text.contains("Sizing") && text.contains("$5.00") && text.contains("predicted"),
        "{text}"
    );
    // Nothing of it stays in the records.
    assert_eq!(bench.report(&directory).json(), found);
}

#[test]
fn run_without_search_is_not_sized() {
    let bench = Bench::new();
    for command in ["run", "compare"] {
        let directory = recorded(&bench, command);
        report(&bench, &directory, &["--demand", "100/s"]).expect(
            104,
            &["has no search for a load line to size by", "hint: give --demand"],
        );
    }
}

#[test]
fn sizing_options_are_refused_in_words() {
    let bench = Bench::new();
    for (options, parts) in [
        (&["--demand", "0/s"][..], &["found a rate of zero", "above zero"][..]),
        (&["--demand=-5/s"], &["`-5/s`", "a rate such as"]),
        (
            &["--demand", "5/s", "--headroom", "0.3"],
            &["`0.3`", "did you mean `30%`"],
        ),
        (
            &["--demand", "5/s", "--headroom", "100%"],
            &["sizing.headroom", "100%", "0% to 99%"],
        ),
        (
            &["--demand", "5/s", "--price", "0.12"],
            &["`0.12`", "did you mean `0.12/h`"],
        ),
        (&["--demand", "5/s", "--price", "0/h"], &["sizing.price", "above zero"]),
        (&["--demand", "5/s", "--price=-1/h"], &["`-1/h`", "a price per hour"]),
        (&["--price", "0.12/h"], &["without a demand", "--demand 30000/s"]),
        (&["--headroom", "20%"], &["without a demand", "`sizing.demand`"]),
    ] {
        bench
            .run(&[&["capacity", "http://127.0.0.1:1/"], options].concat())
            .expect(104, parts);
    }
    assert!(!bench.path("runs").exists(), "something was started");
}
