//! Every record goes three ways: into the run folder, into the findings, to the renderer.

use crate::event::Event;
use plimsoll_analysis::{Findings, Fold};
use plimsoll_measure::folder::{FolderError, RunWriter};
use plimsoll_measure::{Note, NoteKind, Record};
use std::path::PathBuf;

pub(crate) struct Journal<'a> {
    writer: Option<RunWriter>,
    pub(crate) fold: Fold,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

impl<'a> Journal<'a> {
    pub(crate) fn new(writer: Option<RunWriter>, fold: Fold, on_event: &'a mut dyn FnMut(Event<'_>)) -> Self {
        Self { writer, fold, on_event }
    }

    pub(crate) fn emit(&mut self, event: Event<'_>) {
        (self.on_event)(event);
    }

    /// Keeps a record. When the run folder cannot be written any more, the run goes on without it.
    pub(crate) fn push(&mut self, record: &Record<'_>) {
        self.fold.push(record);
        if let Record::Note(note) = record {
            (self.on_event)(Event::Note(note));
        }
        if let Some(Err(error)) = self.writer.as_mut().map(|writer| writer.append(record)) {
            self.folder_failed(at_ns(record), &error);
        }
    }

    fn folder_failed(&mut self, at_ns: u64, error: &FolderError) {
        let note = Note {
            at_ns,
            kind: NoteKind::Warning,
            message: format!("the run folder is incomplete: failed to {error}"),
            hint: error.hint(),
        };
        self.fold.push(&Record::Note(note.clone()));
        (self.on_event)(Event::Note(&note));
    }

    /// Keeps what the run came to.
    pub(crate) fn keep(&mut self, findings: &Findings) {
        let json = serde_json::to_string_pretty(findings).expect("findings are plain data");
        if let Some(Err(error)) = self.writer.as_ref().map(|writer| writer.findings(&json)) {
            self.folder_failed(0, &error);
        }
    }

    pub(crate) fn note(&mut self, at_ns: u64, kind: NoteKind, message: String, hint: Option<String>) {
        self.push(&Record::Note(Note {
            at_ns,
            kind,
            message,
            hint,
        }));
    }

    pub(crate) fn into_folder(self) -> Option<PathBuf> {
        self.writer.map(|writer| writer.path().to_owned())
    }
}

fn at_ns(record: &Record<'_>) -> u64 {
    match record {
        Record::StepStart(start) => start.at_ns,
        Record::Tick { line, .. } => line.start_ns + line.duration_ns,
        Record::Machine(sample) => sample.at_ns,
        Record::StepEnd(end) => end.at_ns,
        Record::Note(note) => note.at_ns,
    }
}
