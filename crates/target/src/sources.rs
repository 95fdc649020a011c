//! Where code comes from: the lines that someone wrote for those that Node.js was given, by the source maps that lie
//! beside or inside of compiled files, and the lines on which functions are called, by the text of their callers.
//!
//! The files are read while the service is here. What was found is kept with the profile, so that it can be read
//! again elsewhere.

use plimsoll_measure::probe::CallSite;
use plimsoll_measure::{Frame, Profile};
use serde::{Deserialize, Serialize};
use sourcemap::{DecodedMap, SourceMap};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Larger files are bundles whose lines say little; reading them would hold up the run.
const FILE_BYTES_MAX: u64 = 64 << 20;
const EXPRESSION: &str = "RegExp: ";
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

/// Source maps by compiled file, read when they are first asked for.
#[derive(Default)]
pub struct Sources {
    maps: HashMap<String, Option<SourceMap>>,
}

impl Sources {
    /// What is known of the code in `profile`.
    pub fn origins(&mut self, profile: &Profile) -> Origins {
        let mut origins = Origins {
            calls: found_calls(profile),
            strays: stray_lines(profile),
            ..Origins::default()
        };
        let found = origins.calls.iter().map(|call| (call.file.clone(), call.line));
        let timed = profile.calls.iter().flat_map(|call| {
            let frame = &profile.frames[call.frame];
            let lines = call.lines.iter().map(|(line, _)| *line).chain([frame.line]);
            lines.map(|line| (frame.file.clone(), line))
        });
        for (compiled, line) in found.chain(timed) {
            if let Some((file, original, _)) = self.original(&compiled, line, 0) {
                let origin = origins.files.entry(compiled).or_insert_with(|| Origin {
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

    /// Puts the frames of a call site where someone wrote them.
    pub fn restore_site(&mut self, site: &mut CallSite) {
        for frame in &mut site.frames {
            if let Some((file, line, column)) = self.original(&frame.file, frame.line, frame.column) {
                (frame.file, frame.line, frame.column) = (file, line, column);
            }
        }
    }

    /// File, line and column in the source; `column` 0 stands for the first of the line that is known.
    fn original(&mut self, file: &str, line: u32, column: u32) -> Option<(String, u32, u32)> {
        if !is_own(file) || line == 0 {
            return None;
        }
        let map = self
            .maps
            .entry(file.to_owned())
            .or_insert_with(|| map_of(Path::new(file)));
        let map = map.as_ref()?;
        let token = match column {
            0 => map.tokens().find(|token| token.get_dst_line() == line - 1),
            column => map.lookup_token(line - 1, column - 1),
        };
        let token = token.filter(|token| token.get_dst_line() == line - 1)?;
        let source = token.get_source()?;
        let source = source.strip_prefix("file://").unwrap_or(source);
        let folder = Path::new(file).parent()?;
        let source = plain(&folder.join(source)).to_string_lossy().into_owned();
        Some((source, token.get_src_line() + 1, token.get_src_col() + 1))
    }
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
        for frame in &mut profile.frames {
            if let Some(origin) = self.files.get(&frame.file) {
                frame.line = self.line(&frame.file, frame.line);
                frame.file.clone_from(&origin.file);
            }
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

/// A profile says in which function a call was, not on which line. The text of the function mostly does.
fn found_calls(profile: &Profile) -> Vec<FoundCall> {
    let mut texts: HashMap<&str, Option<String>> = HashMap::new();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    for call in &profile.calls {
        let frame = &profile.frames[call.frame];
        let Some(caller) = call.caller.map(|caller| &profile.frames[profile.calls[caller].frame]) else {
            continue;
        };
        if !is_own(&caller.file) || is_own(&frame.file) || !seen.insert((caller, call.frame)) {
            continue;
        }
        let text = texts
            .entry(&caller.file)
            .or_insert_with(|| read(Path::new(&caller.file)));
        let Some(line) = text.as_deref().and_then(|text| line_of_call(text, caller.line, frame)) else {
            continue;
        };
        found.push(FoundCall {
            file: caller.file.clone(),
            caller_line: caller.line,
            called: frame.function.clone(),
            line,
        });
    }
    found
}

/// Lines with time that are not in the function for which V8 counts them.
fn stray_lines(profile: &Profile) -> Vec<StrayLine> {
    let mut texts: HashMap<&str, Option<String>> = HashMap::new();
    let mut strays: Vec<StrayLine> = Vec::new();
    for call in &profile.calls {
        let frame = &profile.frames[call.frame];
        if call.lines.is_empty() || !is_own(&frame.file) {
            continue;
        }
        let text = texts.entry(&frame.file).or_insert_with(|| read(Path::new(&frame.file)));
        let (Some(text), Some(first)) = (text, (frame.line as usize).checked_sub(1)) else {
            continue;
        };
        let all: Vec<&str> = text.lines().collect();
        let body = body(&all, first);
        for &(line, _) in &call.lines {
            let stray = StrayLine {
                file: frame.file.clone(),
                function_line: frame.line,
                line,
            };
            if !body.contains(&(line as usize).saturating_sub(1)) && !strays.contains(&stray) {
                strays.push(stray);
            }
        }
    }
    strays
}

/// The source map that the last line of a file names.
fn map_of(file: &Path) -> Option<SourceMap> {
    let text = read(file)?;
    let (_, url) = text.rsplit_once(MARK)?;
    let url = url.lines().next()?.trim();
    let decoded = if url.starts_with("data:") {
        sourcemap::decode_data_url(url).ok()?
    } else {
        let beside = file.parent()?.join(url);
        sourcemap::decode_slice(read(&beside)?.as_bytes()).ok()?
    };
    match decoded {
        DecodedMap::Regular(map) => Some(map),
        DecodedMap::Index(index) => index.flatten().ok(),
        DecodedMap::Hermes(_) => None,
    }
}

/// The line in the function that begins at `from` on which `called` is called.
fn line_of_call(text: &str, from: u32, called: &Frame) -> Option<u32> {
    let all: Vec<&str> = text.lines().collect();
    let first = (from as usize).checked_sub(1)?;
    let body = body(&all, first);
    let on = |holds: &dyn Fn(&str) -> bool| {
        let index = all.get(body.clone())?.iter().position(|line| holds(line))?;
        Some((body.start + index) as u32 + 1)
    };
    if let Some(expression) = called.function.strip_prefix(EXPRESSION) {
        let literal = format!("/{expression}/");
        return on(&|line| line.contains(&literal)).or_else(|| {
            let elsewhere = all.iter().find(|line| line.contains(&literal))?;
            let name = assigned_to(elsewhere)?;
            on(&|line| has_word(line, name, ""))
        });
    }
    let name = called.function.rsplit([' ', '.']).next().unwrap_or_default();
    let by_name = (!name.is_empty())
        .then(|| on(&|line| has_word(line, name, "(")))
        .flatten();
    by_name.or_else(|| {
        let (_, inside) = called.file.rsplit_once("node_modules/")?;
        let scope = if inside.starts_with('@') { 2 } else { 1 };
        let package = inside.split('/').take(scope).collect::<Vec<_>>().join("/");
        let names = imported_from(&all, &package);
        on(&|line| names.iter().any(|name| has_word(line, name, "")))
    })
}

/// The lines of the function that begins at `first`: as far as lines are indented deeper than it, and the one after.
fn body(all: &[&str], first: usize) -> std::ops::Range<usize> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let own = all.get(first).map_or(0, |line| indent(line));
    let deeper = all
        .iter()
        .skip(first + 1)
        .take_while(|line| line.trim().is_empty() || indent(line) > own)
        .count();
    first.min(all.len())..(first + deeper + 2).min(all.len())
}

/// Names that a file has for a package: `import a, { b as c } from 'package'`, `const { d } = require('package')`.
fn imported_from<'a>(all: &[&'a str], package: &str) -> Vec<&'a str> {
    let quoted = [format!("'{package}'"), format!("\"{package}\"")];
    let lines = all.iter().filter(|line| quoted.iter().any(|name| line.contains(name)));
    let before = lines.filter_map(|line| {
        let from = line.find(" from ").or_else(|| line.find("require("))?;
        Some(&line[..from])
    });
    before
        .flat_map(|names| names.split(|c: char| !is_of_name(c)))
        .filter(|name| {
            !matches!(
                *name,
                "" | "import" | "const" | "let" | "var" | "as" | "default" | "type"
            )
        })
        .collect()
}

/// `SLUG` of `const SLUG = /…/`.
fn assigned_to(line: &str) -> Option<&str> {
    let before = line.split(['=', ':']).next()?.trim_end();
    before
        .rsplit(|c: char| !is_of_name(c))
        .next()
        .filter(|name| !name.is_empty())
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether `word` stands in `line` by itself, with `after` behind it.
fn has_word(line: &str, word: &str, after: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let rest = &line[at + word.len()..];
        !line[..at].ends_with(is_of_name) && !rest.starts_with(is_of_name) && rest.starts_with(after)
    })
}

fn read(file: &Path) -> Option<String> {
    plimsoll_files::found::text(file, FILE_BYTES_MAX).ok()
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
    use plimsoll_measure::Call;
    use plimsoll_measure::probe::SiteFrame;

    /// Line 2 of `dist/app.js` comes from line 5 of `src/app.ts`.
    const MAP: &str = r#"{"version":3,"sources":["../src/app.ts"],"names":[],"mappings":";AAIA"}"#;

    fn compiled(mark: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("dist")).expect("made");
        let file = folder.path().join("dist/app.js");
        std::fs::write(&file, format!("'use strict';\nx = /^(a+)+$/.test(y);\n{MARK}{mark}\n")).expect("written");
        std::fs::write(folder.path().join("dist/app.js.map"), MAP).expect("written");
        let file = file.to_string_lossy().into_owned();
        (folder, file)
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
            frames: vec![frame("check", file, 2), frame("RegExp: ^(a+)+$", "", 0)],
            calls: vec![call(0, None, &[(2, 10)]), call(1, Some(0), &[])],
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
            let (folder, file) = compiled(&mark);
            let source = folder.path().join("src/app.ts").to_string_lossy().into_owned();
            let mut sources = Sources::default();
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
            sources.restore_site(&mut site);
            assert_eq!(
                (site.frames[0].file.as_str(), site.frames[0].line),
                (source.as_str(), 5)
            );
        }
    }

