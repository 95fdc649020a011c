//! Building blocks of a plan's document: values that remember where they were written and are read later, when what
//! is wrong with one can be said at its place.

use crate::notation::Notation;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Location;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

/// Where a value stands in the file.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// From 1.
    pub(crate) line: usize,
    /// From 1, in characters.
    pub(crate) column: usize,
    /// First byte of the value, quotes included, and their number.
    pub(crate) bytes: Option<(usize, usize)>,
}

impl Place {
    pub(crate) fn new(location: Location) -> Option<Self> {
        if location == Location::UNKNOWN {
            return None;
        }
        let number = |value: u64| usize::try_from(value).ok();
        let span = location.span();
        Some(Self {
            line: number(location.line())?,
            column: number(location.column())?,
            bytes: span
                .byte_offset()
                .and_then(number)
                .zip(span.byte_len().and_then(number)),
        })
    }

    /// As a sequence of numbers, for [`PLACED`]: line and column, and the bytes where they are known; none for no place.
    pub(crate) fn numbers(place: Option<Self>) -> Vec<usize> {
        let Some(Self { line, column, bytes }) = place else {
            return Vec::new();
        };
        let bytes = bytes.map(|(begin, length)| [begin, length]);
        [line, column].into_iter().chain(bytes.into_iter().flatten()).collect()
    }

    fn from_numbers(numbers: &[usize]) -> Option<Self> {
        match *numbers {
            [line, column] => Some(Self {
                line,
                column,
                bytes: None,
            }),
            [line, column, begin, length] => Some(Self {
                line,
                column,
                bytes: Some((begin, length)),
            }),
            _ => None,
        }
    }
}

/// Name of the newtype that is read as the [place](Place::numbers) of a value, then the value.
pub(crate) const PLACED: &str = "a value and its place";

/// A value and its place.
#[derive(Debug)]
pub struct At<N> {
    /// The value.
    pub value: N,
    /// Where it stands; `None` where that is not known.
    pub place: Option<Place>,
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for At<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AtVisitor<N>(PhantomData<N>);

        impl<'de, N: Deserialize<'de>> Visitor<'de> for AtVisitor<N> {
            type Value = At<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(PLACED)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let none = || A::Error::invalid_length(0, &self);
                let numbers: Vec<usize> = access.next_element()?.ok_or_else(none)?;
                let value = access.next_element()?.ok_or_else(none)?;
                let place = Place::from_numbers(&numbers);
                Ok(At { value, place })
            }
        }

        deserializer.deserialize_newtype_struct(PLACED, AtVisitor(PhantomData))
    }
}

/// A key that may be left out. Unlike with an `Option`, `key: null` is something that was written.
#[derive(Debug)]
pub struct Given<N>(pub Option<N>);

impl<N> Default for Given<N> {
    fn default() -> Self {
        Self(None)
    }
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for Given<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        N::deserialize(deserializer).map(|value| Self(Some(value)))
    }
}

/// A key that may be left out and holds one scalar.
pub type Field<T> = Given<Written<T>>;

/// One scalar as it was written, to be read as a `T`.
#[derive(Debug)]
pub struct Written<T> {
    pub(crate) scalar: Scalar,
    /// Where it stands; `None` where that is not known.
    pub place: Option<Place>,
    as_type: PhantomData<T>,
}

/// The text of a scalar.
#[derive(Debug, Clone)]
pub(crate) enum Scalar {
    /// Quoted, or plain and not taken for anything else.
    Text(String),
    /// Plain, and taken for a number or a truth value: the text is what stands in the file. (The number is not it:
    /// `1.50` would become `1.5`.)
    Verbatim,
    /// `null`, `~` or nothing at all; the text is what stands in the file.
    Null,
}

impl<T> Written<T> {
    fn new(scalar: Scalar, place: Option<Place>) -> Self {
        Self {
            scalar,
            place,
            as_type: PhantomData,
        }
    }

    /// The same scalar, to be read as a text.
    pub(crate) fn to_text(&self) -> Written<String> {
        Written::new(self.scalar.clone(), self.place)
    }
}

impl<'de, T: Notation> Deserialize<'de> for Written<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let At { value, place } = At::<Shape<T, Never<T>, Never<T>>>::deserialize(deserializer)?;
        match value {
            Shape::Scalar(scalar, _) => Ok(Self::new(scalar, place)),
            Shape::List(Never::Of(never, _)) | Shape::Map(Never::Of(never, _)) => match never {},
        }
    }
}

/// One scalar, or a list of them.
#[derive(Debug)]
pub enum OneOrMany<T> {
    /// One scalar.
    One(Written<T>),
    /// A list, and where it stands.
    Many(Vec<Written<T>>, Option<Place>),
}

