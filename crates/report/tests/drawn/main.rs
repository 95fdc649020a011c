//! What readers get to see of runs, comparisons, sweeps and studies, in every form. All of it comes from records by way of the
//! fold; nothing is a finding made by hand.

#![expect(clippy::disallowed_methods, reason = "tests set up their own files")]

mod brief;
mod comparisons;
mod complete;
mod held;
mod page;
mod renderers;
mod runs;
mod series;
mod service;
mod shocked;
mod soaked;
mod streams;
mod studies;
mod travelled;
