//! What variables, functions and subshells of a script make of requests.

use super::{check, imported};

#[test]
fn options_in_a_variable_are_options() {
    check(&[
        (
            "OPTS=\"-s -u admin:Tr0ub4dor\"\ncurl $OPTS http://localhost:3000/a",
            &["url: http://localhost:3000", "path: /a", "${env.BASIC_PASSWORD}"],
            &["Tr0ub4dor", "left out"],
        ),
        (
            "OPTS=\"-s -H 'X-A: b c'\"\ncurl $OPTS http://localhost:3000/a; curl $OPTS http://localhost:3000/b",
            &["path: /a", "path: /b", "X-A: b c", "left out 2: quotes in a variable"],
            &["path: /\n"],
        ),
        (
            "AUTH='Authorization: Bearer winter-sale'\ncurl -H \"$AUTH\" http://localhost:3000/b",
            &["Authorization: Bearer ${env.BEARER_TOKEN}"],
            &["winter", "left out"],
        ),
        (
            "MY_SECRET='X-A: winter-sale'\ncurl -H \"$MY_SECRET\" http://localhost:3000/b",
            &["X-A: \"${env.MY_SECRET_VALUE}\""],
            &["winter", "left out"],
        ),
        (
            "TOKEN_OPTION='-H X-A:winter-sale -k'\ncurl $TOKEN_OPTION http://localhost:3000/b",
            &["path: /b", "${env.TOKEN_OPTION"],
            &["winter", "left out"],
        ),
        (
            "CREDENTIALS=me:Tr0ub4dor\ncurl -u $CREDENTIALS http://localhost:3000/b",
            &["user: \"${env.BASIC_USER}\", password: \"${env.BASIC_PASSWORD}\""],
            &["Tr0ub4dor"],
        ),
        (
            "ARGS=(-s -H 'X-B: 2')\nARGS+=(-X PUT)\ncurl \"${ARGS[@]}\" http://localhost:3000/c",
            &["method: PUT", "X-B: \"2\"", "path: /c"],
            &["left out"],
        ),
        (
            "CURL=\"curl -s -k\"\nAPI=localhost:3000\n$CURL $API/health",
            &["url: http://localhost:3000", "path: /health"],
            &["left out"],
        ),
        (
            "curl $MORE \"${REST[@]}\" http://localhost:3000/c",
            &["path: /c", "left out 1: `MORE`", "left out 1: `REST`"],
            &["MORE}"],
        ),
        (
            "EMPTY=\ncurl $EMPTY http://localhost:3000/c",
            &["path: /c"],
            &["path: /\n", "left out"],
        ),
        (
            "D='{\"a\":\"b\"} '\ncurl -d $D http://localhost:3000/c -d 1 >/dev/null",
            &["body: \"{\\\"a\\\":\\\"b\\\"}&1\""],
            &["left out"],
        ),
        (
            "curl -s $URL",
            &["left out 1: the service of `URL`: it has no value"],
            &["only command lines"],
        ),
        (
            "OPTS='-s'\nOPTS+=' -X PUT'\ncurl $OPTS localhost:3000/d",
            &["method: PUT", "path: /d"],
            &["left out"],
        ),
    ]);
}

