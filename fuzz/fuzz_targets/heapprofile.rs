//! Any bytes as a heap profile: refused, or read as a tree whose callers come first.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(profile) = plimsoll_target::read_heapprofile(input) {
        for (index, call) in profile.calls.iter().enumerate() {
            assert!(call.frame < profile.frames.len());
            assert!(call.caller.is_none_or(|caller| caller < index));
        }
    }
});
