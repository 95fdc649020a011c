//! Agents of one version, and a run of another.

use super::fleet::Room;
use crate::bench::{Bench, Going};
use plimsoll_bus::Nats;
use plimsoll_fleet::{Address, Dial as _, Listener, RunId, ToAgent, ToTarget, encode};
use std::fs::{Permissions, set_permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

const OTHER: &str = "9.8.7";

/// Says that it is a version, and with other arguments what these are.
fn write_program(bench: &Bench, file: &str, version: &str) {
    let script = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'plimsoll {version}'; else echo \"{version} as $*\" >&2; fi\n"
    );
    bench.write(file, &script);
    set_permissions(bench.path(file), Permissions::from_mode(0o755)).expect("ours");
}

/// A run of another version asks who is there until an agent says something that fits.
fn ask_until(room: &Room, number: u64, going: &mut Going, fits: &str) {
    let run = RunId::new(number);
    let nats = Nats::at(&room.broker).expect("a URL");
    let mut bus = nats.dial(&Listener::Coordinator(run.clone())).expect("a broker");
    let version = OTHER.to_owned();
    let (agents, targets) = (
        ToAgent::Call {
            run: run.clone(),
            version: version.clone(),
        },
        ToTarget::Call {
            run,
            service: "shop".to_owned(),
            version,
        },
    );
    // An agent that listens hears it, and hears it once.
    for _ in 0..3 {
        bus.send(&Address::Agents, encode(&agents).expect("plain data"))
            .expect("a broker");
        bus.send(&Address::Targets, encode(&targets).expect("plain data"))
            .expect("a broker");
        let _ = bus.receive(Duration::from_millis(50)).expect("a broker");
    }
    going.wait_for(|line| line.contains(fits));
}

#[test]
fn agent_goes_on_as_the_version_of_the_run() {
    let Some(room) = Room::open() else { return };
    write_program(&room.bench, "versions/plimsoll-9.8.7", OTHER);
    let mut agent = room.agent("one", &["--update-from", "versions"]);
    ask_until(&room, 1, &mut agent, "9.8.7 as agent --fleet");
    agent.end().expect(0, &[]);
}

#[test]
fn target_agent_goes_on_as_the_version_of_the_run() {
    let Some(room) = Room::open() else { return };
    write_program(&room.bench, "versions/plimsoll-9.8.7", OTHER);
    let mut target = room.target(&["--update-from", "versions"]);
    target.wait_for(|line| line.contains("starts shop for runs"));
    ask_until(&room, 1, &mut target, "9.8.7 as fleet target --fleet");
    target.end().expect(0, &[]);
}

#[test]
fn agent_without_the_version_of_the_run_says_so_and_stays() {
    let Some(room) = Room::open() else { return };
    write_program(&room.bench, "wrong/plimsoll-9.8.7", "1.2.3");
    room.bench.write("empty/readme", "");
    for (number, args, found) in [
        (
            1,
            &[][..],
            "a run of version 9.8.7 asks for agents, and this is version",
        ),
        (2, &["--update-from", "empty"], "plimsoll-9.8.7"),
        (3, &["--update-from", "wrong"], "says that it is plimsoll 1.2.3"),
    ] {
        let mut agent = room.agent("one", args);
        ask_until(&room, number, &mut agent, found);
        agent.wait_for(|line| line.contains("hint: ") && line.contains("version"));
        agent.interrupt().expect(0, &[]);
    }
}
