//! The rules about what held connections do: what can be carried out of what can be written.

use super::{Checked, above_zero, check_rate, flaw, rule};
use crate::notation::mismatch::Mismatch;
use crate::notation::units::duration_text;
use crate::plan::action::Action;
use crate::plan::draft::PlanDraft;
use crate::plan::hold::Park;
use crate::plan::load::Load;
use std::time::Duration;

const KEY: &str = "scenario.actions";
/// Of each two bits are kept until the end.
const MOST_MESSAGES: u128 = 1_000_000_000;
const LONGEST_EVERY: Duration = Duration::from_secs(3600);

pub(super) fn check_actions(plan: &PlanDraft) -> Checked {
    let scenario = &plan.scenario;
    if scenario.actions.is_empty() {
        return Ok(());
    }
    let Load::Hold(hold) = &plan.load else {
        let mismatch = Mismatch::new("actions, and connections that are not held", "`model: hold` in `load`");
        return flaw(
            KEY,
            mismatch.hint("with the other models all that is sent is in `requests`"),
        );
    };
    rule(
        hold.park == Park::Request,
        "load.park",
        "actions, and connections on which nothing waits",
        "`request`: what the actions cause is received in its response",
    )?;
    rule(
        plan.target.proxy.is_none(),
        "target.proxy",
        "actions, and a proxy",
        "one of them",
    )?;
    let Some((repeat, action)) = scenario.repeated() else {
        let expected =
            "one `repeat` with one `request`, `send` or `emit` in it: connections can do nothing else so far";
        return flaw(KEY, Mismatch::new(shape(&scenario.actions), expected));
    };
    let key = format!("{KEY}[0].repeat.every");
    above_zero(&key, repeat.every)?;
    rule(
        repeat.every <= LONGEST_EVERY,
        &key,
        duration_text(repeat.every),
        format!("at most {}", duration_text(LONGEST_EVERY)),
    )?;
    check_rate(&key, repeat.load(hold).segments[0].to)?;
    let (found, receivers) = (action.receivers.text(), action.receivers.count(hold.connections));
    rule(
        receivers.is_none_or(|count| (1..=u64::from(hold.connections)).contains(&count)),
        format!("{KEY}[0].repeat"),
        format!("{found} receivers of {} connections", hold.connections),
        "from one to as many as there are connections",
    )?;
    let messages = u128::from(hold.connections) * hold.duration.as_nanos() / repeat.every.as_nanos();
    rule(
        messages <= MOST_MESSAGES,
        &key,
        format!("{messages} messages in all"),
        format!("at most {MOST_MESSAGES}"),
    )
}

/// What actions are, in words.
fn shape(actions: &[Action]) -> String {
    match actions {
        [Action::Request(_)] => "a `request` outside of `repeat`".to_owned(),
        [Action::Send(_)] => "a `send` outside of `repeat`".to_owned(),
        [Action::Pause(_)] => "a `pause`".to_owned(),
        [Action::Set(_)] => "a `set`".to_owned(),
        [Action::Rounds(_)] => "a `repeat` with an end".to_owned(),
        [Action::Chance(_)] => "a `chance`".to_owned(),
        [Action::When(_)] => "a `when`".to_owned(),
        [Action::Once(_)] => "a `once`".to_owned(),
        [Action::Repeat(repeat)] => match repeat.actions.as_slice() {
            [Action::Repeat(_)] => "a `repeat` in a `repeat`".to_owned(),
            inner => format!("a `repeat` of {} actions", inner.len()),
        },
        several => format!("{} actions", several.len()),
    }
}
