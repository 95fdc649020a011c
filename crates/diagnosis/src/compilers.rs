//! Functions of packages that make something of what they are given: a schema of its parts, where that is no time of validating, and a
//! function of a template. Those that the probe counts are told by their names where nothing was counted.

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

/// Whether a function of a package compiles a template: `exports.compile`, `Template.compile`.
pub(crate) fn compiles(package: &str, function: &str) -> bool {
    let name = function.rsplit('.').next().unwrap_or_default();
    let engine = ENGINES.iter().find(|(engine, _)| *engine == package);
    engine.is_some_and(|(_, functions)| functions.contains(&name))
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
    fn compiling_a_template_is_told_from_using_it() {
        for (package, function) in [
            ("ejs", "exports.compile"),
            ("ejs", "Template.compile"),
            ("lodash", "template"),
        ] {
            assert!(compiles(package, function), "{package} {function}");
        }
        for (package, function) in [("ejs", "exports.renderFile"), ("ajv", "compile"), ("lodash", "map")] {
            assert!(!compiles(package, function), "{package} {function}");
        }
    }
}
