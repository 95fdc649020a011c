//! What holds of messages of a fleet, whatever they are.

#[path = "../about/mod.rs"]
mod about;

pub(crate) use about::about;

use plimsoll_fleet::{
    AboutTarget, Agent, AgentId, Coordinator, FleetSize, FromAgent, FromTarget, Holder, Order, RunId, Stage, StepSpec,
    TargetAgent, TargetOrder, ToAgent, ToTarget, decode, encode,
};
use plimsoll_measure::Tick;
use plimsoll_plan::Load;

const MS: u64 = 1_000_000;

/// Each line is a message to an agent, or one to a coordinator whose fleet that agent is, or between a target agent and its holder, or
/// refused. What all of them say is read back.
pub(crate) fn lines_are_taken_or_refused(input: &[u8]) {
    let mut agent = Agent::new(AgentId::new("a", 1), about());
    let size = FleetSize {
        wanted: Some(1),
        least: None,
    };
    let mut coordinator = Coordinator::new(RunId::new(1), "1", size, 0);
    let about = AboutTarget {
        version: "1".to_owned(),
        services: vec!["shop".to_owned()],
        ..AboutTarget::default()
    };
    let mut target = TargetAgent::new(AgentId::new("a", 1), about);
    let mut holder = Holder::new(RunId::new(1), "1", "shop", Some(1), 0);
    for (number, line) in input.split(|byte| *byte == b'\n').enumerate() {
        let now_ns = 1_000 * MS + number as u64 * 10 * MS;
        if let Ok(message) = decode::<ToAgent>(line) {
            agent.receive(now_ns, message);
        }
        if let Ok(message) = decode::<FromAgent>(line) {
            coordinator.receive(now_ns, message);
        }
        if let Ok(message) = decode::<ToTarget>(line) {
            target.receive(now_ns, message);
        }
        if let Ok(message) = decode::<FromTarget>(line) {
            holder.receive(now_ns, message);
        }
        turn_agent(&mut agent, now_ns);
        turn_coordinator(&mut coordinator, now_ns);
        turn_target(&mut target, now_ns);
        turn_holder(&mut holder, now_ns);
    }
}

fn turn_target(target: &mut TargetAgent, now_ns: u64) {
    target.poll(now_ns);
    for order in target.orders() {
        match order {
            TargetOrder::Do { number, text } => target.done(number, &text),
            TargetOrder::End { .. } => target.stopped(),
            TargetOrder::Take { .. } | TargetOrder::Declined(_) | TargetOrder::Replace(_) => {}
        }
    }
    for message in target.sent() {
        let bytes = encode(&message).expect("what is said can be sent");
        assert_eq!(decode::<FromTarget>(&bytes).expect("and read back"), message);
    }
}

fn turn_holder(holder: &mut Holder, now_ns: u64) {
    holder.poll(now_ns);
    holder.ask(now_ns, "anything".to_owned());
    holder.replies();
    for (_, message) in holder.sent() {
        let bytes = encode(&message).expect("what is said can be sent");
        assert_eq!(decode::<ToTarget>(&bytes).expect("and read back"), message);
    }
}

fn turn_agent(agent: &mut Agent, now_ns: u64) {
    agent.poll(now_ns);
    for order in agent.orders() {
        match order {
            Order::Prepare(_) => agent.prepared(Ok(())),
            Order::Arm(_) => agent.armed(Ok(())),
            Order::Begin { .. } => agent.ticked(now_ns, Box::new(Tick::default())),
            Order::Stop | Order::Finish => agent.ended(now_ns, Ok(())),
            Order::Lease(_) | Order::Forget | Order::Declined(_) | Order::Replace(_) => {}
        }
    }
    for message in agent.sent() {
        let bytes = encode(&message).expect("what is said can be sent");
        assert_eq!(decode::<FromAgent>(&bytes).expect("and read back"), message);
    }
}

fn turn_coordinator(coordinator: &mut Coordinator, now_ns: u64) {
    coordinator.poll(now_ns);
    match coordinator.stage() {
        Stage::Formed => coordinator.prepare(now_ns, plimsoll_fleet::SentPlan::default()),
        Stage::Ready => coordinator.begin(
            now_ns,
            StepSpec {
                step: 0,
                load: Load::default(),
                seed: 0,
                first: 0,
                users: false,
                warm_up_ns: 0,
                tick_ns: 1_000 * MS,
                zero_ns: now_ns,
                drain_ns: MS,
            },
        ),
        Stage::Gathering | Stage::Preparing | Stage::Stepping | Stage::Failed => {}
    }
    for (_, message) in coordinator.sent() {
        let bytes = encode(&message).expect("what is said can be sent");
        assert_eq!(decode::<ToAgent>(&bytes).expect("and read back"), message);
    }
}
