//! `plimsoll report` of run directories that somebody damaged or made up: it ends, with a report or an error in words, takes
//! little memory, and touches nothing outside of the directory.
//!
//! `PLIMSOLL_MUTATIONS=5000 cargo test -p plimsoll --test program foreign -- --nocapture` tries more of them and prints the
//! figures; `PLIMSOLL_SEED` starts somewhere else.

use crate::bench::{Bench, PROGRAM};
use nix::sys::resource::{UsageWho, getrusage};
use serde_json::Value;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Each of the 24 kinds is done about seven times, and nearly all of them to directories of each command.
const MUTATIONS: u64 = 120;
const MOST_MEMORY_KB: i64 = 200 << 10;
/// No figure, but the end of a test that hangs.
const HANGS: Duration = Duration::from_secs(60);
const VICTIM: &str = "what the user had before\n";

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end.max(1) as u64).expect("below a usize")
    }

    fn of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("made");
    for entry in fs::read_dir(from).expect("recorded").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            copy(&from, &to);
        } else {
            fs::copy(from, to).expect("copied");
        }
    }
}

/// A directory of each command, as they were recorded. The rounds of comparisons and sweeps are one recorded run.
fn originals(place: &Path) -> Vec<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorded = here.join("tests/recorded");
    let at = |command: &str| place.join(command);
    for command in ["run", "capacity", "hold", "compare", "scale", "study"] {
        copy(&recorded.join(command), &at(command));
    }
    for series in ["compare", "scale"] {
        let text = fs::read_to_string(at(series).join("comparison.json")).expect("recorded");
        let info: Value = serde_json::from_str(&text).expect("JSON");
        for round in info["rounds"].as_array().expect("rounds") {
            copy(
                &recorded.join("run"),
                &at(series).join(round["folder"].as_str().expect("a name")),
            );
        }
    }
    copy(&at("compare"), &at("study").join("fifty"));
    copy(&at("compare"), &at("study").join("hundred"));
    copy(&here.join("../lab/tests/golden/diagnosis"), &at("diagnose"));
    ["run", "capacity", "hold", "compare", "scale", "study", "diagnose"]
        .map(at)
        .to_vec()
}

/// Every file in a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("listed").flatten() {
            match entry.file_type().expect("known") {
                kind if kind.is_dir() => open.push(entry.path()),
                kind if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// A line whose histogram inflates to a gigabyte.
fn bomb() -> String {
    let header = vec![0x1c, 0x84, 0x93, 0x14, 0, 0, 0, 0];
    let mut compressor = flate2::write::ZlibEncoder::new(header, flate2::Compression::best());
    let mut add_mebibyte = || {
        compressor.write_all(&[0; 1 << 20]).expect("writing to memory");
        compressor.flush().expect("writing to memory");
        compressor.get_ref().len()
    };
    let (first, second) = (add_mebibyte(), add_mebibyte());
    // What stands between two flushes refers to nothing but the zeros before it, so it can come again and again.
    let mut line = compressor.get_ref().clone();
    let again = line[first..second].repeat(1022);
    line.extend(again);
    let text = base64(&line);
    format!("Tag=response_time,0.000,1.000,1.000,{text}\n")
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len() * 4 / 3 + 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, &byte| group << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for letter in 0..4 {
            let at = (group >> (18 - 6 * letter) & 63) as usize;
            text.push(if letter <= chunk.len() {
                char::from(LETTERS[at])
            } else {
                '='
            });
        }
    }
    text
}

/// A place where a number stands in a text, from its first to behind its last digit.
fn number(bytes: &[u8], random: &mut Random) -> Option<(usize, usize)> {
    let from = random.below(bytes.len());
    let begin = from + bytes[from..].iter().position(u8::is_ascii_digit)?;
    let is_part = |byte: &u8| byte.is_ascii_digit() || b".eE+-".contains(byte);
    let end = bytes[begin..]
        .iter()
        .position(|byte| !is_part(byte))
        .map_or(bytes.len(), |length| begin + length);
    Some((begin, end))
}

const NUMBERS: [&str; 14] = [
    "18446744073709551615",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "4294967295",
    "4294967296",
    "-1",
    "0",
    "1e308",
    "1e-308",
    "-1e308",
    "1e999",
    "null",
    "9007199254740993",
];

/// Texts that a browser, a terminal or a reader of JSON could take for something else.
const TEXTS: [&str; 5] = [
    "</script><script>alert(1)</script>",
    "\\u001b[2J\\u001b]0;owned\\u0007",
    "\\u009b31m\\u202e",
    "\\ud800",
    "%s%n\\u0000",
];

