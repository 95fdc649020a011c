//! Where the load line lies, all objectives together.

use super::cpu_line::{CpuLine, Point};
use super::posterior::{Posterior, Trial};
use crate::judge::Tally;
use crate::step_summary::StepOutcome;
use plimsoll_findings::StepVerdict;
use plimsoll_plan::{Limit, Objective};

/// The least of two lines: that of CPU, read off its growth, and that of all other objectives,
/// found by which windows passed. Until CPU can be read off it is one objective among the others.
#[derive(Debug, Clone)]
pub(super) struct Belief {
    pub(super) cpu: Option<CpuLine>,
    windows: Option<Posterior>,
}

impl Belief {
    /// CPU is read off the `warm` ones of the steps.
    pub(super) fn of(steps: &[&StepOutcome], warm: &[&StepOutcome], objectives: &[Objective], wanted: f64) -> Self {
        let cpu = objectives
            .iter()
            .enumerate()
            .find_map(|(index, objective)| match objective.limit {
                Limit::Cpu { max } => CpuLine::of(&points(warm, index), max.value(), wanted),
                _ => None,
            });
        let counts = |objective: &Objective| cpu.is_none() || !matches!(objective.limit, Limit::Cpu { .. });
        let trials: Vec<_> = steps
            .iter()
            .filter_map(|step| trial(step, objectives, counts))
            .collect();
        Self {
            cpu,
            windows: (!trials.is_empty()).then(|| Posterior::of(&trials, wanted)),
        }
    }

    /// The same with all the doubt that there is.
    pub(super) fn widened(&self) -> Self {
        Self {
            cpu: self.cpu.map(CpuLine::widened),
            windows: self.windows.clone(),
        }
    }

    /// Probability that the load line is below this level.
    pub(super) fn below(&self, level: f64) -> f64 {
        let cpu = self.cpu.map_or(0.0, |line| line.below(level));
        let windows = self.windows.as_ref().map_or(0.0, |p| p.below(level.ln()));
        1.0 - (1.0 - cpu) * (1.0 - windows)
    }

    /// Level below which the line lies with this probability, between two levels that
    /// enclose it.
    pub(super) fn quantile(&self, probability: f64, from: f64, to: f64) -> f64 {
        let (mut low, mut high) = (from.ln(), to.ln());
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if self.below(middle.exp()) < probability {
                low = middle;
            } else {
                high = middle;
            }
        }
        f64::midpoint(low, high).exp()
    }
}

fn points(steps: &[&StepOutcome], index: usize) -> Vec<Point> {
    let point = |step: &&StepOutcome| {
        let values = step.tallies[index].values;
        (values.count > 0).then(|| Point {
            level: step.level.as_f64(),
            count: f64::from(values.count),
            mean: values.mean,
            squares: values.squares,
        })
    };
    steps.iter().filter_map(point).collect()
}

/// A step counts by the objective with the fewest windows passed: the one that decided it.
fn trial(step: &StepOutcome, objectives: &[Objective], counts: impl Fn(&Objective) -> bool) -> Option<Trial> {
    let trial = |passed, judged| Trial {
        ln_level: step.level.as_f64().ln(),
        passed,
        judged,
    };
    if step.verdict == StepVerdict::Breached && step.broke.is_none() {
        // Nothing works at all, although no objective speaks of it.
        return Some(trial(0, step.windows_planned.max(1)));
    }
    let share = |t: &Tally| f64::from(t.passed) / f64::from(t.judged);
    let tallies = objectives
        .iter()
        .zip(&step.tallies)
        .filter(|(o, t)| counts(o) && t.judged > 0);
    let worst = tallies.map(|(_, t)| t).min_by(|a, b| share(a).total_cmp(&share(b)));
    worst.map(|tally| trial(tally.passed, tally.judged))
}
