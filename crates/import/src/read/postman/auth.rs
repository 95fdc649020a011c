//! Credentials of Postman.

use crate::journey::{Authorization, Journeys, Request};
use crate::left_out::Place;
use crate::read::json::{entries, list, scalar};
use crate::read::query;
use crate::text::Text;
use serde_json::Value;

/// Gives a request the credentials that it, or a directory around it, has.
pub(super) fn authorize(journeys: &mut Journeys, place: &Place, request: &mut Request, auth: &Value) {
    let Some(kind) = auth["type"].as_str() else { return };
    // A list of keys and values in the format 2.1, an object in 2.0.
    let parameter = |name: &str| {
        let of = &auth[kind];
        let listed = list(of)
            .find(|entry| entry["key"] == name)
            .and_then(|entry| scalar(&entry["value"]));
        let text = listed.or_else(|| {
            entries(of)
                .find(|(key, _)| *key == name)
                .and_then(|(_, value)| scalar(value))
        });
        Text::with_braces(&text.unwrap_or_default())
    };
    match kind {
        "noauth" => {}
        "basic" => {
            let (user, password) = (parameter("username"), parameter("password"));
            request.authorization = Some(Authorization::Basic { user, password });
        }
        "bearer" => request.authorization = Some(Authorization::Bearer(parameter("token"))),
        "oauth2" => request.authorization = Some(Authorization::Bearer(parameter("accessToken"))),
        "apikey" => {
            let (name, value) = (parameter("key"), parameter("value"));
            if parameter("in").as_literal() == Some("query") {
                request.url = query::with_query(&request.url, &query::form([(&name, &value)]));
            } else if let Some(name) = name.as_literal().filter(|name| !name.is_empty()) {
                request.default_header(name, value);
            }
        }
        _ => journeys.leave_out(
            place,
            format!("authorization by {kind}"),
            "plans do not compute credentials for each request",
        ),
    }
}
