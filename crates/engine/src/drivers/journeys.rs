//! Users on journeys: an arrival is a user, whose next request is due when the response before it has come and the pause is over.

use super::{Source, Starts};
use crate::backend::{Backend, Slot};
use crate::connection::{InFlight, Owner, Protocol, Start};
use crate::evidence::Seen;
use crate::journeys::{BODY_BYTES_MAX, Belongings, Fault, Next, Program, Received, Session, Unfit, final_response};
use crate::pool::{ForUser, Pool};
use crate::recorder::Recorder;
use crate::requests::Requests;
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::Response;
use plimsoll_schedule::AgentShare;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::Arc;

/// Users of a shard at a time; those beyond it are dropped, so that memory is bounded.
const USERS_MAX: usize = 1 << 18;
/// Bytes that all of them keep together, in the same way.
const KEPT_BYTES_MAX: usize = 256 << 20;
/// So long after the last arrival, what users still have before them is given up.
const GO_ON_NS: u64 = 30_000_000_000;

/// Who is on the way.
pub(crate) struct Journeys {
    program: Arc<Program>,
    /// Where users come from.
    arrivals: Source,
    seed: u64,
    /// That of this machine, by which it gives out rows.
    share: AgentShare,
    /// The time of day at the zero of all times, ns since 1970.
    unix_zero_ns: u64,
    users: Vec<Option<User>>,
    free: Vec<usize>,
    /// When which user goes on, the earliest on top; users who become due at one time in the order of their places.
    due: BinaryHeap<Reverse<(u64, usize)>>,
    kept_bytes: usize,
    /// What those have who come again, by when that is and in the order in which they ended; and how much of the sum over all users it is.
    belongings: BTreeMap<(u64, u64), (Belongings, usize)>,
    /// How many have ended so.
    ended: u64,
    /// Whether those who are there go no further.
    is_over: bool,
    /// When arrivals were to end, if they were ended before.
    ended_ns: Option<u64>,
    /// The values of the request that is about to be sent, by variable.
    values: Vec<Vec<u8>>,
    /// Whether each user has a connection of its own.
    per_user: bool,
    /// Those who have left, with the connections that they had.
    left: Vec<(Owner, Slot)>,
}

struct User {
    session: Session,
    /// What of it is in the sum over all users.
    kept_bytes: usize,
    arrived_ns: u64,
    /// For how long it has paused.
    paused_ns: u64,
    /// For how long the generator kept it waiting: from a response to the request that follows it, and from there until this went out.
    kept_waiting_ns: u64,
    /// The request that comes next, or whose response is awaited.
    request: u16,
    /// Whether what comes next follows a response without a pause.
    follows: bool,
    /// Requests that were reached before, by their place among the first ones.
    reached: Vec<u16>,
    /// Its own, which may be gone by now.
    connection: Option<Slot>,
    body: Vec<u8>,
    body_bytes: u64,
}

