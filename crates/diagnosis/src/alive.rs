//! Lines of the service that hold memory which stays: what was sampled of live objects, charged as time is.

use crate::calls::{Cost, Told, costs};
use crate::place::Places;
use plimsoll_findings::KeptLine;
use plimsoll_measure::{Frame, Profile};

/// Lines that are named.
const LINES_MAX: usize = 5;
/// What less holds is not worth a look.
const SHARE_MIN: f64 = 0.05;

/// The lines that hold most of what is alive, by a profile with bytes for times, of a service that runs in `directory`.
#[must_use]
pub fn lines_alive(alive: &Profile, directory: &str) -> Vec<KeptLine> {
    let total = alive.total_us();
    let places = Places::new(directory);
    let costs = costs(alive, Told::Counted);
    let mut owners: Vec<(&Frame, u64, &Cost)> = Vec::new();
    // The greatest part of each comes first.
    for cost in &costs {
        let Some(owner) = &cost.owner else { continue };
        match owners.iter_mut().find(|(known, ..)| *known == owner) {
            Some((_, bytes, _)) => *bytes += cost.us,
            None => owners.push((owner, cost.us, cost)),
        }
    }
    owners.sort_by_key(|(_, bytes, _)| std::cmp::Reverse(*bytes));
    let lines = owners.into_iter().map(|(owner, bytes, most)| KeptLine {
        place: places.of_frame(owner, most.hottest_line()),
        via: most.via.as_deref().map(str::to_owned),
        bytes,
        share: bytes as f64 / total.max(1) as f64,
    });
    lines.filter(|line| line.share >= SHARE_MIN).take(LINES_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use plimsoll_measure::Call;

    #[test]
    fn nearest_line_of_the_service_holds_what_it_asks_for() {
        let frame = |function: &str, file: &str, line| Frame {
            function: function.to_owned(),
            file: file.to_owned(),
            line,
            ..Frame::default()
        };
        let call = |frame, caller, bytes| Call {
            frame,
            caller,
            self_us: bytes,
            longest_us: 0,
            stays: 0,
            called_on: None,
            lines: Vec::new(),
        };
        let alive = Profile {
            frames: vec![
                frame("(root)", "", 0),
                frame("handle", "/srv/app.js", 12),
                frame("set", "/srv/node_modules/lru/index.js", 3),
                frame("alloc", "node:buffer", 9),
                frame("other", "/srv/lib/other.js", 4),
            ],
            calls: vec![
                call(0, None, 10),
                call(1, Some(0), 100),
                call(2, Some(1), 500),
                call(3, Some(1), 300),
                call(4, Some(0), 90),
            ],
            ..Profile::default()
        };
        let lines = lines_alive(&alive, "/srv");
        let shown: Vec<_> = lines
            .iter()
            .map(|line| (line.place.to_string(), line.bytes, line.via.as_deref()))
            .collect();
        let expected = [
            ("app.js:12".to_owned(), 900, Some("lru")),
            ("lib/other.js:4".to_owned(), 90, None),
        ];
        assert_eq!(shown, expected);
        assert!(lines_alive(&Profile::default(), "").is_empty());
    }
}
