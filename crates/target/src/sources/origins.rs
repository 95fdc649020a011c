//! What is known of the code in one profile, as it is kept beside it, and how it puts the profile where someone wrote it.

use plimsoll_measure::{Compiler, Frame, MakingLine, Profile, Texts};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

/// What is known of the code in one profile.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Origins {
    /// The first part of the profile, which was warm-up and does not count, µs.
    pub warm_up_us: u64,
    /// By compiled file, in directories from before one could have several sources.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) files: BTreeMap<String, Origin>,
    /// By compiled file.
    pub(super) mapped: BTreeMap<String, Mapped>,
    /// Lines on which the service's own functions call what is not their own, found in their text.
    pub(super) calls: Vec<FoundCall>,
    /// Lines on which V8 counts time of the service's own functions although they are not in them.
    pub(super) strays: Vec<StrayLine>,
    /// Lines with time that make something costly.
    pub(super) makes: Vec<MakingLine>,
    /// Text of the costliest lines, where someone wrote them.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) lines: Texts,
    /// Files of the service that were compiled and have no source map.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) compiled: BTreeMap<String, Compiler>,
}

/// A line that is counted for a function and lies outside of it: that of a function, often of Node.js, which V8 put
/// into the machine code of the first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct StrayLine {
    pub(super) file: String,
    /// Where the function begins.
    pub(super) function_line: u32,
    pub(super) line: u32,
    /// The function that it is of, where that is one of the same file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) of: Option<Inlined>,
}

/// A function whose time V8 counts for one that calls it. Line and column from 1, as the profile has them.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Inlined {
    pub(super) function: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

/// A function, what it calls, and on which line; as the profile names them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundCall {
    pub(super) file: String,
    /// Where the caller begins.
    pub(super) caller_line: u32,
    pub(super) called: String,
    pub(super) line: u32,
}

/// Where the lines of a compiled file come from, all of one source.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Origin {
    /// The file that someone wrote.
    file: String,
    /// From lines of the compiled file to lines of that file, both from 1.
    lines: BTreeMap<u32, u32>,
}

/// Where the code of a compiled file comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Mapped {
    /// The files that someone wrote.
    sources: Vec<String>,
    /// From lines of the compiled file to a source, by its index, and a line of it; both lines from 1.
    pub(super) lines: BTreeMap<u32, (usize, u32)>,
    /// Where functions begin.
    pub(super) places: Vec<MappedPlace>,
}

/// Where a function comes from. Lines and columns from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MappedPlace {
    /// Line and column in the compiled file.
    pub(super) at: (u32, u32),
    /// Index of its source.
    pub(super) source: usize,
    pub(super) line: u32,
    pub(super) column: u32,
    /// Its name there, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
}

impl Mapped {
    /// The index of a source, which is taken in where it is new.
    pub(super) fn source(&mut self, file: String) -> usize {
        match self.sources.iter().position(|source| *source == file) {
            Some(index) => index,
            None => {
                self.sources.push(file);
                self.sources.len() - 1
            }
        }
    }
}

