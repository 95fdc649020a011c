//! The one place that opens and writes files. A file may come from elsewhere, so it is opened without surprises and read
//! up to a limit; a file of ours is written whole or not at all.
//!
//! It must not know what is in a file. The doors are, by who named the file:
//!
//! - [`Directory`]: a directory whose contents nobody vouches for, such as a run directory that came by mail. Links in it
//!   are not followed, only regular files are read, and nothing is written outside of it.
//! - [`given`]: what the user named on the command line. It may be a link or a pipe, because the user says what it is.
//! - [`found`]: a path that a plan, a package or a profile names. Links are followed, since packages are installed as
//!   links; only regular files are read.
//! - [`handed`]: a file of ours that a program writes, as a service its output.
//! - [`kernel`]: what the kernel says of processes and of itself.
//! - [`stream`]: what is open already, and may not wait for its reader.
//!
//! Bare `std::fs::read`, `File::open` and the like are banned elsewhere by `clippy.toml`; the one of this crate bans clocks and randomness.

mod bounded;
mod directory;
pub mod found;
pub mod given;
pub mod handed;
pub mod kernel;
pub mod stream;
mod whole;

pub use bounded::Bounded;
pub use directory::Directory;
