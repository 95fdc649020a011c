//! What is said of packages that are costly.

use super::*;
use plimsoll_findings::What;

/// Of a call: its function, its file, below `/srv`, of Node.js or none, its caller and the line there, and its time, in percent.
type Given = (&'static str, &'static str, Option<(usize, u32)>, u64);

const HANDLER: Given = ("handler", "app.js", None, 0);

fn profile(calls: &[Given]) -> Profile {
    let frame = |&(function, file, ..): &Given| Frame {
        function: function.to_owned(),
        file: match file.is_empty() || file.starts_with("node:") {
            true => file.to_owned(),
            false => format!("/srv/{file}"),
        },
        line: 3,
        column: 1,
    };
    let call = |(frame, &(_, _, caller, percent)): (usize, &Given)| Call {
        frame,
        caller: caller.map(|(caller, _)| caller),
        self_us: percent * 10_000,
        longest_us: 0,
        stays: 0,
        called_on: caller.map(|(_, line)| line).filter(|line| *line > 0),
        lines: Vec::new(),
    };
    Profile {
        span_us: (1e6 / CORES_BUSY) as u64,
        frames: calls.iter().map(frame).collect(),
        calls: calls.iter().enumerate().map(call).collect(),
        ..Profile::default()
    }
}

/// Causes by what they are, their line, and their share in percent.
fn found(counters: &ProbeCounters, calls: &[Given]) -> Vec<(String, u32, u64)> {
    let causes = diagnosed(counters, &profile(calls), None).causes;
    let said = |cause: &plimsoll_findings::Cause| {
        let What::Package { name, function } = &cause.what else {
            panic!("{cause:?}");
        };
        let of = function.iter().map(|function| format!("{function} of "));
        let line = cause.place.as_ref().map_or(0, |place| place.line);
        (
            of.collect::<String>() + name,
            line,
            (rounded(cause.cpu_share) * 100.0).round() as u64,
        )
    };
    causes.iter().map(said).collect()
}

fn expected(of: &[(&str, u32, u64)]) -> Vec<(String, u32, u64)> {
    of.iter()
        .map(|&(what, line, share)| (what.to_owned(), line, share))
        .collect()
}

#[test]
fn a_package_is_charged_with_those_that_it_calls() {
    let calls = [
        HANDLER,
        ("clean", "node_modules/logger/index.js", Some((0, 12)), 22),
        ("parse", "node_modules/inner/index.js", Some((1, 0)), 13),
        ("decode", "node_modules/innermost/index.js", Some((2, 0)), 5),
        ("render", "node_modules/other/index.js", Some((0, 14)), 30),
        ("emit", "node:events", None, 30),
    ];
    let found_of = |counters: &ProbeCounters| found(counters, &calls);
    assert_eq!(found_of(&healthy()), expected(&[("logger", 12, 40), ("other", 14, 30)]));
    let evidence = diagnosed(&healthy(), &profile(&calls), None).causes.remove(0).evidence;
    let Evidence::Packages { packages, .. } = evidence else {
        panic!("{evidence:?}");
    };
    let names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    assert_eq!(names, ["logger", "inner", "innermost"]);
    // What calls to other services cost is theirs.
    let mut asking = healthy();
    counted(&mut asking, "fetch", 0, 2);
    assert_eq!(found_of(&asking), expected(&[("other", 14, 30)]));
}

#[test]
fn functions_of_a_package_are_told_apart_where_several_are_costly() {
    let with_second = |percent: u64| {
        let calls = [
            HANDLER,
            ("execute", "node_modules/logger/index.js", Some((0, 12)), 10),
            ("visit", "node_modules/logger/index.js", Some((1, 0)), 20),
            ("build", "node_modules/logger/index.js", Some((0, 12)), percent),
            ("emit", "node:events", None, 70 - percent),
        ];
        let mut profile = found(&healthy(), &calls);
        profile.retain(|(what, ..)| what.ends_with("logger"));
        profile
    };
    let apart = [("execute of logger", 12, 30), ("build of logger", 12, 28)];
    assert_eq!(with_second(28), expected(&apart));
    assert_eq!(with_second(4), expected(&[("logger", 12, 34)]));
}

#[test]
fn expressions_that_a_package_uses_are_part_of_what_it_costs() {
    let found = |package: u64, expressions: [u64; 2]| {
        let calls = [
            HANDLER,
            ("parse", "node_modules/marker/index.js", Some((0, 12)), package),
            ("RegExp: ^one", "", Some((1, 0)), expressions[0]),
            ("RegExp: ^two", "", Some((1, 0)), expressions[1]),
            (
                "emit",
                "node:events",
                None,
                100 - package - expressions.iter().sum::<u64>(),
            ),
        ];
        let causes = diagnosed(&healthy(), &profile(&calls), None).causes;
        let said = |cause: &plimsoll_findings::Cause| (cause.kind, (rounded(cause.cpu_share) * 100.0).round() as u64);
        causes.iter().map(said).collect::<Vec<_>>()
    };
    assert_eq!(found(22, [6, 2]), [(CauseKind::PackageHot, 30)]);
    assert_eq!(found(30, [10, 10]), [(CauseKind::PackageHot, 50)]);
    // Less than a package has to cost: what is known is the expression.
    assert_eq!(found(10, [6, 2]), [(CauseKind::Regex, 6)]);
    // One that outweighs the package is what to fix.
    assert_eq!(found(10, [60, 2]), [(CauseKind::Regex, 60)]);
    assert_eq!(
        found(26, [60, 2]),
        [(CauseKind::Regex, 60), (CauseKind::PackageHot, 28)]
    );
}
