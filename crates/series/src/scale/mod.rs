//! Throughput over sizes to the Universal Scalability Law: its parameters with their intervals, and its peak.

mod conclusion;
mod fit;

use crate::compare::{Blocks, ComparedRound, notices, round_finding};
use crate::responses::responses_together;
use crate::student::student_quantile;
use fit::{Free, Law, Point, squares};
use plimsoll_findings::{
    LawFinding, LawPoint, Parameter, ResponsesFinding, ResponsesOf, ScaleHeadline, ScaleNextStep, ScalePoint,
    ScaleVerdict, Scaling, Tells,
};
use plimsoll_measure::run_directory::{ComparisonInfo, Ended};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const CONFIDENCE: f64 = 0.95;
/// Refits; the ends of an interval are then good to about a tenth of its width.
const REFITS: usize = 1000;
/// Below this many sizes three parameters explain whatever was measured.
const LEAST_SIZES: usize = 4;
const CURVE_POINTS: u32 = 60;

/// What the rounds so far come to. `info` says which sizes its variants stand for. The seed decides the refits.
#[must_use]
pub fn scale(info: &ComparisonInfo, sizes: &[u32], rounds: &[ComparedRound], seed: u64) -> Scaling {
    let blocks = Blocks::of(info, rounds);
    let points = points(sizes, &blocks);
    let law = law(&points, seed);
    let first = rounds.first();
    let mut scaling = Scaling {
        format: "plimsoll.scale-findings/3".to_owned(),
        name: info.name.clone(),
        target: first.map(|r| r.target.clone()).unwrap_or_default(),
        started_at: info.started_at.clone(),
        duration_s: rounds.iter().map(|r| r.duration_s).sum(),
        version: info.version.clone(),
        host: first.map(|r| r.host.clone()),
        verdict: verdict(info, rounds, law.is_some()),
        // What they are follows from the rest.
        headline: ScaleHeadline::StoppedEarly,
        next_step: ScaleNextStep::RunToEnd,
        sizes_of: info.sweep.as_ref().map(|s| s.sizes_of.clone()).unwrap_or_default(),
        load: info.load.clone(),
        confidence: CONFIDENCE,
        points: measured(sizes, &blocks, law.as_ref().map(|(law, _)| law)),
        law: law.map(|(_, finding)| finding),
        rounds: rounds.iter().map(|round| round_finding(info, &blocks, round)).collect(),
        responses: responses(rounds),
        notices: notices(info, rounds),
    };
    scaling.headline = conclusion::headline(&scaling, info);
    scaling.next_step = conclusion::next_step(&scaling);
    scaling
}

fn responses(rounds: &[ComparedRound]) -> Vec<ResponsesFinding> {
    let all = responses_together(ResponsesOf::AllSizes, rounds.iter().map(|round| &round.responses));
    Some(all).filter(|all| all.finished > 0).into_iter().collect()
}

fn verdict(info: &ComparisonInfo, rounds: &[ComparedRound], fitted: bool) -> ScaleVerdict {
    match &info.ended {
        Some(Ended::Failed(_)) => ScaleVerdict::Failed,
        Some(Ended::Interrupted) | None => ScaleVerdict::Interrupted,
        Some(Ended::Complete) if rounds.iter().any(ComparedRound::interrupted) => ScaleVerdict::Interrupted,
        Some(Ended::Complete) if fitted => ScaleVerdict::Fitted,
        Some(Ended::Complete) if rounds.iter().any(|round| round.invalid) => ScaleVerdict::Invalid,
        Some(Ended::Complete) => ScaleVerdict::Failed,
    }
}

fn points(sizes: &[u32], blocks: &Blocks<'_>) -> Vec<Point> {
    let rounds = blocks.complete.values().flatten();
    rounds
        .filter_map(|round| {
            Some(Point {
                n: f64::from(sizes[round.variant]),
                x: round.throughput_per_s?,
            })
        })
        .collect()
}

