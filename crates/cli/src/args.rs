//! The command line.

mod bench;
mod capacity;
mod check;
mod compare;
mod diagnose;
mod doctor;
mod explain;
mod fleet;
mod generator;
mod hold;
mod import;
mod init;
mod io;
mod line;
mod load;
mod mcp;
mod output;
mod plan;
mod report;
mod rounds;
mod run;
mod scale;
mod shock;
mod sizing;
mod soak;
mod study;
mod validate;
mod values;
#[cfg(test)]
mod workflows;

pub(crate) use bench::BenchArgs;
pub(crate) use capacity::CapacityArgs;
pub(crate) use check::CheckArgs;
pub(crate) use compare::{CompareArgs, Setting};
pub(crate) use diagnose::{DiagnoseArgs, WhatIfArg};
pub(crate) use doctor::DoctorArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use fleet::{
    AgentArgs, AgentWorkArgs, BrokerArgs, FleetArgs, FleetCommand, FleetCommandArgs, FleetKeysArgs, FleetManifestsArgs,
    FleetResumeArgs, FleetTargetArgs, FleetUpArgs, UpdateArgs,
};
pub(crate) use generator::GeneratorArgs;
pub(crate) use hold::HoldArgs;
pub(crate) use import::ImportArgs;
pub(crate) use init::InitArgs;
pub(crate) use io::IoArg;
pub(crate) use line::LineArg;
pub(crate) use load::LoadArgs;
pub(crate) use mcp::McpArgs;
pub(crate) use output::{AnnotationsArg, ColorWhen, FormArgs, OutputArgs, ProgressForm, runs_dir};
pub(crate) use plan::{LimitArgs, PlanArgs, ReachArgs, RequestArgs, ServiceArgs, TlsArgs, WatchedArgs};
pub(crate) use report::ReportArgs;
pub(crate) use rounds::RoundArgs;
pub(crate) use run::RunArgs;
pub(crate) use scale::ScaleArgs;
pub(crate) use shock::ShockArgs;
pub(crate) use sizing::SizingArgs;
pub(crate) use soak::SoakArgs;
pub(crate) use study::StudyArgs;
pub(crate) use validate::ValidateArgs;
pub(crate) use values::Cpus;

use clap::builder::Styles;
use clap::builder::styling::AnsiColor;
use clap::{Parser, Subcommand};
use scale::size_place;

/// Where a page of the documentation is, for users of the program who have no clone.
macro_rules! docs {
    ($page:literal) => {
        concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/", $page)
    };
}

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

const AFTER_HELP: &str = "\
Exit codes: 0 every objective holds · 99 an objective is breached · 98 not decided (check --fail-if-inconclusive) · 104 invalid plan or arguments ·
105 interrupted, partial result written · 106 generator was the bottleneck, result invalid ·
1 nothing measured or judged, or any other failure";

/// Find how much load a Node.js service carries within its objectives, and what limits it.
#[derive(Debug, Parser)]
#[command(name = "plimsoll", version, styles = STYLES, after_help = AFTER_HELP, max_term_width = 100)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Find the load line: the highest rate at which every objective holds
    #[command(after_long_help = "\
Examples:
  plimsoll capacity -- node server.js              the service listens on $PORT or 3000
  plimsoll capacity plan.yaml
  plimsoll capacity http://127.0.0.1:3000/ --pid 4711 --objective 'p95 <= 50ms'")]
    Capacity(CapacityArgs),
    /// Explain what limits the service: ranked causes with file and line
    #[command(after_long_help = "\
Examples:
  plimsoll diagnose -- node server.js              searches the load line first
  plimsoll diagnose plan.yaml -R 500               at this rate, without a search
  plimsoll diagnose plan.yaml --what-if            then measures the gain of leaving out the first causes
  plimsoll diagnose plan.yaml -R 500 --json | jq '.diagnosis.causes[0]'")]
    Diagnose(DiagnoseArgs),
    /// Run the load of a plan and judge its objectives
    #[command(after_long_help = "\
Examples:
  plimsoll run plan.yaml
  plimsoll run plan.yaml -R 500 -d 2m              another constant rate
  plimsoll run http://127.0.0.1:3000/ --stage 30s:1000 --stage 1m:1000 -- node server.js
  plimsoll run ws://127.0.0.1:3000/echo -R 1000    messages on WebSockets, as an open load")]
    Run(RunArgs),
    /// Load a single URL, with flags as in wrk, oha and autocannon
    #[command(after_long_help = "\
Examples:
  plimsoll bench http://127.0.0.1:3000/            50 connections for 10 s, closed model
  plimsoll bench http://127.0.0.1:3000/ -c 64 -n 100000
  plimsoll bench http://127.0.0.1:3000/ -R 1000 -d 30s
  plimsoll bench http://127.0.0.1:3000/users -m POST -H 'content-type: application/json' -b '{\"n\":1}'
  plimsoll bench ws://127.0.0.1:3000/echo -b '{\"id\":\"${message}\"}'")]
    Bench(BenchArgs),
    /// Hold idle connections open, count losses and measure what each costs
    #[command(after_long_help = "\
