//! The packages that run the service's code. They are what the service is built on, so nobody can leave them out: their own
//! time is a floor and no cause.

use crate::calls::is_own;
use plimsoll_measure::{Profile, package_of};
use std::collections::{HashMap, HashSet};

/// A package runs the service's code if it is the one that calls it for this share of the code that has a package above it …
const OF_CALLED_MIN: f64 = 0.5;
/// … and for this share of all. What goes on after an `await` has nothing above it.
const OF_ALL_MIN: f64 = 0.1;

/// Packages that carry messages. Where one of them calls the service's code, all of them have to do what they do.
const CARRIERS: [&str; 7] = [
    "ws",
    "engine.io",
    "engine.io-parser",
    "socket.io",
    "socket.io-parser",
    "socket.io-adapter",
    "@socket.io/component-emitter",
];

/// Who is above a call.
#[derive(Debug, Clone, Copy, Default)]
struct Above<'a> {
    /// Functions of Node.js that serve a request.
    serves: bool,
    /// The outermost package, and the innermost one, where no code of the service is above them.
    outermost: Option<&'a str>,
    innermost: Option<&'a str>,
    /// Code of the service, or what it calls.
    own: bool,
}

/// The package that calls the service's code, and the one that Node.js gives requests to where that is another; of messages all that
/// carry them. None of it where neither can be seen.
pub(crate) fn frameworks(profile: &Profile) -> Vec<&str> {
    let mut above: Vec<Above<'_>> = Vec::with_capacity(profile.calls.len());
    let mut called_us: HashMap<&str, u64> = HashMap::new();
    let mut given_us: HashMap<&str, u64> = HashMap::new();
    // A package that only calls back, such as the driver of a database, is none of these.
    let mut serving: HashSet<&str> = HashSet::new();
    let mut all_us = 0;
    for call in &profile.calls {
        let frame = &profile.frames[call.frame];
        let caller = call.caller.map(|caller| above[caller]).unwrap_or_default();
        let package = package_of(&frame.file).filter(|_| !caller.own);
        let here = Above {
            serves: caller.serves || is_server(&frame.file),
            outermost: caller.outermost.or(package),
            innermost: package.or(caller.innermost),
            own: caller.own || is_own(frame),
        };
        if here.own {
            all_us += call.self_us;
            if let Some(name) = here.innermost {
                *called_us.entry(name).or_default() += call.self_us;
            }
        } else if here.serves {
            serving.extend(package);
            if let Some(name) = here.outermost {
                *given_us.entry(name).or_default() += call.self_us;
            }
        }
        above.push(here);
    }
    let sum: u64 = called_us.values().sum();
    // Where the server is not that of Node.js, this is not known. Messages come by sockets that it has given away.
    if !serving.is_empty() {
        called_us.retain(|name, _| serving.contains(name) || CARRIERS.contains(name));
    }
    let Some((calls, us)) = most(called_us) else {
        return Vec::new();
    };
    let us = us as f64;
    if us <= 0.0 || us < OF_CALLED_MIN * sum as f64 || us < OF_ALL_MIN * all_us as f64 {
        return Vec::new();
    }
    let given = most(given_us).map(|(name, _)| name);
    let carriers = CARRIERS.into_iter().filter(|_| CARRIERS.contains(&calls));
    let mut found = vec![calls];
    for name in given.into_iter().chain(carriers) {
        if !found.contains(&name) {
            found.push(name);
        }
    }
    found
}

/// Packages that have the service's code below them and none above: they take part in running it, as a router does.
pub(crate) fn running(profile: &Profile) -> HashSet<&str> {
    let mut found = HashSet::new();
    let mut below_own: Vec<bool> = Vec::with_capacity(profile.calls.len());
    for call in &profile.calls {
        let is_below = call
            .caller
            .is_some_and(|caller| below_own[caller] || is_own(&profile.frames[profile.calls[caller].frame]));
        below_own.push(is_below);
        if is_below || !is_own(&profile.frames[call.frame]) {
            continue;
        }
        let mut at = call.caller;
        while let Some(caller) = at {
            let caller = &profile.calls[caller];
            found.extend(package_of(&profile.frames[caller.frame].file));
            at = caller.caller;
        }
    }
    found
}

