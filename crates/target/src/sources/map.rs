//! Reads of a source map only what is asked: where a few places of compiled code come from.
//!
//! A map is in the service's hands, and five bytes of it can stand for a mapping of forty; so mappings are decoded one by
//! one and none is kept but those of the places that are asked for. (ECMA-426, <https://tc39.es/ecma426/>.)

use crate::bounded::Bounded;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Source files of a map, all sections together.
const SOURCES_MAX: usize = 20_000;
/// Sections of a map.
const SECTIONS_MAX: usize = 1_000;
/// Base64 digits of a number that fits into 64 bits with its sign.
const DIGITS_MAX: u32 = 12;

/// A place in compiled code, both from 0. `None` stands for the first of the line that the map knows.
pub(super) type Place = (u32, Option<u32>);

/// Where a place comes from; line and column from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    /// As the map names it, below its source root.
    pub(super) source: String,
    pub(super) line: u32,
    pub(super) column: u32,
    /// What stands there is called in the source, where exactly this place was asked for and its name was changed.
    pub(super) name: Option<String>,
}

/// Where `places` come from, as far as the map says; `None` when it is no map.
pub(super) fn origins(json: &[u8], places: impl IntoIterator<Item = Place>) -> Option<BTreeMap<Place, Origin>> {
    let map: Map<'_> = serde_json::from_slice(without_junk(json)).ok()?;
    let mut wanted = Wanted::new(places);
    let mut sources = 0;
    match map.sections {
        Some(sections) => {
            for section in sections.0 {
                let inner: Map<'_> = serde_json::from_str(section.map?.get()).ok()?;
                if inner.sections.is_some() {
                    return None;
                }
                sources += inner.sources.0.len();
                if sources > SOURCES_MAX {
                    return None;
                }
                inner.decode(section.offset.line, section.offset.column, &mut wanted)?;
            }
        }
        None => map.decode(0, 0, &mut wanted)?,
    }
    wanted.found()
}

/// The text of the source of which `is_wanted` says so, where the map has it.
pub(super) fn content(json: &[u8], is_wanted: impl Fn(&str) -> bool) -> Option<String> {
    let map: Contents<'_> = serde_json::from_slice(without_junk(json)).ok()?;
    let sections = map.sections.iter().flat_map(|sections| &sections.0);
    let inner = sections.filter_map(|section| serde_json::from_str(section.map?.get()).ok());
    let inner: Vec<Contents<'_>> = inner.collect();
    std::iter::once(&map)
        .chain(&inner)
        .find_map(|map| map.content(&is_wanted))
}

/// Whether any bytes are a source map; for the fuzzer.
#[must_use]
pub fn reads_source_map(json: &[u8]) -> bool {
    let asked: Vec<Place> = (0..8)
        .flat_map(|line| [(line, None), (line, Some(0)), (line, Some(7))])
        .collect();
    let found = origins(json, asked.iter().copied());
    let _ = content(json, |source| !source.is_empty());
    if let Some(found) = &found {
        assert!(found.keys().all(|place| asked.contains(place)), "nobody asked for it");
    }
    found.is_some()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Map<'a> {
    #[serde(borrow, default)]
    mappings: Cow<'a, str>,
    #[serde(default)]
    sources: Bounded<Option<String>, SOURCES_MAX>,
    #[serde(default)]
    source_root: Option<String>,
    #[serde(borrow, default)]
    names: Option<&'a RawValue>,
    #[serde(borrow, default)]
    sections: Option<Bounded<Section<'a>, SECTIONS_MAX>>,
}

/// What a map has of its sources themselves.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Contents<'a> {
    #[serde(default)]
    sources: Bounded<Option<String>, SOURCES_MAX>,
    #[serde(default)]
    source_root: Option<String>,
    #[serde(borrow, default)]
    sources_content: Option<Bounded<Option<&'a RawValue>, SOURCES_MAX>>,
    #[serde(borrow, default)]
    sections: Option<Bounded<Section<'a>, SECTIONS_MAX>>,
}

impl Contents<'_> {
    fn content(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        let root = self.source_root.as_deref().filter(|root| !root.is_empty());
        let root = root.map(|root| root.strip_suffix('/').unwrap_or(root));
        let contents = &self.sources_content.as_ref()?.0;
        let named = self.sources.0.iter().zip(contents);
        let mut wanted = named.filter(|(source, _)| is_wanted(&below(root, Option::clone(source).unwrap_or_default())));
        let (_, content) = wanted.find(|(_, content)| content.is_some())?;
        serde_json::from_str(content.as_ref()?.get()).ok()
    }
}

