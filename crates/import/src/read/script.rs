//! Scripts in JavaScript that get a response, line by line: what stands under a condition, and what they call the body or a part of it.

/// A line of a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'s> {
    /// Without blanks around it.
    pub(super) text: &'s str,
    /// Whether it is done on a condition, several times, or perhaps never.
    pub(super) is_on_condition: bool,
}

/// The lines of a script. What is in a call of one of `tests` is done in any case.
pub(super) fn lines<'s>(script: &'s str, tests: &[&str]) -> Vec<Line<'s>> {
    let mut reader = Reader {
        tests,
        blocks: Vec::new(),
        statement: String::new(),
        within: Within::Code,
    };
    let line = |text: &'s str| Line {
        text: text.trim(),
        is_on_condition: reader.line(text),
    };
    script.lines().map(line).collect()
}

/// Where a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Code,
    Comment,
    /// A text between backticks goes on over the end of a line.
    Quoted(char),
}

struct Reader<'t> {
    tests: &'t [&'t str],
    /// Whether each block around is on a condition.
    blocks: Vec<bool>,
    /// What there is of a statement so far, without texts.
    statement: String,
    within: Within,
}

impl Reader<'_> {
    /// Reads on to the end of a line, and says whether something in it is on a condition.
    fn line(&mut self, text: &str) -> bool {
        let mut is_on_condition = self.blocks.contains(&true);
        let mut letters = text.chars().peekable();
        while let Some(c) = letters.next() {
            match (self.within, c) {
                (Within::Comment, '*') if letters.peek() == Some(&'/') => {
                    letters.next();
                    self.within = Within::Code;
                }
                (Within::Comment, _) => {}
                (Within::Quoted(_), '\\') => {
                    letters.next();
                }
                (Within::Quoted(quote), c) if c == quote => self.within = Within::Code,
                (Within::Quoted(_), _) => {}
                (Within::Code, '/') if letters.peek() == Some(&'/') => break,
                (Within::Code, '/') if letters.peek() == Some(&'*') => self.within = Within::Comment,
                (Within::Code, '"' | '\'' | '`') => self.within = Within::Quoted(c),
                (Within::Code, '{') => {
                    let begins = self.begins_condition();
                    is_on_condition |= begins;
                    self.blocks.push(begins);
                    self.statement.clear();
                }
                (Within::Code, '}' | ';') => {
                    is_on_condition |= self.begins_condition();
                    if c == '}' {
                        self.blocks.pop();
                    }
                    self.statement.clear();
                }
                (Within::Code, c) => self.statement.push(c),
            }
        }
        if self.within != Within::Quoted('`') && self.within != Within::Comment {
            self.within = Within::Code;
        }
        is_on_condition |= self.begins_condition();
        if is_over(self.statement.trim()) {
            self.statement.clear();
        }
        is_on_condition
    }

    /// Whether what stands behind the beginning of a statement is done on a condition, or by something else.
    fn begins_condition(&self) -> bool {
        const WORDS: [&str; 9] = ["if", "else", "for", "while", "switch", "do", "try", "catch", "finally"];
        const EACH: [&str; 6] = [".forEach(", ".map(", ".filter(", ".some(", ".every(", ".find("];
        let statement = self.statement.trim_start();
        let word = statement.split(|c: char| !c.is_alphanumeric() && c != '_').next();
        // One in parentheses is called where it stands.
        let is_function = (statement.contains("function") || statement.contains("=>")) && !statement.starts_with('(');
        word.is_some_and(|word| WORDS.contains(&word))
            || EACH.iter().any(|call| statement.contains(call))
            || is_function && !self.tests.iter().any(|test| statement.contains(test))
    }
}

/// Whether a statement does not go on in the next line: no parenthesis is open, and it is not what a condition begins with.
fn is_over(statement: &str) -> bool {
    let head = statement.strip_prefix("else").map_or(statement, str::trim_start);
    let word = head.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let is_head = match word {
        "if" | "for" | "while" | "switch" | "catch" | "function" => {
            behind_parentheses(head).is_none_or(|rest| rest.trim().is_empty())
        }
        "do" | "try" | "finally" => head == word,
        _ => statement == "else",
    };
    statement.matches('(').count() <= statement.matches(')').count() && !is_head
}

/// What stands behind the parenthesis that closes the first one.
fn behind_parentheses(text: &str) -> Option<&str> {
    let mut open = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' if open <= 1 => return Some(&text[at + 1..]),
            ')' => open -= 1,
            _ => {}
        }
    }
    None
}

/// What a script calls the body of a response as JSON, or parts of it.
#[derive(Debug, Default)]
pub(super) struct Bodies {
    named: Vec<Named>,
}

#[derive(Debug)]
struct Named {
    name: String,
    /// Its path in the body; `None` of what has been one thing and another.
    path: Option<String>,
    /// It is called so by custom, until the script says otherwise.
    is_assumed: bool,
}

impl Bodies {
    /// Those that are called so from the beginning.
    pub(super) fn of(names: &[&str]) -> Self {
        let named = |name: &&str| Named {
            name: (*name).to_owned(),
            path: Some("$".to_owned()),
            is_assumed: true,
        };
        Self {
            named: names.iter().map(named).collect(),
        }
    }

