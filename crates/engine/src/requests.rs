//! The requests of a scenario, ready to be written again and again.

use crate::journeys::Program;
use crate::messages::Marks;
use crate::redirects::{Beside, Hop, NotFollowed, Redirect, Redirects};
use crate::with_cookies::add_cookies;
use plimsoll_plan::{ActionRequest, GrpcStatus, Messages, Piece, Request, Scenario, Template, Values};
use plimsoll_schedule::{Mix, Pick, draw};
use std::collections::BTreeSet;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;

/// A scenario of which every request and every value has been checked, laid out as `R`. Cheap to clone: a shard has its own.
#[derive(Debug)]
pub struct Requests<R> {
    shared: Arc<Shared<R>>,
    /// Which of them are sent.
    mix: Arc<Mix>,
    /// Where redirects are followed.
    redirects: Option<Arc<Redirects<R>>>,
    /// Values of the variables, one buffer each; then the [target where a redirect led to](target_variable), and the
    /// [message of a call](message_variable).
    values: Vec<Vec<u8>>,
    /// What marks messages.
    marks: Marks,
    /// The time of day at the zero of all times, ns since 1970.
    unix_zero_ns: u64,
    /// What users do, where they send the requests.
    journeys: Option<Arc<Program>>,
}

impl<R> Clone for Requests<R> {
    fn clone(&self) -> Self {
        Self {
            shared: Arc::clone(&self.shared),
            mix: Arc::clone(&self.mix),
            redirects: self.redirects.clone(),
            values: self.values.clone(),
            marks: self.marks,
            unix_zero_ns: self.unix_zero_ns,
            journeys: self.journeys.clone(),
        }
    }
}

#[derive(Debug)]
struct Shared<R> {
    /// The requests of the scenario, behind them those that are actions, and at the end what opens connections apart from both.
    kinds: Vec<Kind<R>>,
    /// The same with the cookies of a user, where users send them.
    with_cookies: Vec<R>,
    variables: Vec<Values>,
    /// How many are no actions.
    usual: usize,
    /// How many have metrics of their own: all but what opens connections.
    counted: usize,
}

#[derive(Debug)]
struct Kind<R> {
    /// Name in the plan; empty where there is only one.
    name: String,
    /// How often it is sent, relative to the others of its sort.
    weight: u64,
    laid_out: R,
    /// Whether it is another one each time.
    varies: bool,
    /// Its variables.
    uses: Box<[usize]>,
    /// Whether sending it twice does no more than sending it once.
    idempotent: bool,
    accepted_status: Vec<(u16, u16)>,
    /// What calls of gRPC send in turn, where that is not always the same.
    messages: Option<Messages>,
    /// Statuses of gRPC that are expected; none where it is no call.
    accepted_calls: Vec<GrpcStatus>,
}

/// Stands for the target of a request that is redirected, as if it were a variable of the scenario.
fn target_variable(scenario: &Scenario) -> usize {
    scenario.variables.len()
}

/// Stands for the message of a call, in the same way.
pub(crate) fn message_variable(scenario: &Scenario) -> usize {
    scenario.variables.len() + 1
}

/// Stands for the cookies of a user, in the same way.
pub(crate) fn cookie_variable(scenario: &Scenario) -> usize {
    scenario.variables.len() + 2
}

/// What stands for the values of a request that is redirected.
pub(crate) fn beside(scenario: &Scenario) -> Beside {
    Beside {
        target: target_variable(scenario),
        cookies: (!scenario.journeys.is_empty()).then(|| cookie_variable(scenario)),
    }
}

/// A request that is about to be sent.
pub(crate) struct Prepared<'a, R> {
    /// Which request of the scenario.
    pub(crate) request: u16,
    pub(crate) laid_out: &'a R,
    values: &'a [Vec<u8>],
}

impl<R> Prepared<'_, R> {
    /// The value of a variable.
    #[inline]
    pub(crate) fn value(&self, variable: usize) -> &[u8] {
        &self.values[variable]
    }
}

