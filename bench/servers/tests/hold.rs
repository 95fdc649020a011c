//! plimsoll holds connections against the long-poll service of the benchmarks, each side with several descriptor tables.

use plimsoll_findings::Verdict;
use plimsoll_lab::{Experiment, Options, RunKind};
use plimsoll_plan::{HoldLoad, Load, Park, Plan, Rate};
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

struct Parked {
    child: Child,
    port: u16,
}

impl Parked {
    fn start(args: &[&str]) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = free.expect("a free port").port();
        let mut child = Command::new(env!("CARGO_BIN_EXE_parked"))
            .args(["--port", &port.to_string()])
            .args(args)
            .stdout(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("piped"))
            .read_line(&mut line)
            .expect("it says that it listens");
        assert!(line.starts_with("listening"), "{line}");
        Self { child, port }
    }
}

impl Drop for Parked {
    fn drop(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

#[test]
fn both_sides_agree() {
    let service = Parked::start(&["--tables", "3", "--deliver", "2000"]);
    let mut plan = Plan::for_url(&format!("http://127.0.0.1:{}/poll", service.port))
        .expect("a URL")
        .draft();
    plan.objectives = Vec::new();
    plan.judging.warm_up = Duration::ZERO;
    plan.load = Load::Hold(HoldLoad {
        connections: 300,
        pace: Rate::per_s(3000),
        duration: Duration::from_secs(2),
        park: Park::Request,
        ping: Some(Duration::from_secs(60)),
        ports: Vec::new(),
    });
    let experiment = Experiment {
        plan: plan.validate().expect("a valid plan"),
        kind: RunKind::Hold,
        warms_up: false,
        options: Options::default(),
    };
    let findings = experiment
        .run(&AtomicBool::new(false), |_| {})
        .expect("it runs")
        .findings;
    let hold = findings.hold.expect("connections were held");
    assert_eq!(findings.verdict, Verdict::Passed, "{:?}", findings.headline);
    assert_eq!((hold.live, hold.lost), (300, 0));
    // Every response carried when it was sent, and its request was parked again.
    assert!(hold.delivered > 0);
    assert_eq!(hold.delivery_time.count, hold.delivered);
    assert_eq!(findings.totals.sent, 300 + hold.delivered);
}
