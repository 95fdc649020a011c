//! The one place that opens and writes files. A file may come from elsewhere, so it is opened without surprises and read
//! up to a limit; a file of ours is written whole or not at all.
//!
//! It must not know what is in a file. There are four doors, by who named the file:
//!
//! - [`Directory`]: a directory whose contents nobody vouches for, such as a run directory that came by mail. Links in it
//!   are not followed, only regular files are read, and nothing is written outside of it.
//! - [`given`]: what the user named on the command line. It may be a link or a pipe, because the user says what it is.
//! - [`found`]: a path that a plan, a package or a profile names. Links are followed, since packages are installed as
//!   links; only regular files are read.
//! - [`kernel`]: what the kernel says of processes and of itself.

mod bounded;
mod directory;
pub mod found;
pub mod given;
pub mod kernel;
mod whole;

pub use bounded::Bounded;
pub use directory::Directory;
