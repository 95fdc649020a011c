//! Whole fleets on a virtual clock, over a bus that loses, repeats and delays messages, with agents that die, stall and lie.
//!
//! A seed decides everything. `PLIMSOLL_FLEET_SEEDS=10000` tries so many.

#![expect(clippy::disallowed_methods, reason = "the environment says how many seeds are tried")]

#[path = "../about/mod.rs"]
mod about;
mod clock;
mod network;
mod traffic;
mod worker;
mod world;

use plimsoll_fleet::Had;
use traffic::skew_ns;
use world::{Outcome, Trouble, World};

/// Seeds that are tried unless the environment asks for more.
const SEEDS: u64 = 300;

fn seeds() -> u64 {
    let asked = std::env::var("PLIMSOLL_FLEET_SEEDS").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(SEEDS)
}

/// What became of both steps of a run; checks what has to hold whatever happens.
fn run(seed: u64, trouble: Trouble) -> Vec<Outcome> {
    let mut world = World::new(seed, trouble);
    world.run();
    let outcomes = world.outcomes();
    world.check(&outcomes);
    outcomes
}

#[test]
fn fleet_without_trouble_makes_the_whole_load() {
    for seed in 0..seeds() / 3 {
        for outcome in run(seed, Trouble::None) {
            assert_eq!(outcome.faults, [], "seed {seed}");
            assert!(outcome.is_over, "seed {seed}");
            assert_eq!(outcome.reported, outcome.planned, "seed {seed}");
        }
    }
}

/// What a bus carries for a thousand agents is printed, for docs/benchmarks.
#[test]
fn thousand_agents_make_one_load_and_begin_it_together() {
    const RATE_PER_S: u32 = 20_000;
    let mut world = World::large(0, 1000, RATE_PER_S);
    world.run();
    let outcomes = world.outcomes();
    world.check(&outcomes);
    assert!(!outcomes.is_empty());
    for outcome in &outcomes {
        assert!(outcome.is_valid(), "{outcome:?}");
        assert_eq!(outcome.reported, outcome.planned);
        // Those of even arrivals say when each began.
        if outcome.step.is_multiple_of(2) {
            let skew_ns = skew_ns(world.sent_in(outcome.step), RATE_PER_S);
            println!(
                "begun within {skew_ns} ns; a message and its reply take up to {} ns",
                world.round_trip_ns()
            );
            assert!(skew_ns <= world.round_trip_ns(), "{skew_ns} ns");
        }
    }
    for (what, messages) in [("to agents", world.went), ("from agents", world.came)] {
        let mean_bytes = messages.bytes / messages.count;
        println!(
            "{} {what}, {mean_bytes} bytes each, {} at most",
            messages.count, messages.longest_bytes
        );
    }
}

#[test]
fn load_with_trouble_is_whole_or_called_invalid() {
    let (mut valid, mut invalid) = (0, 0);
    for seed in 0..seeds() {
        for outcome in run(seed, Trouble::Any) {
            if outcome.is_valid() {
                valid += 1;
            } else {
                invalid += 1;
            }
        }
    }
    // Both were seen, or nothing was tried.
    assert!(valid > 0 && invalid > 0, "{valid} valid, {invalid} invalid");
}

#[test]
fn what_agents_have_of_a_run_that_died_counts_once() {
    let (mut whole, mut in_part) = (0, 0);
    for seed in 0..seeds() {
        let mut world = World::new(seed, Trouble::Death);
        world.run();
        world.check(&world.outcomes());
        let Some(recalled) = world.recalled else { continue };
        assert!(recalled.counted <= recalled.made, "seed {seed}: counted twice");
        if recalled.had.iter().all(|had| matches!(had, Had::From { .. })) {
            assert_eq!(recalled.counted, recalled.made, "seed {seed}");
            whole += 1;
        } else {
            in_part += 1;
        }
    }
    // Nearly all of them have everything, however bad their network is.
    assert!(whole > 10 * in_part && whole > 50, "{whole} whole, {in_part} in part");
}

#[test]
fn share_that_is_not_made_as_planned_is_called_invalid() {
    for seed in 0..seeds() / 3 {
        let outcomes = run(seed, Trouble::Lie);
        assert!(outcomes.iter().any(|outcome| !outcome.faults.is_empty()), "seed {seed}");
    }
}
