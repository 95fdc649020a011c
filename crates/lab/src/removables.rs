//! What the probe can leave out of the service, and whether it did.

use crate::error::LabError;
use plimsoll_measure::probe::Removable;
use plimsoll_target::Removal;

/// Things that are remembered.
const MOST: usize = 256;
/// Things that an error names.
const NAMED_MAX: usize = 12;

/// What threads of the service said of it.
#[derive(Debug, Default)]
pub(crate) struct Removables {
    found: Vec<Removable>,
    removed: Vec<Removable>,
}

impl Removables {
    pub(crate) fn found(&mut self, removable: &Removable) {
        remember(&mut self.found, removable);
    }

    pub(crate) fn removed(&mut self, removable: &Removable) {
        remember(&mut self.removed, removable);
    }

    /// Whether the service has it, guard or not.
    pub(crate) fn has(&self, removal: &Removal) -> bool {
        self.found.iter().any(|found| is(removal, found))
    }

    /// Whether the service has it and it can be left out.
    pub(crate) fn look(&self, removal: &Removal) -> Result<(), LabError> {
        let mut named = self.found.iter().filter(|found| is(removal, found)).peekable();
        if named.peek().is_none() {
            return Err(refused(removal, "the service has nothing of that name", self.names()));
        }
        match named.all(|found| found.guards) {
            true => Err(refused(
                removal,
                "it decides which requests get through",
                "what authenticates, authorizes, validates or limits is never left out".to_owned(),
            )),
            false => Ok(()),
        }
    }

    /// Whether a removal took effect.
    pub(crate) fn check(&self, removal: &Removal) -> Result<(), LabError> {
        if self.removed.iter().any(|removed| is(removal, removed)) {
            return Ok(());
        }
        self.look(removal)?;
        Err(refused(
            removal,
            "no request came to it",
            "check that the plan asks for what uses it".to_owned(),
        ))
    }

    /// What could be left out instead.
    fn names(&self) -> String {
        let mut names: Vec<String> = self.found.iter().filter(|found| !found.guards).map(named).collect();
        names.sort();
        names.dedup();
        if names.is_empty() {
            return "the probe knows middleware of Express, Koa, Hono and Nest, and hooks of Fastify, where they are not bundled"
                .to_owned();
        }
        let more = names.len().saturating_sub(NAMED_MAX);
        names.truncate(NAMED_MAX);
        let rest = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!("it has {}{rest}", names.join(", "))
    }
}

fn refused(removal: &Removal, found: &str, hint: String) -> LabError {
    LabError::Removal {
        name: removal.to_string(),
        found: found.to_owned(),
        hint: Some(hint),
    }
}

fn remember(list: &mut Vec<Removable>, removable: &Removable) {
    if list.len() < MOST && !list.contains(removable) {
        list.push(removable.clone());
    }
}

fn is(removal: &Removal, removable: &Removable) -> bool {
    let place = removable.place.as_ref().map(|place| (place.file.as_str(), place.line));
    removal.is(&removable.name, place)
}

/// `middleware:logger (app.js:12)`.
fn named(removable: &Removable) -> String {
    match &removable.place {
        Some(place) => {
            let file = place.file.rsplit(['/', '\\']).next().unwrap_or_default();
            format!("{} ({file}:{})", removable.name, place.line)
        }
        None => removable.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::Removables;
    use plimsoll_measure::probe::{Removable, SiteFrame};

    fn middleware(name: &str, line: u32, guards: bool) -> Removable {
        Removable {
            name: format!("middleware:{name}"),
            place: Some(SiteFrame {
                file: "/srv/app.js".to_owned(),
                line,
                ..SiteFrame::default()
            }),
            guards,
        }
    }

    #[test]
    fn what_was_not_left_out_says_why() {
        let mut removables = Removables::default();
        for found in [
            middleware("logger", 11, false),
            middleware("requireLogin", 12, true),
            middleware("anonymous", 13, false),
        ] {
            removables.found(&found);
        }
        removables.removed(&middleware("logger", 11, false));
        let check = |name: &str| {
            let found = removables.check(&name.parse().expect(name));
            found.map_err(|error| format!("{error}; {}", error.hint().expect("a hint")))
        };
        assert_eq!(check("middleware:logger"), Ok(()));
        assert_eq!(check("middleware:app.js:11"), Ok(()));
        for (name, expected) in [
            (
                "middleware:requireLogin",
                "leave out middleware:requireLogin: it decides which requests get through; \
                 what authenticates, authorizes, validates or limits is never left out",
            ),
            (
                "middleware:app.js:13",
                "leave out middleware:app.js:13: no request came to it; check that the plan asks for what uses it",
            ),
            (
                "middleware:morgan",
                "leave out middleware:morgan: the service has nothing of that name; \
                 it has middleware:anonymous (app.js:13), middleware:logger (app.js:11)",
            ),
        ] {
            assert_eq!(check(name), Err(expected.to_owned()));
        }
    }
}