    /// Takes in a line that gives the body, or a part of it, a name: `const user = body.user || {};`. Whether it does.
    pub(super) fn take_in(&mut self, line: &str) -> bool {
        let Some((name, value)) = line.split_once('=') else {
            return false;
        };
        let name = ["const ", "let ", "var "]
            .iter()
            .find_map(|word| name.strip_prefix(word))
            .unwrap_or(name)
            .trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        let value = value.trim().trim_end_matches(';').trim_end();
        if !is_name || value.starts_with('=') {
            return false;
        }
        let value = ["|| {}", "|| []", "?? {}", "?? []"]
            .iter()
            .find_map(|usual| value.strip_suffix(usual))
            .unwrap_or(value);
        let path = self.path(value.trim());
        let is_part = path.is_some();
        match self.named.iter_mut().find(|known| known.name == name) {
            Some(known) => {
                if known.is_assumed {
                    known.path = path;
                } else if known.path != path {
                    known.path = None;
                }
                known.is_assumed = false;
            }
            None if is_part => self.named.push(Named {
                name: name.to_owned(),
                path,
                is_assumed: false,
            }),
            None => {}
        }
        is_part
    }

    /// The path of a value in the body, as a script writes it; `None` of anything else.
    pub(super) fn path(&self, value: &str) -> Option<String> {
        let value = value.replace("?.[", "[").replace("?.", ".");
        let value = value.strip_suffix(".toString()").unwrap_or(&value);
        let part = |named: &Named| {
            let rest = value.strip_prefix(named.name.as_str())?;
            let is_whole = rest.is_empty() || rest.starts_with(['.', '[']);
            is_whole.then(|| (named.path.clone(), rest.to_owned()))
        };
        // Of names that begin alike the longest.
        let (path, rest) = self.named.iter().filter_map(part).min_by_key(|(_, rest)| rest.len())?;
        let path = path?;
        // How many there are is no value in the body.
        (is_path(&rest) && !rest.ends_with(".length")).then(|| path + &rest.replace('"', "'"))
    }
}

/// Whether this leads from a value to one in it: names and numbers alone.
fn is_path(text: &str) -> bool {
    let mut is_quoted = false;
    text.chars().all(|c| {
        is_quoted ^= matches!(c, '"' | '\'');
        is_quoted || c.is_alphanumeric() || "_.[]\"'".contains(c)
    })
}

/// What stands in a text up to where the argument of a call ends.
pub(super) fn argument(text: &str) -> &str {
    let mut open = 0_usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(mark), c) if c == mark => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '(' | '[' | '{') => open += 1,
            (None, ')' | ']' | '}' | ',') if open == 0 => return text[..at].trim(),
            (None, ')' | ']' | '}') => open -= 1,
            (None, _) => {}
        }
    }
    text.trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_under_conditions_are_known() {
        let script = "const a = 1;\n\
            pm.test('if it works', function () {\n  plain();\n});\n\
            if (a) {\n  one();\n} else {\n  two();\n}\n\
            plain();\n\
            if (a)\n  three();\n\
            plain();\n\
            if (a) three()\n\
            plain()\n\
            /* if (a) { */ plain();\n\
            items.forEach((item) => {\n  four();\n});\n\
            pm.test('x', () => { if (a) { five(); } });\n\
            try { six(); } catch (e) { }\n\
            const text = `if (\n{`; plain();\n\
            setTimeout(() => {\n  seven();\n}, 1);\n\
            tests['a'] = /^\\d{4,}$/.test(a); plain();\n\
            pm.test('y', function ()\n{\n  plain();\n});";
        for line in lines(script, &["pm.test("]) {
            let says = ["one()", "two()", "three()", "four()", "five()", "six()", "seven()"];
            let is_on_condition = says.iter().any(|call| line.text.contains(call));
            if is_on_condition || line.text.contains("plain()") {
                assert_eq!(line.is_on_condition, is_on_condition, "{}", line.text);
            }
        }
    }

    #[test]
    fn parts_of_a_body_have_names() {
        let mut bodies = Bodies::of(&["pm.response.json()", "response"]);
        for (line, names) in [
            ("const body = pm.response.json();", true),
            ("var user = body.user || {};", true),
            ("let first = user.orders[0]", true),
            ("first = user.orders[0];", true),
            ("const count = body.items.length;", false),
            ("const sum = body.a + body.b;", false),
            ("if (body.a == user.b) {", false),
        ] {
            assert_eq!(bodies.take_in(line), names, "{line}");
        }
        for (value, path) in [
            ("first.id", Some("$.user.orders[0].id")),
            ("user?.name", Some("$.user.name")),
            ("body['a-b'].c", Some("$['a-b'].c")),
            ("responses.id", None),
            ("body.items.length", None),
            ("other.id", None),
        ] {
            assert_eq!(bodies.path(value).as_deref(), path, "{value}");
        }
        // What is one thing and another is neither.
        bodies.take_in("user = body.owner;");
        assert_eq!(bodies.path("user.name"), None);
        assert_eq!(bodies.path("first.id").as_deref(), Some("$.user.orders[0].id"));
    }

    #[test]
    fn arguments_end_where_they_end() {
        for (text, found) in [
            ("body.a[0].b);", "body.a[0].b"),
            ("f(a, b), c)", "f(a, b)"),
            ("'a, b') });", "'a, b'"),
            ("body", "body"),
        ] {
            assert_eq!(argument(text), found);
        }
    }
}
