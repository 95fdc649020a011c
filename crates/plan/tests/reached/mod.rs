//! How a service is reached, what it may use, and what of it runs already: any that a plan may have.

use plimsoll_plan::*;
use proptest::option;
use proptest::prelude::*;

/// A process or a container.
pub(crate) fn running(number: u32) -> Running {
    match number % 2 {
        0 => Running::Process(number),
        _ => Running::Container(parse_container(&format!("web-{number}")).expect("a name")),
    }
}

pub(crate) fn limits() -> impl Strategy<Value = Limits> {
    let cpu = (10_u32..=4_096_000).prop_map(|millis| parse_cpu_limit(&format!("{millis}m")).expect("a limit"));
    let memory = (8_u64 << 20..).prop_map(ByteSize::new);
    (option::of(cpu), option::of(memory), option::of(1_u32..)).prop_map(|(cpu, memory, pids)| Limits {
        cpu,
        memory,
        pids,
    })
}

pub(crate) fn proxies() -> impl Strategy<Value = Proxy> {
    ("[a-z]{1,8}", 1_u16.., option::of("\\PC{0,8}")).prop_map(|(host, port, user)| {
        let url = Url {
            user: user.map(Secret::from),
            ..Url::at(host, port)
        };
        Proxy::at(url).expect("a proxy")
    })
}

pub(crate) fn auths() -> impl Strategy<Value = Auth> {
    prop_oneof![
        ("[^:\\p{Cc}]{0,8}", "\\PC{0,8}").prop_map(|(user, password)| Auth::basic(&format!("{user}:{password}"))),
        "[!-~]{1,12}".prop_map(|token| Auth::bearer(&token)),
    ]
}

pub(crate) fn tls_options() -> impl Strategy<Value = TlsOptions> {
    let file = || option::of("/[a-z]{1,8}");
    let versions = prop_oneof![
        Just(TlsVersions::Any),
        Just(TlsVersions::Tls12),
        Just(TlsVersions::Tls13)
    ];
    (
        file(),
        file(),
        file(),
        option::of("[a-z]{1,8}"),
        any::<[bool; 2]>(),
        versions,
    )
        .prop_map(
            |(ca, cert, key, server_name, [insecure, resume], versions)| TlsOptions {
                insecure: insecure && ca.is_none(),
                key: key.filter(|_| cert.is_some()).map(Into::into),
                ca: ca.map(Into::into),
                cert: cert.map(Into::into),
                server_name,
                resume,
                versions,
            },
        )
}
