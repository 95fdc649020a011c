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
    ] {
        checkout.run(args).expect(104, &[expected]);
    }
    checkout.0.write("studies/work/study.yaml", "titel: t\n");
    checkout
        .run(&["study", "work"])
        .expect(104, &["study.yaml:1:1", "did you mean `title`?"]);
}
