//! Conditions of controllers, as far as plans have them: whether a variable is a text.

/// Functions whose argument is the condition.
const FUNCTIONS: [&str; 5] = ["__jexl3", "__jexl2", "__jexl", "__groovy", "__javaScript"];
/// Whether the request before was correct. One who goes on has only correct ones behind.
const LAST_IS_OK: &str = "${JMeterThread.last_sample_ok}";

/// What a condition asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing that could be otherwise.
    Always,
    /// Whether a variable is this text.
    Is(String, String),
}

/// Reads a condition; `None` of one that no plan has.
pub(super) fn asked(text: &str) -> Option<Asked> {
    let text = within_function(text.trim());
    if text == LAST_IS_OK {
        return Some(Asked::Always);
    }
    let (left, right) = match text.split_once("==") {
        Some(sides) => sides,
        None => text.strip_suffix(')')?.split_once(".equals(")?,
    };
    let (left, right) = (left.trim(), right.trim());
    let is = |left, right| Some(Asked::Is(variable(left)?, constant(right)?));
    is(left, right).or_else(|| is(right, left))
}

/// `${__jexl3(condition,)}` without what is around the condition.
fn within_function(text: &str) -> &str {
    let inner = FUNCTIONS.iter().find_map(|name| {
        let call = text.strip_prefix("${")?.strip_suffix('}')?.strip_prefix(name)?;
        call.strip_prefix('(')?.strip_suffix(')')
    });
    inner.map_or(text, |inner| inner.trim().trim_end_matches(',').trim())
}

/// `${name}`, between quotes or not, or `vars.get("name")`.
fn variable(text: &str) -> Option<String> {
    let plain = unquoted(text).unwrap_or(text);
    let name = match text.strip_prefix("vars.get(").and_then(|rest| rest.strip_suffix(')')) {
        Some(quoted) => unquoted(quoted.trim())?,
        None => plain.strip_prefix("${")?.strip_suffix('}')?,
    };
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-.".contains(c)) && !name.starts_with("__");
    is_name.then(|| name.to_owned())
}

/// A text between quotes, a number, or a truth.
fn constant(text: &str) -> Option<String> {
    let is_plain = |text: &str| text == "true" || text == "false" || text.parse::<i64>().is_ok();
    let text = unquoted(text).or(Some(text).filter(|text| is_plain(text)))?;
    (!text.contains(['$', '"', '\'', '\\'])).then(|| text.to_owned())
}

fn unquoted(text: &str) -> Option<&str> {
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\''))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_on_a_text_are_read() {
        let is = |name: &str, text: &str| Some(Asked::Is(name.to_owned(), text.to_owned()));
        for (condition, expected) in [
            (r#""${state}" == "open""#, is("state", "open")),
            (r#"${__jexl3("${state}" == "open",)}"#, is("state", "open")),
            (r#"${__groovy(vars.get("state") == 'open')}"#, is("state", "open")),
            (r#"${__groovy(vars.get('state').equals("open"))}"#, is("state", "open")),
            (r"${__jexl3(${count} == 3)}", is("count", "3")),
            (r#""yes" == "${known}""#, is("known", "yes")),
            (r"${__jexl3('${ok}' == 'true')}", is("ok", "true")),
            (r#""${state}" == """#, is("state", "")),
            ("${JMeterThread.last_sample_ok}", Some(Asked::Always)),
            ("${__jexl3(${JMeterThread.last_sample_ok})}", Some(Asked::Always)),
            (r#""${state}" != "open""#, None),
            (r#""${a}" == "x" && "${b}" == "y""#, None),
            (r#""${a}" == "${b}""#, None),
            (r#""${__P(first)}" == "TRUE""#, None),
            ("${__threadNum()} == 3", None),
            ("${left} > 5", None),
            ("==", None),
            ("", None),
        ] {
            assert_eq!(asked(condition), expected, "{condition}");
        }
    }
}
