//! A load as it is sent to agents.

use plimsoll_plan::{Arrivals, ClosedLoad, HoldLoad, Load, OpenLoad, Park, Rate, Segment, UserStage};
use plimsoll_schedule::AgentShare;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A load as it is sent, exact to the nanosecond and to the millionth of a request per second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "model", rename_all = "snake_case")]
pub enum SentLoad {
    /// Arrivals do not wait for responses.
    Open {
        /// Rate at the beginning and at the end in millionths per second, and length in ns, of each segment.
        segments: Vec<(u64, u64, u64)>,
        /// Arrivals are a Poisson process; else they are even.
        poisson: bool,
    },
    /// The next request of a connection waits for the last response.
    Closed {
        /// Connections of all agents.
        connections: u32,
        /// For so long, ns.
        duration_ns: Option<u64>,
        /// So many requests of all agents.
        requests: Option<u64>,
        /// Pause between a response and the next request, ns.
        think_ns: u64,
        /// Least distance between requests of a connection, ns.
        pacing_ns: u64,
        /// Time over which connections begin one after the other, ns.
        #[serde(default)]
        ramp_ns: u64,
        /// Users at the beginning and at the end, and length in ns, of each stage; none where they are the same all the time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        stages: Vec<(u32, u32, u64)>,
    },
    /// Connections are kept open.
    Hold {
        /// Connections of all agents.
        connections: u32,
        /// How fast they are opened, in millionths per second.
        pace_micro_per_s: u64,
        /// For how long they are held, ns.
        duration_ns: u64,
        /// A request is parked on each.
        parks_request: bool,
        /// A request every so often, ns.
        ping_ns: Option<u64>,
        /// Ports that connections go to in turn.
        ports: Vec<u16>,
    },
}

impl From<&Load> for SentLoad {
    fn from(load: &Load) -> Self {
        match load {
            Load::Open(open) => Self::Open {
                segments: open
                    .segments
                    .iter()
                    .map(|s| (s.from.micro_per_s(), s.to.micro_per_s(), ns(s.duration)))
                    .collect(),
                poisson: open.arrivals == Arrivals::Poisson,
            },
            Load::Closed(closed) => Self::Closed {
                connections: closed.connections,
                duration_ns: closed.duration.map(ns),
                requests: closed.requests,
                think_ns: ns(closed.think_time),
                pacing_ns: ns(closed.pacing),
                ramp_ns: ns(closed.ramp),
                stages: closed.stages.iter().map(|s| (s.from, s.to, ns(s.duration))).collect(),
            },
            Load::Hold(hold) => Self::Hold {
                connections: hold.connections,
                pace_micro_per_s: hold.pace.micro_per_s(),
                duration_ns: ns(hold.duration),
                parks_request: hold.park == Park::Request,
                ping_ns: hold.ping.map(ns),
                ports: hold.ports.clone(),
            },
        }
    }
}

impl SentLoad {
    /// The load. Nobody checks it again, so what no plan can ask for is none.
    #[must_use]
    pub fn load(&self) -> Option<Load> {
        Some(match self {
            Self::Open { segments, poisson } => {
                let usable =
                    |&(from, to, ns): &(u64, u64, u64)| from.max(to) <= MOST_MICRO_PER_S && ns > 0 && ns <= MOST_NS;
                if segments.is_empty() || segments.len() > MOST_SEGMENTS || !segments.iter().all(usable) {
                    return None;
                }
                Load::Open(OpenLoad {
                    segments: segments
                        .iter()
                        .map(|&(from, to, ns)| Segment {
                            from: Rate::from_micro_per_s(from),
                            to: Rate::from_micro_per_s(to),
                            duration: Duration::from_nanos(ns),
                        })
                        .collect(),
                    arrivals: if *poisson { Arrivals::Poisson } else { Arrivals::Even },
                })
            }
            Self::Closed {
                connections,
                duration_ns,
                requests,
                think_ns,
                pacing_ns,
                ramp_ns,
                stages,
            } => {
                let usable = |&(from, to, ns): &(u32, u32, u64)| from.max(to) <= *connections && ns <= MOST_NS;
                if stages.len() > MOST_SEGMENTS || !stages.iter().all(usable) {
                    return None;
                }
                let ends = duration_ns.is_some() || requests.is_some();
                let times = [duration_ns.unwrap_or(0), *think_ns, *pacing_ns, *ramp_ns];
                if !ends || *connections == 0 || times.into_iter().any(|ns| ns > MOST_NS) {
                    return None;
                }
                Load::Closed(ClosedLoad {
                    connections: *connections,
                    duration: duration_ns.map(Duration::from_nanos),
                    requests: *requests,
                    think_time: Duration::from_nanos(*think_ns),
                    pacing: Duration::from_nanos(*pacing_ns),
                    ramp: Duration::from_nanos(*ramp_ns),
                    stages: stages
                        .iter()
                        .map(|&(from, to, ns)| UserStage {
                            from,
                            to,
                            duration: Duration::from_nanos(ns),
                        })
                        .collect(),
                })
            }
            Self::Hold {
                connections,
                pace_micro_per_s,
                duration_ns,
                parks_request,
                ping_ns,
                ports,
            } => {
                if *connections == 0
                    || *pace_micro_per_s == 0
                    || *pace_micro_per_s > MOST_MICRO_PER_S
                    || *duration_ns > MOST_NS
                {
                    return None;
                }
                Load::Hold(HoldLoad {
                    connections: *connections,
                    pace: Rate::from_micro_per_s(*pace_micro_per_s),
                    duration: Duration::from_nanos(*duration_ns),
                    park: if *parks_request { Park::Request } else { Park::Nothing },
                    ping: ping_ns.map(Duration::from_nanos),
                    ports: ports.clone(),
                })
            }
        })
    }
}

