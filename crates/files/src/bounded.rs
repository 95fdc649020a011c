//! Reading no more than a limit, whatever the file says of its size.

use rustix::fs::{FileType, OFlags};
use std::fs::File;
use std::io::{self, Read};

/// How every file is opened for reading: a pipe or a device must neither hang nor become our terminal.
pub(crate) const READ: OFlags = OFlags::RDONLY
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY);

/// A file that ends in an error where it goes on beyond its limit, also when it grows while it is read.
#[derive(Debug)]
pub struct Bounded {
    file: File,
    left: u64,
    most_bytes: u64,
}

impl Bounded {
    pub(crate) const fn new(file: File, most_bytes: u64) -> Self {
        Self {
            file,
            left: most_bytes,
            most_bytes,
        }
    }

    /// Only a regular file, and none that is too large from the start.
    pub(crate) fn regular(file: File, most_bytes: u64) -> io::Result<Self> {
        let about = rustix::fs::fstat(&file)?;
        refuse_other_than_regular(FileType::from_raw_mode(about.st_mode))?;
        if u64::try_from(about.st_size).is_ok_and(|size| size > most_bytes) {
            return Err(too_large(most_bytes));
        }
        Ok(Self::new(file, most_bytes))
    }

    /// All of it.
    ///
    /// # Errors
    /// When it cannot be read, or is larger than its limit.
    pub fn bytes(mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// All of it, as text.
    ///
    /// # Errors
    /// As [`Bounded::bytes`], and when it is not UTF-8.
    pub fn text(self) -> io::Result<String> {
        String::from_utf8(self.bytes()?).map_err(|_| io::Error::other("it is not UTF-8 text"))
    }
}

impl Read for Bounded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !buffer.is_empty() {
            return match self.file.read(&mut [0])? {
                0 => Ok(0),
                _ => Err(too_large(self.most_bytes)),
            };
        }
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let length = self.file.read(&mut buffer[..wanted])?;
        self.left -= length as u64;
        Ok(length)
    }
}

/// In words, where it is anything else.
pub(crate) fn refuse_other_than_regular(kind: FileType) -> io::Result<()> {
    let what = match kind {
        FileType::RegularFile => return Ok(()),
        FileType::Directory => "a directory",
        FileType::Symlink => "a link, and links in it are not followed",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        _ => "a device",
    };
    Err(io::Error::other(format!("it is {what}, expected a regular file")))
}

fn too_large(most_bytes: u64) -> io::Error {
    let limit = match most_bytes {
        whole if whole >= 1 << 20 => format!("{} MiB", whole >> 20),
        bytes => format!("{bytes} bytes"),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {limit}"))
}
