//! Every key of a plan and every option of a command that can hold text is known as hidden or as shown.

use serde_json::Value;
use std::collections::BTreeSet;

/// Keys of a plan that hold what nobody may see. A canary is in each of them.
const HIDDEN_KEYS: [&str; 77] = [
    "scenario.actions.[].emit.args",
    "scenario.actions.[].emit.packet",
    "scenario.actions.[].repeat.for each.*",
    "scenario.actions.[].repeat.until.is",
    "scenario.actions.[].repeat.until.is not",
    "scenario.actions.[].repeat.until.value",
    "scenario.actions.[].repeat.while.is",
    "scenario.actions.[].repeat.while.is not",
    "scenario.actions.[].repeat.while.value",
    "scenario.actions.[].request.body",
    "scenario.actions.[].request.body_base64",
    "scenario.actions.[].request.body_file",
    "scenario.actions.[].request.check.[].matches",
    "scenario.actions.[].request.headers.*",
    "scenario.actions.[].request.json",
    "scenario.actions.[].request.path",
    "scenario.actions.[].request.take.*.between.after",
    "scenario.actions.[].request.take.*.between.before",
    "scenario.actions.[].request.take.*.regex",
    "scenario.actions.[].send.json",
    "scenario.actions.[].send.text",
    "scenario.actions.[].set.*",
    "scenario.actions.[].when.is",
    "scenario.actions.[].when.is not",
    "scenario.actions.[].when.value",
    "scenario.journeys.[].actions.[].emit.args",
    "scenario.journeys.[].actions.[].emit.packet",
    "scenario.journeys.[].actions.[].repeat.for each.*",
    "scenario.journeys.[].actions.[].repeat.until.is",
    "scenario.journeys.[].actions.[].repeat.until.is not",
    "scenario.journeys.[].actions.[].repeat.until.value",
    "scenario.journeys.[].actions.[].repeat.while.is",
    "scenario.journeys.[].actions.[].repeat.while.is not",
    "scenario.journeys.[].actions.[].repeat.while.value",
    "scenario.journeys.[].actions.[].request.body",
    "scenario.journeys.[].actions.[].request.body_base64",
    "scenario.journeys.[].actions.[].request.body_file",
    "scenario.journeys.[].actions.[].request.check.[].matches",
    "scenario.journeys.[].actions.[].request.headers.*",
    "scenario.journeys.[].actions.[].request.json",
    "scenario.journeys.[].actions.[].request.path",
    "scenario.journeys.[].actions.[].request.take.*.between.after",
    "scenario.journeys.[].actions.[].request.take.*.between.before",
    "scenario.journeys.[].actions.[].request.take.*.regex",
    "scenario.journeys.[].actions.[].send.json",
    "scenario.journeys.[].actions.[].send.text",
    "scenario.journeys.[].actions.[].set.*",
    "scenario.journeys.[].actions.[].when.is",
    "scenario.journeys.[].actions.[].when.is not",
    "scenario.journeys.[].actions.[].when.value",
    "scenario.requests.[].body",
    "scenario.requests.[].body_base64",
    "scenario.requests.[].body_file",
    "scenario.requests.[].connect.auth",
    "scenario.requests.[].emit.args",
    "scenario.requests.[].emit.packet",
    "scenario.requests.[].grpc.message",
    "scenario.requests.[].grpc.message_base64",
    "scenario.requests.[].headers.*",
    "scenario.requests.[].json",
    "scenario.requests.[].path",
    "scenario.requests.[].send.json",
    "scenario.requests.[].send.text",
    "scenario.variables.*.values",
    "target.auth.basic.password",
    "target.auth.basic.user",
    "target.auth.bearer",
    "target.beside.[].command",
    "target.beside.[].env.*",
    "target.beside.[].stand_in.responses.[].body",
    "target.beside.[].stand_in.responses.[].body_base64",
    "target.beside.[].stand_in.responses.[].body_file",
    "target.beside.[].stand_in.responses.[].headers.*",
    "target.beside.[].stand_in.responses.[].json",
    "target.command",
    "target.env.*",
    "target.ready.path",
];

/// In a part of it: users, passwords and queries of URLs.
const PARTLY_HIDDEN_KEYS: [&str; 8] = [
    "fleet",
    "fleet.url",
    "scenario.actions.[].request.url",
    "scenario.journeys.[].actions.[].request.url",
    "target",
    "target.beside.[].ready.url",
    "target.proxy",
    "target.url",
];

