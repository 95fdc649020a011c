//! Variables of a test plan that have one value from beginning to end, which the file has.

use super::pairs;
use super::properties::{collection, defaults_of_functions, property};
use crate::read::xml::Element;
use crate::secrets::Environment;
use crate::text::{Piece, Text, Values};
use std::collections::BTreeSet;

/// Names of fields and headers are no variables.
const OTHER_NAMES: [&str; 2] = ["Argument.name", "Header.name"];

/// Those of the whole plan, each with its text. What nothing but the plan itself gives a value is one, whoever asks for it.
pub(super) fn of(root: &Element) -> Values {
    let mut values = Values::new();
    root.children.iter().for_each(|tree| given(tree, &mut values));
    let names: BTreeSet<String> = values.keys().cloned().collect();
    let mut changed = BTreeSet::new();
    mentions(root, &names, &mut changed);
    values.retain(|name, _| !changed.contains(name));
    let mut known = values.clone();
    values.values().for_each(|text| defaults_of_functions(text, &mut known));
    let resolved = |(name, text): (&String, &Text)| {
        let text = text.resolved(&known);
        let value = text.as_literal()?.to_owned();
        // What is secret stays a variable, which is hidden wherever it stands.
        (!Environment::hides_list(name, &[value])).then(|| (name.clone(), text))
    };
    values.iter().filter_map(resolved).collect()
}

/// A text with the values of constants in their places, those in calls of functions included.
pub(super) fn filled(text: &str, constants: &Values) -> String {
    let mut made = String::new();
    for piece in Text::with_dollars(text).pieces() {
        match piece {
            Piece::Literal(literal) => made.push_str(literal),
            Piece::Variable(name) | Piece::Environment(name) => match constants.get(name).and_then(Text::as_literal) {
                Some(value) => made.push_str(value),
                None if name.contains("${") => made.push_str(&format!("${{{}}}", filled(name, constants))),
                None => made.push_str(&format!("${{{name}}}")),
            },
        }
    }
    made
}

/// The variables that the plan defines. Of several of a name JMeter keeps the last one.
fn given(tree: &Element, values: &mut Values) {
    for (element, beside) in pairs(tree) {
        let arguments = match element.name.as_str() {
            "TestPlan" => collection(element, "TestPlan.user_defined_variables"),
            "Arguments" => collection(element, "Arguments.arguments"),
            _ => Vec::new(),
        };
        for argument in arguments {
            let name = property(argument, "Argument.name").unwrap_or_default();
            let value = property(argument, "Argument.value").unwrap_or_default();
            values.insert(name.to_owned(), Text::with_dollars(value));
        }
        if let Some(beside) = beside {
            given(beside, values);
        }
    }
}

/// Which of these names stand where an element may give the variable another value: by its name alone, or in a script.
fn mentions(element: &Element, names: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    const SCRIPTS: [&str; 3] = ["JSR223", "BeanShell", "BSF"];
    let is_file = |child: &Element| {
        let is_named = child.attribute("name").is_some_and(|name| name.ends_with("filename"));
        is_named && !child.text.trim().is_empty()
    };
    if SCRIPTS.iter().any(|kind| element.name.contains(kind)) && element.children.iter().any(is_file) {
        // What is in there may set any.
        found.extend(names.iter().cloned());
    }
    let is_other = element
        .attribute("name")
        .is_some_and(|name| OTHER_NAMES.contains(&name));
    if !is_other {
        let listed = element.text.split([',', ';']).map(str::trim);
        found.extend(listed.filter(|name| names.contains(*name)).map(str::to_owned));
        let is_script = element.text.contains("${__") || element.text.contains("vars") || element.text.contains("put");
        if is_script {
            found.extend(
                words(&element.text)
                    .filter(|name| names.contains(*name))
                    .map(str::to_owned),
            );
        }
    }
    element.children.iter().for_each(|child| mentions(child, names, found));
}

/// What stands in front of the name of a variable, or of a property, where its value is asked for.
const ASKING: [&str; 6] = ["${", "vars.get(\"", "vars.get('", "__P(", "__property(", "__V("];

/// The words of a script, without those that only ask for a variable.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_of_word = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let begin = at + text[at..].find(is_of_word)?;
            let end = text[begin..]
                .find(|c| !is_of_word(c))
                .map_or(text.len(), |end| begin + end);
            at = end;
            let asks = ASKING.iter().any(|before| text[..begin].ends_with(before));
            if !asks {
                return Some(&text[begin..end]);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::xml;

    fn constants_of(elements: &str) -> Vec<(String, String)> {
        let argument = |name: &str, value: &str| {
            format!(
                r#"<elementProp name="{name}"><stringProp name="Argument.name">{name}</stringProp><stringProp name="Argument.value">{value}</stringProp></elementProp>"#
            )
        };
        let arguments =
            argument("state", "open") + &argument("mode", "${__P(mode,fast)}") + &argument("both", "${state}-${mode}");
        let text = format!(
            r#"<jmeterTestPlan><hashTree><TestPlan/><hashTree><Arguments><collectionProp name="Arguments.arguments">{arguments}</collectionProp></Arguments><hashTree/>{elements}</hashTree></hashTree></jmeterTestPlan>"#
        );
        let constants = of(&xml::read(&text).expect("a document"));
        let pair = |(name, text): (String, Text)| (name, text.as_literal().unwrap_or_default().to_owned());
        constants.into_iter().map(pair).collect()
    }

    #[test]
    fn variables_that_nothing_else_sets_are_constants() {
        let names =
            |elements: &str| -> Vec<String> { constants_of(elements).into_iter().map(|(name, _)| name).collect() };
        let all = ["both", "mode", "state"];
        assert_eq!(names(""), all);
        for asks in [
            r#"<IfController><stringProp name="IfController.condition">${__jexl3("${state}" == "open")}</stringProp></IfController>"#,
            r#"<JSR223Sampler><stringProp name="script">log.info(vars.get("state"))</stringProp></JSR223Sampler>"#,
            r#"<HTTPSamplerProxy><stringProp name="Argument.name">state</stringProp></HTTPSamplerProxy>"#,
        ] {
            assert_eq!(names(asks), all, "{asks}");
        }
        for sets in [
            r#"<RegexExtractor><stringProp name="RegexExtractor.refname">state</stringProp></RegexExtractor>"#,
            r#"<CSVDataSet><stringProp name="variableNames">id, state</stringProp></CSVDataSet>"#,
            r#"<JSR223Sampler><stringProp name="script">vars.put("state", "sent")</stringProp></JSR223Sampler>"#,
            r#"<Sampler><stringProp name="path">/${__Random(1,5,state)}</stringProp></Sampler>"#,
        ] {
            assert_eq!(names(sets), ["mode"], "{sets}");
        }
        let values = constants_of("");
        assert_eq!(values[0].1, "open-fast");
    }

    #[test]
    fn constants_are_filled_in_within_calls() {
        let constants: Values = [("state".to_owned(), Text::literal("open"))].into();
        let filled = filled(r#"${__jexl3("${state}" == "${other}",)} ${state}"#, &constants);
        assert_eq!(filled, r#"${__jexl3("open" == "${other}",)} open"#);
    }
}
