//! Services behind a proxy: a real one, of Node.js.

use super::canary::{assert_hidden, canary};
use crate::bench::{Bench, Ran, free_port, service};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::process::{Child, Command};

/// Runs until it is dropped.
struct Running(Child);

impl Running {
    /// The service, once it listens at `port`.
    fn start(bench: &Bench, name: &str, port: u16, set: impl Fn(&mut Command)) -> Self {
        let mut command = bench.other("node");
        command.arg(service(name)).env("PORT", port.to_string());
        set(&mut command);
        let running = Self(command.spawn().expect("Node.js runs"));
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            std::thread::yield_now();
        }
        running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Requests of `url`, whose host nobody but the proxy knows.
fn bench_of(bench: &Bench, url: &str, arguments: &[&str]) -> Ran {
    bench.run(&[&["bench", url, "-n", "40", "-c", "2", "--json"], arguments].concat())
}

fn passed(ran: &Ran) -> Value {
    ran.json()["totals"]["passed"].clone()
}

fn certified(bench: &Bench) {
    let certified = rcgen::generate_simple_self_signed(vec!["shop.test".to_owned()]).expect("a certificate");
    bench.write("server.pem", &certified.cert.pem());
    bench.write("server.key", &certified.signing_key.serialize_pem());
}

#[test]
fn requests_and_tunnels_go_through_proxy() {
    let bench = Bench::new();
    let [at, clear, secure] = [free_port(), free_port(), free_port()];
    let _proxy = Running::start(&bench, "proxy.js", at, |_| {});
    let _clear = Running::start(&bench, "reached.js", clear, |command| {
        command.env("EXPECTED_HOST", format!("shop.test:{clear}"));
    });
    certified(&bench);
    let _secure = Running::start(&bench, "secure.js", secure, |command| {
        command
            .current_dir(bench.path("."))
            .envs([("CERT", "server.pem"), ("KEY", "server.key")]);
    });
    let proxy = format!("http://127.0.0.1:{at}");
    let url = format!("http://shop.test:{clear}/");
    let ran = bench_of(&bench, &url, &["--proxy", &proxy]);
    assert_eq!(passed(&ran), 40, "{ran:?}");
    let url = format!("https://shop.test:{secure}/");
    let ran = bench_of(
        &bench,
        &url,
        &["-x", &proxy, "--cacert", "server.pem", "--no-keepalive"],
    );
    assert_eq!(passed(&ran), 40, "the certificate is for the host of the URL: {ran:?}");
    let streams = free_port();
    let _streams = Running::start(&bench, "http2.js", streams, |command| {
        command
            .current_dir(bench.path("."))
            .envs([("CERT", "server.pem"), ("KEY", "server.key")]);
    });
    let plan = json!({
        "target": {
            "url": format!("https://shop.test:{streams}/"),
            "http": 2,
            "proxy": proxy,
            "tls": { "insecure": true },
        },
        "objectives": ["errors = 0"],
        "load": { "rate": "40/s", "duration": "1s" },
    });
    bench.write("streams.json", &plan.to_string());
    let ran = bench.run(&["run", "streams.json", "--json"]);
    assert_eq!(passed(&ran), 40, "HTTP/2 through a tunnel: {ran:?}");
    let plan = json!({
        "target": { "url": url, "proxy": proxy, "tls": { "ca": "server.pem" } },
        "objectives": ["errors = 0"],
        "load": { "rate": "40/s", "duration": "1s" },
    });
    bench.write("plan.json", &plan.to_string());
    let ran = bench.run(&["run", "plan.json", "--json"]);
    assert_eq!(passed(&ran), 40, "{ran:?}");
    let held = bench.run(&[
        "hold", &url, "-k", "-x", &proxy, "-c", "4", "-d", "1s", "--park", "nothing", "--json",
    ]);
    assert_eq!(held.json()["hold"]["live"], 4, "{held:?}");
}

#[test]
fn proxy_wants_user_who_is_hidden() {
    let bench = Bench::new();
    let c: Vec<String> = (96..98).map(|number| canary(number).replace(['/', '+'], "")).collect();
    let [at, clear, secure] = [free_port(), free_port(), free_port()];
    let wanted = format!("Basic {}", STANDARD.encode(format!("{}:{}", c[0], c[1])));
    let _proxy = Running::start(&bench, "proxy.js", at, |command| {
        command.env("WANTED", &wanted);
    });
    let _clear = Running::start(&bench, "reached.js", clear, |_| {});
    certified(&bench);
    let _secure = Running::start(&bench, "secure.js", secure, |command| {
        command
            .current_dir(bench.path("."))
            .envs([("CERT", "server.pem"), ("KEY", "server.key")]);
    });
    let (clear, secure) = (
        format!("http://shop.test:{clear}/"),
        format!("https://shop.test:{secure}/"),
    );
    let with_user = format!("http://{}:{}@127.0.0.1:{at}", c[0], c[1]);
    let without = format!("http://127.0.0.1:{at}");
    for (url, more) in [(&clear, &[][..]), (&secure, &["-k"][..])] {
        let ran = bench_of(&bench, url, &[&["-x", &with_user][..], more].concat());
        assert_eq!(passed(&ran), 40, "{ran:?}");
        assert_hidden(url, &bench, &ran, &c);
    }
    let found = |ran: &Ran| {
        ran.json()["errors"][0]["example"]["found"]
            .as_str()
            .expect("an example")
            .to_owned()
    };
    let ran = bench_of(&bench, &clear, &["-x", &without]);
    assert_eq!(found(&ran), "status 407 Proxy Authentication Required", "{ran:?}");
    let ran = bench_of(&bench, &secure, &["-x", &without, "-k"]);
    assert!(
        found(&ran).starts_with("the proxy asks for a user and password"),
        "{ran:?}"
    );
    let nobody = format!("https://shop.test:{}/", free_port());
    let ran = bench_of(&bench, &nobody, &["-x", &with_user, "-k"]);
    assert!(
        found(&ran).starts_with("the proxy responded with status 502 when asked"),
        "{ran:?}"
    );
    let away = format!("http://127.0.0.1:{}", free_port());
    let ran = bench_of(&bench, &secure, &["-x", &away, "-k"]);
    assert!(
        found(&ran).starts_with("the proxy cannot be reached: Connection refused"),
        "{ran:?}"
    );
}

#[test]
fn what_is_no_proxy_is_refused() {
    let bench = Bench::new();
    for (proxy, said) in [
        ("https://127.0.0.1:1", "found a URL that does not begin with `http://`"),
        ("http://127.0.0.1:1/a", "found a path, expected the URL of a proxy"),
        ("127.0.0.1:3128", "did you mean `http://127.0.0.1:3128`?"),
    ] {
        bench
            .run(&["bench", "http://127.0.0.1:1/", "-x", proxy])
            .expect(104, &[said]);
    }
    bench
        .run(&["bench", "http+unix://%2Fa", "-x", "http://127.0.0.1:1"])
        .expect(104, &["a URL with host and port"]);
}
