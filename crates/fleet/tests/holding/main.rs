//! Runs that hold target agents on a virtual clock, over a bus that loses, repeats and delays messages, with runs and agents that die and
//! stall, and a second run that wants the same machines.
//!
//! A seed decides everything. `PLIMSOLL_FLEET_SEEDS=10000` tries so many.

#![expect(clippy::disallowed_methods, reason = "the environment says how many seeds are tried")]

#[path = "../simulation/clock.rs"]
mod clock;
mod machine;
#[path = "../simulation/network.rs"]
mod network;
mod world;

use world::World;

/// Seeds that are tried unless the environment asks for more.
const SEEDS: u64 = 300;

fn seeds() -> u64 {
    let asked = std::env::var("PLIMSOLL_FLEET_SEEDS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(SEEDS)
}

#[test]
fn run_without_trouble_gets_every_reply() {
    for seed in 0..seeds() / 3 {
        let mut world = World::new(seed, false);
        world.run();
        world.check();
        assert!(world.outcomes().all(|(valid, _)| valid), "seed {seed}");
    }
}

#[test]
fn run_with_trouble_gets_every_reply_or_says_what_is_wrong() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..seeds() {
        let mut world = World::new(seed, true);
        world.run();
        world.check();
        for (is_valid, says_why) in world.outcomes() {
            assert!(is_valid || says_why, "seed {seed}: it says nothing of what is wrong");
            if is_valid {
                valid += 1;
            } else {
                invalid += 1;
            }
        }
    }
    // Both were seen, or nothing was tried.
    assert!(valid > 0 && invalid > 0, "{valid} valid, {invalid} invalid");
}
