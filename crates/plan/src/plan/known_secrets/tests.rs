use super::*;

const PLAN: &str = r#"
target:
  url: http://me-and-you:basic-pass@h/
  command: [sh, -c, "DEBUG=1 TOKEN=script-pass node server.js", --key, word-secret, "redis://:redis-pass@h"]
  env: { DB: "mysql://u:env-pass@h/x", PIN: "4711", PORT: "3000", NODE_ENV: production, CFG: '{"db":{"pw":"json-pass"}}' }
scenario:
  variables: { user: { values: [variable-1] } }
  requests:
    - path: /a;sid=matrix-pass?token=query%20pass
      headers: { x-auth: "Bearer header-pass", cookie: "sid=cookie-pass; a=b", accept: text/plain }
      json: { password: 'body "pass"', n: 1 }
"#;

#[test]
fn values_of_a_plan_are_known() {
    let plan = Plan::parse(PLAN, "/plans/a.yaml").expect("a plan");
    let known = KnownSecrets::of(&plan);
    for text in [
        "basic-pass",
        "me-and-you",
        "json-pass",
        "script-pass",
        "matrix-pass",
        "word-secret",
        "redis-pass",
        "env-pass",
        "4711",
        "variable-1",
        "query%20pass",
        "query pass",
        "header-pass",
        "cookie-pass",
        "body \"pass\"",
        "body \\\"pass\\\"",
        &STANDARD.encode("header-pass"),
        &STANDARD.encode("me-and-you:basic-pass"),
    ] {
        let line = format!("it said {text}.");
        assert_eq!(known.hide(&line), "it said [redacted].", "{text}");
    }
    for text in ["listening on port 3000", "production", "text/plain", "server.js"] {
        assert_eq!(known.hide(text), text);
    }
    assert!(!format!("{known:?}").contains("pass"));
    assert_eq!(KnownSecrets::default().hide("anything"), "anything");
}
#[test]
fn what_lies_across_pieces_of_a_stream_is_found() {
    let known = KnownSecrets::of_settings([("A_TOKEN", "abcdef"), ("B_TOKEN", "abcdefghij")]);
    for before in 0..=12 {
        let filler = "-".repeat(STREAM_PIECE as usize - before);
        for (text, expected) in [
            ("abcdefghij.", vec![(0, 10)]),
            ("abcdefghi.", vec![(0, 6)]),
            ("abcdefghijabcdef", vec![(0, 10), (10, 16)]),
            ("abcde", vec![]),
            ("", vec![]),
        ] {
            let mut found = Vec::new();
            let stream = format!("{filler}{text}");
            let here = |place: Range<u64>| (place.start - filler.len() as u64, place.end - filler.len() as u64);
            known
                .find_in_stream(stream.as_bytes(), |place| {
                    found.push(here(place));
                    Ok(())
                })
                .expect("read");
            assert_eq!(found, expected, "{before} {text}");
        }
    }
}

#[test]
fn the_cut_name_of_a_process_is_known() {
    let known = KnownSecrets::of_settings([("A_TOKEN", "abcdefghijklmnopqrst"), ("B_TOKEN", "uvwxyz")]);
    assert_eq!(
        known.hide_title("abcdefghijklmno (process 7)"),
        "[redacted] (process 7)"
    );
    assert_eq!(known.hide_title("uvwxyz (process 7)"), "[redacted] (process 7)");
    assert_eq!(known.hide_title("node (process 7)"), "node (process 7)");
}
