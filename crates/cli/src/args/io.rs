//! The interface that drives sockets.

use clap::ValueEnum;
use plimsoll_lab::Io;

/// The interface that drives sockets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum IoArg {
    /// epoll or kqueue
    Mio,
    /// Linux 6.1 and newer
    #[cfg(target_os = "linux")]
    #[value(name = "io_uring")]
    IoUring,
}

impl From<IoArg> for Io {
    fn from(io: IoArg) -> Self {
        match io {
            IoArg::Mio => Self::Mio,
            #[cfg(target_os = "linux")]
            IoArg::IoUring => Self::IoUring,
        }
    }
}
