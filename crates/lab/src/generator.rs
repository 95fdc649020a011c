//! What a run is generated with: from what the user asks for, what the load needs and what this machine has.

use crate::error::LabError;
use crate::local_addresses;
use crate::neighbours::shares;
use crate::tables::{DESCRIPTORS_OF_OUR_OWN, Tables};
use plimsoll_engine::backend::Io;
use plimsoll_engine::{Generator, Wakeups, raise_descriptor_limit};
use plimsoll_measure::{Host, Note, NoteKind, RunKind};
use plimsoll_plan::{Address, Destination, HttpVersion, Load, Neighbour, Plan, SearchUnit, Server};
use plimsoll_target::{
    available_cpus, check_generator_cpus, check_limits, check_neighbour_cpus, check_target_cpus, cpu_layout,
};
use std::net::{IpAddr, Ipv4Addr};

/// Connections that one local address can carry at most, below the usual range of 28,232 ports.
const CONNECTIONS_PER_ADDRESS: u32 = 25_000;
/// Without keep-alive each request takes a port for a while; on loopback there are addresses enough.
const ADDRESSES_WITHOUT_KEEP_ALIVE: u32 = 16;
/// Looking for a free port, Linux goes through every second one of the range first, 14,116 of them, from a random place on.
/// That takes long when few of them are free, and of held connections there are many.
const HELD_PER_ADDRESS: u32 = 10_000;
const SHARDS_MAX: usize = 4;

/// What the user asks of the generator.
#[derive(Debug, Clone, Default)]
pub struct GeneratorOptions {
    /// Threads; `None` is one for each core, at most four.
    pub shards: Option<u32>,
    /// Its cores; empty is those that the service does not get.
    pub cpus: Vec<usize>,
    /// How sockets are driven; `None` is io_uring where it works.
    pub io: Option<Io>,
    /// How exactly the times of an open load are kept.
    pub wakeups: Wakeups,
    /// Addresses that connections leave from; empty chooses by itself.
    pub local_addrs: Vec<IpAddr>,
    /// Held connections all go into the descriptor table of the process, whatever its limit.
    pub one_table: bool,
}

/// What a run needs of the generator.
#[derive(Debug, Clone, Copy)]
struct Need {
    /// Most connections at once.
    connections: u32,
    /// Whether they are held, instead of a load made.
    holds: bool,
    /// Whether connections outlast what they were opened for.
    lasts: bool,
}

impl Need {
    fn of(plan: &Plan, kind: RunKind) -> Self {
        let held = match plan.load() {
            Load::Hold(hold) if kind != RunKind::Capacity => Some(hold.connections),
            Load::Hold(_) if plan.search().unit == SearchUnit::Connections => Some(plan.search().max.number()),
            _ => None,
        };
        Self {
            connections: match plan.load() {
                Load::Closed(closed) if kind != RunKind::Capacity => closed.connections,
                _ => held.map_or(plan.connections().max, |clients| connections_for(plan, clients)),
            },
            holds: held.is_some(),
            lasts: plan.connections().keep_alive && !plan.connections().per_user,
        }
    }

    fn addresses(self) -> u32 {
        if self.holds {
            self.connections.div_ceil(HELD_PER_ADDRESS)
        } else if self.lasts {
            self.connections.div_ceil(CONNECTIONS_PER_ADDRESS)
        } else {
            ADDRESSES_WITHOUT_KEEP_ALIVE
        }
    }
}

/// Connections that take so many clients who are held.
fn connections_for(plan: &Plan, clients: u32) -> u32 {
    // What they do besides goes over connections of its own, unless it is said on these.
    let acting = match plan.scenario().repeated() {
        Some(_) if !plan.scenario().sends_messages() => plan.connections().max,
        _ => 0,
    };
    clients.div_ceil(streams_held(plan)).saturating_add(acting)
}

/// How many clients share a connection that is held, as far as the service allows it.
fn streams_held(plan: &Plan) -> u32 {
    match plan.target().http {
        HttpVersion::Http1 => 1,
        HttpVersion::Http2 => plan.connections().streams.unwrap_or(1),
    }
}

/// What tells how many threads held connections need.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    /// Descriptors of a table; `None` for any number.
    descriptors: Option<u64>,
    least_shards: u32,
    one_table: bool,
}

