//! Which kind of run it is.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// What a run is for: it decides what is done with the plan, and what its records are judged by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RunKind {
    /// Searches the load line.
    Capacity,
    /// Makes the load of the plan and judges it.
    Run,
    /// The same, for a load given in a few flags.
    Bench,
    /// Holds connections open, given in a few flags.
    Hold,
    /// Disturbs the service, and watches how it comes back.
    Shock,
    /// Holds a load for long, and watches whether the service grows.
    Soak,
    /// Explains what limits the service, from the runs in it.
    Diagnose,
    /// The pass of a diagnosis without probe.
    Plain,
    /// The pass of a diagnosis with counters in the service.
    Counters,
    /// The pass of a diagnosis with a CPU profile of the service.
    Profile,
}

impl RunKind {
    /// All of them, in the order of their definition.
    pub const ALL: [Self; 10] = [
        Self::Capacity,
        Self::Run,
        Self::Bench,
        Self::Hold,
        Self::Shock,
        Self::Soak,
        Self::Diagnose,
        Self::Plain,
        Self::Counters,
        Self::Profile,
    ];

    /// Name in records, in findings and of run directories.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Run => "run",
            Self::Bench => "bench",
            Self::Hold => "hold",
            Self::Shock => "shock",
            Self::Soak => "soak",
            Self::Diagnose => "diagnose",
            Self::Plain => "plain",
            Self::Counters => "counters",
            Self::Profile => "profile",
        }
    }
}

impl fmt::Display for RunKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_one_name() {
        for kind in RunKind::ALL {
            let json = serde_json::to_string(&kind).expect("a name");
            assert_eq!(json, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<RunKind>(&json).expect("the same"), kind);
        }
    }
}
