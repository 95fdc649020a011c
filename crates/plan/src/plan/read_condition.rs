//! What has to be so, from a document.

use crate::notation::error::PlanError;
use crate::notation::mismatch::{Mismatch, quoted};
use crate::notation::reader::Reader;
use crate::notation::written::{At, Place};
use crate::notation::{Notation as _, environment};
use crate::plan::condition::{Comparison, Condition, NumberText, is_number};
use crate::plan::condition_document::{ComparisonFields, ConditionDocument, ConditionFields};
use crate::plan::variable::Variable;
use crate::secrets::REDACTED;

impl Reader<'_> {
    pub(crate) fn condition_at(
        &mut self,
        key: &str,
        section: Option<&At<ConditionDocument>>,
        variables: &[Variable],
    ) -> Result<Option<Condition>, PlanError> {
        let Some(section) = section else { return Ok(None) };
        self.remember(key, section.place);
        self.condition(key, (&section.value).into(), section.place, variables)
            .map(Some)
    }

    pub(crate) fn condition(
        &mut self,
        key: &str,
        fields: ConditionFields<'_>,
        place: Option<Place>,
        variables: &[Variable],
    ) -> Result<Condition, PlanError> {
        const EXPECTED: &str = "one of `value`, `all`, `any` and `not`";
        let ConditionFields {
            value,
            compared,
            all,
            any,
            not,
        } = fields;
        let given = [value.0.is_some(), all.0.is_some(), any.0.is_some(), not.0.is_some()];
        match given.iter().filter(|given| **given).count() {
            0 => return Err(self.error(place, Mismatch::new("no condition", EXPECTED))),
            1 => {}
            _ => {
                let mismatch = Mismatch::new("several conditions in one", EXPECTED);
                return Err(self.error(place, mismatch.hint("write them as a list, in `all` or in `any`")));
            }
        }
        if let (None, Some((relation, written))) = (&value.0, compared.given().next()) {
            let found = format!("`{}` without a `value`", relation.word());
            return Err(self.error(written.place, Mismatch::new(found, "what is compared, at `value`")));
        }
        let makers: [fn(Vec<Condition>) -> Condition; 2] = [Condition::All, Condition::Any];
        for ((word, section), made) in [("all", all), ("any", any)].into_iter().zip(makers) {
            let key = format!("{key}.{word}");
            if let Some(section) = self.section(&key, section) {
                let conditions = self.each(&key, section, "condition", |reader, key, section| {
                    reader.condition(key, (&section.value).into(), section.place, variables)
                });
                return conditions.map(made);
            }
        }
        if let Some(not) = self.condition_at(&format!("{key}.not"), not.0.as_deref(), variables)? {
            return Ok(Condition::Not(Box::new(not)));
        }
        let names: Vec<&str> = variables.iter().map(|variable| variable.name.as_str()).collect();
        let key_of_value = format!("{key}.value");
        let value = self.template(&key_of_value, value, &names, false)?;
        let value = value.ok_or_else(|| self.missing::<String>(&key_of_value, place))?;
        let comparison = self.comparison(key, compared, place, &names)?;
        let comparison = comparison.ok_or_else(|| {
            let expected = "`is`, `is not`, `below`, `at most`, `at least` or `above`";
            self.error(place, Mismatch::new("a `value` that is not compared", expected))
        })?;
        Ok(Condition::Value(value, comparison))
    }

    /// What a value is to be, if that is given.
    pub(crate) fn comparison(
        &mut self,
        key: &str,
        fields: ComparisonFields<'_>,
        place: Option<Place>,
        names: &[&str],
    ) -> Result<Option<Comparison>, PlanError> {
        let mut given = fields.given();
        let Some((relation, written)) = given.next() else {
            return Ok(None);
        };
        if let Some((other, _)) = given.next() {
            let found = format!("`{}` and `{}`", relation.word(), other.word());
            let mismatch = Mismatch::new(found, "one of them");
            return Err(self.error(
                place,
                mismatch.hint("each comparison is one of its own, with its value"),
            ));
        }
        self.remember(&format!("{key}.{}", relation.word()), written.place);
        let with = self.read_text(&written, |text| {
            let with = self.parse_template(text, names, false)?;
            let is_fit = |bytes: &[u8]| is_number(bytes) || bytes == REDACTED.as_bytes();
            match with.as_literal() {
                Some(bytes) if relation.is_of_numbers() && !is_fit(bytes) => {
                    Err(Mismatch::new(quoted(text), NumberText::EXPECTED).plain_if(!environment::is_in(text)))
                }
                _ => Ok(with),
            }
        })?;
        Ok(Some(Comparison { relation, with }))
    }
}
