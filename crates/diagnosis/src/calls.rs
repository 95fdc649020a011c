//! A CPU profile by cause: what each piece of time was spent on, and which line of the service asked for it.
//!
//! Builtins of the language, such as `JSON.parse`, have no frames: their time is self time of the line that calls them, whose text
//! says so where nothing was counted.
//! Native bindings and the inside of Node.js have frames, and belong to the code of the service that called them.

use crate::compilers::{builds, compiles};
use plimsoll_findings::{CauseKind, CodeClass};
use plimsoll_measure::{Call, Frame, Makes, Profile, package_of};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;

/// What a frame is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Class {
    /// The engine itself: `(program)`, `(root)`.
    Engine,
    /// `(garbage collector)`.
    Gc,
    /// A regular expression.
    Regex,
    /// A native binding.
    Native,
    /// JavaScript inside of Node.js.
    Runtime,
    /// A package below `node_modules`.
    Package(Rc<str>),
    /// Code of the service.
    Own,
}

/// What time was spent on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Work {
    /// Something that a finding has a name for.
    Known(CauseKind),
    /// A package, its own code.
    Package(Rc<str>),
    /// Code of the service, builtins that it calls included.
    Own,
    /// Lines of it that make something which has no frames.
    Made(Makes),
    /// Node.js: its HTTP server, streams, timers, and the engine.
    Runtime,
}

/// Time of one kind below one function of the service.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cost {
    pub(crate) work: Work,
    /// The nearest function of the service; `None` where Node.js or a framework works by itself.
    pub(crate) owner: Option<Frame>,
    /// The package that the service called, if there is one in between.
    pub(crate) via: Option<Rc<str>>,
    /// Its function that the service called.
    pub(crate) entry: Option<Frame>,
    /// The called function that says most: the binding, the expression.
    pub(crate) detail: Frame,
    pub(crate) us: u64,
    /// Time by function, of a package's own code alone.
    functions: Vec<Function>,
    /// Time by line of the owner, where it was spent in the owner itself or its call is on a known line.
    pub(crate) lines: Vec<(u32, u64)>,
}

/// Time in a function of a package.
#[derive(Debug, Clone, PartialEq)]
struct Function {
    /// Its index among the frames of the profile.
    frame: usize,
    us: u64,
    lines: Vec<(u32, u64)>,
}

impl Cost {
    /// Nothing yet.
    fn of(profile: &Profile, owner: Option<usize>, here: &Above, detail: usize) -> Self {
        Self {
            work: Work::Own,
            owner: owner.map(|owner| profile.frames[owner].clone()),
            via: here.via.clone(),
            entry: here.entry.map(|entry| profile.frames[entry].clone()),
            detail: profile.frames[detail].clone(),
            us: 0,
            functions: Vec::new(),
            lines: Vec::new(),
        }
    }

    /// The function of the package that costs most, and its line where that is known.
    pub(crate) fn hottest_function<'a>(&self, profile: &'a Profile) -> Option<(&'a Frame, Option<u32>)> {
        let hottest = self.functions.iter().max_by_key(|function| function.us)?;
        let line = hottest.lines.iter().max_by_key(|(_, us)| *us).map(|(line, _)| *line);
        Some((profile.frames.get(hottest.frame)?, line))
    }

    /// Whether its owner is in one of these files.
    pub(crate) fn is_in(&self, files: &HashSet<&str>) -> bool {
        self.owner
            .as_ref()
            .is_some_and(|owner| files.contains(owner.file.as_str()))
    }

    /// The regular expression that it is of.
    pub(crate) fn expression(&self) -> Option<&str> {
        (self.work == Work::Known(CauseKind::Regex)).then_some(&*self.detail.function)
    }

    /// The line of the owner that costs most.
    pub(crate) fn hottest_line(&self) -> Option<u32> {
        self.lines.iter().max_by_key(|(_, us)| *us).map(|(line, _)| *line)
    }
}

/// What costs of one kind have in common.
type Key = (Work, Option<usize>, Option<Rc<str>>, Option<usize>, usize);

