//! `plimsoll explain`: what a kind of cause is, how it is found, and what to do about it. The pages are part of the program, so
//! that they are there without the project and without a network.

use crate::CommandResult;
use crate::args::ExplainArgs;
use crate::exit::Exit;
use crate::output::{Said, say};
use plimsoll_findings::CauseKind;
use std::fmt::Write as _;

/// The page of one kind, or a list of all.
pub(crate) fn explain(args: &ExplainArgs) -> CommandResult {
    let text = args.kind.map_or_else(list, |kind| readable(page(kind)));
    say(Said::Text(&text))?;
    Ok(Exit::Pass)
}

fn list() -> String {
    let width = CauseKind::ALL
        .iter()
        .map(|kind| kind.as_str().len())
        .max()
        .unwrap_or_default();
    CauseKind::ALL.iter().fold(String::new(), |mut text, &kind| {
        let title = page(kind).lines().next().unwrap_or_default().trim_start_matches("# ");
        let _ = writeln!(text, "{:width$}  {title}", kind.as_str());
        text
    })
}

/// Without what links lead to: pages that are not here.
fn readable(page: &str) -> String {
    let mut text = String::with_capacity(page.len());
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("](") {
        let Some((label, (_, behind))) = before.rsplit_once('[').zip(after.split_once(')')) else {
            break;
        };
        text.push_str(label.0);
        text.push_str(label.1);
        rest = behind;
    }
    text.push_str(rest);
    text
}

const fn page(kind: CauseKind) -> &'static str {
    match kind {
        CauseKind::BlockingWrite => include_str!("../../../../docs/findings/blocking-write.md"),
        CauseKind::SyncFileRead => include_str!("../../../../docs/findings/sync-file-read.md"),
        CauseKind::Json => include_str!("../../../../docs/findings/json.md"),
        CauseKind::SyncCrypto => include_str!("../../../../docs/findings/sync-crypto.md"),
        CauseKind::SyncZlib => include_str!("../../../../docs/findings/sync-zlib.md"),
        CauseKind::BroadcastPerSocket => include_str!("../../../../docs/findings/broadcast-per-socket.md"),
        CauseKind::ListenerGrowth => include_str!("../../../../docs/findings/listener-growth.md"),
        CauseKind::RoomGrowth => include_str!("../../../../docs/findings/room-growth.md"),
        CauseKind::Regex => include_str!("../../../../docs/findings/regex.md"),
        CauseKind::Gc => include_str!("../../../../docs/findings/gc.md"),
        CauseKind::HeapGrowth => include_str!("../../../../docs/findings/heap-growth.md"),
        CauseKind::EventLoopStall => include_str!("../../../../docs/findings/event-loop-stall.md"),
        CauseKind::ThreadpoolSaturation => include_str!("../../../../docs/findings/threadpool-saturation.md"),
        CauseKind::ThreadpoolWork => include_str!("../../../../docs/findings/threadpool-work.md"),
        CauseKind::MessageCompression => include_str!("../../../../docs/findings/message-compression.md"),
        CauseKind::ConnectionPool => include_str!("../../../../docs/findings/connection-pool.md"),
        CauseKind::SerialAwaits => include_str!("../../../../docs/findings/serial-awaits.md"),
        CauseKind::RepeatedUpstream => include_str!("../../../../docs/findings/repeated-upstream.md"),
        CauseKind::UpstreamNoKeepalive => include_str!("../../../../docs/findings/upstream-no-keepalive.md"),
        CauseKind::ModuleOrTemplatePerRequest => {
            include_str!("../../../../docs/findings/module-or-template-per-request.md")
        }
        CauseKind::ConstructedPerRequest => include_str!("../../../../docs/findings/constructed-per-request.md"),
        CauseKind::ErrorStack => include_str!("../../../../docs/findings/error-stack.md"),
        CauseKind::ProcessPerRequest => include_str!("../../../../docs/findings/process-per-request.md"),
        CauseKind::NoCompression => include_str!("../../../../docs/findings/no-compression.md"),
        CauseKind::NoKeepalive => include_str!("../../../../docs/findings/no-keepalive.md"),
        CauseKind::FullHandshakes => include_str!("../../../../docs/findings/full-handshakes.md"),
        CauseKind::NoEtag => include_str!("../../../../docs/findings/no-etag.md"),
        CauseKind::PackageHot => include_str!("../../../../docs/findings/package-hot.md"),
        CauseKind::HotFunction => include_str!("../../../../docs/findings/hot-function.md"),
        CauseKind::NodeHot => include_str!("../../../../docs/findings/node-hot.md"),
        CauseKind::OneCoreBusy => include_str!("../../../../docs/findings/one-core-busy.md"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_page_names_its_kind_and_no_other_page() {
        for kind in CauseKind::ALL {
            let text = readable(page(kind));
            assert!(
                text.starts_with("# ") && text.contains(&format!("`{}`", kind.as_str())),
                "{text}"
            );
            assert!(!text.contains("]("), "{text}");
        }
        assert_eq!(list().lines().count(), CauseKind::ALL.len());
    }

    #[test]
    fn links_leave_what_they_are_called() {
        assert_eq!(readable("a [b](c.md), [d `e`](f#g).\n"), "a b, d `e`.\n");
        assert_eq!(readable("a [b] (c) ](d"), "a [b] (c) ](d");
    }
}
