//! Where code comes from: the lines that someone wrote for those that Node.js was given, by the source maps that lie
//! beside or inside of compiled files, and the lines on which functions are called, by the text of their callers.
//!
//! The files are read once the load is over, while the service is here. What was found is kept with the profile, so that
//! it can be read again elsewhere. Which files those are is in the service's hands: see `files.rs` for what is read, and
//! `map.rs` and `text.rs` for how little of it is kept.

mod compiled;
mod files;
mod inlined;
mod listed;
mod map;
mod named;
mod origins;
mod resolve;
mod text;
mod written;

pub use map::reads_source_map;
pub use origins::Origins;

use crate::file_url::path_of;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use files::Files;
use map::Place;
use named::Lines;
use origins::{Mapped, MappedPlace};
use plimsoll_measure::probe::CallSite;
use plimsoll_measure::{Compiler, Profile, package_of};
use plimsoll_plan::KnownSecrets;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

/// Places that are known of all files together.
const PLACES_MAX: usize = 200_000;
const MARK: &str = "//# sourceMappingURL=";

/// Where places of compiled files come from, by file; read when they are first asked for.
#[derive(Debug, Default)]
pub struct Sources {
    files: Files,
    known: HashMap<String, Known>,
    /// Of all files.
    places: usize,
    secrets: KnownSecrets,
    /// Maps of packages are read as well.
    package_maps: bool,
}

/// What is known of a compiled file.
#[derive(Debug, Default)]
struct Known {
    /// It has no source map.
    has_none: bool,
    /// What compiled it then.
    compiler: Option<Compiler>,
    places: BTreeMap<Place, Option<map::Origin>>,
    /// Names of functions in their source, by where the functions begin.
    names: BTreeMap<Place, String>,
}

/// A place that is asked for.
#[derive(Debug, Clone, Copy)]
struct Asked<'a> {
    file: &'a str,
    line: u32,
    /// 0 stands for the first of the line that is known.
    column: u32,
    /// The function that begins there, where one does.
    function: &'a str,
}

/// A place in a source.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Original {
    file: String,
    line: u32,
    column: u32,
}

impl Sources {
    /// Nothing yet; `secrets` is what the texts of sources may not hold, and `package_maps` says whether the source maps of packages
    /// are read as well.
    #[must_use]
    pub fn new(secrets: KnownSecrets, package_maps: bool) -> Self {
        Self {
            secrets,
            package_maps,
            ..Self::default()
        }
    }

    /// The service runs in this directory.
    pub fn serves_from(&mut self, directory: &str) {
        self.files.add_root(Path::new(directory));
    }

    /// The service was started with this script.
    pub fn serves_script(&mut self, script: &str) {
        if let Some(directory) = Path::new(script).parent() {
            self.files.add_root(directory);
        }
    }

    /// What is known of the code in a CPU profile, with the text of its costliest lines.
    pub fn origins_with_lines(&mut self, profile: &Profile) -> Origins {
        let mut origins = self.origins(profile);
        let mut restored = profile.clone();
        origins.restore(&mut restored);
        let functions = restored.functions_to_list();
        let files: BTreeSet<&str> = functions.iter().map(|function| function.frame.file.as_str()).collect();
        let texts = files
            .into_iter()
            .filter_map(|file| Some((file, self.text_to_list(file)?)));
        let texts: HashMap<&str, String> = texts.collect();
        origins.lines = listed::texts(&restored, &texts, &self.secrets);
        origins
    }

    /// The text of a file, or what a source map has of it where it is not here. Nobody reads minified code.
    fn text_to_list(&mut self, file: &str) -> Option<String> {
        let text = self.files.text(Path::new(file)).or_else(|| self.content_of(file));
        text.filter(|text| !compiled::is_minified(text))
    }

    fn content_of(&mut self, source: &str) -> Option<String> {
        let mut leads_there = None;
        for (compiled, known) in &self.known {
            let origins = known.places.values().flatten();
            let names: BTreeSet<&str> = origins.map(|origin| origin.source.as_str()).collect();
            let is_it = |name: &&str| {
                let path = resolve::path(name, Path::new(compiled), &self.files);
                path.is_some_and(|path| shown(&path.to_string_lossy()) == source)
            };
            if let Some(name) = names.into_iter().find(is_it) {
                leads_there = Some((compiled.clone(), name.to_owned()));
                break;
            }
        }
        let (compiled, name) = leads_there?;
        let text = self.files.text(Path::new(&compiled))?;
        let map = self.map_of(Path::new(&compiled), &text)?;
        map::content(&map, |source| source == name)
    }

