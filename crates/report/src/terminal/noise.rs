//! How noisy a machine is, as text.

use super::page::{Page, Paint, mark, plain};
use super::table::{Side, Table};
use super::{Style, fact, section};
use crate::figures;
use crate::words::{self, Tone};
use plimsoll_findings::NoiseFindings;

/// What a check on this machine can see, ending in a newline.
#[must_use]
pub fn noise(noise: &NoiseFindings, style: Style) -> String {
    let mut page = Page::new(style);
    page.paragraph(&[], Paint::Strong, &words::noise_sees(noise));
    page.blank();
    fact(&mut page, "measured", &words::noise_measured(noise));
    fact(&mut page, "load", &noise.load);
    if !noise.scatter.is_empty() {
        fact(&mut page, "scatter", &words::noise_scatter(noise));
    }
    if noise.metric.is_some() {
        finds(&mut page, noise);
    }
    if !noise.disturbances.is_empty() {
        section(&mut page, "What disturbs", "");
        for disturbance in &noise.disturbances {
            let (text, hint) = words::disturbance(disturbance);
            page.paragraph(&[plain("  "), mark(Tone::Doubtful), plain(" ")], Paint::Plain, &text);
            page.paragraph(&[plain("    hint: ")], Paint::Quiet, hint);
        }
    }
    page.finish()
}

fn finds(page: &mut Page, noise: &NoiseFindings) {
    section(
        page,
        "What a check finds",
        " in nine of ten cases, by --threshold and --within",
    );
    let mut table = Table::new(&[("loss", Side::Right), ("within", Side::Right)]);
    for finds in &noise.finds {
        table.row(vec![
            plain(figures::share(finds.loss)),
            plain(words::noise_within(finds.within_s)),
        ]);
    }
    table.draw(page);
}
