//! A command as it is shown: who reads it must recognise the program, the script and the plain flags. Every other word
//! may be a secret, and is hidden.

use super::masks::masked_urls;
use super::names::sounds_secret;
use super::signs::looks_random;
use super::{REDACTED, Secret};

/// Programs and what is said to them, as they stand before a script.
const PLAIN_WORDS: [&str; 41] = [
    "--",
    "auto",
    "bench",
    "build",
    "bun",
    "ci",
    "cluster",
    "debug",
    "deno",
    "dev",
    "development",
    "error",
    "exec",
    "false",
    "info",
    "install",
    "java",
    "localhost",
    "node",
    "make",
    "none",
    "npm",
    "npx",
    "off",
    "on",
    "pnpm",
    "preview",
    "production",
    "run",
    "serve",
    "server",
    "silent",
    "start",
    "test",
    "true",
    "ts-node",
    "tsx",
    "warn",
    "watch",
    "yarn",
    "{n}",
];
/// The word that follows names a script or a package.
const RUNNERS: [&str; 4] = ["exec", "npx", "run", "yarn"];
const SCRIPTS: [&str; 14] = [
    ".cjs", ".conf", ".cts", ".jar", ".js", ".json", ".jsx", ".mjs", ".mts", ".py", ".sh", ".toml", ".ts", ".tsx",
];
const MORE_SCRIPTS: [&str; 3] = [".wasm", ".yaml", ".yml"];
/// Directories in which programs lie: a path through one is no secret, although `a/b` alone may be one.
const PROGRAM_DIRECTORIES: [&str; 11] = [
    ".bin",
    "apps",
    "bin",
    "build",
    "dist",
    "lib",
    "node_modules",
    "out",
    "packages",
    "scripts",
    "src",
];
/// Single-dash flags of more than one letter.
const LONG_SHORT_FLAGS: [&str; 4] = ["-classpath", "-cp", "-jar", "-server"];
/// The words of a command, each as it is shown.
pub(crate) fn shown_words(argv: &[Secret]) -> Vec<String> {
    let mut before: Option<&str> = None;
    let mut words = Vec::with_capacity(argv.len());
    for word in argv {
        let text = word.reveal();
        words.push(match (word.is_sealed(), before) {
            (true, _) => REDACTED.to_owned(),
            (false, None) => shown_program(text),
            (false, Some(before)) => shown_word(text, before),
        });
        before = Some(if word.is_sealed() { "" } else { text });
    }
    words
}

fn shown_program(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '/' | '@' | ' ');
    if word.chars().all(plain) && !word.split('/').any(looks_random) {
        word.to_owned()
    } else {
        shown_word(word, "")
    }
}

fn shown_word(word: &str, before: &str) -> String {
    if word == REDACTED {
        return word.to_owned();
    }
    // The value of a flag that stands in a word of its own.
    if is_flag(before) && sounds_secret(before) && !word.starts_with('-') {
        return REDACTED.to_owned();
    }
    if let Some(flag) = word.strip_prefix("--")
        && !flag.is_empty()
    {
        return match flag.split_once('=') {
            None if is_flag_name(flag) => word.to_owned(),
            None => REDACTED.to_owned(),
            Some((name, value)) => {
                let name = if is_flag_name(name) { name } else { REDACTED };
                let value = if sounds_secret(name) {
                    REDACTED.to_owned()
                } else {
                    shown_value(value)
                };
                format!("--{name}={value}")
            }
        };
    }
    if word.len() > 1 && word.starts_with('-') {
        return short_flag(word);
    }
    if let Some((name, _)) = word.split_once('=')
        && !name.contains("://")
    {
        let name = if is_flag_name(name) { name } else { REDACTED };
        return format!("{name}={REDACTED}");
    }
    if RUNNERS.contains(&before) && is_script_name(word) {
        return word.to_owned();
    }
    shown_value(word)
}

/// `-e` is a flag, `-phunter2` a password for one who knows MySQL.
fn short_flag(word: &str) -> String {
    let heap = ["-Xmx", "-Xms", "-Xss"].iter().find_map(|flag| word.strip_prefix(flag));
    let is_size = |size: &str| {
        size.trim_end_matches(['k', 'K', 'm', 'M', 'g', 'G'])
            .bytes()
            .all(|b| b.is_ascii_digit())
            && size.len() <= 6
    };
    let letters = word.chars().count();
    if letters == 2 || LONG_SHORT_FLAGS.contains(&word) || heap.is_some_and(is_size) {
        return word.to_owned();
    }
    let flag: String = word.chars().take(2).collect();
    if flag.chars().all(|c| c == '-' || c.is_ascii_alphabetic()) {
        format!("{flag}{REDACTED}")
    } else {
        REDACTED.to_owned()
    }
}

fn shown_value(value: &str) -> String {
    if value.contains("://") {
        return masked_urls(value);
    }
    if is_plain(value) {
        value.to_owned()
    } else {
        REDACTED.to_owned()
    }
}

