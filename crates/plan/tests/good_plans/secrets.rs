//! What of a plan is hidden where it is recorded.

use super::*;

#[test]
fn secrets_can_be_hidden() {
    let plan = r#"
target:
  url: http://h/
  command: [node, server.js, --db, "postgres://me:hunter2@db/x"]
  env: { TOKEN: hunter2 }
scenario:
  requests:
    - headers: { Authorization: Bearer hunter2, X-Api-Key: [hunter2, hunter2], accept: text/plain }
"#;
    let redacted = Plan::parse(plan, "/plans/a.yaml").unwrap().to_json_redacted();
    assert!(!redacted.contains("hunter2"));
    assert_snapshot!(redacted, @r#"
    {
      "name": "a",
      "seed": 0,
      "target": {
        "url": "http://h/",
        "command": [
          "node",
          "server.js",
          "--db",
          "[redacted]"
        ],
        "env": {
          "TOKEN": "[redacted]"
        },
        "ready": {
          "timeout": "30s"
        },
        "stdout": "file",
        "stop_grace": "5s"
      },
      "objectives": [
        "cpu <= 80%",
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
            "headers": {
              "Authorization": "[redacted]",
              "X-Api-Key": [
                "[redacted]",
                "[redacted]"
              ],
              "accept": "text/plain"
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
fn password_of_a_fleet_is_hidden() {
    let plan =
        "target: http://h/\nfleet: { url: 'tls://${env.USER}:${env.PASSWORD}@broker.example:4222', agents: 3 }\n";
    let environment = |name: &str| Some(format!("hunter2-{name}"));
    let plan = Plan::parse_with(plan, "a.yaml", &|_, _| unreachable!("it names no file"), &environment).unwrap();
    let refused = Plan::parse("target: http://h/\nfleet: nats://u:hunter2@10.0.0.1\n", "a.yaml").expect_err("no TLS");
    assert!(!refused.to_string().contains("hunter2"), "{refused}");
    let fleet = plan.fleet().expect("one was asked for");
    assert_eq!(
        fleet.url.reveal(),
        "tls://hunter2-USER:hunter2-PASSWORD@broker.example:4222"
    );
    for shown in [plan.to_json_redacted(), format!("{plan:?}"), fleet.url.shown()] {
        assert!(!shown.contains("hunter2"), "{shown}");
        assert!(plan.to_json_redacted().contains("tls://broker.example:4222"));
    }
}
