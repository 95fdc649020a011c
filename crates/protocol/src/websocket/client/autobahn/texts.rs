//! Case 6: texts are UTF-8, wherever they are cut.

use super::{CONTINUATION, FINAL, GREEK, NOT_UTF8, TEXT, check, fragments, frame, text};

/// A text in fragments that end at each of `ends`, and where it ends itself.
fn fragmented(payload: &[u8], ends: &[usize]) -> Vec<u8> {
    let (mut frames, mut from) = (Vec::new(), 0);
    for &end in ends.iter().chain([&payload.len()]) {
        let kind = if from == 0 { TEXT } else { CONTINUATION };
        let last = if end == payload.len() { FINAL } else { 0 };
        frames.extend(frame(kind | last, &payload[from..end]));
        from = end;
    }
    frames
}

#[test]
fn case_6_texts_are_utf_8_wherever_they_are_cut() {
    check("6.1.1", &text(b""), &["message ", "open"]);
    check(
        "6.1.2",
        &fragments(&[(TEXT, ""), (CONTINUATION, ""), (FINAL, "")]),
        &["message ", "open"],
    );
    let middle = fragments(&[(TEXT, ""), (CONTINUATION, "middle frame payload"), (FINAL, "")]);
    check("6.1.3", &middle, &["message middle frame payload", "open"]);
    let hello = "Hello-µ@ßöäüàá-UTF-8!!".as_bytes();
    let message = "message Hello-µ@ßöäüàá-UTF-8!!";
    let octets = |payload: &[u8]| (1..payload.len()).collect::<Vec<_>>();
    for (case, ends) in [("6.2.1", vec![]), ("6.2.2", vec![12]), ("6.2.3, 6.2.4", octets(hello))] {
        check(case, &fragmented(hello, &ends), &[message, "open"]);
    }
    let surrogate = [GREEK, b"\xed\xa0\x80edited"].concat();
    check("6.3.1", &text(&surrogate), &[NOT_UTF8]);
    check("6.3.2", &fragmented(&surrogate, &octets(&surrogate)), &[NOT_UTF8]);
}

/// A text fails with the octet that makes it none, not at its end.
#[test]
fn case_6_4_what_is_no_text_fails_fast() {
    let beyond = [GREEK, b"\xf4\x90\x80\x80edited"].concat();
    let bad = GREEK.len() + 1;
    for (case, ends) in [("6.4.1", [GREEK.len(), GREEK.len() + 4]), ("6.4.2", [bad, bad + 1])] {
        let said = fragmented(&beyond, &ends);
        let first = frame(TEXT, &beyond[..ends[0]]).len();
        check(case, &said[..first], &["open"]);
        check(case, &said[..first + 2 + (bad + 1 - ends[0])], &[NOT_UTF8]);
    }
    let chopped = text(&beyond);
    check("6.4.3, 6.4.4", &chopped[..2 + bad], &["open"]);
    check("6.4.3, 6.4.4", &chopped[..2 + bad + 1], &[NOT_UTF8]);
}

