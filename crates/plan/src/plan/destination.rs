//! Where a service is, as its plan says it.

use crate::plan::proxy::Proxy;
use crate::plan::resolution::Resolution;
use crate::plan::target::Target;
use crate::plan::url::Url;

/// Where a service is, for who connects to it.
#[derive(Debug, Clone, Copy)]
pub struct Destination<'a> {
    /// What names it.
    pub url: &'a Url,
    resolve: &'a [Resolution],
}

impl<'a> Destination<'a> {
    /// Where connections that carry load go: to the proxy, if there is one.
    #[must_use]
    pub fn of_load(target: &'a Target) -> Self {
        Self {
            url: target.proxy.as_ref().map_or(&target.url, Proxy::url),
            resolve: &target.resolve,
        }
    }

    /// Where a URL leads, with the names of a target resolved as its plan says.
    #[must_use]
    pub fn to(url: &'a Url, target: &'a Target) -> Self {
        Self {
            url,
            resolve: &target.resolve,
        }
    }

    /// What is looked up to find the addresses of `host`, which is that of the URL: names, or addresses, in the order of preference.
    #[must_use]
    pub fn names(&self, host: &'a str) -> Vec<&'a str> {
        match self
            .resolve
            .iter()
            .find(|resolution| resolution.is_of(&self.url.server))
        {
            Some(resolution) => resolution.addresses(),
            None => vec![host],
        }
    }
}

impl<'a> From<&'a Url> for Destination<'a> {
    fn from(url: &'a Url) -> Self {
        Self { url, resolve: &[] }
    }
}

impl<'a> From<&'a Target> for Destination<'a> {
    fn from(target: &'a Target) -> Self {
        Self {
            url: &target.url,
            resolve: &target.resolve,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation as _;

    #[test]
    fn names_are_those_of_the_resolution_about_the_host_and_port() {
        let resolve = ["a:80:127.0.0.2", "h:81:127.0.0.3", "h:80:127.0.0.4,::1"]
            .map(|text| Resolution::read(text).expect("valid"));
        let target = |url: &str| Target {
            resolve: resolve.to_vec(),
            ..Target::at(Url::parse(url).expect("a URL"))
        };
        let names = |url: &str, host: &str| -> Vec<String> {
            let target = target(url);
            let names = Destination::from(&target).names(host);
            names.into_iter().map(str::to_owned).collect()
        };
        assert_eq!(names("http://h/", "h"), ["127.0.0.4", "::1"]);
        assert_eq!(names("http://H:81/", "h"), ["127.0.0.3"]);
        assert_eq!(names("http://h:82/", "h"), ["h"]);
    }
}
