//! `plimsoll init`: write a first plan that can be run as it is, with the routes of the service.

mod package;

use crate::CommandResult;
use crate::args::InitArgs;
use crate::commands::import;
use crate::exit::{Exit, Failure};
use crate::output::{Said, refuse_existing, say, write_new};
use crate::plan_source::DEFAULT_PLAN;
use crate::signals::stop_on_signals;
use crate::stderr;
use package::{PACKAGE, Package, start, unbuilt};
use plimsoll_findings::Event;
use plimsoll_import::{ImportError, Paths, Proposal, Proposed, Route, counted, propose};
use plimsoll_lab::{GeneratorOptions, Visit, visit};
use plimsoll_plan::{Plan, Secret, Shown, Url};
use std::path::Path;
use std::time::{Duration, Instant};

/// For all requests that are tried.
const TRYING_MAX: Duration = Duration::from_secs(60);

pub(crate) fn init(args: &InitArgs) -> CommandResult {
    Url::parse(&args.url)?;
    refuse_existing(&args.output, args.force)?;
    let package = match Package::read(Path::new(PACKAGE)) {
        Ok(package) => package,
        // Then it is needed for no more than a name.
        Err(_) if !args.command.is_empty() => Package::default(),
        Err(failure) => return Err(failure),
    };
    let command = if args.command.is_empty() {
        start(&package, Path::new("."))?
    } else {
        args.command.clone()
    };
    // A start for development may build it.
    let advice = unbuilt(&package, Path::new(".")).filter(|_| args.command.is_empty());
    let document = args.from.as_deref().map(import::read).transpose()?;
    let service = Service {
        args,
        name: package.name.as_deref().unwrap_or("my service"),
        command: &command,
        document: document.as_deref(),
    };
    let proposed = service.proposed()?;
    // What is handed to the user must be a plan that we accept ourselves, but for what it needs of the environment.
    if proposed.needed.is_empty() {
        Plan::parse(&proposed.plan, &args.output.display().to_string())?;
    }
    write_new(&args.output, &proposed.plan, args.force)?;
    import::tell_rest(&proposed.needed, ("not in the plan", &proposed.left_out), "");
    if let Some(advice) = advice {
        stderr::tell(&format!("hint: {advice}"));
    }
    let path = args.output.display();
    let aside = match proposed.aside {
        0 => String::new(),
        aside => format!(" and {aside} in comments, each with the reason"),
    };
    let started = match command.as_slice() {
        [] => "the service must already be running; to let plimsoll start it, give its command: init --force -- node index.js".to_owned(),
        command => format!("it starts the service with `{}`", shown(command)),
    };
    say(Said::Text(&format!(
        "wrote {path}, {}{aside}: {started}\n\n{}",
        counted(proposed.requests, "request"),
        next(&args.output, is_in_npx())
    )))?;
    Ok(Exit::Pass)
}

fn shown(command: &[String]) -> Shown {
    let words: Vec<Secret> = command.iter().map(|word| word.as_str().into()).collect();
    Shown::of_command(&words)
}

/// What a plan is proposed for.
struct Service<'a> {
    args: &'a InitArgs,
    name: &'a str,
    command: &'a [String],
    /// Of OpenAPI.
    document: Option<&'a str>,
}

