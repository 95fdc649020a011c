//! Arguments to a plan: from a file, from a URL, and with the flags on top.

use crate::args::{
    BenchArgs, CapacityArgs, Cpus, DiagnoseArgs, GeneratorArgs, HoldArgs, LimitArgs, LoadArgs, PlanArgs, RunArgs,
    SizingArgs, ValidateArgs, WatchedArgs,
};
use crate::exit::Failure;
use crate::held_plan;
use crate::request_source::{reach, request};
use plimsoll_plan::{
    Amount, Arrivals, ClosedLoad, Command, HoldLoad, Hosted, Judging, Limit, Load, Mismatch, Objective, OpenLoad, Plan,
    PlanDraft, Running, SearchUnit, Share, Target,
};
use std::path::Path;
use std::time::Duration;

/// The plan that is used when none is named.
pub(crate) const DEFAULT_PLAN: &str = "plimsoll.yaml";
/// Where a service is expected that is started without a plan.
pub(crate) const DEFAULT_URL: &str = "http://127.0.0.1:3000/";
/// Stands for a plan on standard input.
const STANDARD_INPUT: &str = "-";
const BENCH_CONNECTIONS: u32 = 50;
const BENCH_DURATION: Duration = Duration::from_secs(10);
const RUN_DURATION: Duration = Duration::from_secs(30);

pub(crate) fn capacity(args: &CapacityArgs) -> Result<Plan, Failure> {
    let holds = args.unit == Some(SearchUnit::Connections);
    let mut plan = named_or(&args.plan, if holds { Plan::holding } else { Plan::for_url })?;
    generator(&mut plan, &args.generator);
    let search = &mut plan.search;
    set(&mut search.budget, args.budget);
    set(&mut search.bracket, args.bracket);
    *search = search.in_unit(args.unit.unwrap_or(search.unit));
    let unit = search.unit;
    let level = |option: &str, amount: Option<Amount>| {
        let level = amount.map(|amount| unit.level(amount)).transpose();
        level.map_err(|mismatch| Failure::bad_plan(format!("{option}: {mismatch}")))
    };
    set(&mut search.start, level("--start", args.start)?);
    set(&mut search.max, level("--max", args.max)?);
    if args.start.is_none() && args.max.is_some() {
        search.start = search.start.min(search.max);
    }
    set(&mut search.step, args.step);
    if let Some(think_time) = args.think_time {
        if plan.search.unit != SearchUnit::Users {
            let unit = plan.search.unit.as_str();
            return Err(
                Failure::bad_plan(format!("--think-time says nothing about a search in {unit}"))
                    .hint("users pause: add --in users, or `search.in: users` in the plan"),
            );
        }
        plan.load = with_think_time(&plan.load, think_time);
    }
    plan.complete_search();
    if plan.objectives.is_empty() {
        plan.objectives = Objective::defaults(&plan.target);
    }
    sizing(&mut plan, &args.sizing)?;
    Ok(plan.validate()?)
}

/// A closed load with this pause, for a search that takes the number of users from elsewhere.
fn with_think_time(load: &Load, think_time: Duration) -> Load {
    Load::Closed(match load {
        // A search chooses how many users there are.
        Load::Closed(closed) => ClosedLoad {
            think_time,
            stages: Vec::new(),
            ..closed.clone()
        },
        Load::Open(_) | Load::Hold(_) => ClosedLoad {
            connections: BENCH_CONNECTIONS,
            duration: Some(RUN_DURATION),
            requests: None,
            think_time,
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        },
    })
}

/// The same plan, with what else is asked about the number of instances.
pub(crate) fn sized(plan: &Plan, args: &SizingArgs) -> Result<Plan, Failure> {
    let mut plan = plan.draft();
    sizing(&mut plan, args)?;
    Ok(plan.validate()?)
}

fn sizing(plan: &mut PlanDraft, args: &SizingArgs) -> Result<(), Failure> {
    let sizing = &mut plan.sizing;
    sizing.demand = args.demand.or(sizing.demand);
    set(&mut sizing.headroom, args.headroom);
    sizing.price = args.price.clone().or_else(|| sizing.price.take());
    if args.is_given() && sizing.demand.is_none() {
        return Err(Failure::bad_plan("--headroom and --price say nothing without a demand")
            .hint("give the rate that the instances carry together, such as --demand 30000/s, or `sizing.demand` in the plan"));
    }
    Ok(())
}

