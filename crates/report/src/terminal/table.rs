//! Columns that line up, as wide as their content. Where the terminal is too narrow, columns that can be spared are left
//! out, a last column of words is cut, and the widest other one gives up the middle of its words rather than the figures behind them.

use super::page::{Page, Paint, Span, plain, span};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// On which side the cells of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

/// A table that is drawn once all of its rows are known.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<(&'static str, Side)>,
    rows: Vec<Vec<Span>>,
    spared: &'static [&'static str],
}

const INDENT: &str = "  ";
const GAP: usize = 2;
/// So much of the words of a column stays.
const WORDS_WIDTH_MIN: usize = 16;

impl Table {
    pub(super) fn new(columns: &[(&'static str, Side)]) -> Self {
        Self {
            columns: columns.to_vec(),
            rows: Vec::new(),
            spared: &[],
        }
    }

    /// Heads of the columns to leave out where the terminal is too narrow, the first one first.
    pub(super) fn spare(mut self, heads: &'static [&'static str]) -> Self {
        self.spared = heads;
        self
    }

    /// A cell for each column.
    pub(super) fn row(&mut self, cells: Vec<Span>) {
        debug_assert_eq!(cells.len(), self.columns.len());
        self.rows.push(cells);
    }

    pub(super) fn draw(mut self, page: &mut Page) {
        for head in self.spared {
            if self.width() <= page.width() {
                break;
            }
            self.leave_out(head);
        }
        self.narrow_words(self.width().saturating_sub(page.width()));
        let widths = self.widths();
        let heads: Vec<Span> = self.columns.iter().map(|(head, _)| span(Paint::Quiet, *head)).collect();
        self.draw_row(page, &widths, &heads);
        for row in &self.rows {
            self.draw_row(page, &widths, row);
        }
    }

    fn leave_out(&mut self, head: &str) {
        if let Some(at) = self.columns.iter().position(|(name, _)| *name == head) {
            self.columns.remove(at);
            for row in &mut self.rows {
                row.remove(at);
            }
        }
    }

    /// Cuts what stands in the widest column of words before the last column, so that it is narrower by `excess`.
    fn narrow_words(&mut self, excess: usize) {
        let widths = self.widths();
        let before_last = self.columns.iter().enumerate().rev().skip(1);
        let words = before_last.filter(|(_, (_, side))| *side == Side::Left && excess > 0);
        let Some((at, (head, _))) = words.max_by_key(|(at, _)| widths[*at]) else {
            return;
        };
        let width = widths[at].saturating_sub(excess).max(WORDS_WIDTH_MIN).max(head.width());
        for row in &mut self.rows {
            row[at].text = cut_middle(&row[at].text, width);
        }
    }

    fn widths(&self) -> Vec<usize> {
        let widest = |at: usize| self.rows.iter().map(|row| row[at].text.width()).max().unwrap_or(0);
        self.columns
            .iter()
            .enumerate()
            .map(|(at, (head, _))| head.width().max(widest(at)))
            .collect()
    }

    /// A last column of words can be cut, so only its head counts.
    fn width(&self) -> usize {
        let mut widths = self.widths();
        if let (Some((head, Side::Left)), Some(last)) = (self.columns.last(), widths.last_mut()) {
            *last = head.width();
        }
        INDENT.len() + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
    }

    fn draw_row(&self, page: &mut Page, widths: &[usize], cells: &[Span]) {
        let mut line = vec![plain(INDENT)];
        let mut used = INDENT.len();
        for (i, cell) in cells.iter().enumerate() {
            if i > 0 {
                line.push(plain(" ".repeat(GAP)));
                used += GAP;
            }
            let last = i + 1 == cells.len();
            let text = if last {
                cut(&cell.text, page.width().saturating_sub(used))
            } else {
                cell.text.clone()
            };
            let fill = widths[i].saturating_sub(text.width());
            used += widths[i];
            let cell = span(cell.paint, text);
            match self.columns[i].1 {
                Side::Left if last => line.push(cell),
                Side::Left => line.extend([cell, plain(" ".repeat(fill))]),
                Side::Right => line.extend([plain(" ".repeat(fill)), cell]),
            }
        }
        page.line(&line);
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let kept: String = fitting(text.chars(), width.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Keeps a third of the beginning: a path says more at its end.
fn cut_middle(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let kept = width.saturating_sub(1);
    let begin: String = fitting(text.chars(), kept / 3).collect();
    let mut end: Vec<char> = fitting(text.chars().rev(), kept - kept / 3).collect();
    end.reverse();
    format!("{begin}…{}", end.iter().collect::<String>())
}

/// The first characters that a terminal draws in `width` columns.
fn fitting(characters: impl Iterator<Item = char>, width: usize) -> impl Iterator<Item = char> {
    let mut left = width;
    characters.take_while(move |c| {
        let fitting = left.checked_sub(c.width().unwrap_or(0));
        left = fitting.unwrap_or(left);
        fitting.is_some()
    })
}

#[cfg(test)]
mod tests {
    use super::super::Style;
    use super::*;

    #[test]
    fn a_narrow_terminal_spares_columns() {
        let drawn = |width| {
            let mut page = Page::new(Style {
                colour: false,
                width,
                unicode: true,
            });
            let mut table = Table::new(&[("a", Side::Left), ("b", Side::Right), ("c", Side::Right)]).spare(&["b", "a"]);
            table.row(["twelve chars", "more figures", "figures here"].map(plain).to_vec());
            table.draw(&mut page);
            page.finish()
        };
        assert_eq!(
            drawn(42).lines().last(),
            Some("  twelve chars  more figures  figures here")
        );
        assert_eq!(drawn(41).lines().last(), Some("  twelve chars  figures here"));
    }

    #[test]
    fn a_narrow_terminal_keeps_figures_before_words() {
        let drawn = |width| {
            let mut page = Page::new(Style {
                colour: false,
                width,
                unicode: true,
            });
            let mut table = Table::new(&[("for", Side::Left), ("share", Side::Right)]);
            table.row(vec![
                plain("node_modules/engine.io/build/transport.js:131"),
                plain("55.4%"),
            ]);
            table.row(vec![plain("src/rooms.js:46"), plain("5.14%")]);
            table.draw(&mut page);
            page.finish()
        };
        let in_40_columns = [
            "  for                              share",
            "  node_modul…ild/transport.js:131  55.4%",
            "  src/rooms.js:46                  5.14%",
            "",
        ];
        assert_eq!(drawn(40), in_40_columns.join("\n"));
        assert!(drawn(60).contains("  node_modules/engine.io/build/transport.js:131  55.4%\n"));
    }

    #[test]
    fn the_widest_words_give_way() {
        let mut page = Page::new(Style {
            colour: false,
            width: 40,
            unicode: true,
        });
        let columns = [("", Side::Left), ("effect", Side::Left), ("here", Side::Right)];
        let mut table = Table::new(&columns);
        table.row(
            ["reproduced", "memory that comes with a client", "11.8 KiB"]
                .map(plain)
                .to_vec(),
        );
        table.draw(&mut page);
        assert_eq!(
            page.finish(),
            "              effect                here\n  reproduced  memor…h a client  11.8 KiB\n"
        );
    }

    #[test]
    fn columns_are_as_wide_as_a_terminal_draws_them() {
        let mut page = Page::new(Style {
            colour: false,
            width: 40,
            unicode: true,
        });
        let mut table = Table::new(&[("what", Side::Left), ("rate", Side::Right), ("why", Side::Left)]);
        table.row(["注文を読む", "9", "an order"].map(plain).to_vec());
        table.row(
            ["e\u{301}tat", "10", "注文を読む、注文を読む、注文"]
                .map(plain)
                .to_vec(),
        );
        table.draw(&mut page);
        assert_eq!(
            page.finish(),
            "  what        rate  why\n  注文を読む     9  an order\n  e\u{301}tat          10  注文を読む、注文を…\n"
        );
    }

    #[test]
    fn columns_line_up_and_the_last_is_cut() {
        let mut page = Page::new(Style {
            colour: false,
            width: 40,
            unicode: true,
        });
        let mut table = Table::new(&[("what", Side::Left), ("rate", Side::Right), ("why", Side::Left)]);
        table.row(vec![plain("a"), plain("1,000"), plain("short")]);
        table.row(vec![
            plain("longer"),
            plain("9"),
            plain("a reason that does not fit in the line at all"),
        ]);
        table.draw(&mut page);
        assert_eq!(
            page.finish(),
            "  what     rate  why\n  a       1,000  short\n  longer      9  a reason that does not…\n"
        );
    }
}
