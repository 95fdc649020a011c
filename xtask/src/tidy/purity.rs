//! What a pure crate is given instead of reaching for it, and by what code would.

/// A thing that a pure crate is given instead of reaching for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    Clock,
    Randomness,
    Network,
    Files,
}

impl Outside {
    /// Functions by which code reaches for it. Those that open and write files are in the `clippy.toml` at the root.
    pub(crate) const fn methods(self) -> &'static [&'static str] {
        match self {
            Self::Clock => &[
                "std::time::Instant::now",
                "std::time::Instant::elapsed",
                "std::time::SystemTime::now",
                "std::time::SystemTime::elapsed",
                "std::thread::sleep",
                "jiff::Timestamp::now",
                "jiff::Zoned::now",
            ],
            Self::Randomness => &["rand::rng", "rand::random", "getrandom::fill"],
            Self::Network => &["std::net::ToSocketAddrs::to_socket_addrs"],
            Self::Files => &[
                "std::env::args",
                "std::env::args_os",
                "std::env::current_dir",
                "std::env::temp_dir",
                "std::env::var",
                "std::env::var_os",
                "std::env::vars",
                "std::env::vars_os",
            ],
        }
    }

    /// Types that stand for it.
    pub(crate) const fn types(self) -> &'static [&'static str] {
        match self {
            Self::Clock => &[],
            Self::Randomness => &["rand::rngs::ThreadRng", "rand::rngs::SysRng"],
            Self::Network => &[
                "std::net::TcpListener",
                "std::net::TcpStream",
                "std::net::UdpSocket",
                "std::os::unix::net::UnixDatagram",
                "std::os::unix::net::UnixListener",
                "std::os::unix::net::UnixStream",
            ],
            Self::Files => &["std::fs::File", "std::fs::OpenOptions", "std::process::Command"],
        }
    }

    /// Crates that bring it, directly or through another crate.
    pub(crate) const fn crates(self) -> &'static [&'static str] {
        match self {
            Self::Clock => &["jiff", "chrono", "time"],
            Self::Randomness => &["getrandom"],
            Self::Network => &[
                "tokio",
                "async-std",
                "smol",
                "mio",
                "polling",
                "socket2",
                "io-uring",
                "hyper",
                "rustix",
                "nix",
            ],
            Self::Files => &["tempfile", "rustix", "nix"],
        }
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Clock => "a clock",
            Self::Randomness => "randomness that is not passed in",
            Self::Network => "the network",
            Self::Files => "files, processes or the environment",
        }
    }
}
