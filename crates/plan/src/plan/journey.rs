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

    /// The variables that it needs, by index; once for each place.
    #[must_use]
    pub fn variables(&self) -> Vec<usize> {
        let mut variables = Vec::new();
        action::each_template(&self.actions, &mut |template| variables.extend(template.variables()));
        variables
    }
}
