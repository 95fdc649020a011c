//! `plimsoll compare --without`: one thing left out of the service, and what cannot be.

use crate::bench::Bench;

#[test]
fn what_cannot_be_left_out_is_an_error() {
    let bench = Bench::with_packages();
    let without = |what: &str| bench.compare(&["--without", what, "--", "node", "layers.cjs"]);
    without("middleware:requireLogin").expect(
        1,
        &["failed to leave out middleware:requireLogin: it decides which requests get through"],
    );
    without("middleware:morgan").expect(
        1,
        &[
            "the service has nothing of that name",
            "it has middleware:spins (layers.cjs:5)",
        ],
    );
    without("log").expect(1, &["failed to leave out log: no request came to it"]);
    without("logs").expect(104, &["middleware:NAME"]);
    bench
        .run(&["compare", "--without", "log", "http://127.0.0.1:1/"])
        .expect(104, &["--without needs a service that plimsoll starts"]);
}
