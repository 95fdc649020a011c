//! Replays what the fuzz targets found worth keeping, so that no nightly compiler is needed to profit from it.

use crate::replay::replay;
use crate::{hpack, invariants};

#[test]
fn http2_connection() {
    replay(
        "fuzz/corpus/http2_connection",
        invariants::connection_means_the_same_however_it_is_cut,
    );
}

#[test]
fn http2_headers() {
    replay("fuzz/corpus/http2_headers", hpack::agree);
}
