//! What happens while something is measured, in words.

use super::comparison::looked;
use super::shock::shock_passes;
use super::{Tone, comes_to, step_verdict, step_why};
use crate::figures::{at_a_time, count, crowd, duration_ms, duration_us, known, length_s, number, share};
use plimsoll_findings::{Crowd, Event, Findings, HeldProgress, Progress, StepFinding, Verdict};
use plimsoll_measure::RunKind;
use std::fmt::Write as _;

/// One line. The hint of a note and of a failure is a line of its own.
#[must_use]
pub fn event(event: &Event<'_>) -> String {
    match event {
        Event::DirectoryCreated { path } => format!("run directory {}", path.display()),
        Event::PassStarted { pass } => pass_starts(*pass).to_owned(),
        Event::WhatIfStarted { without } => {
            format!("── what if: rounds without {without} beside the service as it is")
        }
        Event::NeighbourStarting { name, command } => format!("starting neighbour {name}: {command}"),
        Event::ServiceStarting { command } => format!("starting: {command}"),
        Event::ServiceReady => "the service is ready".to_owned(),
        Event::StepStarted {
            step,
            users,
            connections,
            rate_per_s,
            duration_s,
            purpose,
        } => {
            let users = users.map(|users| (Crowd::Users, users));
            let crowd = users.or(connections.map(|connections| (Crowd::Connections, connections)));
            step_starts(*step, crowd, *rate_per_s, *duration_s, *purpose)
        }
        Event::Progress(progress) => standing(progress),
        Event::StepFinished(step) => step_ends(step),
        Event::Shock { phase, shock } => shock_passes(*phase, shock),
        Event::Note(note) => format!("note: {}", note.message),
        Event::Finished(findings) => comes_to(findings),
        Event::Preparing { what } => (*what).to_owned(),
        Event::RoundStarted { round, of, variant } => format!("{} begins", round_of(*round, *of, variant)),
        Event::RoundFinished {
            round,
            of,
            variant,
            late_counts,
            findings,
        } => round_of(*round, *of, variant) + &round_ends(*late_counts, findings),
        Event::Looked(deciding) => format!("so far: {}", looked(deciding)),
        Event::RoundsFinished => "all rounds are over".to_owned(),
        Event::MeasurementStarted {
            measurement,
            of,
            name,
            kind,
        } => format!("── {} of {of}: {name} ({kind})", measurement + 1),
        Event::Failed { message, .. } => format!("error: {message}"),
    }
}

fn pass_starts(kind: RunKind) -> &'static str {
    match kind {
        RunKind::Capacity => "── searching for the load line",
        RunKind::Plain => "── pass A: without probe, for what a request costs",
        RunKind::Counters => "── pass B: with counters in the service, for what it calls",
        RunKind::Profile => "── pass C: with a CPU profile, for where its time goes",
        RunKind::Run | RunKind::Bench | RunKind::Hold | RunKind::Shock | RunKind::Soak | RunKind::Diagnose => {
            "── the load of the plan"
        }
    }
}

fn step_starts(
    step: u32,
    crowd: Option<(Crowd, u32)>,
    rate_per_s: Option<f64>,
    duration_s: Option<f64>,
    purpose: Option<&str>,
) -> String {
    if let (Some("warm-up"), Some(duration_s)) = (purpose, duration_s) {
        return format!("warming up for at most {}", length_s(duration_s));
    }
    let mut text = format!("step {}", step + 1);
    if let Some((of, number)) = crowd {
        let _ = write!(text, ": {}", at_a_time(of, number.into()));
    } else if let Some(rate_per_s) = rate_per_s {
        let _ = write!(text, ": {}/s", number(rate_per_s));
    }
    if let Some(duration_s) = duration_s {
        let _ = write!(text, " for {}", length_s(duration_s));
    }
    if let Some(purpose) = purpose {
        let _ = write!(text, " ({purpose})");
    }
    text
}

