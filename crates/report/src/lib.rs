//! Draws findings: as text for a terminal, JSON, Markdown at length and in brief, JUnit XML, annotations of a change and one self-contained HTML
//! page; and what happens meanwhile, as lines of text or JSON.
//!
//! It computes nothing: every figure it shows is in [`Findings`], and only rounding and wording happen here.
//! It must not know the engine, the run directory or where its output goes; it returns strings.

mod annotations;
mod brief;
mod figures;
mod html;
mod json;
mod junit;
mod markdown;
mod terminal;
mod words;

pub use annotations::{Annotation, code_quality, github};
pub use html::{document_schema, html};
pub use json::{
    comparison_schema, event_json, event_schema, findings_schema, json, noise_json, noise_schema, scaling_schema,
    studies_json, study_schema,
};
pub use junit::junit;
pub use markdown::markdown;
pub use plimsoll_findings::{Comparison, Findings, NoiseFindings, Scaling, StudyFindings};
pub use terminal::{Listed, Style, Written, noise, studies, terminal};
pub use words::{comes_to, event, unused};

/// What can be shown in every form.
pub trait Report {
    /// As text, ending in a newline.
    fn terminal(&self, style: Style, written: Written<'_>) -> String;
    /// As JSON, ending in a newline.
    fn json(&self) -> String;
    /// As Markdown, ending in a newline.
    fn markdown(&self) -> String;
    /// As Markdown of at most 4 kB, ending in a newline: what it came to, where that comes from, and how a fix is proven.
    fn brief(&self, written: Written<'_>) -> String;
    /// As JUnit XML.
    fn junit(&self) -> String;
    /// As what a build server shows beside a change, the verdict first.
    fn annotations(&self) -> Vec<Annotation>;
    /// What is kept in the directory of the run for people to look at: the name of a file, and its content. For most it is
    /// one page that needs nothing but a browser.
    fn page(&self) -> (&'static str, String);
}

/// Name of the page in a run directory.
const PAGE: &str = "report.html";

impl Report for Findings {
    fn terminal(&self, style: Style, written: Written<'_>) -> String {
        terminal(self, style, written)
    }

    fn json(&self) -> String {
        json(self)
    }

    fn markdown(&self) -> String {
        markdown(self)
    }

    fn brief(&self, written: Written<'_>) -> String {
        brief::run(self, written)
    }

    fn junit(&self) -> String {
        junit(self)
    }

    fn annotations(&self) -> Vec<Annotation> {
        annotations::run(self)
    }

    fn page(&self) -> (&'static str, String) {
        (PAGE, html(self))
    }
}

impl Report for Comparison {
    fn terminal(&self, style: Style, written: Written<'_>) -> String {
        terminal::comparison(self, style, written)
    }

    fn json(&self) -> String {
        json::pretty(self)
    }

    fn markdown(&self) -> String {
        markdown::comparison(self)
    }

    fn brief(&self, written: Written<'_>) -> String {
        brief::comparison(self, written)
    }

    fn junit(&self) -> String {
        junit::comparison(self)
    }

    fn annotations(&self) -> Vec<Annotation> {
        annotations::comparison(self)
    }

    fn page(&self) -> (&'static str, String) {
        (PAGE, html::page(self))
    }
}

impl Report for Scaling {
    fn terminal(&self, style: Style, written: Written<'_>) -> String {
        terminal::scaling(self, style, written)
    }

    fn json(&self) -> String {
        json::pretty(self)
    }

    fn markdown(&self) -> String {
        markdown::scaling(self)
    }

    fn brief(&self, written: Written<'_>) -> String {
        brief::scaling(self, written)
    }

    fn junit(&self) -> String {
        junit::scaling(self)
    }

    fn annotations(&self) -> Vec<Annotation> {
        annotations::scaling(self)
    }

    fn page(&self) -> (&'static str, String) {
        (PAGE, html::page(self))
    }
}

impl Report for StudyFindings {
    fn terminal(&self, style: Style, written: Written<'_>) -> String {
        terminal::study(self, style, written)
    }

    fn json(&self) -> String {
        json::pretty(self)
    }

    fn markdown(&self) -> String {
        markdown::study(self, false)
    }

    fn brief(&self, written: Written<'_>) -> String {
        brief::study(self, written)
    }

    fn junit(&self) -> String {
        junit::study(self)
    }

    fn annotations(&self) -> Vec<Annotation> {
        annotations::study(self)
    }

    /// The measurements have pages of their own, and this one leads to them.
    fn page(&self) -> (&'static str, String) {
        ("report.md", markdown::study(self, true))
    }
}
