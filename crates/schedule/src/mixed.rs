//! Numbers that look like chance and follow from others.

/// A number that says nothing of `number`, and is different for each (the finalizer of SplitMix64; Steele, Lea and Flood, 2014).
#[inline]
#[must_use]
pub const fn mixed(number: u64) -> u64 {
    let mut mixed = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
