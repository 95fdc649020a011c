//! `plimsoll diagnose --what-if`: something left out of the service after the passes. Whether the gain is right is not asked here.

use crate::bench::Bench;
use crate::words::what_if::{diagnose, what_ifs};

#[test]
fn what_was_left_out_is_in_the_report() {
    let bench = Bench::with_packages();
    let found = diagnose(
        &bench,
        &["--what-if", "middleware:spins", "--what-if-budget", "22s"],
        "layers.cjs",
    )
    .json();
    let what_ifs = what_ifs(&found);
    assert_eq!(what_ifs.len(), 1, "{found}");
    assert_eq!(what_ifs[0].0, "middleware:spins");
    let gain = found["diagnosis"]["what_if"][0]["gain"]["factor"]
        .as_f64()
        .expect("a gain");
    assert!(gain > 1.0, "{found}");
    assert_eq!(bench.report(&bench.directory()).json(), found);
}
