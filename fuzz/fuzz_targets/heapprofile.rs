//! Any bytes as a heap profile: refused, or read as a tree whose callers come first, and set against itself.
#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    if let Ok(profile) = plimsoll_target::read_heapprofile(input) {
        for (index, call) in profile.calls.iter().enumerate() {
            assert!(call.frame < profile.frames.len());
            assert!(call.caller.is_none_or(|caller| caller < index));
        }
        let grown = plimsoll_target::grown_heapprofile(input, input).expect("it was read");
        assert!(plimsoll_target::read_heapprofile(grown.as_bytes()).is_ok());
    }
});
