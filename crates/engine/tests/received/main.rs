//! Receive buffers with control messages: what the kernel writes, and what the fuzz target found worth keeping.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

#[path = "../../src/backend/received.rs"]
mod received;

mod invariants;

use invariants::{KIND, LEVEL, any_buffer_is_read_within_its_bounds};
use received::split;
use std::path::Path;

/// As the kernel writes it: the head, one control message, and bytes.
fn buffer(control_bytes: u32, kind: i32, seconds: u64, ns: u64, bytes: &[u8]) -> Vec<u8> {
    let lengths = [0, control_bytes, bytes.len() as u32, 0].map(u32::to_ne_bytes).concat();
    let message = [
        32_u64.to_ne_bytes().to_vec(),
        LEVEL.to_ne_bytes().to_vec(),
        kind.to_ne_bytes().to_vec(),
        seconds.to_ne_bytes().to_vec(),
        ns.to_ne_bytes().to_vec(),
    ];
    [lengths, message.concat(), bytes.to_vec()].concat()
}

#[test]
fn a_whole_message_of_the_right_kind_says_the_time() {
    let check = |buffer: &[u8], expected: (&[u8], Option<u64>)| assert_eq!(split(buffer, LEVEL, KIND), expected);
    check(&buffer(32, KIND, 3, 7, b"ok"), (b"ok", Some(3_000_000_007)));
    check(&buffer(32, KIND + 1, 3, 7, b"ok"), (b"ok", None));
    check(&buffer(0, KIND, 3, 7, b"ok"), (b"ok", None));
    check(&buffer(32, KIND, u64::MAX, 7, b"ok"), (b"ok", None));
    check(&buffer(32, KIND, 3, 7, b"")[..47], (b"", None));
}

#[test]
fn received_corpus() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/received");
    let entries = std::fs::read_dir(&directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut replayed = 0;
    for entry in entries {
        let path = entry.expect("the directory can be read").path();
        any_buffer_is_read_within_its_bounds(&std::fs::read(&path).expect("the file can be read"));
        replayed += 1;
    }
    assert!(replayed > 0, "{} is empty", directory.display());
}