#[test]
fn what_is_set_elsewhere_does_not_win() {
    let unknown = [
        "if [ -n \"$1\" ]; then BASE_URL=$1; fi",
        "while [ $# -gt 0 ]; do case $1 in --url) BASE_URL=\"$2\"; shift ;; esac; shift; done",
        "while getopts u: o; do case $o in u) BASE_URL=$OPTARG ;; esac; done",
        "[ -n \"${1:-}\" ] && BASE_URL=\"$1\"",
        "test -z \"$1\" || BASE_URL=$(cat url.txt)",
        "ask() { local BASE_URL=$1; curl \"$BASE_URL\"; }",
        "ask() { BASE_URL=http://localhost:1; }",
        "(BASE_URL=http://localhost:1; true)",
        "X=$(BASE_URL=http://localhost:1; echo $BASE_URL)",
        "BASE_URL=http://localhost:1 true",
        "ask() ( BASE_URL=http://localhost:1 )\nask",
        "setup() { local BASE_URL; BASE_URL=http://localhost:1; }; setup",
        "setup() { BASE_URL=${1:-$BASE_URL}; }; setup",
    ];
    for before in unknown {
        let text = imported(&format!(
            "BASE_URL=http://localhost:8080/api\n{before}\ncurl \"$BASE_URL/health\""
        ));
        assert!(text.contains("url: http://localhost:8080\n"), "{before} in\n{text}");
        assert!(text.contains("path: /api/health"), "{before} in\n{text}");
        assert!(!text.contains("left out 3: the service"), "{before} in\n{text}");
    }
    check(&[
        (
            "test_health() { curl \"$BASE_URL/health\"; }\nfunction more\n{\n  curl $BASE_URL/more\n}\nBASE_URL=http://localhost:8080\ntest_health",
            &[
                "url: http://localhost:8080",
                "path: /health",
                "path: /more",
                "left out 1: a function",
            ],
            &["`test_health`"],
        ),
        (
            "setup() { BASE_URL=http://localhost:8080; }\nsetup\ncurl $BASE_URL/a",
            &["url: http://localhost:8080", "path: /a"],
            &[],
        ),
        (
            "TOKEN=$(curl -s http://localhost:3000/login | jq -r .t)\nif [ -z \"$TOKEN\" ]; then TOKEN=dev-token; fi\n\
             curl http://localhost:3000/a -H \"X: $TOKEN\"",
            &["take: { \"TOKEN\": { json: \"$.t\" } }", "X: \"${TOKEN}\""],
            &["dev-token"],
        ),
        (
            "login() { curl -s http://localhost:3000/login | jq -r .t; }\nT=$(login)\nU=$(login)\n\
             curl http://localhost:3000/a -H \"X: $T\" -H \"Y: $(login)\"",
            &["json: \"$.t\"", "X: \"${T}\"", "\"Y\": \"${value}\"", "path: /a"],
            &["`login`"],
        ),
        (
            "f() { curl http://localhost:3000/f; g; }\ng() { curl http://localhost:3000/g; f; }\nf() { f; curl http://localhost:3000/h; }\nf",
            &["path: /f", "path: /g", "path: /h"],
            &[],
        ),
        (
            "check() { \"$@\"; }\ncheck curl http://localhost:3000/x\ncurl http://localhost:3000/y",
            &["left out 2: `check`", "path: /y"],
            &["path: /x"],
        ),
    ]);
}

#[test]
fn values_that_follow_from_others_are_as_many_as_these() {
    let here = "http://localhost:3000";
    for (used, first, second) in [
        ("/$(echo \"$N\" | rev)", "/${env.ECHO}", "/${env.ECHO_2}"),
        ("/`cat $N.txt`", "/${env.CAT}", "/${env.CAT_2}"),
        ("/$(slug)", "/${env.SLUG}", "/${env.SLUG_2}"),
        ("/$(cat <<< \"${M:-$N}\" | rev)", "/${env.CAT}", "/${env.CAT_2}"),
        ("/$((N + 1))", "/${env.VALUE}", "/${env.VALUE_2}"),
        ("/${N@Q}", "/${env.N}", "/${env.N_2}"),
        ("/${M:+$N}", "/${env.M}", "/${env.M_2}"),
        ("/${#N}", "/${env.N}", "/${env.N_2}"),
        ("/${L[0]}", "/${env.L}", "/${env.L_2}"),
    ] {
        let script = format!(
            "slug() {{ echo $N | rev; }}\nN=1; L=($N); curl {here}{used}\ncurl {here}{used}\nN=2; L=($N); curl {here}{used}\n"
        );
        let text = imported(&script);
        for path in [first, second] {
            assert!(
                text.contains(&format!("path: {path}\n")),
                "no {path} in\n{text}\nof\n{script}"
            );
        }
        assert_eq!(text.matches("path:").count(), 2, "{script} in\n{text}");
        assert_eq!(text.matches("weight: 2").count(), 1, "{script} in\n{text}");
    }
    check(&[(
        "R=$(curl -s http://localhost:3000/a); curl http://localhost:3000/c -d \"$R\"\n\
         R=$(curl -s http://localhost:3000/b); curl http://localhost:3000/c -d \"$R\"",
        &[
            r#"take: { "R": { regex: "(?s)^(.*?)\\n*$", group: 1 } }"#,
            "body: \"${R}\"",
            "body: \"${R_2}\"",
        ],
        &["weight", "env."],
    )]);
}

