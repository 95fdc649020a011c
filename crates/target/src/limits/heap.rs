//! Whether a heap may grow beyond the memory limit: then the kernel ends the service before V8 collects.

use plimsoll_plan::{ByteSize, Command, Secret};

/// What is not in the old space of V8 needs room as well: new objects, buffers, code and stacks.
const HEAP_SHARE_MAX: f64 = 0.8;

/// As Node.js reads it; V8 takes underscores for hyphens.
const FLAG: &str = "--max-old-space-size";

/// The command gives V8 a heap that its memory limit has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeapMisfit {
    /// What `--max-old-space-size` says.
    pub heap: ByteSize,
    /// The limit of the plan.
    pub limit: ByteSize,
}

/// Looks at the command and at `NODE_OPTIONS`: those of the plan, or else `inherited` ones.
#[must_use]
pub fn heap_misfit(command: &Command, inherited: Option<&str>) -> Option<HeapMisfit> {
    let limit = command.limits.memory?;
    let options = command.env.iter().find(|(name, _)| name == "NODE_OPTIONS");
    let options = options
        .map(|(_, value)| value.reveal())
        .or(inherited)
        .unwrap_or_default();
    // What is on the command line comes last and wins.
    let words = options
        .split_ascii_whitespace()
        .chain(command.argv.iter().map(Secret::reveal));
    let heap = ByteSize::new(old_space_bytes(words)?);
    (heap.bytes() as f64 > limit.bytes() as f64 * HEAP_SHARE_MAX).then_some(HeapMisfit { heap, limit })
}

/// The last of the flags, in bytes.
fn old_space_bytes<'a>(words: impl Iterator<Item = &'a str>) -> Option<u64> {
    let flags = words.filter_map(|word| {
        let (name, mebibytes) = word.split_once('=')?;
        (name.replace('_', "-") == FLAG).then(|| mebibytes.parse::<u64>().ok())?
    });
    flags.last()?.checked_mul(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap_mib(argv: &[&str], options: Option<&str>, inherited: Option<&str>) -> Option<u64> {
        let mut command = Command::new(argv.iter().copied());
        if let Some(options) = options {
            command.set_env("NODE_OPTIONS", options);
        }
        command.limits.memory = Some(ByteSize::new(512 << 20));
        heap_misfit(&command, inherited).map(|misfit| misfit.heap.bytes() >> 20)
    }

    #[test]
    fn heap_beyond_the_limit_is_found_where_it_is_set() {
        assert_eq!(
            heap_mib(&["node", "--max-old-space-size=512", "a.js"], None, None),
            Some(512)
        );
        assert_eq!(
            heap_mib(&["node", "--max_old_space_size=900", "a.js"], None, None),
            Some(900)
        );
        assert_eq!(
            heap_mib(&["node", "a.js"], Some("--inspect --max-old-space-size=450"), None),
            Some(450)
        );
        assert_eq!(
            heap_mib(&["node", "a.js"], None, Some("--max-old-space-size=450")),
            Some(450)
        );
        // Those of the plan take the place of inherited ones, and the command line comes last.
        assert_eq!(
            heap_mib(&["node", "a.js"], Some("--inspect"), Some("--max-old-space-size=450")),
            None
        );
        assert_eq!(
            heap_mib(
                &["node", "--max-old-space-size=300"],
                Some("--max-old-space-size=900"),
                None
            ),
            None
        );
    }

    #[test]
    fn heap_that_fits_or_is_not_set_is_silent() {
        for word in [
            "--max-old-space-size=400",
            "--max-old-space-size=x",
            "--max-old-space-size",
            "a.js",
        ] {
            assert_eq!(heap_mib(&["node", word], None, None), None, "{word}");
        }
        let mut command = Command::new(["node", "--max-old-space-size=9999"]);
        command.limits.memory = None;
        assert_eq!(heap_misfit(&command, None), None);
    }
}
