//! Agents of a fleet that send nothing: each hands in ticks as if its share had been made and responded to. With them, `bench/fleet/run` says
//! what a coordinator costs with more agents than one machine has cores: `simulated_agents BROKER AGENTS`, until it is killed.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stderr,
    reason = "it has arguments and a clock, and is no part of the library"
)]

use plimsoll_bus::Nats;
use plimsoll_fleet::{About, Agent, AgentId, Bus, Dial as _, FromAgent, Listener, Order, Set, ToAgent, decode, encode};
use plimsoll_measure::{ShardLoad, Tick, Timing};
use plimsoll_plan::Load;
use plimsoll_schedule::{AgentShare, Schedule, Start};
use std::error::Error;
use std::iter::Peekable;
use std::thread;
use std::time::{Duration, Instant};

/// Between two looks at the clock.
const LOOK: Duration = Duration::from_millis(50);
/// Response times are 0.2 ms and what an exponential distribution adds, on average, ns.
const LEAST_NS: f64 = 200_000.0;
const ADDED_NS: f64 = 500_000.0;

/// A share as if it were made.
struct Share {
    set: Set,
    starts: Peekable<Schedule>,
    begins_ns: u64,
    ends_ns: u64,
    tick_from_ns: u64,
}

impl Share {
    fn begin(set: Set, begins_ns: u64) -> Result<Self, String> {
        let Some(Load::Open(open)) = set.load.load() else {
            return Err("it simulates a load at a rate alone".to_owned());
        };
        let share = AgentShare::new(set.index, set.of).ok_or("it found no share")?;
        Ok(Self {
            // Of even arrivals, which no seed changes.
            starts: Schedule::new(&open, 0, share).peekable(),
            begins_ns,
            ends_ns: begins_ns + open.duration().as_nanos() as u64,
            tick_from_ns: begins_ns,
            set,
        })
    }

    /// The next tick that is over; `None` when it is not yet.
    fn tick(&mut self, now_ns: u64) -> Option<Tick> {
        let end_ns = (self.tick_from_ns + self.set.tick_ns).min(self.ends_ns);
        if now_ns < end_ns || self.is_over() {
            return None;
        }
        let mut tick = Tick {
            start_ns: self.tick_from_ns.saturating_sub(self.set.zero_ns),
            duration_ns: end_ns - self.tick_from_ns,
            ..Tick::default()
        };
        let until_ns = end_ns - self.begins_ns;
        while let Some(start) = self.starts.next_if(|start| start.at_ns < until_ns) {
            respond(&mut tick, &start);
        }
        tick.generator.shards.push(ShardLoad {
            cpu_ns: tick.duration_ns / 10,
            elapsed_ns: tick.duration_ns,
            wake_lag_p99_ns: 100_000,
            ..ShardLoad::default()
        });
        self.tick_from_ns = end_ns;
        Some(tick)
    }

    const fn is_over(&self) -> bool {
        self.tick_from_ns >= self.ends_ns
    }
}

fn respond(tick: &mut Tick, start: &Start) {
    let counters = &mut tick.counters;
    counters.scheduled += 1;
    counters.sent += 1;
    counters.completed += 1;
    counters.passed += 1;
    counters.count_status(200);
    // Even over all numbers, and nothing is drawn.
    let uniform = ((start.number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 11) as f64 + 1.0) / (1_u64 << 53) as f64;
    let response_ns = (LEAST_NS - ADDED_NS * uniform.ln()) as u64;
    tick.durations[Timing::ResponseTime].record(response_ns);
    tick.durations[Timing::ServiceTime].record(response_ns - response_ns / 10);
    tick.durations[Timing::ScheduleLag].record(response_ns / 10);
}

fn serve(number: u64, nats: &Nats, zero: Instant) -> Result<(), Box<dyn Error>> {
    let id = AgentId::new(&format!("simulated{number}"), number);
    let mut bus = nats.dial(&Listener::Agent(id.clone()))?;
    let about = About {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        zone: None,
        cores: 1,
        cpu_model: "simulated".to_owned(),
        kernel: String::new(),
        allows: Vec::new(),
        most_micro_per_s: None,
        busy: false,
    };
    let mut agent = Agent::new(id, about);
    let (mut armed, mut share): (Option<Set>, Option<Share>) = (None, None);
    // Its clock began a while ago, as that of a machine, so that runs have begun before.
    let now_ns = || 1_000_000_000_000 + zero.elapsed().as_nanos() as u64;
    loop {
        if let Some(delivery) = bus.receive(LOOK)?
            && let Ok(message) = decode::<ToAgent>(&delivery.message)
        {
            agent.receive(now_ns(), message);
        }
        while let Some(tick) = share.as_mut().and_then(|share| share.tick(now_ns())) {
            agent.ticked(now_ns(), Box::new(tick));
        }
        if share.take_if(|share| share.is_over()).is_some() {
            agent.ended(now_ns(), Ok(()));
        }
        agent.poll(now_ns());
        loop {
            let orders = agent.orders();
            if orders.is_empty() {
                break;
            }
            for order in orders {
                match order {
                    Order::Prepare(_) => agent.prepared(Ok(())),
                    Order::Arm(set) => {
                        armed = Some(*set);
                        agent.armed(Ok(()));
                    }
                    Order::Begin { at_ns, .. } => match armed
                        .take()
                        .ok_or_else(String::new)
                        .and_then(|set| Share::begin(set, at_ns))
                    {
                        Ok(begun) => share = Some(begun),
                        Err(why) => agent.ended(now_ns(), Err(why)),
                    },
                    Order::Lease(_) | Order::Declined(_) | Order::Replace(_) => {}
                    Order::Finish | Order::Stop => {
                        if share.take().is_some() {
                            agent.ended(now_ns(), Ok(()));
                        }
                    }
                    Order::Forget => (armed, share) = (None, None),
                }
            }
        }
        say(&mut *bus, agent.sent())?;
    }
}

fn say(bus: &mut dyn Bus, messages: Vec<FromAgent>) -> Result<(), Box<dyn Error>> {
    for message in messages {
        bus.send(&message.address(), encode(&message)?)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [url, agents] = args.as_slice() else {
        return Err("expected BROKER AGENTS".into());
    };
    let (nats, agents, zero) = (Nats::at(url)?, agents.parse()?, Instant::now());
    thread::scope(|scope| {
        for number in 0..agents {
            let nats = &nats;
            scope.spawn(move || {
                if let Err(error) = serve(number, nats, zero) {
                    eprintln!("agent {number}: failed to {error}");
                }
            });
        }
    });
    Ok(())
}
