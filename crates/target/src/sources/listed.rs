//! Text of the lines that are listed: those of the functions that take most time, without what may be a secret.

use plimsoll_measure::{Profile, Texts};
use plimsoll_plan::{KnownSecrets, Shown};
use std::collections::HashMap;

/// Characters of a line that are kept.
const COLUMNS_MAX: usize = 200;

/// The text of the lines to list in `profile`, which is where someone wrote it, of files with these texts.
pub(super) fn texts(profile: &Profile, files: &HashMap<&str, String>, secrets: &KnownSecrets) -> Texts {
    let mut texts = Texts::new();
    for function in profile.functions_to_list() {
        let file = &function.frame.file;
        let Some(text) = files.get(file.as_str()) else {
            continue;
        };
        let listed = function.lines_to_list();
        let lines = (1..).zip(text.lines()).filter(|(line, _)| listed.contains(line));
        let kept = texts.entry(file.clone()).or_default();
        kept.extend(lines.map(|(line, text)| (line, shown(text, secrets))));
    }
    texts
}

fn shown(line: &str, secrets: &KnownSecrets) -> String {
    let indented = line.replace('\t', "  ");
    let plain = plimsoll_plain::line(&indented);
    // A part of a secret that is cut off is not hidden any more, so the line is cut last.
    let hidden: String = Shown::of_code(&secrets.hide(&plain)).into();
    let hidden = hidden.trim_end();
    match hidden.char_indices().nth(COLUMNS_MAX) {
        Some((end, _)) => format!("{}…", &hidden[..end]),
        None => hidden.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_short_plain_and_without_secrets() {
        let secrets = KnownSecrets::of_settings([("TOKEN", "tiger-lily")]);
        for (line, expected) in [
            ("\tcall(a);  ", "  call(a);"),
            ("call('tiger-lily'); // \u{1b}[31m", "call('[redacted]'); //"),
            ("const password = 'hunter2';", "const password = '[redacted]';"),
        ] {
            assert_eq!(shown(line, &secrets), expected);
        }
        let long = shown(&"a+".repeat(1000), &secrets);
        assert_eq!(long.chars().count(), COLUMNS_MAX + 1);
    }
}
