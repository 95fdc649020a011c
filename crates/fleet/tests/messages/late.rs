//! What an agent makes of messages that come late.

use crate::invariants::about;
use plimsoll_fleet::{Agent, AgentId, Order, RunId, Said, SentPlan, ToAgent};

const S: u64 = 1_000_000_000;

fn prepare(run: &RunId) -> ToAgent {
    ToAgent::Prepare {
        run: run.clone(),
        plan: SentPlan::default(),
    }
}

fn is_busy_for(agent: &mut Agent, run: &RunId, now_ns: u64) -> bool {
    let (run, version) = (run.clone(), "1".to_owned());
    agent.receive(now_ns, ToAgent::Call { run, version });
    let said = agent.sent().into_iter().map(|message| message.said);
    said.into_iter()
        .any(|said| matches!(said, Said::Hello(about) if about.busy))
}

#[test]
fn plan_that_comes_after_its_run_let_go_is_for_nobody() {
    let (run, next) = (RunId::new(1), RunId::new(2));
    let release = || ToAgent::Release { run: run.clone() };
    // The plan is said twice, or the end overtakes it.
    for messages in [
        vec![prepare(&run), release(), prepare(&run)],
        vec![release(), prepare(&run)],
    ] {
        let mut agent = Agent::new(AgentId::new("a", 1), about());
        for message in messages {
            agent.receive(S, message);
            let orders = agent.orders();
            for order in &orders {
                if matches!(order, Order::Prepare(_)) {
                    agent.prepared(Ok(()));
                }
            }
        }
        assert!(!is_busy_for(&mut agent, &next, S), "it belongs to nobody");
        agent.receive(S, prepare(&next));
        assert_eq!(agent.orders(), [Order::Prepare(SentPlan::default())]);
        assert!(is_busy_for(&mut agent, &run, S), "it belongs to the next run");
    }
}

#[test]
fn run_that_was_not_heard_for_a_while_may_have_its_agent_again() {
    let run = RunId::new(1);
    let mut agent = Agent::new(AgentId::new("a", 1), about());
    for now_ns in [S, 20 * S] {
        agent.poll(now_ns);
        agent.orders();
        agent.receive(now_ns, prepare(&run));
        assert_eq!(agent.orders(), [Order::Prepare(SentPlan::default())]);
        agent.prepared(Ok(()));
    }
}
