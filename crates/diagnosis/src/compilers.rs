//! Functions of packages that make something of what they are given: a schema of its parts, where that is no time of validating, and a
//! function of a template. Those that the probe counts are told by their names where nothing was counted.

use plimsoll_findings::CauseKind;

const PACKAGE: &str = "zod";
/// What prepares a schema when it is used first.
const PREPARES: &str = "generateFastpass";
/// Functions and methods that return a schema.
const BUILDERS: [&str; 57] = [
    "_default",
    "_enum",
    "and",
    "any",
    "array",
    "base64",
    "bigint",
    "boolean",
    "brand",
    "catch",
    "catchall",
    "check",
    "create",
    "date",
    "datetime",
    "default",
    "discriminatedUnion",
    "email",
    "enum",
    "extend",
    "gt",
    "gte",
    "int",
    "intersection",
    "lazy",
    "length",
    "literal",
    "looseObject",
    "lt",
    "lte",
    "map",
    "max",
    "merge",
    "min",
    "nativeEnum",
    "nonempty",
    "nullable",
    "nullish",
    "number",
    "object",
    "omit",
    "optional",
    "or",
    "partial",
    "pick",
    "positive",
    "record",
    "refine",
    "regex",
    "set",
    "strictObject",
    "string",
    "transform",
    "tuple",
    "union",
    "url",
    "uuid",
];

/// Template engines, and what those of their functions are called that compile.
const ENGINES: [(&str, &[&str]); 9] = [
    ("dot", &["template", "compile"]),
    ("ejs", &["compile"]),
    ("eta", &["compile"]),
    ("handlebars", &["compile", "compileInput", "precompile", "parse"]),
    ("lodash", &["template"]),
    ("mustache", &["parse", "parseTemplate"]),
    ("nunjucks", &["compile", "_compile"]),
    ("pug", &["compile", "compileBody"]),
    ("underscore", &["template"]),
];

/// Validators and serialisers that compile schemas, and what those of their functions are called.
const VALIDATORS: [(&str, &[&str]); 7] = [
    (
        "ajv",
        &["compile", "_compileSchemaEnv", "compileSchema", "addMetaSchema"],
    ),
    ("ajv-draft-04", &["compile", "_compileSchemaEnv"]),
    ("@hapi/joi", &["compile"]),
    ("fast-json-stringify", &["build"]),
    ("fastest-validator", &["compile"]),
    ("is-my-json-valid", &["filter"]),
    ("joi", &["compile"]),
];

/// What it is called as a cause that a function of a package compiles a template or a schema: `exports.compile`, `Template.compile`.
pub(crate) fn compiles(package: &str, function: &str) -> Option<CauseKind> {
    let name = function.rsplit('.').next().unwrap_or_default();
    let is_one_of = |packages: &[(&str, &[&str])]| {
        let mut packages = packages.iter();
        packages.any(|(of, functions)| *of == package && functions.contains(&name))
    };
    if is_one_of(&ENGINES) {
        return Some(CauseKind::ModuleOrTemplatePerRequest);
    }
    is_one_of(&VALIDATORS).then_some(CauseKind::ConstructedPerRequest)
}

/// Whether a function of a package builds a schema, by what it is called there: `object`, `inst.optional`, `ZodObject.create`.
pub(crate) fn builds(package: &str, function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or_default();
    package == PACKAGE && (BUILDERS.contains(&name) || is_class(function) || prepares(name))
}

/// Its constructors: `ZodString`, `new ZodObject`, `$ZodType`. What begins so and has a dot is a method, which may validate.
fn is_class(function: &str) -> bool {
    let name = function.strip_prefix("new ").unwrap_or(function);
    name.trim_start_matches('$').starts_with("Zod") && !name.contains('.')
}

/// Whether a function does what is done when a schema is used first.
pub(crate) fn prepares(function: &str) -> bool {
    function == PREPARES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn building_is_told_from_validating() {
        for function in [
            "object",
            "inst.optional",
            "ZodObject.create",
            "ZodType",
            "$ZodString",
            "new ZodNumber",
            "generateFastpass",
        ] {
            assert!(builds("zod", function), "{function}");
        }
        for function in [
            "parse",
            "inst.safeParse",
            "inst._zod.run",
            "ZodObject._parse",
            "handlePropertyResult",
            "",
        ] {
            assert!(!builds("zod", function), "{function}");
        }
        assert!(!builds("lodash", "map"));
    }

    #[test]
    fn compiling_is_told_from_using_what_was_compiled() {
        let (template, schema) = (CauseKind::ModuleOrTemplatePerRequest, CauseKind::ConstructedPerRequest);
        for (package, function, expected) in [
            ("ejs", "exports.compile", Some(template)),
            ("ejs", "Template.compile", Some(template)),
            ("lodash", "template", Some(template)),
            ("ajv", "Ajv._compileSchemaEnv", Some(schema)),
            ("ejs", "exports.renderFile", None),
            ("ajv", "validate", None),
            ("lodash", "map", None),
        ] {
            assert_eq!(compiles(package, function), expected, "{package} {function}");
        }
    }
}
