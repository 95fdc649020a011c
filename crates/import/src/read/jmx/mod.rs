//! Test plans of JMeter: what its tree of elements makes each client do.
//!
//! An element applies to everything in the tree beside it. So each tree is read twice: first what it sets for all in it, then what is done.

mod assertions;
mod conditions;
mod constants;
mod controllers;
mod credentials;
mod extractors;
mod functions;
mod groups;
mod properties;
mod samplers;
mod stages;

use crate::error::ImportError;
use crate::journey::{Check, Journeys, Members, Sequence, Step, Take, TakeFrom, When};
use crate::left_out::Place;
use crate::made;
use crate::read::xml::{self, Element};
use crate::read::{Files, csv};
use crate::text::{Text, Values};
use controllers::{LoopRounds, Modules};
use credentials::Credentials;
use groups::Groups;
use plimsoll_plan::Pause;
use properties::{collection, property, texts};
use std::time::Duration;

/// Elements that only show or keep results.
const LISTENERS: [&str; 4] = ["ResultCollector", "Summariser", "DebugSampler", "DebugPostProcessor"];

pub(crate) fn read(text: &str, files: Files<'_>) -> Result<Journeys, ImportError> {
    let root = xml::read(text)?;
    if root.name != "jmeterTestPlan" {
        let place = Place::Line(root.line);
        return Err(ImportError::new(
            Some(&place),
            format!("the element `{}`", root.name),
            "`jmeterTestPlan`",
        ));
    }
    let mut reader = Reader {
        journeys: Journeys {
            is_ordered: true,
            functions: Some(made::jmeter),
            members: Members::Numbers,
            ..Journeys::default()
        },
        groups: Groups::default(),
        modules: Modules::of(&root),
        constants: constants::of(&root),
        files,
    };
    for tree in root.children.iter().filter(|child| child.name == "hashTree").take(1) {
        reader.tree(tree, &Scope::default(), &mut Vec::new());
    }
    let Reader {
        mut journeys, groups, ..
    } = reader;
    groups.into_load(&mut journeys);
    functions::give_values(&mut journeys);
    journeys.redirects = samplers::redirects(&root);
    Ok(journeys)
}

struct Reader<'a> {
    journeys: Journeys,
    groups: Groups,
    modules: Modules<'a>,
    /// Variables that nothing in the plan changes.
    constants: Values,
    files: Files<'a>,
}

/// What applies to the requests of a tree.
#[derive(Clone, Default)]
struct Scope<'a> {
    headers: Vec<(String, Text)>,
    /// Defaults of requests, the inner ones first.
    defaults: Vec<&'a Element>,
    pauses: Vec<(Place, Pause)>,
    /// Credentials, the inner ones last.
    credentials: Vec<Credentials>,
    statuses: Vec<String>,
    checks: Vec<Check>,
    takes: Vec<Take>,
    /// How many clients do what is in it, where each does it once whenever it begins.
    clients: Option<f64>,
    /// The loop that each client does it once in each round of.
    rounds: Option<LoopRounds>,
}

impl Scope<'_> {
    /// Where clients do it another number of times than once.
    fn inner(&self) -> Self {
        Self {
            clients: None,
            rounds: None,
            ..self.clone()
        }
    }
}

/// The elements of a tree, each with the tree beside it. Those that are switched off are none, as in JMeter.
fn pairs(tree: &Element) -> impl Iterator<Item = (&Element, Option<&Element>)> {
    let is_tree = |element: &&Element| element.name == "hashTree";
    let is_on = move |element: &&Element| !is_tree(element) && element.attribute("enabled") != Some("false");
    let numbered = tree
        .children
        .iter()
        .enumerate()
        .filter(move |(_, element)| is_on(element));
    numbered.map(move |(index, element)| (element, tree.children.get(index + 1).filter(is_tree)))
}

impl<'a> Reader<'a> {
    fn tree(&mut self, tree: &'a Element, outer: &Scope<'a>, steps: &mut Vec<Step>) {
        let scope = self.scope(tree, outer);
        for (element, beside) in pairs(tree) {
            self.element(element, beside, &scope, steps);
        }
    }

