//! The package that runs the service's code. It is what the service is built on, so nobody can leave it out: its own time is a
//! floor and no cause.

use crate::calls::{is_own, package_of};
use plimsoll_measure::Profile;
use std::collections::HashMap;

/// A framework is the first package above the service's code for this share of the code that has a package above it …
const OF_CALLED_MIN: f64 = 0.5;
/// … and for this share of all. What goes on after an `await` has nothing above it.
const OF_ALL_MIN: f64 = 0.1;

/// Who is above a call.
#[derive(Debug, Clone, Copy, Default)]
struct Above<'a> {
    /// The outermost package, where no code of the service is above it.
    first: Option<&'a str>,
    /// Code of the service, or what it calls.
    own: bool,
}

/// The package whose functions Node.js calls for a request, and which call the service's.
pub(crate) fn framework(profile: &Profile) -> Option<&str> {
    let mut above: Vec<Above<'_>> = Vec::with_capacity(profile.calls.len());
    let mut called_us: HashMap<&str, u64> = HashMap::new();
    let mut all_us = 0;
    for call in &profile.calls {
        let frame = &profile.frames[call.frame];
        let caller = call.caller.map(|caller| above[caller]).unwrap_or_default();
        let first = package_of(&frame.file).filter(|_| !caller.own);
        let here = Above {
            first: caller.first.or(first),
            own: caller.own || is_own(frame),
        };
        if here.own {
            all_us += call.self_us;
            if let Some(name) = here.first {
                *called_us.entry(name).or_default() += call.self_us;
            }
        }
        above.push(here);
    }
    let sum: u64 = called_us.values().sum();
    let (name, us) = called_us.into_iter().max_by_key(|(name, us)| (*us, *name))?;
    let us = us as f64;
    (us > 0.0 && us >= OF_CALLED_MIN * sum as f64 && us >= OF_ALL_MIN * all_us as f64).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::framework;
    use crate::drawn::profile;

    #[test]
    fn the_package_that_runs_the_code_is_the_framework() {
        let express = "
node:http 10
  /srv/node_modules/express/lib/express.js 5
    /srv/node_modules/morgan/index.js 5
      /srv/node_modules/express/lib/router.js 5
        /srv/app.js 50
          /srv/node_modules/lodash/lodash.js 20
node:internal/process/task_queues 1
  /srv/app.js 30
";
        assert_eq!(framework(&profile(express)), Some("express"));
    }

    #[test]
    fn a_package_that_the_code_calls_is_none() {
        let sorted = "
node:http 10
  /srv/app.js 5
    /srv/node_modules/lodash/lodash.js 20
      /srv/app.js 50
";
        assert_eq!(framework(&profile(sorted)), None);
        let static_files = "
node:http 10
  /srv/node_modules/serve-handler/src/index.js 70
";
        assert_eq!(framework(&profile(static_files)), None);
        let callback = "
node:http 10
  /srv/app.js 95
node:net 10
  /srv/node_modules/mysql/lib/parser.js 20
    /srv/app.js 5
";
        assert_eq!(framework(&profile(callback)), None);
    }
}