Examples:
  plimsoll hold http://127.0.0.1:3000/poll -c 10000          each waits for a response (long poll)
  plimsoll hold http://127.0.0.1:3000/ -c 10000 --park nothing --ping 30s
  plimsoll hold ws://127.0.0.1:3000/chat -c 10000            WebSockets
  plimsoll hold http://127.0.0.1:3000/poll -c 15000 -d 5m -- node server.js
  plimsoll hold http://127.0.0.1:8080/poll -c 1000000 --pace 10k/s -d 10m

In a plan held connections also act: `scenario.actions` has each send messages, and `plimsoll run`
says how long they take to arrive, and which are lost.")]
    Hold(HoldArgs),
    /// Disturb the service and measure how long it takes until every objective holds again
    #[command(after_long_help = concat!("\
Examples:
  plimsoll shock -R 300 --burst 4 -- node server.js         4 times the rate for 5 s
  plimsoll shock plan.yaml --line 800/s --burst 3 --for 10s  from 60 % of the load line
  plimsoll shock plan.yaml -R 300 --pause redis             a neighbour of the plan stands still
  plimsoll shock plan.yaml -R 300 --gone redis              or is ended, and started again
  plimsoll shock -R 300 --restart -- node server.js

What the service refuses (429, 503, refused connections) is told apart from what fails. See
", docs!("guides/shock.md")))]
    Shock(Box<ShockArgs>),
    /// Hold a load for long and see whether memory, CPU per request, p99 or descriptors grow
    #[command(after_long_help = concat!("\
Examples:
  plimsoll soak -R 300 -d 2h -- node server.js
  plimsoll soak plan.yaml --line 800/s -d 8h       80 % of the load line
  plimsoll soak plan.yaml --line runs/…            the same, as a search found it

Each is given as a slope with its interval: it grows by so much an hour, does not grow by more than
so much, or the time was too short to say. See
", docs!("guides/soak.md")))]
    Soak(Box<SoakArgs>),
    /// Compare variants of a service: what differs, by how much, how certainly
    #[command(after_long_help = concat!("\
Examples:
  plimsoll compare --a 'node server.js' --b 'node --max-semi-space-size=64 server.js'
  plimsoll compare plan.yaml --b-env LOG_LEVEL=silent --fail-if-worse 5%
  plimsoll compare plan.yaml --rev main..HEAD      each revision in a git worktree of its own
  plimsoll compare plan.yaml --rev main            what you have not committed, against main
  plimsoll compare http1.yaml http2.yaml -R 500    two plans, or more
  plimsoll compare --rev HEAD --diagnosis runs/…   the predicted gain beside the measured one

Each round starts the service anew; rounds of the variants alternate. See
", docs!("guides/compare.md")))]
    Compare(Box<CompareArgs>),
    /// Fail if the working tree is slower than a revision: a gate for builds
    #[command(after_long_help = concat!("\
Examples:
  plimsoll check --base origin/main                a loss of 5 % must not get through, 10 minutes at most
  plimsoll check plan.yaml --base HEAD~1 --threshold 10% --within 3m
  plimsoll check --base origin/main --setup 'npm ci' --markdown check.md --junit check.xml

Rounds of both revisions alternate until the question is decided. See
", docs!("guides/ci.md")))]
    Check(Box<CheckArgs>),
    /// Fit the Universal Scalability Law to throughput over connections or workers
    #[command(after_long_help = concat!("\
Examples:
  plimsoll scale -- node server.js                 1 to 64 connections
  plimsoll scale plan.yaml --at 1,2,4,8,16,32
  plimsoll scale plan.yaml --env WORKERS --at 1,2,3,4
  plimsoll scale -- node cluster.js --workers ", size_place!(), "  ", size_place!(), " is the size

See ", docs!("guides/scale.md")))]
    Scale(Box<ScaleArgs>),
    /// Measure a published case here and compare it with the published results
    #[command(after_long_help = concat!("\
Examples:
  plimsoll study list                              the studies, and how long each takes
  plimsoll study blocking-log
  plimsoll study all --rounds 4 -d 2s              shorter, with wider intervals

Run studies inside a checkout of plimsoll: they start its services. See
", docs!("guides/studies.md")))]
    Study(Box<StudyArgs>),
    /// Render a recorded run again, even one that was cut off
    #[command(after_long_help = "\
Examples:
  plimsoll report runs/2026-11-21T12-00-00-capacity
  plimsoll report runs/2026-11-21T12-00-00-capacity --json | jq .load_line")]
    Report(ReportArgs),
    /// Write a first plan for the service in this directory
    #[command(after_long_help = "\
Examples:
  plimsoll init                                    start the service by package.json, write plimsoll.yaml
  plimsoll init --url http://127.0.0.1:8080/ -- npm start
  plimsoll init --value id=1,2,3 -- node server.js
  plimsoll init --from openapi.yaml -- node server.js

