//! The generator of an agent, on a thread of its own.

use plimsoll_engine::{Control, EngineError, Job, monotonic_ns};
use plimsoll_measure::Tick;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// While it waits for its beginning, it looks this often whether it is still wanted.
const LOOK: Duration = Duration::from_millis(20);

/// A load that is being made, or about to.
pub(super) struct Work {
    thread: Option<JoinHandle<Result<(), EngineError>>>,
    ticks: Receiver<Tick>,
    stop: Arc<AtomicBool>,
    finish: Arc<AtomicBool>,
    lease: Arc<AtomicU64>,
}

impl Work {
    /// Begins a job at a moment, with a lease; both by [`monotonic_ns`].
    pub(super) fn begin(job: Job, at_ns: u64, lease_ns: u64) -> Result<Self, EngineError> {
        let (sender, ticks) = mpsc::channel();
        let (stop, finish) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let lease = Arc::new(AtomicU64::new(lease_ns));
        let own = (Arc::clone(&stop), Arc::clone(&finish), Arc::clone(&lease));
        let make = move || {
            let (stop, finish, lease) = own;
            let is_wanted = || !stop.load(Ordering::Relaxed) && monotonic_ns() < lease.load(Ordering::Relaxed);
            loop {
                let left = Duration::from_nanos(at_ns.saturating_sub(monotonic_ns()));
                if !is_wanted() {
                    return Ok(());
                }
                if left.is_zero() {
                    break;
                }
                thread::sleep(left.min(LOOK));
            }
            job.run_from(at_ns, &stop, Some(&lease), |tick| {
                // Nobody listens only when the agent ends.
                let _ = sender.send(tick);
                match finish.load(Ordering::Relaxed) {
                    true => Control::Finish,
                    false => Control::Continue,
                }
            })
        };
        let thread = thread::Builder::new().name("load".to_owned()).spawn(make);
        Ok(Self {
            thread: Some(thread.map_err(EngineError::Start)?),
            ticks,
            stop,
            finish,
            lease,
        })
    }

    pub(super) fn extend(&self, lease_ns: u64) {
        self.lease.store(lease_ns, Ordering::Relaxed);
    }

    pub(super) fn finish(&self) {
        self.finish.store(true, Ordering::Relaxed);
    }

    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Ticks that are over.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        self.ticks.try_iter().collect()
    }

    /// How it ended, if it has. Ticks that it left are still [there](Self::ticks).
    pub(super) fn outcome(&mut self) -> Option<Result<(), EngineError>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        Some(thread.join().unwrap_or(Err(EngineError::Panicked)))
    }
}

impl Drop for Work {
    /// Nothing is sent once it is gone.
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
