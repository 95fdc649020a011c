//! Every file of the corpus of the fuzz target, and texts of random pieces of all formats.

mod invariants;

use proptest::prelude::*;

#[test]
#[expect(clippy::disallowed_methods, reason = "these files are the tests' own")]
fn files_of_the_corpus_become_valid_plans_or_are_refused() {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/corpus/import");
    let mut count = 0;
    for entry in std::fs::read_dir(directory).expect("the corpus").flatten() {
        invariants::a_file_becomes_a_valid_plan(&std::fs::read(entry.path()).expect("a file"));
        count += 1;
    }
    assert!(count > 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn texts_of_any_pieces_become_valid_plans_or_are_refused(pieces in proptest::collection::vec(prop_oneof![
        Just("curl ".to_owned()), Just("-H 'a: b'".to_owned()), Just("http://h/".to_owned()), Just("$'\\x41".to_owned()), Just("'".to_owned()), Just("\"".to_owned()),
        Just("\\\n".to_owned()), Just("\n".to_owned()), Just("###\n".to_owned()), Just("GET ".to_owned()), Just("{{a}}".to_owned()), Just("${env.A}".to_owned()),
        Just("password=".to_owned()), Just(" --data-raw ".to_owned()), Just("@a = {{a}}\n".to_owned()), Just("> {%".to_owned()), Just("\u{1b}[31m".to_owned()), any::<String>(),
    ], 0..12)) {
        invariants::a_file_becomes_a_valid_plan(pieces.concat().as_bytes());
    }
}
