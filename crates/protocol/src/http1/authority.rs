//! The value of the `host` header.

/// `host` as the `host` header has it: an IPv6 address in brackets, the port unless it is the scheme's own.
#[must_use]
pub fn authority(host: &str, port: u16, default_port: u16) -> String {
    let bare_ipv6 = host.contains(':') && !host.starts_with('[');
    let host = if bare_ipv6 {
        format!("[{host}]")
    } else {
        host.to_owned()
    };
    if port == default_port {
        host
    } else {
        format!("{host}:{port}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_header_omits_the_default_port() {
        assert_eq!(authority("shop", 80, 80), "shop");
        assert_eq!(authority("shop", 8080, 80), "shop:8080");
        assert_eq!(authority("::1", 80, 80), "[::1]");
        assert_eq!(authority("[::1]", 3000, 80), "[::1]:3000");
    }
}
