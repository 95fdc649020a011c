//! Lines of code as a report shows them.

use crate::Case;
use plimsoll_findings::{Cause, Place};
use plimsoll_measure::probe::SiteFrame;
use plimsoll_measure::{Compiler, Frame};
use std::collections::HashMap;

/// Makes paths short.
pub(crate) struct Places<'a> {
    directory: &'a str,
}

impl<'a> Places<'a> {
    pub(crate) fn new(directory: &'a str) -> Self {
        Self {
            directory: directory.trim_end_matches('/'),
        }
    }

    /// A path, relative to the directory of the service where it lies below it.
    pub(crate) fn path<'b>(&self, file: &'b str) -> &'b str {
        let below = file
            .strip_prefix(self.directory)
            .and_then(|rest| rest.strip_prefix('/'));
        below.filter(|_| !self.directory.is_empty()).unwrap_or(file)
    }

    /// The line to show of a call site: the innermost of the service's own code, or of a package where no code of the service
    /// is on the stack.
    pub(crate) fn of_site(&self, frames: &[SiteFrame]) -> Option<Place> {
        let own = frames.iter().find(|frame| frame.package.is_none());
        Some(self.of_call(own.or(frames.first())?))
    }

    /// The line of a package from which the counted function is called, where code of the service called the package.
    pub(crate) fn inside(&self, frames: &[SiteFrame]) -> Option<Place> {
        let innermost = frames.first().filter(|frame| frame.package.is_some())?;
        let is_called = frames.iter().any(|frame| frame.package.is_none());
        is_called.then(|| self.of_call(innermost))
    }

    /// The line of a frame of a call site.
    pub(crate) fn of_call(&self, call: &SiteFrame) -> Place {
        Place {
            file: self.path(&call.file).to_owned(),
            line: call.line,
            column: Some(call.column),
            function: call.function.clone(),
            is_function: false,
        }
    }

    /// A function, by one of its lines or, if none is known, by where it begins.
    pub(crate) fn of_frame(&self, frame: &Frame, line: Option<u32>) -> Place {
        Place {
            file: self.path(&frame.file).to_owned(),
            line: line.unwrap_or(frame.line),
            column: line.is_none().then_some(frame.column),
            function: frame.function.clone(),
            is_function: line.is_none(),
        }
    }
}

/// Says of each cause whether the file of its place was compiled.
pub(crate) fn mark_compiled(case: &Case<'_>, causes: &mut [Cause]) {
    let Some(profile) = case.profile else { return };
    let compiled = profile.text.compiled.iter();
    let compiled: HashMap<&str, Compiler> = compiled.map(|(file, by)| (case.places.path(file), *by)).collect();
    for cause in causes {
        let file = cause.place.as_ref().map(|place| place.file.as_str());
        cause.compiled = file.and_then(|file| compiled.get(file)).copied();
    }
}

/// The package through which a call site reaches what it calls.
pub(crate) fn via(frames: &[SiteFrame]) -> Option<String> {
    let own = frames.iter().position(|frame| frame.package.is_none());
    let before = &frames[..own.unwrap_or(frames.len())];
    before.last().and_then(|frame| frame.package.clone())
}
