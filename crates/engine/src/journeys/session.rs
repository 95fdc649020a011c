//! One user on the way: a state machine that says what comes next.

use super::cookies::Cookies;
use super::json;
use super::way::{By, Step, Way};
use plimsoll_plan::{Comparison, Draw, EachOf, JsonStep, Pause, Piece, Share, Template, Values};
use plimsoll_schedule::{draw, mixed};
use std::borrow::Cow;

/// The longest value that a user keeps.
pub(crate) const VALUE_BYTES_MAX: usize = 16 << 10;
/// Steps without a request or a pause that a user does before others have their turn. Then they wait for a moment.
const STEPS_MAX: usize = 1_000;
const MOMENT_NS: u64 = 1_000_000;

/// A user on a journey.
#[derive(Debug)]
pub(crate) struct Session {
    journey: usize,
    /// The step that comes next.
    at: usize,
    /// The number among all users of the run: by it is drawn what is left to chance.
    number: u64,
    /// How many users took the journey before: other variables are drawn by it, once for each user.
    nth: u64,
    /// When it came to where it is, ns since 1970.
    unix_ns: u64,
    /// Of each table of the scenario that the journey uses, how many users were given a row before.
    turns: Box<[u64]>,
    /// What was taken, by the place of the variable. Without room as long as nothing was.
    kept: Vec<Option<Box<[u8]>>>,
    /// Rounds that were begun, by their place on the way, and when the last of them was. Without room in the same way.
    rounds: Vec<(u32, u64)>,
    pub(crate) cookies: Cookies,
    /// What was done once, by its first request.
    done: Vec<u16>,
    chance: u64,
}

/// What a user has from one journey to the next.
#[derive(Debug)]
pub(crate) struct Belongings {
    kept: Vec<Option<Box<[u8]>>>,
    cookies: Cookies,
    done: Vec<u16>,
}

/// What a user does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    /// Sends this request of the scenario.
    Request(u16),
    /// Does nothing for so many ns.
    Pause(u64),
    /// The journey is at its end.
    Nothing,
}

impl Session {
    /// User `number` of the run, who is the `nth` on its journey.
    pub(super) fn new(journey: usize, (number, nth): (u64, u64), turns: Box<[u64]>, seed: u64) -> Self {
        Self {
            journey,
            at: 0,
            number,
            nth,
            unix_ns: 0,
            turns,
            kept: Vec::new(),
            rounds: Vec::new(),
            cookies: Cookies::default(),
            done: Vec::new(),
            chance: seed ^ number.rotate_left(17),
        }
    }

    /// What the user has at the end of its journey.
    pub(crate) fn into_belongings(self) -> Belongings {
        Belongings {
            kept: self.kept,
            cookies: self.cookies,
            done: self.done,
        }
    }

    /// Begins with what the user had at the end of the journey before.
    pub(crate) fn with(self, belongings: Belongings) -> Self {
        let Belongings { kept, cookies, done } = belongings;
        Self {
            kept,
            cookies,
            done,
            ..self
        }
    }

    /// Whether it has done what is done once, which this request is the first of.
    pub(super) fn has_done(&self, first: u16) -> bool {
        self.done.contains(&first)
    }

    pub(super) fn journey(&self) -> usize {
        self.journey
    }

    /// It comes to what it does next, so long after the beginning of 1970.
    pub(super) fn came_here(&mut self, unix_ns: u64) {
        self.unix_ns = unix_ns;
    }

    /// The value that was taken for a variable.
    pub(super) fn kept(&self, variable: usize) -> Option<&[u8]> {
        self.kept.get(variable)?.as_deref()
    }

    /// All values that were taken, by the place of the variable.
    pub(super) fn all_kept(&self) -> &[Option<Box<[u8]>>] {
        &self.kept
    }

    /// Keeps the value of a variable.
    pub(crate) fn keep(&mut self, variable: usize, value: Vec<u8>) {
        if variable >= self.kept.len() {
            self.kept.resize(variable + 1, None);
        }
        self.kept[variable] = Some(value.into_boxed_slice());
    }

