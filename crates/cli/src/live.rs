//! What happens while a run goes: a bar and one line on a terminal, plain lines in a pipe.
//! Everything goes to standard error; standard output is for the result.

use crate::stderr;
use indicatif::{ProgressBar, ProgressStyle};
use plimsoll_findings::{Findings, StepFinding, StepVerdict, Verdict};
use plimsoll_lab::{Event, HeldProgress, Progress, RunKind};
use plimsoll_report::{duration_ms, duration_us, number, share};
use std::fmt::Write as _;
use std::time::Duration;

/// In a pipe a run says how it stands this often.
const PIPE_EVERY: Duration = Duration::from_secs(5);
const BAR_STEPS: u64 = 1000;

/// Draws the events of a run.
pub(crate) struct Live {
    mode: Mode,
    rate_per_s: Option<f64>,
    /// When the pipe was last told, since the beginning of the step.
    told_at: Duration,
}

enum Mode {
    Quiet,
    Terminal(ProgressBar),
    Pipe,
}

impl Live {
    pub(crate) fn new(quiet: bool) -> Self {
        let mode = if quiet {
            Mode::Quiet
        } else if stderr::is_terminal() {
            let bar = stderr::bar(BAR_STEPS);
            let style = ProgressStyle::with_template("{bar:24.cyan/blue} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.set_style(style.progress_chars("━╸─"));
            Mode::Terminal(bar)
        } else {
            Mode::Pipe
        };
        Self {
            mode,
            rate_per_s: None,
            told_at: Duration::ZERO,
        }
    }

    pub(crate) fn follow(&mut self, event: &Event<'_>) {
        match event {
            Event::DirectoryCreated(path) => self.line(&format!("run directory {}", path.display())),
            Event::PassStarted(kind) => self.line(pass_starts(*kind)),
            Event::WhatIfStarted(what) => self.line(&format!(
                "── what if: rounds without {what} beside the service as it is"
            )),
            Event::ServiceStarting(command) => self.line(&format!("starting: {command}")),
            Event::ServiceReady => self.line("the service is ready"),
            Event::StepStarted {
                step,
                rate_per_s,
                duration,
                purpose,
            } => {
                self.rate_per_s = *rate_per_s;
                self.told_at = Duration::ZERO;
                if matches!(self.mode, Mode::Pipe) {
                    self.line(&step_starts(*step, *rate_per_s, *duration, *purpose));
                }
            }
            Event::Progress(progress) => self.progress(progress),
            Event::StepFinished(step) if step.offered_per_s.is_some() => self.line(&step_ends(step)),
            Event::Note(note) => {
                self.line(&format!("note: {}", note.message));
                if let Some(hint) = &note.hint {
                    self.line(&format!("hint: {hint}"));
                }
            }
            Event::Preparing(what) => self.line(what),
            Event::RoundStarted { .. } => self.told_at = Duration::ZERO,
            Event::RoundFinished {
                round,
                of,
                variant,
                findings,
            } => self.line(&round_ends(*round, *of, variant, findings)),
            Event::Finished(_) | Event::RoundsFinished => {
                if let Mode::Terminal(bar) = &self.mode {
                    bar.finish_and_clear();
                }
            }
            _ => {}
        }
    }

    /// Something that is not of a run.
    pub(crate) fn say(&self, text: &str) {
        self.line(text);
    }

    fn progress(&mut self, progress: &Progress) {
        let text = standing(progress, self.rate_per_s);
        match &self.mode {
            Mode::Terminal(bar) => {
                let done = progress.done_share.unwrap_or_else(|| step_share(progress));
                bar.set_position((done * BAR_STEPS as f64) as u64);
                bar.set_message(text);
            }
            Mode::Pipe if progress.elapsed >= self.told_at + PIPE_EVERY => {
                self.told_at = progress.elapsed;
                self.line(&format!("  {text}"));
            }
            Mode::Pipe | Mode::Quiet => {}
        }
    }

    fn line(&self, text: &str) {
        match &self.mode {
            Mode::Quiet => {}
            Mode::Terminal(bar) => bar.suspend(|| stderr::tell(text)),
            Mode::Pipe => stderr::tell(text),
        }
    }
}

fn step_share(progress: &Progress) -> f64 {
    progress.planned.map_or(0.0, |planned| {
        (progress.elapsed.as_secs_f64() / planned.as_secs_f64().max(1e-9)).min(1.0)
    })
}

fn standing(progress: &Progress, rate_per_s: Option<f64>) -> String {
    if let Some(held) = &progress.held {
        return holding(progress, held);
    }
    let mut text = format!("{:>7}/s", number(progress.throughput_per_s));
    if let Some(rate_per_s) = rate_per_s {
        let _ = write!(text, " of {}/s", number(rate_per_s));
    }
    if let Some(p99) = progress.p99 {
        let _ = write!(text, "  p99 {}", millis(p99));
    }
    if let Some(cpu_share) = progress.cpu_share {
        let _ = write!(text, "  cpu {}", share(cpu_share));
    }
    let _ = write!(text, "  errors {}", progress.errors);
    if progress.draining {
        text.push_str("  awaiting responses");
    } else if let Some(left) = progress.left {
        let _ = write!(text, "  {} s left", left.as_secs());
    }
    text
}

fn holding(progress: &Progress, held: &HeldProgress) -> String {
    let mut text = format!("{:>7} of {} live  lost {}", held.live, held.wanted, held.lost);
    let _ = write!(text, "  responses {}/s", number(progress.throughput_per_s));
    if let Some(p99) = held.delivery_p99 {
        let _ = write!(text, "  delivery p99 {}", millis(p99));
    }
    if let Some(cpu_share) = progress.cpu_share {
        let _ = write!(text, "  cpu {}", share(cpu_share));
    }
    let _ = write!(text, "  errors {}", progress.errors);
    if let Some(left) = progress.left {
        let _ = write!(text, "  {} s left", left.as_secs());
    }
    text
}

fn pass_starts(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Capacity => "── searching for the load line",
        RunKind::Plain => "── pass A: without probe, for what a request costs",
        RunKind::Counters => "── pass B: with counters in the service, for what it calls",
        RunKind::Profile => "── pass C: with a CPU profile, for where its time goes",
        RunKind::Run | RunKind::Bench | RunKind::Hold | RunKind::Diagnose => "── the load of the plan",
    }
}

