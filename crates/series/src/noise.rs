//! What a machine can see: rounds of a service against itself to the time that a check needs.

use crate::check::Noise;
use crate::compare::{Blocks, ComparedRound, block_s, deciding, figures, loss_share, too_much};
use plimsoll_findings::{Disturbance, Finds, NoiseFindings, Scatter, Sees};
use plimsoll_measure::run_directory::ComparisonInfo;

/// Losses of which it is said how long they take to be found.
const LOSSES: [f64; 3] = [0.02, 0.05, 0.1];
/// What moves by less has not moved.
const DRIFT: f64 = 0.05;

/// What the rounds of two variants that are the same come to. They took `took_s`, and a check has `within_s` unless something
/// else is said.
#[must_use]
pub fn noise(info: &ComparisonInfo, rounds: &[ComparedRound], took_s: f64, within_s: f64) -> NoiseFindings {
    let blocks = Blocks::with_late(info, rounds);
    let all = figures(info, &blocks);
    let first = rounds.first();
    let block_s = block_s(rounds, took_s);
    let metric = deciding(info);
    let deciding = all.iter().find(|(figure, _)| *figure == metric);
    let deciding = deciding.map(|(_, estimate)| Noise::at_most(estimate));
    let time = |loss: f64| deciding?.seconds_for(too_much(metric, loss), info.unused_blocks, block_s);
    let fit = ((within_s / block_s) as u32).saturating_sub(info.unused_blocks);
    let late = rounds.iter().filter(|round| round.is_late()).count() as u32;
    let mut disturbances = Vec::new();
    if late > 0 {
        let of = rounds.len() as u32;
        disturbances.push(Disturbance::GeneratorLate { late, of });
    }
    disturbances.extend(
        blocks
            .drift()
            .filter(|share| share.abs() > DRIFT)
            .map(|share| Disturbance::Drift { share }),
    );
    NoiseFindings {
        format: "plimsoll.noise-findings/1".to_owned(),
        name: info.name.clone(),
        started_at: info.started_at.clone(),
        took_s,
        version: info.version.clone(),
        host: first.map(|round| round.host().clone()),
        load: info.load.clone(),
        blocks: blocks.complete.len() as u32,
        block_s,
        metric: deciding.map(|_| metric),
        scatter: all
            .iter()
            .map(|(figure, estimate)| Scatter {
                figure: *figure,
                deviation: estimate.deviation().exp_m1(),
            })
            .collect(),
        finds: LOSSES
            .map(|loss| Finds {
                loss,
                within_s: time(loss),
            })
            .into(),
        sees: deciding
            .map(|noise| noise.least_found(fit))
            .filter(|least| least.is_finite())
            .map(|least| Sees {
                within_s,
                loss: loss_share(metric, least),
            }),
        disturbances,
    }
}
