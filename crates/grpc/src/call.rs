//! A method of a service, and messages for it.

use crate::schema::Schema;
use prost_reflect::prost::Message as _;
use prost_reflect::{DynamicMessage, MessageDescriptor, MethodDescriptor};

/// A method with one request and one response.
#[derive(Debug, Clone)]
pub struct Call {
    path: String,
    input: MessageDescriptor,
}

/// Why a method cannot be called.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// It is not written as a method is.
    #[error("it has no `/` between service and method")]
    Form,
    /// No such service.
    #[error("the file defines no service `{service}`")]
    NoService {
        /// Its name.
        service: String,
        /// Those that there are.
        others: Vec<String>,
    },
    /// The service has no such method.
    #[error("`{service}` has no method `{method}`")]
    NoMethod {
        /// Full name of the service.
        service: String,
        /// Name of the method.
        method: String,
        /// Those that it has.
        others: Vec<String>,
    },
    /// Several requests, or several responses.
    #[error("`{call}` {streams}, and only calls with one request and one response are made")]
    Streams {
        /// The call.
        call: String,
        /// Which of them it streams.
        streams: &'static str,
    },
}

/// Why JSON is no message. The text says what is wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MessageError(String);

impl Schema {
    /// A call by its name, such as `shop.Cart/Get`.
    ///
    /// # Errors
    /// When it is not defined, or streams.
    pub fn call(&self, name: &str) -> Result<Call, CallError> {
        let (service, method) = name.split_once('/').ok_or(CallError::Form)?;
        let found = self.pool.get_service_by_name(service);
        let found = found.ok_or_else(|| CallError::NoService {
            service: service.to_owned(),
            others: self.services.clone(),
        })?;
        let methods = || found.methods();
        let found = methods().find(|known| known.name() == method);
        let found = found.ok_or_else(|| CallError::NoMethod {
            service: service.to_owned(),
            method: method.to_owned(),
            others: methods().map(|known| known.name().to_owned()).collect(),
        })?;
        match streams(&found) {
            Some(streams) => Err(CallError::Streams {
                call: name.to_owned(),
                streams,
            }),
            None => Ok(Call {
                path: format!("/{name}"),
                input: found.input(),
            }),
        }
    }
}

fn streams(method: &MethodDescriptor) -> Option<&'static str> {
    match (method.is_client_streaming(), method.is_server_streaming()) {
        (false, false) => None,
        (true, false) => Some("streams requests"),
        (false, true) => Some("streams responses"),
        (true, true) => Some("streams requests and responses"),
    }
}

impl Call {
    /// Path that it is sent to.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Full name of its message.
    #[must_use]
    pub fn message_name(&self) -> &str {
        self.input.full_name()
    }

    /// A message as it is sent, behind its length: from JSON as protobuf maps it
    /// ([ProtoJSON](https://protobuf.dev/programming-guides/json/)).
    ///
    /// # Errors
    /// When the JSON does not fit.
    pub fn encode(&self, message: &serde_json::Value) -> Result<Vec<u8>, MessageError> {
        let message = DynamicMessage::deserialize(self.input.clone(), message);
        let message = message.map_err(|error| MessageError(error.to_string()))?;
        let mut bytes = vec![0; PREFIX_BYTES];
        message
            .encode(&mut bytes)
            .map_err(|error| MessageError(error.to_string()))?;
        let length = u32::try_from(bytes.len() - PREFIX_BYTES).map_err(|error| MessageError(error.to_string()))?;
        bytes[1..PREFIX_BYTES].copy_from_slice(&length.to_be_bytes());
        Ok(bytes)
    }
}

/// In front of each message: that it is not compressed, and its length.
const PREFIX_BYTES: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use std::path::Path;

    const PROTO: &str = r#"
        syntax = "proto3";
        package shop;
        enum Kind { ANY = 0; BOOK = 2; }
        message Item { string name = 1; sint64 price = 2; bytes image = 3; Kind kind = 4; repeated uint32 sizes = 5; }
        service Cart {
          rpc Add(Item) returns (Item);
          rpc Watch(Item) returns (stream Item);
          rpc Fill(stream Item) returns (Item);
          rpc Talk(stream Item) returns (stream Item);
        }
        service Till {}
    "#;

    fn schema() -> Schema {
        Schema::read(Path::new("shop.proto"), &[], &|_| Ok(PROTO.as_bytes().to_vec())).expect("a valid file")
    }

    #[test]
    fn a_message_is_encoded_behind_its_length() {
        let call = schema().call("shop.Cart/Add").expect("a call");
        assert_eq!((call.path(), call.message_name()), ("/shop.Cart/Add", "shop.Item"));
        let message = json!({ "name": "ab", "price": "-3", "image": "/w==", "kind": "BOOK", "sizes": [1, 300] });
        // By hand, from https://protobuf.dev/programming-guides/encoding/.
        let encoded = b"\x0a\x02ab\x10\x05\x1a\x01\xff\x20\x02\x2a\x03\x01\xac\x02";
        let mut expected = vec![0, 0, 0, 0, encoded.len() as u8];
        expected.extend_from_slice(encoded);
        assert_eq!(call.encode(&message), Ok(expected));
        assert_eq!(call.encode(&json!({})), Ok(vec![0; 5]));
    }

    #[test]
    fn json_that_does_not_fit_is_said() {
        let call = schema().call("shop.Cart/Add").expect("a call");
        for (message, said) in [
            (json!({ "nam": "a" }), "unrecognized field name 'nam'"),
            (json!({ "price": "x" }), "invalid digit found in string"),
            (json!({ "kind": "CAR" }), "unrecognized enum value 'CAR'"),
            (json!([]), "invalid type: sequence, expected a map"),
        ] {
            let error = call.encode(&message).expect_err("it does not fit").to_string();
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn calls_that_are_not_made_are_said() {
        let error = |name: &str| schema().call(name).expect_err(name);
        assert_eq!(error("shop.Cart.Add"), CallError::Form);
        let others = vec!["shop.Cart".to_owned(), "shop.Till".to_owned()];
        let service = "Cart".to_owned();
        assert_eq!(error("Cart/Add"), CallError::NoService { service, others });
        assert_eq!(error("shop.Cart/add").to_string(), "`shop.Cart` has no method `add`");
        for (name, streams) in [
            ("shop.Cart/Watch", "streams responses"),
            ("shop.Cart/Fill", "streams requests"),
            ("shop.Cart/Talk", "streams requests and responses"),
        ] {
            let said = format!("`{name}` {streams}, and only calls with one request and one response are made");
            assert_eq!(error(name).to_string(), said);
        }
    }
}
