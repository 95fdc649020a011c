//! What the text of the service's own code says of a profile: the lines on which its functions call others, and the lines
//! that V8 counts for a function although they are not in it.

use super::files::Files;
use super::is_own;
use super::origins::{FoundCall, StrayLine};
use plimsoll_measure::{Frame, Makes, MakingLine, Profile};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

/// A line with more was not written by anybody, and does all sorts of things.
pub(super) const WRITTEN_LINE_BYTES_MAX: usize = 400;
/// A function that runs so many expressions in a profile makes new ones all the time.
const EXPRESSIONS_MIN: usize = 16;
const EXPRESSION_METHODS: [&str; 8] = [
    "test",
    "exec",
    "match",
    "matchAll",
    "replace",
    "replaceAll",
    "search",
    "split",
];
const FORMATTER_METHODS: [&str; 5] = ["format", "formatToParts", "select", "compare", "segment"];
const EXPRESSION: &str = "RegExp: ";
const GETTER: &str = "get ";
/// Lines of a file. One with more was not written by anybody.
const LINES_MAX: usize = 1_000_000;
/// Text that is looked through for one profile, bytes.
const LOOKED_BYTES_MAX: usize = 512 << 20;
/// Lines that are found for one profile, and the bytes of their names.
const FOUND_MAX: usize = 20_000;
const FOUND_BYTES_MAX: usize = 8 << 20;

/// What the text says.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Lines on which functions of the service call what is not its own.
    pub(super) calls: Vec<FoundCall>,
    /// Lines with time that are not in the function for which V8 counts them.
    pub(super) strays: Vec<StrayLine>,
    /// Lines with time that make something costly.
    pub(super) makes: Vec<MakingLine>,
}

/// Looks through the files of the service's own code, one after the other.
pub(super) fn look(profile: &Profile, files: &mut Files) -> Said {
    let mut left = Left {
        bytes: LOOKED_BYTES_MAX,
        found: FOUND_MAX,
        found_bytes: FOUND_BYTES_MAX,
    };
    let mut calls = Vec::new();
    let mut strays = Vec::new();
    let mut makes = Vec::new();
    for (file, asked) in asked(profile) {
        let Some(text) = files.text(Path::new(file)) else {
            continue;
        };
        let Some(text) = Text::of(&text, &mut left) else {
            continue;
        };
        find_calls(profile, &text, &asked, &mut left, &mut calls);
        find_strays(profile, &text, &asked, &mut left, &mut strays);
        find_makes(profile, &text, &asked, &mut left, &mut makes);
    }
    // In the order of the profile.
    calls.sort_by_key(|(index, _)| *index);
    strays.sort_by_key(|(index, _)| *index);
    Said {
        calls: calls.into_iter().map(|(_, call)| call).collect(),
        strays: strays.into_iter().map(|(_, stray)| stray).collect(),
        makes,
    }
}

/// What is left of the bounds.
struct Left {
    bytes: usize,
    found: usize,
    found_bytes: usize,
}

