//! Words for what was held, and for the messages of held clients.

use crate::figures;
use plimsoll_findings::{HoldFinding, MessageFinding};

/// What was held.
pub(crate) fn what_was_held(hold: &HoldFinding) -> &'static str {
    match hold.connections_max {
        None => "Connections",
        Some(_) => "Streams",
    }
}

/// Held connections: what is said of them, with a word for each.
pub(crate) fn hold(hold: &HoldFinding) -> Vec<(&'static str, String)> {
    let count = figures::count;
    let mut facts = vec![
        (
            "held",
            format!(
                "{} of {} at the end, {} at most, {} lost",
                count(hold.live),
                count(hold.wanted),
                count(hold.live_max),
                count(hold.lost)
            ),
        ),
        (
            "opened",
            format!(
                "{} within {}, then held for {}",
                count(hold.opened),
                figures::known(hold.opening_s, figures::length_s),
                figures::known(hold.held_s, figures::length_s)
            ),
        ),
        ("responses", count(hold.delivered)),
    ];
    if let Some(connections) = hold.connections_max {
        facts.insert(
            2,
            (
                "connections",
                format!("{} at most, for all streams", count(connections)),
            ),
        );
    }
    let delivery = &hold.delivery_time;
    if delivery.count > 0 {
        let [p50, p99, max] =
            [delivery.p50_ms, delivery.p99_ms, delivery.max_ms].map(|ms| figures::known(ms, figures::duration_ms));
        let text = format!(
            "p50 {p50}, p99 {p99}, longest {max} ({} sampled)",
            count(delivery.count)
        );
        facts.push(("delivery", text));
    }
    let each = [
        ("generator", hold.generator_bytes_per_connection),
        ("service", hold.service_bytes_per_connection),
        ("kernel", hold.kernel_bytes_per_connection),
    ];
    let known: Vec<_> = each
        .into_iter()
        .filter_map(|(whose, bytes)| Some(format!("{whose} {} B", figures::number(bytes?))))
        .collect();
    if !known.is_empty() {
        facts.push(("each costs", known.join(", ")));
    }
    facts.extend(hold.messages.iter().flat_map(messages));
    facts
}

/// Messages: what is said of them, with a word for each.
fn messages(messages: &MessageFinding) -> Vec<(&'static str, String)> {
    let count = figures::count;
    let missing = match messages.lost {
        Some(lost) => format!("{} lost", count(lost)),
        None => format!(
            "{} under way when the run was cut short",
            count(messages.sent.saturating_sub(messages.delivered))
        ),
    };
    let mut facts = vec![(
        "messages",
        format!(
            "{} sent, {} delivered, {missing}, {} doubled",
            count(messages.sent),
            count(messages.delivered),
            count(messages.doubled)
        ),
    )];
    if let Some(broadcast) = &messages.broadcast {
        let awaited = match (broadcast.receivers, broadcast.missing) {
            (None, _) => String::new(),
            (Some(each), None) => format!(", each message for {}", count(each)),
            (Some(each), Some(missing)) => format!(", each message for {}: {} missing", count(each), count(missing)),
        };
        facts.push(("arrivals", format!("{}{awaited}", count(broadcast.arrivals))));
    }
    let time = &messages.time;
    if time.count > 0 {
        let [p50, p99, p999, max] =
            [time.p50_ms, time.p99_ms, time.p999_ms, time.max_ms].map(|ms| figures::known(ms, figures::duration_ms));
        let text = format!("p50 {p50}, p99 {p99}, p99.9 {p999}, longest {max}");
        facts.push(("message time", text));
    }
    if messages.compared > 0 {
        let text = format!(
            "{} of {} that could be compared were out of order",
            count(messages.out_of_order),
            count(messages.compared)
        );
        facts.push(("order", text));
    }
    facts
}
