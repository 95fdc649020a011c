//! What happens while a run goes: a bar and one line on a terminal, plain lines in a pipe, or lines of JSON for programs.
//! Everything goes to standard error; standard output is for the result.

use crate::args::{OutputArgs, ProgressForm};
use crate::stderr;
use indicatif::{ProgressBar, ProgressStyle};
use plimsoll_findings::{Event, Progress};

/// In a pipe a run says how it stands this often.
const PIPE_EVERY_S: f64 = 5.0;
const BAR_STEPS: u64 = 1000;

/// Draws the events of a run.
pub(crate) struct Live {
    mode: Mode,
    /// When the pipe was last told, since the beginning of the step.
    told_at_s: f64,
}

enum Mode {
    Quiet,
    Terminal(ProgressBar),
    Pipe,
    Json,
}

impl Live {
    pub(crate) fn new(output: &OutputArgs) -> Self {
        Self::of(output.quiet, output.progress)
    }

    pub(crate) fn of(quiet: bool, progress: ProgressForm) -> Self {
        let mode = if quiet {
            Mode::Quiet
        } else if progress == ProgressForm::Json {
            Mode::Json
        } else if stderr::is_terminal() {
            let bar = stderr::bar(BAR_STEPS);
            let style = ProgressStyle::with_template("{bar:24.cyan/blue} {msg}")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            bar.set_style(style.progress_chars("━╸─"));
            Mode::Terminal(bar)
        } else {
            Mode::Pipe
        };
        Self { mode, told_at_s: 0.0 }
    }

    pub(crate) fn follow(&mut self, event: &Event<'_>) {
        if matches!(self.mode, Mode::Json) {
            if let Some(line) = plimsoll_report::event_json(event) {
                stderr::tell(&line);
            }
            return;
        }
        match event {
            Event::Progress(progress) => self.progress(progress, event),
            Event::StepStarted { .. } => {
                self.told_at_s = 0.0;
                // A bar shows the rate itself.
                if matches!(self.mode, Mode::Pipe) {
                    self.line(event);
                }
            }
            Event::RoundStarted { .. } => self.told_at_s = 0.0,
            // The result says it.
            Event::StepFinished(step) if step.offered().is_none() => {}
            Event::Finished(_) | Event::RoundsFinished => {
                if let Mode::Terminal(bar) = &self.mode {
                    bar.finish_and_clear();
                }
            }
            Event::Note(note) => {
                self.line(event);
                if let Some(hint) = &note.hint {
                    self.tell(&format!("hint: {hint}"));
                }
            }
            _ => self.line(event),
        }
    }

    /// Something that is not of a run.
    pub(crate) fn say(&mut self, what: &str) {
        self.follow(&Event::Preparing { what });
    }

    fn progress(&mut self, progress: &Progress, event: &Event<'_>) {
        match &self.mode {
            Mode::Terminal(bar) => {
                let done = progress.done_share.unwrap_or_else(|| step_share(progress));
                bar.set_position((done * BAR_STEPS as f64) as u64);
                bar.set_message(plimsoll_report::event(event));
            }
            Mode::Pipe if progress.elapsed_s >= self.told_at_s + PIPE_EVERY_S => {
                self.told_at_s = progress.elapsed_s;
                self.tell(&format!("  {}", plimsoll_report::event(event)));
            }
            Mode::Pipe | Mode::Quiet | Mode::Json => {}
        }
    }

    fn line(&self, event: &Event<'_>) {
        self.tell(&plimsoll_report::event(event));
    }

    fn tell(&self, text: &str) {
        match &self.mode {
            Mode::Quiet => {}
            Mode::Terminal(bar) => bar.suspend(|| stderr::tell(text)),
            Mode::Pipe | Mode::Json => stderr::tell(text),
        }
    }
}

fn step_share(progress: &Progress) -> f64 {
    progress
        .planned_s
        .map_or(0.0, |planned_s| (progress.elapsed_s / planned_s.max(1e-9)).min(1.0))
}
