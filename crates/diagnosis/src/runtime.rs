//! What Node.js itself does, and for whom.

use crate::Case;
use crate::asked::most;
use crate::calls::is_own;
use crate::charges::{Charge, Whom};
use crate::framework::frameworks;
use crate::layers;
use plimsoll_findings::{
    Activity, ActivityTime, Charged, ChargedActivity, Place, Registered, RuntimeCharge, RuntimeTime,
};
use plimsoll_measure::{LayerKind, package_of};
use std::collections::{BTreeMap, HashMap};

/// Charges below this share are left out.
const CHARGE_MIN: f64 = 0.001;

/// What Node.js does, and to whom all time is charged; `None` without a profile.
pub(crate) fn runtime_time(case: &Case<'_>) -> Option<RuntimeTime> {
    let profile = case.profile.filter(|_| case.busy_us > 0.0)?;
    let frameworks = frameworks(profile);
    let mut charged = Charged {
        application_share: 0.0,
        package_share: 0.0,
        framework_share: 0.0,
        listening_share: 0.0,
        rest_share: 0.0,
        estimated_share: 0.0,
    };
    let mut activities: BTreeMap<Activity, ActivityTime> = BTreeMap::new();
    let mut sums: HashMap<Whom<'_>, Sum> = HashMap::new();
    for charge in &case.charges {
        let share = charge.us / case.busy_us;
        let party = party(case, charge.whom);
        match &party {
            None => charged.rest_share += share,
            Some(Party { package: None, .. }) => charged.application_share += share,
            Some(Party { package: Some(name) }) => {
                charged.package_share += share;
                if frameworks.contains(&name.as_str()) {
                    charged.framework_share += share;
                }
            }
        }
        if charge.is_estimated && party.is_some() {
            charged.estimated_share += share;
        }
        if party.is_some() && is_server(case, charge.whom) {
            charged.listening_share += share;
        }
        let Some(activity) = charge.activity else { continue };
        let time = activities.entry(activity).or_insert(ActivityTime {
            activity,
            share: 0.0,
            uncharged_share: 0.0,
        });
        time.share += share;
        match party {
            None => time.uncharged_share += share,
            Some(party) => sums
                .entry(charge.whom)
                .or_insert_with(|| Sum::of(party))
                .add(charge, activity, share),
        }
    }
    let mut activities: Vec<ActivityTime> = activities.into_values().collect();
    activities.sort_by(|a, b| b.share.total_cmp(&a.share));
    let mut charges: Vec<RuntimeCharge> = sums
        .into_iter()
        .map(|(whom, sum)| sum.charge(case, whom))
        .filter(|charge| charge.share >= CHARGE_MIN)
        .collect();
    let place = |charge: &RuntimeCharge| (charge.place.file.clone(), charge.place.line, charge.place.column);
    charges.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| place(a).cmp(&place(b))));
    Some(RuntimeTime {
        share: activities.iter().map(|time| time.share).sum(),
        activities,
        charges,
        charged,
    })
}

/// Who has a line.
struct Party {
    /// The package that the line is in; `None` for the service's own code.
    package: Option<String>,
}

/// `None` where there is no line: nobody, and what is registered on a line that is not known.
fn party(case: &Case<'_>, whom: Whom<'_>) -> Option<Party> {
    match whom {
        Whom::Nobody => None,
        Whom::Function(frame) if is_own(frame) => Some(Party { package: None }),
        Whom::Function(frame) => Some(Party {
            package: package_of(&frame.file).map(str::to_owned),
        }),
        Whom::Layer(index) => {
            let layer = &case.profile?.layers.known[index];
            (!layer.place.file.is_empty()).then(|| Party {
                package: layer.package.clone(),
            })
        }
    }
}

fn is_server(case: &Case<'_>, whom: Whom<'_>) -> bool {
    let Whom::Layer(index) = whom else { return false };
    case.profile
        .is_some_and(|profile| profile.layers.known[index].kind == LayerKind::Server)
}

/// What one function or layer is charged with.
struct Sum {
    package: Option<String>,
    share: f64,
    activities: BTreeMap<Activity, f64>,
    /// By line; `None` where the profile and the text do not say which.
    lines: BTreeMap<Option<u32>, f64>,
}

impl Sum {
    fn of(party: Party) -> Self {
        Self {
            package: party.package,
            share: 0.0,
            activities: BTreeMap::new(),
            lines: BTreeMap::new(),
        }
    }

    fn add(&mut self, charge: &Charge<'_>, activity: Activity, share: f64) {
        self.share += share;
        *self.activities.entry(activity).or_default() += share;
        *self.lines.entry(charge.line).or_default() += share;
    }

    fn charge(self, case: &Case<'_>, whom: Whom<'_>) -> RuntimeCharge {
        let line = most(&self.lines).flatten();
        let layer = match whom {
            Whom::Layer(index) => case.profile.map(|profile| &profile.layers.known[index]),
            Whom::Function(_) | Whom::Nobody => None,
        };
        let place = match whom {
            Whom::Function(frame) => case.places.of_frame(frame, line),
            Whom::Layer(_) | Whom::Nobody => layer
                .and_then(|layer| layers::place(case, &layer.place))
                .unwrap_or_else(Place::default),
        };
        let mut activities: Vec<ChargedActivity> = self
            .activities
            .into_iter()
            .map(|(activity, share)| ChargedActivity { activity, share })
            .collect();
        activities.sort_by(|a, b| b.share.total_cmp(&a.share));
        RuntimeCharge {
            place,
            package: self.package,
            registers: layer.map(|layer| Registered {
                role: layers::role(layer.kind),
                name: layer.name.clone(),
            }),
            share: self.share,
            activities,
        }
    }
}
