//! What the probe can leave out of a service, so that a run without it can be measured beside one with it.

use std::fmt;
use std::str::FromStr;

/// Something that is left out of the service, by the name that users and the probe have for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Removal {
    /// What goes to standard output and standard error.
    Log,
    /// Synchronous reads of what was read before.
    SyncRead,
    /// Formatters, templates and validators that were constructed before.
    Construction,
    /// Compression of responses.
    Compression,
    /// Entity tags of responses.
    Etag,
    /// Middleware or a hook, by its function or by the line that installs it.
    Middleware(String),
}

const MIDDLEWARE: &str = "middleware:";

impl Removal {
    /// Those that go by a name of their own.
    pub const NAMED: [Self; 5] = [
        Self::Log,
        Self::SyncRead,
        Self::Construction,
        Self::Compression,
        Self::Etag,
    ];

    /// Whether the probe means this by a name, and a line of a file where it knows one.
    #[must_use]
    pub fn is(&self, name: &str, place: Option<(&str, u32)>) -> bool {
        let by_line = |wanted: &str| {
            let (file, line) = place?;
            let rest = wanted.strip_suffix(&format!(":{line}"))?;
            let before = file.strip_suffix(rest)?;
            Some(before.is_empty() || before.ends_with('/') || before.ends_with('\\'))
        };
        match self {
            Self::Middleware(wanted) => {
                name.strip_prefix(MIDDLEWARE) == Some(wanted) || by_line(wanted).unwrap_or(false)
            }
            named => named.to_string() == name,
        }
    }
}

/// As it is written: `log`, `middleware:session`, `middleware:app.js:12`.
impl fmt::Display for Removal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Log => f.write_str("log"),
            Self::SyncRead => f.write_str("sync-read"),
            Self::Construction => f.write_str("construction"),
            Self::Compression => f.write_str("compression"),
            Self::Etag => f.write_str("etag"),
            Self::Middleware(name) => write!(f, "{MIDDLEWARE}{name}"),
        }
    }
}

impl FromStr for Removal {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::NAMED.into_iter().find(|removal| removal.to_string() == text);
        let middleware = text
            .strip_prefix(MIDDLEWARE)
            .filter(|name| !name.is_empty())
            .map(|name| Self::Middleware(name.to_owned()));
        named.or(middleware).ok_or_else(|| {
            "expected log, sync-read, construction, compression, etag, middleware:NAME or middleware:FILE:LINE"
                .to_owned()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Removal;

    #[test]
    fn names_read_back() {
        for text in [
            "log",
            "sync-read",
            "construction",
            "compression",
            "etag",
            "middleware:a b",
            "middleware:x.js:3",
        ] {
            let removal: Removal = text.parse().expect(text);
            assert_eq!(removal.to_string(), text);
        }
        for text in ["", "logs", "middleware", "middleware:", "LOG"] {
            assert!(text.parse::<Removal>().is_err(), "{text}");
        }
    }

    #[test]
    fn middleware_goes_by_its_function_or_its_line() {
        let app = Some(("/srv/shop/app.js", 12));
        for (wanted, expected) in [
            ("logger", true),
            ("app.js:12", true),
            ("shop/app.js:12", true),
            ("/srv/shop/app.js:12", true),
            ("pp.js:12", false),
            ("app.js:2", false),
            ("app.js", false),
            ("loggers", false),
        ] {
            let removal = Removal::Middleware(wanted.to_owned());
            assert_eq!(removal.is("middleware:logger", app), expected, "{wanted}");
        }
        assert!(Removal::Log.is("log", None) && !Removal::Log.is("middleware:log", None));
    }
}
