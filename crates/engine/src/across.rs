//! What a pool knows across its connections, while it takes responses of one.

use crate::backend::Slot;
use crate::connection::Start;
use crate::hops::Hops;

#[derive(Debug, Default)]
pub(crate) struct Across {
    /// The connection whose response in pieces is kept to be shown.
    pub(crate) kept: Option<Slot>,
    /// The longest rest of a connection after which a request had a response, ns.
    pub(crate) longest_rest_ns: u64,
    /// Requests that the service has not seen: behind the last response of a connection (RFC 9112, section 9.6), on one that
    /// it was ending, or declined.
    pub(crate) again: Vec<Start>,
    /// Where requests are that were redirected.
    pub(crate) hops: Hops,
}
