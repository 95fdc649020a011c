//! Where in a command curl is called, and not named: behind words that do something with a whole command.

use super::is_curl;
use crate::text::Text;

/// Words of a shell in front of a command.
pub(super) const IN_FRONT: [&str; 8] = ["if", "elif", "while", "until", "then", "else", "do", "!"];
/// Programs and words of a shell that are given a command.
const WRAPPERS: [&str; 19] = [
    "builtin", "chronic", "command", "doas", "env", "eval", "exec", "gtimeout", "nice", "nohup", "retry", "run",
    "setsid", "stdbuf", "sudo", "time", "timeout", "unbuffer", "watch",
];
/// Options of these whose value is a word of its own.
const WITH_VALUE: [&str; 6] = ["-u", "-g", "-n", "-k", "-s", "-C"];
/// Programs that execute a command in a container.
const CONTAINERS: [&str; 7] = [
    "docker",
    "docker-compose",
    "podman",
    "nerdctl",
    "kubectl",
    "oc",
    "crictl",
];
/// Options of these whose value is a word of its own.
const OF_CONTAINERS: [&str; 18] = [
    "-c",
    "-e",
    "-f",
    "-l",
    "-n",
    "-p",
    "-u",
    "-v",
    "-w",
    "--container",
    "--context",
    "--env",
    "--file",
    "--name",
    "--namespace",
    "--network",
    "--user",
    "--workdir",
];
/// What stands in front of a command where one is shown or kept: in notes, in steps of a pipeline and of an image.
const SHOWN: [&str; 6] = ["$", "%", "-", "*", "RUN", "CMD"];

/// Where curl is called in these words.
pub(super) fn curl(words: &[Text]) -> Option<usize> {
    let mut at = 0;
    loop {
        let word = words.get(at)?;
        if is_curl(word) {
            return Some(at);
        }
        let word = word.as_literal()?;
        let name = word.rsplit('/').next().unwrap_or(word);
        at += 1;
        if CONTAINERS.contains(&name) {
            at += in_container(&words[at..])?;
        } else if name == "command"
            && words
                .get(at)
                .is_some_and(|word| matches!(word.as_literal(), Some("-v" | "-V")))
        {
            return None;
        } else if WRAPPERS.contains(&name) {
            at += options(&words[at..], &WITH_VALUE);
            // How long, and what is set for it alone.
            let is_setting = |word: &&Text| word.split_once('=').is_some() || is_time(word);
            at += words[at..].iter().take_while(is_setting).count();
        } else if !SHOWN.contains(&name) && !word.ends_with(['$', '#', '%', ':']) {
            return None;
        }
    }
}

/// How many words are options of a program, with their values.
fn options(words: &[Text], with_value: &[&str]) -> usize {
    let mut count = 0;
    while let Some(option) = words
        .get(count)
        .and_then(Text::as_literal)
        .filter(|word| word.starts_with('-'))
    {
        if option == "--" {
            return count + 1;
        }
        count += 1 + usize::from(with_value.contains(&option));
    }
    count.min(words.len())
}

fn is_time(word: &Text) -> bool {
    word.as_literal()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// How many words stand in front of the command that is executed: all up to `--`, or `exec`, options and the name of a container.
fn in_container(words: &[Text]) -> Option<usize> {
    let is = |word: &Text, text: &str| word.as_literal() == Some(text);
    let runs = words
        .iter()
        .take(6)
        .position(|word| is(word, "exec") || is(word, "run"))?
        + 1;
    let behind = options(&words[runs..], &OF_CONTAINERS) + runs;
    // An image that is curl, or a container in which it is executed.
    if words.get(behind).is_some_and(is_curl) {
        return Some(behind);
    }
    let rest = words.get(behind + 1..)?;
    let more = options(rest, &OF_CONTAINERS);
    Some(behind + 1 + more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_is_found_where_it_is_called() {
        for (line, expected) in [
            ("curl -s x", Some(0)),
            ("/usr/bin/curl x", Some(0)),
            ("sudo -u app curl x", Some(3)),
            ("time curl x", Some(1)),
            ("timeout 5 curl x", Some(2)),
            ("env -i A=b curl x", Some(3)),
            ("watch -n 2 curl x", Some(3)),
            ("docker exec -it web curl x", Some(4)),
            ("docker compose exec -T web curl x", Some(5)),
            ("docker run --rm --network host curlimages/curl x", Some(5)),
            ("kubectl exec deploy/web -n shop -- curl x", Some(6)),
            ("run curl x", Some(1)),
            ("run -0 curl x", Some(2)),
            ("retry 5 curl x", Some(2)),
            ("gtimeout -k 2 5s curl x", Some(4)),
            ("doas -u app curl x", Some(3)),
            ("$ curl x", Some(1)),
            ("me@here:~$ curl x", Some(1)),
            ("RUN curl x", Some(1)),
            ("apt-get install curl jq", None),
            ("sudo apt-get install -y curl", None),
            ("docker exec web apk add curl jq", None),
            ("which curl", None),
            ("command -v curl", None),
            ("command curl x", Some(1)),
            ("echo curl x", None),
            ("xargs curl", None),
            ("", None),
        ] {
            let words: Vec<Text> = line.split_whitespace().map(Text::literal).collect();
            assert_eq!(curl(&words), expected, "{line}");
        }
    }
}
