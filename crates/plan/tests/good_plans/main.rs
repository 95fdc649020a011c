//! Plans that are read, and what they become.

mod actions_and_calls;
mod journeys;
mod made;
mod secrets;
mod tables;

use insta::assert_snapshot;
use plimsoll_plan::{Plan, PlanError};

/// What `text` becomes, as JSON. Every plan that is read must also read back from what is printed of it, secrets
/// hidden or not.
#[track_caller]
fn read(text: &str) -> String {
    let files = |path: &std::path::Path, _| match path.to_str() {
        Some("/plans/body.bin") => Ok(vec![0, 255, b'$', b'{']),
        Some("/plans/protos/cart.proto") => Ok(CART.as_bytes().to_vec()),
        Some("/plans/body.txt") => Ok(b"not ${filled} in".to_vec()),
        _ => Err(std::io::Error::new(std::io::ErrorKind::NotFound, "no such file")),
    };
    let plan = valid(Plan::parse_with(text, "/plans/example.yaml", &files, &|_| None));
    let json = plan.to_json();
    assert_eq!(valid(Plan::parse_saved(&json, "plan.json")), plan);
    let redacted = plan.to_json_redacted();
    assert_eq!(
        valid(Plan::parse_saved(&redacted, "plan.json")).to_json_redacted(),
        redacted
    );
    json
}

const CART: &str = r#"
    syntax = "proto3";
    package shop;
    import "google/protobuf/empty.proto";
    message Item { uint64 id = 1; string name = 2; }
    service Cart { rpc Add(Item) returns (google.protobuf.Empty); rpc Watch(Item) returns (stream Item); }
"#;

#[track_caller]
fn valid(plan: Result<Plan, PlanError>) -> Plan {
    plan.unwrap_or_else(|error| panic!("{error}"))
}

/// The value of `key` in what `text` becomes.
#[track_caller]
fn read_key(key: &str, text: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(&read(text)).expect("JSON");
    let value = key.split('.').fold(&json, |value, key| match key.parse::<usize>() {
        Ok(index) => &value[index],
        Err(_) => &value[key],
    });
    value.to_string()
}

