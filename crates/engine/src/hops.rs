//! Where requests are that were redirected, until they have their outcomes.

use crate::connection::{HopId, InFlight};
use crate::redirects::Hop;
use std::ops::Index;

/// The last hop of each request that is on its way where a redirect led it. Few requests have one, so that others do not pay.
#[derive(Debug, Default)]
pub(crate) struct Hops {
    places: Vec<Hop>,
    free: Vec<HopId>,
}

impl Hops {
    /// The hop of a request, if it has one.
    pub(crate) fn of(&self, request: &InFlight) -> Option<&Hop> {
        request.hop.map(|id| &self[id])
    }

    /// A request goes on at this hop.
    pub(crate) fn go_on(&mut self, request: &InFlight, hop: Hop) -> HopId {
        let place = request.hop.or_else(|| self.free.pop());
        if let Some(id) = place {
            self.places[id.index()] = hop;
            return id;
        }
        self.places.push(hop);
        HopId::of(self.places.len() - 1)
    }

    /// A request has its outcome: the request as if all of its hops had been one.
    pub(crate) fn end(&mut self, request: &InFlight) -> InFlight {
        let Some(id) = request.hop else { return *request };
        self.free.push(id);
        InFlight {
            sent_ns: self[id].first_sent_ns,
            hop: None,
            ..*request
        }
    }
}

impl Index<HopId> for Hops {
    type Output = Hop;

    fn index(&self, id: HopId) -> &Hop {
        &self.places[id.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_used_again_when_requests_have_ended() {
        let mut hops = Hops::default();
        let hop = |count, first_sent_ns| Hop {
            target: b"/".to_vec(),
            as_get: true,
            count,
            first_sent_ns,
        };
        let at = |hop| InFlight {
            sent_ns: 9,
            hop,
            ..InFlight::default()
        };
        let first = hops.go_on(&at(None), hop(1, 3));
        let second = hops.go_on(&at(None), hop(1, 4));
        assert_ne!(first, second);
        assert_eq!(hops.go_on(&at(Some(first)), hop(2, 3)), first);
        assert_eq!(hops.of(&at(Some(first))).map(|hop| hop.count), Some(2));
        let ended = hops.end(&at(Some(first)));
        assert_eq!((ended.sent_ns, ended.hop), (3, None));
        assert_eq!(hops.go_on(&at(None), hop(1, 5)), first);
        assert_eq!(hops.end(&at(None)).sent_ns, 9);
        assert_eq!(hops.places.len(), 2);
    }
}