#[derive(Deserialize)]
struct Section<'a> {
    offset: Offset,
    #[serde(borrow, default)]
    map: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Offset {
    line: u32,
    column: u32,
}

impl<'a> Map<'a> {
    /// Gives every mapping to `wanted`, with the lines and the columns of the first line moved by an offset.
    fn decode(self, first_line: u32, first_column: u32, wanted: &mut Wanted<'a>) -> Option<()> {
        let section = wanted.sources.len();
        wanted.names.push(self.names);
        let root = self.source_root.filter(|root| !root.is_empty());
        let root = root.as_deref().map(|root| root.strip_suffix('/').unwrap_or(root));
        let sources = self
            .sources
            .0
            .into_iter()
            .map(|source| below(root, source.unwrap_or_default()));
        wanted.sources.push(sources.collect());
        // Source, its line, its column, and a name; each mapping says by how much they differ from the one before.
        let mut at = [0_i64; 4];
        for (line, mappings) in self.mappings.split(';').enumerate() {
            let line = first_line.checked_add(u32::try_from(line).ok()?)?;
            let mut column = if line == first_line { i64::from(first_column) } else { 0 };
            for mapping in mappings.split(',').filter(|mapping| !mapping.is_empty()) {
                let mut numbers = [0; 5];
                let count = numbers_of(mapping, &mut numbers)?;
                column = column.checked_add(numbers[0])?;
                let source = match count {
                    1 => None,
                    4 | 5 => {
                        for (at, by) in at.iter_mut().zip(&numbers[1..count]) {
                            *at = at.checked_add(*by)?;
                        }
                        let [source, line, column, name] = at.map(u32::try_from);
                        let source = source
                            .ok()
                            .filter(|source| (*source as usize) < wanted.sources[section].len())?;
                        Some(Source {
                            section,
                            source: source as usize,
                            line: line.ok()?,
                            column: column.ok()?,
                            name: name.ok().filter(|_| count == 5),
                        })
                    }
                    _ => return None,
                };
                wanted.offer(line, u32::try_from(column).ok()?, source);
            }
        }
        Some(())
    }
}

fn below(root: Option<&str>, source: String) -> String {
    let stands_alone = ["/", "http:", "https:", "file:"]
        .iter()
        .any(|start| source.starts_with(start));
    match root {
        Some(root) if !stands_alone => format!("{root}/{source}"),
        _ => source,
    }
}

/// The numbers of a mapping, in base 64 with their sign last; `None` where they are none, or more than five.
fn numbers_of(mapping: &str, numbers: &mut [i64; 5]) -> Option<usize> {
    let (mut count, mut value, mut digits) = (0, 0_i64, 0);
    for byte in mapping.bytes() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        if digits == DIGITS_MAX {
            return None;
        }
        value |= i64::from(digit & 31) << (5 * digits);
        digits += 1;
        if digit & 32 == 0 {
            let size = value >> 1;
            *numbers.get_mut(count)? = if value & 1 == 0 { size } else { -size };
            count += 1;
            (value, digits) = (0, 0);
        }
    }
    (digits == 0).then_some(count)
}

/// A line that keeps browsers from running the file: `)]}'`.
fn without_junk(json: &[u8]) -> &[u8] {
    if json.first().is_none_or(|byte| !b")]}'".contains(byte)) {
        return json;
    }
    let end = json.iter().position(|byte| *byte == b'\n');
    end.map_or(&[], |end| &json[end..])
}

/// Where a mapping leads.
#[derive(Clone, Copy)]
struct Source {
    section: usize,
    source: usize,
    line: u32,
    column: u32,
    /// Among the names of the section.
    name: Option<u32>,
}

/// The column of a mapping, and where it leads.
type Mapping = (u32, Option<Source>);

/// The places that are asked for, and the best mapping so far for each.
struct Wanted<'a> {
    lines: BTreeMap<u32, WantedLine>,
    /// Of each section.
    sources: Vec<Vec<String>>,
    names: Vec<Option<&'a RawValue>>,
}

#[derive(Default)]
struct WantedLine {
    wants_first: bool,
    first: Option<Mapping>,
    columns: Vec<u32>,
    /// Of each column: the last mapping between the column before and this one.
    mappings: Vec<Option<Mapping>>,
}

