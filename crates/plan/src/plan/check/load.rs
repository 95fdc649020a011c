//! The rules about a load.

use super::{Checked, MOST_CONNECTIONS, above_zero, check_rate, rule};
use crate::notation::mismatch::quoted;
use crate::notation::units::{Rate, duration_text};
use crate::plan::hold::HoldLoad;
use crate::plan::load::{ClosedLoad, OpenLoad};
use crate::plan::url::Url;
use std::time::Duration;

/// The longest load, a leap year.
const LONGEST: Duration = Duration::from_secs(366 * 86_400);
/// The kernel takes no longer pause between two probes of a connection.
const LONGEST_PING: Duration = Duration::from_secs(32_767);

pub(super) fn check_open(open: &OpenLoad) -> Checked {
    rule(!open.segments.is_empty(), "load.stages", "no stage", "at least one")?;
    // In units of half a femto-arrival: twice the area under the rate.
    let mut area: u128 = 0;
    for (index, segment) in open.segments.iter().enumerate() {
        let key = format!("load.segments[{index}]");
        above_zero(&format!("{key}.duration"), segment.duration)?;
        rule(
            segment.duration <= LONGEST,
            format!("{key}.duration"),
            duration_text(segment.duration),
            "at most 366d",
        )?;
        for rate in [segment.from, segment.to] {
            check_rate(&format!("{key}.to"), rate)?;
        }
        area += u128::from(segment.from.micro_per_s() + segment.to.micro_per_s()) * segment.duration.as_nanos();
    }
    if let [segment] = open.segments.as_slice() {
        rule(
            segment.from.max(segment.to) > Rate::ZERO,
            "load.segments[0].to",
            "0/s",
            "a rate above zero",
        )?;
    }
    rule(
        open.duration() <= LONGEST,
        "load",
        duration_text(open.duration()),
        "a load of at most 366d",
    )?;
    rule(
        area >= 2_000_000_000_000_000,
        "load",
        "a load without a single arrival",
        "a higher rate or a longer duration",
    )
}

pub(super) fn check_closed(closed: &ClosedLoad) -> Checked {
    if !closed.stages.is_empty() {
        check_stages(closed)?;
    }
    let connections = closed.connections;
    let valid = (1..=MOST_CONNECTIONS).contains(&connections);
    rule(
        valid,
        "load.connections",
        quoted(&connections.to_string()),
        format!("1 to {MOST_CONNECTIONS} connections"),
    )?;
    let ends = closed.duration.is_some() || closed.requests.is_some();
    rule(ends, "load", "a load that never ends", "`duration`, `requests` or both")?;
    if let Some(duration) = closed.duration {
        above_zero("load.duration", duration)?;
        rule(
            duration <= LONGEST,
            "load.duration",
            duration_text(duration),
            "at most 366d",
        )?;
    }
    if let Some(duration) = closed.duration.filter(|_| !closed.ramp.is_zero()) {
        rule(
            closed.ramp < duration,
            "load.ramp",
            duration_text(closed.ramp),
            format!("less than the {} of the load", duration_text(duration)),
        )?;
    }
    rule(
        closed.ramp <= LONGEST,
        "load.ramp",
        duration_text(closed.ramp),
        "at most 366d",
    )?;
    rule(
        closed.requests != Some(0),
        "load.requests",
        "`0`",
        "at least one request",
    )
}

fn check_stages(closed: &ClosedLoad) -> Checked {
    for (index, stage) in closed.stages.iter().enumerate() {
        let key = format!("load.segments[{index}]");
        above_zero(&format!("{key}.duration"), stage.duration)?;
        rule(
            stage.duration <= LONGEST,
            format!("{key}.duration"),
            duration_text(stage.duration),
            "at most 366d",
        )?;
        let most = stage.from.max(stage.to);
        rule(
            most <= MOST_CONNECTIONS,
            format!("{key}.to"),
            quoted(&most.to_string()),
            format!("at most {MOST_CONNECTIONS} users"),
        )?;
    }
    let whole = ClosedLoad::in_stages(closed.stages.clone());
    rule(
        whole.connections > 0,
        "load",
        "stages without a user",
        "a user in one of them",
    )?;
    rule(
        closed.connections == whole.connections,
        "load",
        format!("{} connections beside stages", closed.connections),
        format!("{}, as the stages say", whole.connections),
    )?;
    rule(
        closed.duration == whole.duration && closed.ramp.is_zero(),
        "load",
        "a duration or a ramp beside stages",
        "stages, which have both",
    )
}

pub(super) fn check_hold(hold: &HoldLoad, url: &Url) -> Checked {
    let connections = hold.connections;
    rule(
        (1..=MOST_CONNECTIONS).contains(&connections),
        "load.connections",
        quoted(&connections.to_string()),
        format!("1 to {MOST_CONNECTIONS} connections"),
    )?;
    check_rate("load.pace", hold.pace)?;
    rule(hold.pace > Rate::ZERO, "load.pace", "0/s", "a rate above zero")?;
    above_zero("load.duration", hold.duration)?;
    let whole = hold.opening().saturating_add(hold.duration);
    rule(whole <= LONGEST, "load", duration_text(whole), "a load of at most 366d")?;
    if let Some(ping) = hold.ping {
        let whole_seconds = ping.subsec_nanos() == 0 && ping <= LONGEST_PING && !ping.is_zero();
        let expected = format!("whole seconds, at most {}", duration_text(LONGEST_PING));
        rule(whole_seconds, "load.ping", duration_text(ping), expected)?;
    }
    rule(
        hold.ports.is_empty() || url.port().is_some(),
        "load.ports",
        "ports of a service at a unix socket",
        "none, as it has none",
    )?;
    rule(
        !hold.ports.contains(&0),
        "load.ports",
        "port 0",
        "ports from 1 to 65535",
    )
}
