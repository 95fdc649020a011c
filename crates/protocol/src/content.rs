//! What is in a body that came in a content coding (RFC 9110, section 8.4).

use std::io::{ErrorKind, Read};

/// A zstd frame may ask for much memory by a few bytes. RFC 9659 allows no larger window in HTTP.
const ZSTD_WINDOW_BYTES_MAX: u64 = 8 << 20;
const BROTLI_BUFFER_BYTES: usize = 4096;

/// Why a body cannot be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotOpened {
    /// Its coding is none of gzip, deflate, br and zstd, or it has several.
    UnknownCoding,
    /// It is not of the coding that its response names.
    NotOfCoding,
}

/// The first `most_bytes` of what is in a body of this coding, or fewer if no more of the body is there.
///
/// # Errors
/// When the coding is unknown, or nothing of the body can be read as that.
pub fn opened(coding: &[u8], body: &[u8], most_bytes: usize) -> Result<Vec<u8>, NotOpened> {
    opened_to(coding, body, most_bytes).map(|(opened, _)| opened)
}

/// The same of a body that is all there.
///
/// # Errors
/// As [`opened`], and when the body ends before its coding does.
pub fn opened_whole(coding: &[u8], body: &[u8], most_bytes: usize) -> Result<Vec<u8>, NotOpened> {
    match opened_to(coding, body, most_bytes)? {
        (_, End::Missing) => Err(NotOpened::NotOfCoding),
        (opened, End::Reached) => Ok(opened),
    }
}

/// Whether what is in a body was read to its end, or as far as was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum End {
    Reached,
    Missing,
}

fn opened_to(coding: &[u8], body: &[u8], most_bytes: usize) -> Result<(Vec<u8>, End), NotOpened> {
    if body.is_empty() {
        return Ok((Vec::new(), End::Reached));
    }
    match coding.trim_ascii().to_ascii_lowercase().as_slice() {
        b"identity" => Ok((body[..body.len().min(most_bytes)].to_vec(), End::Reached)),
        b"gzip" | b"x-gzip" => read(flate2::read::MultiGzDecoder::new(body), most_bytes),
        // Some services leave out the frame of zlib.
        b"deflate" => read(flate2::read::ZlibDecoder::new(body), most_bytes)
            .or_else(|_| read(flate2::read::DeflateDecoder::new(body), most_bytes)),
        b"br" => {
            let decoder = brotli_decompressor::Decompressor::new(body.chain(Cut), BROTLI_BUFFER_BYTES);
            read(decoder, most_bytes)
        }
        b"zstd" => zstd(body, most_bytes),
        _ => Err(NotOpened::UnknownCoding),
    }
}

fn zstd(body: &[u8], most_bytes: usize) -> Result<(Vec<u8>, End), NotOpened> {
    let decoder = ruzstd::decoding::StreamingDecoder::new_with_max_window_size(body, ZSTD_WINDOW_BYTES_MAX);
    let decoder = decoder.map_err(|_| NotOpened::NotOfCoding)?;
    // It begins as a frame does, so that it is one, or the beginning of one.
    Ok(read(decoder, most_bytes).unwrap_or((Vec::new(), End::Missing)))
}

/// The end of what is there of a body, where the rest may be missing.
struct Cut;

