//! How often controllers have what is in them done, and which of it.

use super::conditions::{asked_by_if, asked_by_while};
use super::constants::filled;
use super::properties::{property, texts};
use super::{Reader, Scope, called, pairs, samplers, texts_of_float};
use crate::holds::Holds;
use crate::journey::{Choice, Condition, List, Rounds, RoundsBy, Step};
use crate::left_out::Place;
use crate::made::{Made, MadeVariable};
use crate::read::xml::Element;
use crate::text::Text;
use plimsoll_plan::Relation;

/// Whether one of what is in a controller is done each time.
pub(super) fn is_choice(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "RandomController" | "InterleaveControl" | "SwitchController"
    )
}

/// Whether an element is one that is done, and not one that says something about others.
pub(super) fn is_done(element: &Element) -> bool {
    let name = element.name.as_str();
    name.ends_with("Controller")
        || name.ends_with("Sampler")
        || name.ends_with("SamplerProxy")
        || samplers::is_http(element)
        || matches!(name, "InterleaveControl" | "TestAction")
}

/// How often a throughput controller has what is in it done, where it counts that.
fn most_executions(element: &Element) -> Option<&str> {
    let counts = element.name == "ThroughputController" && property(element, "ThroughputController.style") == Some("0");
    property(element, "ThroughputController.maxThroughput").filter(|_| counts)
}

/// Whether each client does what is in a controller the first time alone. What counts executions does not begin anew with a loop around it.
pub(super) fn is_once(element: &Element, scope: &Scope<'_>) -> bool {
    let is_of_each = property(element, "ThroughputController.perThread") == Some("true");
    element.name == "OnceOnlyController"
        || is_of_each && most_executions(element) == Some("1") && scope.clients.is_some()
}

/// What becomes of a condition that plans do not have.
const ALWAYS: &str = "its condition is not carried over; what is in it is always sent";
/// What becomes of one that the values in the file decide.
const HOLDS: &str = "its condition holds with the values that the file has; what is in it is always sent";
const HOLDS_NOT: &str = "its condition does not hold with the values that the file has; nothing in it is sent";

/// Comparisons of one branch with the rounds that are its turns.
const MOST_TURNS: u32 = 50;

/// The rounds of a loop, where each client does what is in it so many times.
#[derive(Debug, Clone)]
pub(super) struct LoopRounds {
    /// The variable that has the number of the round, from 0.
    count: String,
    times: u32,
}

impl LoopRounds {
    /// Those of a loop with this tree beside it; none where their number is not known, or where another loop in it counts under the same name.
    pub(super) fn of(rounds: &Rounds, beside: Option<&Element>) -> Option<Self> {
        fn is_in(name: &str, tree: &Element) -> bool {
            let is_same =
                |child: &Element| child.attribute("testname") == Some(name) && child.name.ends_with("Controller");
            tree.children.iter().any(|child| is_same(child) || is_in(name, child))
        }
        let RoundsBy::Times(times) = rounds.by else {
            return None;
        };
        let (count, _) = rounds.count.as_ref()?;
        let name = count.strip_prefix("__jm__")?.strip_suffix("__idx")?;
        let is_alone = !beside.is_some_and(|beside| is_in(name, beside));
        is_alone.then(|| Self {
            count: count.clone(),
            times,
        })
    }
}

/// Rounds of a plan.
const MOST_ROUNDS: f64 = 10_000.0;
/// Each is looked for in all of the plan.
const MOST_MODULES: usize = 500;
/// Modules may name others, but not without end: so many elements are in all that are named.
const MOST_IN_MODULES: usize = 100_000;
const DEEPEST_MODULE: usize = 10;

/// Parts of the test plan that are done where a controller names them.
pub(super) struct Modules<'a> {
    root: &'a Element,
    looked_for: usize,
    elements: usize,
    depth: usize,
}

impl<'a> Modules<'a> {
    pub(super) const fn of(root: &'a Element) -> Self {
        Self {
            root,
            looked_for: 0,
            elements: 0,
            depth: 0,
        }
    }

    const fn is_in_one(&self) -> bool {
        self.depth > 0
    }