impl Origins {
    /// Puts the code of `profile` where someone wrote it, and says on which lines calls were found.
    pub fn restore(&self, profile: &mut Profile) {
        self.take_out(profile);
        let maps = Maps::of(self);
        let frames: Vec<Option<Frame>> = profile.frames.iter().map(|frame| maps.frame(frame)).collect();
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
            let call = &profile.calls[index];
            let (frame, restored) = (&profile.frames[call.frame], &frames[call.frame]);
            let caller = call.caller.map(|caller| profile.calls[caller].frame);
            let called_on = caller.and_then(|caller| {
                let (before, restored) = (&profile.frames[caller], &frames[caller]);
                let &line = found.get(&(before.file.as_str(), before.line, frame.function.as_str()))?;
                maps.line_in(before, restored.as_ref(), line)
            });
            let mut lines: BTreeMap<u32, u64> = BTreeMap::new();
            for &(line, us) in &call.lines {
                let is_stray = strays.contains(&(frame.file.as_str(), frame.line, line));
                if let (false, Some(line)) = (is_stray, maps.line_in(frame, restored.as_ref(), line)) {
                    *lines.entry(line).or_default() += us;
                }
            }
            let call = &mut profile.calls[index];
            call.called_on = called_on;
            call.lines = lines.into_iter().collect();
        }
        profile.text.makes = self.makes.iter().map(|at| maps.making_line(at)).collect();
        profile.text.lines.clone_from(&self.lines);
        profile.text.compiled.clone_from(&self.compiled);
        for layer in &mut profile.layers.known {
            if let Some(place) = maps.frame(&layer.place) {
                layer.place = Frame {
                    function: std::mem::take(&mut layer.place.function),
                    ..place
                };
            }
        }
        for (frame, restored) in profile.frames.iter_mut().zip(frames) {
            if let Some(restored) = restored {
                *frame = restored;
            }
        }
    }

    /// Functions that V8 put into others become calls of these.
    fn take_out(&self, profile: &mut Profile) {
        let known = self.strays.iter().filter_map(|stray| {
            let place = (stray.file.as_str(), stray.function_line, stray.line);
            Some((place, stray.of.as_ref()?))
        });
        let known: HashMap<(&str, u32, u32), &Inlined> = known.collect();
        let mut moves = Vec::new();
        for (index, call) in profile.calls.iter().enumerate() {
            let frame = &profile.frames[call.frame];
            let mut taken: BTreeMap<&Inlined, Vec<(u32, u64)>> = BTreeMap::new();
            for &(line, us) in &call.lines {
                if let Some(of) = known.get(&(frame.file.as_str(), frame.line, line)) {
                    taken.entry(of).or_default().push((line, us));
                }
            }
            moves.extend(taken.into_iter().map(|(of, lines)| {
                let function = Frame {
                    function: of.function.clone(),
                    file: frame.file.clone(),
                    line: of.line,
                    column: of.column,
                };
                (index, function, lines)
            }));
        }
        if !moves.is_empty() {
            profile.move_to_called(moves);
        }
    }
}

/// What is known, by what it is asked for.
struct Maps<'a> {
    origins: &'a Origins,
    places: HashMap<(&'a str, u32, u32), (&'a Mapped, &'a MappedPlace)>,
}

impl<'a> Maps<'a> {
    fn of(origins: &'a Origins) -> Self {
        let places = origins.mapped.iter().flat_map(|(file, mapped)| {
            let place = move |place: &'a MappedPlace| ((file.as_str(), place.at.0, place.at.1), (mapped, place));
            mapped.places.iter().map(place)
        });
        Self {
            origins,
            places: places.collect(),
        }
    }

    /// The function where someone wrote it; `None` where that is not known.
    fn frame(&self, frame: &Frame) -> Option<Frame> {
        let place = self.places.get(&(frame.file.as_str(), frame.line, frame.column));
        let exact = place.and_then(|(mapped, place)| {
            Some(Frame {
                function: place.name.as_ref().unwrap_or(&frame.function).clone(),
                file: mapped.sources.get(place.source)?.clone(),
                line: place.line,
                column: place.column,
            })
        });
        exact.or_else(|| {
            let (file, line) = self.line(&frame.file, frame.line)?;
            Some(Frame {
                file: file.to_owned(),
                line,
                ..frame.clone()
            })
        })
    }

    /// File and line in the source of a line of a compiled file.
    fn line(&self, file: &str, line: u32) -> Option<(&'a str, u32)> {
        if let Some(origin) = self.origins.files.get(file) {
            return Some((&origin.file, *origin.lines.get(&line)?));
        }
        let mapped = self.origins.mapped.get(file)?;
        let (source, line) = *mapped.lines.get(&line)?;
        Some((mapped.sources.get(source)?, line))
    }

    /// A line of a function in the source of that function; `None` where it comes from elsewhere, as what was put into it.
    fn line_in(&self, frame: &Frame, restored: Option<&Frame>, line: u32) -> Option<u32> {
        match restored {
            Some(restored) => self
                .line(&frame.file, line)
                .filter(|(file, _)| *file == restored.file)
                .map(|(_, line)| line),
            None => Some(line),
        }
    }

    fn making_line(&self, at: &MakingLine) -> MakingLine {
        let (file, line) = self.line(&at.file, at.line).unwrap_or((&at.file, at.line));
        MakingLine {
            file: file.to_owned(),
            line,
            makes: at.makes,
        }
    }
}
