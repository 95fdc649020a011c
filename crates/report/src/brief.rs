//! Findings as Markdown of at most 4 kB, for who reads little: a coding assistant, or a comment on a change. It says what a run came
//! to, where that comes from with file and line, and with which command a fix is proven.

mod comparison;
mod diagnosis;
mod inert;
mod run;
mod scaling;
mod study;

pub(crate) use comparison::comparison;
pub(crate) use run::run;
pub(crate) use scaling::scaling;
pub(crate) use study::study;

use crate::figures;
use crate::terminal::Written;
use crate::words;
use inert::{code, text};
use plimsoll_findings::Notice;

/// Most bytes of a brief.
pub(crate) const MOST_BYTES: usize = 4096;
/// Of a kind of which there may be many.
const FEW: usize = 3;
/// Most characters of one thing that somebody else worded.
const LONGEST: usize = 240;
/// A directory with a longer name is not named.
const LONGEST_PATH: usize = 200;

/// Text that grows by blocks until it is full. What is important comes first.
struct Brief {
    text: String,
    end: String,
    left_out: usize,
}

impl Brief {
    fn new(title: &str, name: &str, headline: &str, written: Written<'_>) -> Self {
        let shown = |path: &&std::path::Path| path.as_os_str().len() <= LONGEST_PATH;
        let places: Vec<String> = [written.directory, written.report]
            .into_iter()
            .flatten()
            .filter(shown)
            .map(|path| code(&path.display().to_string()))
            .collect();
        let end = match places.as_slice() {
            [] => String::new(),
            places => format!("- **more:** {}\n", places.join(", ")),
        };
        Self {
            text: format!("## {}: {}\n\n{}.\n\n", text(title), text(name), text(headline)),
            end,
            left_out: 0,
        }
    }

    /// A block that is there as a whole or not at all.
    fn block(&mut self, block: &str) {
        /// What is said of what is left out.
        const REST: usize = 40;
        if self.text.len() + block.len() + self.end.len() + REST <= MOST_BYTES {
            self.text.push_str(block);
        } else {
            self.left_out += 1;
        }
    }

    fn fact(&mut self, name: &str, what: &str) {
        self.block(&fact(name, what));
    }

    fn title(&mut self, title: &str) {
        self.block(&format!("\n### {title}\n\n"));
    }

    /// Under a title of their own.
    fn notices(&mut self, notices: &[Notice]) {
        if !notices.is_empty() {
            self.title("Notices");
        }
        for notice in notices.iter().take(FEW) {
            // Each may be long, and what to do about it must not be cut for what it is.
            let hint = words::hint(notice).map(|hint| format!("; {}", text(&hint)));
            let notice = text(&words::notice(notice));
            self.block(&format!("- **note:** {notice}{}\n", hint.unwrap_or_default()));
        }
        self.left_out += notices.len().saturating_sub(FEW);
    }

    fn finish(mut self) -> String {
        if self.left_out > 0 || !self.end.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(&self.end);
        if self.left_out > 0 {
            self.text.push_str(&format!(
                "- **left out here:** {}\n",
                figures::count(self.left_out as u64)
            ));
        }
        self.text
    }
}

fn fact(name: &str, what: &str) -> String {
    format!("- **{name}:** {}\n", text(what))
}