impl<R> Requests<R> {
    /// Lays out every request of the scenario by `lay_out`, which is also given the action that it is, where it is one. Those are laid out
    /// too, and sent apart, as is what opens connections.
    ///
    /// # Errors
    /// What `lay_out` returns.
    pub fn lay_out<E>(
        scenario: &Scenario,
        mut lay_out: impl FnMut(&Request, Option<&ActionRequest>) -> Result<R, E>,
    ) -> Result<Self, E> {
        let actions = scenario.action_requests();
        let counted = scenario.requests.len() + actions.len();
        let mut with_cookies = Vec::new();
        let mut kind = |request: &Request, action: Option<&ActionRequest>| {
            if !scenario.journeys.is_empty() {
                with_cookies.push(lay_out(&add_cookies(request, cookie_variable(scenario)), action)?);
            }
            Ok(Kind {
                name: request.name.clone(),
                weight: request.weight.max(1).into(),
                laid_out: lay_out(request, action)?,
                varies: !uses(request).is_empty() || messages_that_vary(request).is_some(),
                uses: uses(request),
                idempotent: is_idempotent(request.method.as_str()),
                accepted_status: match request.is_message() {
                    true => vec![(0, 0)],
                    false => request.expect.status.clone(),
                },
                messages: messages_that_vary(request).cloned(),
                accepted_calls: request.grpc.iter().flat_map(|grpc| grpc.accepted.clone()).collect(),
            })
        };
        let usual = scenario.requests.iter().map(|request| (request, None));
        let actions = actions.iter().map(|&action| (&action.request, Some(action)));
        let openings = scenario.openings.iter().map(|request| (request, None));
        let mut kinds = usual
            .chain(actions)
            .chain(openings)
            .map(|(request, action)| kind(request, action))
            .collect::<Result<Vec<_>, _>>()?;
        if let [only] = &mut kinds[..counted] {
            only.name.clear();
        }
        let variables: Vec<Values> = scenario
            .variables
            .iter()
            .map(|variable| variable.values.clone())
            .collect();
        Ok(Self {
            mix: Arc::new(Mix::new(&scenario.requests)),
            redirects: None,
            values: vec![Vec::new(); message_variable(scenario) + 1],
            marks: Marks::default(),
            unix_zero_ns: 0,
            journeys: (!scenario.journeys.is_empty())
                .then(|| Arc::new(Program::of(scenario, cookie_variable(scenario)))),
            shared: Arc::new(Shared {
                kinds,
                with_cookies,
                variables,
                usual: scenario.requests.len(),
                counted,
            }),
        })
    }

    /// The same requests, of which those that are actions are sent in turn, with these marks.
    pub(crate) fn acting(&self, marks: Marks) -> Self {
        Self {
            marks,
            ..self.those(self.shared.usual..self.shared.counted)
        }
    }

    /// The same requests, with these marks.
    pub(crate) fn marked(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }

    /// The same requests, sent where this is the time of day at the zero of all times, ns since 1970.
    pub(crate) fn dated(self, unix_zero_ns: u64) -> Self {
        Self { unix_zero_ns, ..self }
    }

    /// Whether a value of theirs is the time.
    pub(crate) fn tells_time(&self) -> bool {
        self.shared
            .variables
            .iter()
            .any(|values| matches!(values, Values::Now(_)))
    }

    /// The time of day at the zero of all times, ns since 1970.
    pub(crate) fn unix_zero_ns(&self) -> u64 {
        self.unix_zero_ns
    }

    /// Those that open connections and are no requests like others; `None` where there are none.
    pub(crate) fn openings(&self) -> Option<Self> {
        let places = self.shared.counted..self.shared.kinds.len();
        (!places.is_empty()).then(|| self.those(places))
    }

    /// The same requests, of which those at these places are sent in turn.
    fn those(&self, places: Range<usize>) -> Self {
        let kinds = self.shared.kinds.iter().enumerate();
        let weights = kinds.map(|(place, kind)| if places.contains(&place) { kind.weight } else { 0 });
        Self {
            shared: Arc::clone(&self.shared),
            mix: Arc::new(Mix::by_weights(weights.collect())),
            redirects: None,
            values: self.values.clone(),
            marks: self.marks,
            unix_zero_ns: self.unix_zero_ns,
            journeys: None,
        }
    }

    /// The place of the first request that is an action.
    pub(crate) fn first_action(&self) -> u16 {
        self.shared.usual as u16
    }

    /// The same, with redirects followed as far as these say.
    pub(crate) fn redirected_by(self, redirects: Redirects<R>) -> Self {
        Self {
            redirects: redirects.are_followed().then(|| Arc::new(redirects)),
            ..self
        }
    }

