//! Requests of JMeter.

use super::properties::{collection, property};
use super::{Scope, credentials};
use crate::journey::{Body, Journeys, Request};
use crate::left_out::{Place, counted};
use crate::read::multipart::{self, Part};
use crate::read::query;
use crate::read::xml::Element;
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

/// A sampler with the defaults around it.
struct Sampler<'a> {
    element: &'a Element,
    /// The inner ones first.
    defaults: &'a [&'a Element],
}

impl<'a> Sampler<'a> {
    fn all(&self) -> impl Iterator<Item = &'a Element> {
        std::iter::once(self.element).chain(self.defaults.iter().copied())
    }

    /// What the element itself does not say, its defaults say.
    fn said(&self, name: &str) -> Option<&'a str> {
        let mut found = self.all().filter_map(|element| property(element, name));
        found.find(|text| !text.is_empty())
    }

    fn is_on(&self, name: &str) -> bool {
        self.said(name) == Some("true")
    }

    /// Its arguments and, behind them, those of its defaults, also of the same name.
    fn arguments(&self) -> Vec<Argument> {
        let arguments = self
            .all()
            .flat_map(|element| collection(element, "HTTPsampler.Arguments"));
        arguments
            .filter(|argument| argument.attribute("enabled") != Some("false"))
            .map(Argument::of)
            .collect()
    }

    /// Where it goes, and whether all of that is in its path.
    fn url(&self) -> (Text, bool) {
        let path = self.said("HTTPSampler.path").unwrap_or("/");
        if path.starts_with("http://") || path.starts_with("https://") {
            return (Text::with_dollars(path), true);
        }
        let mut url = Text::default();
        match self.said("HTTPSampler.domain") {
            Some(domain) if domain.contains("://") => url.append(&Text::with_dollars(domain)),
            Some(domain) => {
                url.append(&Text::with_dollars(self.said("HTTPSampler.protocol").unwrap_or("http")));
                url.push_str("://");
                url.append(&Text::with_dollars(domain));
            }
            None => {}
        }
        if let Some(port) = self.said("HTTPSampler.port")
            && !url.is_empty()
        {
            url.push_str(":");
            url.append(&Text::with_dollars(port));
        }
        if !path.starts_with('/') && !path.starts_with("${") {
            url.push_str("/");
        }
        url.append(&Text::with_dollars(path));
        (url, false)
    }
}

/// A parameter of a request, or a part of its body where it has no name.
struct Argument {
    name: Text,
    value: Text,
    /// As it is sent in a query or a form.
    pair: Text,
    /// What it is as a part of a body, if the file says so.
    content_type: Option<Text>,
}

impl Argument {
    fn of(element: &Element) -> Self {
        let text = |name: &str| Text::with_dollars(property(element, name).unwrap_or_default());
        let (name, value) = (text("Argument.name"), text("Argument.value"));
        let is_to_be_encoded = property(element, "HTTPArgument.always_encode") == Some("true");
        let sent = |text: &Text| {
            if is_to_be_encoded {
                query::encoded(text)
            } else {
                text.clone()
            }
        };
        let mut pair = sent(&name);
        let is_alone = property(element, "HTTPArgument.use_equals") == Some("false") && value.is_empty();
        pair.push_str(if is_alone { "" } else { "=" });
        pair.append(&sent(&value));
        let content_type = property(element, "HTTPArgument.content_type").filter(|media| !media.is_empty());
        Self {
            name,
            value,
            pair,
            content_type: content_type.map(Text::with_dollars),
        }
    }
}

pub(super) fn request(journeys: &mut Journeys, element: &Element, scope: &Scope<'_>) -> Option<Request> {
    let place = Place::Line(element.line);
    let sampler = Sampler {
        element,
        defaults: &scope.defaults,
    };
    let (url, is_whole) = sampler.url();
    let method = sampler.said("HTTPSampler.method").unwrap_or("GET");
    let mut request = Request::new(place.clone(), method, url);
    credentials::give(&mut request, &scope.credentials);
    request.headers.clone_from(&scope.headers);
    request.statuses.clone_from(&scope.statuses);
    request.takes.clone_from(&scope.takes);
    request.checks.clone_from(&scope.checks);
    put_arguments(journeys, &sampler, &mut request, is_whole);
    put_files(journeys, element, &mut request);
    if sampler.is_on("HTTPSampler.image_parser") {
        journeys.leave_out(&place, "embedded resources", "plans do not load what a page refers to");
    }
    Some(request)
}

/// A file without a name is the whole body, where nothing else is; others would be parts.
fn put_files(journeys: &mut Journeys, element: &Element, request: &mut Request) {
    let of_element = |child: &&Element| child.attribute("name") == Some("HTTPsampler.Files");
    let Some(list) = element.children.iter().find(of_element) else {
        return;
    };
    let files: Vec<&Element> = list.children.iter().flat_map(|inner| &inner.children).collect();
    let said = |file: &'_ Element, name: &str| property(file, name).unwrap_or_default().to_owned();
    match files.as_slice() {
        [] => {}
        [file]
            if said(file, "File.paramname").is_empty()
                && !said(file, "File.path").contains("${")
                && request.body == Body::None
                && matches!(request.method.as_str(), "POST" | "PUT" | "PATCH") =>
        {
            request.body = Body::File(said(file, "File.path"));
            let media = said(file, "File.mimetype");
            if !media.is_empty() {
                request.default_header("content-type", media.as_str());
            }
        }
        _ => journeys.leave_out(
            &Place::Line(list.line),
            "files of a request",
            "plans do not put files into parts; the request has its other parts",
        ),
    }
}

/// Puts the arguments where JMeter does: those with names into the query or a form, by the method; those without into the body as they are.
fn put_arguments(journeys: &mut Journeys, sampler: &Sampler<'_>, request: &mut Request, is_whole: bool) {
    let arguments = sampler.arguments();
    let mut none_sent = |why: String| {
        let what = counted(arguments.len(), "parameter");
        journeys.leave_out(&request.place, what, why);
    };
    let method = request.method.as_str();
    let has_no_body = matches!(method, "HEAD" | "OPTIONS" | "TRACE");
    if sampler.is_on("HTTPSampler.postBodyRaw") || arguments.iter().all(|argument| argument.name.is_empty()) {
        let mut body = Text::default();
        arguments.iter().for_each(|argument| body.append(&argument.value));
        if body.is_empty() {
        } else if has_no_body {
            none_sent(format!("JMeter sends no body with {method}"));
        } else {
            request.body = Body::Text(body);
        }
        return;
    }
    let named: Vec<&Argument> = arguments.iter().filter(|argument| !argument.name.is_empty()).collect();
    let mut form = Text::default();
    for argument in &named {
        form.push_str(if form.is_empty() { "" } else { "&" });
        form.append(&argument.pair);
    }
    match method {
        "GET" | "DELETE" | "OPTIONS" if is_whole => {
            none_sent(format!("JMeter sends none with {method} where the path is a whole URL"));
        }
        "GET" | "DELETE" | "OPTIONS" => request.url = query::with_query(&request.url, &form),
        _ if has_no_body => none_sent(format!("JMeter sends none with {method}")),
        _ if sampler.is_on("HTTPSampler.DO_MULTIPART_POST") => {
            let part = |argument: &&Argument| Part {
                name: argument.name.clone(),
                value: argument.value.clone(),
                content_type: argument.content_type.clone(),
            };
            multipart::put_parts(request, &named.iter().map(part).collect::<Vec<_>>());
        }
        _ => {
            request.default_header("content-type", "application/x-www-form-urlencoded");
            request.body = Body::Text(form);
        }
    }
}
