//! The rules about WebSockets.

use super::{Checked, rule};
use crate::plan::draft::PlanDraft;
use crate::plan::hold::Park;
use crate::plan::http::HttpVersion;
use crate::plan::load::Load;

pub(super) fn check_web_socket(plan: &PlanDraft) -> Checked {
    let (target, scenario) = (&plan.target, &plan.scenario);
    let is_web_socket = target.url.scheme.is_web_socket();
    rule(
        is_web_socket || !scenario.sends_messages(),
        "scenario.actions",
        "`send`, and a URL that does not begin with `ws`",
        "a URL such as ws://127.0.0.1:3000/chat",
    )?;
    if !is_web_socket {
        return Ok(());
    }
    rule(
        target.http == HttpVersion::Http1,
        "target.http",
        "HTTP/2, and a WebSocket",
        "`1.1`, over which WebSockets are opened",
    )?;
    let Load::Hold(hold) = &plan.load else {
        return rule(
            false,
            "load",
            "a WebSocket, and a load that is not held",
            "`model: hold` in `load`, or `plimsoll hold`",
        );
    };
    rule(
        hold.park == Park::Request,
        "load.park",
        "a WebSocket, and `nothing`",
        "`request`: the opening handshake is sent, and messages are awaited",
    )?;
    rule(
        target.proxy.is_none(),
        "target.proxy",
        "a proxy, and a WebSocket",
        "one of them",
    )?;
    let openings = scenario.requests.iter().enumerate();
    for (index, request) in openings {
        rule(
            request.method.as_str() == "GET" && request.body.is_empty(),
            format!("scenario.requests[{index}]"),
            "a method other than GET, or a body, where a WebSocket is opened",
            "a GET with path and headers; what is sent later is `send` in `actions`",
        )?;
    }
    rule(
        scenario.actions.is_empty() || scenario.sends_messages(),
        "scenario.actions",
        "a `request`, and held connections that are WebSockets",
        "`send`",
    )
}
