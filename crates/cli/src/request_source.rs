//! What options say of requests, and of the way to the target.

use crate::args::{ReachArgs, RequestArgs, TlsArgs};
use crate::exit::Failure;
use plimsoll_files::given;
use plimsoll_plan::{Auth, HttpVersion, Method, PlanDraft, Proxy, Target, Template};
use std::borrow::Cow;
use std::path::Path;

/// Most bytes of a file whose name is given as `@FILE`.
const MOST_ARGUMENT_BYTES: u64 = 64 << 10;

pub(crate) fn request(plan: &mut PlanDraft, args: &RequestArgs) -> Result<(), Failure> {
    let scenario = &mut plan.scenario;
    let mut body = args.body.as_deref();
    if !scenario.openings.is_empty() {
        // What is said once the connection is open.
        if let Some(text) = body.take() {
            scenario.say(text)?;
        }
    }
    let first = scenario.openings.first_mut().or(scenario.requests.first_mut());
    let Some(request) = first else { return Ok(()) };
    if let Some(method) = &args.method {
        request.method = method.parse()?;
    } else if body.is_some() {
        request.method = Method::new("POST").ok_or_else(|| Failure::bad_plan("POST is not a method"))?;
    }
    for header in &args.headers {
        // Not repeated: what has no name may be the value.
        let (name, value) = header
            .split_once(':')
            .ok_or_else(|| Failure::bad_plan("found a header without a colon").hint("write it as 'name: value'"))?;
        request
            .headers
            .push((name.trim().to_owned(), Template::literal(value.trim())));
    }
    if let Some(body) = body {
        request.body = Template::literal(body);
    }
    Ok(())
}

/// How the service is reached, as far as the command line says so.
pub(crate) fn reach(plan: &mut PlanDraft, args: &ReachArgs) -> Result<(), Failure> {
    if args.http2 {
        plan.target.http = HttpVersion::Http2;
    }
    if let Some(most) = args.follow {
        plan.target.follow_redirects = most;
    }
    if !args.resolve.is_empty() {
        plan.target.resolve.clone_from(&args.resolve);
    }
    if let Some(proxy) = &args.proxy {
        let url = proxy.parse()?;
        plan.target.proxy = Some(Proxy::at(url)?);
    }
    if let Some(user) = &args.auth.user {
        let user = argument(user)?;
        if !user.contains(':') {
            // Not repeated: it may be the password.
            return Err(Failure::bad_plan(
                "found no colon in what --user holds, expected NAME:PASSWORD",
            ));
        }
        plan.authorize(Auth::basic(&user));
    }
    if let Some(token) = &args.auth.bearer {
        plan.authorize(Auth::bearer(&argument(token)?));
    }
    tls(&mut plan.target, &args.tls);
    Ok(())
}

/// What an argument holds: itself, or behind `@` the name of the file with it.
fn argument(text: &str) -> Result<Cow<'_, str>, Failure> {
    let Some(path) = text.strip_prefix('@') else {
        return Ok(text.into());
    };
    let unreadable = |why: String| Failure::bad_plan(format!("failed to read the file behind `@`: {why}"));
    let bytes = given::bytes(Path::new(path), MOST_ARGUMENT_BYTES).map_err(|error| unreadable(error.to_string()))?;
    let text = String::from_utf8(bytes).map_err(|_| unreadable("it is not UTF-8".to_owned()))?;
    Ok(text.trim_end_matches(['\r', '\n']).to_owned().into())
}

/// How TLS is spoken, as far as the command line says so.
fn tls(target: &mut Target, args: &TlsArgs) {
    let tls = &mut target.tls;
    if args.insecure {
        (tls.insecure, tls.ca) = (true, None);
    }
    if args.cacert.is_some() {
        (tls.insecure, tls.ca) = (false, args.cacert.clone());
    }
    if args.cert.is_some() {
        (tls.cert, tls.key) = (args.cert.clone(), args.key.clone());
    }
}
