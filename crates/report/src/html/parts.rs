//! What every page has, whatever was found: its head, notices, responses, how it came about.

use super::document::{
    Block, Cell, Document, Fact, Facts, Folded, Heading, Labelled, Layout, Noticed, Notices, Outcome, Subject, Text,
    cards, fact, figures as column, section, table, text,
};
use crate::figures;
use crate::words;
use plimsoll_findings::{ErrorFinding, Notice, ResponsesFinding};
use std::collections::BTreeMap;

/// What is known of every result.
pub(super) struct Known<'a> {
    pub(super) command: &'a str,
    pub(super) name: &'a str,
    pub(super) target: &'a str,
    pub(super) started_at: &'a str,
    pub(super) duration_s: f64,
    pub(super) version: &'a str,
    pub(super) format: &'a str,
    pub(super) host: String,
    pub(super) notices: &'a [Notice],
}

impl Known<'_> {
    /// The page of this result. `title` is what it comes to in two or three words.
    pub(super) fn document(&self, title: &str, result: Outcome, content: Vec<Block>) -> Document {
        Document {
            title: format!("{}: {title} – plimsoll", self.name),
            subject: Subject {
                name: self.name.to_owned(),
                target: (!self.name.starts_with(self.target)).then(|| self.target.to_owned()),
                facts: vec![
                    self.command.to_owned(),
                    words::minute(self.started_at),
                    figures::length_s(self.duration_s),
                ],
            },
            result,
            notices: notices(self.notices),
            content,
            foot: format!("plimsoll {}", self.version),
            verdicts: BTreeMap::new(),
        }
    }

    /// What was done where and by which version.
    pub(super) fn setting(&self, started_by: Option<&str>) -> Block {
        let mut all = vec![
            fact("Plan", self.name),
            fact("Command", format!("plimsoll {}", self.command)),
            fact("Target", self.target),
        ];
        all.extend(started_by.map(|command| fact("Started by", command)));
        if !self.host.is_empty() {
            all.push(fact("Host", self.host.as_str()));
        }
        all.extend([
            fact("Began", self.started_at),
            fact("Took", figures::length_s(self.duration_s)),
            fact("Version", format!("plimsoll {}, {}", self.version, self.format)),
        ]);
        folded("setting", "Plan, host and versions", facts(Layout::Lines, all))
    }
}

/// The result in a sentence.
pub(super) fn headline(text: &str) -> Heading {
    Heading::Sentence {
        text: words::sentence(text),
    }
}

/// What to do next.
pub(super) fn next(text: &str) -> Fact {
    fact("Next step", words::sentence(text))
}

fn notices(all: &[Notice]) -> Option<Notices> {
    let notices = all.iter().map(|notice| Noticed {
        text: words::sentence(&words::notice(notice)),
        hint: words::hint(notice).map(|hint| Labelled {
            label: "Hint:".to_owned(),
            text: hint.into_owned(),
        }),
    });
    let notices: Vec<_> = notices.collect();
    (!notices.is_empty()).then(|| Notices {
        title: "Notices".to_owned(),
        notices,
    })
}

/// What came back in several runs.
pub(super) fn responses(all: &[ResponsesFinding]) -> Option<Block> {
    if all.is_empty() {
        return None;
    }
    let row = |responses: &ResponsesFinding| -> Vec<Cell> {
        let charged = responses.errors.iter().filter(|error| error.charged);
        vec![
            words::responses_of(&responses.of).into(),
            words::statuses_together(responses).into(),
            figures::count(responses.finished).into(),
            figures::count(charged.map(|error| error.count).sum()).into(),
        ]
    };
    let columns = vec![text("of"), text("statuses"), column("requests"), column("failed")];
    let mut content = vec![table("Responses", columns, all.iter().map(row).collect())];
    for responses in all.iter().filter(|responses| !responses.errors.is_empty()) {
        let title = format!("Failures of {}", words::responses_of(&responses.of));
        content.push(Block::Heading(Text { text: title.clone() }));
        content.push(failures(&title, &responses.errors));
    }
    Some(section(
        "responses",
        "Responses",
        "By status, in all rounds, warm-up included.",
        content,
    ))
}

/// Failures by class, with their first examples.
pub(super) fn failures(label: &str, errors: &[ErrorFinding]) -> Block {
    let row = |error: &ErrorFinding| {
        let whose = words::whose(error).trim();
        let notes = (!whose.is_empty()).then(|| whose.to_owned());
        let example = error
            .example
            .as_ref()
            .map(|example| words::sentence(&words::example(example)));
        vec![
            Cell::code(error.class.as_str(), notes),
            figures::count(error.count).into(),
            figures::share(error.share).into(),
            Cell::noted(words::meaning(error.class), example),
        ]
    };
    let columns = vec![
        text("class"),
        column("count"),
        column("of all requests"),
        text("meaning"),
    ];
    cards(label, columns, errors.iter().map(row).collect())
}

/// Names and what they stand for.
pub(super) const fn facts(layout: Layout, facts: Vec<Fact>) -> Block {
    Block::Facts(Facts { layout, facts })
}

/// Folded away until it is asked for.
pub(super) fn folded(id: &str, summary: &str, block: Block) -> Block {
    Block::Folded(Folded {
        id: id.to_owned(),
        summary: summary.to_owned(),
        content: vec![block],
    })
}
