//! What an agent says of itself.

use plimsoll_fleet::About;

/// One of version 1 on one core, which takes any load.
pub(crate) fn about() -> About {
    About {
        version: "1".to_owned(),
        zone: None,
        cores: 1,
        cpu_model: String::new(),
        kernel: String::new(),
        allows: Vec::new(),
        most_micro_per_s: None,
        busy: false,
    }
}
