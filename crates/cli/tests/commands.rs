//! What the program prints when it does not come to a run: help, mistakes, their exit codes.
//!
//! After an intended change: `TRYCMD=overwrite cargo test -p plimsoll --test commands`.

#[test]
fn command_transcripts_match() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
