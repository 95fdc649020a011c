//! The rules about the service.

use super::stand_in::check_stand_in;
use super::{Checked, above_zero, check_path, flaw, rule};
use crate::notation::mismatch::quoted;
use crate::plan::address::Server;
use crate::plan::auth::Auth;
use crate::plan::http::HttpVersion;
use crate::plan::limits::{ByteSize, Limits};
use crate::plan::resolution::authority;
use crate::plan::running::{Hosted, Running};
use crate::plan::scheme::Scheme;
use crate::plan::target::{Command, Neighbour, NeighbourPlan, Sign, Target, cpus_text};
use crate::plan::tls::TlsOptions;

/// Less than this holds not even a shell and what starts it.
const LEAST_MEMORY: ByteSize = ByteSize::new(8 << 20);
/// More than any browser follows.
const MOST_REDIRECTS: u32 = 50;
/// Of a neighbour: it is part of the name of a file.
const LONGEST_NAME: usize = 40;

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

fn check_limits(of: &str, limits: Limits, cpus: &[usize]) -> Checked {
    if let Some(cpu) = limits.cpu {
        let enough = cpus.is_empty() || cpu.cores() <= cpus.len() as f64;
        let found = format!(
            "`{cpu}` cores of time on {} of {}",
            cpus.len(),
            quoted(&cpus_text(cpus))
        );
        let expected = "no more than the cores in `cpus` have";
        rule(enough, format!("{of}.limits.cpu"), found, expected)?;
    }
    if let Some(memory) = limits.memory {
        rule(
            memory >= LEAST_MEMORY,
            format!("{of}.limits.memory"),
            quoted(&memory.to_string()),
            format!("at least {LEAST_MEMORY}, which the smallest program takes"),
        )?;
    }
    rule(limits.pids != Some(0), format!("{of}.limits.pids"), "`0`", "at least 1")
}

/// Each has a name of its own, which is that of a file as well.
fn check_neighbours(neighbours: &[NeighbourPlan]) -> Checked {
    for (index, neighbour) in neighbours.iter().enumerate() {
        let NeighbourPlan { name, neighbour, cpus } = neighbour;
        let key = format!("target.beside[{index}]");
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        rule(
            (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain),
            format!("{key}.name"),
            quoted(name),
            format!("up to {LONGEST_NAME} letters, digits, `.`, `_` and `-`"),
        )?;
        let again = neighbours[..index].iter().any(|earlier| earlier.name == *name);
        let found = format!("a second neighbour {}", quoted(name));
        rule(!again, format!("{key}.name"), found, "a name for each")?;
        let (command, ready) = match neighbour {
            Neighbour::Program { command, ready } => (command, ready),
            Neighbour::StandIn(stand_in) => {
                check_stand_in(&format!("{key}.stand_in"), stand_in)?;
                continue;
            }
        };
        check_command(&key, command, cpus)?;
        match ready {
            Sign::Port(port) => rule(*port > 0, format!("{key}.ready.port"), "`0`", "a port from 1 to 65535")?,
            Sign::Url(url) => {
                let is_plain = url.scheme == Scheme::Http && url.user.is_none();
                let expected = "a URL such as http://127.0.0.1:4000/health, without credentials";
                let key = format!("{key}.ready.url");
                rule(is_plain, &key, "a URL that is not asked in plain HTTP", expected)?;
                check_path(&key, url.path.reveal().as_bytes(), true)?;
            }
            Sign::Line(text) => {
                let found = "an empty text, which every line contains";
                rule(!text.is_empty(), format!("{key}.ready.line"), found, "a part of a line")?;
            }
        }
    }
    Ok(())
}

pub(super) fn check_target(target: &Target) -> Checked {
    rule(
        target.running != Some(Running::Process(0)),
        "target.pid",
        "`0`",
        "the id of a process",
    )?;
    check_resolve(target)?;
    check_proxy(target)?;
    check_redirects(target)?;
    if let Some(Err((key, mismatch))) = target.auth.as_ref().map(Auth::check) {
        return flaw(format!("target.auth.{key}"), mismatch);
    }
    check_tls(target)?;
    check_neighbours(&target.beside)?;
    if let Some(Running::Hosted(hosted)) = &target.running {
        check_hosted(hosted, target)?;
    }
    let Some(command) = &target.command else { return Ok(()) };
    let both = match &target.running {
        Some(Running::Process(_)) => Some(("target.pid", "both `pid` and `command`")),
        Some(Running::Container(_)) => Some(("target.container", "both `container` and `command`")),
        Some(Running::Hosted(_)) => Some(("target.fleet_target", "both `fleet_target` and `command`")),
        None => None,
    };
    if let Some((key, found)) = both {
        rule(
            false,
            key,
            found,
            "a service that runs already or elsewhere, or one to start",
        )?;
    }
    check_command("target", command, &target.cpus)?;
    if let Some(path) = &command.ready.path {
        check_path("target.ready.path", path.reveal().as_bytes(), true)?;
    }
    Ok(())
}

/// What is beside a service, and on which cores it runs, is said where it is started.
fn check_hosted(hosted: &Hosted, target: &Target) -> Checked {
    if let Some(machines) = hosted.machines {
        let found = quoted(&machines.to_string());
        rule(
            (1..=1000).contains(&machines),
            "target.fleet_targets",
            found,
            "1 to 1000 target agents",
        )?;
    }
    for (key, is_given) in [("cpus", !target.cpus.is_empty()), ("beside", !target.beside.is_empty())] {
        rule(
            !is_given,
            format!("target.{key}"),
            format!("`{key}` of a service that target agents start"),
            format!("`{key}` in the plan that these have of it"),
        )?;
    }
    Ok(())
}

/// The rules about everything that is started; `of` is the key of what it belongs to.
pub(super) fn check_command(of: &str, command: &Command, cpus: &[usize]) -> Checked {
    let program = command.argv.first();
    rule(
        program.is_some_and(|program| !program.reveal().is_empty()),
        format!("{of}.command"),
        "no program",
        "the program to start",
    )?;
    for word in &command.argv {
        rule(
            !word.reveal().contains('\0'),
            format!("{of}.command"),
            "a word with a NUL character",
            "words without a NUL character",
        )?;
    }
    for (name, value) in &command.env {
        let valid = !name.is_empty() && !name.contains(['=', '\0']);
        // Not repeated: `NAME=value` is a value as well.
        let found = "a name that is empty, or contains `=`";
        rule(valid, format!("{of}.env"), found, "the name of an environment variable")?;
        rule(
            !value.reveal().contains('\0'),
            format!("{of}.env.{name}"),
            "a NUL character",
            "a value without one",
        )?;
    }
    check_limits(of, command.limits, cpus)?;
    above_zero(&format!("{of}.ready.timeout"), command.ready.timeout)
}
