//! What is spoken to a service.

/// Protocol of a URL, whatever it is spoken over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// HTTP/1.1.
    Http,
    /// HTTP/1.1 over TLS.
    Https,
    /// WebSocket.
    Ws,
    /// WebSocket over TLS.
    Wss,
    /// Socket.IO over WebSocket.
    SocketIo,
    /// Socket.IO over WebSocket over TLS.
    SocketIoTls,
}

impl Scheme {
    /// What a URL begins with.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
            Self::Ws => "ws",
            Self::Wss => "wss",
            Self::SocketIo => "socket.io+ws",
            Self::SocketIoTls => "socket.io+wss",
        }
    }

    /// The same of what it is spoken over.
    pub(crate) const fn carrier(self) -> &'static str {
        match self {
            Self::SocketIo => "ws",
            Self::SocketIoTls => "wss",
            _ => self.as_str(),
        }
    }

    /// Whether it is spoken over TLS.
    #[must_use]
    pub const fn is_secure(self) -> bool {
        matches!(self, Self::Https | Self::Wss | Self::SocketIoTls)
    }

    /// Whether connections are WebSockets.
    #[must_use]
    pub const fn is_web_socket(self) -> bool {
        matches!(self, Self::Ws | Self::Wss) || self.is_socket_io()
    }

    /// Whether Socket.IO is spoken on them.
    #[must_use]
    pub const fn is_socket_io(self) -> bool {
        matches!(self, Self::SocketIo | Self::SocketIoTls)
    }

    /// The port where a URL has none.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http | Self::Ws | Self::SocketIo => 80,
            Self::Https | Self::Wss | Self::SocketIoTls => 443,
        }
    }
}
