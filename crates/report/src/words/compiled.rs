//! Words for code that was compiled without source maps.

use plimsoll_measure::Compiler;

/// Whose output it is, and how it makes source maps.
const fn of(compiler: Compiler) -> (&'static str, &'static str) {
    match compiler {
        Compiler::Esbuild => ("esbuild or tsup", "`--sourcemap`"),
        Compiler::Webpack => ("webpack", "`devtool: 'source-map'`"),
        Compiler::Next => (
            "Next.js",
            "`experimental: { serverSourceMaps: true }`, and `productionBrowserSourceMaps: true` for the browser, in next.config.js",
        ),
        Compiler::Ncc => ("ncc", "`--source-map`"),
        Compiler::Rollup => (
            "Rollup or Vite",
            "`output.sourcemap: true` or `--sourcemap`, with Vite `build.sourcemap: true`",
        ),
        Compiler::Rolldown => (
            "Rolldown or Vite",
            "`output.sourcemap: true` or `--sourcemap`, with Vite `build.sourcemap: true`",
        ),
        Compiler::Typescript => ("TypeScript", "`\"sourceMap\": true` in tsconfig.json"),
        Compiler::Swc => ("swc", "`\"sourceMaps\": true` in .swcrc or `--source-maps`"),
        Compiler::Babel => ("Babel", "`--source-maps`, or `sourceMaps: true` in its options"),
        Compiler::Bun => ("Bun", "`--sourcemap=linked`"),
        Compiler::Unknown => ("", ""),
    }
}

/// `compiled code of webpack, build with source maps: …`.
pub(crate) fn compiled(compiler: Compiler) -> String {
    match of(compiler) {
        ("", _) => "compiled code (bundler unknown), build with source maps".to_owned(),
        (name, how) => format!("compiled code of {name}, build with source maps: {how}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_compiler_says_how_it_makes_maps() {
        let texts: Vec<String> = Compiler::ALL.into_iter().map(compiled).collect();
        for (compiler, text) in Compiler::ALL.into_iter().zip(&texts) {
            assert_eq!(text.contains('`'), compiler != Compiler::Unknown, "{text}");
            assert_eq!(texts.iter().filter(|other| *other == text).count(), 1, "{text}");
        }
    }
}
