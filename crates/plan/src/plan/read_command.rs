//! What is started: command, environment and limits, of the service and of its neighbours.

use crate::notation::Notation as _;
use crate::notation::command_line::split_command;
use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::written::{At, Entries, Given, OneOrMany, Written};
use crate::plan::document::LimitsDocument;
use crate::plan::limits::Limits;
use crate::plan::target::Command;
use crate::secrets::Secret;

impl Reader<'_> {
    /// The command that `key` holds, as a line or as a list of words.
    pub(crate) fn command(
        &mut self,
        key: &str,
        given: &Given<OneOrMany<String>>,
    ) -> Result<Option<Command>, PlanError> {
        Ok(match &given.0 {
            None => None,
            Some(OneOrMany::One(line)) => {
                self.remember(key, line.place);
                Some(Command::new(self.read_text(line, |line| self.command_line(line))?))
            }
            Some(OneOrMany::Many(words, place)) => {
                self.remember(key, *place);
                let words = words.iter().map(|word| self.expanded(word));
                Some(Command::new(words.collect::<Result<Vec<_>, _>>()?))
            }
        })
    }

    /// What is added to an environment.
    pub(crate) fn env(
        &mut self,
        key: &str,
        given: &Given<At<Entries<Written<String>>>>,
    ) -> Result<Vec<(String, Secret)>, PlanError> {
        let Some(entries) = self.section(key, given) else {
            return Ok(Vec::new());
        };
        let entry = |(name, value): &(Written<String>, Written<String>)| {
            let name = self.read_with(name, String::read)?;
            self.remember(&format!("{key}.{name}"), value.place);
            Ok((name, self.expanded(value)?))
        };
        entries.value.0.iter().map(entry).collect()
    }

    pub(crate) fn limits(&mut self, key: &str, given: &Given<At<LimitsDocument>>) -> Result<Limits, PlanError> {
        let Some(At { value: limits, .. }) = self.section(key, given) else {
            return Ok(Limits::default());
        };
        Ok(Limits {
            cpu: self.field(&format!("{key}.cpu"), &limits.cpu)?,
            memory: self.field(&format!("{key}.memory"), &limits.memory)?,
            pids: self.field(&format!("{key}.pids"), &limits.pids)?,
        })
    }

    /// Values of the environment are put into the words of a line, and never split into several.
    fn command_line(&self, line: &str) -> Result<Vec<Secret>, Mismatch> {
        let words = split_command(line)?;
        let expand = |word: &String| self.expand(word).map_err(Mismatch::of_whole);
        words.iter().map(expand).collect()
    }
}
