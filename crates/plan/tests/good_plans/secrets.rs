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
