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
