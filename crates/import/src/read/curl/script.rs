//! Scripts around command lines of curl: which requests they send, what their variables keep of responses, and what they take out of these.

use super::printed::{self, Printed, is_short, variable};
use super::{is_curl, requests};
use crate::error::ImportError;
use crate::journey::{Journeys, Sequence, Step, Take, When};
use crate::left_out::Place;
use crate::read::shell::{self, Command, Link};
use crate::text::{Piece, Text};
use std::collections::{BTreeMap, BTreeSet};

/// Commands in the words of others.
const DEEPEST: usize = 8;
/// What only prints, ends something, or holds commands together.
const OF_SHELL: [&str; 14] = [
    "set", "$", "fi", "done", "esac", "}", "exit", "return", "[", "[[", "test", "true", "shift", ":",
];
/// Words in front of a command.
const IN_FRONT: [&str; 8] = ["if", "elif", "while", "until", "then", "else", "do", "!"];
/// Words in front of variables that are set.
const SETTING: [&str; 4] = ["export", "local", "readonly", "declare"];

pub(super) fn read(text: &str) -> Result<Journeys, ImportError> {
    let mut script = Script::default();
    script.commands(text, 0, 0)?;
    let mut journeys = script.journeys;
    let takes = |sequence: &Sequence| {
        let is_one = |step: &Step| matches!(step, Step::Request(request) if !request.takes.is_empty());
        sequence.steps.iter().any(is_one)
    };
    // What is taken along is for what comes behind it.
    if journeys.sequences.iter().any(takes) {
        journeys.is_ordered = true;
        let place = journeys.sequences[0].place.clone();
        let steps = std::mem::take(&mut journeys.sequences);
        journeys.sequences = vec![Sequence {
            name: String::new(),
            place,
            when: When::Load,
            weight: 1.0,
            steps: steps.into_iter().flat_map(|sequence| sequence.steps).collect(),
        }];
    }
    Ok(journeys)
}

#[derive(Default)]
struct Script {
    journeys: Journeys,
    /// Variables that have a response, with the place of its request.
    responses: BTreeMap<String, usize>,
    /// What stands around a command, which is done on a condition, several times, or where a function is called: its word, and whether that was said.
    around: Vec<(String, bool)>,
    /// Variables that have what a function is called with.
    arguments: BTreeSet<String>,
}

impl Script {
    /// Reads commands that begin behind so many lines, and gives what the last one prints.
    fn commands(&mut self, text: &str, lines: usize, depth: usize) -> Result<Printed, ImportError> {
        let script = shell::read(text)?;
        for (name, default) in script.defaults {
            self.journeys.values.entry(name).or_insert(default);
        }
        let mut printed = Printed::Other;
        for command in &script.commands {
            let input = match (command.link, &command.input) {
                (Link::Pipe, _) => printed.clone(),
                (_, Some(text)) => self.printed_text(text),
                (_, None) => Printed::Other,
            };
            let prints = self.command(command, &input, lines, depth)?;
            if command.link != Link::Otherwise {
                printed = prints;
            }
        }
        Ok(printed)
    }

    fn command(
        &mut self,
        command: &Command,
        input: &Printed,
        lines: usize,
        depth: usize,
    ) -> Result<Printed, ImportError> {
        let place = Place::Line(lines + command.line);
        let words = self.unframed(&command.words);
        let words = self.set_variables(words, &place, lines + command.line - 1, depth)?;
        let at = words.iter().take(4).position(is_curl);
        let name = words.first().and_then(Text::as_literal);
        if let Some(at) = at {
            return Ok(self.curl(command, &words[at + 1..], &place));
        }
        // What others print may have been asked for by curl.
        for text in words.iter().flat_map(Text::variables) {
            if let Some(inner) = substituted(text).filter(|inner| depth < DEEPEST && inner.contains("curl")) {
                self.commands(inner, lines + command.line - 1, depth + 1)?;
            }
        }
        match name {
            Some("echo" | "printf") => return Ok(words.last().map_or(Printed::Other, |text| self.printed_text(text))),
            _ if words.is_empty() => return Ok(Printed::Other),
            Some(name) if OF_SHELL.contains(&name) => return Ok(Printed::Other),
            Some(name) => {
                if let Some(printed) = printed::by(name, &words[1..], input) {
                    return Ok(printed);
                }
            }
            None => {}
        }
        self.journeys.leave_out(
            &place,
            format!("`{}`", name.unwrap_or("a command")),
            "only command lines of curl become requests",
        );
        Ok(Printed::Other)
    }

