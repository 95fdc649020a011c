//! A broker that knows who speaks by keys that `plimsoll fleet keys` has made.

use super::fleet::Room;
use crate::bench::{Bench, Going};
use plimsoll_bus::{Key, Nats};
use plimsoll_fleet::{
    Address, AgentId, Bus, Delivery, Dial as _, Ended, FromAgent, Listener, RunId, Said, ToAgent, decode, encode,
};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

const KEYS: [&str; 3] = ["fleet", "keys", "keys"];

/// A broker that knows runs, agents called `one` and `two`, and a target agent called `box`.
fn room() -> Option<Room> {
    let bench = Bench::new();
    let made = bench.run(&[&KEYS[..], &["--agent", "one", "--agent", "two", "--target", "box"]].concat());
    made.expect(0, &[]);
    let said = "keys of runs, 2 agents and 1 target agent in keys";
    assert!(made.stdout.contains(said), "{}", made.stdout);
    Room::open_in(bench, &["-c", "keys/broker.conf"])
}

/// What the holder of a key has of a bus.
fn bus(room: &Room, key: &str, listener: &Listener) -> Box<dyn Bus> {
    let seed = std::fs::read_to_string(room.bench.path(key)).expect("a key");
    let key = Key::of_seed(&seed).expect("a seed");
    let nats = Nats::at(&room.broker).expect("a URL").with_key(key);
    nats.dial(listener).expect("a broker that knows the key")
}

/// A run of one agent for so long.
fn run(room: &Room, duration: &str, key: Option<&str>) -> Going {
    let url = room.url();
    let own = [
        "run",
        &url,
        "-R",
        "50",
        "-d",
        duration,
        "--fleet",
        &room.broker,
        "--agents",
        "1",
        "--json",
    ];
    let mut command = room.bench.command(&own);
    command.args(key.iter().flat_map(|key| ["--fleet-key", key]));
    Going::begin(&mut command)
}

/// The first message that is wanted, or why there is none.
fn hear<T>(bus: &mut dyn Bus, wanted: impl Fn(&Delivery) -> Option<T>) -> Result<T, String> {
    for _ in 0..100 {
        match bus.receive(Duration::from_millis(100)) {
            Ok(Some(delivery)) => match wanted(&delivery) {
                Some(found) => return Ok(found),
                None => continue,
            },
            Ok(None) => {}
            Err(error) => return Err(error.to_string()),
        }
    }
    Err("nothing".to_owned())
}

/// The agent that a run finds.
fn found(room: &Room) -> AgentId {
    let run = RunId::new(1);
    let mut bus = bus(room, "keys/run.key", &Listener::Coordinator(run.clone()));
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let call = encode(&ToAgent::Call { run, version }).expect("plain data");
    bus.send(&Address::Agents, call).expect("a broker");
    hear(&mut *bus, |delivery| {
        decode::<FromAgent>(&delivery.message).ok().map(|message| message.agent)
    })
    .expect("an agent")
}

#[test]
fn keys_are_for_their_owner_and_stay_as_they_are() {
    let bench = Bench::new();
    bench.run(&[&KEYS[..], &["--agent", "one"]].concat()).expect(0, &[]);
    let read = |name: &str| std::fs::read_to_string(bench.path(name)).expect("a file");
    let before = ["keys/run.key", "keys/agent-one.key"].map(read);
    for name in ["keys/run.key", "keys/agent-one.key"] {
        let about = std::fs::metadata(bench.path(name)).expect("a file");
        assert_eq!(about.permissions().mode() & 0o077, 0, "{name}");
    }
    bench.run(&[&KEYS[..], &["--agent", "two"]].concat()).expect(0, &[]);
    assert_eq!(["keys/run.key", "keys/agent-one.key"].map(read), before);
    let told = read("keys/broker.conf");
    for agent in ["one", "two"] {
        assert!(told.contains(&format!("plimsoll.run.*.{agent}.*")), "{told}");
    }
    assert!(before.iter().all(|seed| !told.contains(seed.trim())), "{told}");

    bench.write("none.key", "hello");
    bench
        .run(&["agent", "--fleet", "nats://127.0.0.1:1", "--fleet-key", "none.key"])
        .expect(104, &["failed to read the key none.key", "no seed of a user"]);
    bench
        .run(&[
            "run",
            "http://127.0.0.1:1/",
            "--fleet",
            "local",
            "--fleet-key",
            "keys/run.key",
        ])
        .expect(104, &["a local fleet has a key of its own"]);
}