    /// How much of what was taken is kept.
    pub(crate) fn kept_bytes(&self) -> usize {
        let kept: usize = self.kept.iter().flatten().map(|value| value.len()).sum();
        kept + self.cookies.bytes()
    }

    /// Appends the value of a variable for this user; nothing where nothing was taken for it.
    pub(super) fn append(&self, variable: usize, variables: &[Values], out: &mut Vec<u8>) {
        match &variables[variable] {
            Values::Kept { in_json: false } => out.extend_from_slice(self.kept(variable).unwrap_or_default()),
            Values::Kept { in_json: true } => {
                let value = String::from_utf8_lossy(self.kept(variable - 1).unwrap_or_default());
                let quoted = serde_json::Value::from(value).to_string();
                out.extend_from_slice(&quoted.as_bytes()[1..quoted.len() - 1]);
            }
            values @ Values::Column(column) => {
                let turn = self.turns.get(column.table().place()).copied().unwrap_or_default();
                values.append(draw(values, turn), out);
            }
            Values::Now(now) => now.append(self.unix_ns, out),
            values => {
                let nth = match values.draw() {
                    // Between two requests the state of chance changes.
                    Some(Draw { anew: true, .. }) => self.chance,
                    Some(_) => self.number,
                    None => self.nth,
                };
                values.append(draw(values, nth), out);
            }
        }
    }

    /// A text with the values of this user.
    pub(super) fn text(&self, template: &Template, variables: &[Values]) -> Vec<u8> {
        let mut text = Vec::new();
        for piece in template.reveal() {
            match piece {
                Piece::Literal(bytes) => text.extend_from_slice(bytes),
                Piece::Variable(variable) => self.append(variable, variables, &mut text),
            }
        }
        text
    }

    /// Goes on from `now_ns` to what comes next.
    pub(crate) fn next(&mut self, way: &Way, variables: &[Values], now_ns: u64) -> Next {
        for _ in 0..STEPS_MAX {
            let Some(step) = way.steps.get(self.at).copied() else {
                return Next::Nothing;
            };
            self.at += 1;
            match step {
                Step::Request(request) => {
                    self.draw();
                    return Next::Request(request);
                }
                Step::Pause(pause) => return Next::Pause(self.length_ns(pause)),
                Step::Set(set) => {
                    self.draw();
                    let set = &way.sets[set];
                    let mut value = self.text(&set.value, variables);
                    value.truncate(VALUE_BYTES_MAX);
                    self.keep(set.variable, value);
                }
                Step::Chance { of, to } => {
                    if !self.happens(of) {
                        self.at = to;
                    }
                }
                Step::Unless { condition, to } => {
                    if !self.is_so(way, condition, variables) {
                        self.at = to;
                    }
                }
                Step::Once { first, to } => {
                    if self.has_done(first) {
                        self.at = to;
                    }
                }
                Step::Done(first) => {
                    if !self.has_done(first) {
                        self.done.push(first);
                    }
                }
                Step::Begin { rounds, to } => {
                    self.rounds.resize(way.rounds.len(), (0, 0));
                    match self.begins(way, rounds, 0, variables) {
                        true => self.rounds[rounds] = (1, now_ns),
                        false => self.at = to,
                    }
                }
                Step::Again { rounds: place, to } => {
                    let rounds = way.rounds[place];
                    let (begun, began_ns) = self.rounds[place];
                    let ends = matches!(rounds.by, By::Until(until) if self.is_so(way, until, variables));
                    if ends || begun >= rounds.most || !self.begins(way, place, begun, variables) {
                        continue;
                    }
                    self.at = to;
                    let begins_ns = now_ns.max(began_ns + rounds.every_ns);
                    self.rounds[place] = (begun + 1, begins_ns);
                    if begins_ns > now_ns {
                        return Next::Pause(begins_ns - now_ns);
                    }
                }
            }
        }
        Next::Pause(MOMENT_NS)
    }