/// Who says what costs time that has no frames of its own, and what packages make of what they are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// The probe, which counts it call by call.
    Counted,
    /// The text of the lines and the names of functions, where nothing was counted.
    Shown,
}

impl Told {
    /// Whether the text of a line says it.
    fn shows(self, makes: Makes) -> bool {
        self == Self::Shown || !matches!(makes, Makes::Json | Makes::Match)
    }
}

/// What is known of a call from those above it.
#[derive(Debug, Clone, Default)]
struct Above {
    owner: Option<usize>,
    /// The line of the owner on which it calls what it does not do itself.
    called_on: Option<u32>,
    via: Option<Rc<str>>,
    /// The function through which the package was entered.
    entry: Option<usize>,
    package: Option<Rc<str>>,
    /// The outermost known kind since the service or a package was left, and the function that made it known.
    known: Option<(CauseKind, usize)>,
}

/// Every piece of time in `profile`, greatest first.
pub(crate) fn costs(profile: &Profile, told: Told) -> Vec<Cost> {
    costs_of(profile, told, |_| true)
}

/// As [`costs`], of the calls at these indices alone.
pub(crate) fn costs_of(profile: &Profile, told: Told, counts: impl Fn(usize) -> bool) -> Vec<Cost> {
    let classes: Vec<Class> = profile.frames.iter().map(class).collect();
    let mut costs: HashMap<Key, Cost> = HashMap::new();
    let made = profile.text.makes.iter().filter(|at| told.shows(at.makes));
    let makes: HashMap<(&str, u32), Makes> = made.map(|at| ((at.file.as_str(), at.line), at.makes)).collect();
    for (index, (call, here)) in profile.calls.iter().zip(above(profile, told, &classes)).enumerate() {
        let frame = &profile.frames[call.frame];
        if call.self_us > 0 && counts(index) {
            let (work, detail) = work(&here, call.frame, &classes[call.frame]);
            let owner = here.owner;
            let (made, lines) = match work {
                Work::Own => split(&frame.file, &call.lines, &makes),
                _ => (BTreeMap::new(), call.lines.clone()),
            };
            let made_us: u64 = made.values().flatten().map(|(_, us)| us).sum();
            for (makes, lines) in made {
                let us: u64 = lines.iter().map(|(_, us)| us).sum();
                let key = (Work::Made(makes), owner, here.via.clone(), here.entry, detail);
                let cost = costs.entry(key).or_insert_with(|| Cost {
                    work: Work::Made(makes),
                    ..Cost::of(profile, owner, &here, detail)
                });
                cost.us += us;
                add_lines(&mut cost.lines, &lines);
            }
            let self_us = call.self_us.saturating_sub(made_us);
            if self_us == 0 {
                continue;
            }
            let key = (work.clone(), owner, here.via.clone(), here.entry, detail);
            let cost = costs.entry(key).or_insert_with(|| Cost {
                work,
                ..Cost::of(profile, owner, &here, detail)
            });
            cost.us += self_us;
            if let Class::Package(_) = classes[call.frame] {
                add_function(&mut cost.functions, call);
            }
            match here.called_on {
                _ if classes[call.frame] == Class::Own => add_lines(&mut cost.lines, &lines),
                Some(line) => add_lines(&mut cost.lines, &[(line, call.self_us)]),
                None => {}
            }
        }
    }
    let mut costs: Vec<Cost> = costs.into_values().collect();
    costs.sort_by(|a, b| {
        let key = |cost: &Cost| {
            (
                cost.work.clone(),
                place(cost.owner.as_ref()),
                place(cost.entry.as_ref()),
                cost.detail.function.clone(),
            )
        };
        b.us.cmp(&a.us).then_with(|| key(a).cmp(&key(b)))
    });
    costs
}

/// What is known of each call from those above it, itself included.
fn above(profile: &Profile, told: Told, classes: &[Class]) -> Vec<Above> {
    let mut above: Vec<Above> = Vec::with_capacity(profile.calls.len());
    for call in &profile.calls {
        let caller = call.caller.map(|caller| above[caller].clone()).unwrap_or_default();
        let mut here = below(
            caller,
            told,
            call.frame,
            &profile.frames[call.frame],
            &classes[call.frame],
        );
        here.called_on = here.called_on.or(call.called_on);
        above.push(here);
    }
    above
}

