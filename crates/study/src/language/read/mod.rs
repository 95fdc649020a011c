//! Two documents to a study. Names that one part has for another are followed here, so that a study that was read can be
//! measured and judged without asking again.

mod effect;
mod measurement;
mod published;

use crate::language::document::{SizeDocument, StudyDocument};
use crate::language::schema::keys;
use crate::language::{Measurement, Published, Study, StudySize};
use plimsoll_plan::Secret;
use plimsoll_plan::notation::{
    At, Entries, Field, Given, Mismatch, Notation, OneOrMany, PlanError, Reader, Source, Written, quoted,
    read_document, split_command,
};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

const STARTING: Duration = Duration::from_millis(900);

type Read<T> = Result<T, PlanError>;

/// Reads the two documents of a study.
struct StudyReader<'a> {
    reader: Reader<'a>,
}

/// What was published, by key.
type Figures = Vec<(String, Published)>;

/// A file name and its text.
type File<'a> = (&'a str, &'a str);

pub(super) fn read(name: &str, study: File<'_>, published: File<'_>) -> Read<Study> {
    let no_files = |_: &Path, _: u64| Err(std::io::Error::other("a study contains no files"));
    let source = |(file, text), kind| Source { kind, keys, file, text };
    let reader = |source| StudyReader {
        reader: Reader::new(source, &no_files, None),
    };
    let study = source(study, "study");
    let published = source(published, "published case");
    let published_document = read_document(published)?;
    let (source, figures) = reader(published).published(&published_document)?;
    let document = read_document(study)?;
    reader(study).study(name, &document, source, &figures)
}

/// The values of a mapping under the keys that they were given.
fn entries<N>(given: Option<&At<Entries<N>>>) -> impl Iterator<Item = (&Written<String>, &N)> {
    given
        .into_iter()
        .flat_map(|at| at.value.0.iter().map(|(key, value)| (key, value)))
}

impl StudyReader<'_> {
    fn study(
        &mut self,
        name: &str,
        document: &At<StudyDocument>,
        source: Vec<String>,
        published: &[(String, Published)],
    ) -> Read<Study> {
        let study = &document.value;
        let title = self.reader.required("title", &study.title, document.place)?;
        let question = self.reader.required("question", &study.question, document.place)?;
        let differs = self.sentences("differs", &study.differs)?;
        let size = match self.reader.section("size", &study.size) {
            Some(section) => Some(self.size(section)?),
            None => None,
        };
        let starting = self.time("starting", &study.starting)?.unwrap_or(STARTING);
        let prepare = self.words("prepare", &study.prepare)?;
        let beside = self.words("beside", &study.beside)?;
        let mut measurements: Vec<Measurement> = Vec::new();
        for (name, section) in entries(self.reader.section("measurements", &study.measurements)) {
            let name = self.reader.read_with(name, String::read)?;
            let kind = self.measurement(&format!("measurements.{name}"), section, &measurements)?;
            measurements.push(Measurement { name, kind });
        }
        if measurements.is_empty() {
            return Err(self
                .reader
                .error(document.place, Mismatch::new("no `measurements`", "at least one")));
        }
        let mut effects = Vec::new();
        for (name, section) in entries(self.reader.section("effects", &study.effects)) {
            let name = self.reader.read_with(name, String::read)?;
            effects.push(self.effect(name, section, &measurements, published)?);
        }
        if effects.is_empty() {
            return Err(self
                .reader
                .error(document.place, Mismatch::new("no `effects`", "at least one")));
        }
        let used: HashSet<&str> = effects
            .iter()
            .filter_map(|effect| Some(effect.published.as_ref()?.key.as_str()))
            .collect();
        if let Some((unused, _)) = published.iter().find(|(key, _)| !used.contains(key.as_str())) {
            let found = format!("no effect for the published figure {}", quoted(unused));
            let mismatch = Mismatch::new(found, "an effect for each");
            return Err(self.reader.error_about("effects", mismatch));
        }
        Ok(Study {
            name: name.to_owned(),
            title,
            question,
            source,
            differs,
            size,
            starting,
            prepare,
            beside,
            measurements,
            effects,
        })
    }

    fn size(&mut self, section: &At<SizeDocument>) -> Read<StudySize> {
        let size = &section.value;
        let of = self.reader.required("size.of", &size.of, section.place)?;
        let default = self.reader.required("size.default", &size.default, section.place)?;
        if default == 0 {
            return Err(self
                .reader
                .error_about("size.default", Mismatch::new("`0`", "at least 1")));
        }
        Ok(StudySize {
            of,
            default,
            chosen: default,
        })
    }

    fn sentences(&mut self, key: &str, given: &Given<At<Vec<Written<String>>>>) -> Read<Vec<String>> {
        let list = self
            .reader
            .section(key, given)
            .map(|at| at.value.as_slice())
            .unwrap_or_default();
        let numbered = list.iter().enumerate();
        numbered
            .map(|(index, text)| self.reader.written(&format!("{key}[{index}]"), text))
            .collect()
    }

    fn words(&mut self, key: &str, given: &Given<OneOrMany<String>>) -> Read<Option<Vec<Secret>>> {
        match &given.0 {
            None => Ok(None),
            Some(OneOrMany::One(line)) => {
                self.reader.remember(key, line.place);
                let words = self.reader.read_with(line, split_command)?;
                Ok(Some(words.into_iter().map(Secret::new).collect()))
            }
            Some(OneOrMany::Many(words, place)) => {
                self.reader.remember(key, *place);
                let words: Vec<Secret> = words
                    .iter()
                    .map(|word| self.reader.read_with(word, String::read).map(Secret::new))
                    .collect::<Read<_>>()?;
                if words.is_empty() {
                    return Err(self
                        .reader
                        .error(*place, Mismatch::new("no word", "a program and its arguments")));
                }
                Ok(Some(words))
            }
        }
    }

    fn time(&mut self, key: &str, given: &Field<Duration>) -> Read<Option<Duration>> {
        let time = self.reader.field(key, given)?;
        if time == Some(Duration::ZERO) {
            return Err(self
                .reader
                .error_about(key, Mismatch::new("a duration of zero", "a duration above zero")));
        }
        Ok(time)
    }

    fn count(&mut self, key: &str, given: &Field<u32>) -> Read<Option<u32>> {
        let count = self.reader.field(key, given)?;
        if count == Some(0) {
            return Err(self.reader.error_about(key, Mismatch::new("`0`", "at least 1")));
        }
        Ok(count)
    }
}
