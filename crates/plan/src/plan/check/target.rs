//! The rules about the service.

use super::{Checked, above_zero, check_path, flaw, rule};
use crate::notation::mismatch::quoted;
use crate::plan::address::Server;
use crate::plan::auth::Auth;
use crate::plan::http::HttpVersion;
use crate::plan::limits::{ByteSize, Limits};
use crate::plan::resolution::authority;
use crate::plan::target::{Target, cpus_text};
use crate::plan::tls::TlsOptions;

/// Less than this holds not even a shell and what starts it.
const LEAST_MEMORY: ByteSize = ByteSize::new(8 << 20);
/// More than any browser follows.
const MOST_REDIRECTS: u32 = 50;

fn check_tls(target: &Target) -> Checked {
    let tls = &target.tls;
    rule(
        target.url.scheme.is_secure() || *tls == TlsOptions::default(),
        "target.tls",
        "options of TLS, and a URL that does not begin with `https`",
        "a URL such as https://127.0.0.1:3000",
    )?;
    rule(
        tls.key.is_none() || tls.cert.is_some(),
        "target.tls.key",
        "a key without a certificate",
        "`cert` as well",
    )?;
    rule(
        !(tls.insecure && tls.ca.is_some()),
        "target.tls.insecure",
        "both `insecure` and `ca`",
        "one of them: to accept any certificate takes no authority",
    )
}

/// One that is about another host is a mistake in it.
fn check_resolve(target: &Target) -> Checked {
    let proxy = target.proxy.as_ref().map(|proxy| &proxy.url().server);
    let servers = || [Some(&target.url.server), proxy].into_iter().flatten();
    for (index, resolution) in target.resolve.iter().enumerate() {
        let key = format!("target.resolve[{index}]");
        let found = format!("an address for {}", quoted(&resolution.authority()));
        let expected = match &target.url.server {
            Server::Tcp { host, port } => {
                format!("one for host and port of the URL, {}", quoted(&authority(host, *port)))
            }
            Server::Unix(_) => "a URL with a host and not with a unix socket".to_owned(),
        };
        let known = servers().any(|server| resolution.is_of(server));
        rule(known, &key, found, expected)?;
        let again = target.resolve[..index]
            .iter()
            .any(|earlier| earlier.authority() == resolution.authority());
        let found = format!("a second entry for {}", quoted(&resolution.authority()));
        rule(!again, key, found, "one, with a comma between its addresses")?;
    }
    Ok(())
}

fn check_proxy(target: &Target) -> Checked {
    rule(
        target.proxy.is_none() || target.url.port().is_some(),
        "target.proxy",
        "a proxy, and the URL of a unix socket",
        "a URL with host and port",
    )?;
    rule(
        target.proxy.is_none() || target.http == HttpVersion::Http1 || target.url.scheme.is_secure(),
        "target.proxy",
        "a proxy, and HTTP/2 in clear text",
        "a URL that begins with `https`, or HTTP/1.1",
    )
}

fn check_redirects(target: &Target) -> Checked {
    rule(
        target.follow_redirects <= MOST_REDIRECTS,
        "target.follow_redirects",
        quoted(&target.follow_redirects.to_string()),
        format!("at most {MOST_REDIRECTS} redirects"),
    )
}

fn check_limits(limits: Limits, cpus: &[usize]) -> Checked {
    if let Some(cpu) = limits.cpu {
        let enough = cpus.is_empty() || cpu.cores() <= cpus.len() as f64;
        let found = format!(
            "`{cpu}` cores of time on {} of {}",
            cpus.len(),
            quoted(&cpus_text(cpus))
        );
        let expected = "no more than the cores in `cpus` have";
        rule(enough, "target.limits.cpu", found, expected)?;
    }
    if let Some(memory) = limits.memory {
        rule(
            memory >= LEAST_MEMORY,
            "target.limits.memory",
            quoted(&memory.to_string()),
            format!("at least {LEAST_MEMORY}, which the smallest program takes"),
        )?;
    }
    rule(limits.pids != Some(0), "target.limits.pids", "`0`", "at least 1")
}

pub(super) fn check_target(target: &Target) -> Checked {
    rule(target.pid != Some(0), "target.pid", "`0`", "the id of a process")?;
    check_resolve(target)?;
    check_proxy(target)?;
    check_redirects(target)?;
    if let Some(Err((key, mismatch))) = target.auth.as_ref().map(Auth::check) {
        return flaw(format!("target.auth.{key}"), mismatch);
    }
    check_tls(target)?;
    let Some(command) = &target.command else { return Ok(()) };
    let both = "both `pid` and `command`";
    rule(
        target.pid.is_none(),
        "target.pid",
        both,
        "a service that runs already, or one to start",
    )?;
    let program = command.argv.first();
    rule(
        program.is_some_and(|program| !program.reveal().is_empty()),
        "target.command",
        "no program",
        "the program to start",
    )?;
    for word in &command.argv {
        rule(
            !word.reveal().contains('\0'),
            "target.command",
            "a word with a NUL character",
            "words without a NUL character",
        )?;
    }
    for (name, value) in &command.env {
        let valid = !name.is_empty() && !name.contains(['=', '\0']);
        // Not repeated: `NAME=value` is a value as well.
        let found = "a name that is empty, or contains `=`";
        rule(valid, "target.env", found, "the name of an environment variable")?;
        let key = format!("target.env.{name}");
        rule(
            !value.reveal().contains('\0'),
            &key,
            "a NUL character",
            "a value without one",
        )?;
    }
    check_limits(command.limits, &target.cpus)?;
    if let Some(path) = &command.ready.path {
        check_path("target.ready.path", path.reveal().as_bytes(), true)?;
    }
    above_zero("target.ready.timeout", command.ready.timeout)
}
