//! Lists in documents from outside, with an end.

use serde::Deserialize;
use serde::de::{Deserializer, Error, IgnoredAny, SeqAccess, Visitor};
use std::fmt;

/// A list that is refused where it is longer.
#[derive(Debug)]
pub(crate) struct Bounded<T, const MAX: usize>(pub(crate) Vec<T>);

impl<T, const MAX: usize> Default for Bounded<T, MAX> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Bounded<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct List<T, const MAX: usize>(Vec<T>);
        impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for List<T, MAX> {
            type Value = Bounded<T, MAX>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of at most {MAX}")
            }

            fn visit_seq<A: SeqAccess<'de>>(mut self, mut from: A) -> Result<Self::Value, A::Error> {
                while self.0.len() < MAX {
                    match from.next_element()? {
                        Some(one) => self.0.push(one),
                        None => return Ok(Bounded(self.0)),
                    }
                }
                match from.next_element::<IgnoredAny>()? {
                    Some(_) => Err(A::Error::invalid_length(MAX + 1, &self)),
                    None => Ok(Bounded(self.0)),
                }
            }
        }
        from.deserialize_seq(List(Vec::new()))
    }
}