/// As scripts do that look at the status of each response.
#[test]
fn values_are_taken_out_of_responses_with_a_line_of_the_status() {
    let taken = r#"take: { "ID": { regex: "\"id\"\\s*:\\s*\"([^\"]*)", group: 1 } }"#;
    for (write_out, body) in [
        ("-w \"\\n%{http_code}\"", "echo \"$R\" | sed '$d'"),
        ("-w $'\\n%{http_code}'", "sed '$d' <<< \"$R\""),
        ("-sw '\\n%{http_code} %{time_total}'", "echo \"$R\" | head -n -1"),
    ] {
        let script = format!(
            "R=$(curl -s {write_out} http://localhost:3000/t -d '{{}}' || echo -e \"\\n000\")\n\
             CODE=$(echo \"$R\" | tail -n1); BODY=$({body})\n\
             if [ \"$CODE\" = 201 ]; then ID=$(echo \"$BODY\" | grep -o '\"id\":\"[^\"]*\"' | cut -d'\"' -f4); else ID=\"\"; fi\n\
             if [ -n \"$ID\" ]; then curl http://localhost:3000/t/$ID; fi"
        );
        let text = imported(&script);
        for expected in [taken, "path: /t/${ID}"] {
            assert!(text.contains(expected), "no {expected} in\n{text}");
        }
        assert!(!text.contains("`ID` on a condition"), "{text}");
    }
}

/// What a command prints is not known here, and may be more than the text that is there for when it fails.
#[test]
fn value_that_takes_the_place_of_what_a_command_prints_is_listed() {
    check(&[
        (
            "ID=$(make-id)\nif [ -z \"$ID\" ]; then ID=7; fi\ncurl http://localhost:3000/t/$ID",
            &["path: /t/7", "left out 2: `ID` on a condition"],
            &[],
        ),
        (
            "if true; then ID=$(make-id); else ID=''; fi\ncurl http://localhost:3000/t/$ID",
            &["path: /t/${env.ID}"],
            &["`ID` on a condition"],
        ),
        (
            "BASE=$1\nif [ -z \"$BASE\" ]; then BASE=http://localhost:3000; fi\ncurl $BASE/a",
            &["url: http://localhost:3000", "path: /a"],
            &["on a condition"],
        ),
    ]);
}

#[test]
fn value_that_is_set_on_a_condition_is_listed_where_it_is_used() {
    let one_of_two = [
        "if [ \"$1\" = prod ]; then\nAPI=http://localhost:1\nelse\nAPI=http://localhost:8080\nfi",
        "case $1 in\nprod) API=http://localhost:1 ;;\n*) \nAPI=http://localhost:8080 ;; esac",
        "true\n[ \"$1\" = prod ] && API=http://localhost:1 ||\n\\\nAPI=http://localhost:8080",
        "API=http://localhost:1\n\nif [ -z \"$1\" ]; then\nAPI=http://localhost:8080; fi",
        "prod() { API=http://localhost:1; }; dev() {\n\n\nAPI=http://localhost:8080; }; prod; test -n \"$1\" || dev",
        "API=http://localhost:1\n\ntest -n \"$1\" && {\nAPI=http://localhost:8080; }",
        "API=http://localhost:1\nA=x\n# of this machine\n(( $# )) || export API=http://localhost:8080",
    ];
    for before in one_of_two {
        let text = imported(&format!("{before}\nURL=$API/v1\ncurl $URL/a; curl $URL/b"));
        assert!(text.contains("url: http://localhost:8080\n"), "{before} in\n{text}");
        let expected = "left out 4: `API` on a condition: where the condition does not hold it has another value; the plan has the one of this line";
        assert_eq!(text.matches("`API`").count(), 1, "{before} in\n{text}");
        assert!(text.contains(expected), "{before} in\n{text}");
    }
    check(&[
        (
            "TOKEN=$(curl -s http://localhost:3000/login | jq -r .t)\nif [ -z \"$TOKEN\" ]; then TOKEN=dev-token; fi\n\
             curl http://localhost:3000/a -H \"X: $TOKEN\"",
            &["left out 2: `TOKEN` on a condition: the plan has the value from before, and not the one of this line"],
            &["dev-token"],
        ),
        (
            "ARGS=(-s)\nif [ -n \"$1\" ]; then ARGS+=(-X PUT); fi\nif [ -n \"$2\" ]; then OPTS=-k; else OPTS='-X PUT'; fi\n\
             OPTS+=' -s'\ncurl \"${ARGS[@]}\" http://localhost:3000/a; curl $OPTS http://localhost:3000/b",
            &["left out 2: `ARGS` on a condition", "left out 3: `OPTS` on a condition"],
            &[],
        ),
        // What is not sent, and what is given or the same.
        (
            "FAILED=0; API=http://localhost:3000\nif [ -n \"$1\" ]; then API=$1; FAILED=1; fi\n\
             if [ -z \"$API\" ]; then API=http://localhost:3000; fi\ncurl $API/a; exit $FAILED",
            &["url: http://localhost:3000"],
            &["on a condition"],
        ),
        (
            "if [ -n \"$1\" ]; then N=1; else N=2; fi; N=3; curl http://localhost:3000/a/$N",
            &["/a/3"],
            &["on a condition"],
        ),
    ]);
}

