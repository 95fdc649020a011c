//! Credentials that requests have by where they go.

use super::properties::{collection, property};
use crate::journey::{Authorization, Journeys, Request};
use crate::left_out::Place;
use crate::read::xml::Element;
use crate::text::Text;

/// User and password for what begins with a URL.
#[derive(Debug, Clone)]
pub(super) struct Credentials {
    url: Text,
    authorization: Authorization,
}

/// Those of a manager, without the ones that plans do not have.
pub(super) fn of(journeys: &mut Journeys, manager: &Element) -> Vec<Credentials> {
    let mut all = Vec::new();
    for entry in collection(manager, "AuthManager.auth_list") {
        let text =
            |name: &str| Text::with_dollars(property(entry, &format!("Authorization.{name}")).unwrap_or_default());
        let user = text("username");
        if matches!(property(entry, "Authorization.mechanism"), Some("DIGEST" | "KERBEROS")) || user.is_empty() {
            let why = "plans have user and password in the clear of HTTP (Basic) alone";
            journeys.leave_out(&Place::Line(entry.line), "credentials", why);
            continue;
        }
        let password = text("password");
        all.push(Credentials {
            url: text("url"),
            authorization: Authorization::Basic { user, password },
        });
    }
    all
}

/// Has clients keep cookies. Those that the manager has to begin with are left out.
pub(super) fn cookies(journeys: &mut Journeys, manager: &Element) {
    journeys.cookies = Some(Place::Line(manager.line));
    for cookie in collection(manager, "CookieManager.cookies") {
        let name = cookie.attribute("name").unwrap_or_default();
        let why = "users have the cookies that responses set alone; a header `cookie` of a request takes their place";
        journeys.leave_out(&Place::Line(cookie.line), format!("the cookie `{name}`"), why);
    }
}

/// Gives a request the credentials that are for it; the innermost first.
pub(super) fn give(request: &mut Request, credentials: &[Credentials]) {
    let is_for = |credentials: &&Credentials| match credentials.url.as_literal() {
        Some(url) => request.url.beginning().starts_with(url),
        None => request.url == credentials.url,
    };
    let found = credentials.iter().rev().find(is_for);
    request.authorization = found.map(|found| found.authorization.clone());
}
