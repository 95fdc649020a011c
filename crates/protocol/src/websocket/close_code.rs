//! Why a WebSocket was closed, in a number (RFC 6455, section 7.4).

/// The code in a close frame, one that may stand there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CloseCode(u16);

impl CloseCode {
    /// What it was opened for is done.
    pub(crate) const NORMAL: Self = Self(1000);

    /// `None` where no endpoint may send this code: it is not defined, or stands for a close without one.
    #[must_use]
    pub const fn new(code: u16) -> Option<Self> {
        match code {
            1000..=1003 | 1007..=1014 | 3000..=4999 => Some(Self(code)),
            _ => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u16 {
        self.0
    }

    /// What the code says, in the words of its registry; `None` for those of libraries and services.
    #[must_use]
    pub const fn meaning(self) -> Option<&'static str> {
        Some(match self.0 {
            1000 => "normal closure",
            1001 => "going away",
            1002 => "protocol error",
            1003 => "unsupported data",
            1007 => "invalid payload",
            1008 => "policy violation",
            1009 => "message too big",
            1010 => "extension missing",
            1011 => "internal error",
            1012 => "service restart",
            1013 => "try again later",
            1014 => "bad gateway",
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_that_stand_for_no_frame_are_none() {
        for code in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000] {
            assert_eq!(CloseCode::new(code), None, "{code}");
        }
        for code in [1000, 1003, 1007, 1014, 3000, 4999] {
            assert_eq!(CloseCode::new(code).map(CloseCode::get), Some(code));
        }
    }
}
