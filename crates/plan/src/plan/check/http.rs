//! The rules about versions of HTTP.

use super::{Checked, rule};
use crate::notation::mismatch::quoted;
use crate::plan::draft::PlanDraft;
use crate::plan::hold::Park;
use crate::plan::http::HttpVersion;
use crate::plan::load::Load;

const MOST_STREAMS: u32 = 65_535;

pub(super) fn check_http(plan: &PlanDraft) -> Checked {
    let connections = &plan.connections;
    if let Some(streams) = connections.streams {
        rule(
            (1..=MOST_STREAMS).contains(&streams),
            "connections.streams",
            quoted(&streams.to_string()),
            format!("1 to {MOST_STREAMS} requests"),
        )?;
    }
    if plan.target.http == HttpVersion::Http1 {
        rule(
            plan.scenario.requests.iter().all(|request| request.grpc.is_none()),
            "target.http",
            "HTTP/1.1, and calls of gRPC",
            "`2`, over which calls are made",
        )?;
        return rule(
            connections.streams.is_none(),
            "connections.streams",
            "streams, and HTTP/1.1, which has none",
            "`http: 2` in `target` or --http2, or `pipelining`",
        );
    }
    rule(
        connections.pipelining == 1,
        "connections.pipelining",
        "pipelining, and HTTP/2, which has none",
        "`streams`",
    )?;
    rule(
        connections.keep_alive || connections.streams.is_none_or(|streams| streams == 1),
        "connections.streams",
        "several streams without `keep_alive`",
        "connections that carry several requests",
    )?;
    let Load::Hold(hold) = &plan.load else {
        return Ok(());
    };
    rule(
        hold.park == Park::Request || connections.streams.is_none_or(|streams| streams == 1),
        "connections.streams",
        "several streams, and connections on which nothing waits",
        "`park: request`: only a request that waits has a stream",
    )?;
    rule(
        plan.scenario.requests.iter().all(|request| request.grpc.is_none()),
        "scenario.requests",
        "calls of gRPC, and connections that are held",
        "requests without `grpc`",
    )
}
