//! The rules about WebSockets.

use super::{Checked, flaw, rule};
use crate::notation::mismatch::Mismatch;
use crate::plan::draft::PlanDraft;
use crate::plan::hold::Park;
use crate::plan::http::HttpVersion;
use crate::plan::load::Load;
use crate::plan::request::Request;
use crate::plan::scenario::Scenario;
use crate::plan::variable::Values;

pub(super) fn check_web_socket(plan: &PlanDraft) -> Checked {
    let (target, scenario) = (&plan.target, &plan.scenario);
    let says = scenario.requests.iter().any(|request| request.is_message);
    if !target.url.scheme.is_web_socket() {
        let key = if says { "scenario.requests" } else { "scenario.actions" };
        return rule(
            !says && !scenario.sends_messages(),
            key,
            "`send`, and a URL that does not begin with `ws`",
            "a URL such as ws://127.0.0.1:3000/chat",
        );
    }
    rule(
        target.http == HttpVersion::Http1,
        "target.http",
        "HTTP/2, and a WebSocket",
        "`1.1`, over which WebSockets are opened",
    )?;
    rule(
        target.proxy.is_none(),
        "target.proxy",
        "a proxy, and a WebSocket",
        "one of them",
    )?;
    match &plan.load {
        Load::Hold(hold) => {
            rule(
                hold.park == Park::Request,
                "load.park",
                "a WebSocket, and `nothing`",
                "`request`: the opening handshake is sent, and messages are awaited",
            )?;
            rule(
                !says,
                "load.model",
                "requests with `send`, and connections that are held",
                "`open` or `closed`, or `send` in `actions`, which held connections do",
            )?;
            check_openings("scenario.requests", &scenario.requests, scenario)?;
            rule(
                scenario.actions.is_empty() || scenario.sends_messages(),
                "scenario.actions",
                "a `request`, and held connections that are WebSockets",
                "`send`",
            )
        }
        Load::Open(_) | Load::Closed(_) if !says => {
            let mismatch = Mismatch::new(
                "a WebSocket, and nothing that is sent on it",
                "a request with `send`, such as { send: { text: \"${message}\" } }",
            );
            flaw(
                "scenario.requests",
                mismatch.hint("or hold connections, by `model: hold` in `load`"),
            )
        }
        Load::Open(_) | Load::Closed(_) => check_exchange(plan),
    }
}

/// Messages that have responses.
fn check_exchange(plan: &PlanDraft) -> Checked {
    let (target, scenario) = (&plan.target, &plan.scenario);
    rule(
        target.follow_redirects == 0,
        "target.follow_redirects",
        "redirects to follow, and a WebSocket",
        "one of them",
    )?;
    rule(
        plan.connections.keep_alive,
        "connections.keep_alive",
        "`false`, and a WebSocket",
        "`true`: messages share a connection",
    )?;
    rule(
        scenario.requests.iter().all(|request| request.is_message),
        "scenario.requests",
        "requests without `send` among those that are sent",
        "them in `openings`",
    )?;
    check_openings("scenario.openings", &scenario.openings, scenario)
}

/// What opens WebSockets.
fn check_openings(key: &str, openings: &[Request], scenario: &Scenario) -> Checked {
    let mut variables = scenario.variables.iter();
    let mark = variables.position(|variable| variable.values == Values::Message);
    for (index, request) in openings.iter().enumerate() {
        let key = format!("{key}[{index}]");
        rule(
            request.method.as_str() == "GET" && request.body.is_empty(),
            &key,
            "a method other than GET, or a body, where a WebSocket is opened",
            "a GET with path and headers; what is sent later is a `send`",
        )?;
        rule(
            !mark.is_some_and(|mark| request.needs(mark)),
            &key,
            "`${message}` where a WebSocket is opened",
            "it in what is sent later",
        )?;
    }
    Ok(())
}
