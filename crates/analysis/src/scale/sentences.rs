//! What a sweep says in words.

use super::findings::{LawFinding, ScaleVerdict, Scaling, Tells};
use super::{ComparisonInfo, Ended};

pub(super) fn headline(scaling: &Scaling, info: &ComparisonInfo) -> String {
    let greatest = scaling.points.last().map_or(0, |point| point.size);
    match (&scaling.law, scaling.verdict) {
        (_, ScaleVerdict::Failed) => match &info.ended {
            Some(Ended::Failed(why)) => format!("The sweep could not go on: {why}"),
            _ => "Too few sizes could be measured for a fit".to_owned(),
        },
        (_, ScaleVerdict::Invalid) => {
            "The generator was late in so many rounds that nothing is said of the service".to_owned()
        }
        (None, _) => "Stopped before enough sizes were measured for a fit".to_owned(),
        (Some(law), _) => fitted(law, &scaling.sizes_of, greatest),
    }
}

/// A peak is named where the points need coherency, without which there is none.
fn fitted(law: &LawFinding, sizes_of: &str, greatest: u32) -> String {
    match law.tells {
        Tells::Both | Tells::Coherency => {}
        Tells::Contention => {
            return format!(
                "Throughput levels off towards {:.0} req/s; up to {greatest} {sizes_of} no peak is proven",
                law.lambda.value / law.sigma.value
            );
        }
        Tells::Either => {
            return format!("Throughput levels off; whether it peaks is not known from up to {greatest} {sizes_of}");
        }
        Tells::Neither => return format!("Throughput grows with the {sizes_of} up to {greatest}: no peak is seen"),
    }
    let (Some(peak), Some(per_s)) = (law.peak_size, law.peak_per_s) else {
        return format!("Throughput has no peak: it still grows at {greatest} {sizes_of}");
    };
    let range = match peak.high {
        Some(high) => format!("{:.0} to {high:.0}", peak.low),
        None => format!("{:.0} or more", peak.low),
    };
    let beyond = if peak.value > f64::from(greatest) {
        format!(", beyond the {greatest} that were measured")
    } else {
        String::new()
    };
    format!(
        "Throughput peaks at {:.0} {sizes_of} ({range}){beyond}, with {per_s:.0} req/s",
        peak.value
    )
}

pub(super) fn next_step(scaling: &Scaling) -> String {
    let greatest = scaling.points.last().map_or(0, |point| point.size);
    match (&scaling.law, scaling.verdict) {
        (_, ScaleVerdict::Interrupted) => "Run it again to its end.".to_owned(),
        (None, _) => "Start the service by itself to see what is wrong, or give at least four sizes.".to_owned(),
        (Some(law), _) => match law.tells {
            Tells::Both | Tells::Coherency => {
                "More than the peak costs throughput; to move it, look for what all of them must agree on.".to_owned()
            }
            Tells::Contention => format!(
                "No size brings more than {:.0} req/s; to raise that, look for what they do one after the other.",
                law.lambda.value / law.sigma.value
            ),
            Tells::Either => format!(
                "Measure larger sizes, up to {} or more: there the two part.",
                greatest * 4
            ),
            Tells::Neither => format!("Measure larger sizes: up to {greatest} nothing is in the way."),
        },
    }
}
