//! Files of other tools to the text of a plan, with a list of what the plan does not have.
//!
//! A file is read into journeys, whatever its format; these become requests with weights, which are written as a person would write them. What is written was
//! read by `plimsoll-plan` first. This crate must not know how a plan is run, files but those that are handed to it, sockets or clocks.

mod ahead;
mod conditions;
mod error;
mod expression;
mod fill;
mod format;
mod holds;
mod journey;
mod left_out;
mod made;
mod members;
mod once;
mod propose;
mod read;
mod requests;
mod secrets;
mod target;
mod text;
mod write;

pub use error::ImportError;
pub use format::Format;
pub use left_out::{LeftOut, counted};
pub use propose::{Paths, Proposal, Proposed, propose};
pub use read::routes::Route;
pub use secrets::Needed;

use journey::{Journeys, When};
use left_out::Place;
use plimsoll_plan::Url;
use read::{artillery, curl, har, http_file, jmx, json, openapi, postman};
use secrets::Environment;
use text::Values;
use write::journeys::{each_kept, settle_takes};
use write::plan::{Written, write};
use write::taken::{Parts, Sent, Tries};

/// The largest file that is imported, bytes. Recordings of browsers hold every response.
pub const MOST_FILE_BYTES: u64 = 64 << 20;
/// More requests in a file are a mistake in it.
const MOST_REQUESTS: usize = 10_000;

/// A file of another tool.
pub struct Source<'a> {
    /// What messages call it.
    pub name: &'a str,
    /// What is in it.
    pub text: &'a str,
    /// Its format; by default it is found out.
    pub format: Option<Format>,
    /// An environment of Postman, which has values of variables.
    pub environment: Option<&'a str>,
    /// Whether operations of OpenAPI that may change data are imported.
    pub writes: bool,
    /// Texts of files beside it, by their paths from there; `None` of those that cannot be read.
    pub files: &'a dyn Fn(&str) -> Option<String>,
}

/// How it is imported.
pub struct Options<'a> {
    /// The service that the plan is for; by default the one of the file, if it is on this machine.
    pub url: Option<&'a str>,
    /// The path of a file that is sent, as the plan names it.
    pub body_file: &'a dyn Fn(&str) -> String,
}

/// A plan that was made of a file.
#[derive(Debug)]
pub struct Imported {
    /// The format of the file.
    pub format: Format,
    /// The text of the plan, which `plimsoll` reads.
    pub plan: String,
    /// How many requests it has.
    pub requests: usize,
    /// Variables of the environment that have to be set when it runs.
    pub needed: Vec<Needed>,
    /// What it does not have of the file.
    pub left_out: Vec<LeftOut>,
}

/// Makes a plan of a file.
///
/// # Errors
/// When the file has no format that is known, is malformed or too large, or has no request that a plan can send.
pub fn import(source: &Source<'_>, options: &Options<'_>) -> Result<Imported, ImportError> {
    // Editors of Windows begin a file with a mark.
    let source = &Source {
        text: source.text.trim_start_matches('\u{feff}'),
        ..*source
    };
    if source.text.len() as u64 > MOST_FILE_BYTES {
        let found = format!("{} bytes", source.text.len());
        return Err(ImportError::new(
            None,
            found,
            format!("at most {MOST_FILE_BYTES} bytes"),
        ));
    }
    if let Some(url) = options.url {
        Url::parse(url).map_err(|mismatch| {
            let error = ImportError::new(
                None,
                format!("--url with something else, {}", mismatch.message()),
                "a URL",
            );
            error.hint("such as --url http://127.0.0.1:3000")
        })?;
    }
    let format = source.format.map_or_else(|| Format::detect(source.text), Ok)?;
    let mut journeys = read(source, format)?;
    bound(&mut journeys)?;
    let values = source
        .environment
        .map(|text| json::read(text).and_then(|document| postman::environment(&document)));
    journeys.values.extend(values.transpose()?.unwrap_or_else(Values::new));
    let frame = Frame {
        origin: &format!("Imported from {} by `plimsoll import`.", left_out::called(source.name)),
        url: options.url,
        command: &[],
        body_file: options.body_file,
        tries: None,
    };
    // As users do it, where a plan can have that.
    let ordered = match journeys.is_ordered {
        true => made(&frame, journeys.clone(), true).ok(),
        false => None,
    };
    let (written, left_out) = ordered.map_or_else(|| made(&frame, journeys, false), Ok)?;
    Ok(Imported {
        format,
        plan: written.text,
        requests: written.requests,
        needed: written.needed,
        left_out,
    })
}