    /// What is known of the code in `profile`.
    pub fn origins(&mut self, profile: &Profile) -> Origins {
        let said = text::look(profile, &mut self.files);
        let mut asked: BTreeSet<(&str, u32, u32, &str)> = BTreeSet::new();
        for call in &profile.calls {
            let frame = &profile.frames[call.frame];
            let file = frame.file.as_str();
            asked.insert((file, frame.line, frame.column, frame.function.as_str()));
            let lines = call.lines.iter().map(|(line, _)| *line).chain([frame.line]);
            asked.extend(lines.map(|line| (file, line, 0, "")));
        }
        asked.extend(said.calls.iter().map(|call| (call.file.as_str(), call.line, 0, "")));
        for stray in &said.strays {
            let of = stray.of.as_ref();
            asked.extend(of.map(|of| (stray.file.as_str(), of.line, of.column, of.function.as_str())));
        }
        let registered = profile.layers.known.iter().map(|layer| &layer.place);
        asked.extend(registered.map(|place| (place.file.as_str(), place.line, place.column, "")));
        let asked = asked.into_iter().map(|(file, line, column, function)| Asked {
            file,
            line,
            column,
            function,
        });
        let asked: Vec<Asked<'_>> = asked.collect();
        self.look_up(asked.iter().copied());
        let mut mapped: BTreeMap<String, Mapped> = BTreeMap::new();
        for Asked { file, line, column, .. } in asked {
            let Some(original) = self.original(file, line, column) else {
                continue;
            };
            let mapped = mapped.entry(file.to_owned()).or_default();
            let source = mapped.source(original.file);
            match column {
                0 => mapped.lines.insert(line, (source, original.line)),
                _ => {
                    mapped.places.push(MappedPlace {
                        at: (line, column),
                        source,
                        line: original.line,
                        column: original.column,
                        name: self.original_name(file, line, column),
                    });
                    None
                }
            };
        }
        let compiled = self.known.iter().filter(|(file, _)| is_own(file));
        let compiled = compiled.filter_map(|(file, known)| Some((file.clone(), known.compiler?)));
        Origins {
            mapped,
            compiled: compiled.collect(),
            calls: said.calls,
            strays: said.strays,
            makes: said.makes,
            ..Origins::default()
        }
    }

