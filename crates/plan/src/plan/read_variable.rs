//! Where the values of a variable come from, from a document.

use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::written::At;
use crate::plan::now::Now;
use crate::plan::table::RowOrder;
use crate::plan::variable::{Draw, UuidKind, Values};
use crate::plan::variable_document::VariableDocument;

/// What a random text consists of unless the plan says otherwise.
const CHARACTERS: &str = "abcdefghijklmnopqrstuvwxyz0123456789";

impl Reader<'_> {
    /// The values of a variable that is no table.
    pub(super) fn variable(&mut self, name: &str, section: &At<VariableDocument>) -> Result<Values, PlanError> {
        let key = format!("scenario.variables.{name}");
        self.remember(&key, section.place);
        let variable = &section.value;
        let sources = [
            ("a range", variable.from.0.is_some() || variable.to.0.is_some()),
            ("`values`", variable.values.0.is_some()),
            ("`uuid`", variable.uuid.0.is_some()),
            ("`length`", variable.length.0.is_some()),
            ("`now`", variable.now.0.is_some()),
        ];
        let mut given = sources.iter().filter(|(_, given)| *given).map(|(source, _)| *source);
        let Some(source) = given.next() else {
            let expected = "`from` and `to`, `values`, `uuid`, `length`, `now`, or `file`";
            return Err(self.error(section.place, Mismatch::new("a variable without values", expected)));
        };
        if let Some(other) = given.next() {
            return Err(self.error(
                section.place,
                Mismatch::new(format!("{source} and {other}"), "one of them"),
            ));
        }
        let order = self.field(&format!("{key}.order"), &variable.order)?;
        let anew = self.field(&format!("{key}.anew"), &variable.anew)?;
        // What belongs to another source than this one.
        let of_files = "the `file` of a table";
        let by_chance = matches!(source, "`uuid`" | "`length`") || order == Some(RowOrder::Random);
        let beside = [
            ("columns", variable.columns.0.is_some(), of_files),
            ("separator", variable.separator.0.is_some(), of_files),
            ("once", variable.once.0.is_some(), of_files),
            (
                "characters",
                variable.characters.0.is_some() && source != "`length`",
                "the `length` of a random text",
            ),
            ("offset", variable.offset.0.is_some() && source != "`now`", "`now`"),
            (
                "order",
                order.is_some() && !matches!(source, "a range" | "`values`"),
                "`from` and `to`, `values`, or the `file` of a table",
            ),
            (
                "anew",
                anew.is_some() && !by_chance,
                "`uuid`, `length` or `order: random`",
            ),
        ];
        if let Some((key, _, of)) = beside.iter().find(|(_, given, _)| *given) {
            let mismatch = Mismatch::new(format!("`{key}` of {source}"), format!("{of} beside it"));
            return Err(self.error(section.place, mismatch));
        }
        let draw = Draw {
            seed: 0,
            anew: anew.unwrap_or_default(),
        };
        if let Some(UuidKind::Random) = self.field(&format!("{key}.uuid"), &variable.uuid)? {
            return Ok(Values::Uuid(draw));
        }
        if let Some(length) = self.field(&format!("{key}.length"), &variable.length)? {
            let characters = self.field(&format!("{key}.characters"), &variable.characters)?;
            return Ok(Values::Text {
                length: length as usize,
                characters: characters.as_deref().unwrap_or(CHARACTERS).chars().collect(),
                draw,
            });
        }
        if let Some(format) = self.field(&format!("{key}.now"), &variable.now)? {
            let offset = self.field(&format!("{key}.offset"), &variable.offset)?;
            return Ok(Values::Now(Now {
                format,
                offset: offset.unwrap_or_default(),
            }));
        }
        let from = self.field(&format!("{key}.from"), &variable.from)?;
        let to = self.field(&format!("{key}.to"), &variable.to)?;
        let values = match (self.section(&format!("{key}.values"), &variable.values), to) {
            (Some(values), _) => {
                let numbered = values.value.iter().enumerate();
                let texts = numbered.map(|(index, text)| {
                    self.remember(&format!("{key}.values[{index}]"), text.place);
                    self.expanded(text)
                });
                Values::List(texts.collect::<Result<_, _>>()?)
            }
            (None, Some(to)) => Values::Range {
                from: from.unwrap_or(1),
                to,
            },
            (None, None) => {
                return Err(self.error(section.place, Mismatch::new("`from` without `to`", "`from` and `to`")));
            }
        };
        Ok(match order.unwrap_or_default() {
            RowOrder::InTurn => values,
            RowOrder::Shuffled => Values::Shuffled {
                of: Box::new(values),
                seed: 0,
            },
            RowOrder::Random => Values::Random {
                of: Box::new(values),
                draw,
            },
        })
    }
}
