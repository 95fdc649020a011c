use super::*;

fn words(script: &str) -> Vec<Vec<String>> {
    let text = |word: &Text| {
        word.as_literal()
            .map_or_else(|| format!("{:?}", word.pieces()), str::to_owned)
    };
    let script = read(script).expect(script);
    script
        .commands
        .iter()
        .map(|command| command.words.iter().map(text).collect())
        .collect()
}

#[test]
fn words_are_split_as_bash_does() {
    for (script, expected) in [
        ("a 'b c' \"d e\" f\\ g", vec![vec!["a", "b c", "d e", "f g"]]),
        ("a \\\n  b\\\n  c", vec![vec!["a", "b", "c"]]),
        ("a \\  \n b", vec![vec!["a", "b"]]),
        (
            "a; b && c | d # e\nf",
            vec![vec!["a"], vec!["b"], vec!["c"], vec!["d"], vec!["f"]],
        ),
        ("a \"x\\\"y\\n\" 'it'\\''s'", vec![vec!["a", "x\"y\\n", "it's"]]),
        ("a > file 2>/dev/null b", vec![vec!["a", "b"]]),
        (
            "a $'it\\'s \\u00e9 \\ud83d\\ude00 \\x41 \\101 \\n|'",
            vec![vec!["a", "it's é 😀 A A \n|"]],
        ),
        ("a ''", vec![vec!["a", ""]]),
        ("a $ x$", vec![vec!["a", "$", "x$"]]),
    ] {
        assert_eq!(words(script), expected, "{script}");
    }
}

#[test]
fn variables_keep_their_names_and_single_quotes_their_text() {
    let script = read("a \"Bearer $TOKEN\" ${X:-y}/z '$T' $(pass show x)").expect("words");
    assert_eq!(script.defaults, [("X".to_owned(), Text::literal("y"))]);
    let names: Vec<Vec<&str>> = script.commands[0]
        .words
        .iter()
        .map(|word| word.variables().collect())
        .collect();
    assert_eq!(
        names,
        [vec![], vec!["TOKEN"], vec!["X"], vec![], vec!["$(pass show x)"]]
    );
}

#[test]
fn texts_below_a_command_are_what_it_reads() {
    let script = "a <<EOF | b\n{\"x\": \"$X\", \"it's\": \\$1}\nEOF\nc <<-'END' >d\n$Y\n\tEND\ne <<< \"$Z\"\n";
    let script = read(script).expect("commands");
    let shown = |command: &Command| {
        let input = command.input.as_ref().map(|text| format!("{:?}", text.pieces()));
        (
            command.words[0].as_literal().unwrap_or_default().to_owned(),
            input.unwrap_or_default(),
            command.link,
        )
    };
    let shown: Vec<_> = script.commands.iter().map(shown).collect();
    let literal = |text: &str| format!("Literal({text:?})");
    let expanded = [
        literal("{\"x\": \""),
        "Variable(\"X\")".to_owned(),
        literal("\", \"it's\": $1}\n"),
    ];
    assert_eq!(
        shown,
        [
            ("a".to_owned(), format!("[{}]", expanded.join(", ")), Link::None),
            ("b".to_owned(), String::new(), Link::Pipe),
            ("c".to_owned(), format!("[{}]", literal("$Y\n")), Link::None),
            ("e".to_owned(), "[Variable(\"Z\")]".to_owned(), Link::None),
        ]
    );
}

#[test]
fn parentheses_between_quotes_are_text() {
    let script = read("x=$(curl -d '{\"a\": \":)\"}' \"$B\") y").expect("commands");
    let names: Vec<&str> = script.commands[0].words[0].variables().collect();
    assert_eq!(names, ["$(curl -d '{\"a\": \":)\"}' \"$B\")"]);
    assert_eq!(script.commands[0].words[1].as_literal(), Some("y"));
}

#[test]
fn unclosed_quote_is_an_error_with_its_line() {
    for script in ["a\nb 'c", "a\nb \"c", "a\nb $'c", "a\nb ${c", "a\nb $(c"] {
        let error = read(script).expect_err(script);
        assert!(error.to_string().starts_with("2: "), "{error}");
    }
}
