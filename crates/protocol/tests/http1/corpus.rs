//! Replays what the fuzz targets found worth keeping, so that no nightly compiler is needed to profit from it.

use crate::invariants;
use crate::replay::replay;

#[test]
fn http1_response() {
    replay(
        "fuzz/corpus/http1_response",
        invariants::response_means_the_same_however_it_is_cut,
    );
}

#[test]
fn request_encoder() {
    replay("fuzz/corpus/request_encoder", invariants::encoded_request_reads_back);
}

#[test]
fn content() {
    replay("fuzz/corpus/content", invariants::opened_body_has_its_bounds);
}
