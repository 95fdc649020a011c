//! One generator thread: starts what its driver says is due, takes what happens to its connections, ticks.
//!
//! Generic over the backend, so that a whole shard also runs on a virtual clock.

use crate::backend::{Backend, Wake};
use crate::connection::Protocol;
use crate::drivers::Driver;
use crate::pool::Pool;
use crate::ticker::{Ticker, Ticks};
use crate::wake_policy::SPIN_LOOK_MAX_NS;
use plimsoll_measure::{Gauges, Tick};

/// Whether to go on after a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// Go on.
    Continue,
    /// Start nothing more and wait for what is in flight, as at the end of the load.
    Finish,
    /// Start nothing more and leave what is in flight.
    Stop,
}

/// What a shard hands its ticks to.
pub(crate) trait Sink {
    /// Takes a tick.
    fn tick(&mut self, tick: Tick);

    /// Whether to go on.
    fn control(&self) -> Control;
}

pub(crate) struct EventLoop<B, C: Protocol, D> {
    pool: Pool<B, C>,
    driver: D,
    ticker: Ticker,
}

impl<B: Backend, C: Protocol, D: Driver> EventLoop<B, C, D> {
    /// The first tick begins at `start_ns`.
    pub(crate) fn new(pool: Pool<B, C>, driver: D, start_ns: u64, ticks: Ticks) -> Self {
        Self {
            ticker: Ticker::new(start_ns, ticks, driver.end_ns()),
            pool,
            driver,
        }
    }

    /// Runs until the driver is done, or the sink says stop.
    pub(crate) fn run(mut self, sink: &mut impl Sink) {
        self.ticker.cpu_ns = self.pool.backend.cpu_ns();
        let mut now_ns = self.pool.backend.now_ns();
        self.driver.begin(&mut self.pool, now_ns);
        let mut finishes = false;
        loop {
            match sink.control() {
                Control::Continue => {}
                Control::Finish if finishes => {}
                Control::Finish => {
                    finishes = true;
                    self.finish(now_ns, sink);
                }
                Control::Stop => break,
            }
            let looked_ns = now_ns;
            let scheduled = self.pool.recorder.counters.scheduled;
            let more_due = self.driver.start_due(&mut self.pool, now_ns);
            let started = self.pool.recorder.counters.scheduled > scheduled;
            now_ns = self.pool.backend.now_ns();
            self.driver.expire(&mut self.pool, now_ns);
            let mut ticked = false;
            while now_ns >= self.ticker.ends_ns() {
                self.tick(self.ticker.ends_ns(), sink);
                ticked = true;
            }
            if ticked {
                // What a tick takes is no time of the service.
                now_ns = self.pool.backend.now_ns();
            }
            if self.driver.is_done(&self.pool, now_ns) {
                break;
            }
            self.pool.hand_over(now_ns);
            if more_due || self.driver.spins() {
                self.pool.backend.wait(now_ns, Wake::AtOnce);
            } else {
                let wait = self.driver.wait(&self.pool, now_ns, self.ticker.ends_ns());
                if let Some(then_ns) = wait.then_ns {
                    self.pool.backend.expect(now_ns, then_ns);
                }
                self.pool.backend.wait(wait.until_ns, wait.wake);
            }
            let mut changed = false;
            while let Some(change) = self.pool.next_change(&mut self.driver) {
                self.driver.react(&mut self.pool, change);
                changed = true;
            }
            now_ns = self.pool.backend.now_ns();
            if self.driver.spins() && !started && !changed {
                self.idled(now_ns - looked_ns);
            }
        }
        if now_ns > self.ticker.start_ns() {
            self.tick(now_ns, sink);
        }
    }

    /// Ends the load now, with a tick, so that none is half load and half draining.
    fn finish(&mut self, now_ns: u64, sink: &mut impl Sink) {
        if now_ns > self.ticker.start_ns() {
            self.tick(now_ns, sink);
        }
        self.driver.finish(now_ns);
        self.ticker.load_ends(now_ns);
    }

    /// The thread, which spins, has found nothing to do for so long.
    fn idled(&mut self, ns: u64) {
        if ns <= SPIN_LOOK_MAX_NS {
            self.pool.recorder.spun_ns += ns;
        }
    }

    fn tick(&mut self, end_ns: u64, sink: &mut impl Sink) {
        // What has stopped the thread belongs to the tick in which it turned to the starts.
        self.pool.recorder.held_up(self.pool.backend.now_ns());
        let cpu_ns = self.pool.backend.cpu_ns();
        let gauges = Gauges {
            users: self.driver.users(),
            ..self.pool.gauges(self.driver.queued(), self.driver.clients())
        };
        let span = self.ticker.next(end_ns);
        let tick = self.pool.recorder.take(span, gauges, cpu_ns - self.ticker.cpu_ns);
        self.ticker.cpu_ns = cpu_ns;
        sink.tick(tick);
    }
}
