//! Where code comes from, on files as compilers write them.

use super::*;
use plimsoll_measure::probe::SiteFrame;
use plimsoll_measure::{Call, Frame, ProfileText};

/// Line 2 of `dist/app.js` comes from line 5 of `src/app.ts`.
const MAP: &str = r#"{"version":3,"sources":["../src/app.ts"],"names":[],"mappings":";AAIA"}"#;

fn compiled(mark: &str) -> (tempfile::TempDir, String) {
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::create_dir(directory.path().join("dist")).expect("made");
    let file = directory.path().join("dist/app.js");
    std::fs::write(&file, format!("'use strict';\nx = /^(a+)+$/.test(y);\n{MARK}{mark}\n")).expect("written");
    std::fs::write(directory.path().join("dist/app.js.map"), MAP).expect("written");
    let file = file.to_string_lossy().into_owned();
    (directory, file)
}

fn sources_of(directory: &tempfile::TempDir) -> Sources {
    let mut sources = Sources::default();
    sources.serves_from(&directory.path().to_string_lossy());
    sources
}

fn profile(file: &str) -> Profile {
    let frame = |function: &str, file: &str, line| Frame {
        function: function.to_owned(),
        file: file.to_owned(),
        line,
        column: 1,
    };
    let call = |frame, caller, lines: &[(u32, u64)]| Call {
        frame,
        caller,
        self_us: 10,
        longest_us: 10,
        stays: 0,
        called_on: None,
        lines: lines.to_vec(),
    };
    Profile {
        span_us: 0,
        sampler_us: 0,
        text: ProfileText::default(),
        frames: vec![frame("check", file, 2), frame("RegExp: ^(a+)+$", "", 0)],
        calls: vec![call(0, None, &[(2, 10)]), call(1, Some(0), &[])],
        ..Profile::default()
    }
}

#[test]
fn lines_are_those_that_someone_wrote() {
    for mark in [
        "app.js.map".to_owned(),
        format!(
            "data:application/json;base64,{}",
            // The map above, as a compiler puts it into the file.
            "eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbIi4uL3NyYy9hcHAudHMiXSwibmFtZXMiOltdLCJtYXBwaW5ncyI6IjtBQUlBIn0="
        ),
    ] {
        let (directory, file) = compiled(&mark);
        let source = directory.path().join("src/app.ts").to_string_lossy().into_owned();
        let mut sources = sources_of(&directory);
        let mut profile = profile(&file);
        let origins = sources.origins(&profile);
        let kept = serde_json::to_string(&origins).expect("plain data");
        let kept: Origins = serde_json::from_str(&kept).expect("reads back");
        assert_eq!(kept, origins);
        kept.restore(&mut profile);
        let frame = &profile.frames[0];
        assert_eq!((frame.file.as_str(), frame.line), (source.as_str(), 5), "{mark}");
        assert_eq!(profile.calls[1].called_on, Some(5));
        assert_eq!(profile.calls[0].lines, [(5, 10)]);

        let mut site = CallSite {
            frames: vec![SiteFrame {
                file,
                line: 2,
                column: 1,
                ..SiteFrame::default()
            }],
            ..CallSite::default()
        };
        sources.look_up_sites(std::iter::once(&site));
        sources.restore_site(&mut site);
        assert_eq!(
            (site.frames[0].file.as_str(), site.frames[0].line),
            (source.as_str(), 5)
        );
    }
}

