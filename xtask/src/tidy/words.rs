//! Words of the field instead of our own, in documents, help texts, messages and comments.

use super::Found;
use super::text::{Language, split};
use super::tree::{File, Tree};

/// What was released is not reworded.
const HISTORY: &str = "CHANGELOG.md";
/// A page whose prose is in fenced blocks.
const HELP: &str = "docs/reference/commands.md";
/// Where messages are worded. Names are free.
const MESSAGES: &[&str] = &[
    "crates/cli/src/",
    "crates/engine/src/",
    "crates/files/src/",
    "crates/import/src/",
    "crates/measure/src/",
    "crates/plain/src/",
    "crates/protocol/src/",
    "crates/schedule/src/",
    "crates/thread/src/",
    "crates/lab/src/",
    "crates/plan/src/",
    "crates/target/src/",
    "probe/src/",
];

const ANSWER: &str = "a service sends a response; a program responds";
const FOLDER: &str = "write directory";
const MEND: &str = "write fix";

/// A phrase and what to write instead.
type Avoided = &'static [(&'static str, &'static str)];

/// Nowhere, not in comments either.
const WORDS: Avoided = &[
    ("answer", ANSWER),
    ("answers", ANSWER),
    ("answered", ANSWER),
    ("answering", ANSWER),
    ("folder", FOLDER),
    ("folders", FOLDER),
    ("mend", MEND),
    ("mends", MEND),
    ("mended", MEND),
    ("mending", MEND),
];

/// Not in what users read.
const PHRASES: Avoided = &[
    ("likewise", "write the same, or also"),
    ("makes load", "write generates load"),
    ("soft interrupt", "write softirq"),
    ("soft interrupts", "write softirqs"),
    ("stands at", "write is"),
    ("tells", "write says, shows or reports"),
    ("that of", "repeat the noun, or leave it out"),
    ("to be had", "write available"),
    ("whoever", "name who it is"),
    ("would see", "write minimum detectable effect"),
];

/// A newcomer reads documents and messages without learning a private language first.
pub(crate) fn words_are_of_the_field(tree: &Tree, found: &mut Found<'_>) {
    for file in tree.with_extension("md").filter(|file| file.path != HISTORY) {
        let text = file.text.as_deref().unwrap_or_default();
        let text = prose(text, file.path == HELP);
        look(file, &text, WORDS, found);
        look(file, &text, PHRASES, found);
    }
    let worded = |file: &&File| MESSAGES.iter().any(|directory| file.path.starts_with(directory));
    for file in tree.files() {
        let text = file.text.as_deref().unwrap_or_default();
        let language = Language::of(&file.path);
        if language.is_none() && !text.starts_with("#!") {
            continue;
        }
        look(file, &split(text, language).comments, WORDS, found);
        if worded(&file) {
            let tested = text.find("\nmod tests {").unwrap_or(text.len());
            let literals = split(&text[..tested], language).literals;
            look(file, &literals, WORDS, found);
            look(file, &literals, PHRASES, found);
        }
    }
}

fn look(file: &File, text: &str, avoided: Avoided, found: &mut Found<'_>) {
    for (index, line) in text.lines().enumerate() {
        let line = line.to_lowercase();
        for (phrase, hint) in avoided.iter().filter(|(phrase, _)| has(&line, phrase)) {
            found.add(&file.path, index + 1, format!("says “{phrase}”"), hint);
        }
    }
}

/// Whether `phrase` stands in `line` as words of their own, and not in a name, in a path or as a whole literal, such as the
/// key of a format.
fn has(line: &str, phrase: &str) -> bool {
    let in_name = |c: char| c.is_alphanumeric() || "_-/.{}".contains(c);
    let quote = |c: char| "\"'".contains(c);
    line.match_indices(phrase).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + phrase.len()..]);
        let sentence_ends = after.starts_with('.') && !after[1..].starts_with(|c: char| c.is_alphanumeric());
        let alone = before.ends_with(quote) && after.starts_with(quote);
        !alone && !before.ends_with(in_name) && (sentence_ends || !after.starts_with(in_name))
    })
}

/// The lines of a Markdown text with code and targets of links left out; fenced blocks count where they are prose.
fn prose(text: &str, fenced_is_prose: bool) -> String {
    let mut fenced = false;
    let mut kept = String::new();
    for line in text.lines() {
        fenced ^= line.trim_start().starts_with("```");
        if fenced_is_prose {
            kept.push_str(line);
        } else if !fenced {
            let words = line.split('`').step_by(2).collect::<Vec<_>>().join("``");
            let mut parts = words.split("](");
            kept.push_str(parts.next().unwrap_or_default());
            for part in parts {
                kept.push_str(part.split_once(')').map_or("", |(_, rest)| rest));
            }
        }
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::findings;

    #[test]
    fn private_words_in_documents_are_found() {
        let page = "The answer. `answer` [x](answer.md) answer-time\n```\nanswer\n```\nIt **Mends** the\nfolder/\n";
        let files = [
            ("docs/a.md", page),
            ("CHANGELOG.md", "an answer\n"),
            (HELP, "```text\nlikewise\n```\n"),
        ];
        assert_eq!(
            findings(words_are_of_the_field, &files),
            [
                "docs/a.md:1: says “answer”",
                "docs/a.md:5: says “mends”",
                "docs/reference/commands.md:2: says “likewise”",
            ]
        );
    }

    #[test]
    fn private_words_in_messages_are_found() {
        let code =
            "let folder = \"no folder `x`\";\nget(\"bytes_per_answer\", \"answer\");\n\nmod tests {\n\"folder\"\n}\n";
        let files = [("crates/cli/src/a.rs", code), ("crates/sim/src/a.rs", code)];
        assert_eq!(
            findings(words_are_of_the_field, &files),
            ["crates/cli/src/a.rs:1: says “folder”"]
        );
    }

    #[test]
    fn private_words_in_comments_are_found() {
        let files = [
            (
                "crates/sim/src/a.rs",
                "let answer = 1; // what it `answered`, and tells\n\nmod tests {\n// Mends it.\n}\n",
            ),
            ("services/a.js", "/** The answer. */\nconst folder = 'the folder';\n"),
            ("bench/a/run", "#!/bin/sh\n# a folder\n"),
            ("bench/data", "a folder\n"),
        ];
        assert_eq!(
            findings(words_are_of_the_field, &files),
            [
                "bench/a/run:2: says “folder”",
                "crates/sim/src/a.rs:1: says “answered”",
                "crates/sim/src/a.rs:4: says “mends”",
                "services/a.js:1: says “answer”",
            ]
        );
    }
}
