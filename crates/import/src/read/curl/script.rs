//! Scripts around command lines of curl: which requests they send, what their variables keep of responses, and what they take out of these.

use super::functions;
use super::printed::{self, Printed};
use super::program::IN_FRONT;
use super::variables::{Argument, Doubt, Manner, Value, Variables, setting};
use super::{is_curl, program, requests};
use crate::error::ImportError;
use crate::journey::{Journeys, Sequence, Step, Take, TakeFrom, When};
use crate::left_out::Place;
use crate::read::shell::{self, Command, Expansion, Link, Word};
use crate::text::Text;
use plimsoll_plan::secret_names::is_of_secret;
use std::collections::BTreeSet;

/// What only prints, ends something, or holds commands together.
const OF_SHELL: [&str; 18] = [
    "set", "$", "fi", "done", "esac", "}", "exit", "return", "[", "[[", "test", "true", "shift", ":", "command",
    "hash", "type", "which",
];
/// All of a body but for its last line breaks, as a shell has it.
const ALL: &str = r"(?s)^(.*?)\n*$";
/// What gives the variables that stand behind it values that nobody knows, or none.
const FORGETTING: [&str; 5] = ["getopts", "mapfile", "read", "readarray", "unset"];

pub(super) fn read(text: &str) -> Result<Journeys, ImportError> {
    let mut script = Script::default();
    let commands = shell::read(text, &mut script.variables.expansions)?;
    script.commands(&commands)?;
    script.functions_left()?;
    script.say_doubts();
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
    // What stands in one line is said once, wherever it is read.
    let mut said = BTreeSet::new();
    journeys
        .left_out
        .retain(|left_out| said.insert((left_out.place.clone(), left_out.what.clone(), left_out.why.clone())));
    Ok(journeys)
}

#[derive(Default)]
pub(super) struct Script {
    pub(super) journeys: Journeys,
    pub(super) variables: Variables,
    /// What stands around a command, which is done on a condition, several times, or where a function is called: its word, and whether that was said.
    pub(super) around: Vec<(String, bool)>,
    /// In how many functions these commands stand.
    pub(super) depth: usize,
    /// Variables that are taken out of responses.
    pub(super) taken: BTreeSet<String>,
}

impl Script {
    /// Reads commands, and gives what the last one prints.
    fn commands(&mut self, commands: &[Command]) -> Result<Printed, ImportError> {
        let (around, scopes) = (self.around.len(), self.variables.open_scopes());
        let mut printed = Printed::Other;
        // What the last command prints, where that is text of the script.
        let mut text = None;
        let mut rest = commands;
        while let Some((command, behind)) = rest.split_first() {
            if self.depth < functions::DEEPEST
                && let Some((name, body, count)) = functions::defined(rest)
            {
                self.variables.functions.define(name, body, self.depth);
                rest = &rest[count..];
                continue;
            }
            rest = behind;
            let piped = std::mem::replace(&mut text, shell::repeated(command));
            match command.words.first().and_then(|word| word.text.as_literal()) {
                Some("(") => {
                    self.variables.open(true);
                    continue;
                }
                Some(")") => {
                    let open = self.variables.open_scopes();
                    self.variables.close(scopes.max(open.saturating_sub(1)));
                    continue;
                }
                Some("}") => {
                    self.around.pop();
                    continue;
                }
                _ => {}
            }
            let mut input = match &command.input {
                Some(text) => self.printed_by(text, &Place::Line(command.line))?,
                None => Printed::Other,
            };
            if command.link == Link::Pipe {
                input = printed.clone();
            }
            let prints = match piped {
                Some(_) if command.link == Link::Pipe && command.input.is_none() => {
                    let command = Command {
                        input: piped,
                        ..command.clone()
                    };
                    self.command(&command, &input)?
                }
                _ => self.command(command, &input)?,
            };
            if command.link != Link::Otherwise {
                printed = prints;
            }
        }
        self.around.truncate(around);
        self.variables.close(scopes);
        Ok(printed)
    }