fn most(times: HashMap<&str, u64>) -> Option<(&str, u64)> {
    times.into_iter().max_by_key(|(name, us)| (*us, *name))
}

/// Whether a file is of the HTTP server of Node.js.
fn is_server(file: &str) -> bool {
    let file = file.strip_prefix("node:").unwrap_or(file);
    let file = file.strip_prefix("internal/").unwrap_or(file).trim_start_matches('_');
    file.starts_with("http_server") || file.starts_with("http2")
}

#[cfg(test)]
mod tests {
    use super::{frameworks, running};
    use crate::drawn::profile;

    #[test]
    fn the_package_that_runs_the_code_is_the_framework() {
        let express = "
node:_http_server 10
  /srv/node_modules/express/lib/express.js 5
    /srv/node_modules/morgan/index.js 5
      /srv/node_modules/express/lib/router.js 5
        /srv/app.js 50
          /srv/node_modules/lodash/lodash.js 20
node:internal/process/task_queues 1
  /srv/app.js 30
";
        assert_eq!(frameworks(&profile(express)), ["express"]);
    }

    #[test]
    fn a_package_that_the_code_calls_is_none() {
        let sorted = "
node:_http_server 10
  /srv/app.js 5
    /srv/node_modules/lodash/lodash.js 20
      /srv/app.js 50
";
        assert_eq!(frameworks(&profile(sorted)), [""; 0]);
        let static_files = "
node:_http_server 10
  /srv/node_modules/serve-handler/src/index.js 70
";
        assert_eq!(frameworks(&profile(static_files)), [""; 0]);
        let callback = "
node:_http_server 10
  /srv/app.js 95
node:net 10
  /srv/node_modules/mysql/lib/parser.js 20
    /srv/app.js 5
";
        assert_eq!(frameworks(&profile(callback)), [""; 0]);
    }

    #[test]
    fn who_goes_on_later_does_not_run_the_code() {
        let static_files = "
node:_http_server 10
  /srv/node_modules/express/lib/express.js 5
    /srv/node_modules/send/index.js 20
node:fs 5
  /srv/node_modules/send/index.js 10
    /srv/node_modules/express/lib/router.js 5
      /srv/app.js 50
";
        assert_eq!(frameworks(&profile(static_files)), ["express"]);
    }

    #[test]
    fn what_takes_requests_runs_the_code_through_another_package() {
        let koa = "
node:_http_server 10
  /srv/node_modules/koa/lib/application.js 5
    /srv/node_modules/koa-compose/index.js 1
      /srv/node_modules/koa-bodyparser/index.js 10
- runMicrotasks 1
  /srv/node_modules/koa-bodyparser/index.js 10
    /srv/node_modules/koa-compose/index.js 5
      /srv/app.js 50
";
        assert_eq!(frameworks(&profile(koa)), ["koa-compose", "koa"]);
    }

    #[test]
    fn what_carries_messages_is_what_the_code_is_built_on() {
        let chat = "
node:_http_server 1
  /srv/node_modules/engine.io/build/server.js 5
node:net 10
  /srv/node_modules/ws/lib/websocket.js 5
    /srv/node_modules/socket.io/dist/socket.js 5
      /srv/app.js 50
        /srv/node_modules/lodash/lodash.js 20
";
        let profile = profile(chat);
        let found = frameworks(&profile);
        assert_eq!(found[..3], ["socket.io", "engine.io", "ws"]);
        assert!(!found.contains(&"lodash"));
    }

    #[test]
    fn who_has_the_code_below_takes_part_in_running_it() {
        let nest = "
node:_http_server 10
  /srv/node_modules/express/lib/express.js 5
    /srv/node_modules/router/index.js 20
      /srv/node_modules/etag/index.js 5
      /srv/app.js 50
        /srv/node_modules/lodash/lodash.js 20
          /srv/app.js 50
";
        let profile = profile(nest);
        let mut found: Vec<&str> = running(&profile).into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["express", "router"]);
    }
}
