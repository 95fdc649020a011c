//! Expressions that files have as conditions: of JMeter those of JEXL, Groovy and JavaScript, of Artillery those of Filtrex, as far as plans have
//! them. What is left of each are comparisons, joined by *and*, *or* and *not*.

use crate::holds::Holds;
use crate::text::{Piece, Text};
use plimsoll_plan::Relation;

/// Expressions in parentheses in others.
const DEEPEST: usize = 20;
/// Those that a condition of a plan has.
const MOST_COMPARISONS: usize = 100;
/// A longer one is a script.
const LONGEST: usize = 4_000;

/// How variables stand in an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Syntax {
    /// `${name}`, which becomes part of the text, or `vars.get("name")`.
    Dollars,
    /// `name`.
    Names,
}

/// Reads an expression; `None` of one that no plan has. `alone` says what a value means that is compared with nothing.
pub(crate) fn read(text: &str, syntax: Syntax, alone: &dyn Fn(Text) -> Holds) -> Option<Holds> {
    let mut reader = Reader {
        rest: Some(text).filter(|text| text.len() <= LONGEST)?,
        syntax,
        alone,
        depth: 0,
    };
    let part = reader.any()?;
    reader.skip_blanks();
    let holds = reader.rest.is_empty().then(|| reader.holds(part));
    holds.filter(|holds| holds.comparisons() <= MOST_COMPARISONS)
}

/// The longer ones first, where one begins as another does.
const RELATIONS: [(&str, Relation); 14] = [
    ("===", Relation::Is),
    ("==", Relation::Is),
    ("!==", Relation::IsNot),
    ("!=", Relation::IsNot),
    ("<=", Relation::AtMost),
    (">=", Relation::AtLeast),
    ("<", Relation::Below),
    (">", Relation::Above),
    ("eq", Relation::Is),
    ("ne", Relation::IsNot),
    ("le", Relation::AtMost),
    ("ge", Relation::AtLeast),
    ("lt", Relation::Below),
    ("gt", Relation::Above),
];
/// Functions and methods of which the number is what they are called with.
const TO_NUMBER: [&str; 6] = [
    "parseInt",
    "parseLong",
    "parseDouble",
    "parseFloat",
    "Number",
    "valueOf",
];
const NUMBER_OF: [&str; 8] = [
    "toInteger",
    "toLong",
    "toDouble",
    "toFloat",
    "toBigDecimal",
    "intValue",
    "trim",
    "toString",
];
const OF_NUMBERS: [&str; 4] = ["Integer", "Long", "Double", "Float"];
const NUMBERS: [&str; 8] = ["int", "Integer", "long", "Long", "double", "Double", "float", "Float"];

struct Reader<'t> {
    rest: &'t str,
    syntax: Syntax,
    alone: &'t dyn Fn(Text) -> Holds,
    depth: usize,
}

/// A part of an expression.
enum Part {
    /// A value, and whether it is one between quotes.
    Value(Text, bool),
    Holds(Holds),
}