    /// Reads what a function does where it is called first, and gives what it prints.
    fn call(&mut self, at: usize, is_subshell: bool) -> Result<Printed, ImportError> {
        let function = &mut self.variables.functions.all[at];
        if let Some(printed) = &function.printed {
            return Ok(printed.clone());
        }
        let depth = self.depth.max(function.depth) + 1;
        if depth > functions::DEEPEST {
            return Ok(Printed::Other);
        }
        // It may call itself.
        function.printed = Some(Printed::Other);
        let body = function.body.clone();
        let (before, scopes) = (std::mem::replace(&mut self.depth, depth), self.variables.open_scopes());
        self.variables.open(is_subshell);
        self.around.push(("{".to_owned(), false));
        let printed = self.commands(&body)?;
        self.around.pop();
        self.variables.close(scopes);
        self.depth = before;
        self.variables.functions.all[at].printed = Some(printed.clone());
        Ok(printed)
    }

    /// Reads functions that nothing calls, or what is not read here: with what variables have at the end of the script.
    fn functions_left(&mut self) -> Result<(), ImportError> {
        let mut at = 0;
        while let Some(unread) = self.variables.functions.unread(at) {
            self.call(unread, true)?;
            at = unread + 1;
        }
        Ok(())
    }

    /// Says of which variables that were used a value is lost.
    fn say_doubts(&mut self) {
        for (name, Doubt { place, is_set }) in std::mem::take(&mut self.variables.doubts) {
            let why = match is_set {
                true => "where the condition does not hold it has another value; the plan has the one of this line",
                false => "the plan has the value from before, and not the one of this line",
            };
            self.journeys.leave_out(&place, format!("`{name}` on a condition"), why);
        }
    }

    /// Reads commands in a subshell, and gives what the last one prints.
    pub(super) fn inside(&mut self, commands: &[Command]) -> Result<Printed, ImportError> {
        let scopes = self.variables.open_scopes();
        self.variables.open(true);
        let printed = self.commands(commands)?;
        self.variables.close(scopes);
        Ok(printed)
    }

    fn command(&mut self, command: &Command, input: &Printed) -> Result<Printed, ImportError> {
        let place = Place::Line(command.line);
        let manner = match command.link {
            Link::Then | Link::Otherwise => Manner::Optional,
            Link::None | Link::Pipe => Manner::Always,
        };
        let before = self.unframed(&command.words, manner, &place)?;
        let words = self.set_variables(before, manner, &place)?;
        // A value without quotes ends at a blank, and what stands behind it may be the rest of a secret.
        let mut set = before[..before.len() - words.len()].iter().filter_map(setting);
        let sets_secret = set.any(|setting| is_of_secret(&setting.name));
        self.ask_inside(words.iter().map(|word| &word.text), &place)?;
        let is_one = words.iter().any(|word| self.names_curl(word));
        if is_one {
            self.take_whole(words, &place);
            let words = self.variables.words(words, &mut self.journeys.values);
            let texts: Vec<Text> = words.iter().map(|word| word.text.clone()).collect();
            if let Some(at) = program::curl(&texts) {
                return self.curl(command, &words[at + 1..], &place);
            }
        }
        let name = words.first().and_then(|word| word.text.as_literal());
        if name.is_some_and(|name| FORGETTING.contains(&name)) {
            let names = words[1..].iter().filter_map(|word| word.text.as_literal());
            names.for_each(|name| self.forget(name, manner));
        }
        if let Some(function) = name.and_then(|name| self.variables.functions.named(name)) {
            // What it does is on the same condition.
            let around = self.around.len();
            if manner == Manner::Optional {
                self.around.push(("if".to_owned(), true));
            }
            let printed = self.call(function, false)?;
            self.around.truncate(around);
            // What a function does with a command is not known here.
            if !is_one {
                return Ok(printed);
            }
        }
        match name {
            Some("echo" | "printf") => {
                return Ok(words
                    .last()
                    .map_or(Printed::Other, |word| self.printed_text(&word.text)));
            }
            _ if words.is_empty() => return Ok(Printed::Other),
            Some(name) if OF_SHELL.contains(&name) => return Ok(Printed::Other),
            // What it gives to curl is not known here.
            Some("xargs") if is_one => {}
            Some(name) => {
                let rest: Vec<Text> = words[1..].iter().map(|word| word.text.clone()).collect();
                if let Some(printed) = printed::by(name, &rest, input) {
                    return Ok(printed);
                }
            }
            None => {}
        }
        self.journeys.leave_out(
            &place,
            match name.filter(|_| !sets_secret) {
                Some(name) => format!("`{name}`"),
                None => "a command".to_owned(),
            },
            "only command lines of curl become requests",
        );
        Ok(Printed::Other)
    }

