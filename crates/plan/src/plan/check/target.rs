//! The rules about the service.

use super::{Checked, above_zero, check_path, flaw, rule};
use crate::notation::mismatch::quoted;
use crate::plan::address::Server;
use crate::plan::auth::Auth;
use crate::plan::resolution::authority;
use crate::plan::target::Target;
use crate::plan::tls::TlsOptions;
use crate::plan::url::Scheme;

fn check_tls(target: &Target) -> Checked {
    let tls = &target.tls;
    rule(
        target.url.scheme == Scheme::Https || *tls == TlsOptions::default(),
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
    for (index, resolution) in target.resolve.iter().enumerate() {
        let key = format!("target.resolve[{index}]");
        let found = format!("an address for {}", quoted(&resolution.authority()));
        let expected = match &target.url.server {
            Server::Tcp { host, port } => {
                format!("one for host and port of the URL, {}", quoted(&authority(host, *port)))
            }
            Server::Unix(_) => "a URL with a host and not with a unix socket".to_owned(),
        };
        rule(resolution.is_of(&target.url.server), &key, found, expected)?;
        let found = format!("a second entry for {}", quoted(&resolution.authority()));
        let expected = "one, with a comma between its addresses";
        rule(index == 0, key, found, expected)?;
    }
    Ok(())
}

pub(super) fn check_target(target: &Target) -> Checked {
    rule(target.pid != Some(0), "target.pid", "`0`", "the id of a process")?;
    check_resolve(target)?;
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
    if let Some(path) = &command.ready.path {
        check_path("target.ready.path", path.reveal().as_bytes(), true)?;
    }
    above_zero("target.ready.timeout", command.ready.timeout)
}
