//! A document as it stands in its file, whatever kind it is. The YAML library reads this and nothing else: its parser is compiled
//! anew for every type that it reads, and documents consist of a hundred.

use crate::notation::error::Source;
use crate::notation::mismatch::Mismatch;
use crate::notation::refusal::Refusal;
use crate::notation::written::{PLACED, Place};
use serde::de::value::SeqDeserializer;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde_saphyr::Spanned;
use std::fmt;

/// A value and where it stands.
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) place: Option<Place>,
}

pub(crate) enum Value {
    Null,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // An alias is read where its anchor stands, because that is the text to look at.
        let spanned = Spanned::deserialize(deserializer)?;
        Ok(Self {
            value: spanned.value,
            place: Place::new(spanned.defined),
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ValueVisitor;

        impl<'de> Visitor<'de> for ValueVisitor {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value")
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(Value::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(Value::Signed(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(Value::Unsigned(value))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(Value::Float(value))
            }

            fn visit_str<E>(self, text: &str) -> Result<Value, E> {
                Ok(Value::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
                let mut items = Vec::new();
                while let Some(item) = access.next_element()? {
                    items.push(item);
                }
                Ok(Value::List(items))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = access.next_entry()? {
                    entries.push(entry);
                }
                Ok(Value::Map(entries))
            }
        }

        deserializer.deserialize_any(ValueVisitor)
    }
}

/// Reads a node of a file as what a document expects there.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'n> {
    pub(crate) node: &'n Node,
    pub(crate) source: Source<'n>,
}

impl<'n> Reading<'n> {
    fn of(self, node: &'n Node) -> Self {
        Self { node, ..self }
    }

    fn unexpected(&self, expected: &str) -> Mismatch {
        let found = match &self.node.value {
            Value::Null => "nothing",
            Value::List(_) => "a list",
            Value::Map(_) => "a mapping",
            _ => "text",
        };
        Mismatch::new(found, expected)
    }

    fn placed<T>(self, read: Result<T, Refusal>) -> Result<T, Refusal> {
        read.map_err(|refusal| refusal.at(self.node.place))
    }
}

impl<'de> Deserializer<'de> for Reading<'_> {
    type Error = Refusal;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        self.placed(match &self.node.value {
            Value::Null => visitor.visit_unit(),
            &Value::Bool(value) => visitor.visit_bool(value),
            &Value::Signed(value) => visitor.visit_i64(value),
            &Value::Unsigned(value) => visitor.visit_u64(value),
            &Value::Float(value) => visitor.visit_f64(value),
            Value::Text(text) => visitor.visit_str(text),
            Value::List(items) => visitor.visit_seq(Items { items, of: self }),
            Value::Map(entries) => visitor.visit_map(Pairs {
                entries,
                of: self,
                value: None,
            }),
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refusal> {
        match self.node.value {
            Value::Map(_) => self.deserialize_any(visitor),
            _ => {
                let mismatch = self.unexpected("a mapping of keys to values");
                let mismatch = match keys {
                    [] => mismatch,
                    [only] => mismatch.hint(format!("its only key is `{only}`")),
                    keys => mismatch.hint(format!("its keys are {}", keys.join(", "))),
                };
                self.placed(Err(mismatch.into()))
            }
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        match self.node.value {
            Value::List(_) => self.deserialize_any(visitor),
            Value::Map(_) => {
                let hint = "write each element behind a dash and a blank, also where there is only one";
                self.placed(Err(self.unexpected("a list").hint(hint).into()))
            }
            _ => self.placed(Err(self.unexpected("a list").into())),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, Refusal> {
        if name == PLACED {
            visitor.visit_seq(PlaceThenValue { next: 0, of: self })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    /// A key is its text, even where that is a number.
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refusal> {
        let text = match &self.node.value {
            Value::Text(text) => text,
            _ => self.source.slice(self.node.place),
        };
        self.placed(visitor.visit_str(text))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct tuple tuple_struct
        map enum ignored_any
    }
}

struct Items<'n> {
    items: &'n [Node],
    of: Reading<'n>,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        let Some((item, rest)) = self.items.split_first() else {
            return Ok(None);
        };
        self.items = rest;
        seed.deserialize(self.of.of(item)).map(Some)
    }
}

struct Pairs<'n> {
    entries: &'n [(Node, Node)],
    of: Reading<'n>,
    value: Option<&'n Node>,
}

impl<'de> MapAccess<'de> for Pairs<'_> {
    type Error = Refusal;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refusal> {
        let Some(((key, value), rest)) = self.entries.split_first() else {
            return Ok(None);
        };
        self.entries = rest;
        self.value = Some(value);
        let key = self.of.of(key);
        key.placed(seed.deserialize(key)).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refusal> {
        match self.value.take() {
            Some(value) => seed.deserialize(self.of.of(value)),
            None => Err(Refusal::custom("a value before its key")),
        }
    }
}

struct PlaceThenValue<'n> {
    next: u8,
    of: Reading<'n>,
}

impl<'de> SeqAccess<'de> for PlaceThenValue<'_> {
    type Error = Refusal;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refusal> {
        self.next += 1;
        match self.next {
            1 => {
                let numbers = Place::numbers(self.of.node.place);
                seed.deserialize(SeqDeserializer::new(numbers.into_iter())).map(Some)
            }
            2 => seed.deserialize(self.of).map(Some),
            _ => Ok(None),
        }
    }
}
