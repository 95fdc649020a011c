//! From the file of each tool to journeys.

pub(crate) mod artillery;
mod csv;
pub(crate) mod curl;
pub(crate) mod har;
pub(crate) mod http_file;
pub(crate) mod jmx;
pub(crate) mod json;
mod multipart;
pub(crate) mod openapi;
mod openapi_parameters;
mod openapi_schema;
pub(crate) mod postman;
pub(crate) mod query;
pub(crate) mod routes;
mod script;
mod shell;
mod xml;

/// Texts of files beside the file, by their paths from there; `None` of those that cannot be read.
pub(crate) type Files<'a> = &'a dyn Fn(&str) -> Option<String>;