impl Service<'_> {
    /// A plan with what the service was seen to respond to, if it can be started.
    fn proposed(&self) -> Result<Proposed, Failure> {
        let untried = |routes: &[Route]| self.propose(routes, &|_| Ok(()));
        let without = untried(&[])?;
        if self.command.is_empty() || self.args.no_start {
            return Ok(without);
        }
        // Its service is all that is needed of it.
        let plan = self.propose_root()?.plan;
        let plan = Plan::parse(&plan, &self.args.output.display().to_string())?;
        let stop = stop_on_signals()?;
        let mut follow = |event: Event<'_>| match event {
            Event::ServiceStarting { .. } | Event::Note(_) => stderr::tell(&plimsoll_report::event(&event)),
            _ => {}
        };
        let visited = visit(&plan, &GeneratorOptions::default(), &stop, &mut follow, |visit| {
            let routes = self.routes(visit);
            let begun = Instant::now();
            self.propose(&routes, &|plan| attempt(visit, plan, begun))
        });
        match visited {
            Ok(proposed) => proposed,
            Err(error) if error.cancelled() || error.is_of_plan() => Err(error.into()),
            Err(error) => {
                stderr::tell(&format!(
                    "warning: the routes of the service are not known: failed to {error}"
                ));
                if let Some(hint) = error.hint() {
                    stderr::tell(&format!("hint: {hint}"));
                }
                Ok(without)
            }
        }
    }

    /// What the service lists, unless a document has it.
    fn routes(&self, visit: &mut Visit<'_>) -> Vec<Route> {
        if self.document.is_some() {
            return Vec::new();
        }
        let why = match visit.routes() {
            Ok(routes) if routes.is_empty() => {
                "the probe knows those of Express, Fastify, Koa with a router, Hono and Nest, where they are not bundled".to_owned()
            }
            Ok(routes) => {
                return routes
                    .into_iter()
                    .map(|route| Route {
                        method: route.method,
                        path: route.path,
                        expression: route.expression,
                    })
                    .collect();
            }
            Err(why) => why,
        };
        stderr::tell(&format!("warning: found no routes of the service: {why}"));
        Vec::new()
    }

    fn propose(&self, routes: &[Route], tries: &dyn Fn(&str) -> Result<(), String>) -> Result<Proposed, Failure> {
        let paths = self.document.map_or(Paths::Routes(routes), Paths::Document);
        propose(&self.proposal(paths, tries)).map_err(|error| self.refused(&error))
    }

    fn propose_root(&self) -> Result<Proposed, Failure> {
        propose(&self.proposal(Paths::Routes(&[]), &|_| Ok(()))).map_err(|error| self.refused(&error))
    }

    fn proposal<'b>(&'b self, paths: Paths<'b>, tries: &'b dyn Fn(&str) -> Result<(), String>) -> Proposal<'b> {
        Proposal {
            name: self.name,
            url: &self.args.url,
            command: self.command,
            paths,
            writes: self.args.writes,
            values: &self.args.values,
            tries,
        }
    }

    fn refused(&self, error: &ImportError) -> Failure {
        let from = self.args.from.as_deref().unwrap_or(Path::new(PACKAGE)).display();
        let failure = Failure::bad_plan(format!("failed to read {from}: {error}"));
        match error.hint_text() {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

/// Sends the request of a plan, and says why it cannot be in one.
fn attempt(visit: &Visit<'_>, plan: &str, begun: Instant) -> Result<(), String> {
    if begun.elapsed() > TRYING_MAX {
        return Err(format!("Not tried: others took {} s.", TRYING_MAX.as_secs()));
    }
    // It needs what is not in the environment yet.
    let Ok(plan) = Plan::parse(plan, DEFAULT_PLAN) else {
        return Ok(());
    };
    visit.send(&plan).map_err(|found| format!("Sent once, it had {found}."))
}

/// What to type next.
fn next(plan: &Path, npx: bool) -> String {
    let program = if npx { "npx plimsoll" } else { "plimsoll" };
    let plan = if plan == Path::new(DEFAULT_PLAN) {
        String::new()
    } else {
        format!(" {}", plan.display())
    };
    format!(
        "next:\n  {program} run{plan}        run a short load test, to check that it works\n  {program} capacity{plan}   find the load line\n"
    )
}

/// Whether npm runs this, which then is on no path of the user's shell.
fn is_in_npx() -> bool {
    std::env::var_os("npm_command").is_some_and(|command| command == "exec")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_command_is_one_that_the_user_can_type() {
        let default = next(Path::new(DEFAULT_PLAN), false);
        assert!(default.contains("  plimsoll capacity   find"), "{default}");
        let named = next(Path::new("load.yaml"), true);
        assert!(named.contains("  npx plimsoll capacity load.yaml   find"), "{named}");
    }

    fn plan_of(name: &str) -> String {
        let proposal = Proposal {
            name,
            url: "http://127.0.0.1:1/",
            command: &[],
            paths: Paths::Routes(&[]),
            writes: false,
            values: &[],
            tries: &|_| Ok(()),
        };
        propose(&proposal).expect(name).plan
    }

    #[test]
    fn package_with_odd_name_gives_valid_plan() {
        for name in ["shop", "@us/shop", "a: b # c", "\"quoted\"", "{n}", "- x", "yes"] {
            let plan = Plan::parse(&plan_of(name), "plan.yaml").expect(name);
            assert_eq!(plan.name(), name);
        }
    }
}
