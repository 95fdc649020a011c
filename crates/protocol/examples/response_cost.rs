//! What one typical response costs to read: `cargo run --release -p plimsoll-protocol --example response_cost`.

#![expect(clippy::disallowed_methods, reason = "it measures time")]

use plimsoll_protocol::RequestKind;
use plimsoll_protocol::http1::{LastHead, Progress, ResponseReader};
use std::hint::black_box;
use std::io::Write;
use std::time::Instant;

const ROUNDS: u32 = 7;
const RESPONSES_PER_ROUND: u32 = 2_000_000;

const NGINX: &[u8] = b"HTTP/1.1 200 OK\r\nServer: nginx/1.26.3\r\nDate: Mon, 19 Jan 2026 08:12:31 GMT\r\n\
Content-Type: application/octet-stream\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\nok";

const NODE: &[u8] = b"HTTP/1.1 200 OK\r\nDate: Mon, 19 Jan 2026 08:12:31 GMT\r\nConnection: keep-alive\r\n\
Keep-Alive: timeout=5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout().lock();
    for (name, bytes) in [("nginx, content-length", NGINX), ("node, chunked", NODE)] {
        let mut ns_per_response = Vec::new();
        for _ in 0..ROUNDS {
            let mut reader = ResponseReader::new();
            let mut last = LastHead::default();
            let start = Instant::now();
            for _ in 0..RESPONSES_PER_ROUND {
                reader.expect(RequestKind::Other);
                match black_box(reader.feed(black_box(bytes), &mut last)?) {
                    Progress::Done { consumed, .. } if consumed == bytes.len() => {}
                    progress => return Err(format!("the response did not end where it should: {progress:?}").into()),
                }
            }
            ns_per_response.push(start.elapsed().as_secs_f64() * 1e9 / f64::from(RESPONSES_PER_ROUND));
        }
        ns_per_response.sort_by(f64::total_cmp);
        let bytes = bytes.len();
        writeln!(
            out,
            "{name}: {bytes} bytes, {:.0} ns (best {:.0})",
            ns_per_response[3], ns_per_response[0]
        )?;
    }
    Ok(())
}
