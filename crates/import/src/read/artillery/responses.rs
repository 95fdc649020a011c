//! What scripts of Artillery do with a response: what they take of it, and what makes it correct.

use super::values::{condition, expression, is_plain, percent};
use super::{OF_REQUEST, Reader};
use crate::journey::{Check, CheckOf, Expected, Request, Take, TakeFrom};
use crate::left_out::Place;
use crate::read::json::{entries, scalar};
use crate::text::Text;
use serde_json::Value;

/// Of a check that plans do not have.
const NO_CHECK: &str = "plans have no such check";

impl Reader {
    /// What is done with the response.
    pub(super) fn response(&mut self, place: &Place, request: &mut Request, of: &Value) {
        let several = |of: &Value| match of {
            Value::Array(all) => all.clone(),
            Value::Null => Vec::new(),
            one => vec![one.clone()],
        };
        for capture in several(&of["capture"]) {
            request.takes.push(Take {
                place: place.key("capture"),
                variable: capture["as"].as_str().unwrap_or_default().to_owned(),
                from: match (capture["json"].as_str(), capture["header"].as_str()) {
                    (Some(path), _) => TakeFrom::Json(path.to_owned()),
                    (_, Some(name)) => TakeFrom::Header(name.to_owned()),
                    _ => expression(&capture),
                },
                // What is one value is taken apart from lists later.
                all: capture["json"].is_string(),
            });
        }
        for expect in several(&of["expect"]) {
            for (key, value) in entries(&expect) {
                match key {
                    "statusCode" => request.statuses.extend(several(value).iter().filter_map(scalar)),
                    "headerEquals" => {
                        let both = several(value).iter().filter_map(scalar).collect::<Vec<_>>();
                        let is = both.get(1).and_then(|is| self.compared_with(is));
                        match (both.first(), is) {
                            (Some(name), Some(is)) => request.checks.push(Check {
                                place: place.key("expect"),
                                what: key.to_owned(),
                                of: CheckOf::Header(name.clone(), Expected::Is(is)),
                            }),
                            _ => self.journeys.leave_out(&place.key("expect"), key, NO_CHECK),
                        }
                    }
                    "hasProperty" | "hasHeader" if value.as_str().is_some_and(is_plain) => {
                        let name = value.as_str().unwrap_or_default();
                        request.checks.push(Check {
                            place: place.key("expect"),
                            what: key.to_owned(),
                            of: match key {
                                "hasHeader" => CheckOf::Header(name.to_owned(), Expected::Any),
                                _ => CheckOf::Json(format!("$.{name}"), Expected::Any),
                            },
                        });
                    }
                    _ => self.journeys.leave_out(&place.key("expect"), key, NO_CHECK),
                }
            }
        }
        if of["followRedirect"] == false {
            self.journeys.leave_out(
                &place.key("followRedirect"),
                "followRedirect: false",
                "a plan follows redirects of all requests or of none",
            );
        }
        for wanted in several(&of["match"]) {
            let is = scalar(&wanted["value"]).and_then(|is| self.compared_with(&is));
            match (wanted["json"].as_str(), is) {
                (Some(path), Some(is)) => request.checks.push(Check {
                    place: place.key("match"),
                    what: "match".to_owned(),
                    of: CheckOf::Json(path.to_owned(), Expected::Is(is)),
                }),
                _ => self.journeys.leave_out(&place.key("match"), "match", NO_CHECK),
            }
        }
        let is_read = |key: &str| {
            OF_REQUEST.contains(&key)
                || matches!(key, "followRedirect" | "match")
                || key == "probability" && percent(&of[key]).is_some()
                || key == "ifTrue" && condition(&of[key]).is_some()
        };
        for (key, _) in entries(of).filter(|(key, _)| !is_read(key)) {
            let why = match key {
                "ifTrue" => "its condition is not carried over; the request is always sent",
                _ => "plans have no functions",
            };
            self.journeys.leave_out(&place.key(key), key, why);
        }
    }

    /// What a value is compared with, if no function makes it: that is another one each time.
    fn compared_with(&self, text: &str) -> Option<Text> {
        let made = Text::with_braces(text).resolved(&self.constants);
        let is_plain = made.variables().all(|name| !name.starts_with('$'));
        is_plain.then_some(made)
    }
}
