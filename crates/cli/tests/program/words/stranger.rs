//! Somebody on the bus of a fleet who is no run: agents send nothing for him that their users do not allow, and runs go on.

use super::fleet::Room;
use crate::bench::Going;
use plimsoll_bus::Nats;
use plimsoll_fleet::{
    Address, AgentId, Bus, Dial as _, FromAgent, Listener, RunId, Said, SentLoad, SentPlan, Set, ToAgent, decode,
    encode,
};
use plimsoll_plan::Plan;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

/// Somebody who speaks to agents as a run does, and is none.
struct Stranger {
    bus: Box<dyn Bus>,
    run: RunId,
}

impl Stranger {
    /// With a run of this number.
    fn on(broker: &str, run: u64) -> Self {
        let run = RunId::new(run);
        let nats = Nats::at(broker).expect("a URL");
        let bus = nats.dial(&Listener::Coordinator(run.clone())).expect("a broker");
        Self { bus, run }
    }

    fn say(&mut self, to: &Address, message: &ToAgent) {
        let bytes = encode(message).expect("plain data");
        self.bus.send(to, bytes).expect("a broker");
    }

    /// The first thing that an agent says and that is wanted.
    fn hear<T>(&mut self, wanted: impl Fn(&FromAgent) -> Option<T>) -> T {
        let heard = (0..300).find_map(|_| {
            let delivery = self.bus.receive(Duration::from_millis(100)).expect("a broker")?;
            wanted(&decode(&delivery.message).expect("a message"))
        });
        heard.expect("an agent that responds")
    }

    /// The only agent, and whether it has a run.
    fn find(&mut self) -> (AgentId, bool) {
        let run = self.run.clone();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        self.say(&Address::Agents, &ToAgent::Call { run, version });
        self.hear(|message| match &message.said {
            Said::Hello(about) => Some((message.agent.clone(), about.busy)),
            _ => None,
        })
    }

    fn prepare(&mut self, to: &Address, plan: &str) {
        let (run, plan) = (self.run.clone(), Plan::parse(plan, "plan.yaml").expect("a plan"));
        let (text, rows) = (plan.to_json(), plan.rows());
        let plan = SentPlan { text, rows };
        self.say(to, &ToAgent::Prepare { run, plan });
    }

    fn arm(&mut self, to: &Address, load: SentLoad) {
        let set = Set {
            step: 0,
            index: 0,
            of: 1,
            load,
            first: 0,
            warm_up_ns: 0,
            tick_ns: 1_000_000_000,
            zero_ns: 1,
        };
        let (run, set) = (self.run.clone(), Box::new(set));
        self.say(to, &ToAgent::Arm { run, set });
    }

    /// Why it declines.
    fn refusal(&mut self) -> String {
        self.hear(|message| match &message.said {
            Said::Refused { refusal, .. } => Some(refusal.why.clone()),
            _ => None,
        })
    }

    /// Has it begin, and returns whether it has.
    fn begin(&mut self, to: &Address) -> bool {
        let (run, step) = (self.run.clone(), 0);
        self.say(
            to,
            &ToAgent::Ping {
                run: run.clone(),
                sent_ns: 0,
            },
        );
        let at_ns = self.hear(|message| match message.said {
            Said::Pong { agent_ns, .. } => Some(agent_ns),
            _ => None,
        });
        let lease_ns = at_ns + 5_000_000_000;
        let begin = ToAgent::Begin {
            run,
            step,
            at_ns,
            lease_ns,
        };
        self.say(to, &begin);
        self.hear(|message| match message.said {
            Said::Alive { begun, .. } => Some(begun),
            _ => None,
        })
    }
}

#[test]
fn stranger_makes_an_agent_send_nothing_past_its_list() {
    let Some(room) = Room::open() else { return };
    let agent = room.agent("one", &["--allow", "127.0.0.1:9"]);
    let target = TcpListener::bind("127.0.0.1:0").expect("a free port");
    target.set_nonblocking(true).expect("a listener");
    let place = target.local_addr().expect("an address");
    let mut stranger = Stranger::on(&room.broker, 1);
    let (id, _) = stranger.find();
    let to = Address::Agent(id);
    for bytes in [&b""[..], b"\xff", b"{}", br#"{"say":"run a command","run":"1"}"#] {
        stranger.bus.send(&to, bytes.to_vec()).expect("a broker");
    }

    stranger.prepare(&to, &format!("target: http://{place}/"));
    let declined = stranger.refusal();
    assert!(declined.contains(&format!("it found the target {place}")), "{declined}");
    let load = SentLoad::Open {
        segments: vec![(100_000_000, 100_000_000, 1_000_000_000)],
        poisson: false,
    };
    stranger.arm(&to, load);
    stranger.refusal();
    assert!(!stranger.begin(&to), "it was told to begin, and did");

    // A plan for what is on the list, and a load for what is not.
    let run = stranger.run.clone();
    stranger.say(&to, &ToAgent::Release { run });
    let mut stranger = Stranger::on(&room.broker, 2);
    stranger.prepare(&to, "target: http://127.0.0.1:9/");
    stranger.hear(|message| matches!(message.said, Said::Prepared).then_some(()));
    let load = SentLoad::Hold {
        connections: 10,
        pace_micro_per_s: 100_000_000,
        duration_ns: 1_000_000_000,
        parks_request: true,
        ping_ns: None,
        ports: vec![place.port()],
    };
    stranger.arm(&to, load);
    let declined = stranger.refusal();
    assert!(declined.contains(&format!("it found the target {place}")), "{declined}");
    assert!(!stranger.begin(&to), "it was told to begin, and did");

    agent
        .interrupt()
        .expect(0, &[&format!("refused: it found the target {place}")]);
    let came = target.accept().expect_err("a connection came");
    assert_eq!(came.kind(), ErrorKind::WouldBlock);
}

#[test]
fn run_is_not_disturbed_by_a_stranger() {
    let Some(room) = Room::open() else { return };
    let _agent = room.agent("one", &[]);
    let url = room.url();
    let own = [
        "run",
        &url,
        "--fleet",
        &room.broker,
        "--agents",
        "1",
        "--json",
        "--progress",
        "json",
    ];
    let mut run = Going::begin(room.bench.command(&own).args(["-R", "50", "-d", "30s"]));
    run.wait_for(|line| line.contains("\"progress\""));
    let mut stranger = Stranger::on(&room.broker, 1);
    let (id, busy) = stranger.find();
    assert!(busy, "it has a run");
    let to = Address::Agent(id);
    stranger.prepare(&to, &format!("target: {url}"));
    let declined = stranger.refusal();
    assert!(declined.contains("it belongs to another run"), "{declined}");
    let (own, step) = (stranger.run.clone(), 0);
    for message in [
        ToAgent::Stop { run: own.clone(), step },
        ToAgent::Finish { run: own.clone(), step },
        ToAgent::Release { run: own },
    ] {
        stranger.say(&to, &message);
    }
    assert!(stranger.find().1, "it has its run still");
    let count = room.count();
    while room.count() == count {
        thread::sleep(Duration::from_millis(20));
    }
    let ran = run.interrupt();
    let findings = ran.expect(105, &[]).json();
    let notices = findings["notices"].as_array().expect("notices");
    assert!(
        notices.iter().all(|notice| notice["code"] != "agent_lost"),
        "{notices:?}"
    );
}