impl Journeys {
    /// What is the machine's own is the seed, its share of users, and the time of day at the zero of all times, ns since 1970.
    pub(crate) fn new(
        arrivals: Source,
        program: Arc<Program>,
        (seed, share, unix_zero_ns): (u64, AgentShare, u64),
        per_user: bool,
    ) -> Self {
        Self {
            unix_zero_ns,
            values: program.buffers(),
            program,
            arrivals,
            seed,
            share,
            users: Vec::new(),
            free: Vec::new(),
            due: BinaryHeap::new(),
            kept_bytes: 0,
            belongings: BTreeMap::new(),
            ended: 0,
            is_over: false,
            ended_ns: None,
            per_user,
            left: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.users.len() - self.free.len()
    }

    /// A user arrives, and is dropped where there are too many. Where there is no row for it, it is the last one.
    fn arrive(&mut self, start: &Start, now_ns: u64, recorder: &mut Recorder) -> Option<usize> {
        let first = self.program.first_of(start.number);
        if self.count() >= USERS_MAX || self.kept_bytes >= KEPT_BYTES_MAX {
            recorder.counters.scheduled += 1;
            recorder.dropped(first);
            self.arrivals.ended(start.intended_ns, now_ns, false);
            return None;
        }
        let Some(session) = self.program.user(start.number, self.seed, self.share) else {
            recorder.user_without_row(first);
            self.finish(now_ns);
            return None;
        };
        let (session, kept_bytes) = match self.belongings_at(start.intended_ns) {
            Some((belongings, kept_bytes)) => (session.with(belongings), kept_bytes),
            None => (session, 0),
        };
        recorder.user_started(first, self.program.is_new(&session));
        let user = Some(User {
            session,
            kept_bytes,
            arrived_ns: start.intended_ns,
            paused_ns: 0,
            kept_waiting_ns: 0,
            request: first,
            follows: false,
            reached: Vec::new(),
            connection: None,
            body: Vec::new(),
            body_bytes: 0,
        });
        Some(match self.free.pop() {
            Some(place) => {
                self.users[place] = user;
                place
            }
            None => {
                self.users.push(user);
                self.users.len() - 1
            }
        })
    }

    /// The user at this place goes on at this time; the request that comes of it, if it does.
    fn go_on(&mut self, place: usize, at_ns: u64, now_ns: u64, recorder: &mut Recorder) -> Option<Start> {
        let user = self.users[place].as_mut()?;
        match self.program.next(&mut user.session, at_ns, self.unix_zero_ns + at_ns) {
            Next::Pause(ns) => {
                user.paused_ns += ns;
                user.follows &= ns == 0;
                self.due.push(Reverse((at_ns + ns, place)));
                None
            }
            Next::Request(request) => {
                user.request = request;
                if !user.reached.contains(&request) {
                    user.reached.push(request);
                    recorder.user_reached(request);
                }
                if let Err(unfit) = self.program.fill(request, &user.session, &mut self.values) {
                    self.refuse(place, request, &unfit, at_ns, recorder);
                    return None;
                }
                if !std::mem::take(&mut user.follows) || self.arrivals.is_scheduled() {
                    return Some(Start::new(place as u64, at_ns));
                }
                // What a response leads to in the closed model is due once it is read.
                user.kept_waiting_ns += now_ns - at_ns;
                Some(Start::new(place as u64, now_ns))
            }
            Next::Nothing => {
                let first = self.program.first(&user.session);
                let time_ns = at_ns.saturating_sub(user.arrived_ns + user.kept_waiting_ns);
                recorder.user_finished(first, time_ns, user.paused_ns);
                self.program.came_to_end(&user.session);
                if let Some((due_ns, user)) = self.leave(place, at_ns, true)
                    && self.program.has_once()
                {
                    self.kept_bytes += user.kept_bytes;
                    self.ended += 1;
                    let belongings = (user.session.into_belongings(), user.kept_bytes);
                    self.belongings.insert((due_ns, self.ended), belongings);
                }
                None
            }
        }
    }

    /// A request that is due at this time is not sent, because of what would stand in it.
    #[cold]
    fn refuse(&mut self, place: usize, request: u16, unfit: &Unfit, at_ns: u64, recorder: &mut Recorder) {
        let (expected, found) = unfit.words();
        let name = &self.program.sending(request).name;
        recorder.show_failure(Unfit::CLASS, at_ns, || Seen::found(found).expecting(expected).of(name));
        recorder.counters.scheduled += 1;
        recorder.failed(request, Unfit::CLASS);
        self.end_early(place, request, at_ns, true, recorder);
    }

    /// The journey of the user at this place ends at this time with a request, which failed.
    fn end_early(&mut self, place: usize, request: u16, at_ns: u64, reached: bool, recorder: &mut Recorder) {
        if let Some(user) = &self.users[place] {
            recorder.user_failed(self.program.first(&user.session), request);
        }
        self.leave(place, at_ns, reached);
    }

    /// The user at this place ended its journey at this time; gives what is left of it where it comes again, and when that is.
    fn leave(&mut self, place: usize, at_ns: u64, reached: bool) -> Option<(u64, User)> {
        let user = self.users[place].take()?;
        self.kept_bytes -= user.kept_bytes;
        self.free.push(place);
        self.left.extend(user.connection.map(|slot| (Owner::at(place), slot)));
        // Who has found nothing to do would come again at the same moment, for ever.
        let reached = reached && at_ns > user.arrived_ns;
        let due_ns = self.arrivals.ended(user.arrived_ns, at_ns, reached)?;
        Some((due_ns, user))
    }

    /// What the user has who begins at this time, if it was there before. Those who are due come in the order of their times, and those who go meanwhile are
    /// the first of them.
    fn belongings_at(&mut self, intended_ns: u64) -> Option<(Belongings, usize)> {
        if self.belongings.is_empty() {
            return None;
        }
        for _ in 0..self.arrivals.gone() {
            if let Some((_, (_, kept_bytes))) = self.belongings.pop_first() {
                self.kept_bytes -= kept_bytes;
            }
        }
        let first = self.belongings.first_entry()?;
        (first.key().0 <= intended_ns).then(|| first.remove())
    }

    fn look(&mut self, now_ns: u64) {
        let end_ns = self.ended_ns.or(self.arrivals.end_ns());
        self.is_over = end_ns.is_some_and(|end_ns| now_ns >= end_ns.saturating_add(GO_ON_NS));
    }
}

impl Starts for Journeys {
    const TAKES_CONTENT: bool = true;

