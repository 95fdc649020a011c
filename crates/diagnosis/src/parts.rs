//! Which functions of the service are parts of others: those that only one other of its functions calls.

use crate::calls::{Class, class};
use plimsoll_measure::{Frame, Profile};
use std::collections::HashMap;

/// Functions, each with the one that calls it.
#[derive(Debug, Default)]
pub(crate) struct Parts<'a> {
    callers: HashMap<&'a Frame, Option<&'a Frame>>,
}

impl<'a> Parts<'a> {
    pub(crate) fn of(profile: &'a Profile) -> Self {
        let classes: Vec<Class> = profile.frames.iter().map(class).collect();
        let frame_of = |call: usize| profile.calls[call].frame;
        let mut callers: HashMap<&Frame, Option<&Frame>> = HashMap::new();
        for call in profile.calls.iter().filter(|call| classes[call.frame] == Class::Own) {
            let mut at = call.caller;
            // A package that calls it decides for itself when.
            while let Some(above) = at
                && !matches!(classes[frame_of(above)], Class::Own | Class::Package(_))
            {
                at = profile.calls[above].caller;
            }
            let caller = at.map(frame_of);
            if caller == Some(call.frame) {
                continue;
            }
            let caller = caller.filter(|caller| classes[*caller] == Class::Own);
            let caller = caller.map(|caller| &profile.frames[caller]);
            let known = callers.entry(&profile.frames[call.frame]).or_insert(caller);
            if *known != caller {
                *known = None;
            }
        }
        Self { callers }
    }

    /// The outermost function that a function is a part of, as far as all in between are of those asked for.
    pub(crate) fn whole(&self, part: &'a Frame, is_asked: impl Fn(&Frame) -> bool) -> &'a Frame {
        let mut whole = part;
        // Functions may call each other in turn.
        for _ in 0..self.callers.len() {
            let Some(caller) = self.callers.get(whole).copied().flatten() else {
                break;
            };
            if !is_asked(caller) || caller == part {
                break;
            }
            whole = caller;
        }
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::profile;

    /// What `function` is a part of, of all functions but `but`.
    fn whole(text: &str, function: &str, but: &str) -> String {
        let drawn = profile(text);
        let part = drawn.frames.iter().find(|frame| frame.function == function);
        let parts = Parts::of(&drawn);
        let whole = parts.whole(part.expect("a function"), |frame| frame.function != but);
        whole.function.clone()
    }

    #[test]
    fn a_function_that_one_other_calls_is_a_part_of_it() {
        let text = "
node:events emit 1
  /srv/app.js handle 1
    /srv/schema.js schema 1
      /srv/schema.js person 1
        /srv/schema.js name 1
      - map 1
        /srv/schema.js date 1
          /srv/schema.js date 1
";
        assert_eq!(whole(text, "name", "handle"), "schema");
        assert_eq!(whole(text, "date", "handle"), "schema");
        assert_eq!(whole(text, "name", "person"), "name");
        assert_eq!(whole(text, "name", ""), "handle");
    }

    #[test]
    fn a_function_that_others_call_is_a_part_of_none() {
        let text = "
/srv/app.js one 1
  /srv/app.js shared 1
/srv/app.js two 1
  /srv/app.js shared 1
  /srv/node_modules/router/index.js next 1
    /srv/app.js handle 1
";
        assert_eq!(whole(text, "shared", ""), "shared");
        assert_eq!(whole(text, "handle", ""), "handle");
    }

    #[test]
    fn functions_that_call_each_other_end_the_search() {
        let text = "
/srv/app.js even 1
  /srv/app.js odd 1
    /srv/app.js even 1
";
        assert_eq!(whole(text, "odd", ""), "even");
    }
}
