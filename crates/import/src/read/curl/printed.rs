//! What commands of a script print of a response: all of it, or a value that `jq` and its like take out of it.

use crate::journey::TakeFrom;
use crate::text::Text;

/// What a command prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Printed {
    /// The response to the request at this place.
    Response(usize),
    /// The same, and a line of curl's own behind it, such as the status.
    Lined(usize),
    /// What is here in it.
    Part(usize, TakeFrom),
    /// What of it matches this expression, which `grep` has.
    Matches(usize, String),
    /// Something else.
    Other,
}

impl Printed {
    /// The request whose response it is, and nothing else.
    pub(super) const fn response_to(&self) -> Option<usize> {
        match self {
            Self::Response(of) => Some(*of),
            _ => None,
        }
    }
}

/// What curl prints that has these words and sends the request at this place. The headers, a status or a file are no body.
pub(super) fn by_curl<'w>(words: impl IntoIterator<Item = &'w Text>, of: usize) -> Printed {
    let mut is_lined = false;
    let mut literals = words.into_iter().map(|word| word.as_literal().unwrap_or_default());
    while let Some(word) = literals.next() {
        let has_value = ["-H", "-d", "-u", "-A", "-b", "-F", "-X", "-e"];
        let has_value = has_value.iter().any(|option| word.starts_with(option));
        let has = |options: &[char]| !has_value && options.iter().any(|option| is_short(word, *option));
        let is_long = matches!(word, "--output" | "--include" | "--head" | "--dump-header");
        if is_long || has(&['o', 'i', 'I', 'D']) {
            return Printed::Other;
        }
        if word == "--write-out" || has(&['w']) {
            is_lined = (word.starts_with("--") || word.ends_with('w')) && literals.next().is_some_and(is_line);
            if !is_lined {
                return Printed::Other;
            }
        }
    }
    match is_lined {
        true => Printed::Lined(of),
        false => Printed::Response(of),
    }
}

/// Whether what curl writes behind a response is one line of its own.
fn is_line(written: &str) -> bool {
    let line = written.strip_prefix("\\n").or_else(|| written.strip_prefix('\n'));
    line.is_some_and(|line| !line.contains("\\n") && !line.contains('\n'))
}

/// Commands that print what they read, or its beginning.
const AS_IT_IS: [&str; 6] = ["cat", "tee", "head", "tr", "xargs", "column"];

/// What a command with these words prints that reads `input`; `None` of one that is not known.
pub(super) fn by(name: &str, words: &[Text], input: &Printed) -> Option<Printed> {
    let literals: Vec<&str> = words.iter().filter_map(Text::as_literal).collect();
    let part = |of: &usize, from: Option<TakeFrom>| from.map_or(Printed::Other, |from| Printed::Part(*of, from));
    Some(match (name, input) {
        ("jq", Printed::Response(of)) => match filter(&literals) {
            Some(".") | None => input.clone(),
            Some(filter) => part(of, path_of_filter(filter).map(TakeFrom::Json)),
        },
        ("python" | "python3", Printed::Response(of)) => match literals.as_slice() {
            ["-m", "json.tool", ..] => input.clone(),
            ["-c", program, ..] => part(of, path_of_python(program).map(TakeFrom::Json)),
            _ => Printed::Other,
        },
        ("sed", Printed::Lined(of)) if literals == ["$d"] => Printed::Response(*of),
        ("head", Printed::Lined(of)) if literals.concat() == "-n-1" => Printed::Response(*of),
        // The line of curl's own.
        ("head" | "tail", Printed::Lined(_)) => Printed::Other,
        ("grep", Printed::Response(of) | Printed::Lined(of)) => {
            let prints_matches = literals.iter().any(|word| is_short(word, 'o'));
            let expression = literals.iter().find(|word| !word.starts_with('-'));
            match expression.filter(|_| prints_matches) {
                Some(expression) => Printed::Matches(*of, (*expression).to_owned()),
                None => Printed::Other,
            }
        }
        ("cut", Printed::Matches(of, expression)) if literals == ["-d\"", "-f4"] => part(of, value_of_name(expression)),
        ("jq" | "python" | "python3" | "grep" | "cut" | "sed" | "awk", _) => Printed::Other,
        (name, _) if AS_IT_IS.contains(&name) => input.clone(),
        _ => return None,
    })
}

/// Whether a word is options of one letter each, with this one among them.
fn is_short(word: &str, option: char) -> bool {
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    letters.is_some_and(|letters| letters.contains(option))
}

/// What `jq` is to print.
fn filter<'w>(words: &[&'w str]) -> Option<&'w str> {
    words.iter().find(|word| !word.starts_with('-')).copied()
}

