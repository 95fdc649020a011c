//! `plimsoll init`: write a first plan that can be run as it is.

use crate::CommandResult;
use crate::args::{InitArgs, docs};
use crate::exit::{Exit, Failure};
use crate::output::{Said, say, write_new};
use crate::plan_source::DEFAULT_PLAN;
use plimsoll_files::found;
use plimsoll_plan::{Plan, Secret, Shown, Url};
use serde_json::Value;
use std::io::ErrorKind;
use std::path::Path;

const PACKAGE: &str = "package.json";
/// Far above any `package.json`.
const MOST_PACKAGE_BYTES: u64 = 4 << 20;

pub(crate) fn init(args: &InitArgs) -> CommandResult {
    Url::parse(&args.url)?;
    let package = match Package::read(Path::new(PACKAGE)) {
        Ok(package) => package,
        // Then it is needed for no more than a name.
        Err(_) if !args.command.is_empty() => Package::default(),
        Err(failure) => return Err(failure),
    };
    let command = if args.command.is_empty() {
        start(&package, Path::new("."))?
    } else {
        args.command.clone()
    };
    let text = plan_text(package.name.as_deref().unwrap_or("my service"), &args.url, &command);
    // What is handed to the user must be a plan that we accept ourselves.
    Plan::parse(&text, &args.output.display().to_string())?;
    write_new(&args.output, &text, args.force)?;

    let path = args.output.display();
    let started = match command.as_slice() {
        [] => "the service must already be running; to let plimsoll start it, give its command: init --force -- node index.js".to_owned(),
        command => {
            let words: Vec<Secret> = command.iter().map(|word| word.as_str().into()).collect();
            format!("it starts the service with `{}`", Shown::of_command(&words))
        }
    };
    say(Said::Text(&format!(
        "wrote {path}: {started}\n\n{}",
        next(&args.output, is_in_npx())
    )))?;
    Ok(Exit::Pass)
}

/// What to type next.
fn next(plan: &Path, npx: bool) -> String {
    let program = if npx { "npx plimsoll" } else { "plimsoll" };
    let plan = if plan == Path::new(DEFAULT_PLAN) {
        String::new()
    } else {
        format!(" {}", plan.display())
    };
    format!(
        "next:\n  {program} run{plan}        run a short load test, to check that it works\n  {program} capacity{plan}   find the load line\n"
    )
}

/// Whether npm runs this, which then is on no path of the user's shell.
fn is_in_npx() -> bool {
    std::env::var_os("npm_command").is_some_and(|command| command == "exec")
}

/// What starts the service of a package: its script, the file that `npm start` runs without one, or the script of the only workspace
/// that has one.
fn start(package: &Package, directory: &Path) -> Result<Vec<String>, Failure> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    if let Some(script) = &package.start_script {
        return Ok(plain(script).unwrap_or_else(|| words(&["npm", "start"])));
    }
    if directory.join("server.js").is_file() {
        return Ok(words(&["node", "server.js"]));
    }
    let startable = startable(&package.workspaces, directory);
    match startable.as_slice() {
        [] => Ok(Vec::new()),
        [only] => Ok(words(&["npm", "start", "--workspace", only])),
        [first, ..] => Err(Failure::bad_plan(format!(
            "found no start script in {PACKAGE}, but one in each of the workspaces {}",
            startable.join(", ")
        ))
        .hint(format!(
            "say which one to start: plimsoll init -- npm start --workspace {first}"
        ))),
    }
}

/// The words of a script that starts Node.js and needs no shell. npm would be a process of the service, with memory of its own.
fn plain(script: &str) -> Option<Vec<String>> {
    let needs_shell = |c: char| !(c.is_alphanumeric() || " ./-_=:,@+".contains(c));
    let words: Vec<String> = script
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect();
    (words.first()? == "node" && !script.contains(needs_shell)).then_some(words)
}

/// The directories of workspaces that have a start script, in order. Understands `directory` and `directory/*`, as most write it.
fn startable(patterns: &[String], root: &Path) -> Vec<String> {
    let mut directories = Vec::new();
    for pattern in patterns {
        let pattern = pattern.trim_start_matches("./").trim_end_matches('/');
        let Some(parent) = pattern.strip_suffix("/*") else {
            directories.push(pattern.to_owned());
            continue;
        };
        let entries = std::fs::read_dir(root.join(parent)).into_iter().flatten().flatten();
        directories.extend(entries.map(|entry| format!("{parent}/{}", entry.file_name().to_string_lossy())));
    }
    directories.retain(|directory| {
        Package::read(&root.join(directory).join(PACKAGE)).is_ok_and(|package| package.start_script.is_some())
    });
    directories.sort_unstable();
    directories.dedup();
    directories
}