impl Room {
    fn tables(self, connections: u32) -> Tables {
        match self.one_table {
            false => Tables::plan(connections, self.descriptors, self.least_shards),
            true => Tables {
                shards: self.least_shards,
                own: false,
            },
        }
    }

    /// The same generator for so many clients who are held.
    pub(crate) fn generator(self, generator: &Generator, plan: &Plan, clients: u32) -> Generator {
        let tables = self.tables(connections_for(plan, clients));
        Generator {
            shards: tables.shards,
            own_tables: tables.own,
            ..generator.clone()
        }
    }
}

/// The machine as a run divides it between the generator and the service.
pub(crate) struct Division {
    pub(crate) generator: Generator,
    /// Cores of the service; empty where it stays where it is.
    pub(crate) target_cpus: Vec<usize>,
    /// Cores of neighbours whose plan names none; empty where they stay where they are.
    pub(crate) neighbour_cpus: Vec<usize>,
    /// What weakens the figures, in the order in which it was found.
    pub(crate) notes: Vec<Note>,
    pub(crate) room: Room,
    need: Need,
}

impl Division {
    /// Divides it for a run of `plan`, before anything is started.
    ///
    /// # Errors
    /// When what the user asks for is not there.
    pub(crate) fn new(options: &GeneratorOptions, plan: &Plan, kind: RunKind) -> Result<Self, LabError> {
        let need = Need::of(plan, kind);
        let descriptors = raise_descriptor_limit();
        let available = available_cpus();
        if let Some(command) = &plan.target().command {
            check_target_cpus(&plan.target().cpus, &available)?;
            check_limits(&command.limits)?;
        }
        for neighbour in &plan.target().beside {
            check_neighbour_cpus(&neighbour.cpus, &available)?;
            if let Neighbour::Program { command, .. } = &neighbour.neighbour {
                check_limits(&command.limits)?;
            }
        }
        check_generator_cpus(&options.cpus, &available)?;
        let layout = cpu_layout(&plan.target().cpus, &available);
        let cpus = if options.cpus.is_empty() {
            layout.generator
        } else {
            options.cpus.clone()
        };
        // A service that runs already stays where it is.
        let target_cpus = if plan.target().command.is_some() {
            layout.target
        } else {
            Vec::new()
        };
        let least_shards = options.shards.unwrap_or_else(|| cpus.len().clamp(1, SHARDS_MAX) as u32);
        if options.wakeups == Wakeups::Spin {
            check_spinning(&cpus, &target_cpus, least_shards)?;
        }
        local_addresses::check(&options.local_addrs)?;
        match &Destination::of_load(plan.target()).url.server {
            Server::Tcp { host, .. } => {
                if let Ok(address) = host.parse() {
                    local_addresses::check_family(&options.local_addrs, address)?;
                }
            }
            Server::Unix(_) => local_addresses::check_none(&options.local_addrs)?,
        }

        // An idle connection costs the kernel more in an io_uring than in epoll.
        let (io, io_refused) = Io::choose(options.io.or(need.holds.then_some(Io::Mio))).map_err(LabError::Io)?;
        let mut notes = Vec::new();
        if let Some(reason) = io_refused {
            let message = format!("io_uring is unavailable ({reason}); using epoll instead");
            let hint = "epoll takes about a third more CPU per request; `--io mio` silences this notice".to_owned();
            notes.push(warning(message, hint));
        }
        if let Some(message) = layout.warning {
            let hint = "results are steadier if service and generator have separate cores".to_owned();
            notes.push(warning(message, hint));
        }
        if let Some(cpu) = plan.target().command.as_ref().and_then(|command| command.limits.cpu)
            && !target_cpus.is_empty()
            && cpu.cores() > target_cpus.len() as f64
        {
            let message = format!(
                "the limit of {cpu} cores of CPU is never reached: the service is pinned to {}",
                target_cpus.len()
            );
            let hint = "give it more cores with --target-cpus or `cpus`, or lower the limit".to_owned();
            notes.push(warning(message, hint));
        }
        let others = available.iter().copied().filter(|cpu| !cpus.contains(cpu));
        let neighbour_cpus: Vec<usize> = others.collect();
        notes.extend(shared_cores(plan, &neighbour_cpus, &target_cpus, &cpus));
        let room = Room {
            descriptors,
            least_shards,
            one_table: options.one_table || !need.holds,
        };
        if room.one_table {
            notes.extend(few_descriptors(need.connections, descriptors, options.one_table));
        }
        let tables = room.tables(need.connections);
        Ok(Self {
            generator: Generator {
                shards: tables.shards,
                own_tables: tables.own,
                cpus,
                io,
                wakeups: options.wakeups,
                local_addrs: options.local_addrs.clone(),
            },
            target_cpus,
            neighbour_cpus,
            notes,
            room,
            need,
        })
    }

