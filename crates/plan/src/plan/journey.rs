//! What a user does, from arrival to departure.

use crate::plan::action::{self, Action, ActionRequest};

/// What a user does, from arrival to departure.
#[derive(Debug, Clone, PartialEq)]
pub struct Journey {
    /// Tells it apart from the others.
    pub name: String,
    /// How many users take it, relative to the other journeys; at least 1.
    pub weight: u32,
    /// In order.
    pub actions: Vec<Action>,
}

impl Journey {
    /// Its requests, in the order in which they are written.
    #[must_use]
    pub fn requests(&self) -> Vec<&ActionRequest> {
        action::requests(&self.actions)
    }

    /// Most requests that a user sends on it. Rounds count once where only responses say how many there are.
    #[must_use]
    pub fn requests_max(&self) -> u64 {
        requests_max(&self.actions)
    }

    /// Which of them, by place, are done on a user's first journey alone.
    #[must_use]
    pub fn done_once(&self) -> Vec<bool> {
        let each = self.actions.iter().flat_map(|action| {
            let requests = action::requests(std::slice::from_ref(action)).len();
            std::iter::repeat_n(matches!(action, Action::Once(_)), requests)
        });
        each.collect()
    }

    /// The variables that it needs, by index; once for each place.
    #[must_use]
    pub fn variables(&self) -> Vec<usize> {
        let mut variables = Vec::new();
        action::each_template(&self.actions, &mut |template| variables.extend(template.variables()));
        variables
    }
}

fn requests_max(actions: &[Action]) -> u64 {
    let each = actions.iter().map(|action| match action {
        Action::Request(_) | Action::Send(_) => 1,
        Action::Rounds(rounds) => u64::from(rounds.known().unwrap_or(1)).saturating_mul(requests_max(&rounds.actions)),
        other => requests_max(other.inner()),
    });
    each.fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use crate::Plan;

    /// Each request has a path of its own.
    #[track_caller]
    fn check(actions: &str, expected: u64) {
        let parts = actions.split("path: /").enumerate();
        let actions = parts.map(|(place, part)| {
            if place == 0 {
                part.to_owned()
            } else {
                format!("path: /{place}{part}")
            }
        });
        let actions: String = actions.collect();
        let text = format!("target: http://localhost\nscenario: {{ journeys: [{{ actions: [{actions}] }}] }}\n");
        let plan = Plan::parse(&text, "plan.yaml").expect("a plan");
        assert_eq!(plan.scenario().journeys[0].requests_max(), expected, "{actions}");
    }

    #[test]
    fn requests_are_counted_as_often_as_they_are_sent() {
        const REQUEST: &str = "request: { path: / }";
        let repeat = |how: &str, inner: &str| format!("repeat: {{ {how}, actions: [{inner}] }}");
        check(REQUEST, 1);
        check(&format!("{REQUEST}, pause: 1s, {REQUEST}"), 2);
        let twice = repeat("times: 2", REQUEST);
        check(&twice, 2);
        check(&repeat("times: 3", &format!("{twice}, {REQUEST}")), 9);
        check(&repeat("for each: { id: [a, b, c, d] }", REQUEST), 4);
        check(&repeat("for each: { id: [a, b, c, d] }, at most: 3", REQUEST), 3);
        check(&format!("chance: {{ of: 10%, actions: [{twice}] }}, {REQUEST}"), 3);
        check(&format!("once: {{ actions: [{REQUEST}] }}, {REQUEST}"), 2);
        let most = (0..5).fold(REQUEST.to_owned(), |inner, _| repeat("times: 10000", &inner));
        check(&most, u64::MAX);
    }

    #[test]
    fn rounds_that_end_by_a_response_count_once() {
        let takes = "request: { path: /, take: { state: { json: $.state } } }";
        check(
            &format!("repeat: {{ until: {{ value: '${{state}}', is: done }}, at most: 50, actions: [{takes}] }}"),
            1,
        );
    }
}
