//! Any bytes as the header blocks of one HTTP/2 connection: they mean what they mean to nghttp2, or are refused by both.
#![no_main]

#[path = "../../crates/protocol/tests/http2/invariants.rs"]
#[expect(dead_code, reason = "the other targets use the rest")]
mod invariants;

use invariants::Read;
use libnghttp2_sys as nghttp2;
use std::ptr::null_mut;

/// nghttp2's decoder of header blocks.
struct Inflater(*mut nghttp2::nghttp2_hd_inflater);

impl Inflater {
    fn new() -> Self {
        let mut inflater = null_mut();
        // SAFETY: it is written to, and freed once when this is dropped.
        let failed = unsafe { nghttp2::nghttp2_hd_inflate_new(&raw mut inflater) };
        assert_eq!(failed, 0, "there is memory");
        Self(inflater)
    }

    fn read(&mut self, mut block: &[u8]) -> Option<invariants::FieldList> {
        let mut fields = Vec::new();
        loop {
            let mut flags = 0;
            // SAFETY: plain data, of which zeros are a value.
            let mut field: nghttp2::nghttp2_nv = unsafe { std::mem::zeroed() };
            // SAFETY: the inflater lives, and the block is as long as is said.
            let taken = unsafe {
                let (out, flags) = (&raw mut field, &raw mut flags);
                nghttp2::nghttp2_hd_inflate_hd2(self.0, out, flags, block.as_ptr(), block.len(), 1)
            };
            block = &block[usize::try_from(taken).ok()?..];
            if flags & nghttp2::NGHTTP2_HD_INFLATE_EMIT as i32 != 0 {
                // SAFETY: what is emitted is there until the next call.
                let text = |bytes: *mut u8, length| unsafe { std::slice::from_raw_parts(bytes, length) }.to_vec();
                fields.push((text(field.name, field.namelen), text(field.value, field.valuelen)));
            }
            if flags & nghttp2::NGHTTP2_HD_INFLATE_FINAL as i32 != 0 {
                // SAFETY: the inflater lives.
                unsafe { nghttp2::nghttp2_hd_inflate_end_headers(self.0) };
                return Some(fields);
            }
        }
    }
}

impl Drop for Inflater {
    fn drop(&mut self) {
        // SAFETY: it is not used again.
        unsafe { nghttp2::nghttp2_hd_inflate_del(self.0) };
    }
}

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut inflater = Inflater::new();
    invariants::header_blocks_mean_the_same_to(
        |block| inflater.read(block).map_or(Read::Refused, Read::Fields),
        |_| false,
        input,
    );
});