impl Wanted<'_> {
    fn new(places: impl IntoIterator<Item = Place>) -> Self {
        let mut lines: BTreeMap<u32, WantedLine> = BTreeMap::new();
        for (line, column) in places {
            let line = lines.entry(line).or_default();
            match column {
                Some(column) => line.columns.push(column),
                None => line.wants_first = true,
            }
        }
        for line in lines.values_mut() {
            line.columns.sort_unstable();
            line.columns.dedup();
            line.mappings = vec![None; line.columns.len()];
        }
        Self {
            lines,
            sources: Vec::new(),
            names: Vec::new(),
        }
    }

    fn offer(&mut self, line: u32, column: u32, source: Option<Source>) {
        let Some(line) = self.lines.get_mut(&line) else { return };
        if line.wants_first && line.first.is_none_or(|(first, _)| column < first) {
            line.first = Some((column, source));
        }
        let index = line.columns.partition_point(|wanted| *wanted < column);
        if let Some(best) = line.mappings.get_mut(index)
            && best.is_none_or(|(best, _)| best < column)
        {
            *best = Some((column, source));
        }
    }

    /// The best mapping for each place; `None` when the names of the map are no list of texts.
    fn found(self) -> Option<BTreeMap<Place, Origin>> {
        let mut best: Vec<(Place, Mapping)> = Vec::new();
        for (&at, line) in &self.lines {
            best.extend(line.first.map(|first| ((at, None), first)).filter(|_| line.wants_first));
            let mut before = None;
            for (column, mapping) in line.columns.iter().zip(&line.mappings) {
                before = mapping.or(before);
                best.extend(before.map(|mapping| ((at, Some(*column)), mapping)));
            }
        }
        let name_of = |place: Place, mapping: Mapping| {
            let source = mapping.1.filter(|_| place.1 == Some(mapping.0))?;
            Some((source.section, source.name? as usize))
        };
        let mut wanted: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.names.len()];
        for (section, name) in best.iter().filter_map(|(place, mapping)| name_of(*place, *mapping)) {
            wanted[section].insert(name);
        }
        let names = self.names.iter().zip(&wanted).map(|(names, wanted)| match names {
            Some(names) => picked(names, wanted),
            None => Some(BTreeMap::new()),
        });
        let names: Vec<BTreeMap<usize, String>> = names.collect::<Option<_>>()?;
        let origin = |(place, mapping): (Place, Mapping)| {
            let source = mapping.1?;
            let name = name_of(place, mapping).and_then(|(section, name)| names[section].get(&name));
            let origin = Origin {
                source: self.sources[source.section][source.source].clone(),
                line: source.line,
                column: source.column,
                name: name.cloned(),
            };
            Some((place, origin))
        };
        Some(best.into_iter().filter_map(origin).collect())
    }
}