/// Keys whose values are shown, because a reader of the report has to see them: what was offered, how it was judged, which
/// names things have, and where they are.
const SHOWN_KEYS: &str = "fleet.agents fleet.key fleet.min_agents scenario.actions.[].emit.event scenario.actions.[].emit.name scenario.actions.[].emit.receivers \
                          scenario.journeys.[].actions.[].emit.event scenario.journeys.[].actions.[].emit.name \
                          scenario.journeys.[].actions.[].emit.receivers scenario.requests.[].connect.namespace scenario.requests.[].connect.transport \
                          scenario.requests.[].emit.event scenario.actions.[].chance.of scenario.actions.[].pause scenario.actions.[].pause.* \
                          scenario.actions.[].request.receivers scenario.actions.[].send.name scenario.actions.[].send.receivers \
                          scenario.journeys.[].actions.[].request.receivers scenario.journeys.[].actions.[].send.name \
                          scenario.journeys.[].actions.[].send.receivers scenario.actions.[].repeat.count.* scenario.actions.[].repeat.times scenario.actions.[].request.check.[].body scenario.actions.[].request.check.[].lacks scenario.actions.[].request.take.*.all scenario.actions.[].request.check.[].time scenario.actions.[].request.on_failure \
                          scenario.actions.[].request.check.[].header scenario.actions.[].request.check.[].is \
                          scenario.actions.[].request.check.[].json scenario.actions.[].request.take.*.cookie \
                          scenario.actions.[].request.take.*.group scenario.actions.[].request.take.*.header \
                          scenario.journeys.[].actions.[].request.take.*.group scenario.actions.[].request.take.*.json \
                          scenario.journeys.[].actions.[].chance.of scenario.journeys.[].actions.[].pause \
                          scenario.journeys.[].actions.[].pause.* scenario.journeys.[].actions.[].repeat.every \
                          scenario.journeys.[].actions.[].repeat.count.* scenario.journeys.[].actions.[].repeat.times scenario.journeys.[].actions.[].request.check.[].body scenario.journeys.[].actions.[].request.check.[].lacks scenario.journeys.[].actions.[].request.take.*.all scenario.journeys.[].actions.[].request.check.[].time scenario.journeys.[].actions.[].request.on_failure \
                          scenario.journeys.[].actions.[].request.check.[].header \
                          scenario.journeys.[].actions.[].request.check.[].is \
                          scenario.journeys.[].actions.[].request.check.[].json \
                          scenario.journeys.[].actions.[].request.expect.grpc_status \
                          scenario.journeys.[].actions.[].request.expect.status scenario.journeys.[].actions.[].request.method \
                          scenario.journeys.[].actions.[].request.name scenario.journeys.[].actions.[].request.take.*.cookie \
                          scenario.journeys.[].actions.[].request.take.*.header \
                          scenario.journeys.[].actions.[].request.take.*.json scenario.journeys.[].name \
                          scenario.journeys.[].weight \
                          connections.* judging.* load.* name objectives scenario.actions.[].repeat.every \
                          scenario.actions.[].request.expect.status scenario.actions.[].request.method \
                          scenario.actions.[].request.name scenario.requests.[].expect.status \
                          scenario.actions.[].request.expect.grpc_status scenario.requests.[].expect.grpc_status \
                          scenario.requests.[].grpc.call scenario.requests.[].grpc.deadline scenario.requests.[].grpc.import_paths \
                          scenario.requests.[].grpc.proto scenario.requests.[].method scenario.requests.[].name scenario.requests.[].weight \
                          scenario.variables.*.anew scenario.variables.*.characters scenario.variables.*.columns scenario.variables.*.file scenario.variables.*.from \
                          scenario.variables.*.length scenario.variables.*.now scenario.variables.*.offset scenario.variables.*.once \
                          scenario.variables.*.order scenario.variables.*.separator scenario.variables.*.to scenario.variables.*.uuid search.* seed sizing.* target.auth.basic.password_file target.auth.bearer_file target.beside.[].cpus target.beside.[].limits.* target.beside.[].name \
                          target.beside.[].ready.line target.beside.[].ready.port target.beside.[].ready.timeout target.beside.[].stand_in.port \
                          target.beside.[].stand_in.responses.[].errors target.beside.[].stand_in.responses.[].method target.beside.[].stand_in.responses.[].path \
                          target.beside.[].stand_in.responses.[].response_time target.beside.[].stand_in.responses.[].response_time.* \
                          target.beside.[].stand_in.responses.[].size target.beside.[].stand_in.responses.[].size.* target.beside.[].stand_in.responses.[].status target.beside.[].stop_grace \
                          target.beside.[].working_dir target.container target.cpus target.fleet_target target.fleet_targets target.follow_redirects target.http target.pid target.resolve \
                          scenario.actions.[].repeat.until.below scenario.actions.[].repeat.until.above \
                          scenario.actions.[].repeat.while.below scenario.actions.[].repeat.while.above \
                          scenario.actions.[].when.below scenario.actions.[].when.above \
                          scenario.actions.[].request.check.[].below scenario.actions.[].request.check.[].above \
                          scenario.journeys.[].actions.[].repeat.until.below scenario.journeys.[].actions.[].repeat.until.above \
                          scenario.journeys.[].actions.[].repeat.while.below scenario.journeys.[].actions.[].repeat.while.above \
                          scenario.journeys.[].actions.[].when.below scenario.journeys.[].actions.[].when.above \
                          scenario.journeys.[].actions.[].request.check.[].below scenario.journeys.[].actions.[].request.check.[].above \
                          target.limits.* target.ready.timeout target.stdout target.stop_grace target.tls.* target.working_dir";

