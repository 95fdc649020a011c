//! How much may be on its way (RFC 9113, section 5.2).

/// What this end lets the service send at once, on each stream and on the connection, bytes. Large, so that it hardly ever has
/// to be opened again: the content of a response is counted and never waits here.
pub(super) const RECEIVE_BYTES: u32 = 1 << 30;

/// Size of all windows before anything else is said, bytes.
pub(super) const INITIAL_BYTES: u32 = 65_535;

/// Largest window, bytes.
pub(super) const MAX_BYTES: i64 = (1 << 31) - 1;

/// What has come of a window of this end since it was opened last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Received {
    bytes: u32,
}

/// The peer sent more than it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Exceeded;

impl Received {
    /// Counts what came. Says by how much the window is to be opened now, if it is.
    #[inline]
    pub(super) fn take(&mut self, bytes: u32) -> Result<Option<u32>, Exceeded> {
        // No frame has more than 2^24 bytes.
        self.bytes += bytes;
        if self.bytes < RECEIVE_BYTES / 2 {
            return Ok(None);
        }
        if self.bytes > RECEIVE_BYTES {
            return Err(Exceeded);
        }
        Ok(Some(std::mem::take(&mut self.bytes)))
    }
}

/// A window of the peer that is opened; `None` where it would be too large. It may be below 0 (RFC 9113, section 6.9.2).
pub(super) fn opened(window: i32, by: i64) -> Option<i32> {
    let opened = i64::from(window) + by;
    (opened <= MAX_BYTES).then_some(opened as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_opened_when_half_of_it_is_used() {
        let mut received = Received::default();
        assert_eq!(received.take(RECEIVE_BYTES / 2 - 1), Ok(None));
        assert_eq!(received.take(2), Ok(Some(RECEIVE_BYTES / 2 + 1)));
        assert_eq!(received.take(RECEIVE_BYTES / 2 - 1), Ok(None));
        assert_eq!(received.take(RECEIVE_BYTES / 2 + 2), Err(Exceeded));
    }

    #[test]
    fn a_window_of_the_peer_has_a_largest_size() {
        assert_eq!(opened(0, MAX_BYTES), Some(i32::MAX));
        assert_eq!(opened(1, MAX_BYTES), None);
        assert_eq!(opened(10, -MAX_BYTES), Some(10 - i32::MAX));
    }
}