#[test]
fn a_bundle_has_several_sources_and_packages() {
    let (directory, file) = compiled("app.js.map");
    let path = |name: &str| directory.path().join(name).to_string_lossy().into_owned();
    std::fs::write(&file, "function a(b){return b}\nfunction c(d){return d}\n").expect("written");
    // The mark is not needed where the map lies beside the file.
    let map = r#"{"version":3,"sources":["../src/a.ts","webpack://x/./node_modules/p/i.js"],"names":["parse"],
        "mappings":"AAAA,SAASA,CAAC;ACEA"}"#;
    std::fs::write(path("dist/app.js.map"), map).expect("written");
    std::fs::write(path("package.json"), "{}").expect("written");
    let mut found = profile(&file);
    let frame = |function: &str, line| Frame {
        function: function.to_owned(),
        file: file.clone(),
        line,
        column: 11,
    };
    found.frames = vec![frame("a", 1), frame("c", 2)];
    found.calls[0].lines = vec![(1, 7), (2, 3)];
    found.calls[1].lines = vec![(2, 10)];
    sources_of(&directory).origins(&found).restore(&mut found);
    let places: Vec<_> = found
        .frames
        .iter()
        .map(|frame| (frame.function.as_str(), frame.file.as_str(), frame.line))
        .collect();
    let (own, package) = (path("src/a.ts"), path("node_modules/p/i.js"));
    assert_eq!(places, [("parse", own.as_str(), 1), ("c", package.as_str(), 3)]);
    // What comes from another file was put into the function by V8.
    assert_eq!(found.calls[0].lines, [(1, 7)]);
    assert_eq!(found.calls[1].lines, [(3, 10)]);

    let mut site = CallSite {
        frames: vec![SiteFrame {
            file: file.clone(),
            line: 2,
            column: 11,
            ..SiteFrame::default()
        }],
        ..CallSite::default()
    };
    let mut sources = sources_of(&directory);
    sources.look_up_sites(std::iter::once(&site));
    sources.restore_site(&mut site);
    assert_eq!(
        (site.frames[0].file.as_str(), site.frames[0].package.as_deref()),
        (package.as_str(), Some("p"))
    );
}

#[test]
fn a_function_that_v8_put_into_its_caller_is_a_call_of_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("app.js");
    let text = "function sum(all) {\n  return all.length;\n}\nfunction check(all) {\n  return sum(all);\n}\n";
    std::fs::write(&path, text).expect("written");
    let file = path.to_string_lossy().into_owned();
    let mut found = profile(&file);
    found.frames[0].line = 4;
    found.calls[0].lines = vec![(2, 7), (5, 1), (90, 2)];
    let before = found.total_us();
    let origins = sources_of(&directory).origins(&found);
    let kept = serde_json::to_string(&origins).expect("plain data");
    let kept: Origins = serde_json::from_str(&kept).expect("reads back");
    kept.restore(&mut found);
    assert_eq!(found.total_us(), before);
    assert_eq!(
        (found.calls[0].self_us, found.calls[0].lines.as_slice()),
        (3, [(5, 1)].as_slice())
    );
    let called = found.calls.last().expect("a call");
    let function = &found.frames[called.frame];
    assert_eq!(
        (function.function.as_str(), function.line, function.column),
        ("sum", 1, 13)
    );
    assert_eq!(
        (called.caller, called.self_us, called.lines.as_slice()),
        (Some(0), 7, [(2, 7)].as_slice())
    );
}

#[test]
fn maps_of_packages_are_read_where_that_is_asked_for() {
    let directory = tempfile::tempdir().expect("a directory");
    let dist = directory.path().join("node_modules/p/dist");
    std::fs::create_dir_all(&dist).expect("made");
    let package = directory.path().join("node_modules/p");
    std::fs::write(package.join("package.json"), "{}").expect("written");
    std::fs::write(directory.path().join("package.json"), "{}").expect("written");
    let file = dist.join("i.js").to_string_lossy().into_owned();
    std::fs::write(&file, "'use strict';\nx = 1;\n").expect("written");
    let inside = package.join("src/app.ts").to_string_lossy().into_owned();
    for (source, package_maps, expected) in [
        ("../src/app.ts", false, (file.as_str(), 2)),
        ("../src/app.ts", true, (inside.as_str(), 5)),
        ("webpack://p/./src/app.ts", true, (inside.as_str(), 5)),
        // As it lay where the package was built.
        ("../../../packages/p/src/app.ts", true, (file.as_str(), 2)),
    ] {
        let map = MAP.replace("../src/app.ts", source);
        std::fs::write(dist.join("i.js.map"), map).expect("written");
        let mut sources = Sources::new(KnownSecrets::default(), package_maps);
        sources.serves_from(&directory.path().to_string_lossy());
        let mut found = profile(&file);
        sources.origins(&found).restore(&mut found);
        let frame = &found.frames[0];
        assert_eq!((frame.file.as_str(), frame.line), expected, "{source}");
    }
}

