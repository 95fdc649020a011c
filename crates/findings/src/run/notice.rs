//! What the reader should know besides.

use super::{EndedBecause, ExampleFinding, Late, Unjudged, Unsteady};
use crate::metric::Metric;
use crate::objective::Condition;
use crate::responses::ResponsesBeside;
use plimsoll_measure::{Resource, RunKind};
use schemars::JsonSchema;
use serde::Serialize;

/// Something that the reader should know.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Notice {
    /// The user stopped the run.
    Interrupted(Noted),
    /// The service ended by itself; it was said with its exit status and last lines.
    TargetDied(Noted),
    /// The same, after the kernel ended a process of the service because memory ran out.
    OutOfMemory(Noted),
    /// A neighbour of the service ended by itself; it was said which, with its exit status and last lines.
    NeighbourDied(Noted),
    /// Another process got connections that were meant for the service.
    PortTaken(Noted),
    /// An agent of the fleet went wrong, so that the load was not the one that was asked for.
    AgentLost(Noted),
    /// Records that were written are not there any more.
    Torn(Noted),
    /// Something that weakens the result and was noted during the run.
    Warning(Noted),
    /// More was noted during the run than is kept.
    NotesLeftOut {
        /// How many notes.
        count: u32,
    },
    /// The run could not go on.
    CouldNotGoOn {
        /// What was said of it.
        why: String,
    },
    /// The stream of records has no end: it was cut off, or the run still goes on.
    NoEnd,
    /// Histograms are lost, so percentiles of whole steps are not known.
    HistogramsLost,
    /// The generator was late, so the run is invalid.
    GeneratorLate {
        /// What it lacked.
        because: Late,
    },
    /// The generator came near the end of something.
    GeneratorNearLimit {
        /// Of what.
        resource: Resource,
        /// What was taken.
        taken: u64,
        /// All there is.
        of: u64,
    },
    /// The budget of the search ended before both ends of its bracket were confirmed.
    NotConverged,
    /// More windows failed at rates up to the load line than the plan forgives.
    FailedBelowLine {
        /// Windows that failed.
        failed: u32,
        /// Windows that were judged.
        judged: u32,
    },
    /// One step alone makes the interval of the load line reach far beyond its bracket.
    IntervalFromStep {
        /// Whether rates are in users per second, and not in requests.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        users: bool,
        /// Whether users at a time were searched: both rates are such numbers then.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        at_a_time: bool,
        /// Number of the step, from 0.
        step: u32,
        /// Its rate, requests per second.
        rate_per_s: f64,
        /// Whether it moves the upper end; else the lower one.
        upper: bool,
        /// Where that end would be without it, requests per second.
        without_per_s: f64,
    },
    /// At the load line in users, Little's law does not give the users there were.
    LittlesLawBroken {
        /// Users there were.
        users: u64,
        /// Users by the law.
        by_law: f64,
    },
    /// One core's worth of CPU was used while others were idle.
    OneCoreFull {
        /// Cores that the service kept busy.
        busy_cores: f64,
        /// Cores that it may use.
        cores: u32,
    },
    /// One of several instances of the service is much busier than the others.
    UnevenInstances {
        /// Its number.
        number: u32,
        /// Its process.
        pid: u32,
        /// Busy share of its main thread, 0 to 1.
        main_thread_share: f64,
        /// How many others there are.
        others: u32,
        /// That of theirs, in the mean.
        others_share: f64,
    },
    /// Instances of the service ended while it was under load.
    InstancesChanged {
        /// How many ended.
        ended: u32,
        /// How many were started meanwhile.
        started: u32,
    },
    /// More instances serve than the limit of CPU has cores.
    InstancesBeyondLimit {
        /// How many there are.
        instances: u32,
        /// The quota, in cores.
        cpu_cores: f64,
    },
    /// A quota of CPU time kept the service from running where an objective broke.
    Throttled {
        /// Whether rates are in users per second, and not in requests.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        users: bool,
        /// The quota, in cores.
        cpu_cores: f64,
        /// For how much of each second, ms.
        throttled_ms_per_s: f64,
        /// The offered rate there, requests per second; `None` where it is not constant or the model is closed.
        offered_per_s: Option<f64>,
    },
    /// The kernel ended processes of the service because memory ran out, and the service went on.
    ProcessesKilled {
        /// How many.
        kills: u64,
        /// The bound of memory, bytes.
        memory_limit_bytes: Option<u64>,
    },
    /// Most responses are redirects.
    Redirects {
        /// How many.
        count: u64,
        /// Responses.
        completed: u64,
        /// The first of them.
        first: Option<ExampleFinding>,
    },
    /// Most responses have statuses of errors that the plan expects.
    ErrorStatuses {
        /// How many.
        count: u64,
        /// Responses.
        completed: u64,
    },
    /// Requests met kept connections that the service was closing.
    KeepAliveRaces {
        /// How many.
        count: u64,
        /// How many of them were sent again.
        repeated: u64,
        /// Share of the finished requests, 0 to 1.
        share: f64,
        /// They are so many that they count as errors.
        charged: bool,
        /// The first of them.
        first: Option<ExampleFinding>,
    },
    /// Bytes came that no request had asked for.
    UnrequestedBytes {
        /// Connections that were given up for that.
        connections: u64,
        /// The first of them.
        first: Option<ExampleFinding>,
    },
    /// Nothing at all was judged.
    NothingJudged {
        /// Why.
        because: Unjudged,
    },
    /// An objective was not judged.
    Unjudged {
        /// Which.
        objective: Condition,
        /// Why.
        because: Unjudged,
    },
    /// The service ran before the diagnosis, so nothing was counted in it.
    NotCounted,
    /// The probe counted nothing.
    NothingCounted,
    /// All requests of the plan are equal, so what they ask other services for again may be the doing of the plan.
    RequestsAllAlike,
    /// There is no CPU profile.
    NoProfile,
    /// So few samples of the profile show a cause that its share of the busy time is known worse than to itself.
    FewSamples {
        /// Its kind.
        cause: String,
        /// How many.
        samples: u64,
        /// Lower end of the interval of the share, 0 to 1, at 95 %.
        low: f64,
        /// Its upper end.
        high: f64,
    },
    /// A diagnosis lacks passes.
    DiagnosisIncomplete {
        /// What was said of it.
        why: String,
    },
    /// A diagnosis was cut off.
    DiagnosisCutOff {
        /// The first run of it that was not made.
        before: Option<RunKind>,
    },
    /// A metric of a check is worse than on earlier days, by more than the machine moves between days.
    WorseThanBefore {
        /// Which.
        figure: Metric,
        /// What it is.
        value: f64,
        /// What it was on earlier days, in the geometric mean.
        usual: f64,
        /// Another day as they were is beyond this once in a hundred times.
        bound: f64,
        /// How many days.
        days: u32,
    },
    /// A check has a history with too few earlier days to say how much the machine moves between them.
    TooLittleHistory {
        /// Earlier days on this machine.
        days: u32,
        /// How many it takes.
        least: u32,
    },
    /// A check has a history, and nothing tells this machine from others.
    MachineUnknown,
    /// Load lines that are compared may be higher, because nothing above them failed.
    LoadLinesOpenEnded {
        /// Rounds with such a line.
        rounds: usize,
        /// All rounds that are used.
        used: usize,
        /// Why the search ended in the first of them.
        ended_because: EndedBecause,
    },
    /// The service still warmed up while rounds were judged.
    WarmingUp {
        /// The share by which its CPU per request fell within the rounds.
        fell: f64,
    },
    /// The service was judged, although it was not warm when its warm-up had taken as long as it may.
    NotWarm {
        /// How long that was, seconds.
        waited_s: f64,
        /// What was not steady.
        because: Unsteady,
    },
    /// The service responds otherwise in the second variant than in the first.
    ResponsesDiffer(ResponsesBeside),
    /// A notice of one round, whose figures are of that round alone.
    InRound {
        /// Number of the round, from 0.
        round: u32,
        /// Its variant.
        variant: String,
        /// What is to be known of it.
        notice: Box<Notice>,
    },
}