#[test]
fn values_are_changed_as_a_shell_does() {
    check(&[
        (
            "BASE=\"${BASE:-http://localhost:8080/}\"\nBASE=\"${BASE%/}\"\nHOST=${BASE#*://}\n\
             curl $BASE/a -H \"X-Host: ${HOST%%:*}\"; curl \"${BASE%/}/b?q=${Q:-x}\"",
            &[
                "url: http://localhost:8080",
                "path: /a\n",
                "X-Host: localhost",
                "path: /b?q=x",
            ],
            &["left out", "needs"],
        ),
        (
            "N=first; curl http://localhost:3000/${N^^}; N=second; curl http://localhost:3000/${N^^}/${N%cond}",
            &["path: /FIRST", "path: /SECOND/se"],
            &["weight", "left out"],
        ),
        (
            "Q='a b'; A=/v1/; V=Q; M=post\ncurl -X ${M^^} \"http://localhost:3000${A%/}/s?q=${Q// /%20}\" -d \"${!V}\"",
            &["method: POST", "path: /v1/s?q=a%20b", "body: a b"],
            &["left out"],
        ),
        (
            "A=\"http://localhost:3000/$V/\"\ncurl ${A%/}/a; P=$V/; curl ${A%$P}a",
            &["path: /${env.V}/a\n", "left out 2: `${A%…}`: it changes a value"],
            &[],
        ),
        (
            "curl http://localhost:3000/${ID#pre-}\ncurl http://localhost:3000/${ID#pre-}/${ID}\nID=pre-1; curl http://localhost:3000/${ID#pre-}",
            &[
                "path: /${env.ID}\n",
                "path: /${env.ID}/${env.ID_2}",
                "path: /1\n",
                "left out 1: `${ID#…}`",
            ],
            &["left out 2", "pre-"],
        ),
        // What is left of a secret is one.
        (
            "MY_PASSWORD=winter-sale-2024; DB=postgres://u:Tr0ub4dor@h/db\n\
             curl http://localhost:3000/a -H \"X: ${MY_PASSWORD%-*}\" -H \"Y: ${DB##*:}\" -H \"Z: ${MY_PASSWORD^^}\"",
            &[
                "X: \"${env.MY_PASSWORD}\"",
                "\"Y\": \"${env.DB}\"",
                "Z: \"${env.MY_PASSWORD_2}\"",
            ],
            &["winter", "Tr0ub"],
        ),
    ]);
    // What takes the place of a text is bounded.
    let text = format!(
        "A={}\nB={}\ncurl http://localhost:3000/ -d ${{A//a/$B}}",
        "a".repeat(2_000),
        "b".repeat(2_000)
    );
    assert!(imported(&text).contains("body: \"${env.A}\""));
}
