//! What asks for users who cannot be: lines after a valid target, and whole plans.

mod journeys;
mod stand_ins;
mod web_sockets;

pub(crate) use journeys::JOURNEYS;
pub(crate) use stand_ins::STAND_INS;
pub(crate) use web_sockets::WEB_SOCKETS;

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
    "search: { in: connections }",
    "search: { in: connections, start: 50/s }\nload: { model: hold }",
    "objectives: [held >= 99%]",
    "objectives: [message p99 <= 1s]\nload: { model: hold }",
];

/// Plans whose journeys are in order, and do not fit the rest.
pub(super) const AROUND_JOURNEYS: &[&str] = &[
    "target: http://h/\nscenario: { requests: [{}], JOURNEYS }\n",
    "target: http://h/\nscenario: { JOURNEYS, actions: [repeat: { every: 1s, actions: [request: { path: '/${message}' }] }] }\n",
    "target: http://h/\nscenario: { JOURNEYS }\nload: { model: hold, connections: 5, duration: 5s }\n",
    "target: http://h/\nscenario: { JOURNEYS }\nconnections: { pipelining: 2 }\n",
    "target: http://h/\nconnections: { per_user: true }\n",
    "target: http://h/\nscenario: { JOURNEYS }\nconnections: { per_user: true, keep_alive: false }\n",
    "target: http://h/\nscenario: { JOURNEYS }\nconnections: { per_user: true, min: 5 }\n",
    "target: { url: http://h/, http: 2 }\nscenario: { JOURNEYS }\nconnections: { per_user: true, streams: 2 }\n",
    "target: http://h/\nscenario: { journeys: [] }\n",
    "target: http://h/\nscenario: { before: [once: { actions: [request: {}] }], requests: [{}] }\n",
    "target: http://h/\nscenario: { variables: { a: { uuid: 4 } }, requests: [path: '/${a}'] }\n",
    "target: http://h/\nscenario: { variables: { a: { uuid: random, to: 9 } }, requests: [path: '/${a}'] }\n",
    "target: http://h/\nscenario: { variables: { a: { to: 9, order: backwards } }, requests: [path: '/${a}'] }\n",
    "target: http://h/\nscenario: { variables: { a: { values: ['a b', c], order: shuffled } }, requests: [path: '/${a}'] }\n",
    "target: http://h/\nscenario: { journeys: [{ name: a }] }\n",
    "target: http://h/\nscenario: { journeys: [{ weight: 0, actions: [request: { path: / }] }] }\n",
    "target: http://h/\nscenario: { journeys: [{ weight: 10001, actions: [request: { path: / }] }] }\n",
    "target: http://h/\nscenario: { journeys: [{ name: a, actions: [request: { path: / }] }, { name: a, actions: [request: { path: /b }] }] }\n",
    "target: http://h/\nscenario: { journeys: [{ actions: [request: { name: a }, request: { name: a, path: /b }] }] }\n",
    "target: http://h/\nscenario: { before: [], JOURNEYS }\n",
    "target: http://h/\nscenario: { before: [pause: 1s], JOURNEYS }\n",
    "target: http://h/\nscenario: { before: [request: { path: /b }], journeys: [{ actions: [request: { path: '/${key}' }] }] }\n",
    "target: http://h/\nscenario: { before: [chance: { of: 50%, actions: [request: { path: /b, take: { key: { header: a } } }] }], requests: [{ path: '/${key}' }] }\n",
    "target: http://h/\nscenario: { before: [request: { path: /b, take: { key: { header: a } } }], journeys: [{ actions: [request: { path: /, take: { key: { header: b } } }] }] }\n",
    "target: http://h/\nscenario: { after: [request: { path: '/${key}' }], journeys: [{ actions: [request: { path: /, take: { key: { header: b } } }] }] }\n",
    "target: ws://h/\nscenario: { before: [request: { path: /b }] , requests: [{}] }\nload: { model: hold, connections: 5, duration: 5s }\n",
];

/// Keys of a call whose `.proto` file defines `shop.Cart` with the methods `Add` and `Watch`.
pub(super) const CALLS: &[&str] = &[
    "call: shop.Cart.Add",
    "call: Cart/Add",
    "call: shop.Cart/Ad",
    "call: shop.Cart/Watch",
    "call: shop.Cart/Add, message: { nam: tea }",
    "call: shop.Cart/Add, message: { id: '${usr}' }",
    "call: shop.Cart/Add, message: { id: '${colour}' }",
    "call: shop.Cart/Add, message: { id: '${many} ${user}' }",
    "call: shop.Cart/Add, message: {}, message_base64: CAE=",
];
