//! What made code out of other code.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A compiler or bundler, as far as its output says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Compiler {
    /// esbuild, and tsup, which calls it.
    Esbuild,
    /// webpack, and rspack, whose output is the same.
    Webpack,
    /// Next.js.
    Next,
    /// ncc.
    Ncc,
    /// Rollup, and Vite, which calls it.
    Rollup,
    /// Rolldown, and Vite, which calls it since version 8.
    Rolldown,
    /// The TypeScript compiler.
    Typescript,
    /// swc.
    Swc,
    /// Babel.
    Babel,
    /// Bun.
    Bun,
    /// Something that minifies.
    Unknown,
}

impl Compiler {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Esbuild,
        Self::Webpack,
        Self::Next,
        Self::Ncc,
        Self::Rollup,
        Self::Rolldown,
        Self::Typescript,
        Self::Swc,
        Self::Babel,
        Self::Bun,
        Self::Unknown,
    ];
}
