//! How often users do actions, from a document.

use crate::notation::Notation;
use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::written::{At, Entries, OneOrMany, Written};
use crate::plan::action::{Count, Each, EachOf, Rounds, RoundsBy};
use crate::plan::scenario_document::RepeatDocument;
use crate::plan::template::Piece;
use crate::plan::variable::Variable;

impl Reader<'_> {
    pub(crate) fn rounds(
        &mut self,
        key: &str,
        section: &At<RepeatDocument>,
        variables: &[Variable],
    ) -> Result<Rounds, PlanError> {
        const EXPECTED: &str = "`times`, `for each`, or `until` or `while` and `at most`";
        let repeat = &section.value;
        let times = self.field(&format!("{key}.times"), &repeat.times)?;
        let at_most = self.field(&format!("{key}.at most"), &repeat.at_most)?;
        let ends = [
            repeat.times.0.is_some(),
            repeat.until.0.is_some(),
            repeat.while_so.0.is_some(),
            repeat.for_each.0.is_some(),
        ];
        if ends.iter().filter(|given| **given).count() > 1 {
            let found = "a `repeat` with several ends";
            return Err(self.error(section.place, Mismatch::new(found, format!("one of them: {EXPECTED}"))));
        }
        let until = self.condition_at(&format!("{key}.until"), repeat.until.0.as_ref(), variables)?;
        let while_so = self.condition_at(&format!("{key}.while"), repeat.while_so.0.as_ref(), variables)?;
        let each = match self.section(&format!("{key}.for each"), &repeat.for_each) {
            Some(each) => Some(self.for_each(&format!("{key}.for each"), each, variables)?),
            None => None,
        };
        let (most, by) = match (times, at_most, until, while_so, each) {
            (Some(times), None, None, None, None) => (times, RoundsBy::Times),
            (None, Some(most), Some(until), None, None) => (most, RoundsBy::Until(until)),
            (None, Some(most), None, Some(so), None) => (most, RoundsBy::While(so)),
            (None, most, None, None, Some(each)) => (most.unwrap_or(Rounds::MOST), RoundsBy::Each(each)),
            _ => {
                let mismatch = Mismatch::new("a `repeat` without an end", EXPECTED);
                return Err(self.error(section.place, mismatch));
            }
        };
        let count = match self.section(&format!("{key}.count"), &repeat.count) {
            Some(count) => Some(self.count(&format!("{key}.count"), count, variables)?),
            None => None,
        };
        Ok(Rounds {
            most,
            by,
            count,
            every: self.field(&format!("{key}.every"), &repeat.every)?.unwrap_or_default(),
            actions: self.inner(key, &repeat.actions, section.place, variables)?,
        })
    }

    fn for_each(
        &mut self,
        key: &str,
        section: &At<Entries<OneOrMany<String>>>,
        variables: &[Variable],
    ) -> Result<Each, PlanError> {
        let (variable, name, list) = self.named(key, section, "a name and its list", variables)?;
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let of = match list {
            OneOrMany::Many(values, place) => {
                if values.is_empty() {
                    return Err(self.error(*place, Mismatch::new("an empty list", "at least one value")));
                }
                let values = values.iter().map(|value| self.template_in(value, &names, false));
                EachOf::Values(values.collect::<Result<_, _>>()?)
            }
            OneOrMany::One(written) => {
                let template = self.template_in(written, &names, false)?;
                let mut pieces = template.reveal();
                match (pieces.next(), pieces.next()) {
                    (Some(Piece::Variable(list)), None) => EachOf::Variable(list),
                    _ => {
                        let expected = "a list of values, or the variable that is one, such as `${ids}`";
                        return Err(self.error(written.place, Mismatch::new("a text", expected)));
                    }
                }
            }
        };
        self.remember(&format!("{key}.{name}"), section.place);
        Ok(Each { variable, of })
    }

    fn count(
        &mut self,
        key: &str,
        section: &At<Entries<Written<u64>>>,
        variables: &[Variable],
    ) -> Result<Count, PlanError> {
        let (variable, name, from) = self.named(key, section, "a name and the number of the first round", variables)?;
        let from = self.written(&format!("{key}.{name}"), from)?;
        Ok(Count { variable, from })
    }

    /// The only entry of a section: the variable of a value that users keep, its name, and what stands there.
    fn named<'s, N>(
        &mut self,
        key: &str,
        section: &'s At<Entries<N>>,
        expected: &str,
        variables: &[Variable],
    ) -> Result<(usize, String, &'s N), PlanError> {
        self.remember(key, section.place);
        let [(written, value)] = section.value.0.as_slice() else {
            let found = match section.value.0.len() {
                0 => "nothing".to_owned(),
                several => format!("{several} names"),
            };
            return Err(self.error(section.place, Mismatch::new(found, format!("{expected}, once"))));
        };
        let place = written.place;
        let name = self.read_with(written, String::read)?;
        let variable = self.kept_named(&name, place, variables)?;
        Ok((variable, name, value))
    }
}

impl RepeatDocument {
    /// Names of values that users keep because of it.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Written<String>> {
        let each = self
            .for_each
            .0
            .iter()
            .flat_map(|each| &each.value.0)
            .map(|(name, _)| name);
        let count = self
            .count
            .0
            .iter()
            .flat_map(|count| &count.value.0)
            .map(|(name, _)| name);
        each.chain(count)
    }
}