impl Left {
    /// Whether so much text may be looked through.
    fn takes(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether one more line with such names may be kept.
    fn keeps(&mut self, bytes: usize) -> bool {
        let left = (self.found.checked_sub(1), self.found_bytes.checked_sub(bytes));
        if let (Some(found), Some(found_bytes)) = left {
            (self.found, self.found_bytes) = (found, found_bytes);
        }
        left.0.is_some() && left.1.is_some()
    }
}

/// What is asked of one file: calls in it of others, and calls with time by line.
#[derive(Default)]
struct Asked {
    callers: Vec<usize>,
    timed: Vec<usize>,
    /// Expressions that each function runs.
    expressions: HashMap<usize, HashSet<usize>>,
}

fn asked(profile: &Profile) -> BTreeMap<&str, Asked> {
    let mut files: BTreeMap<&str, Asked> = BTreeMap::new();
    let mut seen = HashSet::new();
    for (index, call) in profile.calls.iter().enumerate() {
        let frame = &profile.frames[call.frame];
        if !call.lines.is_empty() && is_own(&frame.file) {
            files.entry(&frame.file).or_default().timed.push(index);
        }
        let Some(caller) = call.caller.map(|caller| profile.calls[caller].frame) else {
            continue;
        };
        let file = &profile.frames[caller].file;
        if is_own(file) && frame.function.starts_with(EXPRESSION) {
            let expressions = &mut files.entry(file).or_default().expressions;
            expressions.entry(caller).or_default().insert(call.frame);
        }
        if is_own(file) && !is_own(&frame.file) && seen.insert((caller, call.frame)) {
            files.entry(file).or_default().callers.push(index);
        }
    }
    files
}

/// A profile says in which function a call was, not on which line. The text of the function mostly does.
fn find_calls(profile: &Profile, text: &Text<'_>, asked: &Asked, left: &mut Left, found: &mut Vec<(usize, FoundCall)>) {
    let mut imports = HashMap::new();
    for &index in &asked.callers {
        let call = &profile.calls[index];
        let Some(caller) = call.caller.map(|caller| &profile.frames[profile.calls[caller].frame]) else {
            continue;
        };
        let called = &profile.frames[call.frame];
        let Some(line) = text.line_of_call(caller.line, called, &mut imports, left) else {
            continue;
        };
        if text.says_nothing(caller.line, line) {
            continue;
        }
        if !left.keeps(caller.file.len() + called.function.len()) {
            return;
        }
        let call = FoundCall {
            file: caller.file.clone(),
            caller_line: caller.line,
            called: called.function.clone(),
            line,
        };
        found.push((index, call));
    }
}

fn find_strays(
    profile: &Profile,
    text: &Text<'_>,
    asked: &Asked,
    left: &mut Left,
    found: &mut Vec<(usize, StrayLine)>,
) {
    let mut bodies = HashMap::new();
    let mut seen = BTreeSet::new();
    for &index in &asked.timed {
        let call = &profile.calls[index];
        let frame = &profile.frames[call.frame];
        let Some(first) = (frame.line as usize).checked_sub(1) else {
            continue;
        };
        let body = bodies.entry(first).or_insert_with(|| text.body(first, left));
        for &(line, _) in &call.lines {
            let is_in_it = body.contains(&(line as usize).saturating_sub(1));
            if is_in_it && !text.says_nothing(frame.line, line) || !seen.insert((frame.line, line)) {
                continue;
            }
            if !left.keeps(frame.file.len()) {
                return;
            }
            let stray = StrayLine {
                file: frame.file.clone(),
                function_line: frame.line,
                line,
            };
            found.push((index, stray));
        }
    }
}

/// What has no frames shows as time of a line: its text says what it is.
fn find_makes(profile: &Profile, text: &Text<'_>, asked: &Asked, left: &mut Left, found: &mut Vec<MakingLine>) {
    let at = |line: u32| (line as usize).checked_sub(1).and_then(|index| text.lines.get(index));
    let timed = || {
        asked.timed.iter().flat_map(|&index| {
            let call = &profile.calls[index];
            call.lines.iter().map(move |(line, _)| (call.frame, *line))
        })
    };
    let formats = timed().any(|(_, line)| at(line).and_then(|text| made_on(text)) == Some(Makes::Formatter));
    let mut seen = BTreeSet::new();
    for (frame, line) in timed() {
        let Some(text) = at(line).filter(|_| seen.insert(line)) else {
            continue;
        };
        let used = || {
            let expressions = asked.expressions.get(&frame).map_or(0, HashSet::len);
            used_on(text, expressions >= EXPRESSIONS_MIN, formats)
        };
        let Some(makes) = made_on(text).or_else(used) else {
            continue;
        };
        let file = &profile.frames[frame].file;
        if !left.keeps(file.len()) {
            return;
        }
        found.push(MakingLine {
            file: file.clone(),
            line,
            makes,
        });
    }
}

/// What a line makes, where that is one thing.
fn made_on(line: &str) -> Option<Makes> {
    if line.len() > WRITTEN_LINE_BYTES_MAX {
        return None;
    }
    let calls = |word: &str| has_word(line, word, "(");
    let has = |text: &str| line.contains(text);
    if calls("RegExp") {
        return Some(Makes::Expression);
    }
    let makes_error = line.match_indices("Error(").any(|(at, _)| {
        let before = line[..at].trim_end_matches(is_of_name);
        before.ends_with("new ")
    });
    let reads_stack = has_word(line, "stack", "") && (has(".stack") || has("{ stack"));
    if makes_error || reads_stack || calls("captureStackTrace") {
        return Some(Makes::Stack);
    }
    let formats = ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"];
    (has("Intl.") || formats.into_iter().any(calls)).then_some(Makes::Formatter)
}

/// What is made when something is used for the first time: V8 compiles an expression then, and a formatter reads its data.
fn used_on(line: &str, new_expressions: bool, new_formatters: bool) -> Option<Makes> {
    if line.len() > WRITTEN_LINE_BYTES_MAX {
        return None;
    }
    let calls = |names: &[&str]| names.iter().any(|name| line.contains(&format!(".{name}(")));
    if new_expressions && calls(&EXPRESSION_METHODS) {
        return Some(Makes::ExpressionUse);
    }
    (new_formatters && calls(&FORMATTER_METHODS)).then_some(Makes::FormatterUse)
}

/// The lines of a file.
struct Text<'a> {
    lines: Vec<&'a str>,
    bytes: usize,
}