/// Does one thing to a directory, and says what it was.
fn mutate(directory: &Path, outside: &Path, bomb: &str, random: &mut Random) -> String {
    let all = files(directory);
    let Some(path) = (!all.is_empty()).then(|| random.of(&all).clone()) else {
        return "nothing is left".to_owned();
    };
    let name = path.strip_prefix(directory).expect("inside").display().to_string();
    let bytes = fs::read(&path).expect("read");
    let replace = |what: &str, make: &dyn Fn(&Path)| {
        fs::remove_file(&path).expect("removed");
        make(&path);
        format!("{name}: {what}")
    };
    let write = |what: &str, bytes: &[u8]| {
        fs::write(&path, bytes).expect("written");
        format!("{name}: {what}")
    };
    match random.below(24) {
        0..=2 if !bytes.is_empty() => {
            let mut bytes = bytes;
            for _ in 0..=random.below(20) {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
            write("bits are flipped", &bytes)
        }
        3 => write("it is cut off", &bytes[..random.below(bytes.len())]),
        4..=8 if !bytes.is_empty() => {
            let mut bytes = bytes;
            let mut said = String::new();
            for _ in 0..=random.below(6) {
                if let Some((begin, end)) = number(&bytes, random) {
                    let other = random.of(&NUMBERS);
                    said = format!("a number is {other}");
                    bytes.splice(begin..end, other.bytes());
                }
            }
            write(&said, &bytes)
        }
        9 => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let parts: Vec<&str> = text.split('"').collect();
            let at = random.below(parts.len());
            let other = random.of(&TEXTS);
            let changed: Vec<&str> = parts
                .iter()
                .enumerate()
                .map(|(n, part)| if n == at { other } else { *part })
                .collect();
            write("a text is another", changed.join("\"").as_bytes())
        }
        10 => {
            let deep = random
                .of(&["[", "{\"a\":", "{\"head\":{\"children\":["])
                .repeat(100_000);
            write("it is nested deeply", deep.as_bytes())
        }
        11 => {
            let other = random.of(&all);
            let theirs = fs::read(other).expect("read");
            fs::write(other, &bytes).expect("written");
            write("it is swapped with another", &theirs)
        }
        12 => {
            let target = outside.join(random.of(&["victim", "run.json", "nothing"]));
            replace("a link out", &|path| symlink(&target, path).expect("linked"))
        }
        13 => {
            let device = random.of(&["/dev/zero", "/dev/full", "/dev/tty", "/proc/self/mem", "/proc/kmsg"]);
            replace(device, &|path| symlink(device, path).expect("linked"))
        }
        14 => replace("a pipe", &|path| {
            assert!(
                Command::new("mkfifo")
                    .arg(path)
                    .status()
                    .expect("mkfifo runs")
                    .success()
            );
        }),
        15 => replace("a directory", &|path| fs::create_dir(path).expect("made")),
        16 => replace("a hard link", &|path| {
            fs::hard_link(outside.join("victim"), path).expect("linked");
        }),
        17 => write("bombs", bomb.repeat(4).as_bytes()),
        18 => {
            let times = 1 + (4 << 20) / bytes.len().max(1);
            write("it repeats", &bytes.repeat(times.min(2000)))
        }
        19 => replace("it is gone", &|_| {}),
        20 => {
            let report = directory.join(random.of(&["report.html", "findings.json", ".report.html.tmp"]));
            let _ = fs::remove_file(&report);
            if random.below(2) == 0 {
                symlink(outside.join("victim"), &report).expect("linked");
            } else {
                fs::hard_link(outside.join("victim"), &report).expect("linked");
            }
            "report.html: a link out".to_owned()
        }
        21 => replace("a socket", &|path| drop(UnixListener::bind(path))),
        22 => replace("it is sparse", &|path| {
            let file = fs::File::create(path).expect("made");
            file.set_len(10 << 30).expect("sparse");
        }),
        _ => match path.parent().filter(|inner| *inner != directory) {
            Some(inner) => {
                let moved = outside.join(format!("moved-{}", random.next()));
                fs::rename(inner, &moved).expect("moved");
                symlink(&moved, inner).expect("linked");
                format!("{name}: its directory is a link out")
            }
            None => write("one long line", &vec![b'x'; 20 << 20]),
        },
    }
}

/// What lies outside: names and contents.
fn state(outside: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let files = files(outside);
    files
        .into_iter()
        .map(|path| (path.clone(), fs::read(&path).expect("read")))
        .collect()
}

fn peak_kb() -> i64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).expect("known").max_rss()
}

/// Its exit code and what it said. Whoever waits for a pipe or reads without an end is killed.
fn report(directory: &Path) -> Result<(i32, String, String), String> {
    let mut child = Command::new(PROGRAM)
        .args(["report", &directory.display().to_string()])
        .stdin(Stdio::null())
        .stdout(fs::File::create(directory.with_extension("out")).expect("made"))
        .stderr(fs::File::create(directory.with_extension("err")).expect("made"))
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("its state") {
            break status;
        }
        if begin.elapsed() > HANGS {
            let _ = child.kill();
            let _ = child.wait();
            return Err("it hangs".to_owned());
        }
        thread::sleep(Duration::from_millis(1));
    };
    let said = |kind: &str| {
        let bytes = fs::read(directory.with_extension(kind)).expect("read");
        String::from_utf8(bytes).map_err(|error| format!("{kind}: {error}"))
    };
    let (stdout, stderr) = (said("out")?, said("err")?);
    match status.code() {
        Some(code) => Ok((code, stdout, stderr)),
        None => Err(format!("ended by signal {:?}: {stderr}", status.signal())),
    }
}

