//! The lines of a compiled file, as far as they say where functions are and what they are called.

use super::map::Place;
use super::written::{WRITTEN_LINE_BYTES_MAX, is_of_name};

/// Bytes between the name of a function and the place where V8 says that it begins, at most: ` = async function (`.
const NAME_REACH: usize = 24;

/// The lines of a compiled file.
pub(super) struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        Self(text.lines().collect())
    }

    /// Whether a place says which line of a source it comes from: a line of minified code, without a column, has many.
    pub(super) fn says_line(&self, (line, column): Place) -> bool {
        let line = self.0.get(line as usize);
        column.is_some() || line.is_some_and(|line| line.len() <= WRITTEN_LINE_BYTES_MAX)
    }

    /// Where the name of a function stands that begins at `place`: in front of its parameters or of the whole of it.
    pub(super) fn name_of(&self, (line, column): Place, name: &str) -> Option<Place> {
        let is_name = !name.is_empty() && name.chars().all(is_of_name);
        // Columns are bytes in such lines alone.
        let text = self.0.get(line as usize).filter(|text| is_name && text.is_ascii())?;
        let end = column? as usize;
        let begin = end.saturating_sub(name.len() + NAME_REACH);
        let before = text.get(begin..end)?;
        let stands_alone = |at: usize| {
            let after = &before[at + name.len()..];
            !before[..at].ends_with(is_of_name) && leads_to_function(after)
        };
        let mut all = before.rmatch_indices(name).map(|(at, _)| at);
        let at = all.find(|at| stands_alone(*at))?;
        Some((line, Some(u32::try_from(begin + at).ok()?)))
    }
}

/// Whether a name with this behind it is that of the function that begins then.
fn leads_to_function(between: &str) -> bool {
    let words = between.split(|c: char| !is_of_name(c)).filter(|word| !word.is_empty());
    let marks = between.chars().filter(|c| !is_of_name(*c));
    words.into_iter().all(|word| matches!(word, "async" | "function")) && marks.into_iter().all(|c| " =:(*".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_before_functions() {
        for (text, begin, name, expected) in [
            ("function a(b){}", "(b", "a", Some(9)),
            ("let e=1,a=async(b)=>b", "async", "a", Some(8)),
            ("var a = function (b) {}", "(b", "a", Some(4)),
            ("var a=async function*(b){}", "(b", "a", Some(4)),
            ("x={a(b){}}", "(b", "a", Some(3)),
            ("x={a:(b)=>b}", "(b", "a", Some(3)),
            ("ba(b=>b)", "b=>", "a", None),
            ("a;(b=>b)", "b=>", "a", None),
            ("a(b){}", "(b", "", None),
            ("\u{e4};a(b){}", "(b", "a", None),
        ] {
            let column = u32::try_from(text.find(begin).expect("a function")).ok();
            let found = Lines::of(text).name_of((0, column), name);
            assert_eq!(found, expected.map(|at| (0, Some(at))), "{text}");
        }
        assert_eq!(Lines::of("a(b){}").name_of((7, Some(1)), "a"), None);
        assert_eq!(Lines::of("a(b){}").name_of((0, Some(90)), "a"), None);
    }

    #[test]
    fn long_lines_say_no_line() {
        let text = format!("{}\na();", "a();".repeat(200));
        let lines = Lines::of(&text);
        let places = [(0, None), (0, Some(4)), (1, None), (2, None)];
        assert_eq!(places.map(|place| lines.says_line(place)), [false, true, true, false]);
    }
}
