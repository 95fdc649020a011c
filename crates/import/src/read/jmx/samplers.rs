//! Requests of JMeter.

use super::properties::{collection, property};
use super::{Scope, credentials};
use crate::journey::{Body, Journeys, Request};
use crate::left_out::Place;
use crate::read::xml::Element;
use crate::read::{multipart, query};
use crate::text::Text;

/// JMeter follows so many.
const REDIRECTS: u32 = 20;

pub(super) fn is_http(element: &Element) -> bool {
    matches!(
        element.name.as_str(),
        "HTTPSamplerProxy" | "HTTPSampler" | "HTTPSampler2"
    )
}

/// Most redirects that requests follow: all of a plan, or none.
pub(super) fn redirects(root: &Element) -> u32 {
    let follows = |element: &Element| {
        let is_on = |name| property(element, name) == Some("true");
        is_http(element)
            && element.attribute("enabled") != Some("false")
            && (is_on("HTTPSampler.follow_redirects") || is_on("HTTPSampler.auto_redirects"))
    };
    fn any(element: &Element, is: &dyn Fn(&Element) -> bool) -> bool {
        is(element) || element.children.iter().any(|child| any(child, is))
    }
    if any(root, &follows) { REDIRECTS } else { 0 }
}

pub(super) fn request(journeys: &mut Journeys, element: &Element, scope: &Scope<'_>) -> Option<Request> {
    let place = Place::Line(element.line);
    // What the element itself does not say, its defaults say.
    let said = |name: &str| {
        let own = property(element, name).filter(|text| !text.is_empty());
        let default = || {
            scope
                .defaults
                .iter()
                .find_map(|defaults| property(defaults, name).filter(|text| !text.is_empty()))
        };
        own.or_else(default)
    };
    let path = said("HTTPSampler.path").unwrap_or("/");
    let mut url = Text::default();
    if path.starts_with("http://") || path.starts_with("https://") {
        url.append(&Text::with_dollars(path));
    } else {
        match said("HTTPSampler.domain") {
            Some(domain) if domain.contains("://") => url.append(&Text::with_dollars(domain)),
            Some(domain) => {
                url.append(&Text::with_dollars(said("HTTPSampler.protocol").unwrap_or("http")));
                url.push_str("://");
                url.append(&Text::with_dollars(domain));
            }
            None => {}
        }
        if let Some(port) = said("HTTPSampler.port")
            && !url.is_empty()
        {
            url.push_str(":");
            url.append(&Text::with_dollars(port));
        }
        if !path.starts_with('/') && !path.starts_with("${") {
            url.push_str("/");
        }
        url.append(&Text::with_dollars(path));
    }
    let method = said("HTTPSampler.method").unwrap_or("GET");
    let mut request = Request::new(place.clone(), method, url);
    request.name = element.attribute("testname").map(str::to_owned);
    credentials::give(&mut request, &scope.credentials);
    request.headers.clone_from(&scope.headers);
    request.statuses.clone_from(&scope.statuses);
    request.takes.clone_from(&scope.takes);
    request.checks.clone_from(&scope.checks);
    let arguments = collection(element, "HTTPsampler.Arguments");
    let value = |argument: &Element| Text::with_dollars(property(argument, "Argument.value").unwrap_or_default());
    let is_raw = property(element, "HTTPSampler.postBodyRaw") == Some("true");
    let has_names = arguments
        .iter()
        .any(|argument| property(argument, "Argument.name").is_some_and(|name| !name.is_empty()));
    let takes_body = matches!(method, "POST" | "PUT" | "PATCH" | "DELETE");
    if is_raw || !has_names && takes_body && !arguments.is_empty() {
        let mut body = Text::default();
        arguments.iter().for_each(|argument| body.append(&value(argument)));
        request.body = Body::Text(body);
    } else if !arguments.is_empty() {
        let mut form = Text::default();
        let mut parts = Vec::new();
        for argument in &arguments {
            let name = Text::with_dollars(property(argument, "Argument.name").unwrap_or_default());
            let value = value(argument);
            let is_encoded = property(argument, "HTTPArgument.always_encode") != Some("true");
            form.push_str(if form.is_empty() { "" } else { "&" });
            form.append(&name);
            form.push_str("=");
            form.append(&if is_encoded {
                value.clone()
            } else {
                query::encoded(&value)
            });
            parts.push((name, value));
        }
        if takes_body && property(element, "HTTPSampler.DO_MULTIPART_POST") == Some("true") {
            request.default_header("content-type", multipart::content_type());
            request.body = Body::Text(multipart::body(&parts));
        } else if takes_body {
            request.default_header("content-type", "application/x-www-form-urlencoded");
            request.body = Body::Text(form);
        } else {
            request.url = query::with_query(&request.url, &form);
        }
    }
    let has_files = |child: &&Element| {
        child.attribute("name") == Some("HTTPsampler.Files")
            && child.children.iter().any(|inner| !inner.children.is_empty())
    };
    if let Some(files) = element.children.iter().find(has_files) {
        journeys.leave_out(
            &Place::Line(files.line),
            "files of a request",
            "plans do not put files into parts; the request has its other parts",
        );
    }
    if property(element, "HTTPSampler.image_parser") == Some("true") {
        journeys.leave_out(&place, "embedded resources", "plans do not load what a page refers to");
    }
    Some(request)
}
