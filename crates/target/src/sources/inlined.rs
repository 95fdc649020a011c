//! V8 puts functions into the machine code of those that call them, and counts their lines for these. The text says whose lines
//! they are.

use super::origins::Inlined;
use super::written::{Left, Text, WRITTEN_LINE_BYTES_MAX, is_of_name};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Functions that are put into each other, at most.
const DEPTH_MAX: usize = 4;
/// What looks like the head of a method and is none; a constructor goes by the name of its class.
const NO_METHODS: [&str; 8] = [
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "with",
    "function",
    "constructor",
];

/// A function with a name.
struct Function<'a> {
    /// Where it begins as V8 has it, from 1.
    column: u32,
    body: Range<usize>,
    /// Names that it calls.
    calls: HashSet<&'a str>,
}

/// The functions of a file that have a name which no other one of it has.
pub(super) struct Functions<'a> {
    all: HashMap<&'a str, Function<'a>>,
}

impl<'a> Functions<'a> {
    pub(super) fn of(text: &Text<'a>, left: &mut Left) -> Self {
        let mut all = HashMap::new();
        let mut several = HashSet::new();
        for (index, line) in text.lines.iter().enumerate() {
            let Some((name, column)) = head(line) else { continue };
            let body = text.body(index, left);
            let function = Function {
                column,
                calls: calls(&text.lines, body.clone()),
                body,
            };
            if all.insert(name, function).is_some() {
                several.insert(name);
            }
        }
        all.retain(|name, _| !several.contains(name));
        Self { all }
    }

    /// The function that a line, from 1, is in, where that may have been put into the function with this body, because this calls it
    /// or calls what calls it.
    pub(super) fn put_into(&self, text: &Text<'a>, body: &Range<usize>, line: u32) -> Option<Inlined> {
        let index = (line as usize).checked_sub(1)?;
        let says_something = |line: &&str| !line.trim_start().starts_with(['/', '*']) && line.contains(is_of_name);
        text.lines.get(index).copied().filter(says_something)?;
        let around = self.all.iter().filter(|(_, function)| function.body.contains(&index));
        let (name, function) = around.max_by_key(|(_, function)| function.body.start)?;
        let is_inside = function.body.contains(&body.start);
        if is_inside || !self.reaches(calls(&text.lines, body.clone()), name) {
            return None;
        }
        Some(Inlined {
            function: (*name).to_owned(),
            line: function.body.start as u32 + 1,
            column: function.column,
        })
    }

    fn reaches(&self, mut called: HashSet<&'a str>, name: &str) -> bool {
        for _ in 0..DEPTH_MAX {
            if called.contains(name) {
                return true;
            }
            let known = called.iter().filter_map(|name| self.all.get(name));
            called = known.flat_map(|function| &function.calls).copied().collect();
        }
        false
    }
}

/// Name and column of the function that begins on a line.
fn head(line: &str) -> Option<(&str, u32)> {
    if line.len() > WRITTEN_LINE_BYTES_MAX {
        return None;
    }
    let (name, begin) = function(line.trim_start())?;
    let before = &line[..line.len() - begin.len()];
    Some((name, before.encode_utf16().count() as u32 + 1))
}

/// The name of the function that a text declares, and the text from where V8 has it begin.
fn function(text: &str) -> Option<(&str, &str)> {
    let text = ["export ", "default ", "static "].iter().fold(text, after);
    if let Some(rest) = after_function(after(text, &"async ")) {
        return named(rest).filter(|(name, begin)| !name.is_empty() && begin.starts_with('('));
    }
    let mut declarations = ["const ", "let ", "var "].iter();
    if let Some(declared) = declarations.find_map(|word| text.strip_prefix(word)) {
        let (name, rest) = named(declared)?;
        let value = after(rest.trim_start().strip_prefix('=')?.trim_start(), &"async ");
        if let Some(rest) = after_function(value) {
            return Some((name, &rest[rest.find('(')?..]));
        }
        let (parameter, rest) = named(value)?;
        let is_arrow = match parameter {
            "" => value.starts_with('(') && value.contains("=>"),
            _ => rest.trim_start().starts_with("=>"),
        };
        return is_arrow.then_some((name, value));
    }
    let method = ["async ", "get ", "set ", "*", "#"].iter().fold(text, after);
    let is_method = |name: &str, begin: &str| {
        !name.is_empty() && begin.starts_with('(') && begin.ends_with('{') && !NO_METHODS.contains(&name)
    };
    named(method).filter(|(name, begin)| is_method(name, begin))
}

fn after<'a>(text: &'a str, word: &&str) -> &'a str {
    text.strip_prefix(word).unwrap_or(text)
}

/// What comes after `function` and the mark of a generator.
fn after_function(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("function")?;
    let rest = rest.trim_start().trim_start_matches('*').trim_start();
    (!text["function".len()..].starts_with(is_of_name)).then_some(rest)
}

/// The name that a text begins with, which may be empty, and the rest.
fn named(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c| !is_of_name(c))?;
    Some(text.split_at(end))
}

/// Names that are called on these lines.
fn calls<'a>(lines: &[&'a str], body: Range<usize>) -> HashSet<&'a str> {
    let lines = lines.get(body).unwrap_or_default().iter();
    let calls = lines.flat_map(|line| {
        line.match_indices('(').map(|(at, _)| {
            let before = &line[..at];
            let begin = before
                .rfind(|c| !is_of_name(c))
                .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
            &before[begin..]
        })
    });
    calls.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_begin_where_v8_says_so() {
        for (line, expected) in [
            ("function shortest(from, to) {", Some(("shortest", 18))),
            ("export async function load(id) {", Some(("load", 27))),
            ("  const add = (a, b) => a + b;", Some(("add", 15))),
            ("const twice = x => 2 * x;", Some(("twice", 15))),
            ("let each = async function* (all) {", Some(("each", 28))),
            ("  static of(value) {", Some(("of", 12))),
            ("  get size() {", Some(("size", 11))),
            ("  if (value) {", None),
            ("  constructor(value) {", None),
            ("  ask(value);", None),
            ("const { a, b } = require('c');", None),
            ("const sum = (a + b) * c;", None),
            ("const functions = all(x);", None),
        ] {
            assert_eq!(head(line), expected, "{line}");
        }
    }

    #[test]
    fn a_line_is_of_the_function_that_was_put_into_its_caller() {
        let text = "function inner(x) {\n  let sum = 0;\n  // all of them\n  for (const y of x) sum += y;\n  return sum;\n}\n\
                    function middle(x) {\n  return inner(x) + 1;\n}\n\
                    function get(x) {\n  return 1;\n}\nclass A {\n  get(x) {\n    return 2;\n  }\n}\n\
                    function handler(x) {\n  return middle(x) + get(x);\n}\nfunction other(x) {\n  return x;\n}\n";
        let mut left = Left::default();
        let text = Text::of(text, &mut left).expect("few lines");
        let functions = Functions::of(&text, &mut left);
        let of = |function: &str, line, column| Inlined {
            function: function.to_owned(),
            line,
            column,
        };
        let mut put_into = |from: usize, line| functions.put_into(&text, &text.body(from - 1, &mut left), line);
        assert_eq!(put_into(18, 4), Some(of("inner", 1, 15)), "through another one");
        assert_eq!(put_into(18, 8), Some(of("middle", 7, 16)));
        assert_eq!(put_into(18, 3), None, "a comment takes no time");
        assert_eq!(put_into(18, 11), None, "two have this name");
        assert_eq!(put_into(21, 4), None, "it calls nothing");
        assert_eq!(put_into(18, 90), None, "a line of another file");
    }
}
