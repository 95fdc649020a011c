//! Why a stream or a connection ends, as a number (RFC 9113, section 7).

use std::fmt;

/// An error code as it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ErrorCode(pub(super) u32);

impl ErrorCode {
    pub(super) const NO_ERROR: Self = Self(0x0);
    pub(super) const PROTOCOL: Self = Self(0x1);
    pub(super) const FLOW_CONTROL: Self = Self(0x3);
    pub(super) const STREAM_CLOSED: Self = Self(0x5);
    pub(super) const FRAME_SIZE: Self = Self(0x6);
    pub(super) const REFUSED_STREAM: Self = Self(0x7);
    pub(super) const CANCEL: Self = Self(0x8);
    pub(super) const COMPRESSION: Self = Self(0x9);
    pub(super) const ENHANCE_YOUR_CALM: Self = Self(0xb);
}

/// In the order of their numbers.
const NAMES: [&str; 14] = [
    "NO_ERROR",
    "PROTOCOL_ERROR",
    "INTERNAL_ERROR",
    "FLOW_CONTROL_ERROR",
    "SETTINGS_TIMEOUT",
    "STREAM_CLOSED",
    "FRAME_SIZE_ERROR",
    "REFUSED_STREAM",
    "CANCEL",
    "COMPRESSION_ERROR",
    "CONNECT_ERROR",
    "ENHANCE_YOUR_CALM",
    "INADEQUATE_SECURITY",
    "HTTP_1_1_REQUIRED",
];

impl fmt::Display for ErrorCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match NAMES.get(self.0 as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "error code {:#x}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_the_names_of_the_rfc() {
        for (code, name) in [
            (ErrorCode::NO_ERROR, "NO_ERROR"),
            (ErrorCode::ENHANCE_YOUR_CALM, "ENHANCE_YOUR_CALM"),
            (ErrorCode(0xd), "HTTP_1_1_REQUIRED"),
            (ErrorCode(0xe), "error code 0xe"),
        ] {
            assert_eq!(code.to_string(), name);
        }
    }
}
