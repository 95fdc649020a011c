//! One user on the way: a state machine that says what comes next.

use super::cookies::Cookies;
use super::way::{Step, Way};
use plimsoll_plan::{Draw, Pause, Piece, Share, Template, Values};
use plimsoll_schedule::{draw, mixed};

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
    chance: u64,
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
            chance: seed ^ number.rotate_left(17),
        }
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
                Step::Begin { rounds } => {
                    self.rounds.resize(way.rounds.len(), (0, 0));
                    self.rounds[rounds] = (1, now_ns);
                }
                Step::Again { rounds: place, to } => {
                    let rounds = way.rounds[place];
                    let (begun, began_ns) = self.rounds[place];
                    let ends = rounds.until.is_some_and(|until| self.is_so(way, until, variables));
                    if ends || begun >= rounds.most {
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

    fn is_so(&self, way: &Way, condition: usize, variables: &[Values]) -> bool {
        let condition = &way.conditions[condition];
        self.text(&condition.value, variables) == condition.is.reveal().as_bytes()
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
mod tests {
    use super::super::way::Way;
    use super::*;
    use plimsoll_plan::{Action, ActionRequest, Chance, Condition, Request, Rounds, Secret, Set, Share, When};
    use proptest::prelude::*;
    use std::time::Duration;

    const VARIABLES: [Values; 2] = [Values::Kept { in_json: false }, Values::Kept { in_json: true }];

    fn actions() -> impl Strategy<Value = Vec<Action>> {
        let request = Just(()).prop_map(|()| {
            Action::Request(Box::new(ActionRequest {
                url: None,
                request: Request::get(Template::literal("/")),
                takes: Vec::new(),
                checks: Vec::new(),
                on_failure: plimsoll_plan::OnFailure::default(),
                receivers: plimsoll_plan::Receivers::default(),
            }))
        });
        let pause = (0..9_u64).prop_map(|ns| Action::Pause(Pause::always(Duration::from_nanos(ns))));
        let set = "[ab]".prop_map(|value| {
            let value = Template::literal(value);
            Action::Set(vec![Set { variable: 0, value }])
        });
        let leaf = prop_oneof![request, pause, set];
        let several = |of| proptest::collection::vec(of, 1..4);
        let tree = leaf.prop_recursive(3, 24, 3, move |inner| {
            let condition = || {
                "[ab]".prop_map(|is| Condition {
                    value: Template::of([Piece::Variable(0)]),
                    is: Secret::from(is),
                })
            };
            let actions = proptest::collection::vec(inner, 1..4);
            prop_oneof![
                (actions.clone(), 1..4_u32, 0..20_u64, proptest::option::of(condition())).prop_map(
                    |(actions, most, every, until)| Action::Rounds(Rounds {
                        most,
                        until,
                        every: Duration::from_nanos(every),
                        actions,
                    })
                ),
                (actions.clone(), any::<bool>()).prop_map(|(actions, always)| Action::Chance(Chance {
                    of: Share::percent(if always { 100 } else { 0 }),
                    actions,
                })),
                (actions, condition()).prop_map(|(actions, condition)| Action::When(When { condition, actions })),
            ]
        });
        several(tree)
    }

    /// What a user does who does everything as it is written: requests by their places, and when.
    struct Reader {
        now_ns: u64,
        value: Vec<u8>,
        sent: Vec<(u16, u64)>,
    }

    impl Reader {
        fn read(&mut self, actions: &[Action], place: &mut u16) {
            for action in actions {
                let begin = *place;
                match action {
                    Action::Request(_) => {
                        self.sent.push((*place, self.now_ns));
                        *place += 1;
                    }
                    Action::Pause(Pause::Between { from, .. }) => self.now_ns += from.as_nanos() as u64,
                    Action::Pause(pause) => panic!("{pause:?} is another one each time"),
                    Action::Set(sets) => self.value = literal(&sets[0].value),
                    Action::Rounds(rounds) => {
                        for round in 1.. {
                            let begins_ns = self.now_ns;
                            *place = begin;
                            self.read(&rounds.actions, place);
                            if round == rounds.most || rounds.until.as_ref().is_some_and(|until| self.is_so(until)) {
                                break;
                            }
                            self.now_ns = self.now_ns.max(begins_ns + rounds.every.as_nanos() as u64);
                        }
                    }
                    Action::Chance(chance) if chance.of.value() > 0.5 => self.read(&chance.actions, place),
                    Action::Chance(chance) => skip(&chance.actions, place),
                    Action::When(when) if self.is_so(&when.condition) => self.read(&when.actions, place),
                    Action::When(when) => skip(&when.actions, place),
                    Action::Repeat(_) | Action::Send(_) => {}
                }
            }
        }

        fn is_so(&self, condition: &Condition) -> bool {
            self.value == condition.is.reveal().as_bytes()
        }
    }

    fn skip(actions: &[Action], place: &mut u16) {
        Way::of(actions, place);
    }

    fn literal(template: &Template) -> Vec<u8> {
        let pieces = template.reveal().filter_map(|piece| match piece {
            Piece::Literal(bytes) => Some(bytes),
            Piece::Variable(_) => None,
        });
        pieces.flatten().copied().collect()
    }

    proptest! {
        #[test]
        fn a_user_does_what_is_written(actions in actions(), seed in any::<u64>()) {
            let mut reader = Reader { now_ns: 0, value: Vec::new(), sent: Vec::new() };
            reader.read(&actions, &mut 0);
            let way = Way::of(&actions, &mut 0);
            let mut user = Session::new(0, (0, 0), Box::default(), seed);
            let (mut now_ns, mut sent) = (0, Vec::new());
            loop {
                match user.next(&way, &VARIABLES, now_ns) {
                    Next::Request(request) => sent.push((request, now_ns)),
                    Next::Pause(ns) => now_ns += ns,
                    Next::Nothing => break,
                }
            }
            prop_assert_eq!(sent, reader.sent);
            prop_assert_eq!(now_ns, reader.now_ns);
        }

        #[test]
        fn pauses_lie_between_their_bounds(from in 0..1000_u64, width in 0..1000_u64, seed in any::<u64>()) {
            let pause = Pause::Between { from: Duration::from_nanos(from), to: Duration::from_nanos(from + width) };
            let length_ns = Session::new(0, (0, 0), Box::default(), seed).length_ns(pause);
            prop_assert!((from..=from + width).contains(&length_ns));
        }
    }

    /// Mean, standard deviation, shortest and longest of 100,000 pauses, in seconds.
    fn figures(pause: Pause) -> [f64; 4] {
        let mut user = Session::new(0, (0, 0), Box::default(), 7);
        let lengths: Vec<f64> = (0..100_000).map(|_| user.length_ns(pause) as f64 / 1e9).collect();
        let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
        let variance = lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / lengths.len() as f64;
        let bounds = lengths
            .iter()
            .fold((f64::MAX, 0.0), |(least, most): (f64, f64), length| {
                (least.min(*length), most.max(*length))
            });
        [mean, variance.sqrt(), bounds.0, bounds.1]
    }

    #[test]
    fn pauses_are_distributed_as_they_say() {
        // The deviation of an exponential distribution is its mean. Of so many, the mean is right to a third of a per cent.
        let [mean, deviation, shortest, longest] = figures(Pause::Exponential {
            mean: Duration::from_secs(2),
        });
        assert!(
            (1.97..2.03).contains(&mean) && (1.96..2.04).contains(&deviation),
            "{mean} {deviation}"
        );
        assert!(
            shortest < 0.001 && (18.0..=20.0).contains(&longest),
            "{shortest} {longest}"
        );
        let [mean, deviation, shortest, longest] = figures(Pause::Normal {
            mean: Duration::from_secs(10),
            deviation: Duration::from_secs(1),
        });
        assert!(
            (9.98..10.02).contains(&mean) && (0.985..1.015).contains(&deviation),
            "{mean} {deviation}"
        );
        assert!(
            (5.0..6.5).contains(&shortest) && (13.5..15.0).contains(&longest),
            "{shortest} {longest}"
        );
        let [_, _, shortest, _] = figures(Pause::Normal {
            mean: Duration::from_secs(1),
            deviation: Duration::from_secs(1),
        });
        assert_eq!(shortest, 0.0);
    }
}