impl<'a> Text<'a> {
    fn of(text: &'a str, left: &mut Left) -> Option<Self> {
        if !left.takes(text.len()) {
            return None;
        }
        let lines: Vec<&str> = text.lines().take(LINES_MAX + 1).collect();
        (lines.len() <= LINES_MAX).then_some(Self {
            lines,
            bytes: text.len(),
        })
    }

    /// Whether a line says no more than where the function in it begins: minified code has all of it in one line.
    fn says_nothing(&self, function_line: u32, line: u32) -> bool {
        let text = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index));
        line == function_line && text.is_some_and(|text| text.len() > WRITTEN_LINE_BYTES_MAX)
    }

    /// The line in the function that begins at `from` on which `called` is called.
    fn line_of_call(
        &self,
        from: u32,
        called: &Frame,
        imports: &mut HashMap<String, Vec<&'a str>>,
        left: &mut Left,
    ) -> Option<u32> {
        let first = (from as usize).checked_sub(1)?;
        let body = self.body(first, left);
        let lines = self.lines.get(body.clone())?;
        let bytes: usize = lines.iter().map(|line| line.len()).sum();
        let mut on = |holds: &dyn Fn(&str) -> bool| {
            let index = left.takes(bytes).then(|| lines.iter().position(|line| holds(line)))??;
            Some((body.start + index) as u32 + 1)
        };
        if let Some(expression) = called.function.strip_prefix(EXPRESSION) {
            let literal = format!("/{expression}/");
            if let Some(line) = on(&|line| line.contains(&literal)) {
                return Some(line);
            }
            if !left.takes(self.bytes) {
                return None;
            }
            let elsewhere = self.lines.iter().find(|line| line.contains(&literal))?;
            let name = assigned_to(elsewhere)?;
            let index = lines.iter().position(|line| has_word(line, name, ""))?;
            return Some((body.start + index) as u32 + 1);
        }
        if let Some(name) = called.function.strip_prefix(GETTER)
            && let Some(line) = on(&|line| has_word(line, name, ""))
        {
            return Some(line);
        }
        let name = called.function.rsplit([' ', '.']).next().unwrap_or_default();
        let by_name = (!name.is_empty())
            .then(|| on(&|line| has_word(line, name, "(")))
            .flatten();
        if by_name.is_some() {
            return by_name;
        }
        let (_, inside) = called.file.rsplit_once("node_modules/")?;
        let scope = if inside.starts_with('@') { 2 } else { 1 };
        let package = inside.split('/').take(scope).collect::<Vec<_>>().join("/");
        if !imports.contains_key(&package) {
            let names = if left.takes(self.bytes) {
                imported_from(&self.lines, &package)
            } else {
                Vec::new()
            };
            imports.insert(package.clone(), names);
        }
        let names = &imports[&package];
        let looks = bytes.saturating_mul(names.len());
        let index = left.takes(looks).then(|| {
            lines
                .iter()
                .position(|line| names.iter().any(|name| has_word(line, name, "")))
        })??;
        Some((body.start + index) as u32 + 1)
    }

    /// The lines of the function that begins at `first`: as far as lines are indented deeper than it, and the one after.
    fn body(&self, first: usize, left: &mut Left) -> std::ops::Range<usize> {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = self.lines.get(first).map_or(0, |line| indent(line));
        let deeper = self
            .lines
            .iter()
            .skip(first.saturating_add(1))
            .take_while(|line| (line.trim().is_empty() || indent(line) > own) && left.takes(line.len() + 1))
            .count();
        first.min(self.lines.len())..(first.saturating_add(deeper + 2)).min(self.lines.len())
    }
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

