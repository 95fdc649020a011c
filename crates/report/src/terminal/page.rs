//! Lines of painted text. The one place where text meets the terminal: here it is cleared of control characters,
//! brought down to ASCII where that is asked for, and given its colour.

use super::Style;
use crate::words::{self, Tone};
use anstyle::{AnsiColor, Color, Style as Ansi};
use unicode_width::UnicodeWidthStr as _;

/// What a piece of text is, which decides how it is painted. Never the only carrier of a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Strong,
    Quiet,
    Tone(Tone),
    StrongTone(Tone),
}

/// A piece of text in one paint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) paint: Paint,
    pub(super) text: String,
}

pub(super) fn span(paint: Paint, text: impl Into<String>) -> Span {
    Span {
        paint,
        text: text.into(),
    }
}

pub(super) fn plain(text: impl Into<String>) -> Span {
    span(Paint::Plain, text)
}

/// The mark before a verdict.
pub(super) fn mark(tone: Tone) -> Span {
    let symbol = match tone {
        Tone::Good => "✔",
        Tone::Bad => "✖",
        Tone::Doubtful => "!",
        Tone::Unknown => "-",
    };
    span(Paint::StrongTone(tone), symbol)
}

/// Text as it grows line by line.
#[derive(Debug)]
pub(super) struct Page {
    style: Style,
    out: String,
}

impl Page {
    pub(super) fn new(style: Style) -> Self {
        Self {
            style,
            out: String::new(),
        }
    }

    pub(super) fn width(&self) -> usize {
        usize::from(self.style.width.max(40))
    }

    pub(super) fn blank(&mut self) {
        self.out.push('\n');
    }

    pub(super) fn line(&mut self, spans: &[Span]) {
        for span in spans {
            self.push(span);
        }
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
    }

    /// A lead, then text that wraps to the width and hangs below its own beginning.
    pub(super) fn paragraph(&mut self, lead: &[Span], paint: Paint, text: &str) {
        let indent: usize = lead.iter().map(|s| s.text.width()).sum();
        let mut lead = lead.to_vec();
        for line in wrap(text, self.width().saturating_sub(indent).max(20)) {
            lead.push(span(paint, line));
            self.line(&lead);
            lead = vec![plain(" ".repeat(indent))];
        }
    }

    pub(super) fn finish(self) -> String {
        self.out
    }

    fn push(&mut self, span: &Span) {
        let ansi = if self.style.colour {
            ansi(span.paint)
        } else {
            Ansi::new()
        };
        self.out.push_str(&ansi.render().to_string());
        for c in span.text.chars() {
            match c {
                c if words::is_deceptive(c) => self.out.push('?'),
                c if c.is_ascii() || self.style.unicode => self.out.push(c),
                c => self.out.push_str(ascii(c)),
            }
        }
        self.out.push_str(&ansi.render_reset().to_string());
    }
}

const fn ansi(paint: Paint) -> Ansi {
    match paint {
        Paint::Plain => Ansi::new(),
        Paint::Strong => Ansi::new().bold(),
        Paint::Quiet => Ansi::new().dimmed(),
        Paint::Tone(tone) => Ansi::new().fg_color(colour(tone)),
        Paint::StrongTone(tone) => Ansi::new().bold().fg_color(colour(tone)),
    }
}

const fn colour(tone: Tone) -> Option<Color> {
    match tone {
        Tone::Good => Some(Color::Ansi(AnsiColor::Green)),
        Tone::Bad => Some(Color::Ansi(AnsiColor::Red)),
        Tone::Doubtful => Some(Color::Ansi(AnsiColor::Yellow)),
        Tone::Unknown => None,
    }
}

fn ascii(c: char) -> &'static str {
    match c {
        '✔' => "+",
        '✖' => "x",
        'µ' => "u",
        '…' => "~",
        '–' | '—' => "-",
        '×' => "x",
        '·' => "|",
        '≤' => "<=",
        '≥' => ">=",
        '‘' | '’' => "'",
        '“' | '”' => "\"",
        'λ' => "lambda",
        'σ' => "sigma",
        'κ' => "kappa",
        '−' => "-",
        '→' => "->",
        '÷' => "/",
        _ => "?",
    }
}

/// Breaks at white space; a word longer than a line is left whole, so that it can be copied.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().map_or(0, |l| l.width());
        if line > 0 && line + 1 + word.width() > width {
            lines.push(word.to_owned());
        } else if let Some(last) = lines.last_mut() {
            if line > 0 {
                last.push(' ');
            }
            last.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(style: Style, text: &str) -> String {
        let mut page = Page::new(style);
        page.line(&[span(Paint::StrongTone(Tone::Good), text)]);
        page.finish()
    }

    #[test]
    fn foreign_text_cannot_steer_the_terminal() {
        let style = Style {
            colour: false,
            width: 80,
            unicode: true,
        };
        assert_eq!(drawn(style, "a\x1b[31mb\r\u{9b}c\u{202e}d"), "a?[31mb??c?d\n");
    }

    #[test]
    fn ascii_keeps_the_meaning() {
        let style = Style {
            colour: false,
            width: 80,
            unicode: false,
        };
        assert_eq!(drawn(style, "✔ 5 µs – p99 ≤ 1 ms é"), "+ 5 us - p99 <= 1 ms ?\n");
    }

    #[test]
    fn colour_is_closed_again() {
        let style = Style {
            colour: true,
            width: 80,
            unicode: true,
        };
        assert_eq!(drawn(style, "✔"), "\x1b[1m\x1b[32m✔\x1b[0m\n");
    }

    #[test]
    fn paragraphs_hang_below_their_beginning() {
        let mut page = Page::new(Style {
            colour: false,
            width: 40,
            unicode: true,
        });
        page.paragraph(
            &[plain("  next  ")],
            Paint::Plain,
            "raise the number of connections or the pool of the service",
        );
        assert_eq!(
            page.finish(),
            "  next  raise the number of connections\n        or the pool of the service\n"
        );
    }

    #[test]
    fn a_long_word_stays_whole() {
        assert_eq!(
            wrap("see http://a.very.long.name/ now", 10),
            ["see", "http://a.very.long.name/", "now"]
        );
        assert_eq!(wrap("", 10), [""]);
    }
}
