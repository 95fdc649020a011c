//! From requests to the text of a plan, as a person would write it.

pub(crate) mod plan;
mod request;
mod yaml;
