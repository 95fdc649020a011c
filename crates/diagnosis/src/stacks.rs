//! Whose line each call of a profile goes back to, by what is on the stack.

use crate::calls::{Class, class};
use plimsoll_measure::{Frame, Profile, package_of};
use std::collections::HashSet;

/// Functions of packages that pass requests on to what the service registered: whatever a function does that one of these
/// calls, nobody above it asked for.
#[derive(Debug, Default)]
pub(crate) struct Passing<'a> {
    functions: HashSet<&'a Frame>,
}

impl<'a> Passing<'a> {
    /// A function of a package passes on if it calls the service's code where no code of the service called it, as a router
    /// does. So do those through which the service's code calls such a function, as `next()` of a middleware.
    pub(crate) fn of(profile: &'a Profile) -> Self {
        let classes: Vec<Class> = profile.frames.iter().map(class).collect();
        let class_of = |call: usize| &classes[profile.calls[call].frame];
        // The nearest call above each that is no function of Node.js.
        let mut nearest: Vec<Option<usize>> = Vec::with_capacity(profile.calls.len());
        let mut below_own: Vec<bool> = Vec::with_capacity(profile.calls.len());
        let mut functions = HashSet::new();
        for call in &profile.calls {
            let above = call.caller.and_then(|caller| match class_of(caller) {
                Class::Own | Class::Package(_) => Some(caller),
                _ => nearest[caller],
            });
            nearest.push(above);
            below_own.push(above.is_some_and(|above| below_own[above] || *class_of(above) == Class::Own));
            let is_package = |above: &usize| matches!(class_of(*above), Class::Package(_));
            if classes[call.frame] == Class::Own
                && let Some(above) = above.filter(is_package)
                && !below_own[above]
            {
                functions.insert(call_frame(profile, above));
            }
        }
        let mut on_the_way = Vec::new();
        for (index, call) in profile.calls.iter().enumerate() {
            if !below_own[index] || !functions.contains(&profile.frames[call.frame]) {
                continue;
            }
            let mut at = nearest[index];
            while let Some(above) = at.filter(|above| *class_of(*above) != Class::Own) {
                on_the_way.push(call_frame(profile, above));
                at = nearest[above];
            }
        }
        functions.extend(on_the_way);
        Self { functions }
    }
}

fn call_frame(profile: &Profile, call: usize) -> &Frame {
    &profile.frames[profile.calls[call].frame]
}

/// The line that a call goes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stack<'a> {
    /// The nearest function of the service's own code.
    own: Option<&'a Frame>,
    /// Its line, where that is known.
    line: Option<u32>,
    /// The nearest function of a package below it.
    package: Option<&'a Frame>,
    /// The function of a package that it calls itself.
    through: Option<&'a Frame>,
}

impl<'a> Stack<'a> {
    /// The function that is charged: of the service's own code, else of a package; `None` where the event loop called Node.js.
    pub(crate) fn function(&self) -> Option<&'a Frame> {
        self.own.or(self.package)
    }

    /// The package that the service's own code called for this; `None` where it called Node.js itself.
    pub(crate) fn through(&self) -> Option<&'a str> {
        self.own
            .and(self.through)
            .and_then(|function| package_of(&function.file))
    }

    /// The line on which the function calls what it does not do itself, where that is known.
    pub(crate) fn called_on(&self) -> Option<u32> {
        self.line
    }
}

/// The line that each call of a profile goes back to.
pub(crate) fn stacks<'a>(profile: &'a Profile, passing: &Passing<'_>) -> Vec<Stack<'a>> {
    let mut found: Vec<Stack<'a>> = Vec::with_capacity(profile.calls.len());
    for call in &profile.calls {
        let frame = &profile.frames[call.frame];
        let caller = call.caller.map(|caller| found[caller]).unwrap_or_default();
        // Whoever emits an event does not ask for what its listeners do.
        let listens = || {
            let caller = call.caller.map(|caller| call_frame(profile, caller));
            caller.is_some_and(|caller| caller.file == "node:events")
        };
        found.push(match class(frame) {
            Class::Own => Stack {
                own: Some(frame),
                ..Stack::default()
            },
            Class::Package(_) if listens() || passing.functions.contains(frame) => Stack {
                package: Some(frame),
                ..Stack::default()
            },
            Class::Package(_) => Stack {
                package: Some(frame),
                through: caller.through.or(Some(frame)),
                line: caller.line.or(call.called_on),
                ..caller
            },
            _ => Stack {
                line: caller.line.or(call.called_on),
                ..caller
            },
        });
    }
    found
}
