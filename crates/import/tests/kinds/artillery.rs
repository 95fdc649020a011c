//! Scripts of Artillery.

use super::check;

#[test]
fn service_of_environments_alone_is_the_first() {
    check(
        "config:\n  environments:\n    none: { phases: [] }\n    here: { target: \"http://localhost:4000\", phases: [{ duration: 5, arrivalRate: 2 }] }\n    \
         there: { target: \"http://shop.example\" }\nscenarios:\n  - flow:\n      - get: { url: /a }\n",
        &[
            "url: http://localhost:4000",
            "rate: 2/s",
            "environments: the plan is for `here`",
        ],
        &["shop.example"],
    );
}

#[test]
fn service_of_the_configuration_is_not_one_of_its_environments() {
    check(
        "config:\n  target: \"http://localhost:3000\"\n  environments:\n    there: { target: \"http://localhost:4000\" }\nscenarios:\n  - flow:\n      - get: { url: /a }\n",
        &[
            "url: http://localhost:3000",
            "environments: the plan is for `config.target`",
        ],
        &["4000"],
    );
}

#[test]
fn text_that_is_a_variable_alone_is_sent_as_what_the_variable_has() {
    check(
        "config:\n  target: \"http://localhost:3000\"\n  variables: { count: 5, on: true, word: a, sizes: [1, 2], mixed: [1, b] }\n\
         scenarios:\n  - flow:\n      - post:\n          url: /a\n          json: { c: \"{{ count }}\", o: \"{{ on }}\", w: \"{{word}}\", s: [\"{{ sizes }}\"], m: \"{{ mixed }}\", t: \"n {{ count }}\" }\n          \
         capture: { json: $.id, as: id }\n      - loop:\n          - post: { url: /b, json: { id: \"{{ id }}\", n: \"{{ $loopCount }}\" } }\n        count: 2\n",
        &[
            r#"{\"c\":5,\"o\":true,\"w\":\"a\",\"s\":[${sizes}],\"m\":\"${mixed}\",\"t\":\"n 5\"}"#,
            r#"{\"id\":\"${id}\",\"n\":${"#,
            "json: the type of `id`: the plan sends it as a text",
        ],
        &["the type of `mixed`"],
    );
}
