//! What the program measures, and what takes up a whole machine: each of these runs alone.

mod check;
mod compare;
mod diagnose;
mod limits;
mod runs;
mod study;
mod throttled;
mod what_if;
mod without;
