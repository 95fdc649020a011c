//! Code, comments and literals apart, well enough to look for words. No parser: it never fails, and a construct that it
//! does not know costs at most the rest of a line.

/// Languages that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Language {
    Rust,
    /// And TypeScript.
    JavaScript,
    Python,
    Shell,
}

impl Language {
    pub(crate) fn of(path: &str) -> Option<Self> {
        match path.rsplit_once('.').map(|(_, extension)| extension)? {
            "rs" => Some(Self::Rust),
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" => Some(Self::JavaScript),
            "py" => Some(Self::Python),
            "sh" => Some(Self::Shell),
            _ => None,
        }
    }
}

/// All have the lines of the source; what does not belong to them is blank.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Split {
    pub(crate) code: String,
    pub(crate) comments: String,
    pub(crate) literals: String,
}

/// Takes `text` apart. Without a language everything counts as comment.
pub(crate) fn split(text: &str, language: Option<Language>) -> Split {
    let Some(language) = language else {
        return Split {
            comments: text.to_owned(),
            ..Split::default()
        };
    };
    let mut splitter = Splitter {
        chars: text.chars().collect(),
        at: 0,
        language,
        out: Split::default(),
    };
    while splitter.at < splitter.chars.len() {
        splitter.step();
    }
    splitter.out
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Literal,
}

struct Splitter {
    chars: Vec<char>,
    at: usize,
    language: Language,
    out: Split,
}

impl Splitter {
    fn step(&mut self) {
        let slashes = matches!(self.language, Language::Rust | Language::JavaScript);
        let here = self.chars[self.at];
        if (slashes && self.looking_at("//")) || (!slashes && here == '#') {
            self.line_comment();
        } else if slashes && self.looking_at("/*") {
            self.block_comment();
        } else if self.language == Language::Rust && self.raw_string_hashes().is_some() {
            self.raw_string();
        } else if self.language == Language::Python && (self.looking_at("\"\"\"") || self.looking_at("'''")) {
            self.triple_quoted();
        } else if self.at_quote() {
            self.quoted(here);
        } else {
            self.take(Part::Code);
        }
    }

    /// Whether a quoted literal begins here.
    fn at_quote(&self) -> bool {
        match self.chars[self.at] {
            '"' => true,
            '\'' => self.language != Language::Rust || self.is_char_literal(),
            '`' => self.language == Language::JavaScript,
            _ => false,
        }
    }

    /// Moves on by one character.
    fn take(&mut self, part: Part) {
        let c = self.chars[self.at];
        let shown = |wanted| if c == '\n' || part == wanted { c } else { ' ' };
        self.out.code.push(shown(Part::Code));
        self.out.comments.push(shown(Part::Comment));
        self.out.literals.push(shown(Part::Literal));
        self.at += 1;
    }

    fn take_many(&mut self, count: usize, part: Part) {
        for _ in 0..count.min(self.chars.len() - self.at) {
            self.take(part);
        }
    }

    fn looking_at(&self, word: &str) -> bool {
        word.chars()
            .enumerate()
            .all(|(i, c)| self.chars.get(self.at + i) == Some(&c))
    }

    fn line_comment(&mut self) {
        while self.chars.get(self.at).is_some_and(|&c| c != '\n') {
            self.take(Part::Comment);
        }
    }

    /// Comments nest in Rust only.
    fn block_comment(&mut self) {
        let mut depth = 0_u32;
        while self.at < self.chars.len() {
            if self.looking_at("/*") && (depth == 0 || self.language == Language::Rust) {
                depth += 1;
                self.take_many(2, Part::Comment);
            } else if self.looking_at("*/") {
                depth -= 1;
                self.take_many(2, Part::Comment);
                if depth == 0 {
                    return;
                }
            } else {
                self.take(Part::Comment);
            }
        }
    }

