//! The requests of a scenario, ready to be written again and again.

use plimsoll_plan::{Piece, Request, Scenario, Template, Url, Values};
use plimsoll_protocol::http1::{InvalidRequest, Part, RequestEncoder, RequestKind, RequestParts, authority};
use plimsoll_schedule::{Mix, Pick, draw};
use std::io::Write;
use std::sync::Arc;

/// A scenario of which every request and every value has been checked. Cheap to clone: a shard has its own.
#[derive(Debug, Clone)]
pub struct Requests {
    shared: Arc<Shared>,
    /// The templated request written last.
    bytes: Vec<u8>,
    /// Values of a range are written here, one buffer a variable.
    values: Vec<Vec<u8>>,
}

#[derive(Debug)]
struct Shared {
    kinds: Vec<Kind>,
    mix: Mix,
    variables: Vec<Values>,
}

#[derive(Debug)]
struct Kind {
    encoder: RequestEncoder,
    accepted_status: Vec<(u16, u16)>,
}

impl Requests {
    /// Lays out every request of the scenario for `url`.
    ///
    /// # Errors
    /// When a literal or a value of a list would break the framing of a request.
    pub fn new(scenario: &Scenario, url: &Url, keep_alive: bool) -> Result<Self, InvalidRequest> {
        let authority = authority(&url.host, url.port, 80);
        let kinds = scenario
            .requests
            .iter()
            .map(|request| Kind::new(request, scenario, url.path.reveal(), &authority, keep_alive))
            .collect::<Result<Vec<_>, _>>()?;
        let variables: Vec<Values> = scenario
            .variables
            .iter()
            .map(|variable| variable.values.clone())
            .collect();
        Ok(Self {
            bytes: Vec::new(),
            values: vec![Vec::new(); variables.len()],
            shared: Arc::new(Shared {
                kinds,
                mix: Mix::new(&scenario.requests),
                variables,
            }),
        })
    }

    /// The bytes of request `number`, which of the scenario's requests it is, and the kind of answer it gets.
    #[inline]
    pub(crate) fn encode(&mut self, number: u64) -> (u32, RequestKind, &[u8]) {
        let Pick { request, nth } = self.shared.mix.pick(number);
        let (index, encoder) = (request as u32, &self.shared.kinds[request].encoder);
        if let Some(bytes) = encoder.as_static() {
            return (index, encoder.kind(), bytes);
        }
        for (buffer, values) in self.values.iter_mut().zip(&self.shared.variables) {
            buffer.clear();
            let position = draw(values, nth);
            match values {
                Values::Range { from, .. } => {
                    write!(buffer, "{}", from + position).expect("writing to a Vec does not fail");
                }
                Values::List(texts) => buffer.extend_from_slice(texts[position as usize].reveal().as_bytes()),
            }
        }
        self.bytes.clear();
        encoder.encode(|variable| &self.values[variable], &mut self.bytes);
        (index, encoder.kind(), &self.bytes)
    }

    /// Whether `status` is an expected one for this request of the scenario.
    #[inline]
    pub(crate) fn accepts(&self, index: u32, status: u16) -> bool {
        self.shared.kinds[index as usize]
            .accepted_status
            .iter()
            .any(|&(low, high)| (low..=high).contains(&status))
    }
}

impl Requests {
    /// The statuses that this request of the scenario expects, from and to.
    pub(crate) fn accepted_status(&self, index: u32) -> &[(u16, u16)] {
        &self.shared.kinds[index as usize].accepted_status
    }
}

impl Kind {
    fn new(
        request: &Request,
        scenario: &Scenario,
        base_path: &str,
        authority: &str,
        keep_alive: bool,
    ) -> Result<Self, InvalidRequest> {
        let mut target = vec![Part::Literal(base_path.trim_end_matches('/').as_bytes())];
        target.extend(parts(&request.path));
        let values: Vec<(&str, Vec<Part<'_>>)> = request
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), parts(value)))
            .collect();
        let headers: Vec<(&str, &[Part<'_>])> = values.iter().map(|(name, value)| (*name, value.as_slice())).collect();
        let encoder = RequestEncoder::new(&RequestParts {
            method: request.method.as_str(),
            authority,
            target: &target,
            headers: &headers,
            body: &parts(&request.body),
            keep_alive,
        })?;
        for (index, variable) in scenario.variables.iter().enumerate() {
            if let Values::List(texts) = &variable.values {
                texts
                    .iter()
                    .try_for_each(|text| encoder.check_value(index, text.reveal().as_bytes()))?;
            }
        }
        Ok(Self {
            encoder,
            accepted_status: request.expect.status.clone(),
        })
    }
}

fn parts(template: &Template) -> Vec<Part<'_>> {
    template
        .reveal()
        .map(|piece| match piece {
            Piece::Literal(bytes) => Part::Literal(bytes),
            Piece::Variable(index) => Part::Variable(index),
        })
        .collect()
}
