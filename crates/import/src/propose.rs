//! A first plan for a service, of its routes: what can be sent as it is, and the rest in comments.

use crate::error::ImportError;
use crate::journey::{Journeys, Load, Phase, Request};
use crate::left_out::{LeftOut, Place};
use crate::read::routes::Route;
use crate::read::{json, openapi, routes};
use crate::secrets::Needed;
use crate::text::Text;
use crate::{Frame, MOST_FILE_BYTES, bound, made};
use std::time::Duration;

/// The load of a first plan, per second …
const RATE: f64 = 100.0;
/// … and for so long.
const DURATION: Duration = Duration::from_secs(30);

/// A service for which a plan is proposed.
pub struct Proposal<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Where it is.
    pub url: &'a str,
    /// What starts it; empty where it has to run already.
    pub command: &'a [String],
    /// What can be asked for.
    pub paths: Paths<'a>,
    /// Whether requests that may change data are proposed.
    pub writes: bool,
    /// Values of parameters, by their names.
    pub values: &'a [(String, Vec<String>)],
    /// Sends the request that a plan has in `before` once, and says why it stands in a comment if that was no success.
    pub tries: &'a dyn Fn(&str) -> Result<(), String>,
}

/// What can be asked of a service.
#[derive(Debug, Clone, Copy)]
pub enum Paths<'a> {
    /// The operations of this document of OpenAPI.
    Document(&'a str),
    /// Routes as its framework has them; without any, the plan asks for `/`.
    Routes(&'a [Route]),
}

/// A plan that is proposed.
#[derive(Debug)]
pub struct Proposed {
    /// Its text.
    pub plan: String,
    /// How many requests it sends.
    pub requests: usize,
    /// How many it has in comments.
    pub aside: usize,
    /// Variables of the environment that have to be set when it runs.
    pub needed: Vec<Needed>,
    /// What it does not have at all.
    pub left_out: Vec<LeftOut>,
}

/// Makes a first plan for a service.
///
/// # Errors
/// When the document is malformed, too large or none of OpenAPI 3.
pub fn propose(proposal: &Proposal<'_>) -> Result<Proposed, ImportError> {
    let mut journeys = match proposal.paths {
        Paths::Document(text) => {
            if text.len() as u64 > MOST_FILE_BYTES {
                let found = format!("{} bytes", text.len());
                return Err(ImportError::new(
                    None,
                    found,
                    format!("at most {MOST_FILE_BYTES} bytes"),
                ));
            }
            openapi::read(&json::read(text)?, proposal.writes, Some(proposal.values))?
        }
        Paths::Routes(known) => routes::read(known, proposal.writes, proposal.values),
    };
    say_what_is_unused(&mut journeys, proposal.values);
    bound(&mut journeys)?;
    if journeys.sequences.is_empty() {
        let place = Place::Path("routes".to_owned());
        journeys.push_alone(Request::new(place, "GET", Text::literal("/")));
    }
    journeys.name = Some(proposal.name.to_owned());
    journeys.load = Some(Load::Arrivals(vec![Phase {
        from: RATE,
        to: RATE,
        duration: DURATION,
    }]));
    let frame = Frame {
        origin: "A first plan, by `plimsoll init`.",
        url: Some(proposal.url),
        command: proposal.command,
        body_file: &str::to_owned,
        tries: Some(proposal.tries),
    };
    let (written, left_out) = made(&frame, journeys, false)?;
    Ok(Proposed {
        plan: written.text,
        requests: written.requests,
        aside: written.aside,
        needed: written.needed,
        left_out,
    })
}

fn say_what_is_unused(journeys: &mut Journeys, values: &[(String, Vec<String>)]) {
    for (name, _) in values {
        if !journeys.lists.iter().any(|(known, _)| known == name) {
            let place = Place::Path("--value".to_owned());
            journeys.leave_out(&place, format!("`{name}`"), "no route has a parameter of that name");
        }
    }
}
