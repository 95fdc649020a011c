//! One response of a connection that carries other things than responses as well.

use super::error::{Malformed, Truncated};
use super::last_head::LastHead;
use super::reader::{Completed, Progress, ResponseReader};
use crate::{Came, Failure, Response, StreamEnd};

/// A response that is whole, with its beginning as far as that was kept.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole<'a> {
    /// Bytes that were taken. What is behind them is no part of it.
    pub(crate) consumed: usize,
    pub(crate) completed: Completed,
    pub(crate) response: Response<'a>,
}

impl ResponseReader {
    /// As [`Self::feed_to`], and gives the response once it is whole. Of one in pieces the beginning is kept where `keeps` says of its
    /// status that it is worth it.
    ///
    /// # Errors
    /// As [`Self::feed_to`].
    pub(crate) fn feed_whole<'a>(
        &'a mut self,
        bytes: &'a [u8],
        last: &mut LastHead,
        keeps: impl FnOnce(u16) -> bool,
        content: impl FnMut(&[u8]),
    ) -> Result<Option<Whole<'a>>, Malformed> {
        let in_body = self.in_body();
        let (consumed, completed) = match self.feed_to(bytes, last, content)? {
            Progress::Done { consumed, response } => (consumed, response),
            Progress::NeedMore => {
                if let Came::Body { status, .. } = self.came()
                    && !in_body
                {
                    match keeps(status) {
                        false => self.forget(),
                        true if self.beginning().is_empty() => self.keep(bytes),
                        true => {}
                    }
                }
                return Ok(None);
            }
        };
        let in_one_piece = self.beginning().is_empty() && !in_body;
        Ok(Some(Whole {
            consumed,
            completed,
            response: Response {
                status: completed.status,
                bytes: match in_one_piece {
                    true => &bytes[..consumed],
                    false => self.beginning(),
                },
                in_one_piece,
            },
        }))
    }

    /// Takes notice that the peer has ended the connection so, which may be what ends the response. An error that ends with its
    /// connection is an error also where it ends with a reset, as those of Node.js do when a request is too large to be read.
    ///
    /// # Errors
    /// When the response is not whole.
    pub(crate) fn ended_by(&mut self, end: StreamEnd) -> Result<Completed, Failure> {
        match self.end_of_stream() {
            Ok(Some(completed)) if end == StreamEnd::Finished || completed.status >= 400 => Ok(completed),
            Err(Truncated::Malformed(malformed)) => Err(Failure::Malformed {
                reason: malformed.to_string(),
            }),
            _ => Err(Failure::CutOff),
        }
    }
}
