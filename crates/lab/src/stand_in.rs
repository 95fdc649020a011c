//! How a stand-in is started: this program once more, with a file that says what it does.

use crate::error::LabError;
use crate::replay_run;
use plimsoll_files::given;
use plimsoll_measure::run_directory::RunReader;
use plimsoll_measure::{Histogram, REQUESTS_APART_MAX, Record, RunKind, Timing};
use plimsoll_plan::{Command, MILLION, Piece, ResponseTime, Sign, StandIn, StandInBody, StandInResponse, Template};
use plimsoll_stand_in::{Behaviour, Body, COMMAND, Content, Response, Times};
use std::path::Path;

/// Pairs of a share and a time that stand for the response times of a run.
const POINTS: usize = 400;

/// The command that starts it, and the sign that it is ready. What it does is written to `file`.
pub(crate) fn to_start(name: &str, stand_in: &StandIn, seed: u64, file: &Path) -> Result<(Command, Sign), LabError> {
    let failed = |found: String| LabError::StandIn {
        name: name.to_owned(),
        found,
    };
    let StandIn { port, responses } = stand_in;
    let responses = responses
        .iter()
        .map(response)
        .collect::<Result<_, _>>()
        .map_err(failed)?;
    let behaviour = Behaviour {
        port: *port,
        seed,
        responses,
    };
    let json = serde_json::to_vec(&behaviour).map_err(|error| failed(error.to_string()))?;
    given::write(file, &json).map_err(|error| failed(format!("{}: {error}", file.display())))?;
    let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
    let command = Command::new([&program.to_string_lossy(), COMMAND, &file.to_string_lossy()]);
    Ok((command, Sign::Port(*port)))
}

fn response(response: &StandInResponse) -> Result<Response, String> {
    let StandInResponse {
        method,
        path,
        time,
        status,
        headers,
        body,
        errors,
    } = response;
    let headers = headers.iter().map(|(name, value)| (name.clone(), content(value)));
    Ok(Response {
        method: method.as_ref().map(|method| method.as_str().to_owned()),
        path: path.clone(),
        times: times(time)?,
        status: *status,
        headers: headers.collect(),
        body: match body {
            StandInBody::Same(body) => Body::Same(content(body)),
            StandInBody::Size { from, to } => Body::Size(from.bytes() as usize, to.bytes() as usize),
        },
        errors: errors.value(),
    })
}

/// Nothing in it is a variable.
fn content(template: &Template) -> Content {
    let literal = |piece| match piece {
        Piece::Literal(bytes) => bytes,
        Piece::Variable(_) => &[],
    };
    Content(template.reveal().flat_map(literal).copied().collect())
}

fn times(time: &ResponseTime) -> Result<Times, String> {
    match time {
        ResponseTime::Spread(spread) => {
            let pair = |&(of_a_million, at_most): &(u32, std::time::Duration)| {
                (f64::from(of_a_million) / f64::from(MILLION), at_most.as_nanos() as u64)
            };
            Ok(Times(spread.iter().map(pair).collect()))
        }
        ResponseTime::Run { directory, request } => {
            let found = |error: String| format!("response times of the run {}: {error}", directory.display());
            let histogram = of_run(directory, request.as_deref()).map_err(found)?;
            Ok(Times(histogram.percentile_curve(POINTS)))
        }
    }
}

/// From the moment at which a request was sent to its response, over all of a run but its warm-up.
fn of_run(directory: &Path, request: Option<&str>) -> Result<Histogram, String> {
    let run = RunReader::open(directory).map_err(|error| error.to_string())?;
    let kind = run.info().kind;
    if !matches!(kind, RunKind::Run | RunKind::Bench | RunKind::Soak | RunKind::Plain) {
        return Err("it has several loads, expected the run directory of `plimsoll run`".to_owned());
    }
    let place = request.map(|name| place_of(&run, name)).transpose()?;
    let mut all = Histogram::default();
    let mut warms_up = false;
    let read = run.for_each(|record| match record {
        Record::StepStart(start) => warms_up = start.warms_up,
        Record::Tick { durations, .. } if !warms_up => {
            // Where the scenario has one request, all are of it.
            let of = place
                .and_then(|place| durations.requests.get(place))
                .unwrap_or(&durations.all);
            all.merge(&of[Timing::ServiceTime]);
        }
        _ => {}
    });
    read.map_err(|error| error.to_string())?;
    match all.count() {
        0 => Err("no request had a response".to_owned()),
        _ => Ok(all),
    }
}

fn place_of(run: &RunReader, name: &str) -> Result<usize, String> {
    let plan = replay_run::plan(run).map_err(|error| error.to_string())?;
    let requests = plan.scenario().counted_requests();
    // The last place is for all that have none of their own.
    let names: Vec<&str> = requests
        .take(REQUESTS_APART_MAX - 1)
        .map(|request| request.name.as_str())
        .collect();
    let place = names.iter().position(|known| *known == name);
    place.ok_or_else(|| format!("no request `{name}`, expected one of {}", names.join(", ")))
}
