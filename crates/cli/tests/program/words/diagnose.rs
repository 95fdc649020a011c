//! `plimsoll diagnose` where it comes to no findings, or to few.

use crate::bench::{Bench, service};

#[test]
fn service_death_keeps_partial_diagnosis() {
    let ran = Bench::new().diagnose(&service("dies.js"), &["-d", "60s"]);
    ran.expect(1, &[]);
    assert!(ran.stdout.contains("out of cheese"), "{}", ran.stdout);
}

#[test]
fn diagnosis_of_running_service_is_refused() {
    Bench::new()
        .run(&["diagnose", "http://127.0.0.1:9/"])
        .expect(104, &["a diagnosis needs a service that plimsoll starts"]);
}
