//! Which files were compiled, and by what: known by the helpers that a compiler writes at the beginning of a line, which nobody
//! writes by hand, and by lines that are minified.

use super::written::WRITTEN_LINE_BYTES_MAX;
use plimsoll_measure::Compiler;
use std::path::Path;

/// Lines that only these compilers begin so. A compiler that works with the helpers of another one comes before it.
const SIGNS: &[(Compiler, &[&str])] = &[
    (
        Compiler::Ncc,
        &[
            "function __nccwpck_require__(",
            "/******/ 	function __nccwpck_require__(",
        ],
    ),
    (
        Compiler::Webpack,
        &[
            "/******/ ",
            "function __webpack_require__(",
            "(__unused_webpack_module, __webpack_exports__",
            "/***/ ((__unused_webpack_module, __webpack_exports__",
            "\"use strict\";exports.id=",
            "\"use strict\";exports.ids=[",
        ],
    ),
    (
        Compiler::Rolldown,
        &[
            "//#region \\0rolldown/",
            "// \\0rolldown/",
            "var __commonJSMin = ",
            "var __esmMin = ",
            "var __exportAll = ",
        ],
    ),
    (
        Compiler::Bun,
        &[
            "// @bun",
            "var __toESMCache_node;",
            "function __accessProp(",
            "var __toESM = (mod, isNodeMode, target) => {",
            "var __commonJS = (cb, mod) => () =>",
        ],
    ),
    (
        Compiler::Esbuild,
        &[
            "var __commonJS = (cb, mod) => function __require() {",
            "var __esm = (fn, res",
            "var __toESM = (mod, isNodeMode, target) => (target =",
            "var __toCommonJS = (mod) => __copyProps(",
            "var __copyProps = (to, from, except, desc) =>",
            "var __defProp = Object.defineProperty;",
            "// Annotate the CommonJS export names for ESM import in node:",
            // sucrase, by which tsup makes CommonJS of several chunks.
            "\"use strict\";Object.defineProperty(exports, \"__esModule\", {value: true});",
        ],
    ),
    (
        Compiler::Typescript,
        &[
            "var __awaiter = (this && this.__awaiter) ||",
            "var __generator = (this && this.__generator) ||",
            "var __importDefault = (this && this.__importDefault) ||",
            "var __importStar = (this && this.__importStar) ||",
            "var __createBinding = (this && this.__createBinding) ||",
            "var __decorate = (this && this.__decorate) ||",
            "var __rest = (this && this.__rest) ||",
            "var __asyncValues = (this && this.__asyncValues) ||",
        ],
    ),
    (
        Compiler::Rollup,
        &[
            "function getDefaultExportFromCjs (",
            "function getAugmentedNamespace(",
            "function _interopNamespaceDefault(",
        ],
    ),
    (
        Compiler::Swc,
        &[
            "function _interop_require_default(",
            "function _interop_require_wildcard(",
            "function _export(target, all) {",
        ],
    ),
    (
        Compiler::Babel,
        &[
            "function _interopRequireDefault(",
            "function _interopRequireWildcard(",
            "function _regenerator(",
            "function asyncGeneratorStep(",
        ],
    ),
];

/// What the first line of code is followed by.
const SECOND_LINES: [(Compiler, &str, &str); 5] = [
    (
        Compiler::Typescript,
        "\"use strict\";",
        "Object.defineProperty(exports, \"__esModule\", { value: true });",
    ),
    (
        Compiler::Rollup,
        "'use strict';",
        "Object.defineProperty(exports, '__esModule', { value: true });",
    ),
    (
        Compiler::Rollup,
        "'use strict';",
        "Object.defineProperty(exports, Symbol.toStringTag, { value: 'Module' });",
    ),
    // Of swc by four blanks, of Babel by two, or by four as well.
    (
        Compiler::Swc,
        "\"use strict\";",
        "Object.defineProperty(exports, \"__esModule\", {\n    value: true\n});",
    ),
    (
        Compiler::Babel,
        "\"use strict\";",
        "Object.defineProperty(exports, \"__esModule\", {\n  value: true\n});",
    ),
];

/// How swc exports what Babel assigns.
const SWC_EXPORT: &str = "get: function()";

