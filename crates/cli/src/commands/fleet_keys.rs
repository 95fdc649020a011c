//! `plimsoll fleet keys`: keys of a fleet, and what its broker has to be told of them.

use crate::CommandResult;
use crate::args::FleetKeysArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Said, say};
use plimsoll_bus::{Key, permissions};
use plimsoll_files::{Directory, given};
use std::collections::BTreeMap;
use std::path::Path;

const RUN: &str = "run.key";
const BROKER: &str = "broker.conf";
const AGENT: (&str, &str) = ("agent-", ".key");
const KEY_MAX_BYTES: u64 = 1 << 10;

pub(super) fn fleet_keys(args: &FleetKeysArgs) -> CommandResult {
    let shown = args.directory.display();
    let refused = |error: &std::io::Error| Failure::refused(&format!("write keys into {shown}"), error);
    let directory = Directory::create_all(&args.directory)
        .and_then(|()| Directory::open(&args.directory))
        .map_err(|error| refused(&error))?;
    let names = directory.names().map_err(|error| refused(&error))?;
    let there = names
        .iter()
        .filter_map(|name| name.strip_prefix(AGENT.0)?.strip_suffix(AGENT.1));
    let mut agents = BTreeMap::new();
    for name in there.chain(args.agents.iter().map(String::as_str)) {
        let key = kept_or_new(&directory, &args.directory, &file_of(name))?;
        agents.insert(name.to_owned(), key);
    }
    let run = kept_or_new(&directory, &args.directory, RUN)?;
    let text = permissions(&run, agents.iter().map(|(name, key)| (name.as_str(), key)));
    directory
        .write(BROKER, text.as_bytes())
        .map_err(|error| refused(&error))?;
    let agent = agents.keys().next().map_or("NAME", String::as_str);
    say(Said::Text(&format!(
        "keys of runs and {} in {shown}; who has one can use it\n\
         the broker: nats-server -a 127.0.0.1 -c {shown}/{BROKER}\n\
         an agent:   plimsoll agent --fleet nats://127.0.0.1:4222 --name {agent} --fleet-key {shown}/{}\n\
         a run:      plimsoll run http://127.0.0.1:3000/ -R 1000 --fleet nats://127.0.0.1:4222 --fleet-key {shown}/{RUN}\n",
        match agents.len() {
            1 => "1 agent".to_owned(),
            agents => format!("{agents} agents"),
        },
        file_of(agent),
    )))?;
    Ok(Exit::Pass)
}

/// The file with the key of the agents of this name.
fn file_of(agent: &str) -> String {
    format!("{}{agent}{}", AGENT.0, AGENT.1)
}

/// The key in this file, or a new one that is in it from now on.
fn kept_or_new(directory: &Directory, place: &Path, name: &str) -> Result<Key, Failure> {
    let file = place.join(name);
    if directory.has(name) {
        return read(&file);
    }
    let key = Key::draw().map_err(|found| Failure::to(format!("draw a key: {found}")))?;
    let written = directory.write(name, format!("{}\n", key.seed()).as_bytes());
    written.map_err(|error| Failure::refused(&format!("write {}", file.display()), &error))?;
    Ok(key)
}

/// The key in a file.
pub(super) fn read(file: &Path) -> Result<Key, Failure> {
    let shown = file.display();
    let text =
        given::text(file, KEY_MAX_BYTES).map_err(|error| Failure::refused(&format!("read the key {shown}"), &error))?;
    Key::of_seed(&text).map_err(|found| {
        Failure::bad_plan(format!("failed to read the key {shown}: {found}"))
            .hint("make keys with `plimsoll fleet keys`")
    })
}
