//! Words for the figures that a cause rests on.

use super::asked::of_messages;
use super::diagnosis::function_names;
use crate::figures::{bytes, duration_ms, duration_us, number, share};
use plimsoll_findings::{Cause, Evidence, Garbage, PackageShare};

/// The figures that a cause rests on.
pub(crate) fn evidence(cause: &Cause) -> String {
    of_messages(cause.by_message, evidence_per_request(&cause.evidence))
}

fn evidence_per_request(evidence: &Evidence) -> String {
    match *evidence {
        Evidence::Calls {
            per_request,
            us_per_call,
            mean_bytes,
            repeated_share,
        } => {
            let often = number(per_request);
            let calls = if often == "1" { "call" } else { "calls" };
            let mut text = format!("{often} {calls} per request, {} each", duration_us(us_per_call));
            if mean_bytes >= 1.0 {
                text.push_str(&format!(", {} on average", bytes(mean_bytes as u64)));
            }
            if let Some(repeated) = repeated_share {
                text.push_str(&format!(", {} of them of a text that came before", share(repeated)));
            }
            text
        }
        Evidence::Profile { share: busy } => in_profile(busy),
        Evidence::Packages {
            share: busy,
            ref packages,
        } => {
            let of_each = |package: &PackageShare| format!("{} {}", package.name, share(package.share));
            let each: Vec<String> = packages.iter().map(of_each).collect();
            format!("{}, of which code of {}", in_profile(busy), each.join(", "))
        }
        Evidence::Collections {
            per_1000_requests,
            share: of_cpu,
            garbage,
        } => {
            let collections = match per_1000_requests {
                Some(often) => format!(
                    "{} collections per 1,000 requests, together {} of the CPU per request",
                    number(often),
                    share(of_cpu)
                ),
                None => in_profile(of_cpu),
            };
            collections + &garbage.map_or(String::new(), garbage_of_function)
        }
        Evidence::Stall {
            longest_delay_ms,
            longest_run_ms,
            ref calls,
        } => {
            let calls = calls.as_ref().map(|calls| {
                let each = duration_us(calls.us_per_call);
                let names = function_names(&calls.functions);
                format!(
                    "; {} calls of {names} per request, {each} each",
                    number(calls.per_request)
                )
            });
            format!(
                "the loop came up to {} late, and this ran for {} at a stretch{}",
                duration_ms(longest_delay_ms),
                duration_ms(longest_run_ms),
                calls.unwrap_or_default()
            )
        }
        Evidence::Pool {
            per_request,
            threads,
            wait_ms,
            cpu_share,
        } => format!(
            "{} tasks per request for {threads} threads, where even a trivial one waited {}; {} of the CPU of the process is \
             not that of its main thread",
            number(per_request),
            duration_ms(wait_ms),
            share(cpu_share)
        ),
        Evidence::Connections {
            ref name,
            size,
            per_request,
            wait_ms,
            request_ms,
        } => {
            let size = size.map(|size| format!(", which has {size},"));
            format!(
                "{} connections per request are asked for by {name}{} and a request waits {} of its {} for them",
                number(per_request),
                size.unwrap_or_default(),
                duration_ms(wait_ms),
                duration_ms(request_ms)
            )
        }
        Evidence::Repeated {
            within_request,
            again_per_request,
            per_request,
            saved_ms,
            request_ms,
        } => {
            let before = match within_request {
                true => "for what it asked before",
                false => "for what other requests, which differ from it, asked less than a second before",
            };
            format!(
                "of the {} per request, {} asked {before}: without these it would take {} less of its {}",
                calls(per_request),
                number(again_per_request),
                duration_ms(saved_ms),
                duration_ms(request_ms)
            )
        }
        Evidence::Series {
            per_request,
            saved_ms,
            request_ms,
        } => format!(
            "{} per request began when another one had ended: all at once they would take {} less of its {}, if none needs the \
             response of another",
            calls(per_request),
            duration_ms(saved_ms),
            duration_ms(request_ms)
        ),
        Evidence::Serial {
            per_request,
            waited_ms,
            request_ms,
        } => format!(
            "{} calls per request take {} together, and the request {}: there is hardly a moment with two under way",
            number(per_request),
            duration_ms(waited_ms),
            duration_ms(request_ms)
        ),
        Evidence::UpstreamConnections { per_call, saved_ms } => {
            let waits = saved_ms.map(|ms| format!("; a request waits {} for them", duration_ms(ms)));
            format!(
                "{} connections opened for 100 calls to other services{}",
                number(per_call * 100.0),
                waits.unwrap_or_default()
            )
        }
        Evidence::ClientConnections { per_request } => {
            format!("{} connections opened for 100 requests", number(per_request * 100.0))
        }
        Evidence::Handshakes {
            per_request,
            full_share,
        } => format!(
            "{} TLS handshakes for 100 requests, {} of them full",
            number(per_request * 100.0),
            share(full_share)
        ),
        Evidence::Uncompressed { mean_bytes } => format!(
            "text of {} on average, to clients that accept compression",
            bytes(mean_bytes as u64)
        ),
        Evidence::Conditional {
            share: asked,
            mean_bytes,
        } => format!(
            "{} of the requests ask on a condition, and each gets the response of {}",
            share(asked),
            bytes(mean_bytes as u64)
        ),
        Evidence::Growth {
            bytes: grown,
            bytes_per_request,
            limit_bytes,
            over_s,
        } => {
            let over = duration_ms(over_s * 1e3);
            format!(
                "after collections the heap still grew by {} in {over}, {} per request; entries that expire after more than {over} look the \
                 same; its limit is {}",
                bytes(grown as u64),
                bytes(bytes_per_request as u64),
                bytes(limit_bytes)
            )
        }
        Evidence::Broadcast {
            sent_per_message,
            made_per_message,
            us_per_call,
            mean_bytes,
        } => format!(
            "{} messages are sent for each that comes, and {} texts of {} made for them, {} each, most of them the same again",
            number(sent_per_message),
            number(made_per_message),
            bytes(mean_bytes as u64),
            duration_us(us_per_call)
        ),
        Evidence::Kept {
            added_per_request,
            by,
            to,
        } => format!(
            "{} added per request, and they stay: {} more in half of the pass, {} at its end",
            number(added_per_request),
            number(by),
            number(to)
        ),
        Evidence::OneProcess { cores } => format!("one process serves, and the service may use {cores} cores"),
    }
}

fn calls(count: f64) -> String {
    match (0.9995..1.0005).contains(&count) {
        true => "one call".to_owned(),
        false => format!("{} calls", number(count)),
    }
}

fn in_profile(busy: f64) -> String {
    format!("{} of the busy time in the CPU profile", share(busy))
}

fn garbage_of_function(garbage: Garbage) -> String {
    let itself = match garbage.making_share {
        making if making > 0.0 => format!(" and takes {} of the busy time itself", share(making)),
        _ => String::new(),
    };
    format!(
        "; this function asks for {} of the memory{itself}",
        share(garbage.memory_share)
    )
}
