//! What the service may use of the machine, as in a container.

use crate::notation::mismatch::Mismatch;
use crate::notation::units::fixed_point;
use crate::notation::{Decimal, Notation};
use schemars::{Schema, json_schema};
use std::fmt;

/// What the service, with everything it starts, may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// CPU time; `None` is as much as its cores have.
    pub cpu: Option<CpuLimit>,
    /// Memory, swap included.
    pub memory: Option<ByteSize>,
    /// Processes and threads.
    pub pids: Option<u32>,
}

impl Limits {
    /// Whether nothing is limited.
    #[must_use]
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// CPU time in cores: how much of it there is in a time as long. Written `0.5`, or `500m` as in Kubernetes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CpuLimit {
    millicores: u32,
}

impl CpuLimit {
    /// The least time that a quota can be: 1 ms of 100 ms.
    pub const MIN: Self = Self { millicores: 10 };
    /// As many cores as a plan can name.
    pub const MAX: Self = Self { millicores: 4_096_000 };

    /// Thousandths of a core.
    #[must_use]
    pub const fn millicores(self) -> u32 {
        self.millicores
    }

    /// Cores.
    #[must_use]
    pub fn cores(self) -> f64 {
        f64::from(self.millicores) / 1e3
    }
}

impl fmt::Display for CpuLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fixed_point(self.millicores.into(), 3))
    }
}

/// Reads a limit of CPU time such as `0.5`, `2` or `500m`.
///
/// # Errors
/// When `text` is no whole number of thousandths of a core from 0.01 to 4096 cores.
pub fn parse_cpu_limit(text: &str) -> Result<CpuLimit, Mismatch> {
    CpuLimit::read(text)
}

impl Notation for CpuLimit {
    const EXPECTED: &'static str = "cores from 0.01 to 4096, such as 0.5 or 500m";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || Self::mismatch(text);
        let (number, unit) = Decimal::split_from(text.trim()).ok_or_else(mismatch)?;
        let factor = match unit.trim() {
            "" => 1_000,
            "m" => 1,
            _ => return Err(mismatch()),
        };
        let millicores = number.times_exactly(factor).and_then(|exact| exact.try_into().ok());
        millicores
            .map(|millicores| Self { millicores })
            .filter(|limit| (Self::MIN..=Self::MAX).contains(limit))
            .ok_or_else(mismatch)
    }

    fn schema() -> Schema {
        json_schema!({
            "type": ["string", "number"],
            "pattern": r"^([0-9]+(\.[0-9]+)?|\.[0-9]+)m?$",
            "minimum": 0.01,
            "maximum": 4096,
        })
    }
}

/// An amount of memory. Written `512MiB`, `2GiB` or `512Mi`; `MB` and `GB` are powers of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ByteSize {
    bytes: u64,
}

/// The first that leaves a whole number is the one in which a size is written.
const SIZES: [(&str, u128); 11] = [
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1_000),
    ("B", 1),
    ("Gi", 1 << 30),
    ("Mi", 1 << 20),
    ("Ki", 1 << 10),
];

impl ByteSize {
    /// So many bytes.
    #[must_use]
    pub const fn new(bytes: u64) -> Self {
        Self { bytes }
    }

    /// Bytes.
    #[must_use]
    pub const fn bytes(self) -> u64 {
        self.bytes
    }
}

impl fmt::Display for ByteSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = u128::from(self.bytes);
        let whole = |&&(_, unit): &&(&str, u128)| bytes > 0 && bytes.is_multiple_of(unit);
        let (name, unit) = SIZES.iter().find(whole).unwrap_or(&("B", 1));
        write!(f, "{}{name}", bytes / unit)
    }
}

/// Reads an amount of memory such as `512MiB` or `2GiB`.
///
/// # Errors
/// When `text` is no whole number of bytes with a unit.
pub fn parse_byte_size(text: &str) -> Result<ByteSize, Mismatch> {
    ByteSize::read(text)
}

impl Notation for ByteSize {
    const EXPECTED: &'static str = "an amount of memory such as 512MiB or 2GiB";

