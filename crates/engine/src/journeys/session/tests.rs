//! Users who do what is written.

use super::*;
use plimsoll_plan::{
    Action, ActionRequest, Chance, Condition, Count, Each, Relation, Request, Rounds, RoundsBy, Set, Share, When,
};
use proptest::prelude::*;
use std::time::Duration;

const VARIABLES: [Values; 2] = [Values::Kept { in_json: false }, Values::Kept { in_json: true }];

/// A request of which nothing is taken or checked.
fn plain_request() -> ActionRequest {
    ActionRequest {
        url: None,
        request: Request::get(Template::literal("/")),
        takes: Vec::new(),
        checks: Vec::new(),
        on_failure: plimsoll_plan::OnFailure::default(),
        receivers: plimsoll_plan::Receivers::default(),
    }
}

fn condition() -> impl Strategy<Value = Condition> {
    let relation = proptest::sample::select(&Relation::ALL[..]);
    let compared = ("[12a]", relation).prop_map(|(with, relation)| {
        let with = Template::literal(with);
        Condition::Value(Template::of([Piece::Variable(0)]), Comparison { relation, with })
    });
    compared.prop_recursive(3, 8, 3, |inner| {
        let several = proptest::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            several.clone().prop_map(Condition::All),
            several.prop_map(Condition::Any),
            inner.prop_map(|condition| Condition::Not(Box::new(condition))),
        ]
    })
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let request = Just(()).prop_map(|()| Action::Request(Box::new(plain_request())));
    let pause = (0..9_u64).prop_map(|ns| Action::Pause(Pause::always(Duration::from_nanos(ns))));
    let set = "[12a]".prop_map(|value| {
        let value = Template::literal(value);
        Action::Set(vec![Set { variable: 0, value }])
    });
    let leaf = prop_oneof![request, pause, set];
    let several = |of| proptest::collection::vec(of, 1..4);
    let tree = leaf.prop_recursive(3, 24, 3, move |inner| {
        let by = prop_oneof![
            Just(RoundsBy::Times),
            condition().prop_map(RoundsBy::Until),
            condition().prop_map(RoundsBy::While),
            proptest::collection::vec("[12a]", 1..4).prop_map(|values| RoundsBy::Each(Each {
                variable: 0,
                of: EachOf::Values(values.into_iter().map(Template::literal).collect()),
            })),
        ];
        let actions = proptest::collection::vec(inner, 1..4);
        prop_oneof![
            (actions.clone(), 1..4_u32, 0..20_u64, by).prop_map(|(actions, most, every, by)| Action::Rounds(Rounds {
                most,
                by,
                count: None,
                every: Duration::from_nanos(every),
                actions,
            })),
            (actions.clone(), any::<bool>()).prop_map(|(actions, always)| Action::Chance(Chance {
                of: Share::percent(if always { 100 } else { 0 }),
                actions,
            })),
            (actions, condition()).prop_map(|(actions, condition)| Action::When(When { condition, actions })),
        ]
    });
    let once = several(tree.clone().boxed()).prop_map(|actions| Action::Once(with_request(actions)));
    several(prop_oneof![4 => tree, 1 => once].boxed())
}

/// What is done once is known by a request of its own.
fn with_request(mut actions: Vec<Action>) -> Vec<Action> {
    actions.push(Action::Request(Box::new(plain_request())));
    actions
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
                    skip(&rounds.actions, place);
                    let mut next_ns = 0;
                    for round in 0..rounds.most {
                        match &rounds.by {
                            RoundsBy::Until(until) if round > 0 && self.is_so(until) => break,
                            RoundsBy::While(so) if !self.is_so(so) => break,
                            RoundsBy::Each(Each {
                                of: EachOf::Values(values),
                                ..
                            }) => {
                                let Some(value) = values.get(round as usize) else { break };
                                self.value = literal(value);
                            }
                            _ => {}
                        }
                        self.now_ns = self.now_ns.max(next_ns);
                        next_ns = self.now_ns + rounds.every.as_nanos() as u64;
                        self.read(&rounds.actions, &mut begin.clone());
                    }
                }
                Action::Chance(chance) if chance.of.value() > 0.5 => self.read(&chance.actions, place),
                Action::Chance(chance) => skip(&chance.actions, place),
                Action::When(when) if self.is_so(&when.condition) => self.read(&when.actions, place),
                Action::When(when) => skip(&when.actions, place),
                // Who is new does it.
                Action::Once(actions) => self.read(actions, place),
                Action::Repeat(_) | Action::Send(_) => {}
            }
        }
    }

    fn is_so(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Value(_, Comparison { relation, with }) => relation.holds(&self.value, &literal(with)),
            Condition::All(all) => all.iter().fold(true, |so, condition| so & self.is_so(condition)),
            Condition::Any(any) => any.iter().fold(false, |so, condition| so | self.is_so(condition)),
            Condition::Not(condition) => !self.is_so(condition),
        }
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

/// What a user sends who has taken this list, by what the loop keeps: its value and the number of the round.
fn sent_for_each(list: &[u8], most: u32) -> Vec<String> {
    let kept = |in_json| Values::Kept { in_json };
    let variables: Vec<Values> = (0..6).map(|place| kept(place % 2 == 1)).collect();
    let rounds = Action::Rounds(Rounds {
        most,
        by: RoundsBy::Each(Each {
            variable: 2,
            of: EachOf::Variable(0),
        }),
        count: Some(Count { variable: 4, from: 7 }),
        every: Duration::ZERO,
        actions: vec![Action::Request(Box::new(plain_request()))],
    });
    let way = Way::of(&[rounds], &mut 0);
    let mut user = Session::new(0, (0, 0), Box::default(), 1);
    user.keep(0, list.to_vec());
    let mut sent = Vec::new();
    while user.next(&way, &variables, 0) == Next::Request(0) {
        let kept = [2, 4].map(|place| String::from_utf8_lossy(user.kept(place).unwrap_or_default()).into_owned());
        sent.push(kept.join(" "));
    }
    sent
}

#[test]
fn there_is_a_round_for_each_value_of_a_list() {
    let check = |list: &str, expected: &[&str]| assert_eq!(sent_for_each(list.as_bytes(), 3), expected, "{list}");
    check(r#"["a","b \"c\""]"#, &["a 7", "b \"c\" 8"]);
    check(r#"[1,{"k":[2]}]"#, &["1 7", r#"{"k":[2]} 8"#]);
    check("[1,2,3,4,5]", &["1 7", "2 8", "3 9"]);
    for none in ["[]", "", "[1,", "secret", "{}"] {
        check(none, &[]);
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
