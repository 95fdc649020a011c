//! What responds in the place of a neighbour, out of a document.

use crate::notation::error::PlanError;
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::Reader;
use crate::notation::units::Share;
use crate::notation::written::{At, Given, ShortOr};
use crate::plan::limits::ByteSize;
use crate::plan::scenario_document::BodyFields;
use crate::plan::stand_in::{MILLION, PERCENTILES, ResponseTime, StandIn, StandInBody, StandInResponse};
use crate::plan::stand_in_document::{
    BodySizeDocument, ResponseTimeDocument, StandInDocument, StandInResponseDocument,
};
use std::time::Duration;

impl Reader<'_> {
    pub(crate) fn stand_in(&mut self, key: &str, section: &At<StandInDocument>) -> Result<StandIn, PlanError> {
        let port = self.required(&format!("{key}.port"), &section.value.port, section.place)?;
        let list = format!("{key}.responses");
        let responses = match self.section(&list, &section.value.responses) {
            Some(responses) => self.each(&list, responses, "response", Self::stand_in_response)?,
            None => {
                let mismatch = Mismatch::new("no `responses`", "what requests to the stand-in are given");
                return Err(self.error(section.place, mismatch));
            }
        };
        Ok(StandIn { port, responses })
    }

    fn stand_in_response(
        &mut self,
        key: &str,
        section: &At<StandInResponseDocument>,
    ) -> Result<StandInResponse, PlanError> {
        let response = &section.value;
        let time_key = format!("{key}.response_time");
        let Some(time) = &response.response_time.0 else {
            return Err(self.missing::<Duration>(&time_key, section.place));
        };
        let mut headers = self.headers(key, &response.headers, &[])?;
        let fields = BodyFields::from(response);
        let size = self.body_size(&format!("{key}.size"), &response.size)?;
        if size.is_some() && fields.given() > 0 {
            let mismatch = Mismatch::new("`size` and a body", "one of them");
            return Err(self.error(section.place, mismatch));
        }
        let body = self.body(key, section.place, fields, &[], &mut headers)?;
        Ok(StandInResponse {
            method: self.field(&format!("{key}.method"), &response.method)?,
            path: self.field(&format!("{key}.path"), &response.path)?,
            time: self.response_time(&time_key, time)?,
            status: self.field(&format!("{key}.status"), &response.status)?.unwrap_or(200),
            headers,
            body: size.unwrap_or(StandInBody::Same(body)),
            errors: self
                .field(&format!("{key}.errors"), &response.errors)?
                .unwrap_or(Share::percent(0)),
        })
    }

    fn response_time(
        &mut self,
        key: &str,
        time: &ShortOr<Duration, ResponseTimeDocument>,
    ) -> Result<ResponseTime, PlanError> {
        let section = match time {
            ShortOr::Short(written) => {
                let always = self.written(key, written)?;
                return Ok(ResponseTime::between(always, always));
            }
            ShortOr::Full(section) => section,
        };
        self.remember(key, section.place);
        let time = &section.value;
        let from = self.field(&format!("{key}.from"), &time.from)?;
        let to = self.field(&format!("{key}.to"), &time.to)?;
        let fields = [&time.p50, &time.p75, &time.p90, &time.p95, &time.p99, &time.p999];
        let mut percentiles = Vec::new();
        for ((name, of_a_million), field) in PERCENTILES.into_iter().zip(fields) {
            let at_most = self.field(&format!("{key}.{name}"), field)?;
            percentiles.extend(at_most.map(|at_most| (of_a_million, at_most)));
        }
        let run = self.field(&format!("{key}.run"), &time.run)?;
        let request = self.field(&format!("{key}.request"), &time.request)?;
        match (run, to) {
            (Some(directory), None) if from.is_none() && percentiles.is_empty() => Ok(ResponseTime::Run {
                directory: self.beside_plan(&directory),
                request,
            }),
            (None, Some(to)) if request.is_none() => {
                let bounds = (0, from.unwrap_or_default());
                let spread = [bounds].into_iter().chain(percentiles).chain([(MILLION, to)]);
                Ok(ResponseTime::Spread(spread.collect()))
            }
            (None, _) if request.is_some() => Err(self.error(
                section.place,
                Mismatch::new("`request` without `run`", "both of them, or neither"),
            )),
            (Some(_), _) => Err(self.error(section.place, Mismatch::new("`run` and times beside it", "one of them"))),
            (None, _) => {
                let expected =
                    "`to`, the longest time, with percentiles such as `p50` and `p99` where they are known; or `run`";
                Err(self.error(section.place, Mismatch::new("no `to`", expected)))
            }
        }
    }

    fn body_size(
        &mut self,
        key: &str,
        size: &Given<ShortOr<ByteSize, BodySizeDocument>>,
    ) -> Result<Option<StandInBody>, PlanError> {
        let (from, to) = match &size.0 {
            None => return Ok(None),
            Some(ShortOr::Short(written)) => {
                let always = self.written(key, written)?;
                (always, always)
            }
            Some(ShortOr::Full(section)) => {
                self.remember(key, section.place);
                let BodySizeDocument { from, to } = &section.value;
                (
                    self.required(&format!("{key}.from"), from, section.place)?,
                    self.required(&format!("{key}.to"), to, section.place)?,
                )
            }
        };
        Ok(Some(StandInBody::Size { from, to }))
    }
}
