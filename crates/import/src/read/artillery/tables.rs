//! Tables of values beside a script.

use super::{Reader, types};
use crate::left_out::Place;
use crate::read::json::{list, scalar};
use crate::read::{Files, csv};
use serde_json::Value;

impl Reader {
    pub(super) fn payload(&mut self, place: &Place, payload: &Value, files: Files<'_>) {
        let path = payload["path"].as_str().unwrap_or_default();
        let Some(text) = files(path) else {
            self.journeys.leave_out(
                place,
                path,
                "the file cannot be read: it has to lie beside the script or below",
            );
            return;
        };
        let separator = payload["delimiter"]
            .as_str()
            .and_then(|text| text.chars().next())
            .unwrap_or(',');
        let mut rows = csv::rows(&text, separator);
        if payload["skipHeader"] == true && !rows.is_empty() {
            rows.remove(0);
        }
        if payload["loadAll"] == true {
            self.journeys
                .leave_out(place, path, "plans give each user one row, and not all of them");
            return;
        }
        if rows.len() > 1 && payload["order"] != "sequence" {
            let why = "users of the plan take its rows in turn, and not by chance";
            self.journeys.leave_out(place, path, why);
        }
        let names: Vec<String> = list(&payload["fields"]).filter_map(scalar).collect();
        if rows.is_empty() {
            self.journeys.leave_out(place, path, csv::NO_ROWS);
            return;
        }
        if let Some((what, why)) = csv::short_rows(&rows, &names) {
            self.journeys.leave_out(place, what, why);
        }
        let columns = csv::columns(&rows, &names);
        // Artillery reads numbers as such, unless it is told otherwise.
        for (name, values) in columns.iter().filter(|_| payload["cast"] != false) {
            if types::are_written_numbers(values) {
                self.types.insert(name.clone(), types::Has::Numbers);
            }
        }
        self.journeys.lists.extend(columns);
    }
}
