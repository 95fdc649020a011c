//! Conditions of controllers, as far as plans have them.

use crate::expression::{Syntax, read};
use crate::holds::Holds;
use crate::text::Text;
use plimsoll_plan::Relation;

/// Functions whose argument is the condition.
const FUNCTIONS: [&str; 5] = ["__jexl3", "__jexl2", "__jexl", "__groovy", "__javaScript"];

/// Reads the condition of a controller that is done or not: a value alone has to be `true`, and of no condition nothing is. `None` of one that no
/// plan has.
pub(super) fn asked_by_if(text: &str) -> Option<Holds> {
    let is_true = |value| Holds::compared(value, Relation::Is, Text::literal("true"));
    if text.trim().is_empty() {
        return Some(Holds::Never);
    }
    read(within_function(text.trim()), Syntax::Dollars, &is_true)
}

/// Reads the condition of a controller that goes on as long as it holds: a value alone ends it with `false`. One that always holds is none.
pub(super) fn asked_by_while(text: &str) -> Option<Holds> {
    let is_not_false = |value| Holds::compared(value, Relation::IsNot, Text::literal("false"));
    let holds = read(within_function(text.trim()), Syntax::Dollars, &is_not_false)?;
    (holds != Holds::Always).then_some(holds)
}

/// `${__jexl3(condition,)}` without what is around the condition.
fn within_function(text: &str) -> &str {
    let inner = FUNCTIONS.iter().find_map(|name| {
        let call = text.strip_prefix("${")?.strip_suffix('}')?.strip_prefix(name)?;
        call.strip_prefix('(')?.strip_suffix(')')
    });
    inner.map_or(text, |inner| inner.trim().trim_end_matches(',').trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_within_their_functions() {
        let compared = |name: &str, relation, with: &str| {
            Some(Holds::Compared(Text::variable(name), relation, Text::literal(with)))
        };
        for (condition, expected) in [
            (
                r#"${__jexl3("${state}" == "open",)}"#,
                compared("state", Relation::Is, "open"),
            ),
            (
                r#"${__groovy(vars.get("state") == 'open')}"#,
                compared("state", Relation::Is, "open"),
            ),
            ("${__jexl3(${count} >= 3,)}", compared("count", Relation::AtLeast, "3")),
            ("${__jexl3(${more})}", compared("more", Relation::Is, "true")),
            ("${__jexl3(${JMeterThread.last_sample_ok})}", Some(Holds::Always)),
            ("${__groovy(ready(),)}", None),
            ("If condition", None),
            ("", Some(Holds::Never)),
        ] {
            assert_eq!(asked_by_if(condition), expected, "{condition}");
        }
        for (condition, expected) in [
            ("${more}", compared("more", Relation::IsNot, "false")),
            ("${__javaScript(${left} < 10)}", compared("left", Relation::Below, "10")),
            ("${JMeterThread.last_sample_ok}", None),
            ("${__jexl3(1 > 2)}", Some(Holds::Never)),
            ("LAST", None),
            ("", None),
        ] {
            assert_eq!(asked_by_while(condition), expected, "{condition}");
        }
    }
}
