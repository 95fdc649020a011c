//! Responses to parked requests: when the service says that it sent them.

use crate::connection::InFlight;
use crate::recorder::Recorder;
use plimsoll_measure::ErrorClass;
use plimsoll_protocol::http1::field;

/// Field of a response in which a service says when it sent it: nanoseconds of `CLOCK_MONOTONIC`, decimal.
const SENT_FIELD: &str = "sent-monotonic-ns";

/// Records the response to a parked request, with the whole fields of its head as far as they were kept. `zero_ns` is the zero of the shard's clock on the clock of the stamps.
pub(super) fn deliver(
    request: &InFlight,
    status: u16,
    head: Option<&[u8]>,
    failure: Option<ErrorClass>,
    zero_ns: u64,
    now_ns: u64,
    recorder: &mut Recorder,
) {
    let stamp_ns = head.and_then(sent_ns);
    // A stamp from the future is that of another machine's clock.
    let delivery_time_ns = stamp_ns.and_then(|ns| (zero_ns + now_ns).checked_sub(ns));
    recorder.delivery(request.request, delivery_time_ns, status, failure);
}

fn sent_ns(response: &[u8]) -> Option<u64> {
    std::str::from_utf8(field(response, SENT_FIELD)?).ok()?.parse().ok()
}