    /// What these names lead to. What the first ones stand for is in no file: the window of JMeter.
    fn find(&mut self, path: &[String]) -> Option<Pair<'a>> {
        self.looked_for += 1;
        if self.looked_for > MOST_MODULES {
            return None;
        }
        let trees = || self.root.children.iter().filter(|child| child.name == "hashTree");
        let mut shorter = (0..path.len()).map(|from| &path[from..]);
        shorter.find_map(|path| trees().find_map(|tree| at(tree, path)))
    }
}

/// Whether an element takes the next one of what is in it, and not the next request of the next one.
fn takes_whole(element: &Element, beside: &Element) -> bool {
    let is_of_requests = property(element, "InterleaveControl.style") == Some("0");
    let has_controllers = || pairs(beside).any(|(inner, _)| is_done(inner) && !samplers::is_http(inner));
    element.name == "InterleaveControl" && !(is_of_requests && has_controllers())
}

/// What a controller asks.
fn condition(element: &Element, holds: Holds) -> Condition {
    Condition {
        place: Place::Line(element.line),
        what: called(element),
        holds,
    }
}

/// An element, with the tree beside it.
type Pair<'a> = (&'a Element, Option<&'a Element>);

/// Also what is switched off, which a module may name.
fn at<'a>(tree: &'a Element, path: &[String]) -> Option<Pair<'a>> {
    let (name, rest) = path.split_first()?;
    tree.children.iter().enumerate().find_map(|(index, element)| {
        let is_it = element.name != "hashTree" && element.attribute("testname") == Some(name);
        let beside = tree.children.get(index + 1).filter(|next| next.name == "hashTree");
        match (is_it, rest) {
            (true, []) => Some((element, beside)),
            (true, rest) => at(beside?, rest),
            (false, _) => None,
        }
    })
}

fn count(tree: &Element) -> usize {
    1 + tree.children.iter().map(count).sum::<usize>()
}

impl<'a> Reader<'a> {
    /// What is done where a condition holds.
    pub(super) fn on_condition(
        &mut self,
        element: &'a Element,
        beside: Option<&'a Element>,
        scope: &Scope<'a>,
        steps: &mut Vec<Step>,
    ) {
        let mut inner = Vec::new();
        if let Some(beside) = beside {
            self.tree(beside, &scope.inner(), &mut inner);
        }
        let written = property(element, "IfController.condition").unwrap_or_default();
        let condition_text = filled(written, &self.constants);
        let asked = asked_by_if(&condition_text).map(|holds| holds.with(&self.constants));
        let why = match asked {
            None => Some(ALWAYS),
            Some(Holds::Never) if written.trim().is_empty() => Some("it has no condition, so nothing in it is sent"),
            Some(Holds::Never) => Some(HOLDS_NOT),
            Some(Holds::Always) if asked_by_if(written) != Some(Holds::Always) => Some(HOLDS),
            Some(_) => None,
        };
        if let Some(why) = why {
            let place = Place::Line(element.line);
            self.journeys.leave_out(&place, called(element), why);
        }
        steps.push(match asked {
            None | Some(Holds::Always) => Step::Repeat(1.0, inner),
            Some(Holds::Never) => Step::Repeat(0.0, inner),
            Some(holds) => Step::When(condition(element, holds), inner),
        });
    }

    /// The rounds of a controller that plans have as well; none of another one.
    pub(super) fn rounds(&mut self, element: &Element) -> Option<Rounds> {
        let by = match element.name.as_str() {
            "WhileController" => {
                let asked = self.asked_by_while(element).filter(|asked| *asked != Holds::Never)?;
                RoundsBy::While(condition(element, asked))
            }
            "ForeachController" => {
                let of = |name: &str| property(element, &format!("ForeachController.{name}")).map(str::trim);
                let name = of("inputVal").filter(|name| !name.is_empty())?.to_owned();
                // The plan begins with the first one.
                let first = of("startIndex")
                    .filter(|text| !text.is_empty())
                    .map_or(Some(0.0), |text| self.number(text));
                let end = of("endIndex").and_then(|text| self.number(text));
                RoundsBy::Each {
                    variable: of("returnVal")
                        .filter(|name| !name.is_empty() && first == Some(0.0))?
                        .to_owned(),
                    list: List::Numbered(name, if of("useSeparator") == Some("false") { "" } else { "_" }),
                    most: end.filter(|end| *end >= 1.0).map(|end| end as u32),
                }
            }
            "LoopController" => {
                let loops = property(element, "LoopController.loops").and_then(|text| self.number(text));
                RoundsBy::Times(loops.filter(|loops| (2.0..=MOST_ROUNDS).contains(loops))? as u32)
            }
            _ => return None,
        };
        let name = element.attribute("testname").unwrap_or_default();
        Some(Rounds {
            place: Place::Line(element.line),
            what: called(element),
            by,
            count: Some((format!("__jm__{name}__idx"), 0)),
        })
    }

