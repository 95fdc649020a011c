//! Shell scripts with curl: what their variables, quotes and commands inside of others make of requests.

mod variables;

use plimsoll_import::{Format, Options, Source, import};
use std::fmt::Write as _;

const OPTIONS: Options<'static> = Options {
    url: None,
    body_file: &str::to_owned,
};

fn of_script(text: &str) -> Source<'_> {
    Source {
        name: "script.sh",
        text,
        format: Some(Format::Curl),
        environment: None,
        writes: false,
        files: &|_| None,
    }
}

/// The requests of the plan that a script becomes, its target, and what is said about it.
#[track_caller]
fn imported(script: &str) -> String {
    let imported = import(&of_script(script), &OPTIONS).unwrap_or_else(|error| panic!("{error} in\n{script}"));
    let plan = imported.plan.split("\n# Used by").next().unwrap_or_default();
    let mut text = plan.replace(
        "\n\n# Objectives to judge, most important first.\nobjectives:\n  - p99 <= 100ms\n  - errors = 0",
        "",
    );
    for needed in &imported.needed {
        let _ = write!(text, "\nneeds {}: {}", needed.name, needed.why);
    }
    for left_out in &imported.left_out {
        let _ = write!(text, "\nleft out {left_out}");
    }
    text
}

/// A script, what stands in the plan or is said, and what does not, in upper or lower case.
type Case<'a> = (&'a str, &'a [&'a str], &'a [&'a str]);

