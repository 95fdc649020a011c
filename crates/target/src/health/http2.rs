//! The same over HTTP/2.

use super::{Found, Stream, is_early, location, redirects};
use plimsoll_protocol::http2::{Http2, RequestLayout, Scheme};
use plimsoll_protocol::{Client as _, Completions, Failure, Part, RequestFailure, RequestParts, Response, Standing};
use std::time::Instant;

/// What came of the request.
#[derive(Default)]
struct Outcome(Option<Result<(), Found>>);

impl Completions<()> for Outcome {
    fn response(&mut self, (): &(), response: &Response<'_>) {
        let status = response.status;
        self.0 = Some(match status {
            200..=299 => Ok(()),
            _ if redirects(status) => Err(Found::Status(status, location(response.bytes))),
            _ => Err(Found::Status(status, None)),
        });
    }

    fn keeps_beginning(&mut self, (): &(), status: u16) -> bool {
        redirects(status)
    }

    fn failed(&mut self, (): &(), failure: &RequestFailure<'_>) {
        self.0 = Some(Err(match failure {
            RequestFailure::Malformed { reason, .. } => Found::Malformed((*reason).to_owned()),
            RequestFailure::Reset { code, .. } => Found::Failed(format!("it reset the stream: {code}")),
            RequestFailure::Call { .. } => Found::Failed("it responded as to a call of gRPC".to_owned()),
            RequestFailure::Refused => Found::Failed("it refused the stream".to_owned()),
        }));
    }

    fn unseen(&mut self, (): &(), _words: &str) {
        self.0 = Some(Err(Found::Closed));
    }
}

/// Asks for `path` until `deadline`, or as long as `go_on` says so.
pub(super) fn get(
    stream: &mut dyn Stream,
    (authority, scheme): (&str, Scheme),
    path: &str,
    deadline: Instant,
    go_on: impl Fn() -> bool,
) -> Result<(), Found> {
    let begun = Instant::now();
    let request = RequestParts {
        method: "GET",
        authority,
        target: &[Part::Literal(path.as_bytes())],
        headers: &[],
        body: &[],
        keep_alive: true,
    };
    let request = RequestLayout::new(&request, scheme).map_err(|error| Found::Failed(error.to_string()))?;
    let (mut client, mut common, mut outcome) = (Http2::new(1, true), Default::default(), Outcome::default());
    let (mut out, mut chunk, mut came) = (Vec::new(), [0; 4096], 0);
    client.open(&mut out);
    client.start(&request, |_| b"", (), &mut out);
    loop {
        if !out.is_empty() {
            let sent = stream.write_all(&out);
            sent.map_err(|error| Found::talking(&error))?;
            out.clear();
        }
        if Instant::now() >= deadline || !go_on() {
            return Err(Found::Waiting(came, begun.elapsed()));
        }
        let length = match stream.read(&mut chunk) {
            Ok(0) if came == 0 => return Err(Found::Closed),
            Ok(0) => return Err(Found::Truncated(came)),
            Ok(length) => length,
            Err(error) if is_early(&error) => continue,
            Err(error) => return Err(Found::talking(&error)),
        };
        came += length;
        let received = client.receive(&chunk[..length], &mut common, &mut out, &mut outcome);
        if let Some(result) = outcome.0 {
            return result;
        }
        match received {
            Ok(Standing::Open | Standing::Leaving) => {}
            Ok(Standing::Closing) => return Err(Found::Closed),
            Err(Failure::Malformed { reason }) => return Err(Found::Malformed(reason)),
            Err(Failure::Unrequested { .. } | Failure::CutOff | Failure::Closed { .. } | Failure::Refused { .. }) => {
                return Err(Found::Truncated(came));
            }
        }
    }
}
