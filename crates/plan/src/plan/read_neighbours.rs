//! The neighbours of the service, out of a document.

use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::written::{At, Given, Place};
use crate::plan::document::{NeighbourDocument, SignDocument};
use crate::plan::target::{Command, Neighbour, NeighbourPlan, Sign};

impl Reader<'_> {
    pub(crate) fn beside(
        &mut self,
        given: &Given<At<Vec<At<NeighbourDocument>>>>,
    ) -> Result<Vec<NeighbourPlan>, PlanError> {
        match self.section("target.beside", given) {
            None => Ok(Vec::new()),
            Some(list) => self.each("target.beside", list, "neighbour", Self::neighbour),
        }
    }

    fn neighbour(&mut self, key: &str, section: &At<NeighbourDocument>) -> Result<NeighbourPlan, PlanError> {
        let name = self.required(&format!("{key}.name"), &section.value.name, section.place)?;
        let cpus = self.field(&format!("{key}.cpus"), &section.value.cpus)?;
        let command = self.command(&format!("{key}.command"), &section.value.command)?;
        let stand_in_key = format!("{key}.stand_in");
        let stand_in = self.section(&stand_in_key, &section.value.stand_in);
        let neighbour = match (command, stand_in) {
            (Some(command), None) => self.program(key, section, command)?,
            (None, Some(stand_in)) if section.value.is_program() => {
                let found = "a stand-in with `ready`, `env`, `working_dir`, `limits` or `stop_grace`";
                let expected = "`name`, `cpus` and `stand_in`: plimsoll starts it, and knows when it is ready";
                return Err(self.error(stand_in.place, Mismatch::new(found, expected)));
            }
            (None, Some(stand_in)) => Neighbour::StandIn(self.stand_in(&stand_in_key, stand_in)?),
            (None, None) => {
                let mismatch = Mismatch::new("no `command`", "the program to start, or a `stand_in` for it");
                return Err(self.error(section.place, mismatch));
            }
            (Some(_), Some(_)) => {
                let mismatch = Mismatch::new("`command` and `stand_in`", "one of them");
                return Err(self.error(section.place, mismatch));
            }
        };
        Ok(NeighbourPlan {
            name,
            neighbour,
            cpus: cpus.map_or_else(Vec::new, |cpus| cpus.0),
        })
    }

    fn program(
        &mut self,
        key: &str,
        section: &At<NeighbourDocument>,
        mut command: Command,
    ) -> Result<Neighbour, PlanError> {
        let neighbour = &section.value;
        command.env = self.env(&format!("{key}.env"), &neighbour.env)?;
        let working_dir = self.field(&format!("{key}.working_dir"), &neighbour.working_dir)?;
        command.working_dir = working_dir.map(|path| self.beside_plan(&path));
        command.limits = self.limits(&format!("{key}.limits"), &neighbour.limits)?;
        let grace = self.field(&format!("{key}.stop_grace"), &neighbour.stop_grace)?;
        command.stop_grace = grace.unwrap_or(command.stop_grace);
        let ready_key = format!("{key}.ready");
        let ready = match self.section(&ready_key, &neighbour.ready) {
            None => return Err(self.no_sign(section.place)),
            Some(ready) => {
                let timeout = self.field(&format!("{ready_key}.timeout"), &ready.value.timeout)?;
                command.ready.timeout = timeout.unwrap_or(command.ready.timeout);
                self.sign(&ready_key, ready)?
            }
        };
        Ok(Neighbour::Program {
            command: Box::new(command),
            ready,
        })
    }

    /// The one sign by which it is known that a neighbour is ready.
    fn sign(&mut self, key: &str, section: &At<SignDocument>) -> Result<Sign, PlanError> {
        let SignDocument { port, url, line, .. } = &section.value;
        let port = self.field(&format!("{key}.port"), port)?.map(Sign::Port);
        let url = match &url.0 {
            Some(url) => Some(Sign::Url(self.url(&format!("{key}.url"), url)?)),
            None => None,
        };
        let line = self.field(&format!("{key}.line"), line)?.map(Sign::Line);
        let mut signs = [port, url, line].into_iter().flatten();
        match (signs.next(), signs.next()) {
            (Some(sign), None) => Ok(sign),
            (None, _) => Err(self.no_sign(section.place)),
            (Some(_), Some(_)) => {
                let mismatch = Mismatch::new("several of `port`, `url` and `line`", "one of them");
                Err(self.error(section.place, mismatch))
            }
        }
    }

    fn no_sign(&self, place: Option<Place>) -> PlanError {
        let expected = "`port`, `url` or `line` in `ready`: what shows that the service can be started";
        self.error(place, Mismatch::new("no sign that the neighbour is ready", expected))
    }
}
