//! What responds in the place of a neighbour, as a saved plan has it.

use crate::duration_text;
use crate::notation::json::Json;
use crate::plan::print_request::{Secrets, map, print_body, print_headers};
use crate::plan::stand_in::{MILLION, PERCENTILES, ResponseTime, StandIn, StandInBody, StandInResponse};

pub(crate) fn print_stand_in(stand_in: &StandIn, secrets: Secrets) -> Json {
    let StandIn { port, responses } = stand_in;
    let responses = responses.iter().map(|response| print_response(response, secrets));
    map([
        ("port", u32::from(*port).into()),
        ("responses", Json::List(responses.collect())),
    ])
}

fn print_response(response: &StandInResponse, secrets: Secrets) -> Json {
    let StandInResponse {
        method,
        path,
        time,
        status,
        headers,
        body,
        errors,
    } = response;
    let mut entries = Vec::new();
    let mut put = |key: &str, value: Json| entries.push((key.to_owned(), value));
    if let Some(method) = method {
        put("method", method.as_str().into());
    }
    if let Some(path) = path {
        put("path", path.as_str().into());
    }
    put("response_time", print_time(time));
    put("status", u32::from(*status).into());
    put("errors", errors.to_string().into());
    entries.extend(print_headers(headers, &[], secrets));
    match body {
        StandInBody::Same(body) => entries.extend(print_body(body, &[], secrets)),
        StandInBody::Size { from, to } => {
            let size = map([("from", from.to_string().into()), ("to", to.to_string().into())]);
            entries.push(("size".to_owned(), size));
        }
    }
    Json::Map(entries)
}

fn print_time(time: &ResponseTime) -> Json {
    let entries = match time {
        ResponseTime::Spread(spread) => {
            let name = |of_a_million: u32| match of_a_million {
                0 => Some("from"),
                MILLION => Some("to"),
                other => PERCENTILES
                    .iter()
                    .find(|(_, known)| *known == other)
                    .map(|(name, _)| *name),
            };
            let entry = |&(of_a_million, at_most)| {
                name(of_a_million).map(|name| (name.to_owned(), duration_text(at_most).into()))
            };
            spread.iter().filter_map(entry).collect()
        }
        ResponseTime::Run { directory, request } => {
            let directory = ("run".to_owned(), directory.to_string_lossy().into_owned().into());
            let request = request
                .as_ref()
                .map(|request| ("request".to_owned(), request.as_str().into()));
            [directory].into_iter().chain(request).collect()
        }
    };
    Json::Map(entries)
}
