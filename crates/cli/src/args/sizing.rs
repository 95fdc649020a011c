//! What is asked about the number of instances that a demand needs.

use super::values::{price, rate, share};
use clap::Args;
use plimsoll_plan::{Price, Rate, Share};

/// What is asked about the number of instances that a demand needs.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SizingArgs {
    /// Say how many instances carry this arrival rate together, such as 30000/s
    ///
    /// Predicted from the load line of one instance. Overrides `sizing.demand` of the plan.
    #[arg(long, value_name = "RATE", value_parser = rate, help_heading = "Sizing")]
    pub(crate) demand: Option<Rate>,
    /// Keep this share of the load line free in each instance [default: 30%]
    ///
    /// Overrides `sizing.headroom` of the plan.
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = "Sizing")]
    pub(crate) headroom: Option<Share>,
    /// Say what the instances cost, by the price of one per hour, such as 0.12/h or '0.12 EUR/h'
    ///
    /// The unit, if any, is kept as it is written. Overrides `sizing.price` of the plan.
    #[arg(long, value_name = "PRICE", value_parser = price, help_heading = "Sizing")]
    pub(crate) price: Option<Price>,
}

impl SizingArgs {
    /// Whether anything is asked.
    pub(crate) const fn is_given(&self) -> bool {
        self.demand.is_some() || self.headroom.is_some() || self.price.is_some()
    }
}
