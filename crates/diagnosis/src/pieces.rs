//! Files that are read in small pieces. Each piece is a task for the threadpool, a callback, and mostly a write, whatever its size.

use crate::Case;
use crate::asked::ASKED_SHARE_MIN;
use crate::calls::{Class, class};
use crate::cost::{Cpu, OTHER_PLACES_MAX};
use crate::counted::Counted;
use crate::site::Site;
use plimsoll_findings::{Activity, Cause, CauseKind, Evidence, Place, What};
use plimsoll_measure::{Frame, Profile};

/// What the probe counts for each piece.
const READ: &str = "fs.read";
/// What streams of files read at a time unless they are asked for another size, bytes …
const PIECE_BYTES: f64 = 65_536.0;
/// … and what is small beside that.
const SMALL_BYTES: f64 = PIECE_BYTES / 4.0;
/// A request that reads fewer pieces may have small files.
const PIECES_MIN: f64 = 4.0;

/// Pieces that one line reads, itself or by streams that it made.
struct Line {
    place: Place,
    calls: u64,
    bytes: u64,
}

pub(crate) fn causes(case: &Case<'_>) -> Option<Cause> {
    let (counted, profile) = (case.counted?, case.profile?);
    let is_read = |name: &str| name == READ;
    let reads = counted.functions.iter().find(|function| is_read(&function.name))?;
    let lines = lines(case, counted.sites.iter().filter(|site| is_read(&site.counter)));
    let known: u64 = lines.iter().map(|line| line.calls).sum();
    let small: Vec<&Line> = lines.iter().filter(|line| is_small(line)).collect();
    let (calls, bytes) = small
        .iter()
        .fold((0, 0), |(calls, bytes), line| (calls + line.calls, bytes + line.bytes));
    let part = calls as f64 / known.max(1) as f64;
    let per_request = counted.per_request(reads.calls) * part;
    let us = reading_us(profile);
    if per_request < PIECES_MIN || case.share_of(us) * part < ASKED_SHARE_MIN {
        return None;
    }
    let mean_bytes = bytes as f64 / calls as f64;
    let cpu = Cpu::of(case, profile);
    let reading = cpu.with(
        case.cpu_share_of(us),
        cpu.pool_share * share_of_tasks(counted, reads.calls),
    );
    // The rest has to be read all the same.
    let share = (reading * part * (1.0 - mean_bytes / PIECE_BYTES)).min(1.0);
    let cost_us = case.us_of_share(share);
    let mut places = small.iter().map(|line| line.place.clone());
    Some(Cause {
        place: places.next(),
        other_places: places.take(OTHER_PLACES_MAX).collect(),
        per_request: Some(per_request),
        cpu_us_per_request: cost_us,
        cpu_share: Some(share),
        ..Cause::new(
            CauseKind::NodeHot,
            What::Node {
                activity: Activity::Files,
            },
            Evidence::Calls {
                per_request,
                us_per_call: cost_us.unwrap_or_default() / per_request,
                mean_bytes,
                repeated_share: None,
            },
        )
    })
}

fn is_small(line: &Line) -> bool {
    let mean_bytes = line.bytes as f64 / line.calls.max(1) as f64;
    line.bytes > 0 && mean_bytes < SMALL_BYTES
}

/// Lines that are known to read, most pieces first.
fn lines<'a>(case: &Case<'_>, sites: impl Iterator<Item = &'a Site>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for site in sites {
        let Some(place) = case.places.of_site(&site.frames) else {
            continue;
        };
        match lines.iter_mut().find(|line| line.place.is_same_line(&place)) {
            Some(line) => {
                line.calls += site.calls;
                line.bytes += site.bytes;
            }
            None => lines.push(Line {
                place,
                calls: site.calls,
                bytes: site.bytes,
            }),
        }
    }
    lines.sort_by_key(|line| std::cmp::Reverse(line.calls));
    lines
}

/// Of the tasks that the service gives to the threadpool.
fn share_of_tasks(counted: &Counted, calls: u64) -> f64 {
    let tasks = counted.functions.iter().filter(|function| function.kind == "pool");
    calls as f64 / tasks.map(|function| function.calls).sum::<u64>().max(1) as f64
}

/// Time in reading, and in what streams of files do with what was read, until code of the service or of a package is called.
fn reading_us(profile: &Profile) -> u64 {
    let mut reading: Vec<bool> = Vec::with_capacity(profile.calls.len());
    for call in &profile.calls {
        let frame = &profile.frames[call.frame];
        let goes_on = call.caller.is_some_and(|caller| reading[caller]);
        reading.push(match class(frame) {
            Class::Own | Class::Package(_) => false,
            _ => goes_on || reads(frame),
        });
    }
    let times = profile.calls.iter().zip(&reading);
    times
        .filter(|(_, reading)| **reading)
        .map(|(call, _)| call.self_us)
        .sum()
}

fn reads(frame: &Frame) -> bool {
    match frame.file.strip_prefix("node:").unwrap_or(&frame.file) {
        "internal/fs/streams" => true,
        "fs" => frame.function == "read",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::drawn::profile;

    #[test]
    fn what_streams_of_files_do_ends_where_the_service_goes_on() {
        let drawn = profile(
            "
node:fs wrapper 1
  node:internal/fs/streams read 10
    node:events emit 100
      node:internal/streams/readable ondata 1000
        - writeBuffer 10000
    node:events emit 100
      /srv/app.js onData 100000
        node:_http_outgoing write 1000000
/srv/app.js handle 1
  node:fs read 20
",
        );
        assert_eq!(reading_us(&drawn), 11_230);
    }
}