    /// Request `number` with its values, which is due at `intended_ns`.
    #[inline]
    pub(crate) fn prepare(&mut self, number: u64, intended_ns: u64) -> Prepared<'_, R> {
        let Pick { request, nth } = self.mix.pick(number);
        let kind = &self.shared.kinds[request];
        if kind.varies {
            let due = Due {
                number,
                nth,
                unix_ns: self.unix_zero_ns + intended_ns,
            };
            kind.fill(&due, &self.shared.variables, self.marks, &mut self.values);
        }
        Prepared {
            request: request as u16,
            laid_out: &kind.laid_out,
            values: &self.values,
        }
    }

    /// What users do, where they send the requests.
    pub(crate) fn journeys(&self) -> Option<&Arc<Program>> {
        self.journeys.as_ref()
    }

    /// This request of the scenario with these values, `cookies` among them or not.
    pub(crate) fn prepare_as<'a>(&'a self, request: u16, values: &'a [Vec<u8>], cookies: bool) -> Prepared<'a, R> {
        let place = request as usize;
        let with_cookies = self.shared.with_cookies.get(place).filter(|_| cookies);
        Prepared {
            request,
            laid_out: with_cookies.unwrap_or(&self.shared.kinds[place].laid_out),
            values,
        }
    }

    /// The same where a redirect led it.
    pub(crate) fn prepare_hop_as<'a>(
        &'a self,
        request: u16,
        values: &'a mut [Vec<u8>],
        cookies: bool,
        hop: &Hop,
    ) -> Prepared<'a, R> {
        values[self.shared.variables.len()].clone_from(&hop.target);
        let prepared = self.prepare_as(request, values, cookies);
        let redirects = self.redirects.as_ref();
        let laid_out = redirects.map(|redirects| redirects.laid_out(request, hop, cookies));
        Prepared {
            laid_out: laid_out.unwrap_or(prepared.laid_out),
            ..prepared
        }
    }

    /// The same as it is sent where a redirect led it.
    pub(crate) fn prepare_hop(&mut self, number: u64, intended_ns: u64, hop: &Hop) -> Prepared<'_, R> {
        let target = self.shared.variables.len();
        self.values[target].clone_from(&hop.target);
        let prepared = self.prepare(number, intended_ns).request;
        let redirects = self.redirects.as_ref();
        let laid_out = redirects.map(|redirects| redirects.laid_out(prepared, hop, false));
        Prepared {
            request: prepared,
            laid_out: laid_out.unwrap_or(&self.shared.kinds[prepared as usize].laid_out),
            values: &self.values,
        }
    }

    /// Whether a response with this status to this request of the scenario is a redirect to follow.
    pub(crate) fn follows(&self, request: u16, status: u16) -> bool {
        let redirects = self.redirects.as_ref();
        redirects.is_some_and(|redirects| redirects.follows(request, status))
    }

    /// Where a redirect leads request `number`, which was due then, or this request of a user with these values; `None` where none is followed.
    pub(crate) fn next_hop(
        &self,
        (number, intended_ns): (u64, u64),
        of_user: Option<(u16, &[Vec<u8>])>,
        redirect: &Redirect<'_>,
    ) -> Option<Result<Hop, NotFollowed>> {
        let redirects = self.redirects.as_ref()?;
        let filled = |template: &Template, append: &dyn Fn(usize, &mut Vec<u8>)| {
            let mut text = Vec::new();
            template.reveal().for_each(|piece| match piece {
                Piece::Literal(bytes) => text.extend_from_slice(bytes),
                Piece::Variable(index) => append(index, &mut text),
            });
            text
        };
        Some(match of_user {
            Some((request, values)) => redirects.next(request, redirect, |template| {
                filled(template, &|index, text| text.extend_from_slice(&values[index]))
            }),
            None => {
                let Pick { request, nth } = self.mix.pick(number);
                let due = Due {
                    number,
                    nth,
                    unix_ns: self.unix_zero_ns + intended_ns,
                };
                redirects.next(request as u16, redirect, |template| {
                    filled(template, &|index, text| {
                        append_value(&self.shared.variables[index], &due, text);
                    })
                })
            }
        })
    }

    /// Which request of the scenario request `number` is.
    pub(crate) fn request_of(&self, number: u64) -> u16 {
        self.mix.pick(number).request as u16
    }

    /// How many requests the scenario has that are counted.
    pub(crate) fn count(&self) -> usize {
        self.shared.counted
    }

    /// The name of this request of the scenario; empty where it has only one.
    pub(crate) fn name(&self, request: u16) -> &str {
        &self.shared.kinds[request as usize].name
    }

    /// Whether `status` is an expected one for this request of the scenario.
    #[inline]
    pub(crate) fn accepts(&self, request: u16, status: u16) -> bool {
        self.accepted_status(request)
            .iter()
            .any(|&(low, high)| (low..=high).contains(&status))
    }

    /// The statuses that this request of the scenario expects, from and to.
    #[inline]
    pub(crate) fn accepted_status(&self, request: u16) -> &[(u16, u16)] {
        &self.shared.kinds[request as usize].accepted_status
    }

    /// Whether this request of the scenario is a call of gRPC.
    pub(crate) fn is_call(&self, request: u16) -> bool {
        !self.accepted_calls(request).is_empty()
    }

    /// Statuses with which a call of gRPC succeeds.
    pub(crate) fn accepted_calls(&self, request: u16) -> &[GrpcStatus] {
        &self.shared.kinds[request as usize].accepted_calls
    }

    /// Whether this request of the scenario may be sent again although the service may have seen it.
    pub(crate) fn may_repeat(&self, request: u16) -> bool {
        self.shared.kinds[request as usize].idempotent
    }
}

