//! What decides which request starts when: by a schedule or by users ([`arrivals`]), who may be on journeys ([`journeys`]), on connections
//! that are held ([`held`]) or shared by clients who are ([`held_streams`]), or as what these do besides ([`acting`]) or say ([`speaking`]).

mod acting;
mod arrivals;
mod delivery;
mod held;
mod held_streams;
mod journeys;
mod opening;
mod source;
mod speaking;
mod starts;

pub(crate) use acting::Acting;
pub(crate) use arrivals::Arrivals;
pub(crate) use held::{Held, Holding};
pub(crate) use held_streams::HeldStreams;
pub(crate) use journeys::Journeys;
pub(crate) use source::{Closed, Open, Source};
pub(crate) use speaking::Speaking;
pub(crate) use starts::Starts;

use crate::backend::Backend;
use crate::connection::Protocol;
use crate::outcomes::Outcomes;
use crate::pool::{Change, Pool};
use crate::wake_policy::Wait;

/// The part of a shard that the kind of load makes different.
pub(crate) trait Driver: Outcomes {
    /// The load begins.
    fn begin<B: Backend, C: Protocol>(&mut self, _pool: &mut Pool<B, C>, _now_ns: u64) {}

    /// Starts what is due at `now_ns`; `true` when there may be more.
    fn start_due<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64) -> bool;

    /// Reacts to what happened to a connection.
    fn react<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, change: Change);

    /// Ends what has taken too long.
    fn expire<B: Backend, C: Protocol>(&mut self, pool: &mut Pool<B, C>, now_ns: u64);

    /// How long to wait, until `tick_ends_ns` at the latest, and what else ends it.
    fn wait<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64, tick_ends_ns: u64) -> Wait;

    /// Whether the thread looks again instead of waiting.
    fn spins(&self) -> bool;

    /// Whether nothing is left to do.
    fn is_done<B: Backend, C: Protocol>(&self, pool: &Pool<B, C>, now_ns: u64) -> bool;

    /// Requests, or connections, that are still to come and have no place yet.
    fn queued(&self) -> u64;

    /// Clients that are held, where several may share a connection.
    fn clients(&self) -> Option<u64> {
        None
    }

    /// Users who are there, where stages say how many.
    fn users(&self) -> Option<u64> {
        None
    }

    /// When the load ends, if that is known beforehand.
    fn end_ns(&self) -> Option<u64>;

    /// Ends the load now; what is in flight goes on.
    fn finish(&mut self, now_ns: u64);
}

fn nanos(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX / 4)
}