pub(crate) fn diagnose(args: &DiagnoseArgs) -> Result<Plan, Failure> {
    let mut plan = named(&args.plan)?;
    if plan.target.command.is_none() && plan.target.running.is_none() {
        return Err(Failure::bad_plan(
            "a diagnosis needs a service that plimsoll starts, or one that runs and is watched",
        )
        .hint("give its command after `--`, as `command` in the plan, its process with --pid, its container with --container, or its name on target \
             agents with --fleet-target"));
    }
    if plan.target.command.is_none() && !args.what_if.is_empty() {
        return Err(
            Failure::bad_plan("--what-if needs a service that plimsoll starts, to leave something out of it")
                .hint("give its command after `--`, or as `command` in the plan"),
        );
    }
    generator(&mut plan, &args.generator);
    held_plan::diagnosed_at(&mut plan, args.rate, args.duration)?;
    set(&mut plan.search.budget, args.budget);
    Ok(plan.validate()?)
}

pub(crate) fn run(args: &RunArgs) -> Result<Plan, Failure> {
    let mut plan = named(&args.plan)?;
    generator(&mut plan, &args.generator);
    if let Some(load) = load(&args.load, args.generator.connections, Some(&plan.load), RUN_DURATION)? {
        plan.load = load;
        shorten_judging(&mut plan);
    }
    Ok(plan.validate()?)
}

pub(crate) fn bench(args: &BenchArgs) -> Result<Plan, Failure> {
    let mut plan = Plan::for_url(&args.url)?.draft();
    request(&mut plan, &args.request)?;
    reach(&mut plan, &args.reach)?;
    generator(&mut plan, &args.generator);
    plan.objectives = vec![Limit::Errors { max: Share::default() }.into()];
    // A bench is short and its user knows that; everything it sees counts.
    plan.judging.warm_up = Duration::ZERO;
    let connections = args.generator.connections.unwrap_or(BENCH_CONNECTIONS);
    plan.load = load(&args.load, Some(connections), None, BENCH_DURATION)?.unwrap_or(Load::Closed(ClosedLoad {
        connections,
        duration: Some(BENCH_DURATION),
        requests: None,
        think_time: Duration::ZERO,
        pacing: Duration::ZERO,
        ramp: Duration::ZERO,
        stages: Vec::new(),
    }));
    if args.load.rate.is_some() && args.generator.connections.is_none() {
        plan.connections.max = plimsoll_plan::Connections::default().max;
    }
    shorten_judging(&mut plan);
    Ok(plan.validate()?)
}

pub(crate) fn hold(args: &HoldArgs) -> Result<Plan, Failure> {
    let mut plan = Plan::holding(&args.url)?.draft();
    request(&mut plan, &args.request)?;
    reach(&mut plan, &args.reach)?;
    watched(
        &mut plan.target,
        &args.command,
        &args.watched,
        args.target_cpus.as_ref(),
    )?;
    limits(&mut plan.target, &args.limits)?;
    set(&mut plan.connections.connect_timeout, args.timeout);
    set(&mut plan.connections.response_timeout, args.timeout);
    plan.connections.streams = args.streams.or(plan.connections.streams);
    // What is asked for is that connections last, and that is judged without an objective.
    plan.objectives = Vec::new();
    plan.judging.warm_up = Duration::ZERO;
    plan.load = Load::Hold(HoldLoad {
        connections: args.connections,
        pace: args.pace,
        duration: args.duration,
        park: args.park,
        ping: args.ping,
        ports: args.ports.clone().map(|ports| ports.0).unwrap_or_default(),
    });
    shorten_judging(&mut plan);
    Ok(plan.validate()?)
}

pub(crate) fn validate(args: &ValidateArgs) -> Result<Plan, Failure> {
    match args.plan.as_deref() {
        Some(url) if url.contains("://") => Ok(Plan::for_url(url)?),
        Some(path) => read(Path::new(path)),
        None => read(Path::new(DEFAULT_PLAN)),
    }
}

/// The plan that the arguments name, with what is said about the service on top.
pub(crate) fn named(args: &PlanArgs) -> Result<PlanDraft, Failure> {
    named_or(args, Plan::for_url)
}

/// What makes a plan of a URL.
type OfUrl = fn(&str) -> Result<Plan, Mismatch>;

