//! What is sent to a proxy: requests to it, or for a tunnel.

use crate::plan::scenario::Scenario;
use crate::plan::scheme::Scheme;
use crate::plan::target::Target;
use crate::plan::template::Template;
use crate::plan::url::Url;
use crate::secrets::Secret;

const PROXY_AUTHORIZATION: &str = "proxy-authorization";

impl Target {
    /// What is sent where a proxy passes requests on: the scenario and the URL in front of its paths. A service without TLS is reached so,
    /// as by other clients: many proxies open tunnels to port 443 alone.
    #[must_use]
    pub fn through_proxy(&self, scenario: &Scenario) -> Option<(Scenario, Url)> {
        let proxy = self.proxy.as_ref().filter(|_| self.url.scheme == Scheme::Http)?;
        let mut scenario = scenario.clone();
        if let Some(authorization) = proxy.authorization() {
            let value = Template::literal(authorization.reveal());
            for request in scenario.written_requests_mut() {
                request.headers.push((PROXY_AUTHORIZATION.to_owned(), value.clone()));
            }
        }
        let path = Secret::new(format!("http://{}/", self.url.authority()));
        let url = Url {
            path,
            ..self.url.clone()
        };
        Some((scenario, url))
    }

    /// Host and port that a proxy is asked for a tunnel to, and how that is authorized. A service with TLS is reached so.
    #[must_use]
    pub fn tunnel(&self) -> Option<(String, Option<Secret>)> {
        let proxy = self.proxy.as_ref().filter(|_| self.url.scheme.is_secure())?;
        let authority = self.url.authority();
        let to = match self.url.port() {
            // CONNECT has no default port.
            Some(port) if port == self.url.scheme.default_port() => format!("{authority}:{port}"),
            _ => authority,
        };
        Some((to, proxy.authorization()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::proxy::Proxy;
    use crate::plan::request::Request;

    fn target(url: &str) -> Target {
        Target {
            proxy: Some(Proxy::at(Url::parse("http://me:pass@p:3128").expect("a URL")).expect("a proxy")),
            ..Target::at(Url::parse(url).expect("a URL"))
        }
    }

    #[test]
    fn a_proxy_is_asked_or_opens_a_tunnel() {
        let scenario = Scenario {
            requests: vec![Request::get(Template::literal("/a"))],
            ..Scenario::default()
        };
        let clear = target("http://[fe80::1%25lo]:81/");
        let (sent, url) = clear.through_proxy(&scenario).expect("requests to the proxy");
        assert_eq!(url.path.reveal(), "http://[fe80::1]:81/");
        assert_eq!(sent.requests[0].headers[0].0, "proxy-authorization");
        assert!(clear.tunnel().is_none());

        let secured = target("https://shop.test/");
        assert!(secured.through_proxy(&scenario).is_none());
        let (to, authorization) = secured.tunnel().expect("a tunnel");
        assert_eq!(to, "shop.test:443");
        assert_eq!(authorization.expect("a user").reveal(), "Basic bWU6cGFzcw==");
        assert_eq!(
            target("https://[::1]:8443/").tunnel().expect("a tunnel").0,
            "[::1]:8443"
        );
    }
}
