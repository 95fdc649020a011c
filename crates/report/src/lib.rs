//! Draws findings: as text for a terminal, JSON, Markdown, JUnit XML and one self-contained HTML page.
//!
//! It computes nothing: every figure it shows is in [`Findings`], and only rounding and wording happen here.
//! It must not know the engine, the run folder or where its output goes; it returns strings.

mod figures;
mod html;
mod json;
mod junit;
mod markdown;
mod terminal;
mod words;

pub use html::html;
pub use json::{findings_schema, json};
pub use junit::junit;
pub use markdown::markdown;
pub use plimsoll_analysis::Findings;
pub use terminal::{Style, Written, terminal};
