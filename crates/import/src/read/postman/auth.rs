//! Credentials of Postman.

use crate::journey::{Authorization, Journeys, Key, Request};
use crate::left_out::Place;
use crate::read::json::{entries, list, scalar};
use crate::text::Text;
use serde_json::Value;

/// The parameters of credentials: a list of keys and values in the format 2.1, an object in 2.0.
struct Credentials<'a>(&'a Value);

impl Credentials<'_> {
    fn parameter(&self, name: &str) -> Option<Text> {
        let listed = list(self.0).find(|entry| entry["key"] == name);
        let value = listed.map(|entry| &entry["value"]);
        let value = value.or_else(|| entries(self.0).find(|(key, _)| *key == name).map(|(_, value)| value));
        value.and_then(scalar).map(|text| Text::with_braces(text.trim()))
    }

    fn text(&self, name: &str) -> Text {
        self.parameter(name).unwrap_or_default()
    }

    fn is(&self, name: &str, value: &str) -> bool {
        let found = self.parameter(name);
        found.is_some_and(|found| {
            found
                .as_literal()
                .is_some_and(|found| found.eq_ignore_ascii_case(value))
        })
    }
}

/// Gives a request the credentials that it, or a directory around it, has. They go before its headers.
pub(super) fn authorize(journeys: &mut Journeys, place: &Place, request: &mut Request, auth: &Value) {
    let Some(kind) = auth["type"].as_str() else { return };
    let credentials = Credentials(&auth[kind]);
    match kind {
        "noauth" => {}
        "basic" => {
            let (user, password) = (credentials.text("username"), credentials.text("password"));
            set(request, Authorization::Basic { user, password });
        }
        "bearer" => set(request, Authorization::Bearer(credentials.text("token"))),
        "oauth2" if !credentials.is("tokenType", "mac") => oauth2(request, &credentials),
        "apikey" => {
            request.key = Some(Key {
                name: credentials.text("key"),
                value: credentials.text("value"),
                is_in_query: credentials.is("in", "query"),
            });
        }
        _ => journeys.leave_out(
            place,
            format!("authorization by {kind}"),
            "plans do not compute credentials for each request",
        ),
    }
}

fn set(request: &mut Request, authorization: Authorization) {
    request.remove_header("authorization");
    request.authorization = Some(authorization);
}

/// A token in the header, behind `Bearer` unless another word is said, or in the query.
fn oauth2(request: &mut Request, credentials: &Credentials<'_>) {
    // Where the collection was exported without one.
    let token = credentials.parameter("accessToken").filter(|token| !token.is_empty());
    let token = token.unwrap_or_else(|| Text::variable("access_token"));
    if credentials.is("addTokenTo", "queryParams") {
        request.key = Some(Key {
            name: Text::literal("access_token"),
            value: token,
            is_in_query: true,
        });
        return;
    }
    match credentials.parameter("headerPrefix") {
        Some(mut prefix) if prefix.as_literal() != Some("Bearer") => {
            prefix.push_str(if prefix.is_empty() { "" } else { " " });
            prefix.append(&token);
            request.remove_header("authorization");
            request.headers.push(("authorization".to_owned(), prefix));
        }
        _ => set(request, Authorization::Bearer(token)),
    }
}