/// What stands in minified code of these compilers, all of it.
const MINIFIED: &[(Compiler, &[&str])] = &[
    (Compiler::Ncc, &["function __nccwpck_require__("]),
    (
        Compiler::Webpack,
        &["if(void 0!==", "{exports:{}};return ", ".exports}"],
    ),
    (
        Compiler::Esbuild,
        &["=Object.defineProperty;var ", "=Object.getOwnPropertyDescriptor;var "],
    ),
    (Compiler::Bun, &["getOwnPropertyNames:", "}=Object;var "]),
];

/// Lines after which nobody looks for the first line of code.
const HEAD_LINES: usize = 60;
/// Minified code has a function in so many bytes, at least, …
const FUNCTION_BYTES: usize = 600;
/// … and hardly a blank: this share at most.
const BLANK_SHARE_MAX: f64 = 0.08;
/// What made a file that has no source map; `None` where someone wrote it.
pub(super) fn compiler_of(file: &Path, text: &str) -> Option<Compiler> {
    if file.components().any(|part| part.as_os_str() == ".next") {
        return Some(Compiler::Next);
    }
    let signed = |signs: &[&str]| text.lines().any(|line| signs.iter().any(|sign| line.starts_with(sign)));
    let by_helper = SIGNS
        .iter()
        .find(|(_, signs)| signed(signs))
        .map(|(compiler, _)| *compiler);
    by_helper
        .or_else(|| by_first_lines(text))
        .or_else(|| has_paths(text).then_some(Compiler::Esbuild))
        .or_else(|| is_minified(text).then(|| minified_by(text)))
}

fn by_first_lines(text: &str) -> Option<Compiler> {
    let mut rest = text;
    for _ in 0..HEAD_LINES {
        let (line, after) = rest.split_once('\n')?;
        let is_next = |(_, first, second): &&(Compiler, &str, &str)| {
            line.trim_end() == *first && after.trim_start().starts_with(second)
        };
        if let Some((compiler, ..)) = SECOND_LINES.iter().find(is_next) {
            let is_babel = *compiler == Compiler::Swc && !text.contains(SWC_EXPORT);
            return Some(if is_babel { Compiler::Babel } else { *compiler });
        }
        rest = after;
    }
    None
}

/// Whether the parts of the file are headed by the files that they come from: `// src/a.js`.
fn has_paths(text: &str) -> bool {
    const EXTENSIONS: [&str; 8] = [".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"];
    let is_path = |path: &&str| {
        let is_file = EXTENSIONS.iter().any(|extension| path.ends_with(extension));
        is_file && path.contains('/') && !path.contains([' ', ':', '*'])
    };
    let mut paths = text.lines().filter_map(|line| line.strip_prefix("// ")).filter(is_path);
    let first = paths.next();
    first.is_some() && paths.any(|path| Some(path) != first)
}

/// Whether most of the file, long texts and data in a line aside, is lines as no one writes them: long, with many functions and hardly a
/// blank.
pub(super) fn is_minified(text: &str) -> bool {
    let (mut code, mut data) = (0, 0);
    for line in text.lines().filter(|line| line.len() > WRITTEN_LINE_BYTES_MAX) {
        let blanks = line.bytes().filter(|byte| *byte == b' ').count();
        let functions = line.matches("=>").count() + line.matches("){").count();
        if functions * FUNCTION_BYTES < line.len() {
            // Such as a table of types of files, which a bundle has in a line of its own.
            data += line.len();
        } else if (blanks as f64) <= line.len() as f64 * BLANK_SHARE_MAX {
            code += line.len();
        }
    }
    code > 0 && code * 2 > text.len() - data
}

