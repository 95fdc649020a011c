//! Documents of OpenAPI.

use super::check;

#[test]
fn servers_of_a_path_and_of_an_operation_go_before_those_of_the_document() {
    check(
        "openapi: 3.0.0\nservers: [{ url: \"http://localhost:3000/v1\" }]\npaths:\n  /a: { get: {} }\n  \
         /b: { servers: [{ url: \"http://localhost:3000/v2\" }], get: {} }\n  \
         /c: { servers: [{ url: /v2 }], get: { servers: [{ url: \"http://localhost:3000/{v}\", variables: { v: { default: v3 } } }] } }\n  \
         /d: { servers: [], get: {} }\n",
        &["path: /v1/a\n", "path: /v2/b\n", "path: /v3/c\n", "path: /v1/d\n"],
        &["left out"],
    );
}

#[test]
fn parts_of_a_form_have_the_types_of_the_document() {
    check(
        "openapi: 3.0.0\nservers: [{ url: \"http://localhost:3000\" }]\npaths:\n  /a:\n    post:\n      requestBody:\n        content:\n          \
         multipart/form-data:\n            example: { about: { b: 1 }, note: x, page: y }\n            encoding: { page: { contentType: text/html } }\n",
        &[
            "name=\\\"about\\\"\\r\\ncontent-type: application/json\\r\\n\\r\\n{\\\"b\\\":1}\\r\\n",
            "name=\\\"note\\\"\\r\\n\\r\\nx",
            "name=\\\"page\\\"\\r\\ncontent-type: text/html\\r\\n\\r\\ny",
        ],
        &[],
    );
}
