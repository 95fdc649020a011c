//! What has not been sent of a body.

use super::request_layout::Layout;
use std::sync::Arc;

/// A body of which something is still to be sent.
#[derive(Debug, Clone)]
pub(super) struct Unsent {
    body: Source,
    pub(super) sent: usize,
    /// It waits for its turn and not for the window of its stream.
    pub(super) queued: bool,
}

/// Where a body is.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// It is the same in every request.
    Layout(Arc<Layout>),
    Own(Vec<u8>),
}

impl Unsent {
    pub(super) fn new(body: Source) -> Self {
        Self {
            body,
            sent: 0,
            queued: false,
        }
    }

    pub(super) fn rest(&self) -> &[u8] {
        let body = match &self.body {
            Source::Layout(layout) => layout.body.literal(),
            Source::Own(body) => body,
        };
        &body[self.sent..]
    }
}