The service is started once and asked for its routes: those of Express, Fastify, Koa with a router, Hono
and Nest. Each request is sent once; what does not succeed stands in comments.")]
    Init(InitArgs),
    /// Write a plan from a file of another tool, such as curl, HAR or Postman
    #[command(after_long_help = concat!("\
Examples:
  plimsoll import shop.har --output plan.yaml
  plimsoll import requests.http --url http://127.0.0.1:8080 > plan.yaml
  plimsoll import api.postman_collection.json --environment local.postman_environment.json
  pbpaste | plimsoll import -                      a command that a browser copied as cURL

Nothing is sent. What the plan does not have of the file is listed. See
", docs!("guides/import.md")))]
    Import(ImportArgs),
    /// Check a plan without running it, and print it with its defaults as JSON
    #[command(after_long_help = "\
Examples:
  plimsoll validate                                plimsoll.yaml of this directory
  plimsoll validate plan.yaml | jq .objectives")]
    Validate(ValidateArgs),
    /// Check the limits of this machine and print the commands that raise them
    #[command(after_long_help = "\
Examples:
  plimsoll doctor
  plimsoll doctor --connections 100000
  plimsoll doctor --noise                          which loss a check finds here in which time
  plimsoll doctor --noise plan.yaml --for 5m")]
    Doctor(DoctorArgs),
    /// Explain a kind of cause that a diagnosis has found, and what to do about it
    #[command(after_long_help = "\
Examples:
  plimsoll explain                    list all kinds
  plimsoll explain blocking-write")]
    Explain(ExplainArgs),
    /// Make a share of loads that other machines ask for: a load agent of a fleet
    #[command(after_long_help = concat!("\
Examples:
  plimsoll agent --fleet nats://127.0.0.1:4222
  plimsoll agent --fleet tls://broker.example:4222 --allow '10.1.0.0/16:443' --max-rate 20k/s

It sends only to targets that you allow, and only while a coordinator is there: `plimsoll run --fleet URL`. See
", docs!("guides/fleet.md")))]
    Agent(AgentArgs),
    /// Start a fleet: a broker and load agents
    #[command(after_long_help = concat!("\
Examples:
  plimsoll fleet up
  plimsoll fleet up --agents 4 --port 4222
  plimsoll fleet up --service shop=plimsoll.yaml    a target agent as well
  plimsoll capacity plan.yaml --fleet local --agents 4    a fleet for this command alone
  plimsoll fleet resume runs/2026-10-04T13-05-59-run --fleet nats://127.0.0.1:4222
  plimsoll fleet manifests --agents 4 --allow 10.0.0.0/16:443 | kubectl apply -f -

See ", docs!("guides/fleet.md")))]
    Fleet(FleetCommandArgs),
    /// Serve coding assistants by MCP; part of the npm package
    Mcp(McpArgs),
    /// Print a shell completion script
    #[command(after_long_help = "\
Example:
  plimsoll completions bash > /etc/bash_completion.d/plimsoll")]
    Completions {
        /// Shell to write the script for
        shell: clap_complete::Shell,
    },
}

impl Command {
    /// The form of what goes to standard error.
    pub(crate) const fn progress(&self) -> ProgressForm {
        match self {
            Self::Capacity(args) => args.output.progress,
            Self::Diagnose(args) => args.output.progress,
            Self::Run(args) => args.output.progress,
            Self::Bench(args) => args.output.progress,
            Self::Hold(args) => args.output.progress,
            Self::Shock(args) => args.output.progress,
            Self::Soak(args) => args.output.progress,
            Self::Compare(args) => args.output.progress,
            Self::Check(args) => args.output.progress,
            Self::Scale(args) => args.output.progress,
            Self::Study(args) => args.output.progress,
            Self::Report(_)
            | Self::Init(_)
            | Self::Import(_)
            | Self::Validate(_)
            | Self::Doctor(_)
            | Self::Explain(_)
            | Self::Agent(_)
            | Self::Fleet(_)
            | Self::Mcp(_)
            | Self::Completions { .. } => ProgressForm::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    /// clap takes `{n}` in a help text for the end of a line, so a placeholder of ours would be lost.
    #[test]
    fn help_with_placeholder_keeps_it() {
        fn look(command: &clap::Command) {
            let of_command = [
                command.get_about(),
                command.get_long_about(),
                command.get_after_help(),
                command.get_after_long_help(),
            ];
            let of_arguments = command
                .get_arguments()
                .flat_map(|argument| [argument.get_help(), argument.get_long_help()]);
            for text in of_command.into_iter().chain(of_arguments).flatten() {
                assert!(
                    !text.ansi().to_string().contains("{n}"),
                    "{}: {text}",
                    command.get_name()
                );
            }
            command.get_subcommands().for_each(look);
        }
        let mut cli = Cli::command();
        look(&cli);
        let scale = cli.find_subcommand_mut("scale").expect("a command");
        for help in [scale.render_help(), scale.render_long_help()] {
            assert!(help.to_string().matches("{n}").count() >= 2, "{help}");
        }
    }
}