#[test]
fn costly_lines_are_kept_where_someone_wrote_them() {
    let (directory, file) = compiled("app.js.map");
    std::fs::create_dir(directory.path().join("src")).expect("made");
    let source = "\n\n\n\n  return /^(a+)+$/.test('AKIA1234'); // here\n";
    std::fs::write(directory.path().join("src/app.ts"), source).expect("written");
    let mut found = profile(&file);
    let origins = sources_of(&directory).origins_with_lines(&found);
    origins.restore(&mut found);
    let lines: Vec<_> = found.text.lines.into_values().flatten().collect();
    assert_eq!(
        lines,
        [(5, "  return /^(a+)+$/.test('[redacted]'); // here".to_owned())]
    );
    let kept = sources_of(&directory).origins(&profile(&file));
    assert!(kept.lines.is_empty(), "of memory no lines are kept");
}

/// Where the service is deployed, the sources often stay behind.
#[test]
fn lines_are_taken_from_the_map_where_the_source_is_not_here() {
    let (directory, file) = compiled("app.js.map");
    let lines = |map: &str| {
        std::fs::write(directory.path().join("dist/app.js.map"), map).expect("written");
        let lines = sources_of(&directory).origins_with_lines(&profile(&file)).lines;
        lines.into_values().flatten().collect::<Vec<_>>()
    };
    assert_eq!(lines(MAP), []);
    let with_content = MAP.replace(
        "\"names\"",
        r#""sourcesContent":["one\ntwo\nthree\nfour\nconst password = 'x', all = /^(a+)+$/.test(y);"],"names""#,
    );
    let found = lines(&with_content);
    assert!(
        found.contains(&(5, "const password = '[redacted]', all = /^(a+)+$/.test(y);".to_owned())),
        "{found:?}"
    );
}

#[test]
fn what_has_no_map_stays_where_it_is() {
    let (directory, file) = compiled("gone.map");
    std::fs::remove_file(directory.path().join("dist/app.js.map")).expect("removed");
    let mut found = profile(&file);
    sources_of(&directory).origins(&found).restore(&mut found);
    assert_eq!(found.frames[0], profile(&file).frames[0]);
    assert_eq!(found.calls[1].called_on, Some(2));
    let nowhere = profile("/no/such/file.js");
    assert_eq!(Sources::default().origins(&nowhere), Origins::default());
}

#[test]
fn maps_that_lead_elsewhere_are_not_followed() {
    for mark in [
        "/dev/zero",
        "file:///dev/zero",
        &format!("{}etc/passwd", "../".repeat(7)),
        "data:application/json;base64,!!",
        "http://127.0.0.1/x.map",
    ] {
        let (directory, file) = compiled(mark);
        std::fs::remove_file(directory.path().join("dist/app.js.map")).expect("removed");
        let mut sources = sources_of(&directory);
        let mut found = profile(&file);
        sources.origins(&found).restore(&mut found);
        assert_eq!(found.frames[0], profile(&file).frames[0], "{mark}");
    }
}

#[test]
fn places_that_are_asked_for_have_a_bound() {
    let (directory, file) = compiled("app.js.map");
    let mut sources = sources_of(&directory);
    for begin in (0..2 * PLACES_MAX as u32).step_by(50_000) {
        sources.look_up((begin..begin + 50_000).map(|line| Asked {
            file: &file,
            line,
            column: 1,
            function: "",
        }));
    }
    assert!(sources.known[&file].places.len() <= PLACES_MAX);
}
