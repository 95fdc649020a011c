//! Calls to other services, as the trace of some requests tells them apart.

use super::{MS, REQUEST_NS, REQUESTS, by_counters, diagnosed, fold, healthy, kinds, line, plain, plan};
use plimsoll_diagnosis::{Passes, diagnose};
use plimsoll_findings::{Bound, CauseKind, Evidence, Headline, Notice};
use plimsoll_measure::Profile;
use plimsoll_measure::probe::{ProbeCounters, TracedCounter, TracedSite, UpstreamCounter};

/// Requests that were traced, and for how long each.
const TRACED: u64 = 20;
const TRACED_NS: u64 = 100 * MS;

/// A service whose requests make so many calls each, all for what was asked for a moment ago by whomever.
fn calling(per_request: u64, traced: TracedCounter) -> ProbeCounters {
    let mut counters = healthy();
    counters.upstream = vec![UpstreamCounter {
        origin: "http://127.0.0.1:4000".to_owned(),
        requests: per_request * REQUESTS,
        active_ns: REQUESTS * REQUEST_NS * 9 / 10,
        repeated: per_request * REQUESTS,
        connections: 8,
        ..UpstreamCounter::default()
    }];
    counters.traced = Some(TracedCounter {
        requests: TRACED,
        kinds: 2,
        ns: TRACED * TRACED_NS,
        calls: per_request * TRACED,
        waited_ns: TRACED * TRACED_NS * 9 / 10,
        ..traced
    });
    counters
}

#[test]
fn what_only_the_load_repeats_is_no_finding() {
    let mut counters = calling(1, TracedCounter::default());
    assert_eq!(kinds(&counters), []);
    // And what nobody traced may be its doing too.
    counters.traced = None;
    assert_eq!(kinds(&counters), []);
}

#[test]
fn the_plan_is_named_where_it_hides_repetition() {
    let is_named = |counters: &ProbeCounters| {
        let notices = by_counters(&fold(counters)).notices;
        notices.contains(&Notice::RequestsAllAlike)
    };
    let mut counters = calling(1, TracedCounter::default());
    assert!(!is_named(&counters));
    counters.traced.as_mut().expect("traced").kinds = 1;
    assert!(is_named(&counters));
    // The service asks for something else each time.
    counters.upstream[0].repeated = 0;
    assert!(!is_named(&counters));
}

#[test]
fn each_kind_of_call_is_told_apart_with_its_own_time() {
    let mut counters = calling(
        4,
        TracedCounter {
            repeated: TRACED,
            repeated_ns: TRACED * TRACED_NS * 3 / 10,
            connections: 4 * TRACED,
            connecting_ns: TRACED * TRACED_NS / 10,
            series: 3 * TRACED,
            series_ns: TRACED * TRACED_NS * 2 / 10,
            ..TracedCounter::default()
        },
    );
    counters.upstream[0].connections = 4 * REQUESTS;
    let causes = diagnosed(&counters, &Profile::default(), None).causes;
    let waits: Vec<_> = causes
        .iter()
        .map(|cause| (cause.kind, cause.wait_ms_per_request.map(|ms| (ms * 10.0).round())))
        .collect();
    // Shares of a request of the window, which takes 1 ms.
    assert_eq!(
        waits,
        [
            (CauseKind::RepeatedUpstream, Some(3.0)),
            (CauseKind::SerialAwaits, Some(2.0)),
            (CauseKind::UpstreamNoKeepalive, Some(1.0)),
        ]
    );
}

#[test]
fn repetition_is_within_a_request_or_between_those_that_differ() {
    for (within_request, traced) in [
        (
            true,
            TracedCounter {
                repeated: TRACED,
                repeated_ns: TRACED * TRACED_NS / 2,
                ..TracedCounter::default()
            },
        ),
        (
            false,
            TracedCounter {
                shared: TRACED,
                shared_ns: TRACED * TRACED_NS / 2,
                ..TracedCounter::default()
            },
        ),
    ] {
        let causes = diagnosed(&calling(2, traced), &Profile::default(), None).causes;
        let evidence = Evidence::Repeated {
            within_request,
            again_per_request: 1.0,
            per_request: 2.0,
            saved_ms: 0.5,
            request_ms: 1.0,
        };
        assert_eq!(
            causes.iter().map(|cause| &cause.evidence).collect::<Vec<_>>(),
            [&evidence]
        );
    }
}