fn measured(sizes: &[u32], blocks: &Blocks<'_>, law: Option<&Law>) -> Vec<ScalePoint> {
    let mean = |values: Vec<f64>| (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64);
    let mut points: Vec<ScalePoint> = (0..sizes.len())
        .filter_map(|variant| {
            let rounds: Vec<_> = blocks.complete.values().map(|block| block[variant]).collect();
            let rounds_per_s: Vec<f64> = rounds.iter().filter_map(|round| round.throughput_per_s).collect();
            let throughput_per_s = mean(rounds_per_s.clone())?;
            let n = f64::from(sizes[variant]);
            Some(ScalePoint {
                size: sizes[variant],
                throughput_per_s,
                rounds_per_s,
                fitted_per_s: law.map(|law| law.at(n)),
                efficiency: law.map(|law| throughput_per_s / (n * law.lambda)),
                p50_ms: mean(rounds.iter().filter_map(|round| round.p50_ms).collect()),
                cpu_us_per_request: mean(rounds.iter().filter_map(|round| round.cpu_us_per_request).collect()),
            })
        })
        .collect();
    points.sort_by_key(|point| point.size);
    points
}

/// The law and what is known of it; `None` when there are too few sizes.
fn law(points: &[Point], seed: u64) -> Option<(Law, LawFinding)> {
    let mut sizes: Vec<f64> = points.iter().map(|point| point.n).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let greatest = *sizes.last().filter(|_| sizes.len() >= LEAST_SIZES)?;
    let (law, distance) = Law::fit(points, Free::BOTH);
    let refits = refits(points, &law, seed);
    let parameter = |value: f64, of: fn(&Law) -> f64| {
        let (low, high) = interval(refits.iter().map(of).collect());
        Parameter {
            value,
            low,
            high: Some(high),
        }
    };
    let peak = law.peak();
    let last = 2.0 * greatest;
    let finding = LawFinding {
        lambda: parameter(law.lambda, |law| law.lambda),
        sigma: parameter(law.sigma, |law| law.sigma),
        kappa: parameter(law.kappa, |law| law.kappa),
        tells: tells(points, distance),
        peak_size: peak.map(|value| {
            let (low, high) = interval(refits.iter().map(|law| law.peak().unwrap_or(f64::INFINITY)).collect());
            Parameter {
                value,
                low,
                high: high.is_finite().then_some(high),
            }
        }),
        peak_per_s: peak.map(|n| law.at(n)),
        curve: (0..=CURVE_POINTS)
            .map(|i| {
                let size = 1.0 + (last - 1.0) * f64::from(i) / f64::from(CURVE_POINTS);
                LawPoint {
                    size,
                    per_s: law.at(size),
                }
            })
            .collect(),
    };
    Some((law, finding))
}

/// The law fitted again to points whose distances from it are drawn anew from those that were seen: B. Efron and
/// R. Tibshirani, An Introduction to the Bootstrap, 1993, section 9.4. Distances of a fit are smaller than those from
/// the truth, and are widened for that.
fn refits(points: &[Point], law: &Law, seed: u64) -> Vec<Law> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let count = points.len() as f64;
    let widened = (count / (count - PARAMETERS).max(1.0)).sqrt();
    let distances: Vec<f64> = points.iter().map(|p| (p.x - law.at(p.n)) * widened).collect();
    let mean = distances.iter().sum::<f64>() / count;
    let mut drawn = || {
        let redrawn = points.iter().map(|point| Point {
            n: point.n,
            x: law.at(point.n) + distances[rng.random_range(0..distances.len())] - mean,
        });
        redrawn.collect::<Vec<_>>()
    };
    (0..REFITS).map(|_| Law::fit(&drawn(), Free::BOTH).0).collect()
}

const PARAMETERS: f64 = 3.0;

fn interval(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
    (at((1.0 - CONFIDENCE) / 2.0), at(f64::midpoint(1.0, CONFIDENCE)))
}

