//! Who makes the load, where that is not this machine alone, and what `plimsoll agent` and `plimsoll fleet` take.

use super::values::{
    Cpus, agent_name, cpus, directory, label, memory, rate, service_label, service_place, service_plan,
};
use super::{FormArgs, IoArg};
use clap::{Args, Subcommand, ValueHint};
use plimsoll_lab::fleet::BROKER_VARIABLE;
use plimsoll_plan::{Rate, ServiceName};
use std::net::IpAddr;
use std::path::PathBuf;

/// Who makes the load.
#[derive(Debug, Clone, Args)]
pub(crate) struct FleetArgs {
    /// Make the load with the agents on this broker of NATS, such as nats://127.0.0.1:4222, or with `local` ones.
    ///
    /// A broker on another machine needs tls://. Start agents with `plimsoll agent`. With `local`, a broker and agents are started on
    /// this machine and end with the command.
    #[arg(long, value_name = "URL", help_heading = "Fleet")]
    pub(crate) fleet: Option<String>,
    /// Wait for this many agents, and use no more [default: all that respond within 1.5s, or 2 that are local]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Fleet")]
    pub(crate) agents: Option<u32>,
    /// Make do with this many agents if no more come within 30s [default: as many as --agents, or 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Fleet")]
    pub(crate) min_agents: Option<u32>,
    /// Be known to the broker by the key in this file, which `plimsoll fleet keys` has made
    #[arg(long, value_name = "FILE", help_heading = "Fleet")]
    pub(crate) fleet_key: Option<PathBuf>,
}

/// Where a fleet meets that is named by the command alone, and by no plan.
#[derive(Debug, Args)]
pub(crate) struct BrokerArgs {
    /// Meet the fleet on this broker of NATS, such as nats://127.0.0.1:4222.
    ///
    /// A broker on another machine needs tls://. In the environment variable, its password is not in the list of processes.
    #[arg(long, value_name = "URL", env = BROKER_VARIABLE, hide_env_values = true)]
    pub(crate) fleet: String,
    /// Be known to the broker by the key in this file, which `plimsoll fleet keys` has made
    #[arg(long, value_name = "FILE")]
    pub(crate) fleet_key: Option<PathBuf>,
}