/// 6.5 to 6.23: the texts of M. Kuhn's *UTF-8 decoder capability and stress test*, and those that the suite adds.
#[test]
fn case_6_texts_of_the_stress_test_are_judged() {
    let lonely = |range: std::ops::Range<u8>| range.flat_map(|byte| [byte, b' ']).collect::<Vec<_>>();
    let incomplete: [&[u8]; 10] = [
        b"\xc0",
        b"\xe0\x80",
        b"\xf0\x80\x80",
        b"\xf8\x80\x80\x80",
        b"\xfc\x80\x80\x80\x80",
        b"\xdf",
        b"\xef\xbf",
        b"\xf7\xbf\xbf",
        b"\xfb\xbf\xbf\xbf",
        b"\xfd\xbf\xbf\xbf\xbf",
    ];
    let own = |texts: &[&[u8]]| texts.iter().map(|text| text.to_vec()).collect::<Vec<_>>();
    let (whole, cut): (Vec<_>, Vec<_>) = (1..=GREEK.len()).partition(|&end| std::str::from_utf8(&GREEK[..end]).is_ok());
    assert_eq!(whole, [2, 5, 7, 9, 11]);
    let prefixes = |ends: Vec<usize>| ends.iter().map(|&end| GREEK[..end].to_vec()).collect::<Vec<_>>();
    let noncharacters = (0..=0x10_u32).flat_map(|plane| [0xfffe, 0xffff].map(|low| plane << 16 | low));
    let noncharacters = noncharacters
        .filter_map(char::from_u32)
        .map(|character| character.to_string().into_bytes());
    let texts = [
        (
            "6.5",
            own(&[
                b"hello$world",
                "hello¢world".as_bytes(),
                "hello€world".as_bytes(),
                "hello𤭢world".as_bytes(),
                GREEK,
            ]),
        ),
        ("6.6", prefixes(whole)),
        (
            "6.7",
            own(&[b"\x00", b"\xc2\x80", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80"]),
        ),
        (
            "6.9",
            own(&[b"\x7f", b"\xdf\xbf", b"\xef\xbf\xbf", b"\xf4\x8f\xbf\xbf"]),
        ),
        (
            "6.11",
            own(&[b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xef\xbf\xbd", b"\xf4\x8f\xbf\xbf"]),
        ),
        ("6.22", noncharacters.collect()),
        (
            "6.23",
            own(&[
                b"\xef\xbf\xb9",
                b"\xef\xbf\xba",
                b"\xef\xbf\xbb",
                b"\xef\xbf\xbc",
                b"\xef\xbf\xbd",
                b"\xef\xbf\xbe",
                b"\xef\xbf\xbf",
            ]),
        ),
    ];
    for (case, payload) in texts
        .iter()
        .flat_map(|(case, all)| all.iter().map(move |payload| (case, payload)))
    {
        check(
            case,
            &text(payload),
            &[&format!("message {}", String::from_utf8_lossy(payload)), "open"],
        );
    }
    let others = [
        ("6.6", prefixes(cut)),
        ("6.8", own(&[b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80"])),
        (
            "6.10",
            own(&[
                b"\xf7\xbf\xbf\xbf",
                b"\xfb\xbf\xbf\xbf\xbf",
                b"\xfd\xbf\xbf\xbf\xbf\xbf",
            ]),
        ),
        ("6.11", own(&[b"\xf4\x90\x80\x80"])),
        (
            "6.12",
            (1..=6)
                .map(|length| b"\x80\xbf\x80\xbf\x80\xbf"[..length].to_vec())
                .collect(),
        ),
        ("6.12", vec![b"\xbf".to_vec(), (0x80..0xbf).collect()]),
        (
            "6.13",
            [0xc0..0xdf, 0xe0..0xef, 0xf0..0xf7, 0xf8..0xfb, 0xfc..0xfd]
                .map(lonely)
                .to_vec(),
        ),
        ("6.14", own(&incomplete)),
        ("6.15", vec![incomplete.concat()]),
        ("6.16", own(&[b"\xfe", b"\xff", b"\xfe\xfe\xff\xff"])),
        (
            "6.17",
            own(&[
                b"\xc0\xaf",
                b"\xe0\x80\xaf",
                b"\xf0\x80\x80\xaf",
                b"\xf8\x80\x80\x80\xaf",
                b"\xfc\x80\x80\x80\x80\xaf",
            ]),
        ),
        (
            "6.18",
            own(&[
                b"\xc1\xbf",
                b"\xe0\x9f\xbf",
                b"\xf0\x8f\xbf\xbf",
                b"\xf8\x87\xbf\xbf\xbf",
                b"\xfc\x83\xbf\xbf\xbf\xbf",
            ]),
        ),
        (
            "6.19",
            own(&[
                b"\xc0\x80",
                b"\xe0\x80\x80",
                b"\xf0\x80\x80\x80",
                b"\xf8\x80\x80\x80\x80",
                b"\xfc\x80\x80\x80\x80\x80",
            ]),
        ),
        ("6.20", (0..=0x1f).map(|low| vec![0xed, 0xa0 | low, 0x80]).collect()),
        (
            "6.21",
            own(&[
                b"\xed\xa0\x80\xed\xb0\x80",
                b"\xed\xad\xbf\xed\xbf\xbf",
                b"\xed\xae\x80\xed\xb0\x80",
                b"\xed\xaf\xbf\xed\xbf\xbf",
            ]),
        ),
    ];
    for (case, payload) in others
        .iter()
        .flat_map(|(case, all)| all.iter().map(move |payload| (case, payload)))
    {
        check(case, &text(payload), &[NOT_UTF8]);
    }
}
