//! The language of studies, described for editors, and its keys.

use super::document::{PublishedDocument, StudyDocument};
use plimsoll_plan::notation::keys_of;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The JSON Schemas of `study.yaml` and `published.json`.
#[must_use]
pub fn study_schemas() -> [serde_json::Value; 2] {
    [
        schemars::schema_for!(StudyDocument).to_value(),
        schemars::schema_for!(PublishedDocument).to_value(),
    ]
}

/// Every key of the files of a study, and of a plan: a line of one may be taken for a line of the other.
pub(crate) fn keys() -> &'static BTreeSet<String> {
    static KEYS: LazyLock<BTreeSet<String>> = LazyLock::new(|| {
        let [study, published] = study_schemas();
        keys_of(&[plimsoll_plan::json_schema(), study, published])
    });
    &KEYS
}
