//! The call tree of the profile, without what is too small to see.

use crate::calls::code_class;
use crate::place::Places;
use plimsoll_findings::FlameCall;
use plimsoll_measure::Profile;

/// Calls below this share of the busy time are left out; their time stays in that of their callers.
const SHARE_MIN: f64 = 0.001;

pub(crate) fn flame(profile: &Profile, places: &Places<'_>) -> Vec<FlameCall> {
    let all_us = profile.total_us().max(1) as f64;
    let total_us = profile.inclusive_us();
    let mut drawn: Vec<Option<usize>> = vec![None; profile.calls.len()];
    let mut flame = Vec::new();
    for (index, call) in profile.calls.iter().enumerate() {
        let caller = call.caller.map(|caller| drawn[caller]);
        // What is below a call that was left out is smaller still.
        if caller == Some(None) || (total_us[index] as f64) < all_us * SHARE_MIN {
            continue;
        }
        let frame = &profile.frames[call.frame];
        drawn[index] = Some(flame.len());
        flame.push(FlameCall {
            caller: caller.flatten().map(|caller| caller as u32),
            function: frame.function.clone(),
            place: if frame.file.is_empty() {
                String::new()
            } else {
                format!("{}:{}", places.path(&frame.file), frame.line)
            },
            class: code_class(frame),
            share: round(total_us[index] as f64 / all_us),
            self_share: round(call.self_us as f64 / all_us),
        });
    }
    flame
}

/// Five decimals are finer than anything that can be seen, and keep the file short.
fn round(share: f64) -> f64 {
    (share * 1e5).round() / 1e5
}
