//! Comparisons and rounds that tests make up.

use super::{ComparedRound, UNUSED_BLOCKS};
use plimsoll_findings::{ResponsesFinding, Unit};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended, Variant};

/// A comparison of these variants that was made to its end.
pub(super) fn info(variants: &[&str]) -> ComparisonInfo {
    let variant = |name: &&str| Variant {
        name: (*name).to_owned(),
        what: String::new(),
    };
    ComparisonInfo {
        format: ComparisonInfo::format(),
        name: "simulated".to_owned(),
        started_at: String::new(),
        version: String::new(),
        variants: variants.iter().map(variant).collect(),
        load: String::new(),
        closed: false,
        blocks: 12,
        unused_blocks: UNUSED_BLOCKS,
        fail_if_worse: None,
        sweep: None,
        gate: None,
        prediction: None,
        rounds: Vec::new(),
        ended: Some(Ended::Complete),
    }
}

/// A round in which all went well and nothing was measured.
pub(super) fn round(number: u32, block: u32, variant: usize) -> ComparedRound {
    ComparedRound {
        number,
        block,
        variant,
        directory: format!("{number}"),
        target: String::new(),
        host: plimsoll_measure::Host::default(),
        duration_s: 7.0,
        invalid: false,
        interrupted: false,
        unused_because: None,
        cpu_us_per_request: None,
        rss_max_bytes: None,
        p50_ms: None,
        p90_ms: None,
        p99_ms: None,
        p999_ms: None,
        throughput_per_s: None,
        error_share: Some(0.0),
        load_line_per_s: None,
        load_line_unit: Unit::PerS,
        open_ended: None,
        halves: None,
        responses: ResponsesFinding::default(),
        received: (0, 0),
        contents: std::collections::BTreeSet::new(),
        notices: Vec::new(),
    }
}

/// Seeds for which something holds.
pub(super) fn seeds_with(count: u64, mut condition: impl FnMut(u64) -> bool) -> Vec<u64> {
    (0..count).filter(|&seed| condition(seed)).collect()
}