/// The kind of cause that each call is part of, where a finding has a name for what it does.
pub(crate) fn kinds(profile: &Profile, told: Told) -> Vec<Option<CauseKind>> {
    let classes: Vec<Class> = profile.frames.iter().map(class).collect();
    let above = above(profile, told, &classes).into_iter();
    above.map(|here| here.known.map(|(kind, _)| kind)).collect()
}

/// Lines and their times.
type Lines = Vec<(u32, u64)>;

/// Lines that make something, by what they make, and the others.
fn split(file: &str, lines: &[(u32, u64)], makes: &HashMap<(&str, u32), Makes>) -> (BTreeMap<Makes, Lines>, Lines) {
    let mut made: BTreeMap<Makes, Lines> = BTreeMap::new();
    let mut others = Vec::new();
    for &(line, us) in lines {
        match makes.get(&(file, line)) {
            Some(&makes) => made.entry(makes).or_default().push((line, us)),
            None => others.push((line, us)),
        }
    }
    (made, others)
}

fn place(frame: Option<&Frame>) -> (String, u32, u32) {
    frame.map_or_else(Default::default, |frame| (frame.file.clone(), frame.line, frame.column))
}

fn below(caller: Above, told: Told, index: usize, frame: &Frame, class: &Class) -> Above {
    match class {
        Class::Own => Above {
            owner: Some(index),
            ..Above::default()
        },
        Class::Package(name) => Above {
            known: built(&caller, told, index, frame, name),
            entry: caller.entry.or(Some(index)),
            via: caller.via.or_else(|| Some(Rc::clone(name))),
            package: Some(Rc::clone(name)),
            ..caller
        },
        Class::Regex if caller.known.is_none() => Above {
            known: Some((CauseKind::Regex, index)),
            ..caller
        },
        Class::Native => Above {
            known: caller.known.or_else(|| known(frame).map(|kind| (kind, index))),
            ..caller
        },
        // What Node.js does for a package, such as writing a response, is not the package's own work.
        Class::Runtime => Above {
            known: caller.known.or_else(|| known(frame).map(|kind| (kind, index))),
            package: None,
            ..caller
        },
        Class::Engine | Class::Gc | Class::Regex => caller,
    }
}

/// The function that builds a schema or compiles a template, while its package does so.
fn built(caller: &Above, told: Told, index: usize, frame: &Frame, package: &Rc<str>) -> Option<(CauseKind, usize)> {
    use CauseKind::{ConstructedPerRequest, ModuleOrTemplatePerRequest};
    let is_built = |(kind, _): &(CauseKind, usize)| matches!(kind, ConstructedPerRequest | ModuleOrTemplatePerRequest);
    let before = caller.known.filter(is_built);
    let before = before.filter(|_| caller.package.as_ref() == Some(package));
    before.or_else(|| {
        let compiled = compiles(package, &frame.function).filter(|_| told == Told::Shown);
        let kind = compiled.or_else(|| builds(package, &frame.function).then_some(ConstructedPerRequest));
        kind.map(|kind| (kind, index))
    })
}

/// What time in a frame was spent on, and the frame that says most about it. Where nothing says more, one frame stands
/// for all, so that the time is one cost.
fn work(here: &Above, index: usize, class: &Class) -> (Work, usize) {
    const NONE: usize = 0;
    if *class == Class::Gc {
        return (Work::Known(CauseKind::Gc), NONE);
    }
    if let Some((kind, by)) = here.known {
        return (Work::Known(kind), by);
    }
    match (class, &here.package) {
        (Class::Own, _) => (Work::Own, index),
        (Class::Package(name), _) | (_, Some(name)) => (Work::Package(Rc::clone(name)), NONE),
        _ => (Work::Runtime, NONE),
    }
}

