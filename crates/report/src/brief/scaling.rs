//! A sweep of sizes in brief.

use super::{Brief, text};
use crate::terminal::Written;
use crate::words;
use plimsoll_findings::Scaling;

pub(crate) fn scaling(scaling: &Scaling, written: Written<'_>) -> String {
    let (_, word) = words::scale_verdict(scaling.verdict);
    let mut brief = Brief::new(word, &scaling.name, &words::scale_headline(&scaling.headline), written);
    brief.fact("next", &words::scale_next_step(scaling.next_step));
    brief.fact("load", &scaling.load);
    if let Some(law) = &scaling.law {
        brief.fact("told", words::tells(law.tells));
        for (name, value) in words::parameters(law, &scaling.sizes_of) {
            brief.fact(name, &value);
        }
    }
    if !scaling.points.is_empty() {
        brief.title("Sizes");
    }
    for point in &scaling.points {
        let [size, per_s, _, efficiency, p50, cpu] = words::point(point);
        brief.block(&format!(
            "- {size} {}: {per_s} req/s, efficiency {efficiency}, p50 {p50}, CPU per request {cpu}\n",
            text(&scaling.sizes_of)
        ));
    }
    brief.notices(&scaling.notices);
    brief.finish()
}
