//! Development only: virtual time and services with known answers.
//!
//! Nothing here reads a clock or opens a socket.

pub mod backend;
