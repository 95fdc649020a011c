//! Why requests fail, and how often they did.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a request failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorClass {
    /// The port refused the connection.
    Refused,
    /// No route, host or network down, or another failure to connect.
    Unreachable,
    /// No connection within the connect timeout.
    ConnectTimeout,
    /// The TLS handshake failed, or the session that it began.
    Tls,
    /// The connection ended before the whole response was there.
    Reset,
    /// The service gave up one request, and its connection went on.
    StreamReset,
    /// The service ended a held connection in order; a WebSocket with the code 1000 or 1001, or without one.
    Closed,
    /// No whole response within the response timeout.
    ResponseTimeout,
    /// The response was not valid HTTP.
    Malformed,
    /// The status was not an expected one.
    Status,
    /// A redirect that was to be followed led away from the service, or on and on.
    NotFollowed,
    /// A response was not what a journey checks.
    Check,
    /// A response had no value that a journey takes, or one that cannot be sent where it is to stand.
    Take,
    /// The response to a call of gRPC ended without a status.
    GrpcNoStatus,
    /// A call of gRPC ended with the status CANCELLED.
    GrpcCancelled,
    /// A call of gRPC ended with the status UNKNOWN.
    GrpcUnknown,
    /// A call of gRPC ended with the status INVALID_ARGUMENT.
    GrpcInvalidArgument,
    /// A call of gRPC ended with the status DEADLINE_EXCEEDED.
    GrpcDeadlineExceeded,
    /// A call of gRPC ended with the status NOT_FOUND.
    GrpcNotFound,
    /// A call of gRPC ended with the status ALREADY_EXISTS.
    GrpcAlreadyExists,
    /// A call of gRPC ended with the status PERMISSION_DENIED.
    GrpcPermissionDenied,
    /// A call of gRPC ended with the status RESOURCE_EXHAUSTED.
    GrpcResourceExhausted,
    /// A call of gRPC ended with the status FAILED_PRECONDITION.
    GrpcFailedPrecondition,
    /// A call of gRPC ended with the status ABORTED.
    GrpcAborted,
    /// A call of gRPC ended with the status OUT_OF_RANGE.
    GrpcOutOfRange,
    /// A call of gRPC ended with the status UNIMPLEMENTED.
    GrpcUnimplemented,
    /// A call of gRPC ended with the status INTERNAL.
    GrpcInternal,
    /// A call of gRPC ended with the status UNAVAILABLE.
    GrpcUnavailable,
    /// A call of gRPC ended with the status DATA_LOSS.
    GrpcDataLoss,
    /// A call of gRPC ended with the status UNAUTHENTICATED.
    GrpcUnauthenticated,
    /// The service closed a WebSocket with the code 1002, protocol error.
    CloseProtocolError,
    /// The service closed a WebSocket with the code 1003, unsupported data.
    CloseUnsupportedData,
    /// The service closed a WebSocket with the code 1007, invalid payload.
    CloseInvalidPayload,
    /// The service closed a WebSocket with the code 1008, policy violation.
    ClosePolicyViolation,
    /// The service closed a WebSocket with the code 1009, message too big.
    CloseTooBig,
    /// The service closed a WebSocket with the code 1011, internal error.
    CloseInternalError,
    /// The service closed a WebSocket with the code 1012, service restart.
    CloseServiceRestart,
    /// The service closed a WebSocket with the code 1013, try again later.
    CloseTryAgainLater,
    /// The service closed a WebSocket with a code from 3000 to 4999, which services and libraries define.
    ClosePrivate,
    /// The service closed a WebSocket with a code that has no class of its own.
    CloseOther,
    /// The service refused a client of Socket.IO its namespace (CONNECT_ERROR).
    NotAdmitted,
    /// The generator had no local port left.
    NoPort,
    /// The generator had no descriptor left.
    NoDescriptor,
}

