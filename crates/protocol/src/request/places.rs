//! Where variables stand in a request, and which values may stand there.

use super::invalid::{InvalidRequest, check_header_value, check_target};
use super::parts::{RequestParts, literals, variables};

/// Where variables stand in the head of a request. In a body anything may stand.
#[derive(Debug, Clone)]
pub(crate) struct Places(Vec<(usize, Place)>);

#[derive(Debug, Clone)]
enum Place {
    Target {
        /// There are no literals beside the variable.
        alone: bool,
    },
    /// The value of the header with this name.
    Header(String),
}

impl Places {
    pub(crate) fn of(request: &RequestParts<'_>) -> Self {
        let alone = literals(request.target).all(<[u8]>::is_empty);
        let in_target = variables(request.target).map(|variable| (variable, Place::Target { alone }));
        let in_headers = request.headers.iter().flat_map(|&(name, value)| {
            variables(value).map(move |variable| (variable, Place::Header(name.to_owned())))
        });
        Self(in_target.chain(in_headers).collect())
    }

    /// Whether `value` may stand for `variable` wherever that stands.
    pub(crate) fn check_value(&self, variable: usize, value: &[u8]) -> Result<(), InvalidRequest> {
        let places = self.0.iter().filter(|(used, _)| *used == variable);
        places.map(|(_, place)| place).try_for_each(|place| match place {
            Place::Target { alone: true } if value.is_empty() => Err(InvalidRequest::EmptyTarget),
            Place::Target { .. } => check_target(value),
            Place::Header(name) => check_header_value(name, value),
        })
    }
}
