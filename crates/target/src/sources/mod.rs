//! Where code comes from: the lines that someone wrote for those that Node.js was given, by the source maps that lie
//! beside or inside of compiled files, and the lines on which functions are called, by the text of their callers.
//!
//! The files are read once the load is over, while the service is here. What was found is kept with the profile, so that
//! it can be read again elsewhere. Which files those are is in the service's hands: see `files.rs` for what is read, and
//! `map.rs` and `text.rs` for how little of it is kept.

mod files;
mod map;
mod text;

pub use map::reads_source_map;

use crate::file_url::path_of;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use files::Files;
use map::Place;
use plimsoll_measure::probe::CallSite;
use plimsoll_measure::{MakingLine, Profile};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Places that are known of all files together.
const PLACES_MAX: usize = 200_000;
const MARK: &str = "//# sourceMappingURL=";

/// What is known of the code in one profile.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origins {
    /// The first part of the profile, which was warm-up and does not count, µs.
    pub warm_up_us: u64,
    /// By compiled file.
    files: BTreeMap<String, Origin>,
    /// Lines on which the service's own functions call what is not their own, found in their text.
    calls: Vec<FoundCall>,
    /// Lines on which V8 counts time of the service's own functions although they are not in them.
    strays: Vec<StrayLine>,
    /// Lines with time that make something costly.
    makes: Vec<MakingLine>,
}

/// A line that is counted for a function and lies outside of it: that of a function, often of Node.js, which V8 put
/// into the machine code of the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct StrayLine {
    file: String,
    /// Where the function begins.
    function_line: u32,
    line: u32,
}

/// A function, what it calls, and on which line; as the profile names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct FoundCall {
    file: String,
    /// Where the caller begins.
    caller_line: u32,
    called: String,
    line: u32,
}

/// Where the lines of a compiled file come from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Origin {
    /// The file that someone wrote. A bundle has several; then the lines of the others are left as they are.
    file: String,
    /// From lines of the compiled file to lines of that file, both from 1.
    lines: BTreeMap<u32, u32>,
}

/// Where places of compiled files come from, by file; read when they are first asked for.
#[derive(Debug, Default)]
pub struct Sources {
    files: Files,
    known: HashMap<String, Known>,
    /// Of all files.
    places: usize,
}

/// What is known of a compiled file.
#[derive(Debug, Default)]
struct Known {
    /// It has no source map.
    has_none: bool,
    places: BTreeMap<Place, Option<map::Origin>>,
}

impl Sources {
    /// The service runs in this directory.
    pub fn serves_from(&mut self, directory: &str) {
        self.files.add_root(Path::new(directory));
    }

    /// The service was started with this script.
    pub fn serves_script(&mut self, script: &str) {
        if let Some(directory) = Path::new(script).parent() {
            self.files.add_root(directory);
        }
    }

    /// What is known of the code in `profile`.
    pub fn origins(&mut self, profile: &Profile) -> Origins {
        let said = text::look(profile, &mut self.files);
        let mut origins = Origins {
            calls: said.calls,
            strays: said.strays,
            makes: said.makes,
            ..Origins::default()
        };
        let found = origins.calls.iter().map(|call| (call.file.as_str(), call.line));
        let timed = profile.calls.iter().flat_map(|call| {
            let frame = &profile.frames[call.frame];
            let lines = call.lines.iter().map(|(line, _)| *line).chain([frame.line]);
            lines.map(|line| (frame.file.as_str(), line))
        });
        let asked: Vec<(&str, u32)> = found.chain(timed).collect();
        self.look_up(asked.iter().map(|&(file, line)| (file, line, 0)));
        for (compiled, line) in asked {
            if let Some((file, original, _)) = self.original(compiled, line, 0) {
                let origin = origins.files.entry(compiled.to_owned()).or_insert_with(|| Origin {
                    file: file.clone(),
                    lines: BTreeMap::new(),
                });
                if origin.file == file {
                    origin.lines.insert(line, original);
                }
            }
        }
        origins
    }