impl<'t> Reader<'t> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Whether it goes on with this sign or word, which is passed then.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let Some(rest) = self.rest.strip_prefix(sign) else {
            return false;
        };
        let is_word = sign.starts_with(char::is_alphabetic);
        if is_word && rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '(' && sign != "not") {
            return false;
        }
        self.rest = rest;
        true
    }

    /// What is joined by *or*; a value alone stays one.
    fn any(&mut self) -> Option<Part> {
        let mut part = self.all()?;
        while self.takes("||") || self.takes("or") {
            let right = self.all()?;
            part = Part::Holds(self.holds(part).or(self.holds(right)));
        }
        Some(part)
    }

    fn all(&mut self) -> Option<Part> {
        let mut part = self.one()?;
        while self.takes("&&") || self.takes("and") {
            let right = self.one()?;
            part = Part::Holds(self.holds(part).and(self.holds(right)));
        }
        Some(part)
    }

    fn one(&mut self) -> Option<Part> {
        self.skip_blanks();
        if self.takes("!") || self.takes("not") {
            let part = self.deeper(Self::one)?;
            return Some(Part::Holds(self.holds(part).not()));
        }
        let left = self.part()?;
        let mut relations = RELATIONS.iter();
        let relation = relations.find_map(|(sign, relation)| self.takes(sign).then_some(*relation));
        match relation {
            None => Some(left),
            Some(relation) => compared(left, relation, self.part()?).map(Part::Holds),
        }
    }

    fn holds(&self, part: Part) -> Holds {
        match part {
            Part::Value(value, _) => (self.alone)(value),
            Part::Holds(holds) => holds,
        }
    }

    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        self.depth += 1;
        let made = if self.depth > DEEPEST { None } else { read(self) };
        self.depth -= 1;
        made
    }

    /// A value, or what stands in parentheses, with the methods that are called on it.
    fn part(&mut self) -> Option<Part> {
        self.skip_blanks();
        let mut part = match self.rest.chars().next()? {
            '(' => {
                self.rest = &self.rest[1..];
                let inner = self.deeper(Self::any)?;
                self.takes(")").then_some(inner)?
            }
            quote @ ('"' | '\'') => {
                let (text, rest) = self.rest[1..].split_once(quote)?;
                self.rest = rest;
                Part::Value(self.text(text)?, true)
            }
            _ => self.word()?,
        };
        while let Some(rest) = self.rest.strip_prefix('.') {
            self.rest = rest;
            part = self.method(part)?;
        }
        if let Part::Value(value, _) = &part
            && self.takes("as")
        {
            let value = value.clone();
            let is_number = NUMBERS.iter().any(|number| self.takes(number));
            return is_number.then_some(Part::Value(value, false));
        }
        Some(part)
    }

    /// The name of a function or method, and what it is called with.
    fn name(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        name
    }

    fn argument(&mut self) -> Option<Part> {
        self.rest = self.rest.strip_prefix('(')?;
        let inner = self.deeper(Self::any)?;
        self.takes(")").then_some(inner)
    }

    fn method(&mut self, part: Part) -> Option<Part> {
        let Part::Value(value, _) = part else { return None };
        match self.name() {
            "equals" => match self.argument()? {
                Part::Value(with, _) => Some(Part::Holds(Holds::compared(value, Relation::Is, with))),
                Part::Holds(_) => None,
            },
            "isEmpty" => {
                self.rest = self.rest.strip_prefix("()")?;
                let nothing = Text::literal("");
                Some(Part::Holds(Holds::compared(value, Relation::Is, nothing)))
            }
            name if NUMBER_OF.contains(&name) => {
                self.rest = self.rest.strip_prefix("()")?;
                Some(Part::Value(value, false))
            }
            _ => None,
        }
    }

    /// A number, a truth, a variable, or a call.
    fn word(&mut self) -> Option<Part> {
        let mut end = 0;
        let sign = self.rest.starts_with(['-', '+']);
        let is_number = self.rest[usize::from(sign)..].starts_with(|c: char| c.is_ascii_digit());
        while let Some(c) = self.rest[end..].chars().next() {
            let after = &self.rest[end..];
            end += match c {
                '$' if self.syntax == Syntax::Dollars && after.starts_with("${") => length_of_variable(after)?,
                '.' if is_number => 1,
                '-' | '+' if end == 0 && is_number => 1,
                c if c.is_alphanumeric() || c == '_' => c.len_utf8(),
                _ => break,
            };
        }
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        if is_number || word.contains("${") {
            let is_fit = word.contains("${") || plimsoll_plan::is_number(word.as_bytes());
            return is_fit.then(|| self.text(word))?.map(|text| Part::Value(text, false));
        }
        if rest.starts_with('(') && TO_NUMBER.contains(&word) {
            return self.as_number();
        }
        match word {
            "" => None,
            "true" | "false" => Some(Part::Value(Text::literal(word), false)),
            "vars" if self.syntax == Syntax::Dollars => {
                self.rest = rest.strip_prefix(".get")?;
                match self.argument()? {
                    Part::Value(name, true) => Some(Part::Value(Text::variable(name.as_literal()?), true)),
                    _ => None,
                }
            }
            word if OF_NUMBERS.contains(&word) => {
                self.rest = rest.strip_prefix('.')?;
                TO_NUMBER.contains(&self.name()).then(|| self.as_number())?
            }
            word if self.syntax == Syntax::Names => Some(Part::Value(Text::variable(word), false)),
            _ => None,
        }
    }

    fn as_number(&mut self) -> Option<Part> {
        match self.argument()? {
            Part::Value(value, _) => Some(Part::Value(value, false)),
            Part::Holds(_) => None,
        }
    }

    /// A text with its variables in their places. What is known of the run is text already; of functions only the number of a thread has a place.
    fn text(&self, text: &str) -> Option<Text> {
        if text.contains('\\') {
            return None;
        }
        if self.syntax == Syntax::Names {
            return Some(Text::literal(text));
        }
        let mut made = Text::default();
        for piece in Text::with_dollars(text).pieces() {
            match piece {
                Piece::Variable(name) => match default_of(name) {
                    Some(default) => made.push_str(default),
                    None if is_function(name) => return None,
                    None => made.push(piece.clone()),
                },
                other => made.push(other.clone()),
            }
        }
        // What opens no variable is of another language.
        let is_plain = |piece: &Piece| !matches!(piece, Piece::Literal(text) if text.contains("${"));
        made.pieces().iter().all(is_plain).then_some(made)
    }
}

/// Whether the request before was correct. One who goes on has only correct ones behind.
const LAST_IS_OK: &str = "JMeterThread.last_sample_ok";

/// What stands for it where nothing else is said: a property has its default.
fn default_of(name: &str) -> Option<&str> {
    if name == LAST_IS_OK {
        return Some("true");
    }
    let inside = |call: &str| name.strip_prefix(call)?.strip_suffix(')');
    let default = match inside("__P(") {
        Some(arguments) => arguments.split_once(',')?.1,
        None => inside("__property(")?.splitn(3, ',').nth(2)?,
    };
    (!default.contains('$')).then(|| default.trim())
}

fn is_function(name: &str) -> bool {
    name.starts_with("__") && !name.starts_with("__jm__") && !matches!(name, "__threadNum" | "__threadNum()")
}

/// Up to the brace that closes the first one.
fn length_of_variable(text: &str) -> Option<usize> {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 1 => return Some(at + 1),
            '}' => open -= 1,
            _ => {}
        }
    }
    None
}

/// Of two texts between quotes one is not before the other as numbers are.
fn compared(left: Part, relation: Relation, right: Part) -> Option<Holds> {
    match (left, right) {
        (Part::Value(_, true), Part::Value(_, true)) if relation.is_of_numbers() => None,
        (Part::Value(left, _), Part::Value(right, _)) => Some(Holds::compared(left, relation, right)),
        // What is compared with a truth is that, or is not.
        (Part::Holds(holds), Part::Value(truth, _)) | (Part::Value(truth, _), Part::Holds(holds)) => {
            match (truth.as_literal()?, relation) {
                ("true", Relation::Is) | ("false", Relation::IsNot) => Some(holds),
                ("false", Relation::Is) | ("true", Relation::IsNot) => Some(holds.not()),
                _ => None,
            }
        }
        (Part::Holds(_), Part::Holds(_)) => None,
    }
}

#[cfg(test)]
mod tests;
