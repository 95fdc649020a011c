//! What a simulated service does with a request.

use std::time::Duration;

/// A service with one worker that takes requests in the order of their arrival.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// How long the worker is busy with one request.
    pub work: Work,
    /// Requests refused at the door.
    pub bucket: Option<Bucket>,
    /// Requests that get status 500.
    pub onset: Option<Onset>,
    /// Moments in which the host runs something else.
    pub hiccups: Option<Hiccups>,
    /// Times in which the service stands still by its own doing.
    pub pause: Option<Pause>,
    /// Standard deviation of the error of a CPU sample, as a share of one window.
    pub cpu_noise: f64,
    /// What it costs the worker to be woken by a request that finds it idle. Under load that is
    /// rarer, so that CPU grows more slowly than the rate.
    pub wakeup: Duration,
    /// Neighbours on the host that make all work now cheaper and now dearer.
    pub drift: Option<Drift>,
    /// What makes work dearer at first.
    pub cold: Option<Cold>,
}

/// How long the worker is busy with one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Work {
    /// Always as long.
    Fixed(Duration),
    /// Exponentially distributed with this mean.
    Exponential(Duration),
}

impl Work {
    /// Requests per second that keep the worker busy all the time: µ of queueing theory.
    #[must_use]
    pub fn rate_per_s(self) -> f64 {
        let (Self::Fixed(mean) | Self::Exponential(mean)) = self;
        1.0 / mean.as_secs_f64()
    }
}

/// A token bucket: a request that finds no token gets status 429.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bucket {
    /// Tokens that come in per second.
    pub rate_per_s: f64,
    /// Tokens that it can hold.
    pub burst: f64,
}

/// Errors that begin at a rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Onset {
    /// Up to this offered rate there are none.
    pub rate_per_s: f64,
    /// Share of failing requests per share of excess: with 1, 2 % fail at 2 % above the rate.
    pub slope: f64,
}

/// The host stops the worker at moments of a Poisson process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hiccups {
    /// Mean time from one to the next.
    pub every: Duration,
    /// How long each takes.
    pub length: Duration,
}

/// The logarithm of what work costs wanders around its mean: an Ornstein-Uhlenbeck process.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// Standard deviation, about the same as that of the cost as a share.
    pub deviation: f64,
    /// Time over which it forgets where it was.
    pub over: Duration,
}

/// Work that is dearer at first, as while code is compiled: what it costs more falls exponentially.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cold {
    /// Times as much at the very first.
    pub factor: f64,
    /// What makes it fall.
    pub warms: Warms,
}

/// What makes a cold service warm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Warms {
    /// Time since its start: in so much what it costs more falls to 1/e.
    Over(Duration),
    /// Requests: after so many what it costs more has fallen to 1/e.
    After(f64),
}

/// The service stands still once in every period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pause {
    /// From the beginning of one to the beginning of the next.
    pub every: Duration,
    /// How long each takes.
    pub length: Duration,
}

impl Model {
    /// The queue M/M/1 of Kleinrock, Queueing Systems I, 1975, under Poisson arrivals: utilisation
    /// λ/µ, response times exponential with rate µ − λ.
    #[must_use]
    pub fn exponential(mean: Duration) -> Self {
        Self::of(Work::Exponential(mean))
    }

    /// M/D/1 under Poisson arrivals, D/D/1 under even ones.
    #[must_use]
    pub fn fixed(work: Duration) -> Self {
        Self::of(Work::Fixed(work))
    }

    fn of(work: Work) -> Self {
        Self {
            work,
            bucket: None,
            onset: None,
            hiccups: None,
            pause: None,
            cpu_noise: 0.0,
            wakeup: Duration::ZERO,
            drift: None,
            cold: None,
        }
    }
}