    /// What is recorded of the machine.
    pub(crate) fn host(&self) -> Host {
        Host {
            generator_cpus: self.generator.cpus.clone(),
            target_cpus: self.target_cpus.clone(),
            io: self.generator.io.as_str().to_owned(),
            wakeups: if self.need.holds {
                String::new()
            } else {
                self.generator.wakeups.to_string()
            },
            ..plimsoll_target::host::describe()
        }
    }

    /// The generator once it is known where the service is: on loopback many connections leave from several addresses.
    ///
    /// # Errors
    /// When the addresses that the user named do not lead there.
    pub(crate) fn generator_for(self, remote: &Address) -> Result<Generator, LabError> {
        let mut generator = self.generator;
        let Address::Tcp(remote) = remote else {
            return Ok(generator);
        };
        let remote = remote.ip();
        local_addresses::check_family(&generator.local_addrs, remote)?;
        let wanted = self.need.addresses();
        if generator.local_addrs.is_empty() && remote.is_ipv4() && remote.is_loopback() && wanted > 1 {
            let first = u32::from(Ipv4Addr::LOCALHOST);
            generator.local_addrs = (0..wanted).map(|i| IpAddr::V4(Ipv4Addr::from(first + i))).collect();
        }
        Ok(generator)
    }
}

/// Who shares cores with a neighbour of the service has less of them when that is busy.
fn shared_cores(plan: &Plan, of_neighbours: &[usize], of_service: &[usize], of_generator: &[usize]) -> Vec<Note> {
    let neighbours = plan.target().beside.iter().filter_map(|neighbour| {
        let cpus = match neighbour.cpus.as_slice() {
            [] => of_neighbours,
            own => own,
        };
        let with = match (shares(cpus, of_service), shares(cpus, of_generator)) {
            (_, true) => "the generator",
            (true, false) => "the service",
            (false, false) => return None,
        };
        let name = &neighbour.name;
        let message = format!("neighbour {name} may run on cores of {with}, so each has less when the other is busy");
        let hint = "give each cores of its own with `cpus` in `target` and `target.beside`, and --generator-cpus";
        Some(warning(message, hint.to_owned()))
    });
    neighbours.collect()
}

/// A thread that spins leaves nothing of its core to anybody else.
fn check_spinning(own: &[usize], target: &[usize], shards: u32) -> Result<(), LabError> {
    let found = if own.is_empty() {
        "the generator has no core of its own".to_owned()
    } else if let Some(cpu) = own.iter().find(|cpu| target.contains(cpu)) {
        format!("core {cpu} is also a core of the service")
    } else if shards as usize > own.len() {
        let cores = if own.len() == 1 { "core" } else { "cores" };
        format!(
            "it needs a dedicated core per thread: {shards} threads, {} free {cores}",
            own.len()
        )
    } else {
        return Ok(());
    };
    Err(LabError::Spin(found))
}

fn few_descriptors(connections: u32, limit: Option<u64>, one_table: bool) -> Option<Note> {
    let wanted = u64::from(connections) + DESCRIPTORS_OF_OUR_OWN;
    let limit = limit.filter(|&limit| limit < wanted)?;
    let message = format!("{connections} connections exceed the limit of {limit} open descriptors");
    let hint = if one_table {
        format!("leave out --one-table, or raise the limit first: ulimit -n {wanted}")
    } else {
        "see `plimsoll doctor --connections N`".to_owned()
    };
    Some(warning(message, hint))
}

fn warning(message: String, hint: String) -> Note {
    Note {
        at_ns: 0,
        kind: NoteKind::Warning,
        message,
        hint: Some(hint),
    }
}

/// Why this process may not use io_uring; `None` where it may.
#[must_use]
pub fn io_uring_refused() -> Option<String> {
    let (_, refused) = Io::choose(None).ok()?;
    refused.map(|reason| reason.to_string())
}