impl Read for Cut {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

/// As much as can be read: what is shown of a body is often no more than its beginning.
fn read(from: impl Read, most_bytes: usize) -> Result<(Vec<u8>, End), NotOpened> {
    let mut opened = Vec::new();
    match from.take(most_bytes as u64).read_to_end(&mut opened) {
        Ok(_) => Ok((opened, End::Reached)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok((opened, End::Missing)),
        // What is behind its end is nothing that anybody reads.
        Err(_) if !opened.is_empty() => Ok((opened, End::Reached)),
        Err(_) => Err(NotOpened::NotOfCoding),
    }
}

/// The data of a chunked body, as far as its chunks are in order (RFC 9112, section 7.1).
pub(crate) fn unchunked(mut body: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(body.len());
    while let Some(end) = body.iter().position(|&byte| byte == b'\n') {
        let (line, rest) = (&body[..end], &body[end + 1..]);
        let size = line.split(|&byte| byte == b';').next().unwrap_or_default().trim_ascii();
        let size = std::str::from_utf8(size)
            .ok()
            .and_then(|size| usize::from_str_radix(size, 16).ok());
        let Some(size @ 1..) = size else { break };
        data.extend_from_slice(&rest[..rest.len().min(size)]);
        let Some(next) = rest.get(size..) else { break };
        body = next
            .strip_prefix(b"\r\n")
            .or(next.strip_prefix(b"\n"))
            .unwrap_or_default();
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use std::io::Write as _;

    const TEXT: &[u8] = b"Cannot GET /nowhere, and more of the same: Cannot GET /nowhere";
    /// `TEXT` by Node.js, `zlib.brotliCompressSync` and `zlib.zstdCompressSync`.
    const BROTLI: &[u8] = include_bytes!("../tests/content/text.br");
    const ZSTD: &[u8] = include_bytes!("../tests/content/text.zst");

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("written");
        encoder.finish().expect("finished")
    }

    fn zlib(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).expect("written");
        encoder.finish().expect("finished")
    }

    #[test]
    fn each_coding_is_opened() {
        let zlib = zlib(TEXT);
        let raw = &zlib[2..zlib.len() - 4];
        for (coding, body) in [
            ("gzip", gzip(TEXT).as_slice()),
            ("X-GZIP", &gzip(TEXT)),
            ("deflate", &zlib),
            ("deflate", raw),
            ("br", BROTLI),
            ("zstd", ZSTD),
            ("identity", TEXT),
        ] {
            let whole = opened(coding.as_bytes(), body, 4096);
            assert_eq!(whole.as_deref(), Ok(TEXT), "{coding}");
            assert_eq!(opened_whole(coding.as_bytes(), body, 4096), whole, "{coding}");
            let few = opened(coding.as_bytes(), body, 7);
            assert_eq!(few.as_deref(), Ok(&TEXT[..7]), "{coding}");
            assert_eq!(opened(coding.as_bytes(), b"", 7).as_deref(), Ok(&b""[..]), "{coding}");
        }
    }

    #[test]
    fn the_beginning_of_a_body_is_opened_as_far_as_it_goes() {
        let text: Vec<u8> = (0..20_000_u32).flat_map(|n| n.to_string().into_bytes()).collect();
        let body = gzip(&text);
        let part = opened(b"gzip", &body[..body.len() / 2], 1 << 20).expect("a part");
        assert!(!part.is_empty() && text.starts_with(&part));
        for (coding, body) in [
            ("gzip", gzip(TEXT).as_slice()),
            ("br", BROTLI),
            ("zstd", ZSTD),
            ("deflate", &zlib(TEXT)),
        ] {
            // A frame of zstd cannot be told by less than its head.
            for length in 12..body.len() {
                let part = opened(coding.as_bytes(), &body[..length], 4096).expect(coding);
                assert!(TEXT.starts_with(&part), "{coding}, {length}");
                let whole = opened_whole(coding.as_bytes(), &body[..length], 4096);
                // Without its frame deflate has no end to look for.
                assert!(whole.is_err() || coding == "deflate", "{coding}, {length}");
            }
        }
    }

    #[test]
    fn what_is_not_of_its_coding_is_said() {
        for coding in ["gzip", "deflate", "zstd"] {
            let found = opened(coding.as_bytes(), b"plain text and more of it", 4096);
            assert_eq!(found, Err(NotOpened::NotOfCoding), "{coding}");
        }
        assert_eq!(
            opened(b"br", b"plain text and more of it", 4096),
            Err(NotOpened::NotOfCoding)
        );
        for coding in ["", "gzip, br", "compress"] {
            assert_eq!(
                opened(coding.as_bytes(), TEXT, 9),
                Err(NotOpened::UnknownCoding),
                "{coding}"
            );
        }
    }

    #[test]
    fn a_bomb_gives_no_more_than_was_asked_for() {
        let bomb = gzip(&vec![0; 64 << 20]);
        assert!(bomb.len() < 70_000);
        assert_eq!(opened(b"gzip", &bomb, 4096).map(|opened| opened.len()), Ok(4096));
    }

    #[test]
    fn chunks_are_put_together() {
        for (body, data) in [
            (&b"3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"[..], &b"abcde"[..]),
            (b"A\r\n0123", b"0123"),
            (b"3\r\nabcd", b"abc"),
            (b"zz\r\nabc", b""),
            (b"", b""),
        ] {
            assert_eq!(unchunked(body), data, "{body:?}");
        }
    }
}