/// Those among them with a blank in their names.
const SHOWN_KEYS_OF_WORDS: [&str; 24] = [
    "scenario.actions.[].repeat.at most",
    "scenario.actions.[].repeat.until.at least",
    "scenario.actions.[].repeat.until.at most",
    "scenario.actions.[].repeat.while.at least",
    "scenario.actions.[].repeat.while.at most",
    "scenario.actions.[].request.check.[].at least",
    "scenario.actions.[].request.check.[].at most",
    "scenario.actions.[].request.check.[].is not",
    "scenario.actions.[].request.check.[].size.at least",
    "scenario.actions.[].request.check.[].size.at most",
    "scenario.actions.[].when.at least",
    "scenario.actions.[].when.at most",
    "scenario.journeys.[].actions.[].repeat.at most",
    "scenario.journeys.[].actions.[].repeat.until.at least",
    "scenario.journeys.[].actions.[].repeat.until.at most",
    "scenario.journeys.[].actions.[].repeat.while.at least",
    "scenario.journeys.[].actions.[].repeat.while.at most",
    "scenario.journeys.[].actions.[].request.check.[].at least",
    "scenario.journeys.[].actions.[].request.check.[].at most",
    "scenario.journeys.[].actions.[].request.check.[].is not",
    "scenario.journeys.[].actions.[].request.check.[].size.at least",
    "scenario.journeys.[].actions.[].request.check.[].size.at most",
    "scenario.journeys.[].actions.[].when.at least",
    "scenario.journeys.[].actions.[].when.at most",
];

/// Options of a command that hold what nobody may see.
const HIDDEN_OPTIONS: [&str; 10] = [
    "--header", "--body", "--a", "--b", "--a-env", "--b-env", "--user", "--proxy", "--bearer", "--fleet",
];

/// Options whose values are shown: bounds, durations, numbers, and names of files, variables and revisions. Of `--setup` only its
/// failure is shown, by what it printed; `--url` and `--value` are those of a plan that is written.
const SHOWN_OPTIONS: &str = "--after --agent --agents --allow --annotations --at --base --before --bracket --broker-image --budget --burst --cacert --cert --coalesce --code-quality --color --connections --container --cpu-limit --cpus \
                             --demand --diagnosis --duration --env --environment --fail-if-worse --fixed --fleet-key --fleet-target --fleet-targets --follow[=<N>] --for --from --generator-cpus --gone --headroom \
                             --history --image --in --io --junit --key --line --local-addrs --machine --markdown --max --max-rate --memory --memory-limit --method --min-agents --name --namespace --objective --output \
                             --pace --park --pause --pid --pids-limit --ping --pipelining --port --ports --price --progress --rate --reached-at --requests --resolve --rev --rounds \
                             --runs-dir --seed --service --service-image --service-port --setup --size --stage --start --stdout --steady --step --streams --studies --target --target-cpus --think-time \
                             --threads --threshold --timeout --update-from --url --value --warm-up --what-if --what-if-budget --within --without --zone";

