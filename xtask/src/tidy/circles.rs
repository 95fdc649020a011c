//! Modules of a crate import one way, as crates do: nobody needs to know two files before he can read one of them.
//!
//! An import is a path that begins with `crate` or `super`, in a `use` or anywhere else, outside of tests. A name that a module
//! passes on counts for the module that it comes from. What a module says of those inside it is no import: it is made of them.

use super::Found;
use super::layers::is_test_file;
use super::tree::{File, Tree};
use super::workspace::Workspace;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemUse, UseTree};

/// Names from the root of the crate; the last of an import may be an item.
type Path = Vec<String>;

/// No chain of names that are passed on is longer.
const MOST_HOPS: usize = 16;

/// A file, as far as others import from it and it from others.
#[derive(Default)]
struct Module {
    file: String,
    /// Paths that it names, and the first line that does.
    names: BTreeMap<Path, usize>,
    /// Names that it has from elsewhere.
    passes_on: BTreeMap<String, Path>,
}

/// The files of a crate by the paths of their modules.
struct Crate {
    modules: BTreeMap<Path, Module>,
}

/// What one module takes from another.
struct Import {
    name: String,
    line: usize,
}

type Graph<'a> = BTreeMap<&'a Path, BTreeMap<&'a Path, Import>>;

pub(crate) fn modules_import_one_way(workspace: &Workspace, tree: &Tree, found: &mut Found<'_>) {
    for member in &workspace.members {
        let source = format!("{}/src/", member.directory);
        let files = tree.with_extension("rs").filter(|file| file.path.starts_with(&source));
        let whole = Crate::of(files.filter(|file| !is_test_file(file)), &source);
        let graph = whole.graph();
        for circle in circles(&graph) {
            let first = &whole.modules[circle[0]];
            let steps = circle.iter().zip(circle.iter().cycle().skip(1)).map(|(from, to)| {
                let Import { name, line } = &graph[*from][*to];
                format!("{} takes {name} from {} (line {line})", shown(from), shown(to))
            });
            let message = format!("modules import in a circle: {}", steps.collect::<Vec<_>>().join(", "));
            let hint = "move what they share into a module that both import, or pass it in as an argument";
            found.add(&first.file, 0, message, hint);
        }
    }
}

fn shown(path: &Path) -> String {
    match path.as_slice() {
        [] => "the root".to_owned(),
        path => path.join("::"),
    }
}

impl Crate {
    fn of<'a>(files: impl Iterator<Item = &'a File>, source: &str) -> Self {
        let mut modules = BTreeMap::new();
        for file in files {
            let Some(place) = place_of(&file.path[source.len()..]) else {
                continue;
            };
            let Some(parsed) = file.text.as_deref().and_then(|text| syn::parse_file(text).ok()) else {
                continue;
            };
            let mut reader = Reader {
                place: place.clone(),
                module: Module {
                    file: file.path.clone(),
                    ..Module::default()
                },
            };
            reader.visit_file(&parsed);
            modules.insert(place, reader.module);
        }
        Self { modules }
    }

    /// The module that what stands at `path` comes from.
    fn origin(&self, path: &Path, hops: usize) -> Option<&Path> {
        let length = (0..=path.len())
            .rev()
            .find(|&length| self.modules.contains_key(&path[..length]))?;
        let (place, module) = self.modules.get_key_value(&path[..length])?;
        let Some((name, rest)) = path[length..].split_first().filter(|_| hops > 0) else {
            return Some(place);
        };
        if let Some(passed_on) = module.passes_on.get(name) {
            let further = passed_on.iter().chain(rest).cloned().collect();
            return self.origin(&further, hops - 1);
        }
        Some(place)
    }

    fn graph(&self) -> Graph<'_> {
        let mut graph = Graph::new();
        for (place, module) in &self.modules {
            let imports: &mut BTreeMap<_, _> = graph.entry(place).or_default();
            for (path, &line) in &module.names {
                let Some(origin) = self.origin(path, MOST_HOPS) else {
                    continue;
                };
                // A module is made of those inside it.
                if !origin.starts_with(place) {
                    let name = path.last().cloned().unwrap_or_default();
                    imports.entry(origin).or_insert(Import { name, line });
                }
            }
        }
        graph
    }
}

