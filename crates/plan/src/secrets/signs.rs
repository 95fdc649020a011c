//! Signs that a text may be a secret.

use super::names::begins_as_token;

/// What says who one is with the word behind it.
pub(super) const SCHEMES: [&str; 4] = ["apikey", "basic", "bearer", "token"];
const LONGEST_WORD: usize = 40;
/// A piece of a word that mixes letters and digits is a number of something up to here: `node20`, `server2`.
const LONGEST_MIXED_PIECE: usize = 9;
const LONGEST_HEX_PIECE: usize = 11;

/// Whether `word` may be a token: long, and made as nobody makes words.
pub(crate) fn looks_random(word: &str) -> bool {
    if begins_as_token(word) {
        return true;
    }
    if word.chars().count() > LONGEST_WORD {
        return true;
    }
    word.split(|c: char| !c.is_alphanumeric()).any(|piece| {
        let length = piece.chars().count();
        let digits = piece.chars().filter(char::is_ascii_digit).count();
        let mixed = 0 < digits && digits < length;
        let hex = piece.chars().all(|c| c.is_ascii_hexdigit());
        let changes = piece
            .as_bytes()
            .windows(2)
            .filter(|pair| case(pair[0]) != case(pair[1]))
            .count();
        (mixed && length > LONGEST_MIXED_PIECE)
            || (hex && length > LONGEST_HEX_PIECE)
            || (length >= 8 && changes * 3 > length * 2)
            || (digits == length && digits > 8)
    })
}

fn case(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => 0,
        b'A'..=b'Z' => 1,
        b'0'..=b'9' => 2,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_told_from_words() {
        for word in [
            "server.js",
            "max-semi-space-size",
            "node20",
            "2024-11-21",
            "getUserById",
            "v1.2.3",
            "index.mjs",
        ] {
            assert!(!looks_random(word), "{word}");
        }
        for word in [
            "d41d8cd98f00b204e9800998ecf8427e",
            "550e8400-e29b-41d4-a716-446655440000",
            "sk_live_abc",
            "eyJhbGciOiJIUzI1NiJ9",
            "aGVsbG8Xd29ybGQ",
            "1234567890",
        ] {
            assert!(looks_random(word), "{word}");
        }
    }
}
