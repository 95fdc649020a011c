//! `plimsoll study`: what a short study finds.

use crate::checkout::{Checkout, PUBLISHED};
use serde_json::Value;
use std::fs;

#[test]
fn study_is_judged_kept_and_replayed() {
    let checkout = Checkout::new();
    let ran = checkout.run(&["study", "work", "--size", "4", "--json"]);
    let found = ran.expect(0, &["1 of 3: work (compare)"]).json();
    assert_eq!(found["verdict"], "reproduced", "{}", found["headline"]);
    assert_eq!(found["effects"][0]["verdict"], "reproduced");
    assert!(found["effects"][0]["here"]["ratio"].as_f64().expect("a ratio") > 1.5);
    assert_eq!(found["effects"][2]["verdict"], "shown");
    assert_eq!(found["effects"][2]["here"]["ratio"], 1.75, "programs know the size");
    assert_eq!(found["size"]["here"], 4);
    assert!(
        checkout.0.path("beside-ended").is_file(),
        "what ran beside had time to clean up"
    );

    let directory = checkout.directory();
    assert!(directory.to_string_lossy().ends_with("-study-work"));
    let page = fs::read_to_string(directory.join("report.md")).expect("a page");
    let measured = found["measurements"].as_array().expect("measurements");
    for measurement in &measured[..2] {
        let link = format!(
            "{}/report.html",
            measurement["directory"].as_str().expect("a directory")
        );
        assert!(page.contains(&link) && directory.join(&link).is_file(), "{link}");
    }
    let again = checkout.0.report(&directory);
    assert_eq!(again.expect(0, &[]).json(), found, "the directory says the same");

    // As after a crash before the last measurement.
    let info = directory.join("study.json");
    let kept = fs::read_to_string(&info).expect("kept");
    let mut cut: Value = serde_json::from_str(&kept).expect("JSON");
    cut["parts"].as_array_mut().expect("parts").truncate(1);
    cut["ended"] = Value::Null;
    fs::write(&info, cut.to_string()).expect("written");
    let cut = checkout.0.report(&directory).expect(105, &[]).json();
    assert_eq!(cut["effects"][0]["verdict"], "reproduced");
    assert_eq!(cut["effects"][1]["because"]["text"], "once was not begun");
}

#[test]
fn study_without_effect_is_a_result() {
    let checkout = Checkout::new();
    let less = PUBLISHED.replace("\"more\"", "\"less\"");
    checkout.0.write("studies/work/published.json", &less);
    let found = checkout
        .run(&["study", "all", "--quiet", "--json"])
        .expect(0, &[])
        .json();
    assert_eq!(found["effects"][0]["verdict"], "reversed", "{found}");
    assert_eq!(found["verdict"], "partly");
}

#[test]
fn failed_measurement_leaves_rest_of_study() {
    let checkout = Checkout::new();
    let failing = "echo 'no such device' >&2; exit 3";
    checkout.0.write("studies/work/print.sh", failing);
    let found = checkout.run(&["study", "work", "--json"]).expect(1, &[]).json();
    assert_eq!(found["verdict"], "failed", "{found}");
    assert_eq!(found["effects"][0]["verdict"], "reproduced");
    let said = found["measurements"][2]["headline"]["text"]
        .as_str()
        .expect("a headline");
    assert!(said.contains("no such device"), "{said}");
}
