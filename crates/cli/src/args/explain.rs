//! `plimsoll explain`.

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use plimsoll_findings::CauseKind;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// Kind of the cause, as the report has it
    #[arg(value_parser = kinds(), hide_possible_values = true)]
    pub(crate) kind: Option<CauseKind>,
}

fn kinds() -> impl TypedValueParser<Value = CauseKind> {
    PossibleValuesParser::new(CauseKind::ALL.map(CauseKind::as_str)).try_map(|name| {
        CauseKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == name)
            .ok_or("no such kind")
    })
}
