//! The fuzz targets, as they are, with every file of their corpora: that they fit what they call is seen without a nightly compiler
//! and without compiling everything once more for them.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]
#![expect(clippy::duplicate_mod, reason = "several targets share what must hold")]
#![expect(clippy::module_inception, reason = "a target is named after what it reads")]
#![expect(unused_attributes, reason = "each target is a program when it is fuzzed")]

// What stands in for libFuzzer: a target is a function that is called once.
extern crate self as libfuzzer_sys;

/// As that of libFuzzer is written.
#[macro_export]
macro_rules! fuzz_target {
    (|$input:ident: &[u8]| $body:expr) => {
        pub(crate) fn target($input: &[u8]) {
            $body
        }
    };
}

#[path = "../../../../fuzz/fuzz_targets/content.rs"]
mod content;
#[path = "../../../../fuzz/fuzz_targets/cpuprofile.rs"]
mod cpuprofile;
#[path = "../../../../fuzz/fuzz_targets/fleet_message.rs"]
mod fleet_message;
#[path = "../../../../fuzz/fuzz_targets/heapprofile.rs"]
mod heapprofile;
#[path = "../../../../fuzz/fuzz_targets/hlog.rs"]
mod hlog;
#[path = "../../../../fuzz/fuzz_targets/http1_response.rs"]
mod http1_response;
#[path = "../../../../fuzz/fuzz_targets/http2_connection.rs"]
mod http2_connection;
#[path = "../../../../fuzz/fuzz_targets/http2_headers.rs"]
#[expect(
    unsafe_code,
    reason = "nghttp2, beside which header blocks are read, is a library in C"
)]
mod http2_headers;
#[path = "../../../../fuzz/fuzz_targets/import.rs"]
mod import;
#[path = "../../../../fuzz/fuzz_targets/plan_parse.rs"]
mod plan_parse;
#[path = "../../../../fuzz/fuzz_targets/probe_line.rs"]
mod probe_line;
#[path = "../../../../fuzz/fuzz_targets/received.rs"]
mod received;
#[path = "../../../../fuzz/fuzz_targets/request_encoder.rs"]
mod request_encoder;
#[path = "../../../../fuzz/fuzz_targets/run_directory.rs"]
mod run_directory;
#[path = "../../../../fuzz/fuzz_targets/series_directory.rs"]
mod series_directory;
#[path = "../../../../fuzz/fuzz_targets/socket_io_packets.rs"]
mod socket_io_packets;
#[path = "../../../../fuzz/fuzz_targets/source_map.rs"]
mod source_map;
#[path = "../../../../fuzz/fuzz_targets/table.rs"]
mod table;
#[path = "../../../../fuzz/fuzz_targets/websocket_frames.rs"]
mod websocket_frames;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

type Target = fn(&[u8]);

const TARGETS: [(&str, Target); 19] = [
    ("content", content::target),
    ("cpuprofile", cpuprofile::target),
    ("fleet_message", fleet_message::target),
    ("heapprofile", heapprofile::target),
    ("hlog", hlog::target),
    ("http1_response", http1_response::target),
    ("http2_connection", http2_connection::target),
    ("http2_headers", http2_headers::target),
    ("import", import::target),
    ("plan_parse", plan_parse::target),
    ("probe_line", probe_line::target),
    ("received", received::target),
    ("request_encoder", request_encoder::target),
    ("run_directory", run_directory::target),
    ("series_directory", series_directory::target),
    ("socket_io_packets", socket_io_packets::target),
    ("source_map", source_map::target),
    ("table", table::target),
    ("websocket_frames", websocket_frames::target),
];

fn fuzz(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(directory);
    let entries = fs::read_dir(directory).expect("it is there").flatten();
    entries.map(|entry| entry.path()).collect()
}

#[test]
fn each_target_takes_every_file_of_its_corpus() {
    for (name, target) in TARGETS {
        let corpus = fuzz(&format!("corpus/{name}"));
        assert!(!corpus.is_empty(), "{name}");
        for file in corpus {
            target(&fs::read(file).expect("a file of the corpus"));
        }
    }
}

#[test]
fn every_target_is_here() {
    let files = fuzz("fuzz_targets");
    let there: BTreeSet<_> = files.iter().filter_map(|file| file.file_stem()?.to_str()).collect();
    let here: BTreeSet<_> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(here, there);
}
