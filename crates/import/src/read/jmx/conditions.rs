//! Conditions of controllers, as far as plans have them: whether a variable is a text or is not.

/// Functions whose argument is the condition.
const FUNCTIONS: [&str; 5] = ["__jexl3", "__jexl2", "__jexl", "__groovy", "__javaScript"];
/// Whether the request before was correct. One who goes on has only correct ones behind.
const LAST_IS_OK: &str = "${JMeterThread.last_sample_ok}";

/// What a condition asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing that could be otherwise.
    Always,
    /// What never is so.
    Never,
    /// Whether a variable is this text.
    Is(String, String),
    /// Whether it is any other.
    IsNot(String, String),
}

/// Operators, and whether they hold where both sides are the same.
const OPERATORS: [(&str, bool); 2] = [("==", true), ("!=", false)];

/// Reads a condition; `None` of one that no plan has.
pub(super) fn asked(text: &str) -> Option<Asked> {
    let text = within_function(text.trim());
    if text == LAST_IS_OK {
        return Some(Asked::Always);
    }
    let compared = OPERATORS
        .iter()
        .find_map(|(word, same)| Some((text.split_once(word)?, *same)));
    let ((left, right), same) = match compared {
        Some(compared) => compared,
        None => {
            let turned = text.strip_prefix('!');
            let sides = turned.unwrap_or(text).strip_suffix(')')?.split_once(".equals(")?;
            (sides, turned.is_none())
        }
    };
    let (left, right) = (left.trim(), right.trim().trim_start_matches('=').trim());
    let is = |left, right| {
        let (name, text) = (variable(left)?, constant(right)?);
        Some(match same {
            true => Asked::Is(name, text),
            false => Asked::IsNot(name, text),
        })
    };
    let decided = || {
        let is_so = (constant(left)? == constant(right)?) == same;
        Some(if is_so { Asked::Always } else { Asked::Never })
    };
    is(left, right).or_else(|| is(right, left)).or_else(decided)
}

/// Reads the condition of a controller that is done or not: a variable alone has to be `true`.
pub(super) fn asked_by_if(text: &str) -> Option<Asked> {
    let alone = Some(within_function(text.trim())).filter(|text| *text != LAST_IS_OK);
    match alone.and_then(variable) {
        Some(name) => Some(Asked::Is(name, "true".to_owned())),
        None => asked(text),
    }
}

/// What a controller that goes on as long as something is so asks of a variable that is that condition: it ends with `false`.
pub(super) fn asked_by_while(text: &str) -> Option<Asked> {
    match variable(text.trim()) {
        Some(name) => Some(Asked::IsNot(name, "false".to_owned())),
        None => asked(text).filter(|asked| !matches!(asked, Asked::Always | Asked::Never)),
    }
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
    let is_function = name.starts_with("__") && !name.starts_with("__jm__");
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c)) && !is_function;
    is_name.then(|| name.to_owned())
}

/// A text between quotes, a number, or a truth; of a property its default.
fn constant(text: &str) -> Option<String> {
    let is_plain = |text: &str| text == "true" || text == "false" || text.parse::<i64>().is_ok();
    let property = |text: &str| {
        let call = text.strip_prefix("${")?.strip_suffix(")}")?;
        let arguments = call.strip_prefix("__P(").or_else(|| call.strip_prefix("__property("))?;
        Some(
            arguments
                .split_once(',')?
                .1
                .trim()
                .trim_start_matches(',')
                .trim()
                .to_owned(),
        )
    };
    if let Some(default) = property(unquoted(text).unwrap_or(text)) {
        return (!default.contains('$')).then_some(default);
    }
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
        let is_not = |name: &str, text: &str| Some(Asked::IsNot(name.to_owned(), text.to_owned()));
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
            (r#""${state}" != "open""#, is_not("state", "open")),
            (r#"${__jexl3("${state}" != "open",)}"#, is_not("state", "open")),
            (
                r#"${__groovy(!vars.get("state").equals("open"))}"#,
                is_not("state", "open"),
            ),
            (r"${a} === '5'", is("a", "5")),
            (r"2!=${count}", is_not("count", "2")),
            ("${__jm__pages__idx} == 3", is("__jm__pages__idx", "3")),
            (r#""${a}" == "x" && "${b}" == "y""#, None),
            (r#""${a}" == "${b}""#, None),
            (r#""${__P(first)}" == "TRUE""#, None),
            (r#""${__P(first,TRUE)}" == "TRUE""#, Some(Asked::Always)),
            (
                r#"${__jexl3("${__P(jmeter.httpsampler,)}" != "Java",)}"#,
                Some(Asked::Always),
            ),
            (
                r#"${__jexl3("${__P(jmeter.httpsampler,)}" == "Java",)}"#,
                Some(Asked::Never),
            ),
            ("${__threadNum()} == 3", None),
            ("${left} > 5", None),
            ("==", None),
            ("", None),
        ] {
            assert_eq!(asked(condition), expected, "{condition}");
        }
        for (condition, expected) in [
            ("${more}", is("more", "true")),
            ("${__jexl3(${more})}", is("more", "true")),
            ("${JMeterThread.last_sample_ok}", Some(Asked::Always)),
            ("${__groovy(ready(),)}", None),
        ] {
            assert_eq!(asked_by_if(condition), expected, "{condition}");
        }
        for (condition, expected) in [
            ("${more}", is_not("more", "false")),
            (r#"${__jexl3("${state}" == "open",)}"#, is("state", "open")),
            ("${__javaScript(${left} < 10)}", None),
            ("LAST", None),
            ("", None),
        ] {
            assert_eq!(asked_by_while(condition), expected, "{condition}");
        }
    }
}
