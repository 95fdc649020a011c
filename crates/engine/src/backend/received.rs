//! The layout of a buffer that a receive with control messages has filled, without the kernel that fills it.

/// In front of all: the lengths of name, control messages and bytes, and flags, each in four bytes.
pub(crate) const LENGTHS_BYTES: usize = 16;
/// A control message that holds a time: length, level and type, then seconds and nanoseconds.
pub(crate) const MESSAGE_BYTES: usize = 32;

/// The bytes of a receive, and when the last of them had arrived, ns, where a control message of this level and type says so.
/// No bytes where the buffer is shorter than its head.
pub(crate) fn split(buffer: &[u8], level: i32, kind: i32) -> (&[u8], Option<u64>) {
    let Some((head, bytes)) = buffer.split_at_checked(LENGTHS_BYTES + MESSAGE_BYTES) else {
        return (&[], None);
    };
    let (lengths, control) = head.split_at(LENGTHS_BYTES);
    let whole = u32_at(lengths, 4).is_some_and(|filled| filled as usize == MESSAGE_BYTES);
    let wanted = u32_at(control, 8) == Some(level.cast_unsigned()) && u32_at(control, 12) == Some(kind.cast_unsigned());
    let time_ns = || {
        let seconds = u64_at(control, 16)?;
        seconds.checked_mul(1_000_000_000)?.checked_add(u64_at(control, 24)?)
    };
    (bytes, (whole && wanted).then(time_ns).flatten())
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}