pub(super) fn is_of_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Whether `word` stands in `line` by itself, with `after` behind it.
fn has_word(line: &str, word: &str, after: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let rest = &line[at + word.len()..];
        !line[..at].ends_with(is_of_name) && !rest.starts_with(is_of_name) && rest.starts_with(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let mut left = Left {
                bytes: LOOKED_BYTES_MAX,
                found: 0,
                found_bytes: 0,
            };
            let text = Text::of(text, &mut left).expect("few lines");
            let found = text.line_of_call(from, &called, &mut HashMap::new(), &mut left);
            assert_eq!(found, line, "{function} from {from}");
        }
    }

    #[test]
    fn lines_say_what_they_make() {
        for (line, expected) in [
            ("  return new RegExp(`\\b${word}`, 'u');", Some(Makes::Expression)),
            ("  const isWord = RegExp(word).test(text);", Some(Makes::Expression)),
            ("  const { stack } = new Error('trace');", Some(Makes::Stack)),
            ("  throw new NotFoundError(id);", Some(Makes::Stack)),
            ("  return error.stack.split('\\n');", Some(Makes::Stack)),
            ("  Error.captureStackTrace(this, make);", Some(Makes::Stack)),
            ("  const money = new Intl.NumberFormat('de');", Some(Makes::Formatter)),
            ("  return at.toLocaleDateString('sv');", Some(Makes::Formatter)),
            ("  stack.push(isError(value));", None),
            ("  if (value instanceof RegExp) return;", None),
            ("  renderError(response);", None),
        ] {
            assert_eq!(made_on(line), expected, "{line}");
        }
        assert_eq!(
            made_on(&format!("{};new RegExp(a)", "a();".repeat(200))),
            None,
            "a bundle"
        );
        for (line, expressions, formatters, expected) in [
            ("  return mark.test(text);", true, false, Some(Makes::ExpressionUse)),
            ("  return mark.test(text);", false, true, None),
            ("  return money.format(12);", true, true, Some(Makes::FormatterUse)),
            ("  return money.format(12);", true, false, None),
        ] {
            assert_eq!(used_on(line, expressions, formatters), expected, "{line}");
        }
    }

    #[test]
    fn looking_has_an_end() {
        // One function of many lines that calls as many others, none of which is there.
        let text = format!("function a() {{\n{}}}\n", "  b();\n".repeat(100_000));
        let mut left = Left {
            bytes: 8 << 20,
            found: 1,
            found_bytes: 100,
        };
        let whole = left.bytes;
        let text = Text::of(&text, &mut left).expect("few lines");
        let mut imports = HashMap::new();
        for name in 0..1_000_000 {
            let called = Frame {
                function: format!("f{name}"),
                ..Frame::default()
            };
            assert_eq!(text.line_of_call(1, &called, &mut imports, &mut left), None);
            if left.bytes == 0 {
                assert!(name < whole / text.bytes);
                return;
            }
        }
        panic!("it looked through everything");
    }
}
