//! What the page says, in the order in which it is read. The page draws it; every word and figure of it is written here, but for
//! what belongs to a chart: its axes and the figures beside its cursor.

use super::listing::ListingText;
use crate::words::{self, Tone};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a page says.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Document {
    /// Name of the page, for tabs and bookmarks.
    pub(crate) title: String,
    /// What was tested, when and for how long.
    pub(crate) subject: Subject,
    /// What it comes to.
    pub(crate) result: Outcome,
    /// What the reader should know besides; before the figures, because it may weaken them.
    pub(crate) notices: Option<Notices>,
    /// Everything else.
    pub(crate) content: Vec<Block>,
    /// The last line.
    pub(crate) foot: String,
    /// The verdicts that charts show, by their codes.
    pub(crate) verdicts: BTreeMap<String, Badge>,
}

/// What was tested.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Subject {
    /// Name of the plan.
    pub(crate) name: String,
    /// Address of the service, where the name does not begin with it.
    pub(crate) target: Option<String>,
    /// The command, when it began, how long it took.
    pub(crate) facts: Vec<String>,
}

/// The verdict, the result as a heading, its facts, and what to do next.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Outcome {
    /// The verdict.
    pub(crate) verdict: Badge,
    /// What is not certain of it.
    pub(crate) note: Option<String>,
    /// The result.
    pub(crate) heading: Heading,
    /// What belongs to it.
    pub(crate) facts: Vec<Fact>,
    /// What to do next.
    pub(crate) next: Fact,
}

/// A verdict: a mark and a word.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Badge {
    /// Chooses the mark and its colour.
    pub(crate) tone: Tone,
    /// The word.
    pub(crate) text: String,
}

/// A result as a heading.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Heading {
    /// In a sentence.
    Sentence {
        /// The sentence without its end.
        text: String,
    },
    /// One figure.
    Figure {
        /// What it is.
        name: String,
        /// The figure.
        figure: String,
        /// Its unit.
        unit: String,
    },
}

/// A name and what it stands for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Fact {
    /// The name.
    pub(crate) name: String,
    /// What it stands for.
    pub(crate) value: Cell,
}

/// What stands in a table or beside a name.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Cell {
    /// As it is.
    Text(String),
    /// A verdict.
    Badge(Badge),
    /// With notes, or as code.
    Noted(Noted),
}

/// A text with small print.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Noted {
    /// The text.
    pub(crate) text: String,
    /// It is something that stands in a plan or a program.
    pub(crate) code: bool,
    /// The small print.
    pub(crate) notes: Vec<String>,
}

/// What the reader should know besides.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Notices {
    /// The heading.
    pub(crate) title: String,
    /// Each of them.
    pub(crate) notices: Vec<Noticed>,
}

/// A notice and what to do about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Noticed {
    /// One sentence without its end; code stands between backticks.
    pub(crate) text: String,
    /// What to do about it.
    pub(crate) hint: Option<Labelled>,
}

/// A sentence behind a word that says what it is.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Labelled {
    /// The word.
    pub(crate) label: String,
    /// The sentence; code stands between backticks.
    pub(crate) text: String,
}

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Block {
    /// With a heading of its own.
    Section(Section),
    /// Side by side where there is room.
    Columns(Columns),
    /// Folded away until it is asked for.
    Folded(Folded),
    /// A table.
    Table(Table),
    /// Names and what they stand for.
    Facts(Facts),
    /// The figures that one looks for first, large.
    Glance(Glance),
    /// What the marks of a chart mean.
    Legend(Legend),
    /// A chart, which the page draws from the findings.
    Chart(ChartPlace),
    /// The call tree, which the page draws from the findings.
    Flame(FlameKey),
    /// The causes of a diagnosis.
    Causes(Causes),
    /// A function with the time of its lines.
    Listing(ListingText),
    /// A heading below that of a section.
    Heading(Text),
    /// A sentence.
    Paragraph(Text),
}

/// A section: its heading, a sentence that says what it shows, and its content.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Section {
    /// Its anchor.
    pub(crate) id: String,
    /// Its heading.
    pub(crate) title: String,
    /// What it shows.
    pub(crate) lead: String,
    /// What it holds.
    pub(crate) content: Vec<Block>,
}

/// Blocks side by side where there is room.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Columns {
    /// How wide they are.
    pub(crate) widths: Widths,
    /// What they hold.
    pub(crate) content: Vec<Block>,
}

/// How wide blocks side by side are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Widths {
    /// All alike.
    Equal,
    /// A chart and a table beside it.
    ChartAndTable,
}

/// Blocks that are folded away.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Folded {
    /// Its anchor.
    pub(crate) id: String,
    /// What is folded away.
    pub(crate) summary: String,
    /// The blocks.
    pub(crate) content: Vec<Block>,
}

/// A table. The first cell of a row names it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Table {
    /// What a screen reader calls it.
    pub(crate) label: String,
    /// Its columns.
    pub(crate) columns: Vec<Column>,
    /// Its rows, each with a cell for each column.
    pub(crate) rows: Vec<Vec<Cell>>,
    /// On a phone its rows become cards; others scroll there.
    pub(crate) cards: bool,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Column {
    /// Its head.
    pub(crate) head: String,
    /// The head is for screen readers alone.
    pub(crate) unseen: bool,
    /// It holds figures, so it is aligned by their last digits.
    pub(crate) figures: bool,
}