    /// Whether a word is curl, or a variable whose value begins with it.
    fn names_curl(&self, word: &Word) -> bool {
        let value = word.text.as_variable().and_then(|name| self.variables.get(name));
        let first = match value {
            Some(Value::Text(text)) => text.beginning().split_whitespace().next().map(Text::literal),
            Some(Value::List(words)) => words.first().cloned(),
            Some(Value::Printed(_)) | None => None,
        };
        is_curl(first.as_ref().unwrap_or(&word.text))
    }

    /// Whether curl is among the commands whose output stands in a place.
    fn asks(&self, name: &str) -> bool {
        match self.variables.expansions.get(name) {
            Some(Expansion::Commands(commands)) => self.ask(commands),
            Some(Expansion::Default(default)) if self.variables.is_unset(default) => {
                default.is_set || self.asks_in(&default.text)
            }
            Some(Expansion::Changed(changed)) => self.asks_in(&changed.inside),
            _ => false,
        }
    }

    fn asks_in(&self, text: &Text) -> bool {
        text.variables().any(|name| self.asks(name))
    }

    fn ask(&self, commands: &[Command]) -> bool {
        let is_function = |word: &Word| {
            word.text
                .as_literal()
                .is_some_and(|name| self.variables.functions.named(name).is_some())
        };
        let is_called = |word: &Word| self.names_curl(word) || is_function(word);
        commands.iter().any(|command| {
            let lists = command.words.iter().filter_map(|word| word.list.as_ref()).flatten();
            command.words.iter().chain(lists).any(is_called) || command.texts().any(|text| self.asks_in(text))
        })
    }

