//! `plimsoll fleet keys`: keys of a fleet, and what its broker has to be told of them.

use crate::CommandResult;
use crate::args::FleetKeysArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Said, say};
use plimsoll_bus::{Key, Role, permissions};
use plimsoll_files::{Directory, given};
use plimsoll_lab::fleet::is_name;
use std::collections::BTreeMap;
use std::path::Path;

const RUN: &str = "run.key";
const BROKER: &str = "broker.conf";
const AGENT: (&str, &str) = ("agent-", ".key");
const TARGET: (&str, &str) = ("target-", ".key");
const KEY_MAX_BYTES: u64 = 1 << 10;

pub(super) fn fleet_keys(args: &FleetKeysArgs) -> CommandResult {
    let place = &args.directory;
    let shown = place.display();
    let refused = |error: &std::io::Error| Failure::refused(&format!("write keys into {shown}"), error);
    let directory = Directory::create_all(place)
        .and_then(|()| Directory::open(place))
        .map_err(|error| refused(&error))?;
    let there = directory.names().map_err(|error| refused(&error))?;
    let agents = kept_and_new(&directory, place, AGENT, &there, &args.agents)?;
    let targets = kept_and_new(&directory, place, TARGET, &there, &args.targets)?;
    let run = kept_or_new(&directory, place, RUN)?;
    let of_agents = agents.iter().map(|(name, key)| (Role::Agents(name), key));
    let of_targets = targets.iter().map(|(name, key)| (Role::Targets(name), key));
    let text = permissions([(Role::Runs, &run)].into_iter().chain(of_agents).chain(of_targets));
    directory
        .write(BROKER, text.as_bytes())
        .map_err(|error| refused(&error))?;
    let agent = agents.keys().next().map_or("NAME", String::as_str);
    let target = targets.keys().next().map(|target| {
        let file = file_of(TARGET, target);
        format!(
            "a target:   plimsoll fleet target --fleet nats://127.0.0.1:4222 --name {target} --fleet-key {shown}/{file} --service shop=plimsoll.yaml\n"
        )
    });
    say(Said::Text(&format!(
        "keys of runs{}{} in {shown}; who has one can use it\n\
         the broker: nats-server -a 127.0.0.1 -c {shown}/{BROKER}\n\
         an agent:   plimsoll agent --fleet nats://127.0.0.1:4222 --name {agent} --fleet-key {shown}/{}\n\
         {}a run:      plimsoll run http://127.0.0.1:3000/ -R 1000 --fleet nats://127.0.0.1:4222 --fleet-key {shown}/{RUN}\n",
        match (agents.len(), targets.len()) {
            (1, 0) => " and 1 agent".to_owned(),
            (1, _) => ", 1 agent".to_owned(),
            (agents, 0) => format!(" and {agents} agents"),
            (agents, _) => format!(", {agents} agents"),
        },
        match targets.len() {
            0 => String::new(),
            1 => " and 1 target agent".to_owned(),
            targets => format!(" and {targets} target agents"),
        },
        file_of(AGENT, agent),
        target.unwrap_or_default(),
    )))?;
    Ok(Exit::Pass)
}

/// The file with the key of this name.
fn file_of((before, behind): (&str, &str), name: &str) -> String {
    format!("{before}{name}{behind}")
}

/// Keys whose files are there, and those that are asked for, by name.
fn kept_and_new(
    directory: &Directory,
    place: &Path,
    kind: (&str, &str),
    there: &[String],
    asked: &[String],
) -> Result<BTreeMap<String, Key>, Failure> {
    let there = there
        .iter()
        .filter_map(|name| name.strip_prefix(kind.0)?.strip_suffix(kind.1));
    let there: Vec<&str> = there.collect();
    // Names become parts of permissions, in which `*` is everybody.
    if let Some(name) = there.iter().find(|name| !is_name(name)) {
        let file = place.join(file_of(kind, name));
        let found = format!("failed to use the key {}: found `{name}` in its name", file.display());
        let expected = "expected an agent, at most 40 letters, digits and hyphens";
        return Err(
            Failure::bad_plan(format!("{found}, {expected}")).hint("move it elsewhere, or call it after its agent")
        );
    }
    let mut keys = BTreeMap::new();
    for name in there.into_iter().chain(asked.iter().map(String::as_str)) {
        let key = kept_or_new(directory, place, &file_of(kind, name))?;
        keys.insert(name.to_owned(), key);
    }
    Ok(keys)
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