    /// Finds out where call sites come from.
    pub fn look_up_sites<'a>(&mut self, sites: impl Iterator<Item = &'a CallSite>) {
        let frames = sites.flat_map(|site| &site.frames);
        self.look_up(frames.map(|frame| (frame.file.as_str(), frame.line, frame.column)));
    }

    /// Puts the frames of a call site that was looked up where someone wrote them.
    pub fn restore_site(&self, site: &mut CallSite) {
        for frame in &mut site.frames {
            if let Some((file, line, column)) = self.original(&frame.file, frame.line, frame.column) {
                (frame.file, frame.line, frame.column) = (file, line, column);
            }
        }
    }

    /// What could not be found out, in words.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        self.files.notices()
    }

    /// Finds out where places come from, one file after the other.
    fn look_up<'a>(&mut self, places: impl Iterator<Item = (&'a str, u32, u32)>) {
        let mut asked: BTreeMap<&str, BTreeSet<Place>> = BTreeMap::new();
        for (file, line, column) in places {
            let Some(place) = place(file, line, column) else {
                continue;
            };
            let is_known = |known: &Known| known.has_none || known.places.contains_key(&place);
            if self.places >= PLACES_MAX || self.known.get(file).is_some_and(is_known) {
                continue;
            }
            self.places += usize::from(asked.entry(file).or_default().insert(place));
        }
        for (file, places) in asked {
            let found = self
                .map_of(Path::new(file))
                .and_then(|map| map::origins(&map, places.iter().copied()));
            let known = self.known.entry(file.to_owned()).or_default();
            match found {
                Some(mut found) => {
                    known
                        .places
                        .extend(places.into_iter().map(|place| (place, found.remove(&place))));
                }
                None => known.has_none = true,
            }
        }
    }

    /// File, line and column in the source; `column` 0 stands for the first of the line that is known.
    fn original(&self, file: &str, line: u32, column: u32) -> Option<(String, u32, u32)> {
        let origin = self
            .known
            .get(file)?
            .places
            .get(&place(file, line, column)?)?
            .as_ref()?;
        let source = path_of(&origin.source);
        let source = plain(&Path::new(file).parent()?.join(source));
        Some((
            shown(&source.to_string_lossy()),
            origin.line.saturating_add(1),
            origin.column.saturating_add(1),
        ))
    }

    /// The source map that the last line of a file names.
    fn map_of(&mut self, file: &Path) -> Option<Vec<u8>> {
        let text = self.files.text(file)?;
        let (_, url) = text.rsplit_once(MARK)?;
        let url = url.lines().next()?.trim();
        if let Some(data) = url.strip_prefix("data:") {
            let (_, encoded) = data.split_once(";base64,")?;
            return STANDARD.decode(encoded).ok();
        }
        let beside = file.parent()?.join(path_of(url));
        drop(text);
        self.files.text(&beside).map(String::into_bytes)
    }
}

/// A place in the service's own code; `column` 0 stands for the first of the line.
fn place(file: &str, line: u32, column: u32) -> Option<Place> {
    is_own(file).then_some((line.checked_sub(1)?, column.checked_sub(1)))
}

/// As it is shown: of a length that fits, and without control characters.
fn shown(path: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 1024;
    plimsoll_plain::line(path).chars().take(SHOWN_CHARS_MAX).collect()
}

impl Origins {
    /// Puts the code of `profile` where someone wrote it, and says on which lines calls were found.
    pub fn restore(&self, profile: &mut Profile) {
        let found: HashMap<(&str, u32, &str), u32> = self
            .calls
            .iter()
            .map(|call| ((call.file.as_str(), call.caller_line, call.called.as_str()), call.line))
            .collect();
        let strays: HashSet<(&str, u32, u32)> = self
            .strays
            .iter()
            .map(|stray| (stray.file.as_str(), stray.function_line, stray.line))
            .collect();
        for index in 0..profile.calls.len() {
            let frame = &profile.frames[profile.calls[index].frame];
            let is_stray = |line: u32| strays.contains(&(frame.file.as_str(), frame.line, line));
            profile.calls[index].lines.retain(|(line, _)| !is_stray(*line));
            let call = &profile.calls[index];
            let caller = call.caller.map(|caller| &profile.frames[profile.calls[caller].frame]);
            let called_on = caller.and_then(|caller| {
                let called = profile.frames[call.frame].function.as_str();
                let &line = found.get(&(caller.file.as_str(), caller.line, called))?;
                Some(self.line(&caller.file, line))
            });
            let file = &profile.frames[call.frame].file;
            let lines = self.files.contains_key(file).then(|| {
                let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
                for &(line, us) in &call.lines {
                    *lines.entry(self.line(file, line)).or_default() += us;
                }
                lines.into_iter().collect()
            });
            let call = &mut profile.calls[index];
            call.called_on = called_on;
            if let Some(lines) = lines {
                call.lines = lines;
            }
        }
        profile.text.makes = self.makes.iter().map(|at| self.restored(at)).collect();
        for frame in &mut profile.frames {
            if let Some(origin) = self.files.get(&frame.file) {
                frame.line = self.line(&frame.file, frame.line);
                frame.file.clone_from(&origin.file);
            }
        }
    }

    fn restored(&self, at: &MakingLine) -> MakingLine {
        MakingLine {
            file: self.files.get(&at.file).map_or(&at.file, |origin| &origin.file).clone(),
            line: self.line(&at.file, at.line),
            makes: at.makes,
        }
    }

    fn line(&self, file: &str, line: u32) -> u32 {
        let original = self.files.get(file).and_then(|origin| origin.lines.get(&line));
        original.copied().unwrap_or(line)
    }
}

