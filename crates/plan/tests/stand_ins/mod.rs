//! Whatever can stand in the place of a neighbour.

use super::durations;
use plimsoll_plan::*;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use std::time::Duration;

pub(crate) fn stand_ins() -> impl Strategy<Value = StandIn> {
    let spread = vec(durations(), 4).prop_map(|mut times| {
        times
            .iter_mut()
            .for_each(|time| *time = (*time).min(Duration::from_secs(60)));
        times.sort_unstable();
        let shares = [0, 500_000, 999_000, MILLION];
        ResponseTime::Spread(shares.into_iter().zip(times).collect())
    });
    let run = ("/[a-z]{1,8}", option::of("[a-z]{1,8}")).prop_map(|(directory, request)| ResponseTime::Run {
        directory: directory.into(),
        request,
    });
    let body = prop_oneof![
        vec(any::<u8>(), 0..9).prop_map(|bytes| StandInBody::Same(Template::literal(bytes))),
        (0_u64..99, 0_u64..99).prop_map(|(from, more)| StandInBody::Size {
            from: ByteSize::new(from),
            to: ByteSize::new(from + more),
        }),
    ];
    let response = (
        option::of(Just(Method::new("PUT").expect("a method"))),
        option::of("/[a-z]{0,8}[*]?"),
        prop_oneof![spread, run],
        200_u16..204,
        body,
        0_u8..=100,
    );
    let response = response.prop_map(|(method, path, time, status, body, errors)| StandInResponse {
        method,
        path,
        time,
        status,
        headers: vec![("x-of".to_owned(), Template::literal("a stand-in"))],
        body,
        errors: Share::percent(errors),
    });
    (1_u16.., vec(response, 1..4)).prop_map(|(port, responses)| StandIn { port, responses })
}
