//! What a supervisor says of its family.

use super::standing::{End, Fault, Standing};
use crate::supervisor::wire::{self, Reply};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};
use std::io;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

/// What a supervisor said.
#[derive(Debug, Default)]
pub(super) struct Heard {
    part: Vec<u8>,
    pub(super) started: Option<Result<u32, Fault>>,
    pub(super) standing: Standing,
    pub(super) gone: Option<End>,
}

impl Heard {
    /// Takes what has arrived, without waiting for more.
    pub(super) fn hear(&mut self, control: &UnixStream) {
        let mut bytes = [0; 4096];
        let closed = loop {
            match recv(control, &mut bytes[..], RecvFlags::DONTWAIT) {
                Ok((0, _)) => break true,
                Ok((_, length)) => self.part.extend_from_slice(&bytes[..length]),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break false,
                Err(_) => break true,
            }
        };
        self.understand();
        if closed && self.gone.is_none() {
            self.standing.lost = true;
        }
    }

    fn understand(&mut self) {
        while let Some(reply) = wire::take(&mut self.part) {
            match reply {
                Ok(Reply::Started { pid }) => self.started = Some(Ok(pid)),
                Ok(Reply::Unpinned) => self.started = Some(Err(Fault::Pin)),
                Ok(Reply::Unlimited { message }) => self.started = Some(Err(Fault::Limit(message))),
                Ok(Reply::Refused { errno, message }) => {
                    let error = errno.map_or_else(|| io::Error::other(message), io::Error::from_raw_os_error);
                    self.started = Some(Err(Fault::Run(error)));
                }
                Ok(Reply::Ended { status }) => self.standing.first = Some(ExitStatus::from_raw(status)),
                Ok(Reply::AllEnded { status }) => self.standing.all = Some(ExitStatus::from_raw(status)),
                Ok(Reply::Gone { killed, .. }) => self.gone = Some(End { killed, first: None }),
                // No supervisor of ours speaks so.
                Err(_) => self.standing.lost = true,
            }
        }
    }
}
