//! How many instances of the service a demand needs. Predicted from the load line of one instance, and never measured.

use schemars::JsonSchema;
use serde::Serialize;

/// How many instances of the service a demand needs: predicted from the load line, never measured.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SizingFinding {
    /// Whether rates are in users per second, and not in requests.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub users: bool,
    /// Arrivals that all instances carry together, requests per second.
    pub demand_per_s: f64,
    /// Share of the load line that is kept free in each instance, 0 to 1.
    pub headroom_share: f64,
    /// What an instance costs, where that was given.
    pub price: Option<PriceFinding>,
    /// What is predicted; `None` where there is no load line to predict it from.
    pub predicted: Option<SizingPrediction>,
    /// Why nothing is predicted.
    pub unsized_because: Option<Unsized>,
}

/// What an instance costs, in a unit that is as it was written.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PriceFinding {
    /// Of one instance for an hour.
    pub per_hour: f64,
    /// What stands before an amount: a unit such as `$`, or nothing.
    pub before: String,
    /// What stands behind an amount: a unit such as ` EUR`, or nothing.
    pub after: String,
}

/// What is predicted for a demand.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SizingPrediction {
    /// What each instance may carry: the load line less the headroom, requests per second.
    pub usable_per_s: f64,
    /// The true line may be higher, because nothing failed above it: fewer instances may do.
    pub at_most: bool,
    /// Confidence of the intervals, which is that of the load line, 0 to 1.
    pub confidence: f64,
    /// As many instances as the demand needs while all of them run.
    pub needed: Instances,
    /// One more, so that the headroom is still kept when an instance is lost.
    pub with_spare: Instances,
    /// What must hold for this.
    pub assumption: SizingAssumption,
}

/// A number of instances, and what comes of it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Instances {
    /// How many, by the load line itself.
    pub instances: u64,
    /// How many if the true line is at the upper end of its interval; `None` where that has none.
    pub instances_low: Option<u64>,
    /// How many if it is at the lower end; `None` where that carries nothing.
    pub instances_high: Option<u64>,
    /// What each instance carries.
    pub each: InstanceLoad,
    /// What each of the others carries when one is lost; `None` where none is left.
    pub one_lost: Option<InstanceLoad>,
    /// What they cost, where a price was given.
    pub cost: Option<InstancesCost>,
}

/// What an instance carries, by its even share of the demand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct InstanceLoad {
    /// Requests per second.
    pub rate_per_s: f64,
    /// That rate as a share of the load line; above 1, objectives are expected to break.
    pub line_share: f64,
}

/// What instances cost, in the unit of the price.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct InstancesCost {
    /// An hour.
    pub per_hour: f64,
    /// A month of 730 hours.
    pub per_month: f64,
    /// A million requests, at the demand.
    pub per_million_requests: f64,
}

/// What must hold for a number of instances to carry a demand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum SizingAssumption {
    /// Instances share nothing that runs out first, and the load is spread evenly over them.
    Independent,
}

/// Why no number of instances is predicted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "code", rename_all = "snake_case")]
pub enum Unsized {
    /// There is no load line.
    NoLine,
    /// An objective was not judged at the load line.
    Unjudged,
    /// The run failed.
    Failed,
}
