//! What the program prints when it does not come to a run: help, mistakes, their exit codes.
//!
//! After an intended change: `TRYCMD=overwrite cargo test -p plimsoll --test commands`.

#[test]
fn commands_print_what_is_written_down() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
