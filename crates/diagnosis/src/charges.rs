//! To whom time is charged: to the nearest line of the service's own code on the stack, else of a package; where neither is on it,
//! to what labels say it ran for.

use crate::activities::activities;
use crate::calls::{Told, is_gc, kinds};
use crate::layers::FOLLOWED_US_MIN;
use crate::stacks::{Passing, Stack, stacks};
use plimsoll_findings::{Activity, CauseKind};
use plimsoll_measure::{Causer, Frame, Profile};
use std::collections::HashMap;
use std::hash::Hash;

/// Who is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Whom<'a> {
    /// A function of the service or of a package.
    Function(&'a Frame),
    /// What is registered with a framework, by its index.
    Layer(usize),
    /// Nobody.
    Nobody,
}

/// Time of one kind.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Charge<'a> {
    pub(crate) whom: Whom<'a>,
    /// The line of the function, where that is known.
    pub(crate) line: Option<u32>,
    /// The package that the function called for it, where it did.
    pub(crate) through: Option<&'a str>,
    /// What Node.js does; `None` for code of the service and of packages.
    pub(crate) activity: Option<Activity>,
    /// The kind of cause that it is part of, where a finding has a name for it.
    pub(crate) kind: Option<CauseKind>,
    pub(crate) us: f64,
    /// No line is on the stack: labels or memory say whose it is.
    pub(crate) is_estimated: bool,
}

/// All time of a profile.
pub(crate) fn charges<'a>(profile: &'a Profile, allocations: &'a Profile, told: Told) -> Vec<Charge<'a>> {
    let passing = Passing::of(profile);
    let stacks = stacks(profile, &passing);
    let activities = activities(profile);
    let kinds = kinds(profile, told);
    let labels = Labels::of(profile, &stacks, &activities);
    let garbage = garbage(allocations, &passing, &labels);
    let mut charges = Vec::new();
    for (index, call) in profile.calls.iter().enumerate().filter(|(_, call)| call.self_us > 0) {
        let frame = &profile.frames[call.frame];
        let stack = stacks[index];
        let mut charge = |whom, line, us, is_estimated| {
            charges.push(Charge {
                whom,
                line,
                through: stack.through(),
                activity: activities[index].or_else(|| stack.function().is_none().then_some(Activity::Native)),
                kind: kinds[index],
                us,
                is_estimated: is_estimated && whom != Whom::Nobody,
            });
        };
        let us = call.self_us as f64;
        match stack.function() {
            _ if is_gc(frame) && !garbage.is_empty() => {
                for (whom, share) in &garbage {
                    charge(*whom, None, us * share, true);
                }
            }
            Some(function) if function == frame => {
                let on_lines: u64 = call.lines.iter().map(|(_, us)| us).sum();
                for &(line, us) in &call.lines {
                    charge(Whom::Function(function), Some(line), us as f64, false);
                }
                charge(
                    Whom::Function(function),
                    None,
                    call.self_us.saturating_sub(on_lines) as f64,
                    false,
                );
            }
            Some(function) => charge(Whom::Function(function), stack.called_on(), us, false),
            None => {
                for (whom, share) in labels.shares(Some(index), frame, activities[index]) {
                    charge(whom, None, us * share, true);
                }
            }
        }
    }
    charges
}

/// Shares of the memory that was asked for: collections are charged so, because most run between callbacks, whoever made the
/// garbage.
fn garbage<'a>(allocations: &'a Profile, passing: &Passing<'_>, labels: &Labels<'a>) -> Vec<(Whom<'a>, f64)> {
    let stacks = stacks(allocations, passing);
    let activities = activities(allocations);
    let mut bytes: Weights<Whom<'a>> = Weights::default();
    for (index, call) in allocations
        .calls
        .iter()
        .enumerate()
        .filter(|(_, call)| call.self_us > 0)
    {
        match stacks[index].function() {
            Some(function) => bytes.add(Whom::Function(function), call.self_us as f64),
            None => {
                for (whom, share) in labels.shares(None, &allocations.frames[call.frame], activities[index]) {
                    bytes.add(whom, share * call.self_us as f64);
                }
            }
        }
    }
    bytes.shares()
}

/// How much of each.
#[derive(Debug)]
struct Weights<K>(Vec<(K, f64)>);

impl<K> Default for Weights<K> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<K: Copy + Eq> Weights<K> {
    fn add(&mut self, key: K, weight: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == key) {
            Some((_, sum)) => *sum += weight,
            None => self.0.push((key, weight)),
        }
    }

    /// Together one; empty where there is nothing.
    fn shares(&self) -> Vec<(K, f64)> {
        let all: f64 = self.0.iter().map(|(_, weight)| weight).sum();
        let shares = self.0.iter().filter(|_| all > 0.0);
        shares.map(|(key, weight)| (*key, weight / all)).collect()
    }
}