/// Names and what they stand for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Facts {
    /// How they are laid out.
    pub(crate) layout: Layout,
    /// Each of them.
    pub(crate) facts: Vec<Fact>,
}

/// How names and what they stand for are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Layout {
    /// A line each, the figure at its end.
    Figures,
    /// A line each, longer text beside the name.
    Lines,
    /// Terms with sentences that explain them.
    Terms,
}

/// The figures that one looks for first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Glance {
    /// What they are, for screen readers.
    pub(crate) label: String,
    /// Where they were taken.
    pub(crate) taken_at: String,
    /// Each of them.
    pub(crate) figures: Vec<GlanceFigure>,
}

/// A figure that one looks for first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct GlanceFigure {
    /// What it is.
    pub(crate) name: String,
    /// The figure; its unit follows a space.
    pub(crate) figure: String,
    /// What it is part of.
    pub(crate) note: Option<String>,
}

/// What the marks of a chart mean.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Legend {
    /// Marks of verdicts.
    pub(crate) marks: Vec<Badge>,
    /// What is said of the line through all panels, where there is one.
    pub(crate) line: Option<String>,
}

/// The place of a chart.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ChartPlace {
    /// Which chart.
    pub(crate) name: ChartName,
}

/// The charts there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum ChartName {
    /// Steps by offered rate.
    LoadLine,
    /// Response time by percentile.
    Curve,
    /// The run over time.
    Timeline,
    /// Changes by metric.
    Changes,
    /// Throughput by size.
    Scaling,
}

/// The place of the call tree.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FlameKey {
    /// What its colours mean: the class of code, and its name.
    pub(crate) classes: Vec<FlameClass>,
}

/// A class of code in the call tree.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct FlameClass {
    /// As calls name it.
    pub(crate) class: String,
    /// In words.
    pub(crate) text: String,
}

/// The causes of a diagnosis, the most promising first.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Causes {
    /// Each of them.
    pub(crate) causes: Vec<CauseText>,
}

/// A cause in words; code stands between backticks.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct CauseText {
    /// What it is.
    pub(crate) title: String,
    /// The line of code, behind the word that leads to it.
    pub(crate) place: Option<Labelled>,
    /// What it costs and what that rests on.
    pub(crate) facts: Vec<Labelled>,
    /// What to do about it.
    pub(crate) remedy: Labelled,
    /// Where it is explained.
    pub(crate) more: String,
}

/// A text of its own.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub(crate) struct Text {
    /// The text.
    pub(crate) text: String,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl Cell {
    /// A verdict.
    pub(crate) fn badge(verdict: (Tone, &str)) -> Self {
        Self::Badge(badge(verdict))
    }

    /// Something that stands in a plan or a program, with small print.
    pub(crate) fn code(text: impl Into<String>, notes: impl IntoIterator<Item = String>) -> Self {
        Self::Noted(Noted {
            text: text.into(),
            code: true,
            notes: notes.into_iter().collect(),
        })
    }

    /// A text with small print.
    pub(crate) fn noted(text: impl Into<String>, notes: impl IntoIterator<Item = String>) -> Self {
        Self::Noted(Noted {
            text: text.into(),
            code: false,
            notes: notes.into_iter().collect(),
        })
    }
}

/// A mark and its word.
pub(crate) fn badge((tone, text): (Tone, &str)) -> Badge {
    Badge {
        tone,
        text: text.to_owned(),
    }
}

/// A name and what it stands for.
pub(crate) fn fact(name: &str, value: impl Into<Cell>) -> Fact {
    Fact {
        name: name.to_owned(),
        value: value.into(),
    }
}

/// A sentence behind a word.
pub(crate) fn labelled(label: &str, text: &str) -> Labelled {
    Labelled {
        label: label.to_owned(),
        text: words::sentence(text),
    }
}

/// A section.
pub(crate) fn section(id: &str, title: &str, lead: impl Into<String>, content: Vec<Block>) -> Block {
    Block::Section(Section {
        id: id.to_owned(),
        title: title.to_owned(),
        lead: lead.into(),
        content,
    })
}

/// A column of text.
pub(crate) fn text(head: &str) -> Column {
    Column {
        head: head.to_owned(),
        unseen: false,
        figures: false,
    }
}

/// A column whose head only screen readers need.
pub(crate) fn unseen(head: &str) -> Column {
    Column {
        unseen: true,
        ..text(head)
    }
}

/// A column of figures.
pub(crate) fn figures(head: &str) -> Column {
    Column {
        figures: true,
        ..text(head)
    }
}

/// A table that scrolls where it is too wide.
pub(crate) fn table(label: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Block {
    Block::Table(Table {
        label: label.to_owned(),
        columns,
        rows,
        cards: false,
    })
}

/// A table whose rows become cards on a phone.
pub(crate) fn cards(label: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>) -> Block {
    Block::Table(Table {
        label: label.to_owned(),
        columns,
        rows,
        cards: true,
    })
}

/// The place of a chart.
pub(crate) const fn chart(name: ChartName) -> Block {
    Block::Chart(ChartPlace { name })
}

/// The words of verdicts by their codes.
pub(crate) fn verdicts<T: Copy + Serialize>(
    all: &[T],
    word: impl Fn(T) -> (Tone, &'static str),
) -> BTreeMap<String, Badge> {
    let code = |verdict| serde_json::to_value(verdict).ok()?.as_str().map(ToOwned::to_owned);
    let words = all
        .iter()
        .filter_map(|&verdict| Some((code(verdict)?, badge(word(verdict)))));
    words.collect()
}