impl<R> Kind<R> {
    /// Writes the values of its variables. Apart, so that a request without any does not pay for it.
    #[inline(never)]
    fn fill(&self, due: &Due, variables: &[Values], marks: Marks, buffers: &mut [Vec<u8>]) {
        for &variable in &self.uses {
            let (Some(buffer), Some(values)) = (buffers.get_mut(variable), variables.get(variable)) else {
                continue;
            };
            buffer.clear();
            match values {
                Values::Message => marks.append(due.number, buffer),
                _ => append_value(values, due, buffer),
            }
        }
        if let (Some(messages), Some(buffer)) = (&self.messages, buffers.last_mut()) {
            buffer.clear();
            buffer.extend_from_slice(messages.reveal(due.nth));
        }
    }
}

/// When a request is sent, by all by which its values are drawn.
struct Due {
    /// Among all requests of the run.
    number: u64,
    /// How many of the same were sent before.
    nth: u64,
    /// When it is due, ns since 1970.
    unix_ns: u64,
}

/// The value of a variable for a request.
#[inline]
fn append_value(values: &Values, due: &Due, out: &mut Vec<u8>) {
    // Chance may not give two requests the same because they are of two kinds.
    let nth = if values.draw().is_some() { due.number } else { due.nth };
    let position = draw(values, nth);
    match values {
        Values::Range { from, .. } => {
            write!(out, "{}", from + position).expect("writing to a Vec does not fail");
        }
        Values::List(texts) => out.extend_from_slice(texts[position as usize].reveal().as_bytes()),
        Values::Shuffled { .. } | Values::Random { .. } | Values::Uuid(_) | Values::Text { .. } | Values::Column(_) => {
            values.append(position, out);
        }
        Values::Now(now) => now.append(due.unix_ns, out),
        // They have no values of their own.
        Values::Message | Values::Kept { .. } => {}
    }
}

/// Methods that do no more when they are sent twice (RFC 9110, section 9.2.2).
fn is_idempotent(method: &str) -> bool {
    matches!(method, "GET" | "HEAD" | "OPTIONS" | "TRACE" | "PUT" | "DELETE")
}

/// The messages of a call where they are not always the same.
fn messages_that_vary(request: &Request) -> Option<&Messages> {
    let messages = request.grpc.as_ref().map(|grpc| &grpc.messages);
    messages.filter(|messages| messages.count() > 1)
}

/// The variables of a request, each once.
fn uses(request: &Request) -> Box<[usize]> {
    let headers = request.headers.iter().map(|(_, value)| value);
    let templates = [&request.path, &request.body].into_iter().chain(headers);
    let all: BTreeSet<usize> = templates.flat_map(Template::variables).collect();
    all.into_iter().collect()
}
