//! Lines after a valid target that ask for users who cannot be.

/// The closed model.
pub(crate) const USERS: &[&str] = &[
    "load: { model: closed, connections: 5, rate: 1/s, duration: 5s }",
    "load: { model: closed, duration: 5s }",
    "load: { model: closed, connections: 5 }",
    "load: { model: closed, connections: 5, duration: 5s, ramp: 5s }",
    "load: { rate: 1/s, duration: 5s, ramp: 1s }",
    "load: { model: closed, connections: 0, requests: 5 }",
];
