//! What package.json says of a service, and what starts it.

use crate::exit::Failure;
use plimsoll_files::found;
use serde_json::Value;
use std::io::ErrorKind;
use std::path::Path;

pub(super) const PACKAGE: &str = "package.json";
/// As Nest and others call what starts a service that was built.
const PRODUCTION: &str = "start:prod";
/// Far above any `package.json`.
const MOST_PACKAGE_BYTES: u64 = 4 << 20;

/// What starts the service of a package: its script, or the one for production where that needs no npm and what it runs is there; the
/// file that `npm start` runs without one; or the script of the only workspace that has one.
pub(super) fn start(package: &Package, directory: &Path) -> Result<Vec<String>, Failure> {
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    if let Some(script) = &package.start_script {
        let production = || package.production().filter(|words| is_there(words, directory));
        return Ok(plain(script)
            .or_else(production)
            .unwrap_or_else(|| words(&["npm", "start"])));
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

/// Advice where the service is started for development, because what its script for production runs was not built.
pub(super) fn unbuilt(package: &Package, directory: &Path) -> Option<String> {
    let is_plain = package.start_script.as_deref().and_then(plain).is_some();
    let production = package
        .production()
        .filter(|words| !is_plain && !is_there(words, directory))?;
    Some(format!(
        "{PRODUCTION} in {PACKAGE} runs `{}`, which was not built: build the service and run init --force again, so that no compiler runs beside it",
        production.join(" ")
    ))
}

/// Whether the file that Node.js is to run is there, as it would look it up.
fn is_there(words: &[String], directory: &Path) -> bool {
    let file = words.iter().skip(1).find(|word| !word.starts_with('-'));
    let is_file = |path: String| directory.join(path).is_file();
    file.is_some_and(|file| {
        ["", ".js", "/index.js"]
            .iter()
            .any(|end| is_file(format!("{file}{end}")))
    })
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
pub(super) struct Package {
    pub(super) name: Option<String>,
    start_script: Option<String>,
    production_script: Option<String>,
    /// Patterns of their directories.
    workspaces: Vec<String>,
}

impl Package {
    /// What starts the service in production, without npm.
    fn production(&self) -> Option<Vec<String>> {
        self.production_script.as_deref().and_then(plain)
    }

    /// Nothing of a file that is not there.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
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
        let script = |name: &str| json["scripts"][name].as_str().map(str::to_owned);
        Ok(Self {
            name: name.map(str::to_owned),
            start_script: script("start"),
            production_script: script(PRODUCTION),
            workspaces: workspaces.filter_map(Value::as_str).map(str::to_owned).collect(),
        })
    }
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
                production_script: None,
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
    fn service_that_is_built_is_started_without_its_compiler() {
        let nest = r#"{"scripts": {"start": "nest start", "start:prod": "node --enable-source-maps dist/main"}}"#;
        let production = "node --enable-source-maps dist/main";
        assert_eq!(started(&[(PACKAGE, nest), ("dist/main.js", "")]), production);
        assert_eq!(started(&[(PACKAGE, nest), ("dist/main/index.js", "")]), production);
        assert_eq!(started(&[(PACKAGE, nest)]), "npm start");
        let plain = r#"{"scripts": {"start": "node .", "start:prod": "node dist/main"}}"#;
        assert_eq!(started(&[(PACKAGE, plain), ("dist/main", "")]), "node .");
        let package = |text| Package::parse(text).expect("a package");
        let nowhere = Path::new("nowhere");
        let advice = unbuilt(&package(nest), nowhere).expect("advice");
        assert!(
            advice.contains(production) && advice.contains("build the service"),
            "{advice}"
        );
        assert_eq!(unbuilt(&package(plain), nowhere), None);
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
}
