//! Any valid plan reads back from what is printed of it, and so does every file of the fuzzer's corpus.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod invariants;
mod reached;
mod stand_ins;

use plimsoll_plan::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use reached::{auths, limits, proxies, running, tls_options};
use std::time::Duration;

fn durations() -> impl Strategy<Value = Duration> {
    prop_oneof![
        (1_u64..100_000).prop_map(Duration::from_millis),
        (1_u64..1_000_000_000_000_000).prop_map(Duration::from_nanos)
    ]
}

fn rates() -> impl Strategy<Value = Rate> {
    (1_000_000..=Rate::MAX.micro_per_s()).prop_map(Rate::from_micro_per_s)
}

fn shares() -> impl Strategy<Value = Share> {
    (0.000_001..0.999_f64).prop_map(|value| Share::new(value).expect("a share"))
}

fn objectives() -> impl Strategy<Value = Vec<Objective>> {
    (shares(), shares(), durations(), shares(), shares(), 1_usize..5).prop_map(
        |(cpu, quantile, max, errors, rate, count)| {
            let all = [
                Limit::Cpu { max: cpu }.into(),
                Limit::ResponseTime { quantile, max }.into(),
                Limit::Errors { max: errors }.into(),
                Limit::AchievedRate { min: rate }.into(),
            ];
            all[..count.min(all.len())].to_vec()
        },
    )
}

fn loads() -> impl Strategy<Value = Load> {
    let segment = (rates(), rates(), 1_u64..1_000_000, any::<bool>()).prop_map(|(from, to, ms, hold)| Segment {
        from: if hold { to } else { from },
        to,
        duration: Duration::from_millis(ms),
    });
    let open = (vec(segment, 1..5), any::<bool>()).prop_map(|(segments, even)| {
        let arrivals = if even { Arrivals::Even } else { Arrivals::Poisson };
        Load::Open(OpenLoad { segments, arrivals })
    });
    let closed = (
        1_u32..1_000_000,
        option::of(durations()),
        1_u64..,
        durations(),
        durations(),
        durations(),
    )
        .prop_map(|(connections, duration, requests, think_time, pacing, ramp)| {
            let requests = Some(requests);
            let ramp = duration.map_or(ramp, |duration| ramp.min(duration / 2));
            Load::Closed(ClosedLoad {
                connections,
                duration,
                requests,
                think_time,
                pacing,
                ramp,
                stages: Vec::new(),
            })
        });
    let staged = (
        vec((0_u32..1_000, 1_u32..1_000, durations()), 1..5),
        option::of(1_u64..),
        durations(),
    )
        .prop_map(|(stages, requests, think_time)| {
            let stage = |(from, to, duration)| UserStage { from, to, duration };
            Load::Closed(ClosedLoad {
                requests,
                think_time,
                ..ClosedLoad::in_stages(stages.into_iter().map(stage).collect())
            })
        });
    let hold = (
        1_u32..4_000_000,
        1_u32..100_000,
        durations(),
        any::<bool>(),
        option::of(1_u64..32_767),
        vec(1_u16.., 0..4),
    )
        .prop_map(|(connections, pace, duration, request, ping, mut ports)| {
            ports.sort_unstable();
            ports.dedup();
            Load::Hold(HoldLoad {
                connections,
                pace: Rate::per_s(pace),
                duration,
                park: if request { Park::Request } else { Park::Nothing },
                ping: ping.map(Duration::from_secs),
                ports,
            })
        });
    prop_oneof![open, closed, staged, hold]
}