/// Bounds of what is taken from the bus: beyond those of any plan, and small enough that sums do not overflow.
const MOST_MICRO_PER_S: u64 = 1_000_000_000_000_000;
const MOST_NS: u64 = 1 << 53;
const MOST_SEGMENTS: usize = 10_000;

/// The highest rate of one share of a load of so many, in millionths per second; `None` where none is known beforehand.
pub(crate) fn top_rate(load: &Load, index: u32, of: u32) -> Option<u64> {
    match load {
        // Arrivals go to shares in turn.
        Load::Open(open) => open
            .segments
            .iter()
            .map(|s| s.from.micro_per_s().max(s.to.micro_per_s()).div_ceil(of.into()))
            .max(),
        Load::Closed(_) => None,
        // What is parked is sent again whenever the service responds.
        Load::Hold(hold) if hold.park == Park::Request => None,
        Load::Hold(hold) => {
            // Connections are whole: a share of few has far more than the others.
            let own = AgentShare::new(index, of)?.count_below(hold.connections.into());
            let each_ns = hold.ping.map_or(u64::MAX, ns).max(1);
            let pings = u128::from(own) * 1_000_000_000_000_000 / u128::from(each_ns);
            let pings = u64::try_from(pings).unwrap_or(u64::MAX);
            Some(hold.pace.micro_per_s().div_ceil(of.into()).saturating_add(pings))
        }
    }
}

fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn load_that_is_sent_is_the_same_load() {
        let closed = ClosedLoad {
            connections: 7,
            duration: None,
            requests: Some(1003),
            think_time: Duration::from_nanos(1),
            pacing: Duration::from_millis(3),
            ramp: Duration::from_secs(2),
            stages: Vec::new(),
        };
        let hold = HoldLoad {
            connections: 500,
            pace: HoldLoad::PACE,
            duration: Duration::from_secs(30),
            park: Park::Nothing,
            ping: Some(Duration::from_secs(2)),
            ports: vec![1, 2],
        };
        let open = OpenLoad {
            segments: vec![Segment {
                from: Rate::ZERO,
                to: Rate::from_micro_per_s(333_333_333),
                duration: Duration::from_nanos(1_000_000_001),
            }],
            arrivals: Arrivals::Poisson,
        };
        let staged = ClosedLoad::in_stages(vec![UserStage {
            from: 0,
            to: 5,
            duration: Duration::from_secs(3),
        }]);
        for load in [
            Load::Closed(closed),
            Load::Closed(staged),
            Load::Hold(hold),
            Load::Open(open),
        ] {
            let json = serde_json::to_string(&SentLoad::from(&load)).expect("plain data");
            let sent: SentLoad = serde_json::from_str(&json).expect("what was written");
            assert_eq!(sent.load(), Some(load), "{json}");
        }
    }

    #[test]
    fn top_rate_of_a_share_is_that_of_its_own_connections() {
        let hold = |connections| {
            Load::Hold(HoldLoad {
                connections,
                pace: Rate::per_s(10),
                duration: Duration::from_secs(30),
                park: Park::Nothing,
                ping: Some(Duration::from_millis(10)),
                ports: Vec::new(),
            })
        };
        let per_s = |load: &Load, index, of| top_rate(load, index, of).map(|micro| micro / 1_000_000);
        for (connections, index, of, expected) in [(1, 0, 1000, 100), (1, 1, 2, 5), (3, 0, 2, 205), (3, 1, 2, 105)] {
            let found = per_s(&hold(connections), index, of);
            assert_eq!(found, Some(expected), "{connections} {index} of {of}");
        }
        let open = OpenLoad::constant(Rate::per_s(1000), Duration::from_secs(1), Arrivals::Even);
        assert_eq!(per_s(&Load::Open(open), 3, 4), Some(250));
    }

    #[test]
    fn load_that_no_plan_asks_for_is_none() {
        for json in [
            r#"{"model":"open","segments":[],"poisson":false}"#,
            r#"{"model":"open","segments":[[1,18446744073709551615,1]],"poisson":false}"#,
            r#"{"model":"open","segments":[[1,1,0]],"poisson":false}"#,
            r#"{"model":"closed","connections":1,"duration_ns":null,"requests":null,"think_ns":0,"pacing_ns":0}"#,
            r#"{"model":"hold","connections":1,"pace_micro_per_s":0,"duration_ns":1,"parks_request":true,"ping_ns":null,"ports":[]}"#,
        ] {
            let sent: SentLoad = serde_json::from_str(json).expect("the form");
            assert_eq!(sent.load(), None, "{json}");
        }
    }
}
