//! Objectives about one zone of a fleet: what stands before the rest of them.

/// What such an objective begins with.
pub(crate) const ZONE: &str = "zone ";
/// The longest name of a zone, as of an agent, bytes.
const NAME_MAX: usize = 40;

/// The zone that a text begins with, and what follows it.
pub(crate) fn zoned(text: &str) -> Option<(&str, &str)> {
    let (name, rest) = text
        .trim_start()
        .strip_prefix(ZONE)?
        .trim_start()
        .split_once(char::is_whitespace)?;
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    let is_name = !name.is_empty() && name.len() <= NAME_MAX && name.bytes().all(plain);
    is_name.then_some((name, rest))
}