/// For whom that time was for which nobody is on the stack, in the part of the profile in which labels were followed. The whole
/// is shared out as that part: by call, and what has none there as the same function, as the same activity, or as all.
#[derive(Debug, Default)]
struct Labels<'a> {
    by_call: HashMap<usize, Weights<Whom<'a>>>,
    by_function: HashMap<&'a Frame, Weights<Whom<'a>>>,
    by_activity: HashMap<Option<Activity>, Weights<Whom<'a>>>,
    all: Weights<Whom<'a>>,
}

impl<'a> Labels<'a> {
    fn of(profile: &'a Profile, stacks: &[Stack<'_>], activities: &[Option<Activity>]) -> Self {
        let mut found = Self::default();
        let followed_us = profile.layers.followed_us();
        if followed_us < FOLLOWED_US_MIN {
            return found;
        }
        let by_loop = by_loop(profile);
        for time in &profile.layers.times {
            let frame = &profile.frames[profile.calls[time.call].frame];
            if is_gc(frame) || stacks[time.call].function().is_some() {
                continue;
            }
            let whom = match time.causer {
                Causer::Layer(layer) => vec![(Whom::Layer(layer), 1.0)],
                Causer::Nobody => vec![(Whom::Nobody, 1.0)],
                Causer::Loop => by_loop.clone(),
            };
            for (whom, share) in whom {
                let us = share * time.us as f64;
                found.by_call.entry(time.call).or_default().add(whom, us);
                found.by_function.entry(frame).or_default().add(whom, us);
                found
                    .by_activity
                    .entry(activities[time.call])
                    .or_default()
                    .add(whom, us);
                found.all.add(whom, us);
            }
        }
        found
    }

    fn shares(&self, call: Option<usize>, frame: &Frame, activity: Option<Activity>) -> Vec<(Whom<'a>, f64)> {
        let known = [
            call.and_then(|call| self.by_call.get(&call)),
            self.by_function.get(frame),
            self.by_activity.get(&activity),
            Some(&self.all),
        ];
        // A sample may stand for no time.
        let shares = known.into_iter().flatten().map(Weights::shares);
        let mut shares = shares.filter(|shares| !shares.is_empty());
        shares.next().unwrap_or_else(|| vec![(Whom::Nobody, 1.0)])
    }
}

