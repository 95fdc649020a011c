use super::*;

fn words(script: &str) -> Vec<Vec<String>> {
    let text = |word: &Word| {
        let literal = word.text.as_literal();
        literal.map_or_else(|| format!("{:?}", word.text.pieces()), str::to_owned)
    };
    let commands = read(script, &mut Expansions::default()).expect(script);
    commands
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
        ("a 1 > file b", vec![vec!["a", "1", "b"]]),
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
    let script = "a \"Bearer $TOKEN\" ${X:-y}/z '$T' $(pass show x) $1 \"${A[@]}\" ${B%/} ${C:?no C}";
    let mut expansions = Expansions::default();
    let commands = read(script, &mut expansions).expect("words");
    let names: Vec<&str> = commands[0]
        .words
        .iter()
        .flat_map(|word| word.text.variables())
        .collect();
    assert_eq!(names, ["TOKEN", "X…", "$(pass …)", "1", "A[@]", "B…", "C"]);
    let default = matches!(expansions.get("X…"), Some(Expansion::Default(default)) if default.of == "X" && default.text == Text::literal("y"));
    assert!(default, "{expansions:?}");
    let bare: Vec<&String> = commands[0].words.iter().flat_map(|word| &word.bare).collect();
    assert_eq!(bare, ["X…", "$(pass …)", "1", "B…", "C"]);
}

#[test]
fn braces_between_quotes_are_text() {
    for (script, expected) in [
        ("a ${1:-'{\"name\":\"x\"}'} b", "{\"name\":\"x\"}"),
        ("a ${X:-\"{'n':1}\"} b", "{'n':1}"),
        ("a ${X:='it}'} b", "it}"),
        ("a \"${X:-it's}\" b", "it's"),
    ] {
        let mut expansions = Expansions::default();
        let commands = read(script, &mut expansions).expect(script);
        let name = commands[0].words[1].text.as_variable().expect(script);
        let default = expansions.get(name);
        let is_it = matches!(default, Some(Expansion::Default(default)) if default.text == Text::literal(expected));
        assert!(is_it, "{script}: {default:?}");
        assert_eq!(commands[0].words[2].text.as_literal(), Some("b"), "{script}");
    }
}

#[test]
fn text_that_commands_only_repeat_is_text() {
    let script = "a \"$(cat <<EOF\n{\"x\": \"it's :)\"}\nEOF\n)\" $(echo b c) `printf %s 'd'` $(echo $E) $(cat f)\n\"$(cat <<'F'\n$G\nF)\"";
    assert_eq!(
        words(script),
        [
            vec![
                "a",
                "{\"x\": \"it's :)\"}",
                "b c",
                "d",
                "[Variable(\"$(echo …)\")]",
                "[Variable(\"$(cat …)\")]"
            ],
            vec!["$G"]
        ]
    );
}

#[test]
fn what_the_same_commands_print_has_one_name() {
    let script = "a $(cat x) $(cat y) `cat x` $(A=b /bin/cat z) $('a;b')";
    let commands = read(script, &mut Expansions::default()).expect("words");
    let names: Vec<&str> = commands[0]
        .words
        .iter()
        .flat_map(|word| word.text.variables())
        .collect();
    assert_eq!(names, ["$(cat …)", "$(cat …) #2", "$(cat …)", "$(cat …) #3", "$( …)"]);
}

#[test]
fn words_between_parentheses_are_a_list() {
    let commands = read("A=(-s -H \"x: y\" # z\n $B)\nc", &mut Expansions::default()).expect("words");
    let list = commands[0].words[0].list.as_deref().expect("a list");
    assert_eq!(list.len(), 4);
    assert_eq!(list[2].text.as_literal(), Some("x: y"));
    assert_eq!(commands[1].words[0].text.as_literal(), Some("c"));
}

#[test]
fn texts_below_a_command_are_what_it_reads() {
    let script = "a <<EOF | b\n{\"x\": \"$X\", \"it's\": \\$1}\nEOF\nc <<-'END' >d\n$Y\n\tEND\ne <<< \"$Z\"\n";
    let commands = read(script, &mut Expansions::default()).expect("commands");
    let shown = |command: &Command| {
        let input = command.input.as_ref().map(|text| format!("{:?}", text.pieces()));
        (
            command.words[0].text.as_literal().unwrap_or_default().to_owned(),
            input.unwrap_or_default(),
            command.link,
        )
    };
    let shown: Vec<_> = commands.iter().map(shown).collect();
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
    let commands = read("x=$(curl -d '{\"a\": \":)\"}' \"$B\") y", &mut Expansions::default()).expect("commands");
    let names: Vec<&str> = commands[0].words[0].text.variables().collect();
    assert_eq!(names, ["$(curl …)"]);
    assert_eq!(commands[0].words[1].text.as_literal(), Some("y"));
}

#[test]
fn unclosed_quote_is_an_error_with_its_line() {
    for script in [
        "a\nb 'c", "a\nb \"c", "a\nb $'c", "a\nb ${c", "a\nb $(c", "a\nb `c", "a\nb=(c",
    ] {
        let error = read(script, &mut Expansions::default()).expect_err(script);
        assert!(error.to_string().starts_with("2: "), "{error}");
    }
}
