//! `plimsoll init`: write a first plan that can be run as it is.

use crate::CommandResult;
use crate::args::InitArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Said, say};
use plimsoll_files::{found, given};
use plimsoll_plan::{Plan, Secret, Shown, Url};
use serde_json::Value;
use std::io::ErrorKind;
use std::path::Path;

/// Far above any `package.json`.
const MOST_PACKAGE_BYTES: u64 = 4 << 20;

pub(crate) fn init(args: &InitArgs) -> CommandResult {
    Url::parse(&args.url)?;
    let package = match Package::read(Path::new("package.json")) {
        Ok(package) => package,
        // Then it is needed for no more than a name.
        Err(_) if !args.command.is_empty() => Package::default(),
        Err(failure) => return Err(failure),
    };
    let command = if args.command.is_empty() {
        package.start()
    } else {
        args.command.clone()
    };
    let text = plan_text(package.name.as_deref().unwrap_or("my service"), &args.url, &command);
    // What is handed to the user must be a plan that we accept ourselves.
    Plan::parse(&text, &args.output.display().to_string())?;
    write(&args.output, &text, args.force)?;

    let path = args.output.display();
    let started = match command.as_slice() {
        [] => "the service must already be running; add `command` to let plimsoll start it".to_owned(),
        command => {
            let words: Vec<Secret> = command.iter().map(|word| word.as_str().into()).collect();
            format!("it starts the service with `{}`", Shown::of_command(&words))
        }
    };
    say(Said::Text(&format!(
        "wrote {path}: {started}\n\nnext:\n  plimsoll run {path}        run a short load test, to check that it works\n  plimsoll capacity {path}   find the load line\n"
    )))?;
    Ok(Exit::Pass)
}

/// What package.json says of the service.
#[derive(Debug, Default, PartialEq, Eq)]
struct Package {
    name: Option<String>,
    has_start_script: bool,
}

impl Package {
    /// Nothing of a file that is not there.
    fn read(path: &Path) -> Result<Self, Failure> {
        let failed = |found: String| {
            Failure::bad_plan(format!("failed to read {}: {found}", path.display()))
                .hint("fix it, or give the command that starts the service: plimsoll init -- node server.js")
        };
        match found::text(path, MOST_PACKAGE_BYTES) {
            Ok(text) => Self::parse(&text).map_err(failed),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// As npm reads it: with or without a byte order mark.
    fn parse(text: &str) -> Result<Self, String> {
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let json: Value = serde_json::from_str(json).map_err(|error| format!("it is not JSON: {error}"))?;
        if !json.is_object() {
            return Err("found no object, expected the keys of a package".to_owned());
        }
        let name = json["name"].as_str().map(str::trim).filter(|name| !name.is_empty());
        Ok(Self {
            name: name.map(str::to_owned),
            has_start_script: json["scripts"]["start"].is_string(),
        })
    }

    /// What starts the service, if the package says it.
    fn start(&self) -> Vec<String> {
        let words = if self.has_start_script {
            &["npm", "start"][..]
        } else {
            &[]
        };
        words.iter().map(|&word| word.to_owned()).collect()
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

fn plan_text(name: &str, url: &str, command: &[String]) -> String {
    // A JSON string is a YAML string, whatever it holds.
    let quoted = |text: &str| Value::from(text).to_string();
    let command = if command.is_empty() {
        "  # How plimsoll starts the service; without it the service must run already.\n  # command: node server.js\n"
            .to_owned()
    } else {
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        format!(
            "  # How plimsoll starts the service; PORT is set to the port of the URL, or to the path of its unix socket.\n  command: [{}]\n",
            words.join(", ")
        )
    };
    format!(
        "\
# A plan for plimsoll. All keys: docs/reference/plan.md

name: {name}

target:
  url: {url}
{command}  # Ready when this path responds with 2xx; without it, when the port is open.
  # ready: {{ path: /health, timeout: 10s }}

# Objectives to judge, most important first.
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

# Used by `plimsoll run`; `plimsoll capacity` chooses its own rates.
load:
  model: open
  rate: 100/s
  duration: 30s
",
        name = quoted(name),
        url = quoted(url),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_json_is_read_as_npm_does() {
        let package = |name: Option<&str>, has_start_script| {
            Ok(Package {
                name: name.map(str::to_owned),
                has_start_script,
            })
        };
        for (text, expected) in [
            (
                r#"{"name": "shop", "scripts": {"start": "node ."}}"#,
                package(Some("shop"), true),
            ),
            ("\u{feff}{\"name\": \"@us/shop\"}\r\n", package(Some("@us/shop"), false)),
            (r#"{"name": " ", "scripts": {"start": 1}}"#, package(None, false)),
            (r#"{"name": 7, "scripts": "start"}"#, package(None, false)),
            ("{}", package(None, false)),
        ] {
            assert_eq!(Package::parse(text), expected, "{text}");
        }
    }

    #[test]
    fn broken_package_json_is_an_error() {
        for (text, said) in [
            ("", "line 1"),
            ("{\"name\": }", "line 1 column 10"),
            ("[]", "no object"),
            ("7", "no object"),
        ] {
            let error = Package::parse(text).expect_err(text);
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn package_with_odd_name_gives_valid_plan() {
        for name in ["shop", "@us/shop", "a: b # c", "\"quoted\"", "{n}", "- x", "yes"] {
            let plan = Plan::parse(&plan_text(name, "http://127.0.0.1:1/", &[]), "plan.yaml").expect(name);
            assert_eq!(plan.name(), name);
        }
    }
}