/// What package.json says of the service.
#[derive(Debug, Default, PartialEq, Eq)]
struct Package {
    name: Option<String>,
    start_script: Option<String>,
    /// Patterns of their directories.
    workspaces: Vec<String>,
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
        // Yarn has them one level further in.
        let workspaces = [&json["workspaces"], &json["workspaces"]["packages"]];
        let workspaces = workspaces.into_iter().filter_map(Value::as_array).flatten();
        Ok(Self {
            name: name.map(str::to_owned),
            start_script: json["scripts"]["start"].as_str().map(str::to_owned),
            workspaces: workspaces.filter_map(Value::as_str).map(str::to_owned).collect(),
        })
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
# A plan for plimsoll. All keys: {reference}

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
        reference = docs!("reference/plan.md"),
        name = quoted(name),
        url = quoted(url),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn package_json_is_read_as_npm_does() {
        let package = |name: Option<&str>, start_script: Option<&str>, workspaces: &[&str]| {
            Ok(Package {
                name: name.map(str::to_owned),
                start_script: start_script.map(str::to_owned),
                workspaces: workspaces.iter().map(|&pattern| pattern.to_owned()).collect(),
            })
        };
        for (text, expected) in [
            (
                r#"{"name": "shop", "scripts": {"start": "node ."}}"#,
                package(Some("shop"), Some("node ."), &[]),
            ),
            (
                "\u{feff}{\"name\": \"@us/shop\"}\r\n",
                package(Some("@us/shop"), None, &[]),
            ),
            (r#"{"name": " ", "scripts": {"start": 1}}"#, package(None, None, &[])),
            (r#"{"name": 7, "scripts": "start"}"#, package(None, None, &[])),
            (r#"{"workspaces": ["a", "b/*", 3]}"#, package(None, None, &["a", "b/*"])),
            (r#"{"workspaces": {"packages": ["a"]}}"#, package(None, None, &["a"])),
            ("{}", package(None, None, &[])),
        ] {
            assert_eq!(Package::parse(text), expected, "{text}");
        }
    }

    /// What starts the service in a directory with these files, or the message.
    #[expect(clippy::disallowed_methods, reason = "these files stand for those of a user")]
    fn started(files: &[(&str, &str)]) -> String {
        let directory = tempfile::tempdir().expect("a directory");
        for (path, text) in files {
            let path = directory.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it is in the directory")).expect("a directory");
            std::fs::write(path, text).expect("a file");
        }
        let package = Package::read(&directory.path().join(PACKAGE)).expect("it can be read");
        match start(&package, directory.path()) {
            Ok(command) => command.join(" "),
            Err(failure) => format!("{failure:?}"),
        }
    }

    #[test]
    fn start_command_is_found_as_npm_does() {
        let with = (PACKAGE, r#"{"scripts": {"start": "serve public"}}"#);
        assert_eq!(started(&[with, ("server.js", "")]), "npm start");
        assert_eq!(started(&[(PACKAGE, "{}"), ("server.js", "")]), "node server.js");
        assert_eq!(started(&[("server.js", "")]), "node server.js");
        assert_eq!(started(&[(PACKAGE, "{}"), ("index.js", "")]), "");
    }

    #[test]
    fn start_script_of_plain_words_is_started_without_npm() {
        let words = |script| plain(script).map(|words| words.join("|"));
        for (script, expected) in [
            ("node ./bin/www", Some("node|./bin/www")),
            (
                "node  --max-old-space-size=512 dist/main",
                Some("node|--max-old-space-size=512|dist/main"),
            ),
            ("nest start", None),
            ("node . | pino-pretty", None),
            ("node \"my server.js\"", None),
            ("NODE_ENV=production node .", None),
            ("node --env-file=.env $MAIN", None),
            ("", None),
        ] {
            assert_eq!(words(script).as_deref(), expected, "{script}");
        }
    }

    #[test]
    fn start_command_is_that_of_the_only_workspace_with_one() {
        let root = (PACKAGE, r#"{"workspaces": ["./packages/*", "web/", "none"]}"#);
        let service = r#"{"scripts": {"start": "node ."}}"#;
        let files = [
            root,
            ("packages/api/package.json", service),
            ("packages/lib/package.json", "{}"),
        ];
        assert_eq!(started(&files), "npm start --workspace packages/api");
        let two = [&files[..], &[("web/package.json", service)]].concat();
        let said = started(&two);
        assert!(said.contains("each of the workspaces packages/api, web"), "{said}");
        assert!(said.contains("init -- npm start --workspace packages/api"), "{said}");
    }

    #[test]
    fn next_command_is_one_that_the_user_can_type() {
        let default = next(Path::new(DEFAULT_PLAN), false);
        assert!(default.contains("  plimsoll capacity   find"), "{default}");
        let named = next(Path::new("load.yaml"), true);
        assert!(named.contains("  npx plimsoll capacity load.yaml   find"), "{named}");
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