/// What a plan has around its requests.
struct Frame<'a> {
    origin: &'a str,
    url: Option<&'a str>,
    command: &'a [String],
    body_file: &'a dyn Fn(&str) -> String,
    tries: Option<Tries<'a>>,
}

/// The plan that journeys become, and what it does not have.
fn made(frame: &Frame<'_>, mut journeys: Journeys, in_order: bool) -> Result<(Written, Vec<LeftOut>), ImportError> {
    let mut environment = Environment::default();
    environment.veil_values(&mut journeys.values);
    fill::make_values(&mut journeys, &mut environment);
    resolve_hosts(&mut journeys);
    let target = target::choose(&mut journeys, frame.url);
    settle_takes(&mut journeys, in_order);
    if let Some(place) = journeys.cookies.take_if(|_| !in_order) {
        journeys.leave_out(&place, "cookies of responses", "only users on journeys keep them");
    }
    ahead::leave_out(&mut journeys, in_order);
    let authorization = fill::fill(&mut journeys, &mut environment, in_order)?;
    let sequences = std::mem::take(&mut journeys.sequences).into_iter();
    let (load, around): (Vec<_>, Vec<_>) = sequences.partition(|sequence| sequence.when == When::Load);
    let sent = match in_order {
        true => Sent::Journeys(load),
        false => Sent::Requests(requests::weigh(&mut journeys, load)),
    };
    let parts = Parts {
        origin: frame.origin,
        target: &target,
        command: frame.command,
        authorization: authorization.as_ref(),
        sent: &sent,
        around: &around,
        body_file: frame.body_file,
        tries: frame.tries,
    };
    let written = write(&parts, &mut journeys, environment)?;
    Ok((written, in_order_of_file(journeys.left_out)))
}

fn read(source: &Source<'_>, format: Format) -> Result<Journeys, ImportError> {
    match format {
        Format::Curl => curl::read(source.text),
        Format::Http => Ok(http_file::read(source.text)),
        Format::Har => har::read(&json::read(source.text)?),
        Format::Postman => postman::read(&json::read(source.text)?),
        Format::OpenApi => openapi::read(&json::read(source.text)?, source.writes, None),
        Format::Artillery => artillery::read(&json::read(source.text)?, source.files),
        Format::Jmx => jmx::read(source.text, source.files),
    }
}

/// As in the file, where there are lines. Paths are in the order of what they are about.
fn in_order_of_file(mut left_out: Vec<LeftOut>) -> Vec<LeftOut> {
    left_out.sort_by_key(|left_out| left_out.place.parse::<usize>().unwrap_or_default());
    left_out
}

fn bound(journeys: &mut Journeys) -> Result<(), ImportError> {
    let mut count = 0;
    target::each_request(&mut journeys.sequences, &mut |_| {
        count += 1;
        true
    });
    if count > MOST_REQUESTS {
        let found = format!("{count} requests");
        return Err(ImportError::new(
            None::<&Place>,
            found,
            format!("at most {MOST_REQUESTS}"),
        ));
    }
    Ok(())
}

/// Fills in what URLs begin with: only then it is known where they lead. What users keep of responses is filled in later, because it
/// is the response's from then on.
fn resolve_hosts(journeys: &mut Journeys) {
    let mut sequences = std::mem::take(&mut journeys.sequences);
    let mut of_file = journeys.values.clone();
    each_kept(&sequences, &mut |name| {
        of_file.remove(name);
    });
    target::each_request(&mut sequences, &mut |request| {
        let url = target::with_scheme(&request.url.resolved(&of_file));
        request.url = match target::has_known_origin(&url) {
            true => url,
            // A plan has one service, so it cannot be taken from a response.
            false => target::with_scheme(&request.url.resolved(&journeys.values)),
        };
        true
    });
    journeys.sequences = sequences;
}