/// A file of the service's own code.
fn is_own(file: &str) -> bool {
    file.starts_with('/') && !file.contains("/node_modules/")
}

/// Without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::probe::SiteFrame;
    use plimsoll_measure::{Call, Frame, ProfileText};

    /// Line 2 of `dist/app.js` comes from line 5 of `src/app.ts`.
    const MAP: &str = r#"{"version":3,"sources":["../src/app.ts"],"names":[],"mappings":";AAIA"}"#;

    fn compiled(mark: &str) -> (tempfile::TempDir, String) {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::create_dir(directory.path().join("dist")).expect("made");
        let file = directory.path().join("dist/app.js");
        std::fs::write(&file, format!("'use strict';\nx = /^(a+)+$/.test(y);\n{MARK}{mark}\n")).expect("written");
        std::fs::write(directory.path().join("dist/app.js.map"), MAP).expect("written");
        let file = file.to_string_lossy().into_owned();
        (directory, file)
    }

    fn sources_of(directory: &tempfile::TempDir) -> Sources {
        let mut sources = Sources::default();
        sources.serves_from(&directory.path().to_string_lossy());
        sources
    }

    fn profile(file: &str) -> Profile {
        let frame = |function: &str, file: &str, line| Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            column: 1,
        };
        let call = |frame, caller, lines: &[(u32, u64)]| Call {
            frame,
            caller,
            self_us: 10,
            longest_us: 10,
            stays: 0,
            called_on: None,
            lines: lines.to_vec(),
        };
        Profile {
            span_us: 0,
            sampler_us: 0,
            text: ProfileText::default(),
            frames: vec![frame("check", file, 2), frame("RegExp: ^(a+)+$", "", 0)],
            calls: vec![call(0, None, &[(2, 10)]), call(1, Some(0), &[])],
            ..Profile::default()
        }
    }

    #[test]
    fn lines_are_those_that_someone_wrote() {
        for mark in [
            "app.js.map".to_owned(),
            format!(
                "data:application/json;base64,{}",
                // The map above, as a compiler puts it into the file.
                "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIi4uL3NyYy9hcHAudHMiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IjtBQUlBIn0="
            ),
        ] {
            let (directory, file) = compiled(&mark);
            let source = directory.path().join("src/app.ts").to_string_lossy().into_owned();
            let mut sources = sources_of(&directory);
            let mut profile = profile(&file);
            let origins = sources.origins(&profile);
            let kept = serde_json::to_string(&origins).expect("plain data");
            let kept: Origins = serde_json::from_str(&kept).expect("reads back");
            assert_eq!(kept, origins);
            kept.restore(&mut profile);
            let frame = &profile.frames[0];
            assert_eq!((frame.file.as_str(), frame.line), (source.as_str(), 5), "{mark}");
            assert_eq!(profile.calls[1].called_on, Some(5));
            assert_eq!(profile.calls[0].lines, [(5, 10)]);

            let mut site = CallSite {
                frames: vec![SiteFrame {
                    file,
                    line: 2,
                    column: 1,
                    ..SiteFrame::default()
                }],
                ..CallSite::default()
            };
            sources.look_up_sites(std::iter::once(&site));
            sources.restore_site(&mut site);
            assert_eq!(
                (site.frames[0].file.as_str(), site.frames[0].line),
                (source.as_str(), 5)
            );
        }
    }

    #[test]
    fn what_has_no_map_stays_where_it_is() {
        let (directory, file) = compiled("gone.map");
        let mut found = profile(&file);
        sources_of(&directory).origins(&found).restore(&mut found);
        assert_eq!(found.frames[0], profile(&file).frames[0]);
        assert_eq!(found.calls[1].called_on, Some(2));
        let nowhere = profile("/no/such/file.js");
        assert_eq!(Sources::default().origins(&nowhere), Origins::default());
    }

    #[test]
    fn maps_that_lead_elsewhere_are_not_followed() {
        for mark in [
            "/dev/zero",
            "file:///dev/zero",
            &format!("{}etc/passwd", "../".repeat(7)),
            "data:application/json;base64,!!",
            "http://127.0.0.1/x.map",
        ] {
            let (directory, file) = compiled(mark);
            let mut sources = sources_of(&directory);
            let mut found = profile(&file);
            sources.origins(&found).restore(&mut found);
            assert_eq!(found.frames[0], profile(&file).frames[0], "{mark}");
        }
    }

    #[test]
    fn places_that_are_asked_for_have_a_bound() {
        let (directory, file) = compiled("app.js.map");
        let mut sources = sources_of(&directory);
        for begin in (0..1_000_000).step_by(50_000) {
            sources.look_up((begin..begin + 50_000).map(|line| (file.as_str(), line, 1)));
        }
        assert!(sources.known[&file].places.len() <= PLACES_MAX);
    }
}