    /// What stands in words may have been asked for by curl. What is taken out of a response is known to the rest.
    pub(super) fn ask_inside<'w>(
        &mut self,
        words: impl IntoIterator<Item = &'w Text>,
        place: &Place,
    ) -> Result<(), ImportError> {
        for name in words.into_iter().flat_map(Text::variables) {
            if !self.asks(name) {
                continue;
            }
            match self.variables.expansions.get(name).cloned() {
                Some(Expansion::Commands(commands)) => {
                    if let Printed::Part(of, from) = self.inside(&commands)? {
                        let variable = self.variables.named("value", Text::variable(name));
                        self.take(of, from, variable.clone(), place);
                        let value = Value::Text(Text::variable(variable));
                        self.variables.set(name.to_owned(), value)?;
                    }
                }
                Some(Expansion::Changed(changed)) => self.ask_inside([&changed.inside], place)?,
                Some(Expansion::Default(default)) => {
                    self.ask_inside([&default.text], place)?;
                    if default.is_set {
                        let text = self.variables.text(&default.text, &mut self.journeys.values);
                        self.variables.set(default.of, Value::Text(text))?;
                    }
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Words without those that stand in front of a command, which begin or end what is around it.
    fn unframed<'w>(
        &mut self,
        mut words: &'w [Word],
        manner: Manner,
        place: &Place,
    ) -> Result<&'w [Word], ImportError> {
        while let Some(word) = words.first().and_then(|word| word.text.as_literal()) {
            match word {
                "{" if manner == Manner::Optional => self.around.push(("if".to_owned(), false)),
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
                // Its name stands behind it.
                "function" => words = &words[1..],
                "for" | "case" | "select" => {
                    self.ask_inside(words.iter().map(|word| &word.text), place)?;
                    if let Some(name) = words
                        .get(1)
                        .and_then(|name| name.text.as_literal())
                        .filter(|_| word != "case")
                    {
                        self.variables.unset(name);
                    }
                    return Ok(&[]);
                }
                _ => break,
            }
            words = words.get(1..).unwrap_or_default();
        }
        Ok(words)
    }

    fn curl(&mut self, command: &Command, words: &[Argument], place: &Place) -> Result<Printed, ImportError> {
        self.variables.check()?;
        // `^` is the backslash of cmd.exe.
        if words.iter().any(|word| word.text.beginning().starts_with('^')) {
            return Err(
                ImportError::new(Some(place), "a command line of cmd.exe", "one of bash")
                    .hint("copy it again; of Chrome's menu use `Copy as cURL (bash)`"),
            );
        }
        if self.variables.had_quotes() {
            let why = "a shell takes them for a part of the value; the plan has what they stand around";
            self.journeys.leave_out(place, "quotes in a variable", why);
        }
        if words.iter().any(|word| self.has_argument(&word.text)) {
            let why = "it has what its function is called with: write a request for each call";
            self.journeys.leave_out(place, "`curl` in a function", why);
            return Ok(Printed::Other);
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
        for name in words.iter().flat_map(|word| word.text.variables()) {
            if let Some(shown) = self.variables.changes.get_mut(name).and_then(Option::take) {
                let why = "it changes a value that is not known here; what comes of it is a variable of its own";
                self.journeys.leave_out(place, format!("`{shown}`"), why);
            }
        }
        let before = self.journeys.sequences.len();
        let values = &mut self.journeys.values;
        let input = command.input.as_ref().map(|text| self.variables.text(text, values));
        requests(&mut self.journeys, place, words, input);
        let sent = self.journeys.sequences.len();
        Ok(match sent > before {
            true => printed::by_curl(words.iter().map(|word| &word.text), sent - 1),
            false => Printed::Other,
        })
    }

    /// Has the request at this place take a value out of its response.
    pub(super) fn take(&mut self, of: usize, from: TakeFrom, variable: String, place: &Place) {
        let sequence = self.journeys.sequences.get_mut(of);
        if let Some(Step::Request(request)) = sequence.and_then(|sequence| sequence.steps.first_mut()) {
            self.taken.insert(variable.clone());
            request.takes.push(Take {
                place: place.clone(),
                variable,
                from,
                all: false,
            });
        }
    }

    /// Has requests whose responses stand in words take all of them.
    fn take_whole(&mut self, words: &[Word], place: &Place) {
        for name in words.iter().flat_map(|word| word.text.variables()) {
            let of = match self.variables.get(name) {
                Some(Value::Printed(printed)) => printed.response_to(),
                _ => None,
            };
            if let Some(of) = of.filter(|of| !self.variables.whole.contains_key(of)) {
                let variable = self.variables.named(name, Text::variable(format!("response {of}")));
                self.take(of, TakeFrom::Regex(ALL.to_owned(), 1), variable.clone(), place);
                self.variables.whole.insert(of, variable);
            }
        }
    }

    pub(super) fn is_in_function(&self) -> bool {
        self.around.iter().any(|(word, _)| word == "{")
    }

    /// Whether a word has something in it that a function is called with.
    fn has_argument(&self, word: &Text) -> bool {
        self.is_in_function() && word.variables().any(is_argument)
    }

    /// What a text is that a command reads, with what commands in it print.
    fn printed_by(&mut self, text: &Text, place: &Place) -> Result<Printed, ImportError> {
        if let Some(name) = text.as_variable().filter(|name| self.asks(name))
            && let Some(Expansion::Commands(commands)) = self.variables.expansions.get(name).cloned()
        {
            return self.inside(&commands);
        }
        self.ask_inside([text], place)?;
        Ok(self.printed_text(text))
    }

    /// What a text is that is printed.
    pub(super) fn printed_text(&mut self, text: &Text) -> Printed {
        let Some(name) = text.as_variable() else {
            return Printed::Other;
        };
        match self.variables.get(name) {
            Some(Value::Printed(printed)) => {
                let printed = printed.clone();
                self.variables.use_of(name);
                printed
            }
            _ => Printed::Other,
        }
    }
}

/// Whether a variable is what a function is called with.
pub(super) fn is_argument(name: &str) -> bool {
    matches!(name, "@" | "*" | "#") || name.bytes().all(|byte| byte.is_ascii_digit())
}