    fn take_due(&mut self, now_ns: u64, recorder: &mut Recorder) -> Option<Start> {
        loop {
            self.look(now_ns);
            let due = self
                .due
                .peek()
                .filter(|Reverse((due_ns, _))| !self.is_over && *due_ns <= now_ns);
            let (place, at_ns) = match due {
                Some(&Reverse((due_ns, place))) => {
                    self.due.pop();
                    (place, due_ns)
                }
                None => {
                    let start = self.arrivals.take_next(now_ns)?;
                    match self.arrive(&start, now_ns, recorder) {
                        Some(place) => (place, start.intended_ns),
                        None => continue,
                    }
                }
            };
            if let Some(start) = self.go_on(place, at_ns, now_ns, recorder) {
                return Some(start);
            }
        }
    }

    fn next_due_ns(&self, now_ns: u64) -> Option<u64> {
        let due_ns = self
            .due
            .peek()
            .filter(|_| !self.is_over)
            .map(|Reverse((due_ns, _))| *due_ns);
        let arrives_ns = self.arrivals.next_due_ns(now_ns);
        due_ns.into_iter().chain(arrives_ns).min()
    }

    fn due_after_next_ns(&self) -> Option<u64> {
        None
    }

    fn finished(&mut self, start: &Start, now_ns: u64, reached: bool, recorder: &mut Recorder) {
        let place = start.number as usize;
        if let Some(request) = self.users[place].as_ref().map(|user| user.request) {
            self.end_early(place, request, now_ns, reached, recorder);
        }
    }

    fn is_exhausted(&self, now_ns: u64) -> bool {
        self.arrivals.is_exhausted(now_ns) && (self.count() == 0 || self.is_over)
    }

    fn is_scheduled(&self) -> bool {
        false
    }

    fn end_ns(&self) -> Option<u64> {
        self.arrivals.end_ns()
    }

    fn users(&self) -> Option<u64> {
        self.arrivals.users()
    }

    fn finish(&mut self, now_ns: u64) {
        self.ended_ns = Some(now_ns);
        self.arrivals.finish(now_ns);
    }

    fn owns_connections(&self) -> bool {
        self.per_user
    }

    fn connection_of(&self, start: &Start) -> Option<(Owner, Slot)> {
        let place = start.number as usize;
        let slot = self.users[place].as_ref()?.connection?;
        Some((Owner::at(place), slot))
    }

    fn take_left(&mut self) -> Option<(Owner, Slot)> {
        self.left.pop()
    }

    fn request_of<R>(&self, start: &Start, _requests: &Requests<R>) -> u16 {
        self.users[start.number as usize]
            .as_ref()
            .map_or(0, |user| user.request)
    }