#[test]
fn a_response_kept_for_a_while_is_no_finding() {
    // Now and then somebody has to ask again, for long.
    let counters = calling(
        1,
        TracedCounter {
            shared: TRACED / 20,
            shared_ns: TRACED * TRACED_NS / 5,
            ..TracedCounter::default()
        },
    );
    assert_eq!(kinds(&counters), []);
}

#[test]
fn a_series_is_found_however_busy_the_cpu_is() {
    let mut counters = calling(
        2,
        TracedCounter {
            series: 2 * TRACED,
            series_ns: TRACED * TRACED_NS * 15 / 100,
            ..TracedCounter::default()
        },
    );
    assert_eq!(kinds(&counters), [CauseKind::SerialAwaits]);
    // Less than a tenth of the time.
    counters.traced.as_mut().expect("traced").series_ns = TRACED * TRACED_NS * 5 / 100;
    assert_eq!(kinds(&counters), []);
}

#[test]
fn calls_through_a_helper_are_placed_where_it_is_called() {
    let site = |id, repeated| TracedSite {
        id,
        calls: TRACED,
        repeated,
        ..TracedSite::default()
    };
    let place = |sites: Vec<TracedSite>| {
        let counters = calling(
            2,
            TracedCounter {
                repeated: TRACED,
                repeated_ns: TRACED * TRACED_NS / 2,
                sites,
                ..TracedCounter::default()
            },
        );
        let mut causes = diagnosed(&counters, &Profile::default(), None).causes;
        let cause = causes.remove(0);
        let line = |place: Option<plimsoll_findings::Place>| place.map(|place| place.line);
        (line(cause.place), line(cause.helper))
    };
    assert_eq!(place(vec![site(7, 0), site(8, TRACED)]), (Some(51), Some(5)));
    // Nobody else calls it, so the call itself is the place.
    assert_eq!(place(vec![site(8, TRACED)]), (Some(5), None));
    assert_eq!(place(vec![site(1, TRACED), site(8, 0)]), (Some(12), None));
}

#[test]
fn what_was_traced_in_the_warm_up_counts_where_the_window_has_too_little() {
    let traced = TracedCounter {
        series: 2 * TRACED,
        series_ns: TRACED * TRACED_NS / 2,
        ..TracedCounter::default()
    };
    let mut counters = calling(2, traced);
    // All of it before the window.
    let mut fold = plimsoll_diagnosis::CounterFold::default();
    use plimsoll_measure::probe::{ProbeLine, ProbeMessage};
    let before = ProbeCounters {
        traced: counters.traced.clone(),
        ..ProbeCounters::default()
    };
    counters.since_ms = 1e4;
    for line in [
        ProbeLine::WindowBegins,
        ProbeLine::From {
            connection: 0,
            message: ProbeMessage::Counters(Box::new(before)),
        },
        ProbeLine::From {
            connection: 0,
            message: ProbeMessage::Counters(Box::new(counters)),
        },
        ProbeLine::WindowEnds,
    ] {
        fold.push(&line);
    }
    let diagnosis = by_counters(&fold).diagnosis.expect("a diagnosis");
    let kinds: Vec<_> = diagnosis.causes.iter().map(|cause| cause.kind).collect();
    assert_eq!(kinds, [CauseKind::SerialAwaits]);
}

#[test]
fn waiting_does_not_explain_why_the_cpu_runs_out() {
    let series = TracedCounter {
        series: 3 * TRACED,
        series_ns: TRACED * TRACED_NS / 2,
        ..TracedCounter::default()
    };
    let (plain, fold) = (plain(), fold(&calling(3, series)));
    let mut base = plain.clone();
    base.load_line = Some(line(&"cpu <= 80%".parse().expect("an objective")));
    let passes = Passes {
        directory: None,
        plain: &plain,
        counters: Some((&plain, &fold)),
        profile: None,
        allocations: &Profile::default(),
    };
    let found = diagnose(&plan(), &base, &passes);
    let diagnosis = found.diagnosis.expect("a diagnosis");
    assert_eq!(diagnosis.bound, Bound::Cpu);
    assert_eq!(diagnosis.causes[0].kind, CauseKind::SerialAwaits);
    assert!(matches!(found.headline, Headline::Limit { cause: None, .. }));
}
