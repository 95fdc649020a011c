//! Which files are scripts with curl.

use super::check;

#[test]
fn curl_within_others_makes_a_file_a_script() {
    for command in [
        "TOKEN=$(curl -s http://localhost/a)",
        "if ! R=`curl -s http://localhost/a`; then exit 1; fi",
        "echo \"$(curl -s http://localhost/a)\"",
        "sleep 1;curl http://localhost/a",
    ] {
        check(&format!("#!/bin/sh\nset -e\n{command}\n"), &["path: /a"], &[]);
    }
}