/// What is wrong with what `plimsoll report` did.
fn complaint(result: Result<(i32, String, String), String>) -> Option<String> {
    let (code, stdout, stderr) = match result {
        Ok(said) => said,
        Err(complaint) => return Some(complaint),
    };
    let unsafe_in = |text: &str| text.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}');
    if stderr.contains("panicked") || stderr.contains("internal error") {
        Some(stderr)
    } else if !matches!(code, 0 | 1 | 2..=98 | 99 | 103..=107) {
        Some(format!("exit code {code}: {stderr}"))
    } else if stdout.is_empty() && !stderr.starts_with("error: ") {
        Some(format!("exit code {code} without a word: {stderr}"))
    } else if unsafe_in(&stdout) || unsafe_in(&stderr) {
        Some(format!("control characters: {stdout:?} {stderr:?}"))
    } else {
        None
    }
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().expect("a number"))
}

#[test]
fn mutated_directory_is_reported_safely() {
    let bench = Bench::new();
    let place = bench.path("originals");
    let originals = originals(&place);
    for original in &originals {
        let (code, stdout, stderr) = report(original).expect("it ends");
        assert!(
            !stdout.is_empty() && stderr.is_empty(),
            "{}: {code} {stderr}",
            original.display()
        );
        assert_eq!(complaint(Ok((code, stdout, stderr))), None, "{}", original.display());
    }
    let bomb = bomb();
    let (mutations, seed) = (setting("PLIMSOLL_MUTATIONS", MUTATIONS), setting("PLIMSOLL_SEED", 0));
    let mut complaints = Vec::new();
    let mut slowest = (Duration::ZERO, String::new());
    let mut largest = (peak_kb(), String::new());
    for number in seed..seed + mutations {
        let mut random = Random(number);
        let original = random.of(&originals);
        let (directory, outside) = (
            bench.path(&format!("{number}/run")),
            bench.path(&format!("{number}/outside")),
        );
        copy(original, &directory);
        fs::create_dir_all(&outside).expect("made");
        fs::write(outside.join("victim"), VICTIM).expect("written");
        let _ = fs::copy(original.join("run.json"), outside.join("run.json"));
        let done: Vec<String> = (0..=random.below(2))
            .map(|_| mutate(&directory, &outside, &bomb, &mut random))
            .collect();
        let what = format!(
            "{number}: {}: {}",
            original.file_name().expect("named").display(),
            done.join("; ")
        );
        let before = state(&outside);
        let begin = Instant::now();
        let found = complaint(report(&directory));
        slowest = slowest.max((begin.elapsed(), what.clone()));
        largest = largest.max((peak_kb(), what.clone()));
        if let Some(found) = found {
            complaints.push(format!("{what}: {found}"));
        }
        if state(&outside) != before {
            complaints.push(format!("{what}: it wrote outside of the directory"));
        }
        fs::remove_dir_all(bench.path(&number.to_string())).expect("removed");
    }
    println!(
        "{mutations} directories; slowest {:?} ({}); most memory {} MB ({})",
        slowest.0,
        slowest.1,
        largest.0 >> 10,
        largest.1
    );
    assert!(
        complaints.is_empty(),
        "{}:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(largest.0 <= MOST_MEMORY_KB, "{largest:?}");
}

#[test]
fn profiles_over_limit_are_left_out_with_notice() {
    let bench = Bench::new();
    let directory = bench.path("diagnose");
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../lab/tests/golden/diagnosis"),
        &directory,
    );
    let first = directory.join("profile/profile-0.cpuprofile");
    let mut profile = fs::read(&first).expect("recorded");
    profile.resize(14 << 20, b' ');
    fs::write(&first, profile).expect("written");
    for number in 100..219 {
        fs::hard_link(&first, directory.join(format!("profile/profile-{number}.cpuprofile"))).expect("linked");
    }
    let (_, stdout, _) = report(&directory).expect("it ends");
    assert!(
        stdout.contains("116 of 120 files *.cpuprofile are left out"),
        "{stdout}"
    );
}

#[test]
fn series_with_too_many_rounds_is_refused() {
    let bench = Bench::new();
    let directory = bench.path("compare");
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded/compare"),
        &directory,
    );
    let file = directory.join("comparison.json");
    let mut info: Value = serde_json::from_slice(&fs::read(&file).expect("recorded")).expect("JSON");
    info["rounds"] = (0..2000)
        .map(|number| serde_json::json!({"block": number / 2, "variant": number % 2, "folder": number.to_string()}))
        .collect();
    fs::write(&file, info.to_string()).expect("written");
    let (code, _, stderr) = report(&directory).expect("it ends");
    assert_eq!(code, 1);
    assert!(stderr.contains("2000 rounds, expected at most 800"), "{stderr}");
}