    #[test]
    fn calls_are_found_in_the_text_of_the_caller() {
        let text = "import bcrypt, { hash as h } from 'bcryptjs';\nconst SLUG = /^([a-z]+)+$/;\nfunction a() {\n  \
                    return SLUG.test(x);\n}\nfunction b() {\n  const y = 1;\n  bcrypt.compareSync(y);\n}\n";
        for (from, function, file, line) in [
            (3, "RegExp: ^([a-z]+)+$", "", Some(4)),
            (6, "compareSync", "/a/node_modules/bcryptjs/index.js", Some(8)),
            (6, "", "/a/node_modules/bcryptjs/index.js", Some(8)),
            (6, "somethingElse", "/a/node_modules/bcryptjs/index.js", Some(8)),
            (3, "compareSync", "/a/node_modules/bcryptjs/index.js", None),
            (6, "readFileSync", "node:fs", None),
            (90, "readFileSync", "node:fs", None),
        ] {
            let called = Frame {
                function: function.to_owned(),
                file: file.to_owned(),
                ..Frame::default()
            };
            assert_eq!(line_of_call(text, from, &called), line, "{function} from {from}");
        }
    }

    #[test]
    fn what_has_no_map_stays_where_it_is() {
        let (_folder, file) = compiled("gone.map");
        let mut found = profile(&file);
        Sources::default().origins(&found).restore(&mut found);
        assert_eq!(found.frames[0], profile(&file).frames[0]);
        assert_eq!(found.calls[1].called_on, Some(2));
        let nowhere = profile("/no/such/file.js");
        assert_eq!(Sources::default().origins(&nowhere), Origins::default());
    }
}
