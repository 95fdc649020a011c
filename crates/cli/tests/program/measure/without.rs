//! `plimsoll compare --without`: what it measures.

use crate::bench::Bench;

#[test]
fn middleware_left_out_costs_nothing_any_more() {
    let bench = Bench::with_packages();
    let command = ["--without", "middleware:spins", "--", "node", "layers.cjs"];
    let found = bench.compare(&command).json();
    let variants = found["variants"].as_array().expect("variants");
    let names: Vec<_> = variants
        .iter()
        .map(|variant| (&variant["name"], &variant["what"]))
        .collect();
    assert_eq!(names[0], (&"as it is".into(), &"node layers.cjs".into()));
    assert_eq!(names[1], (&"without".into(), &"middleware:spins".into()));
    let figures = found["figures"].as_array().expect("figures");
    let cpu = figures.iter().find(|figure| figure["figure"] == "cpu_per_request");
    assert_eq!(cpu.expect("CPU can be sampled")["verdict"], "better", "{found}");
    assert_eq!(bench.report(&bench.directory()).json(), found);
}