fn commands() -> impl Strategy<Value = Command> {
    let env = vec(("[A-Z]{1,8}", "[^\0]{0,12}"), 0..3).prop_map(|mut env: Vec<(String, String)>| {
        env.sort();
        env.dedup_by(|a, b| a.0 == b.0);
        env.into_iter()
            .map(|(name, value)| (name, Secret::from(value)))
            .collect::<Vec<_>>()
    });
    let stdouts = prop_oneof![
        Just(Stdout::File),
        Just(Stdout::Pipe),
        Just(Stdout::Null),
        Just(Stdout::Inherit)
    ];
    let ready = (option::of("/[a-z/]{0,8}"), durations()).prop_map(|(path, timeout)| Readiness {
        path: path.map(Secret::from),
        timeout,
    });
    (
        "[^\0]{1,8}",
        vec("[^\0]{0,8}", 0..3),
        env,
        option::of("/[a-z]{1,8}"),
        ready,
        stdouts,
        durations(),
        limits(),
    )
        .prop_map(
            |(program, arguments, env, working_dir, ready, stdout, stop_grace, limits)| {
                let argv = [program].into_iter().chain(arguments).map(Secret::from).collect();
                Command {
                    argv,
                    env,
                    working_dir: working_dir.map(Into::into),
                    ready,
                    stdout,
                    stop_grace,
                    limits,
                }
            },
        )
}

fn neighbours() -> impl Strategy<Value = Vec<NeighbourPlan>> {
    let sign = prop_oneof![
        (1_u16..).prop_map(Sign::Port),
        ("[a-z]{1,8}", 1_u16.., "/[a-z]{0,8}").prop_map(|(host, port, path)| Sign::Url(Url {
            path: path.into(),
            ..Url::at(host, port)
        })),
        "\\PC{1,8}".prop_map(Sign::Line),
    ];
    let neighbour = (commands(), sign, 0_usize..4).prop_map(|(command, ready, cores)| {
        // Where a neighbour writes, and by which path it is ready, is no part of its plan.
        let timeout = command.ready.timeout;
        let limits = Limits {
            cpu: command
                .limits
                .cpu
                .filter(|cpu| cores == 0 || cpu.cores() <= cores as f64),
            ..command.limits
        };
        let command = Command {
            ready: Readiness { path: None, timeout },
            stdout: Stdout::default(),
            limits,
            ..command
        };
        NeighbourPlan {
            name: String::new(),
            neighbour: Neighbour::Program {
                command: Box::new(command),
                ready,
            },
            cpus: (0..cores).collect(),
        }
    });
    let stand_in = stand_ins::stand_ins().prop_map(|stand_in| NeighbourPlan {
        name: String::new(),
        neighbour: Neighbour::StandIn(stand_in),
        cpus: Vec::new(),
    });
    vec(prop_oneof![neighbour, stand_in], 0..3).prop_map(|mut neighbours| {
        for (index, neighbour) in neighbours.iter_mut().enumerate() {
            neighbour.name = format!("n-{index}");
        }
        neighbours
    })
}

fn targets() -> impl Strategy<Value = Target> {
    let cpus = vec(0_usize..64, 0..6).prop_map(|mut cpus| {
        cpus.sort_unstable();
        cpus.dedup();
        cpus
    });
    (
        "[a-z]{1,8}",
        1_u16..,
        option::of(commands()),
        1_u32..,
        cpus,
        option::of(tls_options()),
        any::<bool>(),
        (option::of(auths()), option::of(proxies()), 0_u32..=50, neighbours()),
    )
        .prop_map(
            |(host, port, command, pid, cpus, tls, resolve, (auth, proxy, follow_redirects, beside))| {
                let pid = command.is_none().then_some(pid);
                let url = match tls {
                    Some(_) => format!("https://{host}:{port}").parse().expect("a URL"),
                    None => Url::at(&host, port),
                };
                let resolve = resolve.then(|| format!("{host}:{port}:127.0.0.1,[fe80::1%lo]").parse().expect("valid"));
                let mut command = command;
                if let (Some(command), false) = (&mut command, cpus.is_empty()) {
                    command.limits.cpu = command.limits.cpu.filter(|cpu| cpu.cores() <= cpus.len() as f64);
                }
                Target {
                    resolve: resolve.into_iter().collect(),
                    url,
                    command,
                    running: pid.map(running),
                    cpus,
                    auth,
                    http: HttpVersion::Http1,
                    follow_redirects,
                    proxy,
                    tls: tls.unwrap_or_default(),
                    beside,
                }
            },
        )
}

