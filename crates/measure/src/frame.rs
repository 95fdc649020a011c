//! A place in code, as a profiler names it.

/// A function, or what the engine does by itself, such as `(garbage collector)`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Frame {
    /// Its name; empty for an anonymous function.
    pub function: String,
    /// Path of its file, or `node:…`; empty for native code and for what the engine does by itself.
    pub file: String,
    /// Line where it begins, from 1; 0 when it is nowhere.
    pub line: u32,
    /// Column where it begins, from 1; 0 when it is nowhere.
    pub column: u32,
}

/// The package that a file belongs to: `/app/node_modules/@a/b/index.js` is of `@a/b`.
#[must_use]
pub fn package_of(file: &str) -> Option<&str> {
    let (_, inside) = file.rsplit_once("node_modules/")?;
    let parts = if inside.starts_with('@') { 2 } else { 1 };
    let (end, _) = inside.match_indices('/').nth(parts - 1)?;
    Some(&inside[..end])
}