/// What becomes of an agent that a run of another version wants.
#[derive(Debug, Args)]
pub(crate) struct UpdateArgs {
    /// Go on as plimsoll-VERSION in this directory where a run of another version asks for agents
    ///
    /// Runs have agents of their own version alone. Keep the directory writable for those alone who may start programs here: which version is
    /// started, a run decides.
    #[arg(long, value_name = "DIR", value_parser = directory(), value_hint = ValueHint::DirPath)]
    pub(crate) update_from: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct AgentArgs {
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
    /// Call this agent by this name in reports [default: the name of this machine]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Say in reports that it stands here, such as eu-west: agents of one zone are shown together
    #[arg(long, value_name = "ZONE", value_parser = agent_name)]
    pub(crate) zone: Option<String>,
    #[command(flatten)]
    pub(crate) work: AgentWorkArgs,
    #[command(flatten)]
    pub(crate) update: UpdateArgs,
    /// Print only errors and what is refused
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// What an agent may send, and how it makes it.
#[derive(Debug, Args)]
pub(crate) struct AgentWorkArgs {
    /// Send to this address and port, such as 10.1.2.3:443 or 10.1.0.0/16:*; repeatable [default: this machine]
    ///
    /// It is checked once names are resolved, and no plan can widen it.
    #[arg(long, value_name = "TARGET")]
    pub(crate) allow: Vec<String>,
    /// Refuse loads of which an agent would send more than this rate
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) max_rate: Option<Rate>,
    /// Use this many generator threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256), help_heading = "Generator")]
    pub(crate) threads: Option<u32>,
    /// Pin the generator to these cores, such as 1 or 2-3
    #[arg(long, value_name = "CPUS", value_parser = cpus, help_heading = "Generator")]
    pub(crate) generator_cpus: Option<Cpus>,
    /// Drive sockets with this interface [default: io_uring if available, else mio]
    #[arg(long, value_name = "HOW", help_heading = "Generator")]
    pub(crate) io: Option<IoArg>,
    /// Connect from these local addresses in turn
    #[arg(long, value_name = "ADDRS", value_delimiter = ',', help_heading = "Generator")]
    pub(crate) local_addrs: Vec<IpAddr>,
}

#[derive(Debug, Args)]
#[command(
    subcommand_required = true,
    arg_required_else_help = true,
    disable_help_subcommand = true
)]
pub(crate) struct FleetCommandArgs {
    #[command(subcommand)]
    pub(crate) command: FleetCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Start a broker and agents on this machine, and keep them until Ctrl-C.
    ///
    /// Prints the URL of the broker, for `--fleet` of other commands. It listens on 127.0.0.1 alone. Needs nats-server in PATH. With
    /// --service, a target agent is started as well.
    Up(FleetUpArgs),
    /// Make keys for a broker on which nobody speaks for another.
    ///
    /// Writes `run.key`, a key for each agent, and `broker.conf`, by which nats-server knows who may say what. Keys that are there stay as
    /// they are, so agents can be added.
    Keys(FleetKeysArgs),
    /// Start services on this machine for runs on others, which name them, and sample them here.
    ///
    /// A run asks with `--fleet-target NAME`. It says nothing of how a service is started: that stands in the plans that are named here.
    Target(FleetTargetArgs),
    /// Complete the directory of a run whose process died with what its agents still have.
    ///
    /// Agents keep what a run has not written for an hour after they last heard it. The result is an interrupted run: what
    /// agents did after its end is counted, and not judged.
    Resume(FleetResumeArgs),
    /// Print what Kubernetes is given to start a fleet: a broker, agents and network policies.
    ///
    /// For `kubectl apply -f -`. Keys and certificates come from Secrets, whose names are in it and whose makings are in its first lines.
    Manifests(FleetManifestsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct FleetTargetArgs {
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
    /// Call this target agent by this name in reports [default: the name of this machine]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Start the target of this plan for runs that ask for this name, such as shop=plimsoll.yaml; repeatable
    ///
    /// Its command, environment, directory, cores, limits, neighbours and readiness count; nothing else in it does.
    #[arg(long = "service", value_name = "NAME=PLAN", value_parser = service_plan, required = true)]
    pub(crate) services: Vec<(ServiceName, PathBuf)>,
    /// Let runs load this URL, such as shop=http://10.0.0.5:3000, where that leads to the service too; repeatable
    #[arg(long = "reached-at", value_name = "NAME=URL", value_parser = service_place)]
    pub(crate) places: Vec<(ServiceName, String)>,
    /// Pin services whose plans name no cores to these, such as 0 or 0-2
    #[arg(long, value_name = "CPUS", value_parser = cpus)]
    pub(crate) target_cpus: Option<Cpus>,
    #[command(flatten)]
    pub(crate) update: UpdateArgs,
    /// Print only errors and what is refused
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FleetResumeArgs {
    /// Run directory to complete
    #[arg(value_name = "DIR", value_parser = directory(), value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,
    #[command(flatten)]
    pub(crate) broker: BrokerArgs,
    /// Make do with this many agents if no more respond within 10s; what the others measured last is lost [default: all of the run]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) min_agents: Option<u32>,
    #[command(flatten)]
    pub(crate) form: FormArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FleetManifestsArgs {
    /// Start this many agents, in each zone where there are any
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) agents: u32,
    /// Start agents on the nodes of this zone, and have reports say so; repeatable [default: on any node]
    #[arg(long = "zone", value_name = "ZONE", value_parser = label)]
    pub(crate) zones: Vec<String>,
    /// Send to this address and port, such as 10.1.2.3:443 or 10.1.0.0/16:*; repeatable
    #[arg(long, value_name = "TARGET", required = true)]
    pub(crate) allow: Vec<String>,
    /// Refuse loads of which an agent would send more than this rate
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub(crate) max_rate: Option<Rate>,
    /// Give each agent this many cores, and as many generator threads
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=256))]
    pub(crate) cpus: u32,
    /// Give each agent this much memory
    #[arg(long, value_name = "SIZE", default_value = "512Mi", value_parser = memory)]
    pub(crate) memory: String,
    /// Start a target agent with this service as well, called after it, in a pod of its own
    #[arg(long = "service", value_name = "NAME", value_parser = service_label, requires = "service_image")]
    pub(crate) service: Option<String>,
    /// Take this image for the service; the target agent is put into it
    #[arg(long, value_name = "IMAGE", requires = "service")]
    pub(crate) service_image: Option<String>,
    /// Have agents reach the service on this port
    #[arg(long, value_name = "PORT", default_value = "3000", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) service_port: u16,
    /// Put everything into this namespace
    #[arg(long, value_name = "NAME", default_value = "plimsoll", value_parser = label)]
    pub(crate) namespace: String,
    /// Take this image for agents; it is of the version of the run
    #[arg(long, value_name = "IMAGE", default_value = concat!("plimsoll:", env!("CARGO_PKG_VERSION")))]
    pub(crate) image: String,
    /// Take this image for the broker
    #[arg(long, value_name = "IMAGE", default_value = "nats:2.11-alpine")]
    pub(crate) broker_image: String,
}

#[derive(Debug, Args)]
pub(crate) struct FleetKeysArgs {
    /// Write them into this directory
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Make a key for agents of this name, such as eu-west-1; repeatable
    #[arg(long = "agent", value_name = "NAME", value_parser = agent_name)]
    pub(crate) agents: Vec<String>,
    /// Make a key for target agents of this name, such as shop-1; repeatable
    #[arg(long = "target", value_name = "NAME", value_parser = agent_name)]
    pub(crate) targets: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct FleetUpArgs {
    /// Start this many agents
    #[arg(long, value_name = "N", default_value = "2", value_parser = clap::value_parser!(u32).range(1..=64))]
    pub(crate) agents: u32,
    /// Start the target of this plan for runs that ask for this name, such as shop=plimsoll.yaml; repeatable
    ///
    /// A target agent beside the others does, as `plimsoll fleet target` on a machine of its own. The service has the cores that its plan
    /// names, or those that agents do not have.
    #[arg(long = "service", value_name = "NAME=PLAN", value_parser = service_plan)]
    pub(crate) services: Vec<(ServiceName, PathBuf)>,
    /// Have the broker listen on this port [default: one that is free]
    #[arg(long, value_name = "PORT", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) port: Option<u16>,
    #[command(flatten)]
    pub(crate) work: AgentWorkArgs,
}