/// The path of the module in a file below `src`; `None` for a program beside the crate.
fn place_of(file: &str) -> Option<Path> {
    let names: Vec<_> = file.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    let (last, directories) = names.split_last()?;
    match (last.as_str(), directories) {
        (_, [first, ..]) if first == "bin" => None,
        ("lib" | "main", []) => Some(Vec::new()),
        ("mod", _) => Some(directories.to_vec()),
        _ => Some(names),
    }
}

/// Collects what a file names.
struct Reader {
    /// The module that is being read, with those inside of the file.
    place: Path,
    module: Module,
}

impl Reader {
    /// From the root; `None` for what does not begin with `crate`, `super` or `self`.
    fn absolute(&self, names: &[String]) -> Option<Path> {
        let (first, mut rest) = names.split_first()?;
        let mut path = match first.as_str() {
            "crate" => Vec::new(),
            "self" => self.place.clone(),
            "super" => self.place[..self.place.len().checked_sub(1)?].to_vec(),
            _ => return None,
        };
        while let Some((name, further)) = rest.split_first().filter(|(name, _)| *name == "super") {
            debug_assert_eq!(name, "super");
            path.pop()?;
            rest = further;
        }
        path.extend_from_slice(rest);
        Some(path)
    }

    fn name(&mut self, names: &[String], line: usize) {
        if names.first().is_some_and(|first| first != "self")
            && let Some(path) = self.absolute(names)
        {
            self.module.names.entry(path).or_insert(line);
        }
    }

    fn import(&mut self, before: &[String], tree: &UseTree, line: usize) {
        let with = |name: String| [before, &[name]].concat();
        match tree {
            UseTree::Path(path) => self.import(&with(path.ident.to_string()), &path.tree, line),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(before, tree, line)),
            UseTree::Glob(_) => {
                self.name(before, line);
            }
            UseTree::Name(name) if name.ident == "self" => {
                let known_as = before.last().cloned().unwrap_or_default();
                self.take(before, known_as, line);
            }
            UseTree::Name(name) => self.take(&with(name.ident.to_string()), name.ident.to_string(), line),
            UseTree::Rename(rename) => self.take(&with(rename.ident.to_string()), rename.rename.to_string(), line),
        }
    }

    fn take(&mut self, names: &[String], known_as: String, line: usize) {
        self.name(names, line);
        // Without `crate` and the like it begins at a module inside this one, or at another crate.
        let inside = || Some([&self.place, names].concat());
        if let Some(path) = self.absolute(names).or_else(inside) {
            self.module.passes_on.insert(known_as, path);
        }
    }

    /// Paths in what a macro is given, of which only the macro knows what it is.
    fn tokens(&mut self, tokens: TokenStream) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut index = 0;
        while index < tokens.len() {
            match &tokens[index] {
                TokenTree::Group(group) if group.delimiter() != Delimiter::None => self.tokens(group.stream()),
                TokenTree::Ident(first) if first == "crate" || first == "super" => {
                    let line = first.span().start().line;
                    let mut names = vec![first.to_string()];
                    while let [TokenTree::Punct(a), TokenTree::Punct(b), TokenTree::Ident(name), ..] =
                        &tokens[index + 1..]
                        && a.as_char() == ':'
                        && b.as_char() == ':'
                    {
                        names.push(name.to_string());
                        index += 3;
                    }
                    self.name(&names, line);
                }
                _ => {}
            }
            index += 1;
        }
    }
}

impl Visit<'_> for Reader {
    fn visit_item(&mut self, item: &Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &syn::ItemMod) {
        if let Some((_, items)) = &item.content {
            self.place.push(item.ident.to_string());
            items.iter().for_each(|item| self.visit_item(item));
            self.place.pop();
        }
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        let line = item.use_token.span.start().line;
        self.import(&[], &item.tree, line);
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let line = path.segments.first().map_or(0, |first| first.ident.span().start().line);
        self.name(&names, line);
        visit::visit_path(self, path);
    }

    /// Who may see an item is no import.
    fn visit_visibility(&mut self, _: &syn::Visibility) {}

    fn visit_macro(&mut self, call: &syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let condition = attribute.meta.require_list().map(|list| list.tokens.to_string());
        attribute.path().is_ident("cfg") && condition.is_ok_and(|condition| condition == "test")
    })
}