/// What the loop does between callbacks, it does to get to them.
fn by_loop<'a>(profile: &Profile) -> Vec<(Whom<'a>, f64)> {
    let mut callbacks = Weights::default();
    for (index, layer) in profile.layers.known.iter().enumerate() {
        callbacks.add(Whom::Layer(index), layer.counts.callbacks as f64);
    }
    callbacks.add(Whom::Nobody, profile.layers.others.callbacks as f64);
    match callbacks.shares() {
        none if none.is_empty() => vec![(Whom::Nobody, 1.0)],
        shares => shares,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::profile;
    use plimsoll_measure::{CausedTime, Layer, LayerCounts};

    /// Time by who is charged: a function by its name, a layer by its number.
    fn charged(profile: &Profile, allocations: &Profile) -> Vec<(String, u64)> {
        let mut sums: HashMap<String, f64> = HashMap::new();
        for charge in charges(profile, allocations, Told::Counted) {
            let whom = match charge.whom {
                Whom::Function(frame) => frame.function.clone(),
                Whom::Layer(layer) => layer.to_string(),
                Whom::Nobody => "nobody".to_owned(),
            };
            *sums.entry(whom).or_default() += charge.us;
        }
        let mut sums: Vec<(String, u64)> = sums.into_iter().map(|(whom, us)| (whom, us.round() as u64)).collect();
        sums.sort();
        sums.retain(|(_, us)| *us > 0);
        sums
    }

    fn by_stack(text: &str) -> Vec<(String, u64)> {
        charged(&profile(text), &Profile::default())
    }

    fn expected(of: &[(&str, u64)]) -> Vec<(String, u64)> {
        of.iter().map(|(whom, us)| ((*whom).to_owned(), *us)).collect()
    }

    #[test]
    fn the_nearest_line_of_the_service_is_charged_or_else_of_a_package() {
        let found = by_stack(
            "
node:net onread 1
  /srv/node_modules/express/router.js handle 10
    node:events emit 100
    /srv/app.js list 1000
      /srv/node_modules/lodash/lodash.js sort 10000
        - toString 100000
",
        );
        assert_eq!(found, expected(&[("handle", 110), ("list", 111_000), ("nobody", 1)]));
    }

    #[test]
    fn middleware_that_passes_a_request_on_is_not_charged_with_what_follows() {
        // Koa calls each middleware below the one before it.
        let found = by_stack(
            "
node:http_server parserOnIncoming 1
  /srv/node_modules/koa-compose/index.js dispatch 10
    /srv/app.js logger 100
      /srv/node_modules/koa-router/index.js next 1000
        /srv/node_modules/koa-compose/index.js dispatch 10000
          /srv/node_modules/koa-static/index.js serve 100000
            node:fs stat 1000000
          /srv/app.js list 10000000
",
        );
        let all = [
            ("dispatch", 10_010),
            ("list", 10_000_000),
            ("logger", 100),
            ("next", 1000),
            ("nobody", 1),
            ("serve", 1_100_000),
        ];
        assert_eq!(found, expected(&all));
    }

    #[test]
    fn a_listener_is_charged_and_not_who_emits() {
        let found = by_stack(
            "
/srv/app.js respond 1
  node:_http_outgoing end 10
    node:events emit 100
      /srv/node_modules/on-finished/index.js onFinish 1000
        node:internal/timers insert 10000
",
        );
        assert_eq!(found, expected(&[("onFinish", 11_000), ("respond", 111)]));
    }

    #[test]
    fn lines_are_kept_where_they_are_known() {
        let mut drawn = profile("/srv/app.js list 10\n  node:buffer from 20");
        drawn.calls[0].lines = vec![(5, 4)];
        drawn.calls[1].called_on = Some(7);
        let mut lines: Vec<_> = charges(&drawn, &Profile::default(), Told::Counted)
            .iter()
            .map(|charge| (charge.line, charge.us, charge.activity))
            .collect();
        lines.sort_by_key(|(line, ..)| *line);
        let expected = [
            (None, 6.0, None),
            (Some(5), 4.0, None),
            (Some(7), 20.0, Some(Activity::Buffers)),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_label_without_time_says_nothing() {
        let text = "node:events emit 1000\nnode:net onread 30000";
        let times = [(0, Causer::Nobody, 0), (1, Causer::Layer(0), 30_000)];
        let found = charged(&labelled(text, &times, [0, 1, 0]), &Profile::default());
        assert_eq!(found, expected(&[("0", 31_000)]));
    }

    /// What is labelled: a call, for whom, for how long.
    fn labelled(text: &str, times: &[(usize, Causer, u64)], callbacks: [u64; 3]) -> Profile {
        let mut drawn = profile(text);
        let time = |&(call, causer, us): &(usize, Causer, u64)| CausedTime { call, causer, us };
        drawn.layers.times = times.iter().map(time).collect();
        let [others, layers @ ..] = callbacks.map(|callbacks| LayerCounts {
            callbacks,
            ..LayerCounts::default()
        });
        drawn.layers.others = others;
        drawn.layers.known = layers
            .map(|counts| Layer {
                counts,
                ..Layer::default()
            })
            .to_vec();
        drawn
    }

    #[test]
    fn labels_say_for_whom_the_event_loop_calls_node() {
        let text = "
node:events emit 400000
node:internal/streams/readable resume 100000
node:events addListener 50000
- (program) 100000
node:zlib processCallback 70000
/srv/app.js list 1000
";
        let times = [
            (0, Causer::Layer(0), 30_000),
            (0, Causer::Nobody, 10_000),
            (1, Causer::Layer(1), 10_000),
            (3, Causer::Loop, 10_000),
            // Who is on the stack is charged all the same.
            (5, Causer::Layer(1), 1000),
        ];
        let found = charged(&labelled(text, &times, [50, 30, 20]), &Profile::default());
        // Of 60 ms that are labelled, 33 are of the first, 12 of the second.
        let all = 70_000.0 / 60_000.0;
        let expected = [
            ("0", 300_000.0 + 37_500.0 + 30_000.0 + 33_000.0 * all),
            ("1", 100_000.0 + 20_000.0 + 12_000.0 * all),
            ("list", 1000.0),
            ("nobody", 100_000.0 + 12_500.0 + 50_000.0 + 15_000.0 * all),
        ];
        assert_eq!(
            found,
            expected.map(|(whom, us): (&str, f64)| (whom.to_owned(), us.round() as u64))
        );
    }

    #[test]
    fn nobody_is_charged_where_labels_were_hardly_followed() {
        let text = "node:events emit 400000";
        let found = charged(
            &labelled(text, &[(0, Causer::Layer(0), 1000)], [0, 1, 0]),
            &Profile::default(),
        );
        assert_eq!(found, expected(&[("nobody", 400_000)]));
    }

    #[test]
    fn collections_are_charged_by_the_memory_that_was_asked_for() {
        let times = [(0, Causer::Layer(1), 30_000)];
        let drawn = labelled("node:events emit 60000\n- (garbage collector) 100000", &times, [0; 3]);
        let memory = profile(
            "
/srv/app.js list 100
  node:buffer from 500
node:events emit 200
node:url parse 200
",
        );
        let found = charged(&drawn, &memory);
        assert_eq!(found, expected(&[("1", 60_000 + 40_000), ("list", 60_000)]));
        // Without that, by where they came.
        let during = profile("/srv/app.js list 100\n  - (garbage collector) 500\n- (garbage collector) 7");
        let found = charged(&during, &Profile::default());
        assert_eq!(found, expected(&[("list", 600), ("nobody", 7)]));
    }
}