    fn asked_by_while(&self, element: &Element) -> Option<Holds> {
        let written = property(element, "WhileController.condition")?;
        let asked = asked_by_while(&filled(written, &self.constants))?.with(&self.constants);
        (asked != Holds::Always).then_some(asked)
    }

    /// What a module controller names, in its place.
    pub(super) fn module(&mut self, element: &Element, scope: &Scope<'a>, steps: &mut Vec<Step>) {
        let path = texts(element, "ModuleController.node_path");
        let named = self
            .modules
            .find(&path)
            .filter(|(named, _)| named.name.ends_with("Controller"));
        let elements = named.and_then(|(_, beside)| beside).map_or(1, count);
        let has_room = self.modules.elements + elements <= MOST_IN_MODULES && self.modules.depth < DEEPEST_MODULE;
        let Some((named, beside)) = named.filter(|_| has_room) else {
            let why = "the plan has nothing in its place: what it names was not found, or names too many others";
            self.journeys
                .leave_out(&Place::Line(element.line), called(element), why);
            return;
        };
        self.modules.elements += elements;
        self.modules.depth += 1;
        self.element(named, beside, scope, steps);
        self.modules.depth -= 1;
    }

    /// What a controller takes one of each time, and how.
    pub(super) fn branches(
        &mut self,
        element: &Element,
        beside: &'a Element,
        outer: &Scope<'a>,
        steps: &mut Vec<Step>,
    ) {
        let chosen = (element.name == "SwitchController").then(|| self.chosen(element, beside));
        let (skipped, taken) = match chosen.flatten() {
            Some(Some(branch)) => (branch, 1),
            Some(None) => (0, 0),
            None => (0, usize::MAX),
        };
        if chosen == Some(None) {
            let why = "the plan takes one of its branches by chance";
            self.journeys
                .leave_out(&Place::Line(element.line), called(element), why);
        }
        let scope = self.scope(beside, &outer.inner());
        let mut branches = Vec::new();
        let all = pairs(beside).filter(|(element, _)| is_done(element));
        for (element, beside) in all.skip(skipped).take(taken) {
            let mut steps = Vec::new();
            self.element(element, beside, &scope, &mut steps);
            if !steps.is_empty() {
                branches.push(steps);
            }
        }
        // One alone is always the next one.
        if branches.len() < 2 {
            steps.extend(branches.pop().into_iter().flatten());
        } else if let Some(turns) = self.turns(element, beside, outer, branches.len()) {
            let each = turns.into_iter().zip(branches);
            steps.extend(each.map(|(holds, inner)| Step::When(condition(element, holds), inner)));
        } else {
            let choice = self.choice(element, beside, outer);
            steps.push(self.one_of(choice, branches));
        }
    }

    /// In which rounds of the loop around it each of so many branches is the next one.
    fn turns(&mut self, element: &Element, beside: &Element, scope: &Scope<'_>, branches: usize) -> Option<Vec<Holds>> {
        let rounds = scope.rounds.as_ref().filter(|_| takes_whole(element, beside))?;
        let branches = u32::try_from(branches).ok()?;
        // Else the next time begins with another one.
        let is_even = rounds.times.is_multiple_of(branches);
        if !is_even || rounds.times / branches > MOST_TURNS {
            return None;
        }
        let is_round = |round: u32| {
            let number = Text::literal(round.to_string());
            Holds::compared(Text::variable(&*rounds.count), Relation::Is, number)
        };
        let turns_of = |branch: u32| {
            let each = (branch..rounds.times).step_by(branches as usize).map(is_round);
            each.fold(Holds::Never, Holds::or)
        };
        Some((0..branches).map(turns_of).collect())
    }