    /// Whether there is a round behind so many; then it begins, with what is another value in each.
    fn begins(&mut self, way: &Way, rounds: usize, begun: u32, variables: &[Values]) -> bool {
        let rounds = &way.rounds[rounds];
        let begins = match rounds.by {
            By::Times | By::Until(_) => true,
            By::While(so) => self.is_so(way, so, variables),
            By::Each(each) => {
                let each = &way.eaches[each];
                let value = self.nth_of(&each.of, begun, variables);
                let begins = value.is_some();
                if let Some(mut value) = value {
                    value.truncate(VALUE_BYTES_MAX);
                    self.keep(each.variable, value);
                }
                begins
            }
        };
        if let (true, Some(count)) = (begins, rounds.count) {
            let number = count.from.saturating_add(u64::from(begun));
            self.keep(count.variable, number.to_string().into_bytes());
        }
        begins
    }

    /// The value of this number of a list, from 0; none behind the last.
    fn nth_of(&mut self, list: &EachOf, number: u32, variables: &[Values]) -> Option<Vec<u8>> {
        match list {
            EachOf::Values(values) => {
                let value = values.get(number as usize)?;
                self.draw();
                Some(self.text(value, variables))
            }
            EachOf::Variable(list) => {
                let mut text = Vec::new();
                self.append(*list, variables, &mut text);
                let value = json::at(&[JsonStep::Element(u64::from(number))], &text);
                value.ok().map(String::into_bytes)
            }
        }
    }

    fn is_so(&self, way: &Way, condition: usize, variables: &[Values]) -> bool {
        let compares = |value: &Template, Comparison { relation, with }: &Comparison| {
            relation.holds(&self.value(value, variables), &self.value(with, variables))
        };
        way.conditions[condition].is_so(&compares)
    }

    /// The same as [`Self::text`], copied only where it is put together.
    fn value<'a>(&'a self, template: &'a Template, variables: &[Values]) -> Cow<'a, [u8]> {
        let mut pieces = template.reveal();
        let alone = match (pieces.next(), pieces.next()) {
            (Some(Piece::Literal(bytes)), None) => Some(bytes),
            (Some(Piece::Variable(variable)), None) => self.kept(variable),
            _ => None,
        };
        alone.map_or_else(|| self.text(template, variables).into(), Cow::Borrowed)
    }

    fn happens(&mut self, of: Share) -> bool {
        self.draw_share() <= of.value()
    }

    fn length_ns(&mut self, pause: Pause) -> u64 {
        match pause {
            Pause::Between { from, to } => {
                let (from_ns, to_ns) = (from.as_nanos() as u64, to.as_nanos() as u64);
                match to_ns.saturating_sub(from_ns) {
                    0 => from_ns,
                    width => from_ns + ((u128::from(self.draw()) * (u128::from(width) + 1)) >> 64) as u64,
                }
            }
            Pause::Exponential { mean } => {
                let times = -self.draw_share().ln();
                (mean.as_nanos() as f64 * times.min(f64::from(Pause::LONGEST_OF_MEAN))) as u64
            }
            Pause::Normal { mean, deviation } => {
                // Box and Muller, 1958.
                let (distance, turn) = (self.draw_share(), self.draw_share());
                let deviations = (-2.0 * distance.ln()).sqrt() * (std::f64::consts::TAU * turn).cos();
                // Negative ones become nothing.
                (mean.as_nanos() as f64 + deviation.as_nanos() as f64 * deviations) as u64
            }
        }
    }

    /// A number above 0, at most 1, that is left to chance.
    fn draw_share(&mut self) -> f64 {
        // All of its bits that a number between 0 and 1 can have.
        ((self.draw() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// The next number that is left to chance.
    fn draw(&mut self) -> u64 {
        self.chance = mixed(self.chance);
        self.chance
    }
}

#[cfg(test)]
mod tests;
