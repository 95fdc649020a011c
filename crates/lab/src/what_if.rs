//! What a diagnosis leaves out of the service: which of its causes can go without a change of the code, and the rounds that
//! measure the service without each.

use crate::comparison::{Comparing, VariantPlan};
use crate::error::LabError;
use crate::experiment::Options;
use crate::rounds::what_if_in;
use plimsoll_findings::{Cause, CauseKind, Event, What, WhatIf};
use plimsoll_measure::run_directory::Budget;
use plimsoll_plan::{Command, Load, OpenLoad, Plan, Rate, Shown};
use plimsoll_target::Removal;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Rounds of the service as it is and without the thing, …
const BLOCKS: u32 = 8;
/// … besides the first ones. The passes have just warmed up the machine and its files.
const UNUSED_BLOCKS: u32 = 1;
/// What is judged of a round, after at least so much warm-up.
const JUDGED: Duration = Duration::from_secs(3);
const WARM_UP: Duration = Duration::from_secs(3);
/// Causes that something is left out for, where nothing is named.
const CAUSES: usize = 3;

/// What is to be left out of the service, one after the other.
#[derive(Debug, Clone)]
pub struct WhatIfs {
    /// What the first causes come from, where it can be left out.
    pub of_causes: bool,
    /// What was named.
    pub named: Vec<Removal>,
    /// All of it together takes no longer than this, but for a round that has begun.
    pub budget: Duration,
}

impl WhatIfs {
    /// What is left out of a service with these causes: what was named first, and nothing twice.
    pub(crate) fn of(&self, causes: &[Cause]) -> Vec<Removal> {
        let mut removals: Vec<Removal> = Vec::new();
        let first: Vec<Removal> = match self.of_causes {
            true => first_of(causes),
            false => Vec::new(),
        };
        for removal in self.named.iter().cloned().chain(first) {
            if !removals.contains(&removal) {
                removals.push(removal);
            }
        }
        removals
    }
}

/// What the first causes come from that have something which can be left out.
fn first_of(causes: &[Cause]) -> Vec<Removal> {
    let mut removals = Vec::new();
    for removal in causes.iter().filter_map(removal_of) {
        if !removals.contains(&removal) {
            removals.push(removal);
        }
    }
    removals.truncate(CAUSES);
    removals
}

/// What a cause comes from, where the probe can leave it out. Middleware must be named: what it is there for only its
/// authors know.
fn removal_of(cause: &Cause) -> Option<Removal> {
    let through = match (&cause.what, &cause.via) {
        (What::Package { name, .. }, _) => name.as_str(),
        (_, Some(via)) => via.as_str(),
        (_, None) => "",
    };
    match through {
        "compression" | "koa-compress" | "@fastify/compress" => return Some(Removal::Compression),
        "etag" => return Some(Removal::Etag),
        _ => {}
    }
    match cause.kind {
        CauseKind::BlockingWrite if calls(cause, is_output) => Some(Removal::Log),
        CauseKind::SyncFileRead => Some(Removal::SyncRead),
        CauseKind::ModuleOrTemplatePerRequest | CauseKind::ConstructedPerRequest
            if !calls(cause, |function| function == "require") =>
        {
            Some(Removal::Construction)
        }
        _ => None,
    }
}

/// Whether a cause is calls of such a function.
fn calls(cause: &Cause, is: impl Fn(&str) -> bool) -> bool {
    matches!(&cause.what, What::Calls { functions, .. } if functions.iter().any(|function| is(function)))
}

/// A function that writes to standard output or standard error. Others write files.
fn is_output(function: &str) -> bool {
    function.starts_with("console.") || function.starts_with("process.std") || function == "fs.writeSync"
}

/// Which cause something was left out for.
pub(crate) fn number_of_cause(causes: &[Cause], without: &str) -> Option<u32> {
    let is = |cause: &Cause| removal_of(cause).is_some_and(|removal| removal.to_string() == without);
    causes.iter().position(is).map(|index| index as u32 + 1)
}

/// One thing that is left out, and how that is measured.
pub(crate) struct Removing<'a> {
    /// The plan of the diagnosis.
    pub(crate) plan: &'a Plan,
    /// Rate of the passes.
    pub(crate) rate: Rate,
    /// Least warm-up of a round, if the user said it.
    pub(crate) warm_up: Option<Duration>,
    /// What is judged of a pass: of a round no more than that.
    pub(crate) judged: Duration,
    /// The directory of the diagnosis.
    pub(crate) directory: &'a Path,
    pub(crate) options: &'a Options,
    pub(crate) until: Instant,
    pub(crate) stop: &'a AtomicBool,
}

