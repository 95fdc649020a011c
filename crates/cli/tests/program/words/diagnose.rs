//! `plimsoll diagnose` where it comes to no findings, or to few.

use crate::bench::{Bench, service};

#[test]
fn a_service_that_dies_leaves_what_was_seen() {
    let ran = Bench::new().diagnose(&service("dies.js"), &["-d", "60s"]);
    ran.expect(1, &[]);
    assert!(ran.stdout.contains("out of cheese"), "{}", ran.stdout);
}

#[test]
fn a_service_that_is_not_started_here_is_refused() {
    Bench::new()
        .run(&["diagnose", "http://127.0.0.1:9/"])
        .expect(104, &["a diagnosis needs a service that plimsoll starts"]);
}
