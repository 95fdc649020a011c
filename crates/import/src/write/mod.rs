//! From requests and journeys to the text of a plan, as a person would write it.

pub(crate) mod journeys;
pub(crate) mod plan;
mod request;
mod responses;
pub(crate) mod taken;
pub(crate) mod yaml;
