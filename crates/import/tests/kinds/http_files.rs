//! `.http` files as the editors that make them read them.

use super::check;

#[test]
fn file_with_a_mark_at_its_beginning_has_its_first_request() {
    check(
        "\u{feff}# Made by an editor of Windows\n@host = http://localhost:5000\n\nGET {{host}}/first\n\n###\n\nGET {{host}}/second\n",
        &["url: http://localhost:5000", "path: /first", "path: /second"],
        &["left out"],
    );
}

#[test]
fn url_goes_on_in_further_lines() {
    for url in [
        "GET http://localhost/find?\n    word=sea&\n    kind={{kind}}\nAccept: text/plain",
        "GET http://localhost/find?word=sea&\nkind={{kind}}\nAccept: text/plain",
        "GET http://localhost/find\n    ?word=sea\n    # the kind\n    &kind={{kind}}\n    Accept: text/plain",
        "GET http://localhost\n  /find\n  ?word=sea&kind=\n  {{kind}}\nAccept: text/plain",
    ] {
        let file = format!("@kind = a:b\n\n{url}\n\n###\n\nGET http://localhost/other\n");
        check(
            &file,
            &["path: /find?word=sea&kind=a:b\n", "Accept: text/plain", "path: /other"],
            &["left out", "weight"],
        );
    }
}

#[test]
fn comments_within_a_body_are_not_sent() {
    check(
        "POST http://localhost/a\nContent-Type: application/json\n\n// What is bought\n{\n  # how many\n  \"n\": 1,\n  \"url\": \"http://x/#y\"\n}\n\n# ---- more ----\n\n###\nGET http://localhost/b\n",
        &["{\n          \"n\": 1,\n          \"url\": \"http://x/#y\"\n        }\n"],
        &["What is bought", "how many", "more"],
    );
}

#[test]
fn methods_in_small_letters_are_methods() {
    check(
        "get http://localhost/a\n\n###\npost http://localhost/b\n\nx=1\n\n###\ndelete everything\n",
        &[
            "path: /a",
            "method: POST\n      path: /b",
            "left out 9: delete everything",
        ],
        &["post"],
    );
}

#[test]
fn scripts_and_checks_behind_a_body_are_no_part_of_it() {
    check(
        "POST http://localhost/a\nContent-Type: application/json\n\n{\"count\":1}\n\n?? status == 201\n?? body count == 1\n\n{{\n  exports.x = 1;\n}}\n\n\
         ###\nGET http://localhost/b\n\n?? status == 200\n",
        &[
            "json: { count: 1 }\n      expect: { status: 201 }",
            "path: /b\n      expect: { status: 200 }\n",
            "left out 7: a check of the response",
            "left out 9: a script",
        ],
        &["exports", "??"],
    );
}
