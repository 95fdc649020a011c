//! Any bytes as a source map: refused, or read without more places than were asked for.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let _ = plimsoll_target::reads_source_map(input);
});