/// Compares the fit with those that leave a cost out: the F test of nested models, which for one parameter is the
/// square of Student's test. N. Draper and H. Smith, Applied Regression Analysis, Wiley, 1998, chapter 6.
fn tells(points: &[Point], distance: f64) -> Tells {
    let freedom = points.len().saturating_sub(PARAMETERS as usize).max(1);
    let bound = student_quantile(f64::midpoint(1.0, CONFIDENCE), freedom as u32).powi(2);
    let missed = |without: Free, from: f64| {
        let fewer = Law::fit(points, without).1;
        (fewer - from) / (from / freedom as f64).max(f64::MIN_POSITIVE) > bound
    };
    let sigma_missed = missed(Free::KAPPA, distance);
    let kappa_missed = missed(Free::SIGMA, distance);
    match (sigma_missed, kappa_missed) {
        (true, true) => Tells::Both,
        (true, false) => Tells::Contention,
        (false, true) => Tells::Coherency,
        (false, false) => {
            let linear = Law::fit(points, Free::NEITHER).0;
            let one = squares(points, &Law::fit(points, Free::SIGMA).0);
            let bends = (squares(points, &linear) - one) / (one / (freedom + 1) as f64).max(f64::MIN_POSITIVE);
            if bends > bound { Tells::Either } else { Tells::Neither }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of a law with noise of this share.
    fn noisy(law: Law, sizes: &[f64], noise: f64, seed: u64) -> Vec<Point> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut normal = || {
            let (u, v): (f64, f64) = (rng.random(), rng.random());
            (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
        };
        let sizes = [sizes; 3].concat();
        sizes
            .into_iter()
            .map(|n| Point {
                n,
                x: law.at(n) + noise * law.at(8.0) * normal(),
            })
            .collect()
    }

    const TRUE: Law = Law {
        lambda: 1000.0,
        sigma: 0.04,
        kappa: 0.001,
    };

    #[test]
    fn intervals_hold_the_truth_as_often_as_they_say() {
        let mut held = [0; 4];
        for seed in 0..200 {
            let points = noisy(TRUE, &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0], 0.02, seed);
            let (_, found) = law(&points, seed).expect("sizes enough");
            let peak = found.peak_size.expect("it falls");
            let truth = [1000.0, 0.04, 0.001, TRUE.peak().expect("it falls")];
            for ((held, truth), found) in held
                .iter_mut()
                .zip(truth)
                .zip([found.lambda, found.sigma, found.kappa, peak])
            {
                *held += u32::from(found.low <= truth && found.high.is_none_or(|high| truth <= high));
            }
        }
        assert!(held.iter().all(|held| (180..=200).contains(held)), "{held:?} of 200");
    }

    #[test]
    fn it_says_what_the_points_can_tell() {
        let told = |law: Law, sizes: &[f64], expected: Tells| {
            let seeds: Vec<u64> = (0..40)
                .filter(|&seed| {
                    let points = noisy(law, sizes, 0.01, seed);
                    tells(&points, Law::fit(&points, Free::BOTH).1) == expected
                })
                .collect();
            assert!(seeds.len() >= 34, "{expected:?}: {} of 40, {seeds:?}", seeds.len());
        };
        let without = |sigma: f64, kappa: f64| Law { sigma, kappa, ..TRUE };
        let far = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
        told(TRUE, &far, Tells::Both);
        told(without(0.05, 0.0), &far, Tells::Contention);
        told(without(0.0, 0.001), &far, Tells::Coherency);
        told(without(0.0, 0.0), &far, Tells::Neither);
        // Over four neighbouring sizes a little of the one looks like a little of the other.
        told(without(0.02, 0.004), &[1.0, 2.0, 3.0, 4.0], Tells::Either);
    }

    #[test]
    fn three_sizes_are_too_few() {
        assert!(law(&noisy(TRUE, &[1.0, 2.0, 4.0], 0.01, 1), 1).is_none());
        assert!(law(&[], 1).is_none());
    }

    #[test]
    fn the_same_seed_gives_the_same_intervals() {
        let points = noisy(TRUE, &[1.0, 2.0, 4.0, 8.0], 0.02, 1);
        assert_eq!(law(&points, 7), law(&points, 7));
    }
}
