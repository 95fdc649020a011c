//! Waits for moments to less than a tenth of a millisecond, where the timers of the runtime know milliseconds.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;
use tokio::sync::oneshot;

/// A thread that wakes who waits. It ends with the last one who can ask it.
#[derive(Debug)]
pub(crate) struct Alarm(Sender<Waiting>);

#[derive(Debug)]
struct Waiting {
    until: Instant,
    wake: oneshot::Sender<()>,
}

impl Alarm {
    pub(crate) fn start() -> io::Result<Self> {
        let (sender, receiver) = mpsc::channel();
        thread::Builder::new()
            .name("alarm".to_owned())
            .spawn(move || keep(&receiver))?;
        Ok(Self(sender))
    }

    /// Returns at that moment, at once where it is over.
    pub(crate) async fn until(&self, until: Instant) {
        if until <= Instant::now() {
            return;
        }
        let (wake, woken) = oneshot::channel();
        if self.0.send(Waiting { until, wake }).is_ok() {
            let _ = woken.await;
        }
    }
}

fn keep(receiver: &Receiver<Waiting>) {
    // Moments with the number of who waits for each, the next one first.
    let mut order: BinaryHeap<Reverse<(Instant, u64)>> = BinaryHeap::new();
    let mut waiting: HashMap<u64, oneshot::Sender<()>> = HashMap::new();
    let mut number = 0_u64;
    loop {
        let next = order.peek().map(|Reverse((until, _))| *until);
        let asked = match next {
            Some(until) => receiver.recv_timeout(until.saturating_duration_since(Instant::now())),
            None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match asked {
            Ok(Waiting { until, wake }) => {
                order.push(Reverse((until, number)));
                waiting.insert(number, wake);
                number += 1;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        let now = Instant::now();
        while let Some(Reverse((until, number))) = order.peek().copied() {
            if until > now {
                break;
            }
            order.pop();
            // Who has hung up meanwhile waits no more.
            let _ = waiting.remove(&number).map(|wake| wake.send(()));
        }
    }
}