/// Those texts of a list at these indices; the others are not kept. `None` when it is no list.
fn picked(list: &RawValue, wanted: &BTreeSet<usize>) -> Option<BTreeMap<usize, String>> {
    struct Picks<'a>(&'a BTreeSet<usize>);
    impl<'de> Visitor<'de> for Picks<'_> {
        type Value = BTreeMap<usize, String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Self::Value, A::Error> {
            let mut picks = BTreeMap::new();
            for index in 0.. {
                if !self.0.contains(&index) {
                    match from.next_element::<IgnoredAny>()? {
                        Some(_) => continue,
                        None => break,
                    }
                }
                match from.next_element::<Option<String>>()? {
                    Some(text) => picks.extend(text.map(|text| (index, text))),
                    None => break,
                }
            }
            Ok(picks)
        }
    }
    if wanted.is_empty() {
        return Some(BTreeMap::new());
    }
    let mut from = serde_json::Deserializer::from_str(list.get());
    from.deserialize_seq(Picks(wanted)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sourcemap::{DecodedMap, SourceMapBuilder};

    fn check(json: &str, place: Place, expected: Option<(&str, u32, u32)>) {
        let found = origins(json.as_bytes(), [place]).unwrap_or_default();
        let found = found
            .get(&place)
            .map(|found| (found.source.as_str(), found.line, found.column));
        assert_eq!(found, expected, "{place:?} of {json}");
    }

    #[test]
    fn places_come_from_the_mapping_before_them() {
        let map = r#"{"version":3,"sources":["a.ts",null],"sourceRoot":"src/","mappings":";IAIA,KCCC,E"}"#;
        check(map, (1, None), Some(("src/a.ts", 4, 0)));
        check(map, (1, Some(3)), None);
        check(map, (1, Some(8)), Some(("src/a.ts", 4, 0)));
        check(map, (1, Some(9)), Some(("src/", 5, 1)));
        check(map, (1, Some(11)), None);
        check(map, (0, None), None);
        check(&format!(")]}}'\n{map}"), (1, None), Some(("src/a.ts", 4, 0)));
    }

    #[test]
    fn sections_stand_where_they_begin() {
        let inner = r#"{"version":3,"sources":["a.ts"],"mappings":"AAIA;AACA"}"#;
        let section =
            |line: u32, column: u32| format!(r#"{{"offset":{{"line":{line},"column":{column}}},"map":{inner}}}"#);
        let map = format!(r#"{{"version":3,"sections":[{},{}]}}"#, section(0, 0), section(7, 5));
        check(&map, (0, None), Some(("a.ts", 4, 0)));
        check(&map, (7, Some(4)), None);
        check(&map, (7, Some(5)), Some(("a.ts", 4, 0)));
        check(&map, (8, Some(0)), Some(("a.ts", 5, 0)));
        let nested = map.replace(inner, &map);
        assert!(origins(nested.as_bytes(), []).is_none());
    }

    #[test]
    fn what_is_no_map_is_refused() {
        for mappings in [
            "AAAAAA",
            "AA",
            "AAA",
            "A!",
            "AACgggggggggggggggggA",
            "g",
            "AADA",
            "ACAA",
            "D",
            "AAA+/////////",
            "\u{fc}",
        ] {
            let map = format!(r#"{{"version":3,"sources":["a.ts"],"mappings":"{mappings}"}}"#);
            assert!(origins(map.as_bytes(), [(0, None)]).is_none(), "{mappings}");
        }
        let many = vec!["\"\""; SOURCES_MAX + 1].join(",");
        let sections = vec![r#"{"offset":{"line":0,"column":0},"map":{}}"#; SECTIONS_MAX + 1].join(",");
        for map in [
            "",
            "[7]",
            "null",
            r#"{"mappings":null}"#,
            r#"{"mappings":["A"]}"#,
            r#"{"sections":[{"offset":{"line":-1,"column":0},"map":{}}]}"#,
            r#"{"sections":[{"offset":{"line":4294967295,"column":0},"map":{"mappings":";;A"}}]}"#,
            r#"{"sections":[{"offset":{"line":0,"column":0},"url":"/dev/zero"}]}"#,
            &format!(r#"{{"sources":[{many}]}}"#),
            &format!(r#"{{"sections":[{sections}]}}"#),
        ] {
            assert!(origins(map.as_bytes(), [(0, None)]).is_none(), "{map:.80}");
        }
    }

    proptest! {
        /// The crate that decodes whole maps finds the same.
        #[test]
        fn places_are_those_of_a_whole_map(
            mappings in prop::collection::btree_map(
                (0_u32..5, 0_u32..40),
                prop::option::of((0_u32..3, 0_u32..1000, 0_u32..1000, prop::option::of(0_u32..3))),
                0..60,
            ),
            asked in prop::collection::vec((0_u32..6, prop::option::of(0_u32..45)), 0..40),
        ) {
            let mut builder = SourceMapBuilder::new(None);
            let names = ["a.ts", "b.ts", "../c.ts"];
            for name in names {
                builder.add_source(name);
                builder.add_name(name);
            }
            for ((line, column), source) in &mappings {
                let (id, from_line, from_column, name) =
                    source.map_or((None, 0, 0, None), |(id, line, column, name)| (Some(id), line, column, name));
                builder.add_raw(*line, *column, from_line, from_column, id, name, false);
            }
            let mut json = Vec::new();
            builder.into_sourcemap().to_writer(&mut json).expect("written");
            let found = origins(&json, asked.iter().copied()).expect("a map");
            let DecodedMap::Regular(whole) = sourcemap::decode_slice(&json).expect("a map") else {
                panic!("a map without sections");
            };
            for (line, column) in asked {
                let token = match column {
                    None => whole.tokens().find(|token| token.get_dst_line() == line),
                    Some(column) => whole.lookup_token(line, column),
                };
                let token = token.filter(|token| token.get_dst_line() == line);
                let expected = token.and_then(|token| Some((token.get_source()?.to_owned(), token.get_src_line(), token.get_src_col())));
                let name = token.filter(|token| Some(token.get_dst_col()) == column).and_then(|token| token.get_name());
                let found = found.get(&(line, column));
                prop_assert_eq!(found.and_then(|found| found.name.as_deref()), name);
                let found = found.map(|found| (found.source.clone(), found.line, found.column));
                prop_assert_eq!(found, expected);
            }
        }
    }
}