impl Removing<'_> {
    /// Measures the service without this.
    ///
    /// # Errors
    /// When nothing of it could be kept.
    pub(crate) fn measure(&self, removal: &Removal, on_event: &mut dyn FnMut(Event<'_>)) -> Result<WhatIf, LabError> {
        let comparing = self.comparing(removal)?;
        let mut directory = None;
        let compared = comparing.compare(self.stop, |event| match event {
            Event::DirectoryCreated { path } => directory = Some(path.to_owned()),
            // The diagnosis goes on.
            Event::RoundsFinished => {}
            event => on_event(event),
        });
        let directory = match (compared, directory) {
            (Ok(compared), _) => compared.directory,
            // Why it could not go on is kept with its rounds.
            (Err(_), Some(directory)) => directory,
            (Err(error), None) => return Err(error),
        };
        let opened = plimsoll_measure::run_directory::open(&directory)?;
        what_if_in(&opened, &Budget::default())
    }

    fn comparing(&self, removal: &Removal) -> Result<Comparing, LabError> {
        let arrivals = match self.plan.load() {
            Load::Open(open) => open.arrivals,
            Load::Closed(_) | Load::Hold(_) => plimsoll_plan::Arrivals::default(),
        };
        let warm_up = self.warm_up.unwrap_or(WARM_UP);
        let judged = JUDGED.min(self.judged);
        let plan = self.plan.with(|plan| {
            plan.load = Load::Open(OpenLoad::constant(self.rate, warm_up + judged, arrivals));
            plan.judging.warm_up = warm_up;
            plan.judging.window = plan.judging.window.min(judged);
        })?;
        let command = plan.target().command.as_ref().map(Command::shown);
        let variant = |name: &str, what: Shown, without: &[Removal]| VariantPlan {
            name: name.to_owned(),
            what,
            plan: plan.clone(),
            revision: None,
            without: Some(without.to_vec()),
        };
        let what = Shown::of_text(&removal.to_string());
        let variants = vec![
            variant("as it is", command.unwrap_or_default(), &[]),
            variant("without", what, std::slice::from_ref(removal)),
        ];
        Ok(Comparing {
            unused_blocks: UNUSED_BLOCKS,
            until: Some(self.until),
            options: self.options.clone(),
            ..Comparing::of(variants, BLOCKS, self.directory.to_owned())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_findings::Evidence;

    fn cause(kind: CauseKind, what: What, via: Option<&str>) -> Cause {
        Cause {
            via: via.map(str::to_owned),
            ..Cause::new(kind, what, Evidence::Profile { share: 0.2 })
        }
    }

    fn calls_of(kind: CauseKind, function: &str) -> Cause {
        let what = What::Calls {
            functions: vec![function.to_owned()],
            again: false,
            stop_loop: false,
        };
        cause(kind, what, None)
    }

    #[test]
    fn causes_have_what_can_be_left_out() {
        let package = |name: &str| {
            cause(
                CauseKind::PackageHot,
                What::Package {
                    name: name.to_owned(),
                    function: None,
                },
                None,
            )
        };
        let zlib = What::Kind {
            kind: CauseKind::SyncZlib,
        };
        for (cause, expected) in [
            (calls_of(CauseKind::BlockingWrite, "console.log"), Some(Removal::Log)),
            (
                calls_of(CauseKind::BlockingWrite, "process.stdout.write"),
                Some(Removal::Log),
            ),
            (calls_of(CauseKind::BlockingWrite, "fs.appendFileSync"), None),
            (
                calls_of(CauseKind::SyncFileRead, "fs.readFileSync"),
                Some(Removal::SyncRead),
            ),
            (
                calls_of(CauseKind::ModuleOrTemplatePerRequest, "ejs.compile"),
                Some(Removal::Construction),
            ),
            (calls_of(CauseKind::ModuleOrTemplatePerRequest, "require"), None),
            (package("compression"), Some(Removal::Compression)),
            (
                cause(CauseKind::SyncZlib, zlib, Some("compression")),
                Some(Removal::Compression),
            ),
            (package("etag"), Some(Removal::Etag)),
            (package("express"), None),
        ] {
            assert_eq!(removal_of(&cause), expected, "{cause:?}");
        }
    }

    #[test]
    fn named_things_come_first_and_nothing_twice() {
        let causes = [
            calls_of(CauseKind::SyncFileRead, "fs.statSync"),
            calls_of(CauseKind::SyncFileRead, "fs.readFileSync"),
            calls_of(CauseKind::BlockingWrite, "console.log"),
        ];
        let session: Removal = "middleware:session".parse().expect("a name");
        let what_ifs = WhatIfs {
            of_causes: true,
            named: vec![session.clone(), Removal::Log],
            budget: Duration::ZERO,
        };
        assert_eq!(what_ifs.of(&causes), [session, Removal::Log, Removal::SyncRead]);
        assert_eq!(number_of_cause(&causes, "log"), Some(3));
        assert_eq!(number_of_cause(&causes, "etag"), None);
    }
}