/// Every key that holds a value, as a path.
fn keys_of(schema: &Value, of: &Value, path: &str, through: &[&str], keys: &mut BTreeSet<String>) {
    if let Some(name) = of["$ref"].as_str() {
        if through.contains(&name) {
            return;
        }
        let definition = name.rsplit('/').next().expect("a name");
        return keys_of(
            schema,
            &schema["$defs"][definition],
            path,
            &[through, &[name]].concat(),
            keys,
        );
    }
    let mut is_leaf = true;
    for kind in ["anyOf", "oneOf", "allOf"] {
        for of in of[kind].as_array().into_iter().flatten() {
            is_leaf = false;
            keys_of(schema, of, path, through, keys);
        }
    }
    let join = |key: &str| {
        if path.is_empty() {
            key.to_owned()
        } else {
            format!("{path}.{key}")
        }
    };
    for (key, of) in of["properties"].as_object().into_iter().flatten() {
        is_leaf = false;
        keys_of(schema, of, &join(key), through, keys);
    }
    for (kind, key) in [("items", "[]"), ("additionalProperties", "*")] {
        if of[kind].is_object() {
            let inner = &of[kind];
            is_leaf = false;
            // A list of plain values is one key.
            let has_keys = inner.get("$ref").is_some() || inner.get("properties").is_some();
            let is_map = key == "*";
            keys_of(
                schema,
                inner,
                &if has_keys || is_map { join(key) } else { path.to_owned() },
                through,
                keys,
            );
        }
    }
    if is_leaf && !path.is_empty() {
        keys.insert(path.to_owned());
    }
}

/// Whoever adds a key decides whether it is shown.
#[test]
fn every_plan_key_is_listed_as_hidden_or_shown() {
    let text = include_str!("../../../../../docs/reference/plan.schema.json");
    let schema: Value = serde_json::from_str(text).expect("a schema");
    let mut keys = BTreeSet::new();
    keys_of(&schema, &schema, "", &[], &mut keys);
    let decided = |key: &str| {
        HIDDEN_KEYS.contains(&key)
            || PARTLY_HIDDEN_KEYS.contains(&key)
            || SHOWN_KEYS_OF_WORDS.contains(&key)
            || SHOWN_KEYS
                .split_whitespace()
                .any(|shown| match shown.strip_suffix(".*") {
                    Some(section) => key == section || key.starts_with(&format!("{section}.")),
                    None => key == shown,
                })
    };
    // What is done before and after the load are the actions of a user, and hidden as those are.
    let as_of_users = |key: &str| match key
        .strip_prefix("scenario.before.")
        .or(key.strip_prefix("scenario.after."))
    {
        Some(rest) => format!("scenario.journeys.[].actions.{rest}"),
        None => key.to_owned(),
    };
    // Conditions in others are hidden as these are.
    let as_of_outer = |key: &str| {
        key.replace(".all.[].", ".")
            .replace(".any.[].", ".")
            .replace(".not.", ".")
    };
    let is_decided = |key: &&String| decided(&as_of_outer(&as_of_users(key)));
    let undecided: Vec<&String> = keys.iter().filter(|key| !is_decided(key)).collect();
    assert_eq!(
        undecided, [""; 0],
        "decide whether they may be shown, and put a canary into those that may not"
    );
    for key in HIDDEN_KEYS {
        assert!(
            keys.iter()
                .any(|found| found == key || found.starts_with(&format!("{key}."))),
            "{key} is a key: {keys:?}"
        );
    }
}

/// Whoever adds an option decides whether its value is shown.
#[test]
fn every_option_is_listed_as_hidden_or_shown() {
    let help = include_str!("../../../../../docs/reference/commands.md");
    let options: BTreeSet<&str> = help
        .lines()
        .filter(|line| line.contains('<'))
        .filter_map(|line| {
            let word = line.split_whitespace().find(|word| word.starts_with("--"))?;
            line.trim().starts_with('-').then_some(word)
        })
        .collect();
    let decided = |option: &&&str| {
        HIDDEN_OPTIONS.contains(option) || SHOWN_OPTIONS.split_whitespace().any(|shown| shown == **option)
    };
    let undecided: Vec<&str> = options.iter().filter(|option| !decided(option)).copied().collect();
    assert_eq!(undecided, [""; 0], "decide whether their values may be shown");
    for option in HIDDEN_OPTIONS {
        assert!(options.contains(option), "{option} is an option");
    }
}
