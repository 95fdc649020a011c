//! How a server is reached: the arguments that all of them take.

use crate::tls::Keys;
use crate::wire::{Protocol, Speech};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// How a server is reached.
#[derive(Debug, Args)]
pub struct Door {
    /// On 127.0.0.1
    pub port: u16,
    /// Speak TLS 1.3 with server.pem and server.key of this directory
    #[arg(long, value_name = "DIR")]
    tls: Option<PathBuf>,
    /// Speak HTTP/2, from the first byte or as agreed by ALPN
    #[arg(long)]
    http2: bool,
    /// Speak WebSocket: each message is a request, and its response says the same
    #[arg(long, conflicts_with = "http2")]
    web_socket: bool,
    /// Speak Socket.IO 4 on WebSockets: each event is a request, and its response the acknowledgement
    #[arg(long, conflicts_with_all = ["http2", "web_socket"])]
    socket_io: bool,
    /// Say apart what users saw who asked for each of these paths, with commas between; over HTTP/1.1
    #[arg(long, value_delimiter = ',', conflicts_with_all = ["http2", "web_socket", "socket_io"])]
    paths: Vec<String>,
}

impl Door {
    pub(crate) fn protocol(&self) -> Protocol {
        match (self.http2, self.web_socket, self.socket_io) {
            (true, ..) => Protocol::Http2,
            (_, true, _) => Protocol::WebSocket(Speech::Bare),
            (.., true) => Protocol::WebSocket(Speech::SocketIo),
            _ => Protocol::Http1,
        }
    }

    pub(crate) fn paths(&self) -> &[String] {
        &self.paths
    }

    /// None without TLS.
    pub(crate) fn keys(&self) -> Result<Option<Keys>> {
        let protocol = self.protocol().alpn();
        self.tls
            .as_deref()
            .map(|directory| Keys::read(directory, protocol))
            .transpose()
    }
}