    /// Finds out where call sites come from.
    pub fn look_up_sites<'a>(&mut self, sites: impl Iterator<Item = &'a CallSite>) {
        let frames = sites.flat_map(|site| site.frames.iter().chain(&site.made_in));
        self.look_up(frames.map(|frame| Asked {
            file: &frame.file,
            line: frame.line,
            column: frame.column,
            function: "",
        }));
    }

    /// Puts the frames of a call site that was looked up where someone wrote them.
    pub fn restore_site(&self, site: &mut CallSite) {
        for frame in site.frames.iter_mut().chain(&mut site.made_in) {
            if let Some(original) = self.original(&frame.file, frame.line, frame.column) {
                frame.package = package_of(&original.file).map(str::to_owned);
                (frame.file, frame.line, frame.column) = (original.file, original.line, original.column);
            }
        }
    }

    /// What could not be found out, in words.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        self.files.notices()
    }

    /// Whether the source map of a file is looked for.
    fn follows(&self, file: &str) -> bool {
        is_own(file) || (self.package_maps && file.starts_with('/'))
    }

    /// Finds out where places come from, one file after the other.
    fn look_up<'a>(&mut self, places: impl Iterator<Item = Asked<'a>>) {
        let mut asked: BTreeMap<&str, BTreeMap<Place, &str>> = BTreeMap::new();
        for Asked {
            file,
            line,
            column,
            function,
        } in places
        {
            let Some(place) = place(line, column).filter(|_| self.follows(file)) else {
                continue;
            };
            let is_known = |known: &Known| known.has_none || known.places.contains_key(&place);
            if self.places >= PLACES_MAX || self.known.get(file).is_some_and(is_known) {
                continue;
            }
            self.places += usize::from(asked.entry(file).or_default().insert(place, function).is_none());
        }
        for (file, asked) in asked {
            let known = self.find(Path::new(file), &asked);
            let all = self.known.entry(file.to_owned()).or_default();
            (all.has_none, all.compiler) = (known.has_none, known.compiler);
            all.places.extend(known.places);
            all.names.extend(known.names);
        }
    }

    /// What is known of places in a file.
    fn find(&mut self, file: &Path, asked: &BTreeMap<Place, &str>) -> Known {
        let text = self.files.text(file).unwrap_or_default();
        let map = self.map_of(file, &text);
        let found = map.and_then(|map| mapped(&text, &map, asked));
        found.unwrap_or_else(|| Known {
            has_none: true,
            compiler: compiled::compiler_of(file, &text).or_else(|| {
                let has_source = !text.is_empty() && self.files.has_typescript_of(file);
                has_source.then_some(Compiler::Typescript)
            }),
            ..Known::default()
        })
    }

    /// The place in the source; `column` 0 stands for the first of the line that is known.
    fn original(&self, file: &str, line: u32, column: u32) -> Option<Original> {
        let known = self.known.get(file)?;
        let origin = known.places.get(&place(line, column)?)?.as_ref()?;
        let source = resolve::path(&origin.source, Path::new(file), &self.files)?;
        let source = shown(&source.to_string_lossy());
        // A package stays that package, wherever its sources were when it was built.
        if !is_own(file) && package_of(&source) != package_of(file) {
            return None;
        }
        Some(Original {
            file: source,
            line: origin.line.saturating_add(1),
            column: origin.column.saturating_add(1),
        })
    }

    /// What the function that begins there is called in its source, where that is another name.
    fn original_name(&self, file: &str, line: u32, column: u32) -> Option<String> {
        self.known.get(file)?.names.get(&place(line, column)?).cloned()
    }

    /// The source map that the end of a file names, or that lies beside it.
    fn map_of(&mut self, file: &Path, text: &str) -> Option<Vec<u8>> {
        let url = text.rsplit_once(MARK).and_then(|(_, url)| url.lines().next());
        let url = url.map(str::trim).unwrap_or_default();
        if let Some(data) = url.strip_prefix("data:") {
            let (_, encoded) = data.split_once(";base64,")?;
            return STANDARD.decode(encoded).ok();
        }
        let named = file.parent()?.join(path_of(url));
        let beside = file.with_file_name(format!("{}.map", file.file_name()?.to_string_lossy()));
        let named = (!url.is_empty()).then(|| self.files.text(&named)).flatten();
        named.or_else(|| self.files.text(&beside)).map(String::into_bytes)
    }
}

/// What a source map says of places in a file with this text; `None` when it is none.
fn mapped(text: &str, map: &[u8], asked: &BTreeMap<Place, &str>) -> Option<Known> {
    let lines = Lines::of(text);
    // Where functions begin, and where their names stand.
    let names: BTreeMap<Place, Place> = asked
        .iter()
        .filter_map(|(place, function)| Some((*place, lines.name_of(*place, function)?)))
        .collect();
    let known = asked.keys().filter(|place| lines.says_line(**place));
    let mut found = map::origins(map, known.chain(names.values()).copied())?;
    let name = |(place, at): (Place, Place)| Some((place, shown(found.get(&at)?.name.as_ref()?)));
    Some(Known {
        names: names.into_iter().filter_map(name).collect(),
        places: asked.keys().map(|place| (*place, found.remove(place))).collect(),
        ..Known::default()
    })
}

/// A place as maps have it; `column` 0 stands for the first of the line.
fn place(line: u32, column: u32) -> Option<Place> {
    Some((line.checked_sub(1)?, column.checked_sub(1)))
}

/// As it is shown: of a length that fits, and without control characters.
fn shown(path: &str) -> String {
    const SHOWN_CHARS_MAX: usize = 1024;
    plimsoll_plain::line(path).chars().take(SHOWN_CHARS_MAX).collect()
}

/// A file of the service's own code.
fn is_own(file: &str) -> bool {
    file.starts_with('/') && !file.contains("/node_modules/")
}

#[cfg(test)]
mod tests;