#[track_caller]
fn check(cases: &[Case<'_>]) {
    for (script, expected, unexpected) in cases {
        let text = imported(script);
        for words in *expected {
            assert!(text.contains(words), "no {words} in\n{text}\nof\n{script}");
        }
        for words in *unexpected {
            let is_in = text.to_lowercase().contains(&words.to_lowercase());
            assert!(!is_in, "{words} in\n{text}\nof\n{script}");
        }
    }
}

const HERE: &str = "http://localhost:3000";

#[test]
fn secrets_in_commands_inside_of_words_stay_out() {
    check(&[
        (
            "curl http://localhost:3000/login -d \"$(cat <<EOF\n{\"user\":\"admin\",\"password\":\"Tr0ub4dor\"}\nEOF\n)\"",
            &["json: { user: \"admin\", password: \"${env.PASSWORD}\" }"],
            &["Tr0ub4dor"],
        ),
        (
            "curl -H \"Authorization: Bearer $(printf '%s' 'winter-sale-2024')\" http://localhost:3000/me",
            &["Bearer ${env.BEARER_TOKEN}"],
            &["winter-sale", "winter_sale"],
        ),
        (
            "curl -H \"Authorization: Bearer $(vault read -field=x winter-sale-2024)\" http://localhost:3000/me",
            &["${env.VAULT}", "`$(vault …)`"],
            &["winter-sale", "winter_sale"],
        ),
        (
            "curl http://localhost:3000/a -H \"X-Sig: `echo -n Tr0ub4dor | openssl dgst -hmac winter-sale`\"",
            &["${env.ECHO}"],
            &["Tr0ub4dor", "winter"],
        ),
        (
            "curl http://localhost:3000/a?k=${PASS:=Tr0ub4dor} -u me:${PASS/Tr0ub4dor/winter} -b sid=${X:?say Tr0ub4dor}",
            &["path: /a?k="],
            &["winter", "say"],
        ),
        (
            "curl http://localhost:3000/a -H \"X-Api-Key: ${API_KEY:-Tr0ub4dor}\" -H \"X: ${API_KEY%Tr0ub4dor}\"",
            &["${env.API_KEY}"],
            &["Tr0ub4dor"],
        ),
    ]);
}

#[test]
fn secrets_with_unknown_parts_stay_out() {
    for used in [
        "-H \"X-Foo: $PASSWORD\" http://localhost:3000/a",
        "\"http://localhost:3000/a?q=$PASSWORD\"",
        "-d \"q=$PASSWORD\" http://localhost:3000/a",
        "--json \"{\\\"q\\\":\\\"$PASSWORD\\\"}\" http://localhost:3000/a",
        "-F \"q=$PASSWORD\" http://localhost:3000/a",
        "-H \"X-Foo: ${MY_TOKEN:-Tr0ub4dor$Z}\" http://localhost:3000/a",
        "-H \"X-Foo: ${MY_TOKEN:-$Z-Tr0ub4dor}\" http://localhost:3000/a",
    ] {
        let text = imported(&format!("PASSWORD=\"Tr0ub4dor-${{STAGE}}\"\ncurl {used}"));
        assert!(!text.contains("Tr0ub"), "{used} in\n{text}");
        assert!(
            text.contains("${env.PASSWORD}${env.STAGE}") || text.contains("env.MY_TOKEN"),
            "{used} in\n{text}"
        );
    }
    check(&[
        (
            "MY_SECRET=\"X-A: winter-sale$Z\"\ncurl -H \"$MY_SECRET\" http://localhost:3000/b",
            &["X-A: \"${env.MY_SECRET}${env.Z}\""],
            &["winter"],
        ),
        (
            "AUTH_TOKEN=\"Authorization: Bearer $T\"\nC_TOKEN=\"sid=$A; user_id=$B\"\ncurl -H \"$AUTH_TOKEN\" -H \"X-C: $C_TOKEN\" http://localhost:3000/b",
            &["Authorization: Bearer ${env.T}", "sid=${env.A}; user_id=${env.B}"],
            &["AUTH_TOKEN"],
        ),
        (
            "TOKEN_OPTIONS=\"-s -H 'X-A: winter-sale-$Z' -um:Tr0ub-$Y\"\ncurl $TOKEN_OPTIONS http://localhost:3000/b",
            &["X-A: \"${env.TOKEN_OPTIONS}${env.Z}\"", "path: /b"],
            &["winter", "Tr0ub"],
        ),
        (
            "DB_URL=postgres://u:Tr0ub4dor@h/db\ncurl -H \"X-Q: $DB_URL\" -d \"{\\\"u\\\":\\\"redis://:Winter-Sale$N@h:6379\\\"}\" 'http://localhost:3000/?to=http://h:80/x&b=[::1]'",
            &["postgres://u:${env.URL_PASSWORD}@h/db", "to=http://h:80/x"],
            &["Tr0ub", "winter"],
        ),
        (
            "DB_PASSWORD=my secretpw\ncurl http://localhost:3000/a; A=b sleep 1",
            &["left out 1: a command", "left out 2: `sleep`"],
            &["secretpw"],
        ),
    ]);
}

#[test]
fn each_request_has_what_a_variable_had_then() {
    check(&[
        (
            "BASE=http://localhost:3000\nD='{\"n\":\"a\"}'\ncurl $BASE/i -d \"$D\"\nD='{\"n\":\"b\"}'\ncurl $BASE/i -d \"$D\"",
            &["json: { \"n\": \"a\" }", "json: { \"n\": \"b\" }"],
            &["weight"],
        ),
        (
            "N=first; curl http://localhost:3000/u/$N; N=second; curl http://localhost:3000/u/$N; U=\"http://localhost:3000/$N/x\"; N=third; curl $U",
            &["/u/first", "/u/second", "path: /second/x"],
            &["third"],
        ),
        (
            "TOKEN=winter-sale\ncurl http://localhost:3000/a -H \"X: $TOKEN\"\nTOKEN=summer-sale\ncurl http://localhost:3000/b -H \"X: $TOKEN\"",
            &["X: \"${env.TOKEN}\"", "X: \"${env.TOKEN_2}\""],
            &["winter", "summer"],
        ),
        (
            "curl http://localhost:3000/${A:-x}; A=y; curl http://localhost:3000/${A:-x}; curl http://localhost:3000/${B:-\"v\"}/${B:-w}",
            &["path: /x", "path: /y", "path: /v/w"],
            &[],
        ),
        (
            "TOKEN=winter-sale\ncurl -u me:$TOKEN http://localhost:3000/login\nTOKEN=$(curl -s http://localhost:3000/login | jq -r .token)\n\
             curl http://localhost:3000/a -H \"X: $TOKEN\"",
            &["take: { \"TOKEN_2\": { json: \"$.token\" } }", "X: \"${TOKEN_2}\""],
            &["winter"],
        ),
        (
            "ID=$(uuidgen)\ncurl http://localhost:3000/$ID\nID=$(date)\ncurl http://localhost:3000/$ID",
            &["/${env.ID}", "/${env.ID_2}"],
            &[],
        ),
    ]);
}

#[test]
fn values_that_are_not_known_any_more_are_not_sent() {
    for script in [
        "ID=99; for ID in 1 2 3; do curl http://localhost:3000/items/$ID; done",
        "ID=99\nread -r ID\ncurl http://localhost:3000/items/$ID",
        "ID=99\ncat ids | while IFS= read -r ID; do curl http://localhost:3000/items/$ID; done",
        "ID=99; unset ID; curl http://localhost:3000/items/$ID",
        "ID=99; while getopts i: ID; do curl http://localhost:3000/items/$ID; done",
    ] {
        let text = imported(script);
        assert!(
            text.contains("path: \"/items/${env.ID}\"") || text.contains("path: /items/${env.ID}"),
            "{text}"
        );
    }
    check(&[
        (
            "E=; N=; curl http://localhost:3000/${E:-def}/x${N-none}/${M-more}; E=set; curl http://localhost:3000/${E:-def}",
            &["path: /def/x/more", "path: /set"],
            &[],
        ),
        (
            ": \"${API:=http://localhost:8080}\"\n: ${V:=${W:-v1}}\ncurl $API/$V/a",
            &["url: http://localhost:8080", "path: /v1/a"],
            &["left out"],
        ),
        (
            "API=$1\nAPI=${API:-http://localhost:8080}\ncurl $API/a",
            &["url: http://localhost:8080", "path: /a"],
            &["left out"],
        ),
        (
            "ID=$(uuidgen); TOKEN=abc; unset TOKEN; [ -t 0 ] && read HOST; curl http://localhost:3000/${ID:-none}/${TOKEN:-winter-sale}",
            &["/${env.ID}/${env.TOKEN}"],
            &["none", "winter"],
        ),
    ]);
}

#[test]
fn bodies_of_curl_are_sent_as_curl_sends_them() {
    check(&[
        (
            "F=body.json\ncurl --data-binary \"@$F\" http://localhost:3000/a",
            &["body_file: body.json"],
            &["left out"],
        ),
        (
            "F=body.json\ncurl --json \"@${F}\" http://localhost:3000/a",
            &["body_file: body.json"],
            &["left out"],
        ),
        (
            "D=@body.json\ncurl --json \"$D\" http://localhost:3000/a",
            &["body_file: body.json"],
            &["left out"],
        ),
        (
            "curl --json '{\"a\":1' --json ',\"b\":2}' http://localhost:3000/a",
            &["json: { a: 1, b: 2 }"],
            &["left out"],
        ),
        (
            "F=d/x.csv\ncurl -T \"$F\" http://localhost:3000/c/",
            &["method: PUT", "path: /c/x.csv", "body_file: d/x.csv"],
            &["left out"],
        ),
        (
            "M=DELETE\ncurl -X $M http://localhost:3000/a; curl -X \"${N:-PUT}\" http://localhost:3000/b",
            &["method: DELETE", "method: PUT"],
            &["left out"],
        ),
        (
            "curl -b a=1 -b b=2 http://localhost:3000/a",
            &["cookie: \"${env.COOKIE}\""],
            &["left out"],
        ),
        (
            "curl -F 'meta={\"a\":1};type=application/json' -F 'b=\"x;y\"' http://localhost:3000/f",
            &[
                "name=\\\"meta\\\"\\r\\ncontent-type: application/json\\r\\n\\r\\n{\\\"a\\\":1}\\r\\n",
                "\\r\\n\\r\\nx;y\\r\\n",
            ],
            &["left out", ";type"],
        ),
    ]);
    for (script, body) in [
        ("echo '{\"a\":1}' | curl --json @- URL", r#"body: "{\"a\":1}\n""#),
        (
            "cat <<EOF | curl --data-binary @- URL\na $N\nb\nEOF",
            "body: \"a ${env.N}\\nb\\n\"",
        ),
        ("echo 'a=b' | curl -d @- URL", "body: a=b"),
        ("echo -n \"a=b\" | curl --data-binary @- URL", "body: a=b"),
        ("printf '%s\\n' x | curl --data-binary @- URL", "body: \"x\\n\""),
        ("N=7; echo \"n=$N\" | curl -d @- URL; N=8", "body: n=7"),
    ] {
        let text = imported(&script.replace("URL", &format!("{HERE}/a")));
        assert!(text.contains(body), "no {body} in\n{text}\nof\n{script}");
        assert!(!text.contains("left out"), "{text}");
    }
    for script in [
        "echo x; curl -d @- URL",
        "echo x | tac | curl -d @- URL",
        "echo x && curl -d @- URL",
    ] {
        let script = format!("{script}\ncurl URL").replace("URL", HERE);
        let text = imported(&script);
        assert!(text.contains("a body of several sources"), "{text}\nof\n{script}");
    }
    for options in [
        "-d @first.txt -d x=1",
        "-d x=1 -d @first.txt",
        "-d @a -d @b",
        "--data-urlencode q@q.txt",
        "--data-urlencode @q.txt",
        "-d @-",
        "-d \"@$UNKNOWN\"",
        "-T -",
        "-T \"$UNKNOWN\"",
        "-G -d @first.txt",
        "-F 'a=b;filename=c'",
        "-F a=@b",
        "-F a",
        "-X $UNKNOWN",
    ] {
        let text = imported(&format!("curl {options} {HERE}/d\ncurl {HERE}/other"));
        assert!(!text.contains("path: /d"), "{options} in\n{text}");
        assert!(text.contains("left out 1: "), "{options} in\n{text}");
    }
}

#[test]
fn curl_is_read_where_it_is_called_alone() {
    check(&[
        (
            "ID=`curl -s http://localhost:3000/items -d name=a | jq -r .id`\ncurl http://localhost:3000/items/$ID",
            &["take: { \"ID\": { json: \"$.id\" } }", "path: /items/${ID}"],
            &["left out"],
        ),
        (
            "curl -H \"X: $(curl -s http://localhost:3000/t | jq -r .t)\" http://localhost:3000/a",
            &["path: /t", "json: \"$.t\"", "X: \"${value}\""],
            &["left out"],
        ),
        (
            "H=\"X: `curl -s http://localhost:3000/t | jq -r .t`\"\ncurl -H \"$H\" http://localhost:3000/a",
            &["path: /t", "json: \"$.t\"", "X: \"${value}\""],
            &["left out"],
        ),
        (
            "apt-get install curl jq\napk add curl\nwhich curl\nif ! command -v curl; then echo curl is needed; exit 1; fi\ntime curl localhost:3000/health",
            &["url: http://localhost:3000", "path: /health", "left out 1: `apt-get`"],
            &["jq}", "curl without", "path: /\n"],
        ),
        (
            "curl localhost:3000/a\nseq 3 | xargs -I{} curl localhost:3000/{}",
            &["path: /a", "left out 2: `xargs`"],
            &[],
        ),
        (
            "function ask { curl -s \"$@\"; }\nask() { curl localhost:3000/$1; }\ncurl localhost:3000/a",
            &[
                "path: /a",
                "left out 1: `curl` in a function",
                "left out 2: `curl` in a function",
            ],
            &[],
        ),
        ("```sh\ncurl localhost:3000/a\n```", &["path: /a"], &["left out"]),
    ]);
}

#[test]
fn curl_is_read_wherever_its_output_stands() {
    for script in [
        "for id in $(curl -s URL | jq -r '.[].id'); do echo $id; done",
        "select x in $(curl -s URL); do echo; done",
        "case $(curl -s -o /dev/null -w '%{http_code}' URL) in 200) echo ok ;; esac",
        "TOKEN=${TOKEN:-$(curl -s URL | jq -r .token)}",
        "ARGS=(-H \"X: $(curl -s URL)\")",
        "echo ${A:-${B:-`curl -s URL`}}",
        "jq -r .id <<< \"$(curl -s URL)\"",
        "cat <<EOF\nit is $(curl -s URL) now\nEOF",
        "N=$(( $(curl -s URL | jq length) + 1 ))",
        "X=$(jq -r .id <<< \"$(curl -s URL)\")",
        "export Y=$(L=(\"$(curl -s URL)\"); echo $L)",
        "if [ \"$(curl -s URL)\" = ok ]; then true; fi",
    ] {
        let text = imported(&script.replace("URL", &format!("{HERE}/inner")));
        assert!(text.contains("path: /inner"), "{script} in\n{text}");
        assert_eq!(text.matches("/inner").count(), 1, "{script} in\n{text}");
    }
    check(&[
        (
            "TOKEN=${TOKEN:-$(curl -s http://localhost:3000/login | jq -r .token)}\ncurl http://localhost:3000/a -H \"X: $TOKEN\"",
            &["json: \"$.token\"", "X: \"${value}\""],
            &["left out"],
        ),
        (
            "ID=$(jq -r .id <<< \"$(curl -s http://localhost:3000/b)\")\ncurl http://localhost:3000/a/$ID",
            &["take: { \"ID\": { json: \"$.id\" } }", "path: /a/${ID}"],
            &["left out"],
        ),
        (
            "ARGS=(-H \"X: $(curl -s http://localhost:3000/t | jq -r .t)\")\ncurl \"${ARGS[@]}\" http://localhost:3000/a",
            &["json: \"$.t\"", "X: \"${value}\""],
            &["left out"],
        ),
    ]);
}

#[test]
fn urls_that_stand_for_several_are_listed() {
    check(&[(
        "curl localhost:3000/a 'localhost:3000/{b,c}' 'localhost:3000/d[1-3]' -g\ncurl 'localhost:3000/e[1-3]' 'localhost:3000/f?g\\[0\\]=1'",
        &["/{b,c}", "/d[1-3]", "path: \"/f?g[0]=1\"", "left out 2: a URL"],
        &["/e", "left out 1"],
    )]);
}

#[test]
fn command_line_of_cmd_is_refused() {
    for script in [
        "curl ^\"http://localhost:3000/api/items^\" ^\n  -X ^\"POST^\"",
        "curl \"http://localhost:3000/a\" ^\n -H \"a: b\" ^\n --compressed",
    ] {
        let source = Source {
            format: None,
            ..of_script(script)
        };
        let error = import(&source, &OPTIONS).expect_err(script);
        assert!(
            error
                .hint_text()
                .is_some_and(|hint| hint.contains("Copy as cURL (bash)")),
            "{error}"
        );
    }
}

#[test]
fn values_that_grow_are_refused() {
    let doubling = "A=$A$A\n".repeat(40);
    let many = "curl localhost:3000/a -d \"$A\"\n".repeat(200);
    let text = format!("A=0123456789\n{doubling}{many}");
    let error = import(&of_script(&text), &OPTIONS).expect_err("larger and larger");
    assert!(error.to_string().contains("larger and larger"), "{error}");
    // Words of nothing, names of a letter and copies in one word take memory as well.
    for text in [
        format!("L=('' '')\n{}", "L=(\"${L[@]}\" \"${L[@]}\")\n".repeat(22)),
        format!("L=('' '')\n{}", "L+=(\"${L[@]}\")\n".repeat(22)),
        format!(
            "L=('' '')\n{}",
            format!("L=({})\n", "\"${L[@]}\" ".repeat(1_000)).repeat(3)
        ),
        format!("A=$X$X\n{}", "A=$A$A\n".repeat(200)),
        format!("L=(a)\n{}", "L=(\"${L[@]}\" \"${L[*]}\" \"${L[@]}\")\n".repeat(22)),
    ] {
        let text = format!("{text}curl localhost:3000/a\n");
        let error = import(&of_script(&text), &OPTIONS).expect_err("larger and larger");
        assert!(error.to_string().contains("larger and larger"), "{error}");
    }
    for text in [
        "a=(".repeat(100_000),
        "$(".repeat(100_000),
        "${a:-".repeat(100_000),
        "\"$(a `".repeat(100_000),
    ] {
        let source = of_script(&text);
        import(&source, &OPTIONS).expect_err("inside of each other");
    }
    // Functions are not bounded, but how deep they are followed is.
    for text in [
        "f() { ".repeat(100_000),
        "( ".repeat(100_000),
        (0..20_000)
            .map(|at| format!("f{at}() {{ f{}; }}\n", at + 1))
            .collect::<String>()
            + "f0\n",
    ] {
        let text = format!("{text}\ncurl localhost:3000/a\n");
        import(&of_script(&text), &OPTIONS).expect("a plan");
    }
}
