//! Properties of elements: texts, numbers, and lists of elements.

use crate::read::xml::Element;
use crate::text::{Text, Values};

/// The text of a property.
pub(super) fn property<'a>(element: &'a Element, name: &str) -> Option<&'a str> {
    let found = element
        .children
        .iter()
        .find(|child| child.attribute("name") == Some(name));
    // Some older files have plain elements, such as those of CSV data sets.
    let found = found.or_else(|| element.children.iter().find(|child| child.name == name));
    found.map(|child| child.text.trim())
}

/// Whether an element looks at the response itself, and not at a variable or at what a page refers to.
pub(super) fn is_of_response(element: &Element) -> bool {
    let scopes = ["Assertion.scope", "Sample.scope"];
    let scope = scopes.iter().find_map(|name| property(element, name));
    matches!(scope, None | Some("" | "parent" | "all"))
}

/// The elements in a list, which may stand in an element of its own.
pub(super) fn collection<'a>(element: &'a Element, name: &str) -> Vec<&'a Element> {
    let mut found = Vec::new();
    let named = element
        .children
        .iter()
        .filter(|child| child.attribute("name") == Some(name));
    for child in named {
        match child.name.as_str() {
            "collectionProp" => found.extend(&child.children),
            _ => found.extend(
                child
                    .children
                    .iter()
                    .filter(|inner| inner.name == "collectionProp")
                    .flat_map(|inner| &inner.children),
            ),
        }
    }
    found
}

/// The texts of a list.
pub(super) fn texts(element: &Element, name: &str) -> Vec<String> {
    collection(element, name)
        .iter()
        .map(|child| child.text.trim().to_owned())
        .collect()
}

/// Values of variables that ask for others.
const DEEPEST: usize = 5;

/// A text with its variables filled in as far as they are known.
pub(super) fn resolved(text: &str, values: &Values) -> String {
    settled(text, values, None).as_literal().unwrap_or_default().to_owned()
}

/// A number. Of a property that is not set and has no default JMeter has 1.
pub(super) fn number(text: &str, values: &Values) -> Option<f64> {
    let settled = settled(text, values, Some("1"));
    let number = settled.as_literal().unwrap_or_default().trim().parse().ok();
    number.filter(|number: &f64| number.is_finite())
}

/// A text with the values of its variables, and of those that these ask for.
fn settled(text: &str, values: &Values, unset: Option<&str>) -> Text {
    let mut values = values.clone();
    let mut text = Text::with_dollars(text);
    for _ in 0..DEEPEST {
        defaults(&text, &mut values, unset);
        let filled = text.resolved(&values);
        if filled == text {
            break;
        }
        text = filled;
    }
    text
}

/// What `${__P(name,default)}` stands for where the property is not set, and `${__V(name)}`, which is another way to say `${name}`.
pub(super) fn defaults_of_functions(text: &Text, values: &mut Values) {
    defaults(text, values, None);
}

/// The same, with what a property has that is not set.
fn defaults(text: &Text, values: &mut Values, unset: Option<&str>) {
    for name in text.variables() {
        let other = ["__V(", "__evalVar("].iter().find_map(|call| name.strip_prefix(call));
        if let Some(variable) = other
            .and_then(|rest| rest.strip_suffix(')'))
            .filter(|name| !name.contains(['$', ',']))
        {
            values.insert(name.to_owned(), Text::variable(variable.trim()));
        }
        let Some(arguments) = name.strip_prefix("__P(").or_else(|| name.strip_prefix("__property(")) else {
            continue;
        };
        let arguments: Vec<&str> = arguments.trim_end_matches(')').split(',').map(str::trim).collect();
        let value = match (arguments.as_slice(), unset) {
            ([_, .., default], _) if !default.is_empty() => Text::literal(*default),
            ([_], Some(unset)) if name.starts_with("__P(") => Text::literal(unset),
            ([property, ..], _) => Text::variable(*property),
            ([], _) => continue,
        };
        values.insert(name.to_owned(), value);
    }
}