/// A template with the variables 0 and 1 and literals that match `literal`.
fn templates(literal: &'static str) -> impl Strategy<Value = Template> {
    vec(prop_oneof![literal.prop_map(Ok), (0_usize..2).prop_map(Err)], 0..5).prop_map(|pieces| {
        Template::of(pieces.iter().map(|piece| match piece {
            Ok(text) => Piece::Literal(text.as_bytes()),
            Err(index) => Piece::Variable(*index),
        }))
    })
}

fn requests() -> impl Strategy<Value = Request> {
    let methods = "[A-Z]{3,8}".prop_filter_map("a method", |name| Method::new(&name));
    let path = templates("[!-\"$-~]{0,6}")
        .prop_map(|template| Template::of([Piece::Literal(b"/")].into_iter().chain(template.reveal())));
    let headers = vec(("x-[a-c]", templates("[^\\p{Cc}]{0,8}")), 0..4);
    let body = prop_oneof![
        templates("(?s).{0,12}"),
        vec(any::<u8>(), 0..20).prop_map(Template::literal)
    ];
    let statuses = vec((100_u16..600, 0_u16..99), 1..3).prop_map(|ranges| {
        ranges
            .into_iter()
            .map(|(low, more)| (low, (low + more).min(599)))
            .collect()
    });
    (1_u32..1000, methods, path, headers, body, statuses).prop_map(|(weight, method, path, headers, body, status)| {
        Request {
            name: String::new(),
            weight,
            method,
            path,
            headers,
            body,
            grpc: None,
            expect: Expect { status },
            form: Form::default(),
        }
    })
}

fn scenarios() -> impl Strategy<Value = Scenario> {
    let texts = vec("[!-\"$-~]{0,8}", 1..4);
    (vec((requests(), "(?s).{1,12}"), 1..4), 0_u64..1000, 1000_u64.., texts).prop_map(|(requests, from, to, texts)| {
        let named = |(index, (request, name)): (usize, (Request, String))| Request {
            name: format!("{index}{name}"),
            ..request
        };
        Scenario {
            requests: requests.into_iter().enumerate().map(named).collect(),
            variables: vec![
                Variable {
                    name: "first".into(),
                    values: Values::Range { from, to },
                },
                Variable {
                    name: "the second".into(),
                    values: Values::List(texts.into_iter().map(Secret::from).collect()),
                },
            ],
            ..Scenario::default()
        }
    })
}

fn sizings() -> impl Strategy<Value = Sizing> {
    let prices = "(|[$€]|EUR )[1-9][0-9]{0,5}(\\.[0-9]{1,5})?/h|[0-9]{1,3}\\.[0-9]{0,4}[1-9]( USD)?/h";
    let prices = prices.prop_map(|price| parse_price(&price).expect("a price"));
    (option::of(rates()), 0.0..=0.99_f64, option::of(prices)).prop_map(|(demand, headroom, price)| Sizing {
        demand,
        headroom: Share::new(headroom).expect("a share"),
        price,
    })
}

fn fleets() -> impl Strategy<Value = FleetPlan> {
    let urls = "local|(nats|tls)://([a-z]{1,5}:[a-z@]{1,5}@)?(127\\.0\\.0\\.1|\\[::1\\]|localhost)(:[1-9][0-9]{0,3})?";
    (urls, option::of("/[a-z]{1,9}"), option::of(1_u32..=32), 0_u32..=32).prop_map(|(url, key, agents, least)| {
        FleetPlan {
            key: key.filter(|_| url != FleetUrl::LOCAL).map(Into::into),
            url: FleetUrl::new(&url),
            agents,
            min_agents: Some(least.min(agents.unwrap_or(32))).filter(|least| *least > 0),
        }
    })
}

