//! Lines after a valid target that ask for users who cannot be.

/// The closed model, and a search in it.
pub(crate) const USERS: &[&str] = &[
    "load: { model: closed, connections: 5, rate: 1/s, duration: 5s }",
    "load: { model: closed, duration: 5s }",
    "load: { model: closed, connections: 5 }",
    "load: { model: closed, connections: 5, duration: 5s, ramp: 5s }",
    "load: { rate: 1/s, duration: 5s, ramp: 1s }",
    "load: { model: closed, connections: 0, requests: 5 }",
    "load: { model: hold, connections: 5, duration: 5s }\nconnections: { min: 5 }",
    "search: { in: people }",
    "search: { in: users, start: 50/s }",
    "search: { in: users, start: 2.5 }",
    "search: { in: users, start: 0 }",
    "search: { in: users, start: 20, max: 10 }",
    "search: { in: users, start: some }",
    "search: { in: users }\nconnections: { pipelining: 4 }",
    "search: { in: users }\nload: { model: closed, connections: 1, duration: 30s, think_time: 50s }",
];
