//! What the text of the service's own code says of a profile: the lines on which its functions call others, and the lines
//! that V8 counts for a function although they are not in it.

use super::files::Files;
use super::inlined::Functions;
use super::is_own;
use super::origins::{FoundCall, StrayLine};
use super::written::{EXPRESSION, Left, Text, WRITTEN_LINE_BYTES_MAX, has_word, is_of_name};
use plimsoll_measure::{Makes, MakingLine, Profile};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

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
/// Of these, the ones that nothing else has that takes time of its line.
const MATCH_METHODS: [&str; 5] = ["test", "exec", "match", "matchAll", "search"];
/// They take a text as well, so what they are given says whether it is an expression.
const PATTERN_METHODS: [&str; 3] = ["replace", "replaceAll", "split"];
const FORMATTER_METHODS: [&str; 5] = ["format", "formatToParts", "select", "compare", "segment"];

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
    let mut left = Left::default();
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
    let seen = seen_in(profile, asked);
    for &index in &asked.callers {
        let call = &profile.calls[index];
        let Some(function) = call.caller.map(|caller| profile.calls[caller].frame) else {
            continue;
        };
        let (caller, called) = (&profile.frames[function], &profile.frames[call.frame]);
        let seen = |line: u32| seen.get(&(function, line)).copied().unwrap_or_default();
        let Some(line) = text.line_of_call(caller.line, called, &seen, &mut imports, left) else {
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

/// Time of functions themselves, by their lines: V8 counts some of a call on the line that makes it.
fn seen_in(profile: &Profile, asked: &Asked) -> HashMap<(usize, u32), u64> {
    let mut seen = HashMap::new();
    for call in asked.timed.iter().map(|index| &profile.calls[*index]) {
        for &(line, us) in &call.lines {
            *seen.entry((call.frame, line)).or_default() += us;
        }
    }
    seen
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
    let mut functions = None;
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
            let functions = functions.get_or_insert_with(|| Functions::of(text, left));
            let stray = StrayLine {
                file: frame.file.clone(),
                function_line: frame.line,
                line,
                of: functions.put_into(text, body, line),
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
    let expressions = text.names_of_expressions(left);
    let mut seen = BTreeSet::new();
    for (frame, line) in timed() {
        let Some(text) = at(line).filter(|_| seen.insert(line)) else {
            continue;
        };
        let used = || {
            let expressions = asked.expressions.get(&frame).map_or(0, HashSet::len);
            used_on(text, expressions >= EXPRESSIONS_MIN, formats)
        };
        let does = || does_on(text, &expressions);
        let Some(makes) = made_on(text).or_else(used).or_else(does) else {
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

/// What the language does for a line, where that is one thing. Functions that are called have frames of their own.
fn does_on(line: &str, expressions: &[&str]) -> Option<Makes> {
    if line.len() > WRITTEN_LINE_BYTES_MAX {
        return None;
    }
    if ["JSON.parse", "JSON.stringify"]
        .iter()
        .any(|name| has_word(line, name, "("))
    {
        return Some(Makes::Json);
    }
    let matches = MATCH_METHODS.iter().any(|name| line.contains(&format!(".{name}(")));
    let is_given_one = PATTERN_METHODS.iter().any(|name| {
        let call = format!(".{name}(");
        let mut given = line.split(&call).skip(1).map(str::trim_start);
        given.any(|given| given.starts_with('/') || expressions.iter().any(|name| begins_with_word(given, name)))
    });
    (matches || is_given_one).then_some(Makes::Match)
}

fn begins_with_word(text: &str, word: &str) -> bool {
    text.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(is_of_name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_say_what_the_language_does_for_them() {
        for (line, expected) in [
            ("  const prices = JSON.parse(list);", Some(Makes::Json)),
            ("  response.end(JSON.stringify(prices));", Some(Makes::Json)),
            ("  const valid = SLUG.test(slug);", Some(Makes::Match)),
            ("  const words = text.split(/[ ,]+/);", Some(Makes::Match)),
            ("  return text.replace( SLUG, '');", Some(Makes::Match)),
            ("  return text.replace(SLUGS, '');", None),
            ("  const fields = line.split(';');", None),
            ("  const prices = parse(list);", None),
            ("  test(slug);", None),
        ] {
            assert_eq!(does_on(line, &["SLUG"]), expected, "{line}");
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
}
