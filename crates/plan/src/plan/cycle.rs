//! How long users pause until they begin anew.

use crate::plan::action::{Action, RoundsBy};
use crate::plan::draft::PlanDraft;
use std::time::Duration;

/// How long a user of this plan does something else than wait for responses before it begins anew, on average: the pauses of
/// its journey, and the think time after it. Pacing counts as far as it is longer.
pub(crate) fn cycle(plan: &PlanDraft) -> Duration {
    let (think_time, pacing) = plan.load.pauses();
    let journeys = &plan.scenario.journeys;
    let weights: f64 = journeys.iter().map(|journey| f64::from(journey.weight)).sum();
    let paused: f64 = journeys
        .iter()
        .map(|journey| f64::from(journey.weight) * paused_s(&journey.actions))
        .sum();
    let paused = if weights > 0.0 { paused / weights } else { 0.0 };
    // Whole milliseconds, as means are shown to people.
    Duration::try_from_secs_f64((paused * 1e3).round() / 1e3)
        .unwrap_or(Duration::MAX)
        .saturating_add(think_time)
        .max(pacing)
}

/// Seconds in which a user pauses in these actions on average, each done once where nobody knows how often.
fn paused_s(actions: &[Action]) -> f64 {
    let each = actions.iter().map(|action| match action {
        Action::Pause(pause) => pause.mean().as_secs_f64(),
        Action::Rounds(rounds) => {
            let one = paused_s(&rounds.actions);
            match &rounds.by {
                // Nothing waits for a round that does not come.
                RoundsBy::Times => f64::from(rounds.most - 1) * one.max(rounds.every.as_secs_f64()) + one,
                RoundsBy::Until(_) | RoundsBy::While(_) | RoundsBy::Each(_) => one,
            }
        }
        Action::Chance(chance) => chance.of.value() * paused_s(&chance.actions),
        // The first journey is one of many.
        Action::Once(_) => 0.0,
        other => paused_s(other.inner()),
    });
    each.sum()
}

#[cfg(test)]
mod tests {
    use crate::Plan;

    /// The cycle of users with these journeys and this closed load, ms.
    fn cycle_ms(journeys: &str, load: &str) -> u128 {
        let text = format!(
            "target: http://127.0.0.1/\nscenario: {{ {journeys} }}\nload: {{ model: closed, connections: 1, duration: 9s, {load} }}\n"
        );
        let plan = Plan::parse(&text, "plan.yaml").unwrap_or_else(|error| panic!("{text}\n{error}"));
        plan.cycle().as_millis()
    }

    #[test]
    fn a_cycle_without_journeys_is_the_think_time_or_the_pacing() {
        let requests = "requests: [{ path: / }]";
        assert_eq!(cycle_ms(requests, "think_time: 2s"), 2000);
        assert_eq!(cycle_ms(requests, "think_time: 2s, pacing: 3s"), 3000);
        assert_eq!(cycle_ms(requests, "pacing: 0s"), 0);
    }

    #[test]
    fn a_cycle_has_the_pauses_of_a_journey_as_often_as_they_come() {
        let journey = |actions: &str| format!("journeys: [{{ actions: [request: {{ path: / }}, {actions}] }}]");
        for (actions, expected_ms) in [
            ("pause: 2s", 2000),
            ("pause: { from: 1s, to: 2s }", 1500),
            (
                "repeat: { times: 3, actions: [request: { path: /a }, pause: 1s] }",
                3000,
            ),
            // Two distances between beginnings, and the last round.
            (
                "repeat: { times: 3, every: 5s, actions: [request: { path: /a }, pause: 1s] }",
                11_000,
            ),
            ("chance: { of: 25%, actions: [request: { path: /a }, pause: 4s] }", 1000),
            ("pause: 1s, once: { actions: [request: { path: /a }, pause: 4s] }", 1000),
            (
                "chance: { of: 50%, actions: [repeat: { times: 2, actions: [request: { path: /a }, pause: 4s] }] }",
                4000,
            ),
        ] {
            assert_eq!(cycle_ms(&journey(actions), "think_time: 0s"), expected_ms, "{actions}");
            assert_eq!(
                cycle_ms(&journey(actions), "think_time: 1s"),
                expected_ms + 1000,
                "{actions}"
            );
        }
    }

    #[test]
    fn the_cycle_of_several_journeys_is_the_mean_by_their_weights() {
        let journey = |weight: u32, pause: &str| {
            format!(
                "{{ weight: {weight}, name: j{weight}, actions: [request: {{ path: /{weight} }}, pause: {pause}] }}"
            )
        };
        let both = format!("journeys: [{}, {}]", journey(3, "1s"), journey(1, "9s"));
        assert_eq!(cycle_ms(&both, "think_time: 0s"), 3000);
    }
}
