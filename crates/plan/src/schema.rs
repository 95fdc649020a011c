//! The language of this crate, described for editors, and its keys.

use crate::notation::keys_of;
use crate::plan::document::PlanDocument;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The JSON Schema of the files that [`Plan::parse`](crate::Plan::parse) reads.
#[must_use]
pub fn json_schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(PlanDocument);
    schema.insert("title".to_owned(), "plimsoll plan".into());
    schema.to_value()
}

/// Every key of a plan.
pub(crate) fn keys() -> &'static BTreeSet<String> {
    static KEYS: LazyLock<BTreeSet<String>> = LazyLock::new(|| keys_of(&[json_schema()]));
    &KEYS
}
