//! The program as its users run it: real services, real sockets, exit codes and messages.

mod bench;
mod compare;
mod cut_off;
mod diagnose;
mod hold;
mod limits;
mod runs;
mod study;
