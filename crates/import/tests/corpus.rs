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

/// A test plan of JMeter with this condition, on values that a user has.
fn with_condition(controller: &str, condition: &str) -> String {
    let escaped = condition.replace('&', "&amp;").replace('<', "&lt;");
    let request = "<HTTPSamplerProxy testname=\"r\"><stringProp name=\"HTTPSampler.path\">http://h/</stringProp></HTTPSamplerProxy>";
    let take = "<JSONPostProcessor><stringProp name=\"JSONPostProcessor.referenceNames\">a;b</stringProp>\
                <stringProp name=\"JSONPostProcessor.jsonPathExprs\">$.a;$.b</stringProp></JSONPostProcessor><hashTree/>";
    format!(
        "<jmeterTestPlan><hashTree><ThreadGroup testname=\"t\"/><hashTree>{request}<hashTree>{take}</hashTree>\
         <{controller}><stringProp name=\"{controller}.condition\">{escaped}</stringProp></{controller}>\
         <hashTree>{request}<hashTree>{take}</hashTree></hashTree></hashTree></hashTree></jmeterTestPlan>"
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_condition_is_one_of_a_valid_plan_or_is_left_out(pieces in proptest::collection::vec(prop_oneof![
        Just("${a}"), Just("\"${b}\""), Just("vars.get('a')"), Just("5"), Just("'x'"), Just(" == "), Just(" != "), Just(" < "), Just(" >= "), Just(" && "), Just(" || "),
        Just("!"), Just("("), Just(")"), Just(".toInteger()"), Just("true"), Just("${__P(p,3)}"), Just("${env.A}"), Just("$"), Just("\n"), Just("-"), Just("\u{e9}"),
    ], 0..12)) {
        for controller in ["IfController", "WhileController"] {
            invariants::a_file_becomes_a_valid_plan(with_condition(controller, &pieces.concat()).as_bytes());
        }
    }

    #[test]
    fn texts_of_any_pieces_become_valid_plans_or_are_refused(pieces in proptest::collection::vec(prop_oneof![
        Just("curl ".to_owned()), Just("-H 'a: b'".to_owned()), Just("http://h/".to_owned()), Just("$'\\x41".to_owned()), Just("'".to_owned()), Just("\"".to_owned()),
        Just("\\\n".to_owned()), Just("\n".to_owned()), Just("###\n".to_owned()), Just("GET ".to_owned()), Just("{{a}}".to_owned()), Just("${env.A}".to_owned()),
        Just("password=".to_owned()), Just(" --data-raw ".to_owned()), Just("@a = {{a}}\n".to_owned()), Just("> {%".to_owned()), Just("\u{1b}[31m".to_owned()), any::<String>(),
    ], 0..12)) {
        invariants::a_file_becomes_a_valid_plan(pieces.concat().as_bytes());
    }

    #[test]
    fn scripts_of_any_pieces_become_valid_plans_or_are_refused(pieces in proptest::collection::vec(prop_oneof![
        Just("curl "), Just("http://h/"), Just("A="), Just("A+="), Just("B=("), Just("$A"), Just(" \"$A\" "), Just("\"${B[@]}\" "), Just("${A:-"), Just("${A%"), Just("}"), Just("$("),
        Just("$(("), Just(")"), Just("(("), Just("`"), Just("```"), Just("<<E\n"), Just("\nE\n"), Just("<<< "), Just("cat "), Just("-"), Just("-d "), Just("-H "), Just("-F "), Just("-T "), Just("@"),
        Just("x: y"), Just("TOKEN="), Just("$TOKEN "), Just("'"), Just("\""), Just("\\"), Just("\n"), Just(";"), Just("| "), Just("jq .a"), Just("{ "), Just("}"), Just("$1"), Just("$@"), Just("\u{e9}"), Just(" "),
    ], 0..24)) {
        invariants::a_file_becomes_a_valid_plan(format!("curl h\n{}", pieces.concat()).as_bytes());
    }
}