impl ErrorClass {
    /// Every class, in the order of [`ErrorCounts`].
    pub const ALL: [Self; 43] = [
        Self::Refused,
        Self::Unreachable,
        Self::ConnectTimeout,
        Self::Tls,
        Self::Reset,
        Self::StreamReset,
        Self::Closed,
        Self::ResponseTimeout,
        Self::Malformed,
        Self::Status,
        Self::NotFollowed,
        Self::Check,
        Self::Take,
        Self::GrpcNoStatus,
        Self::GrpcCancelled,
        Self::GrpcUnknown,
        Self::GrpcInvalidArgument,
        Self::GrpcDeadlineExceeded,
        Self::GrpcNotFound,
        Self::GrpcAlreadyExists,
        Self::GrpcPermissionDenied,
        Self::GrpcResourceExhausted,
        Self::GrpcFailedPrecondition,
        Self::GrpcAborted,
        Self::GrpcOutOfRange,
        Self::GrpcUnimplemented,
        Self::GrpcInternal,
        Self::GrpcUnavailable,
        Self::GrpcDataLoss,
        Self::GrpcUnauthenticated,
        Self::CloseProtocolError,
        Self::CloseUnsupportedData,
        Self::CloseInvalidPayload,
        Self::ClosePolicyViolation,
        Self::CloseTooBig,
        Self::CloseInternalError,
        Self::CloseServiceRestart,
        Self::CloseTryAgainLater,
        Self::ClosePrivate,
        Self::CloseOther,
        Self::NotAdmitted,
        Self::NoPort,
        Self::NoDescriptor,
    ];

    /// Name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::ConnectTimeout => "connect_timeout",
            Self::Tls => "tls",
            Self::Reset => "reset",
            Self::StreamReset => "stream_reset",
            Self::Closed => "closed",
            Self::ResponseTimeout => "response_timeout",
            Self::Malformed => "malformed",
            Self::Status => "status",
            Self::NotFollowed => "not_followed",
            Self::Check => "check",
            Self::Take => "take",
            Self::GrpcNoStatus => "grpc_no_status",
            Self::GrpcCancelled => "grpc_cancelled",
            Self::GrpcUnknown => "grpc_unknown",
            Self::GrpcInvalidArgument => "grpc_invalid_argument",
            Self::GrpcDeadlineExceeded => "grpc_deadline_exceeded",
            Self::GrpcNotFound => "grpc_not_found",
            Self::GrpcAlreadyExists => "grpc_already_exists",
            Self::GrpcPermissionDenied => "grpc_permission_denied",
            Self::GrpcResourceExhausted => "grpc_resource_exhausted",
            Self::GrpcFailedPrecondition => "grpc_failed_precondition",
            Self::GrpcAborted => "grpc_aborted",
            Self::GrpcOutOfRange => "grpc_out_of_range",
            Self::GrpcUnimplemented => "grpc_unimplemented",
            Self::GrpcInternal => "grpc_internal",
            Self::GrpcUnavailable => "grpc_unavailable",
            Self::GrpcDataLoss => "grpc_data_loss",
            Self::GrpcUnauthenticated => "grpc_unauthenticated",
            Self::CloseProtocolError => "close_protocol_error",
            Self::CloseUnsupportedData => "close_unsupported_data",
            Self::CloseInvalidPayload => "close_invalid_payload",
            Self::ClosePolicyViolation => "close_policy_violation",
            Self::CloseTooBig => "close_too_big",
            Self::CloseInternalError => "close_internal_error",
            Self::CloseServiceRestart => "close_service_restart",
            Self::CloseTryAgainLater => "close_try_again_later",
            Self::ClosePrivate => "close_private",
            Self::CloseOther => "close_other",
            Self::NotAdmitted => "not_admitted",
            Self::NoPort => "no_port",
            Self::NoDescriptor => "no_descriptor",
        }
    }

    /// The class of a `grpc-status` other than 0. One that gRPC does not know is taken for UNKNOWN.
    #[must_use]
    pub fn of_grpc(code: u32) -> Self {
        // In the order of their codes, from 1 on.
        let known = &Self::ALL[Self::GrpcCancelled as usize..=Self::GrpcUnauthenticated as usize];
        let place = code.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        let class = place.and_then(|place| known.get(place));
        class.copied().unwrap_or(Self::GrpcUnknown)
    }

    /// The class of the code with which a service closed a WebSocket (RFC 6455, section 7.4); `None` where it gave none.
    #[must_use]
    pub const fn of_close(code: Option<u16>) -> Self {
        match code {
            None | Some(1000 | 1001) => Self::Closed,
            Some(1002) => Self::CloseProtocolError,
            Some(1003) => Self::CloseUnsupportedData,
            Some(1007) => Self::CloseInvalidPayload,
            Some(1008) => Self::ClosePolicyViolation,
            Some(1009) => Self::CloseTooBig,
            Some(1011) => Self::CloseInternalError,
            Some(1012) => Self::CloseServiceRestart,
            Some(1013) => Self::CloseTryAgainLater,
            Some(3000..=4999) => Self::ClosePrivate,
            Some(_) => Self::CloseOther,
        }
    }

    /// Whether the generator is to blame, not the service.
    #[must_use]
    pub const fn is_generators_own(self) -> bool {
        matches!(self, Self::NoPort | Self::NoDescriptor)
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Failures by class. In JSON an object that leaves out the zeros.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorCounts([u64; ErrorClass::ALL.len()]);

impl Default for ErrorCounts {
    fn default() -> Self {
        Self([0; ErrorClass::ALL.len()])
    }
}

impl ErrorCounts {
    /// Counts one failure.
    pub fn add(&mut self, class: ErrorClass, count: u64) {
        self.0[class as usize] = self.0[class as usize].saturating_add(count);
    }

    /// Failures of one class.
    #[must_use]
    pub fn get(&self, class: ErrorClass) -> u64 {
        self.0[class as usize]
    }

    /// Whether none failed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&count| count == 0)
    }

    /// Failures of all classes.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }

    /// Classes that occurred, with their counts.
    pub fn iter(&self) -> impl Iterator<Item = (ErrorClass, u64)> + '_ {
        ErrorClass::ALL.into_iter().zip(self.0).filter(|&(_, count)| count > 0)
    }

    /// Adds `other`.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            *mine = mine.saturating_add(theirs);
        }
    }
}