/// The same; `of_url` makes a plan of a URL.
fn named_or(args: &PlanArgs, of_url: OfUrl) -> Result<PlanDraft, Failure> {
    let mut plan = match &args.plan {
        Some(text) if text.contains("://") => without_file(args, text, of_url)?,
        Some(path) => from_file(args, Path::new(path))?,
        None if Path::new(DEFAULT_PLAN).is_file() => from_file(args, Path::new(DEFAULT_PLAN))?,
        None if args.command.is_empty() => {
            return Err(
                Failure::bad_plan(format!("no plan given, and no {DEFAULT_PLAN} in this directory")).hint(
                    "name a plan or a URL, start a service after `--`, or write a first plan with `plimsoll init`",
                ),
            );
        }
        None => without_file(args, DEFAULT_URL, of_url)?,
    };
    if !args.objectives.is_empty() {
        plan.objectives.clone_from(&args.objectives);
    }
    Ok(plan)
}

fn from_file(args: &PlanArgs, path: &Path) -> Result<PlanDraft, Failure> {
    let given = &args.service.request;
    if given.method.is_some() || !given.headers.is_empty() || given.body.is_some() {
        return Err(Failure::bad_plan("-m, -H and -b cannot be used with a plan".to_owned())
            .hint("change the request in the plan, or give a URL instead of the plan"));
    }
    let mut plan = read(path)?.draft();
    service(&mut plan, args)?;
    Ok(plan)
}

fn read(path: &Path) -> Result<Plan, Failure> {
    Ok(if path == Path::new(STANDARD_INPUT) {
        Plan::read_from(std::io::stdin().lock(), "stdin")?
    } else {
        Plan::open(path)?
    })
}

fn without_file(args: &PlanArgs, url: &str, of_url: OfUrl) -> Result<PlanDraft, Failure> {
    let mut plan = of_url(url)?.draft();
    request(&mut plan, &args.service.request)?;
    service(&mut plan, args)?;
    plan.objectives = match plan.load {
        Load::Hold(_) => Vec::new(),
        Load::Open(_) | Load::Closed(_) => Objective::defaults(&plan.target),
    };
    Ok(plan)
}

fn service(plan: &mut PlanDraft, args: &PlanArgs) -> Result<(), Failure> {
    reach(plan, &args.service.reach)?;
    let target = &mut plan.target;
    watched(target, &args.command, &args.watched, args.service.target_cpus.as_ref())?;
    limits(target, &args.service.limits)?;
    if let Some(stdout) = args.service.stdout {
        match &mut target.command {
            Some(command) => command.stdout = stdout.into(),
            None => {
                return Err(Failure::bad_plan("--stdout needs a service that plimsoll starts")
                    .hint("give its command after `--`, or as `command` in the plan"));
            }
        }
    }
    Ok(())
}

/// What the service may use.
pub(crate) fn limits(target: &mut Target, args: &LimitArgs) -> Result<(), Failure> {
    let LimitArgs {
        cpu_limit,
        memory_limit,
        pids_limit,
    } = *args;
    let Some(command) = &mut target.command else {
        let flag = [
            cpu_limit.map(|_| "--cpu-limit"),
            memory_limit.map(|_| "--memory-limit"),
            pids_limit.map(|_| "--pids-limit"),
        ];
        return match flag.into_iter().flatten().next() {
            Some(flag) => Err(
                Failure::bad_plan(format!("{flag} needs a service that plimsoll starts"))
                    .hint("give its command after `--`, or as `command` in the plan"),
            ),
            None => Ok(()),
        };
    };
    let limits = &mut command.limits;
    limits.cpu = cpu_limit.or(limits.cpu);
    limits.memory = memory_limit.or(limits.memory);
    limits.pids = pids_limit.or(limits.pids);
    Ok(())
}

