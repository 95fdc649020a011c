//! Expressions, and what becomes of them.

use super::*;
use proptest::prelude::*;

/// A condition in short, or why there is none.
fn shown(holds: &Holds) -> String {
    let text = |text: &Text| {
        let pieces = text.pieces().iter().map(|piece| match piece {
            Piece::Literal(text) => text.clone(),
            Piece::Variable(name) | Piece::Environment(name) => format!("<{name}>"),
        });
        pieces.collect::<String>()
    };
    let several = |several: &[Holds]| several.iter().map(shown).collect::<Vec<_>>().join(", ");
    match holds {
        Holds::Always => "always".to_owned(),
        Holds::Never => "never".to_owned(),
        Holds::Compared(left, relation, right) => format!("{} {} '{}'", text(left), relation.word(), text(right)),
        Holds::All(all) => format!("all({})", several(all)),
        Holds::Any(any) => format!("any({})", several(any)),
        Holds::Not(one) => format!("not({})", shown(one)),
    }
}

fn alone(value: Text) -> Holds {
    Holds::compared(value, Relation::Is, Text::literal("true"))
}

#[track_caller]
fn check(syntax: Syntax, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let read = read(text, syntax, &alone);
        assert_eq!(read.as_ref().map_or("none".to_owned(), shown), *expected, "{text}");
    }
}

#[test]
fn expressions_with_dollars_are_read() {
    check(
        Syntax::Dollars,
        &[
            (r#""${state}" == "open""#, "<state> is 'open'"),
            (r#"vars.get("state") == 'open'"#, "<state> is 'open'"),
            (r#"vars.get('state').equals("open")"#, "<state> is 'open'"),
            (r#""open".equals(vars.get('state'))"#, "<state> is 'open'"),
            (r#"!vars.get("state").equals("open")"#, "<state> is not 'open'"),
            ("${count} == 3", "<count> is '3'"),
            ("2!=${count}", "<count> is not '2'"),
            ("${a} === '5'", "<a> is '5'"),
            (r#""${state}" == """#, "<state> is ''"),
            (r#""${a}" == "${b}""#, "<a> is '<b>'"),
            ("${left} > 5", "<left> above '5'"),
            ("5 <= ${left}", "<left> at least '5'"),
            ("0${tries} < 10", "0<tries> below '10'"),
            ("${left} gt -2.5", "<left> above '-2.5'"),
            (r#"vars.get("n").toInteger() >= 3"#, "<n> at least '3'"),
            (r#"(vars.get("n") as int) < 3"#, "<n> below '3'"),
            (r#"Integer.parseInt(vars.get("n")) < 3"#, "<n> below '3'"),
            (r#"parseInt("${n}") < ${most}"#, "<n> below '<most>'"),
            (
                r#""${a}" == "x" && ("${b}" == "y" || ${n} < 3)"#,
                "all(<a> is 'x', any(<b> is 'y', <n> below '3'))",
            ),
            (
                "${a} == 1 and not (${n} lt 3) or ${b} eq 2",
                "any(all(<a> is '1', not(<n> below '3')), <b> is '2')",
            ),
            (r#"("${a}" == "x") == false"#, "<a> is not 'x'"),
            ("${more}", "<more> is 'true'"),
            ("!${more} && true", "<more> is not 'true'"),
            ("${JMeterThread.last_sample_ok}", "always"),
            ("${JMeterThread.last_sample_ok}==false", "never"),
            (r#""${__P(first,TRUE)}" == "TRUE""#, "always"),
            (r#""${__P(sampler,)}" != "Java""#, "always"),
            ("${__threadNum()} == 3", "<__threadNum()> is '3'"),
            ("${__jm__pages__idx} == 3", "<__jm__pages__idx> is '3'"),
        ],
    );
}

#[test]
fn what_plans_have_nothing_like_is_no_condition() {
    for text in [
        "",
        "==",
        "condition",
        r#""${n}" < "10""#,
        "${__Random(1,9)} > 3",
        "${__P(a,${b})} == 1",
        "ready()",
        r#""${__P(first)}" == "TRUE""#,
        "org.apache.SystemUtils.IS_OS_LINUX",
        r#"vars.get("a").contains("b")"#,
        r#""${a}" == "b\"c""#,
        "${a} == 1 ${b}",
        "(${a} == 1",
        "${a == 1",
        "5x == ${a}",
        "${a} =~ 'b'",
        "${a} == ",
        "${a} && ",
        &"(".repeat(5_000),
        &["${a} == 1"; 101].join(" || "),
        &format!("{}${{a}}", "!".repeat(100)),
    ] {
        check(Syntax::Dollars, &[(text, "none")]);
    }
}

#[test]
fn expressions_with_names_are_read() {
    check(
        Syntax::Names,
        &[
            ("page < 10", "<page> below '10'"),
            (
                "page >= 2 and not (kind == \"red\")",
                "all(<page> at least '2', <kind> is not 'red')",
            ),
            ("done or notes != 'x'", "any(<done> is 'true', <notes> is not 'x')"),
            ("vars == 1", "<vars> is '1'"),
            ("user.name == 1", "none"),
            ("random(1) > 2", "none"),
        ],
    );
}

#[test]
fn deep_expressions_are_read_once() {
    // Each level would be read twice if it were read to see what it is.
    let text = format!("{}${{a}} == 1{}", "(".repeat(19), ")".repeat(19));
    check(Syntax::Dollars, &[(&text, "<a> is '1'")]);
}

proptest! {
    #[test]
    fn any_text_is_an_expression_or_is_not(text in "[ ()a-c1!&|<>=.'\"${}]{0,40}") {
        for syntax in [Syntax::Dollars, Syntax::Names] {
            let _ = read(&text, syntax, &alone);
        }
    }
}