    fn element(&mut self, element: &'a Element, beside: Option<&'a Element>, scope: &Scope<'a>, steps: &mut Vec<Step>) {
        let place = Place::Line(element.line);
        if groups::is_group(element) {
            self.group(element, beside, scope);
        } else if samplers::is_http(element) {
            let scope = beside.map_or_else(|| scope.clone(), |beside| self.scope(beside, scope));
            for (place, pause) in &scope.pauses {
                steps.push(Step::Pause(place.clone(), *pause));
            }
            if let Some(mut request) = samplers::request(&mut self.journeys, element, &scope) {
                request.name = Some(self.named(element)).filter(|name| !name.is_empty());
                steps.push(Step::Request(Box::new(request)));
            }
        } else if element.name == "TestAction" {
            let written = property(element, "ActionProcessor.duration");
            let any = written.and_then(functions::any_of);
            let ms = written
                .and_then(|text| self.number(text))
                .map(|ms| (ms as u64, ms as u64));
            match any
                .or(ms)
                .filter(|_| property(element, "ActionProcessor.action") == Some("1"))
            {
                Some((from, to)) => {
                    let (from, to) = (Duration::from_millis(from), Duration::from_millis(to));
                    steps.push(Step::Pause(place, Pause::Between { from, to }));
                }
                None => self
                    .journeys
                    .leave_out(&place, "an action of flow control", "plans have nothing like it"),
            }
        } else if controllers::is_choice(element) {
            if let Some(beside) = beside {
                self.branches(element, beside, scope, steps);
            }
        } else if element.name == "ModuleController" {
            self.module(element, scope, steps);
        } else if element.name == "IfController" {
            self.on_condition(element, beside, scope, steps);
        } else if controllers::is_once(element, scope) {
            let mut inner = Vec::new();
            if let Some(beside) = beside {
                self.tree(beside, &scope.inner(), &mut inner);
            }
            steps.push(Step::Once(place, called(element), inner));
        } else if element.name.ends_with("Controller") {
            let rounds = self.rounds(element);
            let times = if rounds.is_some() { 1.0 } else { self.times(element) };
            let is_once = rounds.is_none() && (times - 1.0).abs() < 1e-9;
            let within = match &rounds {
                Some(rounds) => Scope {
                    rounds: LoopRounds::of(rounds, beside),
                    ..scope.inner()
                },
                None if is_once => scope.clone(),
                None => scope.inner(),
            };
            let mut inner = Vec::new();
            if let Some(beside) = beside {
                self.tree(beside, &within, &mut inner);
            }
            steps.push(match rounds {
                Some(rounds) => Step::Rounds(Box::new(rounds), inner),
                None => Step::Repeat(times, inner),
            });
        } else if element.name.ends_with("Sampler") || element.name.ends_with("SamplerProxy") {
            if !LISTENERS.contains(&element.name.as_str()) {
                self.journeys
                    .leave_out(&place, called(element), "plans send requests of HTTP alone");
            }
        } else if let Some(beside) = beside {
            // The test plan, and what else only holds others.
            self.tree(beside, scope, steps);
        }
    }