    /// How many `#` the raw string that begins here has, if one does.
    fn raw_string_hashes(&self) -> Option<usize> {
        if self.chars[self.at] != 'r' {
            return None;
        }
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let before = |n: usize| self.at.checked_sub(n).map(|i| self.chars[i]);
        let inside_word = match before(1) {
            Some('b' | 'c') => before(2).is_some_and(word),
            Some(c) => word(c),
            None => false,
        };
        let hashes = self.chars[self.at + 1..].iter().take_while(|&&c| c == '#').count();
        (!inside_word && self.chars.get(self.at + 1 + hashes) == Some(&'"')).then_some(hashes)
    }

    fn raw_string(&mut self) {
        let hashes = self.raw_string_hashes().unwrap_or(0);
        let end = format!("\"{}", "#".repeat(hashes));
        self.take_many(2 + hashes, Part::Literal);
        while self.at < self.chars.len() && !self.looking_at(&end) {
            self.take(Part::Literal);
        }
        self.take_many(1 + hashes, Part::Literal);
    }

    fn triple_quoted(&mut self) {
        let end: String = self.chars[self.at..self.at + 3].iter().collect();
        self.take_many(3, Part::Literal);
        while self.at < self.chars.len() && !self.looking_at(&end) {
            self.take(Part::Literal);
        }
        self.take_many(3, Part::Literal);
    }

    /// A literal with escapes. Where the language has none that go over lines, an open one ends with its line.
    fn quoted(&mut self, quote: char) {
        let over_lines = quote == '`' || matches!(self.language, Language::Rust | Language::Shell);
        self.take(Part::Literal);
        while let Some(&c) = self.chars.get(self.at) {
            if c == '\n' && !over_lines {
                return;
            }
            let escaped = c == '\\' && !(self.language == Language::Shell && quote == '\'');
            self.take_many(if escaped { 2 } else { 1 }, Part::Literal);
            if c == quote {
                return;
            }
        }
    }

    /// Tells `'a'` from the lifetime `'a`.
    fn is_char_literal(&self) -> bool {
        self.chars.get(self.at + 1) == Some(&'\\') || self.chars.get(self.at + 2) == Some(&'\'')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The words of the code and those of the comments.
    fn check(text: &str, language: Language, code: &str, comments: &str) {
        let found = split(text, Some(language));
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&found.code), code, "code of {text}");
        assert_eq!(words(&found.comments), comments, "comments of {text}");
        assert_eq!(found.code.lines().count(), text.lines().count());
        assert_eq!(found.comments.lines().count(), text.lines().count());
    }

    #[test]
    fn rust() {
        use Language::Rust;
        check("a(); // why\nb();", Rust, "a(); b();", "// why");
        check("a /* x /* y */ z */ b", Rust, "a b", "/* x /* y */ z */");
        check(r#"f("a // \" b", 'x', '\'', c)"#, Rust, "f( , , , c)", "");
        check("let a = r#\"x \" // y\"#; b", Rust, "let a = ; b", "");
        check("br\"x\\\"; for_r\"y\"", Rust, "b ; for_r", "");
        check("fn f<'a>(x: &'a str) {}", Rust, "fn f<'a>(x: &'a str) {}", "");
        check("\"open", Rust, "", "");
        check("/* open", Rust, "", "/* open");
    }

    #[test]
    fn javascript() {
        use Language::JavaScript;
        check("f('a', `b\nc`, \"d\"); // e", JavaScript, "f( , , );", "// e");
        check("a /* /* */ b", JavaScript, "a b", "/* /* */");
        check("x = /'/;\ny", JavaScript, "x = / y", "");
    }

    #[test]
    fn python_and_shell() {
        check("a = '''b\n# c''' # d", Language::Python, "a =", "# d");
        check("a 'b\\' c # d", Language::Shell, "a c", "# d");
    }

    #[test]
    fn languages_are_told_by_their_ending() {
        assert_eq!(Language::of("a/b.mjs"), Some(Language::JavaScript));
        assert_eq!(Language::of("Makefile"), None);
    }

    #[test]
    fn prose_is_all_comment() {
        assert_eq!(
            split("text", None),
            Split {
                comments: "text".to_owned(),
                ..Split::default()
            }
        );
    }
}