/// The service that is started or watched.
fn watched(target: &mut Target, argv: &[String], given: &WatchedArgs, cpus: Option<&Cpus>) -> Result<(), Failure> {
    let watched = match (given.pid, &given.container, &given.fleet_target) {
        (Some(pid), _, _) => Some(("--pid", Running::Process(pid))),
        (None, Some(container), _) => Some(("--container", Running::Container(container.clone()))),
        (None, None, Some(service)) => {
            let (service, machines) = (service.clone(), None);
            Some(("--fleet-target", Running::Hosted(Hosted { service, machines })))
        }
        (None, None, None) => None,
    };
    if !argv.is_empty() {
        if let Some((flag, _)) = watched {
            return Err(Failure::bad_plan(format!(
                "{flag} and a command after `--` cannot be used together"
            )));
        }
        let command = Command::new(argv.to_vec());
        target.command = Some(match target.command.take() {
            Some(planned) => Command {
                argv: command.argv,
                ..planned
            },
            None => command,
        });
        target.running = None;
    }
    if let Some((_, running)) = watched {
        target.command = None;
        if let Running::Hosted(_) = running {
            // Those are of the machines on which it is started.
            target.cpus.clear();
            target.beside.clear();
        }
        target.running = Some(running);
    }
    match (&mut target.running, given.fleet_targets) {
        (Some(Running::Hosted(hosted)), Some(machines)) => hosted.machines = Some(machines),
        (_, Some(_)) => {
            return Err(Failure::bad_plan("--fleet-targets needs a service of target agents")
                .hint("name it with --fleet-target, or as `fleet_target` in the target of the plan"));
        }
        (_, None) => {}
    }
    if let Some(cpus) = cpus {
        target.cpus.clone_from(&cpus.0);
    }
    Ok(())
}

pub(crate) fn generator(plan: &mut PlanDraft, args: &GeneratorArgs) {
    let connections = &mut plan.connections;
    set(&mut connections.max, args.connections);
    set(&mut connections.pipelining, args.pipelining);
    connections.streams = args.streams.or(connections.streams);
    set(&mut connections.response_timeout, args.timeout);
    connections.keep_alive &= !args.no_keepalive;
    set(&mut plan.seed, args.seed);
    match &mut plan.load {
        Load::Open(_) => {}
        Load::Closed(closed) => set(&mut closed.connections, args.connections),
        Load::Hold(hold) => set(&mut hold.connections, args.connections),
    }
}

/// The load that the flags ask for; `None` when they ask for none. What they leave out comes from
/// the plan, then from `default`.
fn load(
    args: &LoadArgs,
    connections: Option<u32>,
    planned: Option<&Load>,
    default: Duration,
) -> Result<Option<Load>, Failure> {
    let arrivals = if args.poisson {
        Arrivals::Poisson
    } else {
        Arrivals::Even
    };
    let duration = args
        .duration
        .or_else(|| planned.and_then(Load::duration))
        .unwrap_or(default);
    if !args.stages.is_empty() {
        return Ok(Some(Load::Open(OpenLoad::from_stages(&args.stages, arrivals))));
    }
    if let Some(rate) = args.rate {
        return Ok(Some(Load::Open(OpenLoad::constant(rate, duration, arrivals))));
    }
    if args.requests.is_some() || args.think_time.is_some() || (planned.is_none() && args.duration.is_some()) {
        return Ok(Some(Load::Closed(ClosedLoad {
            connections: connections.unwrap_or(BENCH_CONNECTIONS),
            // A number of requests ends the run by itself.
            duration: if args.requests.is_some() {
                args.duration
            } else {
                Some(duration)
            },
            requests: args.requests,
            think_time: args.think_time.unwrap_or_default(),
            pacing: Duration::ZERO,
            ramp: Duration::ZERO,
            stages: Vec::new(),
        })));
    }
    let Some(mut planned) = planned.cloned() else {
        return Ok(None);
    };
    if let Load::Open(open) = &mut planned
        && args.poisson
    {
        open.arrivals = Arrivals::Poisson;
    }
    if let Some(duration) = args.duration {
        match &mut planned {
            Load::Closed(closed) if !closed.stages.is_empty() => return Err(stages_have_durations()),
            Load::Closed(closed) => closed.duration = Some(duration),
            Load::Hold(hold) => hold.duration = duration,
            Load::Open(open) => match open.segments.as_mut_slice() {
                [only] => only.duration = duration,
                _ => return Err(stages_have_durations()),
            },
        }
    }
    Ok(Some(planned))
}

fn stages_have_durations() -> Failure {
    Failure::bad_plan("--duration cannot be used with a plan that has stages")
        .hint("set the load with --stage, or change the plan")
}

/// A run that the flags made short has a warm-up and windows that fit into it.
fn shorten_judging(plan: &mut PlanDraft) {
    if let Some(duration) = plan.load.duration() {
        let fitting = Judging::for_run(duration);
        plan.judging.warm_up = plan.judging.warm_up.min(fitting.warm_up);
        plan.judging.window = plan.judging.window.min(fitting.window);
    }
}

fn set<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}
