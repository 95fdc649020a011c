//! What is secret in files, and what only looks so.

use super::check;

#[test]
fn secret_that_is_called_as_it_is_leaves_names_as_they_are() {
    check(
        "POST http://localhost/password/reset\nContent-Type: application/x-www-form-urlencoded\n\nuser=a&password=password&again=1\n\n\
         ### Change the password\nPOST http://localhost/b\nContent-Type: application/json\n\n{\"password\": \"password\"}\n",
        &[
            "path: /password/reset",
            "body: user=a&password=${env.PASSWORD}&again=1",
            "name: Change the password",
            "\\\"password\\\": \\\"${env.PASSWORD}\\\"",
        ],
        &["PASSWORD_2"],
    );
}

#[test]
fn secret_with_a_name_of_its_own_is_hidden_wherever_it_stands() {
    check(
        "POST http://localhost/hunter2222/x\nContent-Type: application/json\n\n{\"password\": \"hunter2222\"}\n",
        &["path: /${env.PASSWORD}/x"],
        &["hunter2222"],
    );
}