/// One circle, as short as can be, of each set of modules that import each other.
fn circles<'a>(graph: &Graph<'a>) -> Vec<Vec<&'a Path>> {
    let mut told: BTreeSet<&Path> = BTreeSet::new();
    let mut circles = Vec::new();
    for &start in graph.keys() {
        if told.contains(start) {
            continue;
        }
        let Some(circle) = way(graph, start, start) else {
            continue;
        };
        told.extend(graph.keys().filter(|other| {
            **other == start || way(graph, start, other).is_some() && way(graph, other, start).is_some()
        }));
        circles.push(circle);
    }
    circles
}

/// The shortest way from a module to another along its imports, without the other itself.
fn way<'a>(graph: &Graph<'a>, from: &'a Path, to: &'a Path) -> Option<Vec<&'a Path>> {
    let mut came_from: BTreeMap<&Path, &'a Path> = BTreeMap::new();
    let mut next = VecDeque::from([from]);
    while let Some(here) = next.pop_front() {
        for &there in graph.get(here)?.keys() {
            if there == to {
                let mut way = vec![here];
                while let Some(&before) = came_from.get(way[way.len() - 1]).filter(|_| way[way.len() - 1] != from) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if there != from && !came_from.contains_key(there) {
                came_from.insert(there, here);
                next.push_back(there);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::workspace::Member;

    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let workspace = Workspace {
            members: vec![Member {
                name: "plimsoll-a".to_owned(),
                directory: "a".to_owned(),
                ..Member::default()
            }],
        };
        let mut violations = Vec::new();
        let files: Vec<_> = files
            .iter()
            .map(|(path, text)| (format!("a/src/{path}"), *text))
            .collect();
        let files: Vec<_> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        modules_import_one_way(&workspace, &Tree::of(&files), &mut Found::new("test", &mut violations));
        let found: Vec<_> = violations
            .iter()
            .map(|v| format!("{}: {}", v.path, v.message))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_circle_is_named_with_what_ties_it() {
        check(
            &[
                ("lib.rs", "mod event; mod kind; mod run;"),
                ("event.rs", "use crate::run::Kind;\npub(crate) struct Event(Kind);"),
                ("run.rs", "use crate::event::Event;\npub(crate) struct Kind;"),
                ("kind.rs", "use crate::run::Kind;"),
            ],
            &[
                "a/src/event.rs: modules import in a circle: event takes Kind from run (line 1), run takes Event from event (line 1)",
            ],
        );
    }

    #[test]
    fn a_name_that_is_passed_on_counts_for_its_origin() {
        let root = "mod plan; mod check; mod load; pub use load::Load; pub use plan::Plan;";
        let check_rs = "use crate::{Load, Plan};";
        let one_way = [
            ("lib.rs", root),
            ("check.rs", check_rs),
            ("load.rs", ""),
            ("plan.rs", "use crate::Load;"),
        ];
        check(&one_way, &[]);
        let circle = [
            ("lib.rs", root),
            ("check.rs", check_rs),
            ("load.rs", ""),
            ("plan.rs", "fn f() { crate::check::all() }"),
        ];
        check(
            &circle,
            &[
                "a/src/check.rs: modules import in a circle: check takes Plan from plan (line 1), plan takes all from check (line 1)",
            ],
        );
    }

    #[test]
    fn a_module_is_made_of_those_inside_it() {
        check(
            &[
                ("lib.rs", "mod page;"),
                ("page/mod.rs", "mod table; use table::Table; pub(super) struct Span;"),
                ("page/table.rs", "use super::Span; pub(crate) struct Table;"),
            ],
            &[],
        );
        check(
            &[
                ("main.rs", "mod page; mod words;"),
                ("page/mod.rs", "mod table; pub(crate) use table::Table;"),
                ("page/table.rs", "fn f() { vec![super::super::words::all()]; }"),
                ("words.rs", "use crate::page::Table;"),
            ],
            &[
                "a/src/page/table.rs: modules import in a circle: page::table takes all from words (line 1), words takes Table from page::table (line 1)",
            ],
        );
    }

    #[test]
    fn tests_and_other_crates_do_not_count() {
        check(
            &[
                ("lib.rs", "mod a; mod b;"),
                ("a.rs", "use crate::b::B; use std::fmt; pub(crate) struct A;"),
                (
                    "b.rs",
                    "pub(crate) struct B;\n#[cfg(test)]\nmod tests { use crate::a::A; use super::*; }",
                ),
                ("b/tests.rs", "use crate::a::A;"),
            ],
            &[],
        );
    }
}