fn plans() -> impl Strategy<Value = PlanDraft> {
    let streams = option::of(1_u32..100);
    let connections = (1_u32..10_000, 1_u32..100, streams, durations(), durations()).prop_map(
        |(max, pipelining, streams, connect_timeout, response_timeout)| Connections {
            max,
            min: max / 2,
            keep_alive: true,
            per_user: false,
            pipelining,
            streams,
            connect_timeout,
            response_timeout,
        },
    );
    let search = (rates(), rates(), shares(), durations(), durations());
    let parts = (targets(), objectives(), scenarios(), loads(), connections, search);
    let asked = (sizings(), option::of(fleets()));
    ("(?s).{0,20}", any::<u64>(), shares(), asked, parts).prop_map(|(name, seed, share, (sizing, fleet), parts)| {
        let (mut target, objectives, scenario, load, mut connections, (start, max, bracket, budget, step)) = parts;
        connections.streams.take_if(|_| matches!(load, Load::Hold(_)));
        if matches!(load, Load::Hold(_)) {
            target.follow_redirects = 0;
        }
        if connections.streams.is_some() {
            (target.http, connections.pipelining) = (HttpVersion::Http2, 1);
        }
        if matches!(&load, Load::Hold(hold) if !hold.ports.is_empty())
            || target.http == HttpVersion::Http2 && target.url.scheme == Scheme::Http
        {
            target.proxy = None;
        }
        let window = Duration::from_nanos(1);
        PlanDraft {
            name,
            target,
            objectives,
            judging: Judging {
                window,
                passing_windows: share,
                warm_up: Duration::ZERO,
            },
            scenario,
            load,
            search: Search {
                unit: SearchUnit::Rate,
                start: start.min(max).into(),
                max: max.into(),
                bracket,
                budget: budget + step,
                step,
            },
            sizing,
            fleet,
            connections,
            seed,
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_valid_plan_reads_back(plan in plans()) {
        let plan = plan.validate().map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(plan.draft().validate(), Ok(plan.clone()));
        let json = plan.to_json();
        match Plan::parse_saved(&json, "plan.json") {
            Ok(again) => prop_assert_eq!(again, plan),
            Err(error) => return Err(TestCaseError::fail(format!("{error}\nin\n{json}"))),
        }
    }

    #[test]
    fn any_text_is_a_plan_or_is_not(text in "(?s).{0,200}") {
        invariants::a_plan_reads_back(text.as_bytes());
    }

    #[test]
    fn a_damaged_plan_is_a_plan_or_is_not(at in 0_usize..2000, replacement in "[ \\-:{}\\[\\]$\"'&*|>%0-9a-z\n]{0,3}") {
        let mut text = include_str!("every_key.yaml").to_owned();
        let at = at % text.len();
        if text.is_char_boundary(at) {
            text.replace_range(at..at + 1, &replacement);
            invariants::a_plan_reads_back(text.as_bytes());
        }
    }
}

/// Gives `check` every file of a corpus.
fn each_file_of_corpus(target: &str, least: usize, check: fn(&[u8])) {
    let directory = format!("{}/../../fuzz/corpus/{target}", env!("CARGO_MANIFEST_DIR"));
    let files: Vec<_> = std::fs::read_dir(&directory)
        .expect("the corpus is there")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    assert!(files.len() > least, "{} files in {directory}", files.len());
    for file in files {
        check(&std::fs::read(file).expect("it can be read"));
    }
}

#[test]
fn every_file_of_the_corpus_is_a_plan_or_is_not() {
    each_file_of_corpus("plan_parse", 10, invariants::a_plan_reads_back);
}

#[test]
fn every_file_of_the_corpus_is_a_table_or_is_not() {
    each_file_of_corpus("table", 5, invariants::a_table_is_read_or_refused);
}