fn step_starts(step: u32, rate_per_s: Option<f64>, duration: Option<Duration>, purpose: Option<&str>) -> String {
    if let (Some("warm-up"), Some(duration)) = (purpose, duration) {
        return format!("warming up for at most {} s", duration.as_secs_f64());
    }
    let mut text = format!("step {}", step + 1);
    if let Some(rate_per_s) = rate_per_s {
        let _ = write!(text, ": {}/s", number(rate_per_s));
    }
    if let Some(duration) = duration {
        let _ = write!(text, " for {} s", duration.as_secs_f64());
    }
    if let Some(purpose) = purpose {
        let _ = write!(text, " ({purpose})");
    }
    text
}

fn step_ends(step: &StepFinding) -> String {
    let (mark, word) = match step.verdict {
        StepVerdict::Passed => ("✔", "passed"),
        StepVerdict::Breached => ("✖", "breached"),
        StepVerdict::Invalid => ("!", "invalid"),
        StepVerdict::Unjudged => ("·", "not judged"),
    };
    let rate = step.offered_per_s.or(step.throughput_per_s);
    let rate = rate.map_or_else(|| "-".to_owned(), number);
    let mut text = format!("{mark} {rate:>8}/s {word}  p99 {}", time(step.response_time.p99_ms));
    if let Some(cpu_share) = step.cpu_share {
        let _ = write!(text, "  cpu {}", share(cpu_share));
    }
    if let Some(errors) = step.error_share.filter(|share| *share > 0.0) {
        let _ = write!(text, "  errors {}", share(errors));
    }
    match plimsoll_report::step_why(step).as_str() {
        "" => {}
        why => {
            let _ = write!(text, "  ({why})");
        }
    }
    text
}

fn round_ends(round: u32, of: u32, variant: &str, findings: &Findings) -> String {
    let mut text = format!("round {:>2} of {of}  {variant}", round + 1);
    let has_figures = findings.totals.throughput_per_s.is_some();
    if !matches!(
        findings.verdict,
        Verdict::Passed | Verdict::Breached | Verdict::Unjudged
    ) || !has_figures
    {
        let _ = write!(text, "  not used: {}", plimsoll_report::comes_to(findings));
        return text;
    }
    let cpu = findings.target_resources.as_ref().and_then(|t| t.cpu_us_per_request);
    if let Some(us) = cpu {
        let _ = write!(text, "  cpu {} per request", duration_us(us));
    }
    let times = &findings.response_time;
    let _ = write!(text, "  p50 {}  p99 {}", time(times.p50_ms), time(times.p99_ms));
    if let Some(line) = &findings.load_line {
        let _ = write!(text, "  load line {}/s", number(line.rate_per_s));
    }
    text
}

/// A time that may not be known.
fn time(ms: Option<f64>) -> String {
    ms.map_or_else(|| "-".to_owned(), duration_ms)
}

fn millis(duration: Duration) -> String {
    duration_ms(duration.as_secs_f64() * 1e3)
}
