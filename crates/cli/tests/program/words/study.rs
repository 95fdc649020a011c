//! `plimsoll study`: mistakes.

use crate::checkout::Checkout;

#[test]
fn mistakes() {
    let checkout = Checkout::new();
    let listed = checkout.run(&["study", "list", "--json"]);
    assert_eq!(listed.expect(0, &[]).json()[0]["name"], "work");
    for (args, expected) in [
        (&["study", "wrok"][..], "found no study `wrok`, expected one of work"),
        (&["study", "list", "--studies", "work"], "found no study in"),
        (
            &["study", "all", "--markdown", "x.md"],
            "--junit and --markdown name one file",
        ),
        (&["study", "work", "--size", "0"], "--size"),
    ] {
        checkout.run(args).expect(104, &[expected]);
    }
    let study = checkout.0.path("studies/work/study.yaml");
    let text = std::fs::read_to_string(&study).expect("a study");
    std::fs::write(&study, text.replace("size: { of: rounds, default: 3 }", "")).expect("written");
    checkout
        .run(&["study", "work", "--size", "5"])
        .expect(104, &["`work` has one size only"]);
    checkout.0.write("studies/work/study.yaml", "titel: t\n");
    checkout
        .run(&["study", "work"])
        .expect(104, &["study.yaml:1:1", "did you mean `title`?"]);
}
