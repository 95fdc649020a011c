//! Collections of Postman.

use super::check;

#[test]
fn parts_of_a_form_keep_their_types_and_names_their_signs() {
    check(
        r#"{"info":{"_postman_id":"1","name":"c"},"item":[{"name":"🔐 log – in","request":{"method":"POST","url":"http://localhost/a",
        "body":{"mode":"formdata","formdata":[{"key":"about","value":"{}","type":"text","contentType":"application/json"},
        {"key":"off","value":"1","disabled":true}]}}}]}"#,
        &[
            "name: \"🔐 log – in\"",
            "name=\\\"about\\\"\\r\\ncontent-type: application/json\\r\\n\\r\\n{}\\r\\n",
        ],
        &["name=\\\"off"],
    );
}

#[test]
fn token_of_all_is_not_asked_for_where_it_is_given() {
    check(
        r#"{"info":{"_postman_id":"1","name":"c"},"auth":{"type":"bearer","bearer":[{"key":"token","value":"{{token}}"}]},"item":[
        {"name":"log in","request":{"method":"POST","url":"http://localhost/login"},
         "event":[{"listen":"test","script":{"exec":["pm.collectionVariables.set('token', pm.response.json().token);"]}}]},
        {"name":"read","request":{"method":"GET","url":"http://localhost/read"}}]}"#,
        &[
            "path: /login\n            take:",
            "Bearer ${token}",
            "nobody has `token` yet",
        ],
        &["env."],
    );
}

#[test]
fn graphql_has_its_name_and_its_variables() {
    check(
        r#"{"info":{"_postman_id":"1","name":"c"},"item":[{"name":"a","request":{"method":"POST","url":"http://localhost/graphql",
        "body":{"mode":"graphql","graphql":{"query":"query Q($n: Int) { a(n: $n) }","operationName":"Q","variables":{"count":1}}}}}]}"#,
        &[r#"json: { query: "query Q($n: Int) { a(n: $n) }", operationName: "Q", variables: { count: 1 } }"#],
        &[],
    );
}