    /// Words without those that stand in front of a command, which begin or end what is around it.
    fn unframed<'w>(&mut self, mut words: &'w [Text]) -> &'w [Text] {
        while let Some(word) = words.first().and_then(Text::as_literal) {
            match word {
                "if" | "for" | "while" | "until" | "case" | "select" | "{" => {
                    self.around.push((word.to_owned(), false));
                }
                "fi" | "done" | "esac" | "}" => {
                    self.around.pop();
                }
                _ => {}
            }
            match word {
                "{" => {}
                word if IN_FRONT.contains(&word) => {}
                "for" | "case" | "select" => return &[],
                _ => break,
            }
            words = &words[1..];
        }
        words
    }

    fn curl(&mut self, command: &Command, words: &[Text], place: &Place) -> Printed {
        if words.iter().any(|word| self.has_argument(word)) {
            let why = "it has what its function is called with: write a request for each call";
            self.journeys.leave_out(place, "`curl` in a function", why);
            return Printed::Other;
        }
        if let Some((word, is_said)) = self.around.last_mut().filter(|(_, is_said)| !is_said) {
            *is_said = true;
            let (what, why) = match word.as_str() {
                "{" => ("a function", "what stands in it is sent once, wherever it is called"),
                "if" | "case" => ("a condition", "what stands under it is always sent"),
                _ => ("a loop", "what stands in it is sent once"),
            };
            self.journeys.leave_out(place, what, why);
        }
        let before = self.journeys.sequences.len();
        requests(&mut self.journeys, place, words, command.input.as_ref());
        let sent = self.journeys.sequences.len();
        // The headers, a status or a file are no body.
        let is_other = |word: &str| {
            let has_value = ["-H", "-d", "-u", "-A", "-b", "-F", "-X", "-e"]
                .iter()
                .any(|option| word.starts_with(option));
            let is_short = ['o', 'w', 'i', 'I', 'D'].iter().any(|option| is_short(word, *option));
            !has_value && is_short
                || matches!(
                    word,
                    "--output" | "--write-out" | "--include" | "--head" | "--dump-header"
                )
        };
        match sent > before && !words.iter().filter_map(Text::as_literal).any(is_other) {
            true => Printed::Response(sent - 1),
            false => Printed::Other,
        }
    }

    /// Keeps what `NAME=value` in front of a command sets, and gives the words behind it.
    fn set_variables(
        &mut self,
        words: &[Text],
        place: &Place,
        lines: usize,
        depth: usize,
    ) -> Result<Vec<Text>, ImportError> {
        let mut words = words;
        let only_sets = words
            .first()
            .and_then(Text::as_literal)
            .is_some_and(|word| SETTING.contains(&word));
        if only_sets {
            let is_option = |word: &Text| word.beginning().starts_with('-');
            let options = words[1..].iter().take_while(|word| is_option(word)).count();
            words = &words[1 + options..];
        }
        while let Some((name, value)) = words.first().and_then(|word| word.split_once('=')) {
            let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            let Some(name) = name.as_literal().filter(|name| is_name(name)).map(str::to_owned) else {
                break;
            };
            self.set(name, value, place, lines, depth)?;
            words = &words[1..];
        }
        // A name alone has its value from elsewhere.
        Ok(if only_sets { Vec::new() } else { words.to_vec() })
    }

    fn set(&mut self, name: String, value: Text, place: &Place, lines: usize, depth: usize) -> Result<(), ImportError> {
        // Of itself it has what it had before.
        let before = self
            .journeys
            .values
            .get(&name)
            .map(|known| (name.clone(), known.clone()));
        let value = match variable(&value) {
            Some(same) if same == name => value,
            _ => value.resolved(&before.into_iter().collect()),
        };
        let inner = variable(&value).and_then(substituted).filter(|_| depth < DEEPEST);
        let printed = match (inner, variable(&value)) {
            (Some(inner), _) => self.commands(inner, lines, depth + 1)?,
            // With a default of its own, or an argument of a function, it stays what it is.
            (None, Some(same)) if same == name => return Ok(()),
            (None, Some(_)) => self.printed_text(&value),
            (None, None) if is_argument(&value) => {
                self.arguments.insert(name);
                return Ok(());
            }
            (None, None) => Printed::Other,
        };
        match printed {
            Printed::Response(of) => {
                self.responses.insert(name, of);
            }
            Printed::Part(of, from) => {
                let step = self
                    .journeys
                    .sequences
                    .get_mut(of)
                    .and_then(|sequence| sequence.steps.first_mut());
                if let Some(Step::Request(request)) = step {
                    self.journeys.values.remove(&name);
                    request.takes.push(Take {
                        place: place.clone(),
                        variable: name,
                        from,
                        all: false,
                    });
                }
            }
            Printed::Matches(..) | Printed::Other => {
                self.responses.remove(&name);
                match inner {
                    // What a command prints has to be given under the name that the script has for it.
                    Some(_) => self.journeys.values.remove(&name),
                    None => self.journeys.values.insert(name, value),
                };
            }
        }
        Ok(())
    }

    /// Whether a word has something in it that a function is called with.
    fn has_argument(&self, word: &Text) -> bool {
        let is_number = |text: &str| {
            text.split('$')
                .skip(1)
                .any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        };
        let is_in_function = self.around.iter().any(|(word, _)| word == "{");
        let has_number = || {
            word.pieces()
                .iter()
                .any(|piece| matches!(piece, Piece::Literal(text) if is_number(text)))
        };
        is_in_function && (word.variables().any(|name| self.arguments.contains(name)) || has_number())
    }

    /// What a text is that is printed.
    fn printed_text(&self, text: &Text) -> Printed {
        let response = variable(text).and_then(|name| self.responses.get(name));
        response.map_or(Printed::Other, |of| Printed::Response(*of))
    }
}

/// The commands in `$(…)`.
fn substituted(variable: &str) -> Option<&str> {
    variable
        .strip_prefix("$(")?
        .strip_suffix(')')
        .filter(|inner| !inner.starts_with('('))
}

/// Whether a value is what a function is called with.
fn is_argument(value: &Text) -> bool {
    let argument = value.as_literal().and_then(|text| text.strip_prefix('$'));
    argument.is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_digit()))
}
