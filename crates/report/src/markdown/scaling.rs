//! A sweep as Markdown, for the summary of a CI job.

use super::{inert, mark, notices, responses};
use crate::figures;
use crate::words;
use plimsoll_findings::Scaling;

/// The sweep as Markdown, ending in a newline.
pub(crate) fn scaling(scaling: &Scaling) -> String {
    let (tone, word) = words::scale_verdict(scaling.verdict);
    let mut out = format!(
        "## {} {}: {word}\n\n{}\n\n- **Load:** {}\n- **Next:** {}\n",
        mark(tone),
        inert(&scaling.name),
        inert(&words::scale_headline(&scaling.headline)),
        inert(&scaling.load),
        inert(&words::scale_next_step(scaling.next_step))
    );
    if let Some(law) = &scaling.law {
        out.push_str(&format!("- **Told:** {}\n", words::tells(law.tells)));
        for (name, value) in words::parameters(law, &scaling.sizes_of) {
            out.push_str(&format!("- **{name}:** {}\n", inert(&value)));
        }
    }
    if !scaling.points.is_empty() {
        out.push_str(&format!(
            "\n### Throughput by {}\n\n| {} |\n|--:|--:|--:|--:|--:|--:|\n",
            inert(&scaling.sizes_of),
            words::POINT_HEADS.join(" | ")
        ));
        for point in &scaling.points {
            out.push_str(&format!(
                "| {} |\n",
                words::point(point).map(|cell| inert(&cell)).join(" | ")
            ));
        }
    }
    responses(&mut out, &scaling.responses);
    notices(&mut out, &scaling.notices);
    out.push_str(&format!(
        "\n<sub>plimsoll {} scale, {}, rounds took {}, {}</sub>\n",
        inert(&scaling.version),
        inert(&scaling.started_at),
        figures::length_s(scaling.duration_s),
        inert(&words::host_or_nothing(scaling.host.as_ref()))
    ));
    out
}
