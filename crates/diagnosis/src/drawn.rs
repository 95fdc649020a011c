//! Profiles drawn as text, for tests.

use plimsoll_measure::{Call, Frame, Profile};

/// A call a line, `file function self_us`, two blanks further right than its caller; `-` is the file of native code. Calls of the
/// same function have the same frame, and anonymous functions are all different.
pub(crate) fn profile(text: &str) -> Profile {
    let mut profile = Profile::default();
    let mut callers: Vec<usize> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let depth = (line.len() - line.trim_start().len()) / 2;
        let (code, us) = line.trim().rsplit_once(' ').expect("a function and its time");
        let (file, function) = code.split_once(' ').unwrap_or((code, ""));
        callers.truncate(depth);
        let file = if file == "-" { "" } else { file };
        let is_same = |frame: &Frame| !function.is_empty() && frame.file == file && frame.function == function;
        let frame = profile.frames.iter().position(is_same).unwrap_or_else(|| {
            profile.frames.push(Frame {
                file: file.to_owned(),
                function: function.to_owned(),
                line: profile.frames.len() as u32 + 1,
                ..Frame::default()
            });
            profile.frames.len() - 1
        });
        profile.calls.push(Call {
            frame,
            caller: callers.last().copied(),
            self_us: us.parse().expect("a time"),
            longest_us: 0,
            stays: 1,
            called_on: None,
            lines: Vec::new(),
        });
        callers.push(profile.calls.len() - 1);
    }
    profile
}