/// A name becomes a part of the permissions of a broker, in which `*` is everybody.
#[test]
fn file_of_a_key_that_no_agent_can_have_is_refused() {
    for file in ["agent-*.key", "agent-one.old.key", "agent-.key", "target->.key"] {
        let bench = Bench::new();
        bench.run(&[&KEYS[..], &["--agent", "one"]].concat()).expect(0, &[]);
        let told = bench.read("keys/broker.conf");
        std::fs::copy(bench.path("keys/agent-one.key"), bench.path(&format!("keys/{file}"))).expect("a copy");
        let said = format!("failed to use the key keys/{file}");
        bench
            .run(&[&KEYS[..], &["--agent", "two"]].concat())
            .expect(104, &[&said, "letters, digits and hyphens"]);
        assert_eq!(bench.read("keys/broker.conf"), told, "{file}");
    }
}

#[test]
fn agents_hear_who_has_the_key_of_runs() {
    let Some(room) = room() else { return };
    let agent = room.agent("one", &["--fleet-key", "keys/agent-one.key"]);
    let ran = run(&room, "1s", Some("keys/run.key")).end();
    ran.expect(0, &[]);
    assert_eq!(ran.json()["totals"]["passed"], 50);

    run(&room, "1s", None)
        .end()
        .expect(1, &["failed to reach the broker", "authorization violation"]);
    run(&room, "1s", Some("keys/agent-two.key"))
        .end()
        .expect(1, &["failed to speak on the broker", "plimsoll."]);
    let named = [
        "agent",
        "--fleet",
        &room.broker,
        "--name",
        "one",
        "--fleet-key",
        "keys/agent-two.key",
    ];
    room.bench
        .run(&named)
        .expect(1, &["failed to speak on the broker", "plimsoll.agent.one"]);
    assert_eq!(room.count(), 50);
    agent.interrupt().expect(0, &[]);
}

#[test]
fn agent_speaks_for_no_other_one() {
    let Some(room) = room() else { return };
    let _agent = room.agent("one", &["--fleet-key", "keys/agent-one.key"]);
    let (one, two) = (found(&room), AgentId::new("two", 2));
    let mut rogue = bus(&room, "keys/agent-two.key", &Listener::Agent(two.clone()));
    let going = run(&room, "3s", Some("keys/run.key"));
    let called = hear(&mut *rogue, |delivery| match decode(&delivery.message) {
        Ok(ToAgent::Call { run, .. }) => Some(run),
        _ => None,
    });
    let called = called.expect("a call");
    let lie = FromAgent {
        agent: one.clone(),
        run: called.clone(),
        said: Said::Done {
            step: 0,
            ticks: 0,
            started: 0,
            ended: Ended::Failed("a lie".to_owned()),
        },
    };
    let lies = encode(&lie).expect("plain data");
    let from_itself = Address::Coordinator {
        run: called.clone(),
        from: two,
    };
    for _ in 0..20 {
        rogue.send(&from_itself, lies.clone()).expect("a broker");
        std::thread::sleep(Duration::from_millis(100));
    }
    let ran = going.end();
    ran.expect(0, &[]);
    assert_eq!(ran.json()["totals"]["passed"], 150);
    // In the name of another one it is heard by nobody, and it commands nobody.
    for to in [lie.address(), Address::Agents, Address::Agent(one)] {
        let mut rogue = bus(&room, "keys/agent-two.key", &Listener::Agent(AgentId::new("two", 3)));
        rogue.send(&to, lies.clone()).expect("a broker");
        let refused = hear(&mut *rogue, |_| None::<()>).expect_err("nothing to hear");
        assert!(
            refused.contains("failed to") || refused.contains("ermissions"),
            "{to:?}: {refused}"
        );
    }
}

#[test]
fn only_the_key_of_a_target_agent_speaks_of_services() {
    let Some(room) = room() else { return };
    let target = |name: &str, key: &str| room.target(&["--name", name, "--fleet-key", key]);
    target("one", "keys/agent-one.key")
        .end()
        .expect(1, &["failed to speak on the broker", "plimsoll.target"]);
    let mut own = target("box", "keys/target-box.key");
    own.wait_for(|line| line.contains("starts shop for runs"));
    own.interrupt().expect(0, &[]);
    // It makes no load either.
    let agent = [
        "agent",
        "--fleet",
        &room.broker,
        "--name",
        "box",
        "--fleet-key",
        "keys/target-box.key",
    ];
    room.bench
        .run(&agent)
        .expect(1, &["failed to speak on the broker", "plimsoll.agent"]);
}
