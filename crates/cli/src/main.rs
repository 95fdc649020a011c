//! The `plimsoll` command: arguments to an experiment and a renderer, findings to an exit code.
//!
//! It holds no statistics and opens no sockets.

mod args;
mod base_load;
mod check_source;
mod commands;
mod compare_source;
mod exit;
mod findings_file;
mod held_plan;
mod live;
mod machine;
mod noise_source;
mod output;
mod plan_source;
mod prediction_source;
mod repository;
mod request_source;
mod rounds_source;
mod scale_source;
mod shock_source;
mod signals;
mod soak_source;
mod stderr;
mod study_source;
mod usage;
mod variant_draft;

use args::{Cli, Command};
use clap::Parser;
use exit::{Exit, Failure};
use std::process::ExitCode;

fn main() -> ExitCode {
    // This program is its own supervisor, and stands in for upstreams; then it is nothing else.
    if let Some(done) = plimsoll_target::supervisor::enter() {
        return done;
    }
    if let Some(reason) = plimsoll_stand_in::enter() {
        stderr::tell(&format!("failed to stand in: {reason}"));
        return ExitCode::FAILURE;
    }
    stderr::takes_panics();
    output::survives_file_limits();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return usage::tell(error).into(),
    };
    let progress = cli.command.progress();
    let outcome = match cli.command {
        Command::Capacity(args) => commands::capacity(&args),
        Command::Diagnose(args) => commands::diagnose(&args),
        Command::Run(args) => commands::run(&args),
        Command::Bench(args) => commands::bench(&args),
        Command::Hold(args) => commands::hold(&args),
        Command::Shock(args) => commands::shock(&args),
        Command::Soak(args) => commands::soak(&args),
        Command::Compare(args) => commands::compare(&args),
        Command::Check(args) => commands::check(&args),
        Command::Scale(args) => commands::scale(&args),
        Command::Study(args) => commands::study(&args),
        Command::Report(args) => commands::report(&args),
        Command::Init(args) => commands::init(&args),
        Command::Import(args) => commands::import(&args),
        Command::Validate(args) => commands::validate(&args),
        Command::Doctor(args) => commands::doctor(&args),
        Command::Explain(args) => commands::explain(&args),
        Command::Agent(args) => commands::agent(&args),
        Command::Fleet(args) => commands::fleet_command(&args),
        Command::Mcp(args) => commands::mcp(&args),
        Command::Completions { shell } => commands::completions(shell),
    };
    outcome.unwrap_or_else(|failure| failure.tell(progress)).into()
}

/// What a command ends with.
type CommandResult = Result<Exit, Failure>;
