//! Replays what the fuzz target found worth keeping, so that no nightly compiler is needed to profit from it.

use crate::invariants;
use crate::replay::replay;

#[test]
fn websocket_frames() {
    replay(
        "fuzz/corpus/websocket_frames",
        invariants::frames_mean_the_same_however_they_are_cut,
    );
}
