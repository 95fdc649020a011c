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