impl<'de, T: Notation> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let At { value, place } = At::<Shape<T, Vec<Written<T>>, Never<T>>>::deserialize(deserializer)?;
        match value {
            Shape::Scalar(scalar, _) => Ok(Self::One(Written::new(scalar, place))),
            Shape::List(items) => Ok(Self::Many(items, place)),
            Shape::Map(Never::Of(never, _)) => match never {},
        }
    }
}

/// A mapping, or one scalar that stands for the usual one.
#[derive(Debug)]
pub(crate) enum ShortOr<T, N> {
    Short(Written<T>),
    Full(At<N>),
}

impl<'de, T: Notation, N: Deserialize<'de>> Deserialize<'de> for ShortOr<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let At { value, place } = At::<Shape<T, Never<T>, N>>::deserialize(deserializer)?;
        match value {
            Shape::Scalar(scalar, _) => Ok(Self::Short(Written::new(scalar, place))),
            Shape::Map(value) => Ok(Self::Full(At { value, place })),
            Shape::List(Never::Of(never, _)) => match never {},
        }
    }
}

/// The entries of a mapping with free keys, in order.
#[derive(Debug)]
pub struct Entries<N>(pub Vec<(Written<String>, N)>);

impl<'de, N: Deserialize<'de>> Deserialize<'de> for Entries<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct EntriesVisitor<N>(PhantomData<N>);

        impl<'de, N: Deserialize<'de>> Visitor<'de> for EntriesVisitor<N> {
            type Value = Entries<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a mapping of names to values")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = access.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_any(EntriesVisitor(PhantomData))
    }
}

/// What was written where a `T` is expected: a scalar, or a list or a mapping where that is allowed.
enum Shape<T, L, M> {
    Scalar(Scalar, PhantomData<T>),
    List(L),
    Map(M),
}

impl<'de, T: Notation, L: Deserialize<'de>, M: Deserialize<'de>> Deserialize<'de> for Shape<T, L, M> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ShapeVisitor<T, L, M>(PhantomData<(T, L, M)>);

        impl<'de, T: Notation, L: Deserialize<'de>, M: Deserialize<'de>> Visitor<'de> for ShapeVisitor<T, L, M> {
            type Value = Shape<T, L, M>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }

            fn visit_unit<E>(self) -> Result<Self::Value, E> {
                Ok(Shape::Scalar(Scalar::Null, PhantomData))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Self::Value, E> {
                Ok(Shape::Scalar(Scalar::Verbatim, PhantomData))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Self::Value, E> {
                Ok(Shape::Scalar(Scalar::Verbatim, PhantomData))
            }

            fn visit_u64<E>(self, _: u64) -> Result<Self::Value, E> {
                Ok(Shape::Scalar(Scalar::Verbatim, PhantomData))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Self::Value, E> {
                Ok(Shape::Scalar(Scalar::Verbatim, PhantomData))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Shape::Scalar(Scalar::Text(text.to_owned()), PhantomData))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
                L::deserialize(SeqAccessDeserializer::new(access)).map(Shape::List)
            }

            fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<Self::Value, A::Error> {
                M::deserialize(MapAccessDeserializer::new(access)).map(Shape::Map)
            }
        }

        deserializer.deserialize_any(ShapeVisitor(PhantomData))
    }
}

/// A shape that is not allowed where a `T` is expected.
enum Never<T> {
    #[expect(dead_code, reason = "never made: reading one always fails")]
    Of(std::convert::Infallible, PhantomData<T>),
}

impl<'de, T: Notation> Deserialize<'de> for Never<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Refuse<T>(PhantomData<T>);

        impl<T: Notation> Visitor<'_> for Refuse<T> {
            type Value = Never<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(T::EXPECTED)
            }
        }

        deserializer.deserialize_any(Refuse(PhantomData))
    }
}

impl<N: JsonSchema> JsonSchema for At<N> {
    fn inline_schema() -> bool {
        N::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        N::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        N::json_schema(generator)
    }
}

impl<N: JsonSchema> JsonSchema for Given<N> {
    fn inline_schema() -> bool {
        N::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        N::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        N::json_schema(generator)
    }
}

impl<T: Notation> JsonSchema for Written<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Written".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        T::schema()
    }
}

impl<T: Notation> JsonSchema for OneOrMany<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "OneOrMany".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [T::schema(), { "type": "array", "items": T::schema() }] })
    }
}

impl<T: Notation, N: JsonSchema> JsonSchema for ShortOr<T, N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ShortOr".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "anyOf": [T::schema(), generator.subschema_for::<N>()] })
    }
}

impl<N: JsonSchema> JsonSchema for Entries<N> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Entries".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "additionalProperties": generator.subschema_for::<N>() })
    }
}