    /// What the elements of a tree set for all in it.
    fn scope(&mut self, tree: &'a Element, outer: &Scope<'a>) -> Scope<'a> {
        let mut scope = outer.clone();
        for (element, beside) in pairs(tree) {
            let place = Place::Line(element.line);
            match element.name.as_str() {
                "TestPlan" => self.variables(collection(element, "TestPlan.user_defined_variables")),
                "Arguments" => self.variables(collection(element, "Arguments.arguments")),
                "HeaderManager" => {
                    for header in collection(element, "HeaderManager.headers") {
                        let name = property(header, "Header.name").unwrap_or_default().to_owned();
                        let value = Text::with_dollars(property(header, "Header.value").unwrap_or_default());
                        scope.headers.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
                        scope.headers.push((name, value));
                    }
                }
                "ConfigTestElement" => scope.defaults.insert(0, element),
                "CSVDataSet" => self.table(element),
                "CounterConfig" | "RandomVariableConfig" => functions::variable(&mut self.journeys, element),
                "CookieManager" => credentials::cookies(&mut self.journeys, element),
                "CacheManager" => self
                    .journeys
                    .leave_out(&place, "the cache manager", "plans keep no cache"),
                "AuthManager" => scope.credentials.extend(credentials::of(&mut self.journeys, element)),
                "UserParameters" => functions::parameters(&mut self.journeys, element),
                name if name.ends_with("Timer") => self.timer(element, &mut scope),
                name if name.ends_with("Extractor") || name.ends_with("PostProcessor") => {
                    self.extractor(element, &mut scope);
                }
                name if name.ends_with("Assertion") => self.assertion(element, &mut scope),
                name if name.ends_with("PreProcessor") => {
                    self.journeys
                        .leave_out(&place, called(element), "plans have no scripts");
                }
                name => {
                    let is_done = groups::is_group(element) || controllers::is_done(element);
                    if !is_done && beside.is_none_or(|beside| beside.children.is_empty()) && !LISTENERS.contains(&name)
                    {
                        self.journeys
                            .leave_out(&place, called(element), "plans have nothing like it");
                    }
                }
            }
        }
        scope
    }

    fn variables(&mut self, of: Vec<&Element>) {
        for argument in of {
            let name = property(argument, "Argument.name").unwrap_or_default();
            let value = property(argument, "Argument.value").unwrap_or_default();
            if !name.is_empty() {
                self.journeys.values.insert(name.to_owned(), Text::with_dollars(value));
            }
        }
    }

    fn table(&mut self, element: &Element) {
        let written = property(element, "filename").unwrap_or_default();
        let path = properties::resolved(written, &self.journeys.values);
        if path.is_empty() {
            let why = match written {
                "" => "it names no file".to_owned(),
                written => format!("its file is `{written}`, which the test plan does not know"),
            };
            self.journeys
                .leave_out(&Place::Line(element.line), called(element), why);
            return;
        }
        let Some(text) = (self.files)(&path) else {
            let place = Place::Line(element.line);
            self.journeys.leave_out(
                &place,
                path,
                "the file cannot be read: it has to lie beside the test plan or below",
            );
            return;
        };
        let separator = match property(element, "delimiter") {
            Some("\\t") => '\t',
            Some(text) => text.chars().next().unwrap_or(','),
            None => ',',
        };
        let mut rows = csv::rows(&text, separator);
        let written = property(element, "variableNames").unwrap_or_default();
        let mut names: Vec<String> = written.split(',').map(|name| name.trim().to_owned()).collect();
        let has_names = !written.trim().is_empty();
        if (!has_names || property(element, "ignoreFirstLine") == Some("true")) && !rows.is_empty() {
            let first = rows.remove(0);
            if !has_names {
                names = first;
            }
        }
        if rows.is_empty() {
            let place = Place::Line(element.line);
            self.journeys.leave_out(&place, path, csv::NO_ROWS);
            return;
        }
        if let Some((what, why)) = csv::short_rows(&rows, &names) {
            self.journeys.leave_out(&Place::Line(element.line), what, why);
        }
        self.journeys.lists.extend(csv::columns(&rows, &names));
    }

    fn timer(&mut self, element: &'a Element, scope: &mut Scope<'a>) {
        let place = Place::Line(element.line);
        let ms = |name: &str| property(element, name).and_then(|text| self.number(text));
        let any = property(element, "ConstantTimer.delay").and_then(functions::any_of);
        let constant = ms("ConstantTimer.delay")
            .or(any.map(|(from, _)| from as f64))
            .filter(|ms| *ms >= 0.0);
        let range = ms("RandomTimer.range").unwrap_or_default().max(0.0);
        let time = |ms: f64| Duration::try_from_secs_f64(ms / 1_000.0).unwrap_or_default();
        let normal = |mean: f64, deviation: f64| match time(deviation) {
            deviation if deviation.is_zero() => Pause::always(time(mean)),
            deviation => Pause::Normal {
                mean: time(mean),
                deviation: deviation.min(time(mean)),
            },
        };
        let pause = constant.and_then(|constant| match element.name.as_str() {
            "ConstantTimer" => Some(Pause::Between {
                from: time(constant),
                to: any.map_or(time(constant), |(_, to)| time(to as f64)),
            }),
            "UniformRandomTimer" => Some(Pause::Between {
                from: time(constant),
                to: time(constant + range),
            }),
            "GaussianRandomTimer" => Some(normal(constant, range)),
            // Of so many milliseconds, a Poisson distribution is a normal one.
            "PoissonRandomTimer" => Some(normal(constant + range, range.sqrt())),
            _ => None,
        });
        match pause {
            Some(pause) => scope.pauses.push((place, pause)),
            None => self.journeys.leave_out(
                &place,
                called(element),
                "write the rate that it keeps as `load: { rate: … }` in the plan",
            ),
        }
    }

    fn extractor(&mut self, element: &'a Element, scope: &mut Scope<'a>) {
        let place = Place::Line(element.line);
        let names = [
            "RegexExtractor.refname",
            "JSONPostProcessor.referenceNames",
            "XPathExtractor.refname",
            "XPathExtractor2.refname",
            "BoundaryExtractor.refname",
            "HtmlExtractor.refname",
            "VAR",
        ];
        match names.iter().find_map(|name| property(element, name)) {
            Some(variables) => {
                let paths = property(element, "JSONPostProcessor.jsonPathExprs").unwrap_or_default();
                let mut paths = paths.split(';').map(str::trim);
                for variable in variables.split(';') {
                    // Those of plugins have the name of their package in front.
                    let kind = element.name.rsplit('.').next().unwrap_or_default();
                    let from = match (kind, paths.next()) {
                        _ if !properties::is_of_response(element) => TakeFrom::Other,
                        ("JSONPostProcessor", Some(path)) => TakeFrom::Json(path.to_owned()),
                        ("BoundaryExtractor", _) => extractors::between(element),
                        ("RegexExtractor", _) => extractors::expression(element),
                        ("JSONPathExtractor", _) => extractors::path(element),
                        ("XPathExtractor" | "XPath2Extractor", _) => extractors::of_xpath(element),
                        _ => TakeFrom::Other,
                    };
                    if let (true, TakeFrom::Regex(..)) = (kind.starts_with("XPath"), &from) {
                        let what = format!("`{}` by XPath", variable.trim());
                        self.journeys.leave_out(&place, what, extractors::AS_WRITTEN);
                    }
                    if matches!(from, TakeFrom::Regex(..)) && extractors::is_unescaped(element) {
                        let what = format!("`{}` from a body without entities", variable.trim());
                        self.journeys.leave_out(&place, what, extractors::AS_IS);
                    }
                    let number = extractors::match_number(element);
                    if matches!(from, TakeFrom::Regex(..)) && number == Some("0") {
                        let what = format!("`{}` from a match by chance", variable.trim());
                        self.journeys.leave_out(&place, what, "the plan takes the first match");
                    }
                    scope.takes.push(Take {
                        place: place.clone(),
                        variable: variable.trim().to_owned(),
                        from,
                        all: number == Some("-1"),
                    });
                }
            }
            None if LISTENERS.contains(&element.name.as_str()) => {}
            None => self
                .journeys
                .leave_out(&place, called(element), "plans have no scripts"),
        }
    }

    fn assertion(&mut self, element: &'a Element, scope: &mut Scope<'a>) {
        let filled = |text: &String| constants::filled(text, &self.constants);
        let expected: Vec<String> = texts(element, "Asserion.test_strings").iter().map(filled).collect();
        if assertions::is_of_nothing(element, &expected) {
            return;
        }
        if let Some(any) = assertions::ignores_status(element).filter(|_| scope.statuses.is_empty()) {
            scope.statuses = any;
        }
        if assertions::is_of_status(element)
            && let Some(statuses) = assertions::statuses(element, &expected)
        {
            scope.statuses = statuses;
            return;
        }
        let place = Place::Line(element.line);
        let checks = assertions::checks(element, &expected, &self.constants);
        if checks.is_empty() {
            self.journeys
                .leave_out(&place, called(element), "plans have no such check");
        }
        scope.checks.extend(checks.into_iter().map(|of| Check {
            place: place.clone(),
            what: called(element),
            of,
        }));
    }

    fn group(&mut self, element: &'a Element, beside: Option<&'a Element>, scope: &Scope<'a>) {
        let mut steps = Vec::new();
        let within = Scope {
            clients: groups::clients(element, &self.journeys.values),
            ..scope.clone()
        };
        if let Some(beside) = beside {
            self.tree(beside, &within, &mut steps);
        }
        let values = self.journeys.values.clone();
        if let Some(when) = groups::done_once(&mut self.journeys, element, &values) {
            self.journeys.sequences.push(Sequence {
                name: self.named(element),
                place: Place::Line(element.line),
                when,
                weight: 1.0,
                steps,
            });
            return;
        }
        let Some(weight) = self.groups.add(&mut self.journeys, element, &values) else {
            return;
        };
        self.journeys.sequences.push(Sequence {
            name: self.named(element),
            place: Place::Line(element.line),
            when: When::Load,
            weight,
            steps,
        });
    }

    /// What its author calls an element, with what stands for variables that have one value.
    fn named(&self, element: &Element) -> String {
        constants::filled(element.attribute("testname").unwrap_or_default(), &self.constants)
    }

    fn number(&self, text: &str) -> Option<f64> {
        properties::number(text, &self.journeys.values)
    }
}

/// The percentage of a throughput controller is an object of its own.
fn texts_of_float(element: &Element) -> Option<String> {
    let object = element.children.iter().find(|child| child.name == "FloatProperty")?;
    object
        .children
        .iter()
        .find(|child| child.name == "value")
        .map(|value| value.text.trim().to_owned())
}

/// What an element is, and what its author calls it.
fn called(element: &Element) -> String {
    // By its words: `JSR223Sampler` looks like a token.
    let mut kind = String::new();
    let mut before = ' ';
    for c in element.name.rsplit('.').next().unwrap_or_default().chars() {
        let begins = before.is_lowercase() && c.is_uppercase()
            || before.is_ascii_digit() != c.is_ascii_digit() && before.is_alphanumeric();
        kind.push_str(if begins { " " } else { "" });
        kind.push(c);
        before = c;
    }
    match element.attribute("testname").filter(|name| !name.is_empty()) {
        Some(name) => format!("{kind} `{name}`"),
        None => kind,
    }
}
