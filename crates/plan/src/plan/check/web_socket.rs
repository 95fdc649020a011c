//! The rules about WebSockets.

use super::{Checked, flaw, rule};
use crate::notation::mismatch::{Mismatch, quoted};
use crate::plan::draft::PlanDraft;
use crate::plan::hold::Park;
use crate::plan::http::HttpVersion;
use crate::plan::load::Load;
use crate::plan::request::{Form, Request};
use crate::plan::scenario::Scenario;
use crate::plan::variable::Values;

pub(super) fn check_web_socket(plan: &PlanDraft) -> Checked {
    let (target, scenario) = (&plan.target, &plan.scenario);
    let says = scenario.requests.iter().any(Request::is_message);
    if !target.url.scheme.is_web_socket() {
        let joins = scenario
            .all_requests()
            .any(|request| matches!(request.form, Form::Join { .. }));
        rule(
            !joins,
            "scenario.requests",
            "`connect`, and a URL that does not begin with `socket.io`",
            "a URL such as socket.io+ws://127.0.0.1:3000",
        )?;
        let key = if says { "scenario.requests" } else { "scenario.actions" };
        return rule(
            !says && !scenario.sends_messages(),
            key,
            "`send`, and a URL that does not begin with `ws`",
            "a URL such as ws://127.0.0.1:3000/chat",
        );
    }
    check_forms(plan)?;
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

/// Messages are those of the protocol.
fn check_forms(plan: &PlanDraft) -> Checked {
    let is_socket_io = plan.target.url.scheme.is_socket_io();
    for request in plan.scenario.all_requests() {
        let (fits, found, expected) = match request.form {
            Form::Http => continue,
            Form::Message => (!is_socket_io, "`send`, and Socket.IO", "`emit`, which sends an event"),
            Form::Event => (
                is_socket_io,
                "`emit`, and a WebSocket",
                "a URL such as socket.io+ws://127.0.0.1:3000",
            ),
            Form::Join { .. } => (
                is_socket_io,
                "`connect`, and a WebSocket",
                "a URL such as socket.io+ws://127.0.0.1:3000",
            ),
        };
        rule(fits, "scenario", found, expected)?;
    }
    Ok(())
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
        scenario.requests.iter().all(Request::is_message),
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
        let has_body = !request.body.is_empty() && !matches!(request.form, Form::Join { .. });
        rule(
            request.method.as_str() == "GET" && !has_body,
            &key,
            "a method other than GET, or a body, where a WebSocket is opened",
            "a GET with path and headers; what is sent later is a `send`",
        )?;
        let namespace = request.namespace();
        rule(
            namespace.starts_with('/') && !namespace.contains([',', '?', ' ']),
            format!("{key}.connect.namespace"),
            quoted(namespace),
            "a namespace such as /chat",
        )?;
        rule(
            namespace == openings[0].namespace(),
            format!("{key}.connect.namespace"),
            "another namespace",
            "the same for all connections",
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
