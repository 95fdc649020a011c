//! A function as the profiles of V8 name it.

use crate::file_url::path_of;
use plimsoll_measure::Frame;
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CallFrame<'a> {
    #[serde(borrow)]
    function_name: std::borrow::Cow<'a, str>,
    #[serde(borrow)]
    url: std::borrow::Cow<'a, str>,
    /// From 0; -1 for native code.
    line_number: i64,
    column_number: i64,
}

pub(crate) fn frame(found: &CallFrame<'_>) -> Frame {
    // The file counts from 0, people count from 1.
    let place = |number: i64| u32::try_from(number.saturating_add(1)).unwrap_or(0);
    Frame {
        function: found.function_name.clone().into_owned(),
        file: path_of(&found.url),
        line: place(found.line_number),
        column: place(found.column_number),
    }
}
