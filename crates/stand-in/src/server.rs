//! The server: HTTP/1.1 on one thread, as hyper speaks it.

use crate::alarm::Alarm;
use crate::behaviour::{Behaviour, Body, Response};
use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Incoming;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::convert::Infallible;
use std::io::{self, Write as _};
use std::net::Ipv4Addr;
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::net::TcpListener;
use tokio::task::LocalSet;

/// After a connection could not be taken, such as for want of descriptors.
const REST: Duration = Duration::from_millis(10);
/// So many requests that nothing fits are told.
const MOST_TOLD: usize = 20;

/// Serves until this process is ended; the reason why it cannot.
pub(crate) fn serve(behaviour: Behaviour) -> String {
    match run(behaviour) {
        Ok(never) => match never {},
        Err(reason) => reason,
    }
}

fn run(behaviour: Behaviour) -> Result<Infallible, String> {
    let failed = |error: io::Error| error.to_string();
    let port = behaviour.port;
    let stand_in = Rc::new(StandIn::new(behaviour)?);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .build()
        .map_err(failed)?;
    LocalSet::new().block_on(&runtime, async move {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
        let listener = listener.map_err(|error| format!("port {port}: {error}"))?;
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                stand_in.alarm.until(Instant::now() + REST).await;
                continue;
            };
            let _ = stream.set_nodelay(true);
            let stand_in = Rc::clone(&stand_in);
            tokio::task::spawn_local(async move {
                let service = service_fn(|request| stand_in.respond(request));
                // A client that hangs up is no concern of ours.
                let _ = http1::Builder::new()
                    .serve_connection(TokioIo::new(stream), service)
                    .await;
            });
        }
    })
}

struct StandIn {
    responses: Vec<Prepared>,
    alarm: Alarm,
    random: RefCell<ChaCha8Rng>,
    /// Requests that nothing fits, as they were told.
    told: RefCell<Vec<String>>,
}

struct Prepared {
    given: Response,
    status: StatusCode,
    headers: HeaderMap,
    /// All of it where it is always the same, else as much as may be needed.
    body: Bytes,
}

impl Prepared {
    fn new(given: Response) -> Result<Self, String> {
        let mut headers = HeaderMap::new();
        for (name, value) in &given.headers {
            let name = HeaderName::try_from(name.as_str()).map_err(|error| format!("header {name}: {error}"))?;
            let value = HeaderValue::from_bytes(&value.0).map_err(|error| format!("header {name}: {error}"))?;
            headers.append(name, value);
        }
        let body = match &given.body {
            Body::Same(content) => Bytes::from(content.0.clone()),
            Body::Size(_, most) => Bytes::from(vec![b'x'; *most]),
        };
        Ok(Self {
            status: StatusCode::from_u16(given.status).map_err(|error| error.to_string())?,
            headers,
            body,
            given,
        })
    }
}

impl StandIn {
    fn new(behaviour: Behaviour) -> Result<Self, String> {
        let responses = behaviour.responses.into_iter().map(Prepared::new);
        Ok(Self {
            responses: responses.collect::<Result<_, _>>()?,
            alarm: Alarm::start().map_err(|error| error.to_string())?,
            random: RefCell::new(ChaCha8Rng::seed_from_u64(behaviour.seed)),
            told: RefCell::default(),
        })
    }

    async fn respond(&self, request: Request<Incoming>) -> Result<hyper::Response<Full<Bytes>>, hyper::Error> {
        let (head, mut body) = request.into_parts();
        while let Some(frame) = body.frame().await {
            frame?;
        }
        let whole = Instant::now();
        let (method, path) = (head.method.as_str(), head.uri.path());
        let Some(prepared) = self.responses.iter().find(|response| response.given.fits(method, path)) else {
            return Ok(self.unknown(method, path));
        };
        let (time, response) = self.draw(prepared);
        self.alarm.until(whole + time).await;
        Ok(response)
    }

    fn draw(&self, prepared: &Prepared) -> (Duration, hyper::Response<Full<Bytes>>) {
        let random = &mut *self.random.borrow_mut();
        let Prepared {
            given,
            status,
            headers,
            body,
        } = prepared;
        let time = given.times.draw(random);
        if random.random::<f64>() < given.errors {
            return (time, bare(StatusCode::SERVICE_UNAVAILABLE, Bytes::new()));
        }
        let body = match given.body {
            Body::Same(_) => body.clone(),
            Body::Size(fewest, most) => body.slice(..random.random_range(fewest..=most)),
        };
        let mut response = bare(*status, body);
        response.headers_mut().extend(headers.clone());
        (time, response)
    }

    /// To a request that nothing fits.
    fn unknown(&self, method: &str, path: &str) -> hyper::Response<Full<Bytes>> {
        let asked = format!("{method} {path}");
        let mut told = self.told.borrow_mut();
        if told.len() < MOST_TOLD && !told.contains(&asked) {
            let _ = writeln!(io::stdout(), "no response for {asked}");
            told.push(asked);
        }
        bare(StatusCode::NOT_FOUND, Bytes::new())
    }
}

fn bare(status: StatusCode, body: Bytes) -> hyper::Response<Full<Bytes>> {
    let mut response = hyper::Response::new(Full::new(body));
    *response.status_mut() = status;
    response
}
