//! Bytes as text.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

/// Bytes as `body_base64` has them.
pub(crate) fn base64_text(bytes: &[u8]) -> String {
    BASE64.encode(bytes)
}
