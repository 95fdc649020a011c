//! The rows of a plan's tables, for who gets the plan [as it is saved](Plan::to_json), which has none of them.

use crate::Plan;
use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::plan::table::Rows;
use crate::plan::variable::Values;
use std::sync::Arc;

impl Plan {
    /// The fields of each of its tables, row by row. They may be secrets.
    #[must_use]
    pub fn rows(&self) -> Vec<Vec<String>> {
        let fields = |rows: &Rows| rows.fields().map(str::to_owned).collect();
        self.scenario().tables().map(|table| fields(&table.rows)).collect()
    }

    /// The same plan with these [rows](Self::rows) in its tables.
    ///
    /// # Errors
    /// When they are not those of its tables.
    pub fn with_rows(&self, rows: &[Vec<String>]) -> Result<Self, PlanError> {
        let misfit = || {
            PlanError::new(
                "scenario.variables",
                Mismatch::new("rows of other tables", "those of the plan"),
            )
        };
        let tables: Vec<_> = self.scenario().tables().collect();
        if tables.len() != rows.len() {
            return Err(misfit());
        }
        let mut filled = Vec::new();
        for (table, fields) in tables.into_iter().zip(rows) {
            let columns = &table.rows.columns;
            let mut rows = Rows::of(columns.clone());
            let records = fields.chunks_exact(columns.len().max(1));
            if !records.remainder().is_empty() {
                return Err(misfit());
            }
            for (number, record) in records.enumerate() {
                rows.push(u32::try_from(number).unwrap_or(u32::MAX), record);
            }
            filled.push((table.place(), Arc::new(rows)));
        }
        self.with(|draft| {
            for variable in &mut draft.scenario.variables {
                let Values::Column(column) = &mut variable.values else {
                    continue;
                };
                let rows = filled.iter().find(|(place, _)| *place == column.table.place());
                if let Some((_, rows)) = rows {
                    column.table.rows = Arc::clone(rows);
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_that_is_saved_gets_its_rows_back() {
        let text = "target: http://h/\nscenario: { variables: { u: { file: u.csv }, v: { file: v.csv, once: true } }, \
                    journeys: [{ actions: [request: { path: '/${u.a}/${u.b}/${v.c}' }] }] }\n";
        let files = |path: &std::path::Path, _| {
            let is_first = path.ends_with("u.csv");
            Ok(if is_first {
                &b"a,b\n1,2\n\"3,3\",4\n"[..]
            } else {
                b"c\nx\n"
            }
            .to_vec())
        };
        let plan = Plan::parse_with(text, "plan.yaml", &files, &|_| None).expect("a plan");
        let saved = Plan::parse_saved(&plan.to_json(), "plan").expect("what was saved");
        assert_eq!(saved.rows(), [Vec::<String>::new(), Vec::new()]);
        let whole = saved.with_rows(&plan.rows()).expect("its rows");
        assert_eq!(whole.rows(), [vec!["1", "2", "3,3", "4"], vec!["x"]]);
        assert_eq!(whole.rows(), plan.rows());
        for others in [vec![], vec![vec!["1".to_owned()], vec![]]] {
            assert!(saved.with_rows(&others).is_err(), "{others:?}");
        }
    }
}