    fn send<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, start: Start, now_ns: u64) {
        let Some(user) = self.users[start.number as usize].as_mut() else {
            return;
        };
        user.body.clear();
        user.body_bytes = 0;
        // They may have been filled in for another user meanwhile. That they fit is known.
        if self.program.fill(user.request, &user.session, &mut self.values).is_ok() {
            let sends = ForUser {
                request: user.request,
                values: &mut self.values,
                cookies: !user.session.cookies.is_empty(),
            };
            pool.start_as(slot, start, sends, now_ns);
        }
        if self.per_user {
            user.connection = Some(slot);
            pool.give(slot, Owner::at(start.number as usize));
        }
    }

    fn send_waiting<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, slot: Slot, start: Start, now_ns: u64) {
        self.send(pool, slot, start, now_ns);
    }

    fn responded(
        &mut self,
        request: &InFlight,
        response: &Response<'_>,
        failure: Option<ErrorClass>,
        now_ns: u64,
        recorder: &mut Recorder,
    ) {
        let place = request.number as usize;
        let Some(user) = self.users[place].as_mut() else { return };
        let sending = self.program.sending(request.request);
        let goes_on = sending.goes_on;
        let (took_ns, _) = recorder.times_ns(request, now_ns);
        let head = final_response(response.bytes);
        user.session.cookies.take(head);
        let outcome = match failure {
            Some(class) => Err(class),
            None => {
                let received = Received {
                    head,
                    body: &user.body,
                    body_bytes: user.body_bytes,
                    took_ns,
                };
                self.program
                    .take(request.request, &received, &mut user.session)
                    .map_err(|fault| {
                        let Fault { class, expected, found } = fault;
                        let status = response.status;
                        let seen = || Seen::found(format!("status {status}: {found}")).expecting(expected);
                        recorder.show_failure(class, now_ns, || seen().of(&sending.name));
                        class
                    })
            }
        };
        let kept_bytes = user.session.kept_bytes();
        self.kept_bytes = self.kept_bytes - user.kept_bytes + kept_bytes;
        user.kept_bytes = kept_bytes;
        user.follows = true;
        user.kept_waiting_ns += now_ns.saturating_sub(request.intended_ns + took_ns);
        user.body = Vec::new();
        let outcome = outcome.and_then(|()| match self.kept_bytes {
            ..=KEPT_BYTES_MAX => Ok(()),
            _ => {
                let most = format!("at most {} MiB kept by all users of a thread", KEPT_BYTES_MAX >> 20);
                let seen = || Seen::found("no room for more values").expecting(most);
                recorder.show_failure(ErrorClass::Take, now_ns, || seen().of(&sending.name));
                Err(ErrorClass::Take)
            }
        });
        recorder.response(request, now_ns, response.status, outcome.err());
        match outcome {
            Ok(()) => self.due.push(Reverse((now_ns, place))),
            Err(_) if goes_on => self.due.push(Reverse((now_ns, place))),
            Err(_) => self.end_early(place, request.request, now_ns, true, recorder),
        }
    }

    fn values_of(&mut self, request: &InFlight) -> Option<&[Vec<u8>]> {
        let user = self.users[request.number as usize].as_ref()?;
        // They have been filled in for others meanwhile.
        let filled = self.program.fill(request.request, &user.session, &mut self.values);
        filled.is_ok().then_some(self.values.as_slice())
    }

    /// A service that lets a user in says so by a cookie, and leads on.
    fn redirected(&mut self, start: &Start, response: &Response<'_>) {
        if let Some(user) = self.users[start.number as usize].as_mut() {
            user.session.cookies.take(final_response(response.bytes));
        }
    }

    fn content(&mut self, request: &InFlight, piece: &[u8]) {
        let Some(user) = self.users[request.number as usize].as_mut() else {
            return;
        };
        user.body_bytes += piece.len() as u64;
        if self.program.sending(request.request).asked.wants_body() {
            let room = BODY_BYTES_MAX - user.body.len();
            user.body.extend_from_slice(&piece[..piece.len().min(room)]);
        }
    }

    /// There may be cookies in it.
    fn wants_head(&self, _request: u16) -> bool {
        true
    }
}