/// What was noted during the run, in the words of then.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Noted {
    /// What was said.
    pub said: String,
    /// What to do about it, as was said.
    pub advice: Option<String>,
}

impl Notice {
    /// The same of a run whose rates are in users per second.
    #[must_use]
    pub fn in_users(mut self) -> Self {
        if let Self::IntervalFromStep { users, .. } | Self::Throttled { users, .. } = &mut self {
            *users = true;
        }
        self
    }

    /// It weakens the result of whatever run it is of.
    #[must_use]
    pub const fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::Warning(_)
                | Self::NotesLeftOut { .. }
                | Self::CouldNotGoOn { .. }
                | Self::HistogramsLost
                | Self::FailedBelowLine { .. }
                | Self::IntervalFromStep { .. }
                | Self::LittlesLawBroken { .. }
                | Self::OneCoreFull { .. }
                | Self::UnevenInstances { .. }
                | Self::InstancesChanged { .. }
                | Self::InstancesBeyondLimit { .. }
                | Self::Throttled { .. }
                | Self::ProcessesKilled { .. }
                | Self::FewSamples { .. }
                | Self::WorseThanBefore { .. }
        )
    }

    /// The responses, or the service, were not what one thinks one measures. Each run that saw this has its own figures
    /// of it.
    #[must_use]
    pub const fn says_what_was_measured(&self) -> bool {
        matches!(
            self,
            Self::Redirects { .. } | Self::ErrorStatuses { .. } | Self::UnrequestedBytes { .. } | Self::NotWarm { .. }
        )
    }

    /// It tells a reader the same as `other`.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        let hundredths = |cores: f64| (cores * 100.0).round();
        match (self, other) {
            (
                Self::OneCoreFull {
                    busy_cores: mine,
                    cores,
                },
                Self::OneCoreFull {
                    busy_cores: theirs,
                    cores: of,
                },
            ) => cores == of && hundredths(*mine) == hundredths(*theirs),
            // Of one service, in other figures.
            (Self::NotWarm { .. }, Self::NotWarm { .. }) => true,
            _ => self == other,
        }
    }
}