#[test]
fn the_shortest_plan() {
    assert_snapshot!(read("target: http://127.0.0.1:3000\n"), @r#"
    {
      "name": "example",
      "seed": 0,
      "target": {
        "url": "http://127.0.0.1:3000/"
      },
      "objectives": [
        "p99 <= 100ms",
        "errors = 0"
      ],
      "judging": {
        "window": "1s",
        "passing_windows": "90%",
        "warm_up": "2s"
      },
      "scenario": {
        "variables": {},
        "requests": [
          {
            "name": "GET /",
            "weight": 1,
            "method": "GET",
            "path": "/",
            "expect": {
              "status": [
                "200-399"
              ]
            }
          }
        ]
      },
      "load": {
        "model": "open",
        "rate": "100/s",
        "duration": "30s",
        "arrivals": "even"
      },
      "search": {
        "in": "rate",
        "start": "100/s",
        "max": "1000000/s",
        "bracket": "5%",
        "budget": "90s",
        "step": "5s"
      },
      "sizing": {
        "headroom": "30%"
      },
      "connections": {
        "max": 256,
        "keep_alive": true,
        "pipelining": 1,
        "connect_timeout": "5s",
        "response_timeout": "10s"
      }
    }
    "#);
}

#[test]
fn a_plan_with_every_key() {
    assert_snapshot!(read(include_str!("../every_key.yaml")), @r#"
    {
      "name": "profile, warm path",
      "seed": 42,
      "target": {
        "url": "https://127.0.0.1:3000/",
        "resolve": [
          "127.0.0.1:3000:127.0.0.2,[::1]"
        ],
        "proxy": "http://me:p%40ss@127.0.0.1:3128",
        "cpus": "0,2-3",
        "auth": {
          "basic": {
            "user": "me",
            "password": "p@ss word"
          }
        },
        "http": "2",
        "tls": {
          "ca": "/plans/ca.pem",
          "cert": "/plans/client.pem",
          "key": "/plans/client.key",
          "server_name": "profile.example",
          "insecure": false,
          "resume": false,
          "versions": "1.3"
        },
        "beside": [
          {
            "name": "redis",
            "cpus": "1",
            "command": [
              "redis-server",
              "--port",
              "6390"
            ],
            "env": {
              "TZ": "UTC"
            },
            "working_dir": "/srv/redis",
            "ready": {
              "port": 6390,
              "timeout": "5s"
            },
            "stop_grace": "2s",
            "limits": {
              "memory": "64MiB"
            }
          },
          {
            "name": "store",
            "command": [
              "node",
              "store.js"
            ],
            "ready": {
              "url": "http://127.0.0.1:4000/health",
              "timeout": "30s"
            },
            "stop_grace": "5s"
          },
          {
            "name": "queue",
            "command": [
              "./queue"
            ],
            "ready": {
              "line": "listening",
              "timeout": "30s"
            },
            "stop_grace": "5s"
          },
          {
            "name": "prices",
            "cpus": "1",
            "stand_in": {
              "port": 4100,
              "responses": [
                {
                  "method": "GET",
                  "path": "/prices/*",
                  "response_time": {
                    "from": "1ms",
                    "p50": "3ms",
                    "p75": "4ms",
                    "p90": "9ms",
                    "p95": "20ms",
                    "p99": "40ms",
                    "p99.9": "80ms",
                    "to": "120ms"
                  },
                  "status": 201,
                  "errors": "1%",
                  "headers": {
                    "etag": "\"7\"",
                    "content-type": "application/json"
                  },
                  "body": "{\"cents\":700}"
                },
                {
                  "response_time": {
                    "run": "/plans/../runs/prices",
                    "request": "read"
                  },
                  "status": 200,
                  "errors": "0%",
                  "size": {
                    "from": "1KiB",
                    "to": "4KiB"
                  }
                },
                {
                  "path": "/text",
                  "response_time": {
                    "from": "5ms",
                    "to": "5ms"
                  },
                  "status": 200,
                  "errors": "0%",
                  "body": "sold out"
                },
                {
                  "path": "/bytes",
                  "response_time": {
                    "from": "5ms",
                    "to": "5ms"
                  },
                  "status": 200,
                  "errors": "0%",
                  "body_base64": "AAEC"
                }
              ]
            }
          }
        ],
        "command": [
          "node",
          "services/profile/src/server.js"
        ],
        "env": {
          "PORT": "3000",
          "NODE_ENV": "production"
        },
        "working_dir": "/srv/profile",
        "ready": {
          "timeout": "10s",
          "path": "/health/ready"
        },
        "stdout": "pipe",
        "stop_grace": "3s",
        "limits": {
          "cpu": "0.5",
          "memory": "512MiB",
          "pids": 100
        }
      },
      "objectives": [
        "cpu <= 70%",
        "p99.9 <= 100ms",
        "max <= 1000ms",
        "errors <= 0.1%",
        "rate >= 99%",
        "handshake p99 <= 20ms"
      ],
      "judging": {
        "window": "500ms",
        "passing_windows": "95%",
        "warm_up": "3s"
      },
      "scenario": {
        "variables": {
          "user": {
            "from": 1,
            "to": 1000
          },
          "colour": {
            "values": [
              "red",
              "green"
            ]
          }
        },
        "requests": [
          {
            "name": "change profile",
            "weight": 3,
            "method": "PUT",
            "path": "/api/profiles/${user}?colour=${colour}",
            "headers": {
              "authorization": "Bearer ${user}",
              "accept": [
                "text/plain",
                "text/html"
              ],
              "content-type": "application/json"
            },
            "body": "{\"id\":${user},\"tags\":[\"${colour}\",1]}",
            "expect": {
              "status": [
                "200",
                "204"
              ]
            }
          },
          {
            "name": "GET /api/profiles/${user}",
            "weight": 1,
            "method": "GET",
            "path": "/api/profiles/${user}",
            "headers": {
              "authorization": "Basic bWU6cEBzcyB3b3Jk"
            },
            "expect": {
              "status": [
                "200-399"
              ]
            }
          }
        ]
      },
      "load": {
        "model": "open",
        "rate": "1000/s",
        "duration": "30s",
        "arrivals": "poisson"
      },
      "search": {
        "in": "rate",
        "start": "200/s",
        "max": "50000/s",
        "bracket": "2.5%",
        "budget": "2m",
        "step": "4s"
      },
      "sizing": {
        "demand": "30000/s",
        "headroom": "25%",
        "price": "0.12 EUR/h"
      },
      "connections": {
        "max": 64,
        "keep_alive": true,
        "pipelining": 1,
        "min": 8,
        "streams": 50,
        "connect_timeout": "1s",
        "response_timeout": "2s"
      },
      "fleet": {
        "url": "tls://run:hunter2@broker.example:4222",
        "key": "/plans/keys/run.key",
        "agents": 4,
        "min_agents": 3
      }
    }
    "#);
}

#[test]
fn json_is_a_plan_too() {
    assert_snapshot!(
        read_key("load", r#"{"target": "http://h/", "load": {"rate": 1.5, "duration": "30s", "arrivals": "poisson"}}"#),
        @r#"{"model":"open","rate":"1.5/s","duration":"30s","arrivals":"poisson"}"#
    );
}

#[test]
fn the_path_of_the_url_stands_before_the_paths_of_requests() {
    let path = |url: &str, path: &str| {
        read_key(
            "scenario.requests.0.path",
            &format!("target: {url}\nscenario: {{ requests: [{{ {path} }}] }}\n"),
        )
    };
    assert_snapshot!(path("http://h/api/", "path: /x"), @r#""/api/x""#);
    assert_snapshot!(path("http://h/api", "path: /x?y=1"), @r#""/api/x?y=1""#);
    assert_snapshot!(path("http://h/api?y=1", "method: PUT"), @r#""/api?y=1""#);
}

#[test]
fn loads() {
    let load = |load: &str| read_key("load", &format!("target: http://h/\nload: {load}\n"));
    assert_snapshot!(load("{ rate: 60/min, duration: 1m30s }"), @r#"{"model":"open","rate":"1/s","duration":"90s","arrivals":"even"}"#);
    assert_snapshot!(load("{ stages: ['30s:100', { hold: 1k/s, duration: 1m }, '10s:0'] }"), @r#"{"model":"open","stages":[{"ramp_to":"100/s","duration":"30s"},{"hold":"1000/s","duration":"1m"},{"ramp_to":"0/s","duration":"10s"}],"arrivals":"even"}"#);
    assert_snapshot!(load("{ model: closed, stages: ['30s:10', { hold: 10, duration: 1m }, { from: 20, ramp_to: 0, duration: 10s }], think_time: 1s }"), @r#"{"model":"closed","stages":[{"ramp_to":10,"duration":"30s"},{"hold":10,"duration":"1m"},{"from":20,"ramp_to":0,"duration":"10s"}],"think_time":"1s","pacing":"0s"}"#);
    assert_snapshot!(load("{ stages: [{ from: 50/s, ramp_to: 100/s, duration: 10s }] }"), @r#"{"model":"open","stages":[{"from":"50/s","ramp_to":"100/s","duration":"10s"}],"arrivals":"even"}"#);
    assert_snapshot!(load("{ stepping: { start: 100/s, step: 50/s, every: 10s, steps: 3 }, arrivals: poisson }"), @r#"{"model":"open","stages":[{"hold":"100/s","duration":"10s"},{"hold":"150/s","duration":"10s"},{"hold":"200/s","duration":"10s"}],"arrivals":"poisson"}"#);
    assert_snapshot!(load("{ model: closed, connections: 64, requests: 10000, think_time: 100ms, pacing: 1s }"), @r#"{"model":"closed","connections":64,"requests":10000,"think_time":"100ms","pacing":"1s"}"#);
    assert_snapshot!(load("{ model: closed, connections: 1, duration: 10s }"), @r#"{"model":"closed","connections":1,"duration":"10s","think_time":"0s","pacing":"0s"}"#);
}

#[test]
fn judging_follows_the_length_of_the_load() {
    let judging = |duration: &str| {
        read_key(
            "judging",
            &format!("target: http://h/\nload: {{ rate: 1000/s, duration: {duration} }}\n"),
        )
    };
    assert_snapshot!(judging("30s"), @r#"{"window":"1s","passing_windows":"90%","warm_up":"2s"}"#);
    assert_snapshot!(judging("5s"), @r#"{"window":"1s","passing_windows":"90%","warm_up":"500ms"}"#);
    assert_snapshot!(judging("500ms"), @r#"{"window":"450ms","passing_windows":"90%","warm_up":"50ms"}"#);
}

#[test]
fn bodies() {
    let request = |keys: &str| {
        let variables = "{ user: { to: 9 }, colour: { values: [red, green] } }";
        let plan = format!("target: http://h/\nscenario:\n  variables: {variables}\n  requests:\n  - {keys}\n");
        ["headers", "body", "body_base64"]
            .map(|key| read_key(&format!("scenario.requests.0.{key}"), &plan))
            .join(" ")
    };
    assert_snapshot!(request("body: 'a ${user} $${user} $$$${'"), @r#"null "a ${user} $${user} $$$${" null"#);
    assert_snapshot!(request("json: { z: '${user}', a: [1.5, true, null, 'x${user}\"'], '${user}': '${colour}' }"), @r#"{"content-type":"application/json"} "{\"z\":${user},\"a\":[1.5,true,null,\"x${user}\\\"\"],\"$${user}\":\"${colour}\"}" null"#);
    assert_snapshot!(request("json: []\n    headers: { Content-Type: application/ld+json }"), @r#"{"Content-Type":"application/ld+json"} "[]" null"#);
    assert_snapshot!(request("body_file: body.bin"), @r#"null null "AP8kew==""#);
    assert_snapshot!(request("body_file: body.txt"), @r#"null "not $${filled} in" null"#);
    assert_snapshot!(request("body: |\n      two\n      lines"), @r#"null "two\nlines\n" null"#);
}

#[test]
fn headers_of_one_name_are_sent_side_by_side() {
    let headers = "{ accept: [a, b], X-One: 1, cookie: 'user=${user}' }";
    let plan = format!(
        "target: http://h/\nscenario: {{ variables: {{ user: {{ to: 9 }} }}, requests: [{{ headers: {headers} }}] }}\n"
    );
    assert_snapshot!(read_key("scenario.requests.0.headers", &plan), @r#"{"accept":["a","b"],"X-One":"1","cookie":"user=${user}"}"#);
}

#[test]
fn null_is_a_place_for_output() {
    let target = "{ url: http://h/, command: node 'my server.js', stdout: null, working_dir: ../service }";
    assert_snapshot!(read_key("target", &format!("target: {target}")), @r#"{"url":"http://h/","command":["node","my server.js"],"working_dir":"/plans/../service","ready":{"timeout":"30s"},"stdout":"null","stop_grace":"5s"}"#);
}

#[test]
fn aliases_stand_for_what_they_name() {
    let plan = "
target: http://h/
scenario:
  requests:
    - &first { path: /a, weight: 2, expect: { status: [200, 4xx] } }
    - { <<: *first, path: /b }
";
    assert_snapshot!(read_key("scenario.requests.1", plan), @r#"{"name":"GET /b","weight":2,"method":"GET","path":"/b","expect":{"status":["200","4xx"]}}"#);
}

#[test]
fn a_plan_without_a_file() {
    let plan = Plan::for_url("http://127.0.0.1:3000/profiles?id=7").unwrap();
    assert_snapshot!(plan.name(), @"http://127.0.0.1:3000/profiles?id=[redacted]");
    let mut longer = plan.draft();
    longer.load = plimsoll_plan::Load::Open(plimsoll_plan::OpenLoad::from_stages(
        &[plimsoll_plan::parse_stage("10s:100").unwrap()],
        plimsoll_plan::Arrivals::Even,
    ));
    assert_eq!(longer.clone().validate().map(|plan| plan.draft()), Ok(longer));
    let broken = plan.with(|plan| plan.connections.max = 0);
    assert_snapshot!(broken.unwrap_err(), @"connections.max: found `0`, expected 1 to 4000000 connections");
}

/// The schema that editors check plans against. It changes when the document types change, and only then.
#[test]
fn the_schema_describes_every_key() {
    let schema = plimsoll_plan::json_schema();
    for key in "target objectives judging scenario load connections search sizing fleet".split(' ') {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
    assert_eq!(schema["additionalProperties"], false);
    assert_eq!(schema["required"], serde_json::json!(["target"]));
    assert_snapshot!(schema["$defs"]["stepping"], @r#"{"type":"object","additionalProperties":false,"properties":{"start":{"type":["string","number"],"pattern":"^([0-9]+(\\.[0-9]+)?|\\.[0-9]+)[kM]?(/(s|m|min|h))?$","minimum":0,"maximum":10000000,"description":"The first rate. Required.","examples":["100/s"]},"step":{"type":["string","number"],"pattern":"^([0-9]+(\\.[0-9]+)?|\\.[0-9]+)[kM]?(/(s|m|min|h))?$","minimum":0,"maximum":10000000,"description":"What each rate adds to the last. Required.","examples":["100/s"]},"every":{"type":"string","pattern":"^(([0-9]+(\\.[0-9]+)?|\\.[0-9]+)(d|h|m|min|s|ms|us|µs|ns))+$","description":"How long each is held. Required.","examples":["10s"]},"steps":{"type":"integer","minimum":0,"maximum":4294967295,"description":"How many rates there are. Required.","examples":[5]}},"description":"Rates held one after the other.","required":["start","step","every","steps"]}"#);
}
