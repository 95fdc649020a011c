//! TLS handshakes over a whole run.

use crate::throughout::Throughout;
use plimsoll_findings::HandshakeFinding;
use plimsoll_measure::Counters;

/// What is to be said of them and how long they took, where `totals` has any.
pub(crate) fn finding(took: &Throughout, totals: &Counters) -> Option<HandshakeFinding> {
    let (full, resumed) = (totals.handshakes_full, totals.handshakes_resumed);
    (full > 0 || resumed > 0).then(|| HandshakeFinding {
        full,
        resumed,
        time: took.percentiles(),
    })
}
