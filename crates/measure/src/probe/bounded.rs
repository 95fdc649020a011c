//! Fields of messages whose length is in the hands of whoever sends them.

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use std::fmt;
use std::marker::PhantomData;

/// Bytes of a path.
const PATH_BYTES_MAX: usize = 4096;
/// Bytes of any other name.
const NAME_BYTES_MAX: usize = 512;

/// A name, cut where it is too long.
pub(super) fn name<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    from.deserialize_str(Text(NAME_BYTES_MAX))
}

/// A path, cut where it is too long.
pub(super) fn path<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    from.deserialize_str(Text(PATH_BYTES_MAX))
}

/// As [`name`], where there may be none.
pub(super) fn some_name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    from.deserialize_option(Optional(NAME_BYTES_MAX))
}

/// As [`path`], where there may be none.
pub(super) fn some_path<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    from.deserialize_option(Optional(PATH_BYTES_MAX))
}

/// A list of at most so many; a longer one is refused.
pub(super) fn list<'de, const MAX: usize, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    from.deserialize_seq(List::<MAX, T>(PhantomData))
}

/// At most so many bytes of a text, as they are shown: without what a terminal would take for a command.
struct Text(usize);

impl Visitor<'_> for Text {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<String, E> {
        let end = (0..=self.0.min(text.len()))
            .rev()
            .find(|end| text.is_char_boundary(*end));
        let kept = &text[..end.unwrap_or(0)];
        if kept.chars().any(char::is_control) {
            return Ok(kept.chars().map(|c| if c.is_control() { ' ' } else { c }).collect());
        }
        Ok(kept.to_owned())
    }
}

struct Optional(usize);

impl<'de> Visitor<'de> for Optional {
    type Value = Option<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or null")
    }

    fn visit_none<E>(self) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_unit<E>(self) -> Result<Option<String>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Option<String>, D::Error> {
        from.deserialize_str(Text(self.0)).map(Some)
    }
}

struct List<const MAX: usize, T>(PhantomData<T>);

impl<'de, const MAX: usize, T: Deserialize<'de>> Visitor<'de> for List<MAX, T> {
    type Value = Vec<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list of at most {MAX}")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Vec<T>, A::Error> {
        let mut all = Vec::new();
        while let Some(one) = from.next_element()? {
            if all.len() == MAX {
                return Err(A::Error::invalid_length(MAX + 1, &self));
            }
            all.push(one);
        }
        Ok(all)
    }
}