pub(crate) fn class(frame: &Frame) -> Class {
    if frame.function.starts_with("RegExp: ") {
        return Class::Regex;
    }
    if frame.file.is_empty() {
        return match frame.function.as_str() {
            "(garbage collector)" => Class::Gc,
            "(root)" | "(program)" => Class::Engine,
            _ => Class::Native,
        };
    }
    if is_runtime(&frame.file) {
        return Class::Runtime;
    }
    package_of(&frame.file).map_or(Class::Own, |name| Class::Package(name.into()))
}

fn is_runtime(file: &str) -> bool {
    file.starts_with("node:") || file.starts_with("internal/") || file.starts_with("evalmachine.")
}

/// What Node.js runs when the stack of an error is read first.
const STACK_FUNCTIONS: [&str; 4] = [
    "prepareStackTrace",
    "prepareStackTraceCallback",
    "defaultPrepareStackTrace",
    "ErrorPrepareStackTrace",
];

/// What is known of a function of Node.js by its name and file.
fn known(frame: &Frame) -> Option<CauseKind> {
    let file = frame.file.strip_prefix("node:").unwrap_or(&frame.file);
    let function = frame.function.rsplit('.').next().unwrap_or_default();
    let sync = function.ends_with("Sync");
    match file {
        // The inspector wraps the console while it is attached.
        "" if frame.function == "get stack" => Some(CauseKind::ErrorStack),
        "internal/errors" if STACK_FUNCTIONS.contains(&function) => Some(CauseKind::ErrorStack),
        "" if function == "consoleCall" => Some(CauseKind::BlockingWrite),
        "internal/console/constructor" | "internal/console/global" | "internal/fs/sync_write_stream" => {
            Some(CauseKind::BlockingWrite)
        }
        "fs" | "internal/fs/read/context" | "internal/fs/cp/cp-sync" | "internal/fs/rimraf" if sync => {
            Some(if function.starts_with("write") || function.starts_with("append") {
                CauseKind::BlockingWrite
            } else {
                CauseKind::SyncFileRead
            })
        }
        "zlib" if sync || function == "processChunkSync" => Some(CauseKind::SyncZlib),
        "internal/crypto/hash" | "internal/crypto/cipher" | "internal/crypto/sig" => Some(CauseKind::SyncCrypto),
        _ if file.starts_with("internal/crypto/") && sync => Some(CauseKind::SyncCrypto),
        _ if file.starts_with("internal/modules/") => Some(CauseKind::ModuleOrTemplatePerRequest),
        _ => None,
    }
}

fn add_function(functions: &mut Vec<Function>, call: &Call) {
    match functions.iter_mut().find(|function| function.frame == call.frame) {
        Some(known) => {
            known.us = known.us.saturating_add(call.self_us);
            add_lines(&mut known.lines, &call.lines);
        }
        None => functions.push(Function {
            frame: call.frame,
            us: call.self_us,
            lines: call.lines.clone(),
        }),
    }
}

fn add_lines(sum: &mut Vec<(u32, u64)>, lines: &[(u32, u64)]) {
    for &(line, us) in lines {
        match sum.binary_search_by_key(&line, |(line, _)| *line) {
            Ok(at) => sum[at].1 += us,
            Err(at) => sum.insert(at, (line, us)),
        }
    }
}

/// Whether a frame stands for garbage collection.
pub(crate) fn is_gc(frame: &Frame) -> bool {
    class(frame) == Class::Gc
}

/// Whether a frame is code of the service.
pub(crate) fn is_own(frame: &Frame) -> bool {
    class(frame) == Class::Own
}

/// The class of a frame as a flame graph colours it.
pub(crate) fn code_class(frame: &Frame) -> CodeClass {
    match class(frame) {
        Class::Engine => CodeClass::Engine,
        Class::Gc => CodeClass::Gc,
        Class::Regex => CodeClass::Regex,
        Class::Native => CodeClass::Native,
        Class::Runtime => CodeClass::Node,
        Class::Package(_) => CodeClass::Package,
        Class::Own => CodeClass::Own,
    }
}