fn standing(progress: &Progress) -> String {
    if let Some(held) = &progress.held {
        return holding(progress, held);
    }
    let mut text = format!(
        "{:>7}/s",
        number(progress.journeys_per_s.unwrap_or(progress.throughput_per_s))
    );
    if let Some(rate_per_s) = progress.rate_per_s {
        let _ = write!(text, " of {}/s", number(rate_per_s));
    }
    if progress.journeys_per_s.is_some() {
        let _ = write!(text, " journeys  {} req/s", number(progress.throughput_per_s));
    }
    if let Some(p99_ms) = progress.p99_ms {
        let _ = write!(text, "  p99 {}", duration_ms(p99_ms));
    }
    if let Some(cpu_share) = progress.cpu_share {
        let _ = write!(text, "  cpu {}", share(cpu_share));
    }
    let _ = write!(text, "  errors {}", progress.errors);
    if progress.draining {
        text.push_str("  awaiting responses");
    } else if let Some(left_s) = progress.left_s {
        let _ = write!(text, "  {} s left", left_s.trunc());
    }
    text
}

fn holding(progress: &Progress, held: &HeldProgress) -> String {
    let mut text = format!("{:>7} of {} live  lost {}", held.live, held.wanted, held.lost);
    let _ = write!(text, "  responses {}/s", number(progress.throughput_per_s));
    if let Some(p99_ms) = held.delivery_p99_ms {
        let _ = write!(text, "  delivery p99 {}", duration_ms(p99_ms));
    }
    if let Some(p99_ms) = held.message_p99_ms {
        let _ = write!(text, "  messages p99 {}", duration_ms(p99_ms));
    }
    if let Some(cpu_share) = progress.cpu_share {
        let _ = write!(text, "  cpu {}", share(cpu_share));
    }
    let _ = write!(text, "  errors {}", progress.errors);
    if progress.draining {
        text.push_str("  awaiting messages");
    } else if let Some(left_s) = progress.left_s {
        let _ = write!(text, "  {} s left", left_s.trunc());
    }
    text
}

fn step_ends(step: &StepFinding) -> String {
    let (tone, word) = step_verdict(step.verdict);
    let mark = match tone {
        Tone::Good => "✔",
        Tone::Bad => "✖",
        Tone::Doubtful => "!",
        Tone::Unknown => "·",
    };
    let offered = match step.at_a_time() {
        Some((of, number)) => format!("{:>8} {}", count(number.into()), crowd(of)),
        None => format!("{:>8}/s", known(step.offered_per_s.or(step.throughput_per_s), number)),
    };
    let mut text = format!(
        "{mark} {offered} {word}  p99 {}",
        known(step.response_time.p99_ms, duration_ms)
    );
    if let Some(cpu_share) = step.cpu_share {
        let _ = write!(text, "  cpu {}", share(cpu_share));
    }
    if let Some(errors) = step.error_share.filter(|share| *share > 0.0) {
        let _ = write!(text, "  errors {}", share(errors));
    }
    match step_why(step).as_str() {
        "" => {}
        why => {
            let _ = write!(text, "  ({why})");
        }
    }
    text
}

fn round_of(round: u32, of: u32, variant: &str) -> String {
    format!("round {:>2} of {of}  {variant}", round + 1)
}

fn round_ends(late_counts: bool, findings: &Findings) -> String {
    let cpu = findings.target_resources.as_ref().and_then(|t| t.cpu_us_per_request);
    if let (Verdict::Invalid, true, Some(us)) = (findings.verdict, late_counts, cpu) {
        return format!("  cpu {} per request  (generator late: no times)", duration_us(us));
    }
    let has_figures = findings.totals.throughput_per_s.is_some();
    let is_used = matches!(
        findings.verdict,
        Verdict::Passed | Verdict::Breached | Verdict::Unjudged
    );
    if !is_used || !has_figures {
        return format!("  not used: {}", comes_to(findings));
    }
    let mut text = String::new();
    if let Some(us) = cpu {
        let _ = write!(text, "  cpu {} per request", duration_us(us));
    }
    let times = &findings.response_time;
    let [p50, p99] = [times.p50_ms, times.p99_ms].map(|ms| known(ms, duration_ms));
    let _ = write!(text, "  p50 {p50}  p99 {p99}");
    if let Some(line) = &findings.load_line {
        let _ = write!(text, "  load line {}/s", number(line.rate_per_s));
    }
    text
}
