//! Any bytes as a line of the probe: refused, or read as a message that reads back from what is kept of it.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    for line in input.split(|byte| *byte == b'\n') {
        let _ = plimsoll_target::reads_probe_line(line);
    }
});