fn minified_by(text: &str) -> Compiler {
    let holds = |signs: &[&str]| signs.iter().all(|sign| text.contains(sign));
    let known = MINIFIED.iter().find(|(_, signs)| holds(signs));
    known.map_or(Compiler::Unknown, |(compiler, _)| *compiler)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the tools made of one program: see the README beside them.
    fn outputs() -> Vec<(String, String)> {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiled");
        let mut outputs = Vec::new();
        for entry in std::fs::read_dir(directory).expect("it can be listed").flatten() {
            let name = entry.file_name().into_string().expect("text");
            if let Some(stem) = name.strip_suffix(".txt") {
                let text = std::fs::read_to_string(entry.path()).expect("it can be read");
                outputs.push((stem.to_owned(), text));
            }
        }
        outputs.sort();
        outputs
    }

    #[test]
    fn outputs_are_known_by_their_helpers() {
        let found: Vec<String> = outputs()
            .into_iter()
            .map(|(name, text)| format!("{name}: {:?}", compiler_of(Path::new("/srv/dist/main.js"), &text)))
            .collect();
        let expected = [
            "babel: Some(Babel)",
            "bun: Some(Bun)",
            "bun-minified: Some(Bun)",
            "esbuild: Some(Esbuild)",
            "esbuild-esm: Some(Esbuild)",
            "esbuild-file: Some(Esbuild)",
            "esbuild-minified: Some(Esbuild)",
            "ncc: Some(Ncc)",
            "ncc-minified: Some(Ncc)",
            "rollup: Some(Rollup)",
            "rollup-file: Some(Rollup)",
            "rollup-minified: Some(Unknown)",
            "swc: Some(Swc)",
            "swc-plain: Some(Swc)",
            "tsc-es2022: Some(Typescript)",
            "tsc-helpers: Some(Typescript)",
            "tsc-plain: Some(Typescript)",
            "tsup: Some(Esbuild)",
            "vite: Some(Rolldown)",
            "vite-minified: Some(Unknown)",
            "webpack-chunk: Some(Webpack)",
            "webpack-development: Some(Webpack)",
            "webpack-minified: Some(Webpack)",
            "webpack-minified-chunk: Some(Webpack)",
        ];
        assert_eq!(found, expected);
        let next = Path::new("/srv/.next/server/chunks/12.js");
        assert_eq!(compiler_of(next, ""), Some(Compiler::Next));
    }

    /// Services of this repository and their libraries.
    #[test]
    fn what_someone_wrote_is_not_compiled() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut open = vec![root.join("tests/corpus"), root.join("services"), root.join("probe/src")];
        let mut looked = 0;
        while let Some(directory) = open.pop() {
            for entry in std::fs::read_dir(directory).expect("it can be listed").flatten() {
                let path = entry.path();
                let name = entry.file_name().into_string().expect("text");
                if path.is_dir() && name != "node_modules" && !name.starts_with('.') {
                    open.push(path);
                } else if [".js", ".mjs", ".cjs", ".ts"].iter().any(|end| name.ends_with(end)) {
                    let text = std::fs::read_to_string(&path).expect("it can be read");
                    assert_eq!(compiler_of(&path, &text), None, "{}", path.display());
                    looked += 1;
                }
            }
        }
        assert!(looked > 50, "{looked}");
    }

    /// Such as a table of types of files, which takes more room than the code of many a bundle.
    #[test]
    fn data_in_a_line_does_not_hide_minified_code() {
        let minified = outputs().into_iter().find(|(name, _)| name == "webpack-minified");
        let (_, text) = minified.expect("it is there");
        let data = format!("module.exports={{{}}};", "\"text/plain\":{},".repeat(1000));
        for bundle in [format!("{text}\n{data}\n"), format!("{data}\n{text}")] {
            assert_eq!(
                compiler_of(Path::new("/srv/dist/main.js"), &bundle),
                Some(Compiler::Webpack)
            );
        }
        assert_eq!(compiler_of(Path::new("/srv/types.js"), &data), None);
    }

    #[test]
    fn babel_may_indent_as_swc_does() {
        let text = "\"use strict\";\n\nObject.defineProperty(exports, \"__esModule\", {\n    value: true\n});\nexports.a = a;\n";
        assert_eq!(compiler_of(Path::new("/srv/dist/a.js"), text), Some(Compiler::Babel));
    }

    #[test]
    fn what_only_names_a_compiler_is_not_compiled() {
        let page = format!(
            "const page = '<p>{}</p>';\nmodule.exports = page;\n",
            "some text, ".repeat(200)
        );
        for text in [
            "const load = typeof __webpack_require__ === 'function' ? __non_webpack_require__ : require;\n",
            "// src/app.js\nimport http from 'node:http';\n",
            "'use strict';\nmodule.exports = { __esModule: true };\n",
            "//#region Helpers\nfunction a() {}\n//#endregion\n",
            &page,
            "",
        ] {
            assert_eq!(compiler_of(Path::new("/srv/app.js"), text), None, "{text}");
        }
    }
}
