//! The text of a file of the service's own code: its functions by how far they are indented, and the lines on which they call others.

use plimsoll_measure::Frame;
use std::cmp::Reverse;
use std::collections::HashMap;

/// A line with more was not written by anybody, and does all sorts of things.
pub(super) const WRITTEN_LINE_BYTES_MAX: usize = 400;
/// Lines of a file. One with more was not written by anybody.
const LINES_MAX: usize = 1_000_000;
/// Text that is looked through for one profile, bytes.
const LOOKED_BYTES_MAX: usize = 512 << 20;
/// Lines that are found for one profile, and the bytes of their names.
const FOUND_MAX: usize = 20_000;
const FOUND_BYTES_MAX: usize = 8 << 20;
pub(super) const EXPRESSION: &str = "RegExp: ";
const GETTER: &str = "get ";
/// All of these are one function of Node.js.
const SYNC_ZLIB: [&str; 9] = [
    "gzipSync",
    "gunzipSync",
    "deflateSync",
    "inflateSync",
    "deflateRawSync",
    "inflateRawSync",
    "unzipSync",
    "brotliCompressSync",
    "brotliDecompressSync",
];

/// What is left of the bounds of one profile.
pub(super) struct Left {
    bytes: usize,
    found: usize,
    found_bytes: usize,
}

impl Default for Left {
    fn default() -> Self {
        Self {
            bytes: LOOKED_BYTES_MAX,
            found: FOUND_MAX,
            found_bytes: FOUND_BYTES_MAX,
        }
    }
}

impl Left {
    /// Whether so much text may be looked through.
    pub(super) fn takes(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.unwrap_or(0);
        left.is_some()
    }

    /// Whether one more line with such names may be kept.
    pub(super) fn keeps(&mut self, bytes: usize) -> bool {
        let left = (self.found.checked_sub(1), self.found_bytes.checked_sub(bytes));
        if let (Some(found), Some(found_bytes)) = left {
            (self.found, self.found_bytes) = (found, found_bytes);
        }
        left.0.is_some() && left.1.is_some()
    }
}

/// The lines of a file.
pub(super) struct Text<'a> {
    pub(super) lines: Vec<&'a str>,
    bytes: usize,
}

impl<'a> Text<'a> {
    pub(super) fn of(text: &'a str, left: &mut Left) -> Option<Self> {
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
    pub(super) fn says_nothing(&self, function_line: u32, line: u32) -> bool {
        let text = (line as usize).checked_sub(1).and_then(|index| self.lines.get(index));
        line == function_line && text.is_some_and(|text| text.len() > WRITTEN_LINE_BYTES_MAX)
    }

    /// The line in the function that begins at `from` on which `called` is called; of several that could be it, the one of which most
    /// time was `seen`, else the first.
    pub(super) fn line_of_call(
        &self,
        from: u32,
        called: &Frame,
        seen: &dyn Fn(u32) -> u64,
        imports: &mut HashMap<String, Vec<&'a str>>,
        left: &mut Left,
    ) -> Option<u32> {
        let first = (from as usize).checked_sub(1)?;
        let body = self.body(first, left);
        let lines = self.lines.get(body.clone())?;
        let bytes: usize = lines.iter().map(|line| line.len()).sum();
        let mut on = |holds: &dyn Fn(&str) -> bool| {
            let number = |index: usize| (body.start + index) as u32 + 1;
            let could_be = |(index, line): (usize, &&str)| holds(line).then(|| number(index));
            let most_seen = |line: &u32| (seen(*line), Reverse(*line));
            let found = || lines.iter().enumerate().filter_map(could_be).max_by_key(most_seen);
            left.takes(bytes).then(found)?
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
        let mut exported = exported_as(called).iter();
        if let Some(line) = exported.find_map(|name| on(&|line| has_word(line, name, "("))) {
            return Some(line);
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

    /// Names that have a regular expression.
    pub(super) fn names_of_expressions(&self, left: &mut Left) -> Vec<&'a str> {
        if !left.takes(self.bytes) {
            return Vec::new();
        }
        let is_one = |line: &&&str| line.contains("= /") || has_word(line, "RegExp", "(");
        let lines = self.lines.iter().filter(is_one);
        lines.filter_map(|line| assigned_to(line)).collect()
    }

    /// The lines of the function that begins at `first`: as far as lines are indented deeper than it, and the one after.
    pub(super) fn body(&self, first: usize, left: &mut Left) -> std::ops::Range<usize> {
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

/// What functions of Node.js are called by who calls them, where their frames have another name.
fn exported_as(called: &Frame) -> &'static [&'static str] {
    match (called.file.as_str(), called.function.as_str()) {
        ("node:zlib", "syncBufferWrapper") => &SYNC_ZLIB,
        _ => &[],
    }
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
pub(super) fn has_word(line: &str, word: &str, after: &str) -> bool {
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
                    return SLUG.test(x);\n}\nfunction b() {\n  const y = 1;\n  bcrypt.compareSync(y);\n}\nfunction c() {\n  \
                    return zlib.gzipSync(y);\n}\n";
        for (from, function, file, line) in [
            (3, "RegExp: ^([a-z]+)+$", "", Some(4)),
            (6, "compareSync", "/a/node_modules/bcryptjs/index.js", Some(8)),
            (6, "", "/a/node_modules/bcryptjs/index.js", Some(8)),
            (6, "somethingElse", "/a/node_modules/bcryptjs/index.js", Some(8)),
            (3, "compareSync", "/a/node_modules/bcryptjs/index.js", None),
            (10, "syncBufferWrapper", "node:zlib", Some(11)),
            (10, "zlibBufferSync", "node:zlib", None),
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
            let found = text.line_of_call(from, &called, &|_| 0, &mut HashMap::new(), &mut left);
            assert_eq!(found, line, "{function} from {from}");
        }
    }

    #[test]
    fn of_several_lines_that_call_it_the_one_with_time_is_taken() {
        let text = "function a(ok) {\n  if (!ok) port.postMessage({});\n  port.postMessage(work());\n  port.postMessage(0);\n}\n";
        let called = Frame {
            function: "postMessage".to_owned(),
            ..Frame::default()
        };
        for (seen, expected) in [(None, 2), (Some(3), 3), (Some(4), 4), (Some(1), 2)] {
            let mut left = Left::default();
            let text = Text::of(text, &mut left).expect("few lines");
            let time = |line: u32| u64::from(seen == Some(line));
            let found = text.line_of_call(1, &called, &time, &mut HashMap::new(), &mut left);
            assert_eq!(found, Some(expected), "time on {seen:?}");
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
            assert_eq!(text.line_of_call(1, &called, &|_| 0, &mut imports, &mut left), None);
            if left.bytes == 0 {
                assert!(name < whole / text.bytes);
                return;
            }
        }
        panic!("it looked through everything");
    }
}
