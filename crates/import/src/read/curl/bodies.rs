//! What a command line of curl sends in a body: texts, files and parts of a form.

use crate::read::multipart::Part;
use crate::read::query;
use crate::text::Text;

/// What one option adds to a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Data {
    Text(Text),
    /// The content of a file, by its path.
    File(String),
    /// What is not known here, such as standard input.
    Unknown,
}

impl Data {
    /// `@file`, or text.
    pub(super) fn of(value: Text) -> Self {
        if !value.beginning().starts_with('@') {
            return Self::Text(value);
        }
        let path = value.without_first(1);
        match path.as_literal() {
            None | Some("-" | "") => Self::Unknown,
            Some(path) => Self::File(path.to_owned()),
        }
    }

    /// `name=content`, `=content`, `content`, `@file` and `name@file`, with the content encoded.
    pub(super) fn urlencoded(text: &Text) -> Self {
        match text.split_once('=') {
            Some((name, value)) if name.is_empty() => Self::Text(query::encoded(&value)),
            Some((name, value)) => {
                let mut pair = name;
                pair.push_str("=");
                pair.append(&query::encoded(&value));
                Self::Text(pair)
            }
            // The content of a file, encoded as well.
            None if text.split_once('@').is_some() => Self::Unknown,
            None => Self::Text(query::encoded(text)),
        }
    }
}

/// `name=content` or `name=content;type=TYPE`; what is no such part with the reason.
pub(super) fn part(text: &Text, is_verbatim: bool) -> Result<Part, (String, &'static str)> {
    let Some((name, value)) = text.split_once('=') else {
        return Err(("-F".to_owned(), "it is not `name=value`; the request is left out"));
    };
    let plain = |name: Text, value: Text| Part {
        name,
        value,
        content_type: None,
    };
    if is_verbatim {
        return Ok(plain(name, value));
    }
    let called = name.as_literal().unwrap_or_default().to_owned();
    if value.beginning().starts_with(['@', '<']) {
        let why = "plans do not put files into parts; the request is left out";
        return Err((format!("-F {called}=@…"), why));
    }
    let (value, behind) = match quoted(&value) {
        Some((value, behind)) => (value, behind.split(';')),
        None => {
            let mut pieces = value.split(';');
            let value = pieces.remove(0);
            let value = match pieces.is_empty() {
                true => value,
                // Blanks around what stands in front of `;` are not sent.
                false => value.trim_start().trim_end(),
            };
            (value, pieces)
        }
    };
    let mut part = plain(name, value);
    for parameter in behind.iter().map(Text::trim_start) {
        let parameter_name = parameter.beginning().split('=').next().unwrap_or_default();
        match parameter_name {
            "type" => part.content_type = parameter.split_once('=').map(|(_, value)| value.trim_end()),
            "filename" | "headers" | "encoder" => {
                let why = "parts of a plan have a name and a type alone; the request is left out";
                return Err((format!("-F {called}=…;{parameter_name}="), why));
            }
            // curl sends nothing of it.
            _ => {}
        }
    }
    Ok(part)
}

/// What stands between quotes at the beginning, and what is behind them.
fn quoted(text: &Text) -> Option<(Text, Text)> {
    let literal = text.as_literal()?.strip_prefix('"')?;
    let mut inside = String::new();
    let mut letters = literal.chars();
    loop {
        match letters.next()? {
            '"' => return Some((Text::literal(inside), Text::literal(letters.as_str()))),
            '\\' => match letters.next()? {
                c @ ('"' | '\\') => inside.push(c),
                c => inside.extend(['\\', c]),
            },
            c => inside.push(c),
        }
    }
}
