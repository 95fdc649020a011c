//! `plimsoll init`: write a first plan that can be run as it is.

use crate::CommandResult;
use crate::args::InitArgs;
use crate::exit::{Exit, Failure};
use crate::output::say;
use plimsoll_files::{found, given};
use plimsoll_plan::{Plan, Url};
use std::io::ErrorKind;
use std::path::Path;

/// Far above any `package.json`.
const MOST_PACKAGE_BYTES: u64 = 4 << 20;

pub(crate) fn init(args: &InitArgs) -> CommandResult {
    Url::parse(&args.url).map_err(Failure::bad_plan)?;
    let command = if args.command.is_empty() {
        start_script(Path::new("package.json"))
    } else {
        args.command.clone()
    };
    let text = plan_text(&args.url, &command);
    // What is handed to the user must be a plan that we accept ourselves.
    Plan::parse(&text, &args.output.display().to_string())?;
    write(&args.output, &text, args.force)?;

    let path = args.output.display();
    let started = match command.as_slice() {
        [] => "it expects the service to run already; add `command` to let plimsoll start it".to_owned(),
        command => format!("it starts the service with `{}`", command.join(" ")),
    };
    say(&format!(
        "wrote {path}: {started}\n\nnext:\n  plimsoll run {path}        one short load test, to see that it works\n  plimsoll capacity {path}   the load line\n"
    ))?;
    Ok(Exit::Pass)
}

/// The start script of a package, if there is one.
fn start_script(package: &Path) -> Vec<String> {
    let json = found::text(package, MOST_PACKAGE_BYTES)
        .ok()
        .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
    let has_start = json.is_some_and(|json| json["scripts"]["start"].is_string());
    if has_start {
        ["npm", "start"].map(str::to_owned).to_vec()
    } else {
        Vec::new()
    }
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let write = if force { given::write } else { given::create };
    match write(path, text.as_bytes()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            Err(Failure::to(format!("write {}: it exists already", path.display()))
                .hint("choose another name with --output, or overwrite it with --force"))
        }
        Err(error) => Err(Failure::to(format!("write {}: {error}", path.display()))),
    }
}

fn plan_text(url: &str, command: &[String]) -> String {
    // A JSON string is a YAML string, whatever it holds.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let command = if command.is_empty() {
        "  # How plimsoll starts the service; without it the service must run already.\n  # command: node server.js\n"
            .to_owned()
    } else {
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        format!(
            "  # How plimsoll starts the service; PORT is set to the port of the URL.\n  command: [{}]\n",
            words.join(", ")
        )
    };
    format!(
        "\
# A plan for plimsoll. All keys: docs/plan.md

name: my service

target:
  url: {url}
{command}  # Counts as up when this path answers 2xx; without it, when the port is open.
  # ready: {{ path: /health, timeout: 10s }}

# What must hold, most important first.
objectives:
  - cpu <= 80%
  - p99 <= 100ms
  - errors = 0

scenario:
  requests:
    - name: root
      method: GET
      path: /
      # headers: {{ authorization: \"Bearer …\" }}
      # json: {{ name: value }}
      expect: {{ status: 2xx }}

# Used by `plimsoll run`; `plimsoll capacity` searches the rate by itself.
load:
  model: open
  rate: 100/s
  duration: 30s
",
        url = quoted(url),
    )
}