/// A known word, a small number, an address, or the name of a script.
pub(crate) fn is_plain(value: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let number = value.len() <= 5 && value.split('.').all(digits);
    let host = value
        .rsplit_once(':')
        .map_or(value, |(host, port)| if digits(port) { host } else { value });
    let address = host == "localhost" || host.parse::<std::net::IpAddr>().is_ok();
    value.is_empty() || value == REDACTED || PLAIN_WORDS.contains(&value) || number || address || is_script_path(value)
}

fn is_script_path(word: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '@' | ' ' | '[' | ']');
    let is_script = SCRIPTS.iter().chain(&MORE_SCRIPTS).any(|end| word.ends_with(end));
    // `.`, `..`, `./dist`, `../app`, `bin/www`: a place. `/etc/x` and `a/b` may be one, or base64.
    let directories = word.rsplit_once('/').map_or("", |(directories, _)| directories);
    let of_program = directories.split('/').any(|name| PROGRAM_DIRECTORIES.contains(&name));
    let is_place = word == "." || word == ".." || word.starts_with("./") || word.starts_with("../") || of_program;
    (is_script || is_place) && word.chars().all(plain) && !word.split('/').any(looks_random)
}

fn is_script_name(word: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphabetic() || matches!(c, ':' | '-' | '_' | '@' | '/' | '.');
    word.chars().all(plain) && word.len() <= 30 && !looks_random(word)
}

fn is_flag(word: &str) -> bool {
    word.starts_with('-') && word.len() > 1
}

fn is_flag_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
    !name.is_empty() && name.chars().all(plain) && !looks_random(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_the_script_and_plain_flags_are_shown() {
        for (line, shown) in [
            ("node server.js", "node server.js"),
            ("npm run start:prod", "npm run start:prod"),
            ("npm start", "npm start"),
            ("npx tsx src/index.ts", "npx tsx src/index.ts"),
            (
                "/usr/bin/node --max-semi-space-size=64 --inspect=127.0.0.1:9229 ./dist",
                "/usr/bin/node --max-semi-space-size=64 --inspect=127.0.0.1:9229 ./dist",
            ),
            ("java -Xmx512m -jar app.jar", "java -Xmx512m -jar app.jar"),
            (
                "taskset -c 0 node cluster.js --workers {n}",
                "taskset -c 0 node cluster.js --workers {n}",
            ),
            ("node bin/www", "node bin/www"),
            (
                "node node_modules/next/dist/bin/next start -p 3000",
                "node node_modules/next/dist/bin/next start -p 3000",
            ),
            (
                "node /srv/node_modules/@scope/cli/bin/cli",
                "node /srv/node_modules/@scope/cli/bin/cli",
            ),
            ("node bin/d41d8cd98f00b204e9800998ecf8427e", "node [redacted]"),
            ("node s.js --token bin/hunter2", "node s.js --token [redacted]"),
            ("node s.js me:hunter2@host/bin/x", "node s.js [redacted]"),
            ("node s.js hunter2/bin", "node s.js [redacted]"),
            ("node s.js hun/ter2", "node s.js [redacted]"),
            ("node server.js --port 3000", "node server.js --port 3000"),
            ("node server.js --token hunter2", "node server.js --token [redacted]"),
            ("node server.js --token=1234", "node server.js --token=[redacted]"),
            ("node server.js --name=hunter2", "node server.js --name=[redacted]"),
            ("node server.js -phunter2", "node server.js -p[redacted]"),
            ("node server.js hunter2", "node server.js [redacted]"),
            (
                "env TOKEN=hunter2 node server.js",
                "env TOKEN=[redacted] node server.js",
            ),
            ("node -e console.log(1)", "node -e [redacted]"),
            ("node s.js redis://:hunter2@h:1", "node s.js redis://[redacted]@h:1"),
            (
                "node s.js http://a:b@h/,http://c:d@i/",
                "node s.js http://[redacted]@h/,http://[redacted]@i/",
            ),
            ("node s.js aGVsbG8/d29ybGQ=", "node s.js [redacted]=[redacted]"),
            ("node s.js --db-url=mysql://u:p@h/x", "node s.js --db-url=[redacted]"),
            (
                "node s.js --upstream=http://h:80/x?t=1",
                "node s.js --upstream=http://h:80/x?[redacted]",
            ),
        ] {
            let argv = |line: &str| line.split(' ').map(Secret::from).collect::<Vec<_>>();
            assert_eq!(shown_words(&argv(line)).join(" "), shown, "{line}");
            assert_eq!(shown_words(&argv(shown)).join(" "), shown, "{shown}");
        }
    }

    #[test]
    fn nothing_of_a_sealed_word_is_shown() {
        let argv = [Secret::from("node"), Secret::sealed("server.js")];
        assert_eq!(shown_words(&argv), ["node", REDACTED]);
    }
}