    /// The branch of a switch, or that it has none, where the file itself says so. A number that none has is the first one.
    fn chosen(&self, element: &Element, beside: &Element) -> Option<Option<usize>> {
        let written = property(element, "SwitchController.value").unwrap_or_default();
        let text = Text::with_dollars(&filled(written, &self.constants));
        let value = text.as_literal()?.trim();
        let branches: Vec<&Element> = pairs(beside)
            .map(|(element, _)| element)
            .filter(|element| is_done(element))
            .collect();
        if value.is_empty() {
            return Some(Some(0));
        }
        if let Ok(number) = value.parse::<usize>() {
            return Some(Some(if number < branches.len() { number } else { 0 }));
        }
        let called = |name: &str| {
            branches
                .iter()
                .position(|branch| branch.attribute("testname") == Some(name))
        };
        Some(called(value).or_else(|| called("default")))
    }

    fn one_of(&mut self, choice: Choice, branches: Vec<Vec<Step>>) -> Step {
        let key = choice.key(branches.len());
        let last = branches.len() as u64;
        if !self.journeys.made.iter().any(|known| known.key == key) {
            self.journeys.made.push(MadeVariable {
                name: key.clone(),
                key,
                made: match choice {
                    Choice::ByChance => Made::Number(1, last),
                    Choice::InTurn => Made::Turn(1, last),
                },
                anew: choice == Choice::ByChance,
            });
        }
        Step::OneOf(choice, branches)
    }

    /// How an element that takes one of what is in it does so.
    fn choice(&mut self, element: &Element, beside: &Element, scope: &Scope<'a>) -> Choice {
        if element.name != "InterleaveControl" {
            return Choice::ByChance;
        }
        let (choice, otherwise) = match scope.clients {
            Some(clients) if takes_whole(element, beside) => {
                let is_of_all = property(element, "InterleaveControl.accrossThreads") == Some("true");
                let why = "all users of the plan take the next one together, and not each its own next one";
                (Choice::InTurn, Some(why).filter(|_| clients > 1.0 && !is_of_all))
            }
            _ => {
                let why = "the plan takes one of them by chance, not one after the other";
                (Choice::ByChance, Some(why))
            }
        };
        if let Some(why) = otherwise {
            let place = Place::Line(element.line);
            self.journeys.leave_out(&place, called(element), why);
        }
        choice
    }

    /// How often the steps of a controller are done.
    pub(super) fn times(&mut self, element: &Element) -> f64 {
        let place = Place::Line(element.line);
        match element.name.as_str() {
            // Done where a module controller names it, and nowhere else.
            "TestFragmentController" if !self.modules.is_in_one() => 0.0,
            "GenericController"
            | "TestFragmentController"
            | "TransactionController"
            | "RecordingController"
            | "CriticalSectionController" => 1.0,
            "LoopController" => {
                let loops = property(element, "LoopController.loops").and_then(|text| self.number(text));
                match loops.filter(|loops| *loops >= 0.0) {
                    Some(loops) => loops,
                    None => {
                        self.journeys.leave_out(
                            &place,
                            called(element),
                            "it has no end or none that is known; the plan has it once",
                        );
                        1.0
                    }
                }
            }
            "ThroughputController" if property(element, "ThroughputController.style") == Some("1") => {
                let share = texts_of_float(element)
                    .and_then(|text| self.number(&text))
                    .unwrap_or(100.0);
                share.clamp(0.0, 100.0) / 100.0
            }
            "ThroughputController" if most_executions(element) == Some("0") => 0.0,
            "WhileController" if self.asked_by_while(element) == Some(Holds::Never) => {
                self.journeys.leave_out(&place, called(element), HOLDS_NOT);
                0.0
            }
            name => {
                let why = match name {
                    "ThroughputController" => "plans do not count how often it is done; what is in it is always sent",
                    "RandomOrderController" => "what is in it is sent in the order of the file",
                    "WhileController" | "ForeachController" | "RunTime" => "what is in it is sent once",
                    "IncludeController" => "it is in another file; import that as well",
                    _ => ALWAYS,
                };
                self.journeys.leave_out(&place, called(element), why);
                1.0
            }
        }
    }
}