/// `.items[0].id` as a path, and `.id // empty`.
fn path_of_filter(filter: &str) -> Option<String> {
    let filter = filter.split("//").next().unwrap_or_default().trim();
    let filter = filter.trim_end_matches('?');
    let rest = filter.strip_prefix('.')?;
    let is_path = rest.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c)) && !rest.contains("[]");
    is_path.then(|| match rest.starts_with('[') {
        true => format!("${rest}"),
        false => format!("$.{rest}"),
    })
}

/// `import sys, json; print(json.load(sys.stdin)['items'][0]['id'])` as a path.
fn path_of_python(program: &str) -> Option<String> {
    let (_, rest) = program.split_once("print(json.load(sys.stdin)")?;
    let path = rest
        .trim_end()
        .trim_end_matches(';')
        .strip_suffix(')')?
        .replace('"', "'");
    let is_path = path.starts_with('[') && path.chars().all(|c| c.is_alphanumeric() || "_-[]'".contains(c));
    is_path.then(|| format!("${path}"))
}

/// The value of the name in `"name":"[^"]*"`.
fn value_of_name(expression: &str) -> Option<TakeFrom> {
    let (name, rest) = expression.strip_prefix('"')?.split_once('"')?;
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-');
    let value = rest.trim_start().strip_prefix(':')?.trim_start_matches([' ', '*']);
    let is_value = matches!(value, "\"[^\"]*\"" | "\"[^\"]*");
    (is_name && is_value).then(|| TakeFrom::Regex(format!("\"{name}\"\\s*:\\s*\"([^\"]*)"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curl_prints_responses_and_lines_of_its_own() {
        for (words, expected) in [
            (vec!["-s", "URL"], Printed::Response(3)),
            (vec!["-H", "accept: x", "-XPOST", "URL"], Printed::Response(3)),
            (vec!["-s", "-w", "\\n%{http_code}", "URL"], Printed::Lined(3)),
            (vec!["-sw", "\n%{http_code}", "URL"], Printed::Lined(3)),
            (vec!["--write-out", "\\n%{http_code}", "URL"], Printed::Lined(3)),
            (vec!["-w", "%{http_code}", "URL"], Printed::Other),
            (vec!["-w", "\\n%{http_code}\\n%{time_total}", "URL"], Printed::Other),
            (vec!["-w%{http_code}", "URL"], Printed::Other),
            (vec!["-so", "/dev/null", "-w", "\\n%{http_code}", "URL"], Printed::Other),
            (vec!["-I", "URL"], Printed::Other),
        ] {
            let given: Vec<Text> = words.iter().map(|word| Text::literal(*word)).collect();
            assert_eq!(by_curl(&given, 3), expected, "{words:?}");
        }
    }

    #[test]
    fn values_are_taken_out_of_responses() {
        let json = |path: &str| Some(Printed::Part(3, TakeFrom::Json(path.to_owned())));
        let response = Printed::Response(3);
        for (words, expected) in [
            (vec!["jq", "-r", ".access_token"], json("$.access_token")),
            (vec!["jq", "-r", ".items[0].id // empty"], json("$.items[0].id")),
            (vec!["jq", ".[0].id"], json("$[0].id")),
            (vec!["jq", "."], Some(response.clone())),
            (vec!["jq", "-r", ".items[].id"], Some(Printed::Other)),
            (vec!["jq", "-r", ".items | length"], Some(Printed::Other)),
            (vec!["python3", "-m", "json.tool"], Some(response.clone())),
            (
                vec![
                    "python3",
                    "-c",
                    "import sys, json; print(json.load(sys.stdin)['user'][\"id\"])",
                ],
                json("$['user']['id']"),
            ),
            (vec!["sed", "s/a/b/"], Some(Printed::Other)),
            (vec!["head", "-1"], Some(response.clone())),
            (vec!["node", "x.js"], None),
        ] {
            let text: Vec<Text> = words[1..].iter().map(|word| Text::literal(*word)).collect();
            assert_eq!(by(words[0], &text, &response), expected, "{words:?}");
        }
        for (words, expected) in [
            (vec!["sed", "$d"], response.clone()),
            (vec!["head", "-n", "-1"], response.clone()),
            (vec!["tail", "-n1"], Printed::Other),
            (vec!["jq", ".id"], Printed::Other),
            (vec!["cat"], Printed::Lined(3)),
        ] {
            let text: Vec<Text> = words[1..].iter().map(|word| Text::literal(*word)).collect();
            assert_eq!(by(words[0], &text, &Printed::Lined(3)), Some(expected), "{words:?}");
        }
        let grep = [Text::literal("-o"), Text::literal("\"token\":\"[^\"]*\"")];
        let matches = by("grep", &grep, &response).expect("matches");
        let cut = [Text::literal("-d\""), Text::literal("-f4")];
        let token = TakeFrom::Regex("\"token\"\\s*:\\s*\"([^\"]*)".to_owned(), 1);
        assert_eq!(by("cut", &cut, &matches), Some(Printed::Part(3, token)));
    }
}
