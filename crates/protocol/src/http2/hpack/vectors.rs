//! The examples of RFC 7541, appendix C.

use super::encoder::{Literal, literal, static_field};
use super::*;

/// Writes fields down. What they mean is how long they are.
#[derive(Default)]
struct Written(String);

impl Fields for Written {
    type Meaning = usize;

    fn meaning(name: &[u8], value: &[u8]) -> usize {
        name.len() + value.len()
    }

    fn field(&mut self, name: &[u8], value: &[u8], meaning: usize) {
        assert_eq!(meaning, name.len() + value.len());
        self.0 += &format!("{}: {}\n", name.escape_ascii(), value.escape_ascii());
    }
}

fn bytes(hex: &str) -> Vec<u8> {
    let digits: Vec<u8> = hex.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).expect("hex"), 16).expect("hex");
    digits.chunks(2).map(byte).collect()
}

/// Reads blocks one after the other: hex digits, what they say, and the size of the table behind them.
fn check(table_bytes: u32, blocks: &[(&str, &str, u32)]) {
    let mut table = Table::new();
    table.resize(table_bytes).expect("it is smaller");
    for (hex, expected, size) in blocks {
        let mut written = Written::default();
        assert_eq!(decode(&bytes(hex), &mut table, &mut Vec::new(), &mut written), Ok(()));
        assert_eq!((written.0.as_str(), table.bytes()), (*expected, *size), "{hex}");
    }
}

#[test]
fn single_fields() {
    let custom = "400a 6375 7374 6f6d 2d6b 6579 0d63 7573 746f 6d2d 6865 6164 6572";
    check(4096, &[(custom, "custom-key: custom-header\n", 55)]);
    check(
        4096,
        &[("040c 2f73 616d 706c 652f 7061 7468", ":path: /sample/path\n", 0)],
    );
    check(
        4096,
        &[("1008 7061 7373 776f 7264 0673 6563 7265 74", "password: secret\n", 0)],
    );
    check(4096, &[("82", ":method: GET\n", 0)]);
}

const REQUESTS: [(&str, u32); 3] = [
    (
        ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\n",
        57,
    ),
    (
        ":method: GET\n:scheme: http\n:path: /\n:authority: www.example.com\ncache-control: no-cache\n",
        110,
    ),
    (
        ":method: GET\n:scheme: https\n:path: /index.html\n:authority: www.example.com\ncustom-key: custom-value\n",
        164,
    ),
];

const REQUESTS_IN_HUFFMAN_CODE: [&str; 3] = [
    "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
    "8286 84be 5886 a8eb 1064 9cbf",
    "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
];

#[test]
fn requests() {
    let plain = [
        "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "8286 84be 5808 6e6f 2d63 6163 6865",
        "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ];
    for blocks in [plain, REQUESTS_IN_HUFFMAN_CODE] {
        let blocks: Vec<_> = blocks
            .iter()
            .zip(REQUESTS)
            .map(|(hex, (text, size))| (*hex, text, size))
            .collect();
        check(4096, &blocks);
    }
}

#[test]
fn requests_are_written_as_in_the_rfc() {
    let mut table = SentTable::new();
    for (hex, (text, _)) in REQUESTS_IN_HUFFMAN_CODE.iter().zip(REQUESTS) {
        let mut out = Vec::new();
        table.begin(&mut out);
        for line in text.lines() {
            let (name, value) = line.rsplit_once(": ").expect("a field");
            let (name, value) = (name.as_bytes(), value.as_bytes());
            if !static_field(name, value, &mut out) {
                table.write(&SentField::new(name, value).into(), &mut out);
            }
        }
        assert_eq!(out, bytes(hex), "{text}");
    }
}

#[test]
fn responses_with_a_small_table() {
    let responses = [
        (
            ":status: 302\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\nlocation: https://www.example.com\n",
            222,
        ),
        (
            ":status: 307\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:21 GMT\nlocation: https://www.example.com\n",
            222,
        ),
        (
            ":status: 200\ncache-control: private\ndate: Mon, 21 Oct 2013 20:13:22 GMT\nlocation: https://www.example.com\n\
             content-encoding: gzip\nset-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1\n",
            215,
        ),
    ];
    let plain = [
        "4803 3330 3258 0770 7269 7661 7465 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3120 474d \
         546e 1768 7474 7073 3a2f 2f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
        "4803 3330 37c1 c0bf",
        "88c1 611d 4d6f 6e2c 2032 3120 4f63 7420 3230 3133 2032 303a 3133 3a32 3220 474d 54c0 5a04 677a 6970 7738 666f \
         6f3d 4153 444a 4b48 514b 425a 584f 5157 454f 5049 5541 5851 5745 4f49 553b 206d 6178 2d61 6765 3d33 3630 303b \
         2076 6572 7369 6f6e 3d31",
    ];
    let in_huffman_code = [
        "4882 6402 5885 aec3 771a 4b61 96d0 7abe 9410 54d4 44a8 2005 9504 0b81 66e0 82a6 2d1b ff6e 919d 29ad 1718 63c7 \
         8f0b 97c8 e9ae 82ae 43d3",
        "4883 640e ffc1 c0bf",
        "88c1 6196 d07a be94 1054 d444 a820 0595 040b 8166 e084 a62d 1bff c05a 839b d9ab 77ad 94e7 821d d7f2 e6c7 b335 \
         dfdf cd5b 3960 d5af 2708 7f36 72c1 ab27 0fb5 291f 9587 3160 65c0 03ed 4ee5 b106 3d50 07",
    ];
    for blocks in [plain, in_huffman_code] {
        let blocks: Vec<_> = blocks
            .iter()
            .zip(responses)
            .map(|(hex, (text, size))| (*hex, text, size))
            .collect();
        check(256, &blocks);
    }
}

#[test]
fn blocks_that_cannot_be_read() {
    let refused =
        |block: &[u8]| decode(block, &mut Table::new(), &mut Vec::new(), &mut Written::default()).unwrap_err();
    for (block, error) in [
        (&[0x80][..], HpackError::Index { index: 0 }),
        (&[0xbe], HpackError::Index { index: 62 }),
        (&[0x7f, 0x00, 0x00], HpackError::Index { index: 63 }),
        (&[0x40], HpackError::Truncated),
        (&[0x41, 0x02, b'a'], HpackError::Truncated),
        (&[0x41, 0x81, 0x00], HpackError::Huffman),
        (&[0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01], HpackError::Integer),
        (&[0x82, 0x20], HpackError::LateTableSize),
        (
            &[0x3f, 0xe2, 0x1f],
            HpackError::TableSize {
                bytes: 4097,
                limit: 4096,
            },
        ),
    ] {
        assert_eq!(refused(block), error, "{block:x?}");
    }
}

#[test]
fn a_name_survives_the_entry_that_it_is_taken_from() {
    let mut table = Table::new();
    table.resize(64).expect("it is smaller");
    let mut block = Vec::new();
    literal(b"x-name", b"first", Literal::Inserted, &mut block);
    // Its name, and a value with which both do not fit.
    block.extend([0x7e, 26]);
    block.extend([b'v'; 26]);
    block.push(0xbe);
    let mut written = Written::default();
    assert_eq!(decode(&block, &mut table, &mut Vec::new(), &mut written), Ok(()));
    let second = format!("x-name: {}\n", "v".repeat(26));
    assert_eq!(written.0, format!("x-name: first\n{second}{second}"));
}