impl Serialize for ErrorCounts {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for ErrorCounts {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = std::collections::HashMap::<ErrorClass, u64>::deserialize(deserializer)?;
        let mut counts = Self::default();
        for (class, count) in map {
            counts.add(class, count);
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_has_the_place_and_the_name_that_it_has_in_json() {
        for (place, class) in ErrorClass::ALL.into_iter().enumerate() {
            assert_eq!(class as usize, place);
            let json = serde_json::to_string(&class).expect("a name");
            assert_eq!(json, format!("\"{class}\""));
        }
    }

    #[test]
    fn codes_of_closed_web_sockets_have_classes() {
        for (code, class) in [
            (None, ErrorClass::Closed),
            (Some(1000), ErrorClass::Closed),
            (Some(1008), ErrorClass::ClosePolicyViolation),
            (Some(1014), ErrorClass::CloseOther),
            (Some(4001), ErrorClass::ClosePrivate),
        ] {
            assert_eq!(ErrorClass::of_close(code), class, "{code:?}");
        }
    }

    #[test]
    fn each_status_of_grpc_has_a_class() {
        for (code, class) in [
            (1, ErrorClass::GrpcCancelled),
            (5, ErrorClass::GrpcNotFound),
            (14, ErrorClass::GrpcUnavailable),
            (16, ErrorClass::GrpcUnauthenticated),
            (0, ErrorClass::GrpcUnknown),
            (17, ErrorClass::GrpcUnknown),
            (u32::MAX, ErrorClass::GrpcUnknown),
        ] {
            assert_eq!(ErrorClass::of_grpc(code), class, "{code}");
        }
    }
}