    fn read(text: &str) -> Result<Self, Mismatch> {
        let mismatch = || Self::mismatch(text);
        let text = text.trim();
        let (number, rest) = Decimal::split_from(text).ok_or_else(mismatch)?;
        let unit = rest.trim();
        let Some((_, factor)) = SIZES.iter().find(|(name, _)| *name == unit) else {
            // Docker's `512m` are MiB, and in Kubernetes they are thousandths of a byte.
            let instead = match unit.chars().next() {
                None | Some('m' | 'M') => "MiB",
                Some('k' | 'K') => "KiB",
                Some('g' | 'G') => "GiB",
                Some(_) => return Err(mismatch()),
            };
            let number = text.strip_suffix(rest).unwrap_or(text);
            return Err(Self::suggest(text, &format!("{number}{instead}")));
        };
        let bytes = number
            .times_exactly(*factor)
            .and_then(|exact| u64::try_from(exact).ok());
        bytes.map(Self::new).ok_or_else(mismatch)
    }

    fn schema() -> Schema {
        json_schema!({ "type": "string", "pattern": r"^([0-9]+(\.[0-9]+)?|\.[0-9]+) ?([KMGT]iB|[KMG]i|[kMG]?B)$" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cpu_is_read_in_cores_and_thousandths() {
        for (text, millicores, printed) in [
            ("0.5", 500, "0.5"),
            ("500m", 500, "0.5"),
            ("2", 2_000, "2"),
            (".25", 250, "0.25"),
            (" 1.125 ", 1_125, "1.125"),
            ("10m", 10, "0.01"),
        ] {
            let limit = parse_cpu_limit(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(
                (limit.millicores(), &*limit.to_string()),
                (millicores, printed),
                "{text}"
            );
        }
        for text in ["0", "9m", "0.0005", "0.5 cores", "50%", "-1", "4097", "", "m"] {
            let error = parse_cpu_limit(text).expect_err(text);
            assert!(error.to_string().contains("cores from 0.01 to 4096"), "{text}: {error}");
        }
    }

    #[test]
    fn memory_is_read_with_its_unit() {
        for (text, bytes, printed) in [
            ("512MiB", 512 << 20, "512MiB"),
            ("512Mi", 512 << 20, "512MiB"),
            ("1.5 GiB", 3 << 29, "1536MiB"),
            ("2048MiB", 2 << 30, "2GiB"),
            ("100MB", 100_000_000, "100MB"),
            ("4096B", 4096, "4KiB"),
        ] {
            let size = parse_byte_size(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((size.bytes(), &*size.to_string()), (bytes, printed), "{text}");
        }
    }

    #[test]
    fn memory_without_a_clear_unit_is_asked_about() {
        for (text, hint) in [
            ("512", Some("did you mean `512MiB`?")),
            ("512m", Some("did you mean `512MiB`?")),
            ("512M", Some("did you mean `512MiB`?")),
            ("1g", Some("did you mean `1GiB`?")),
            ("64k", Some("did you mean `64KiB`?")),
            ("64Mi6'", Some("did you mean `64MiB`?")),
            ("64Mi6MiB", Some("did you mean `64MiB`?")),
            ("1.0001kB", None),
            ("half", None),
            ("-1MiB", None),
            ("", None),
        ] {
            let error = parse_byte_size(text).expect_err(text);
            assert_eq!(error.hint_text(), hint, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_amount_or_is_not(text in "[0-9]{0,3}[.]?[0-9kKmMgGtiB' ]{0,6}") {
            let _ = (parse_byte_size(&text), parse_cpu_limit(&text));
        }

        #[test]
        fn what_is_written_reads_back(bytes in any::<u64>(), millicores in 10_u32..=4_096_000) {
            let size = ByteSize::new(bytes);
            prop_assert_eq!(parse_byte_size(&size.to_string()), Ok(size));
            let cpu = CpuLimit { millicores };
            prop_assert_eq!(parse_cpu_limit(&cpu.to_string()), Ok(cpu));
        }
    }
}
