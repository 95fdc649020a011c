//! A run that nobody judged.

use plimsoll_analysis::{Findings, GeneratorFinding, Notice, Totals, Verdict};

/// It ended within its warm-up, and every request of it was answered.
pub(crate) fn within_warm_up(mut findings: Findings) -> Findings {
    let because = "the run ended within its warm-up of 2 s";
    findings.verdict = Verdict::Unjudged;
    findings.headline = format!("Nothing was judged: {because}");
    findings.next_step = "Run longer than the warm-up, or make the warm-up shorter.".to_owned();
    for objective in &mut findings.objectives {
        objective.unjudged_because = Some(because.to_owned());
    }
    findings.steps[0].objectives.clone_from(&findings.objectives);
    findings.totals = Totals {
        scheduled: 512,
        sent: 512,
        completed: 512,
        passed: 512,
        status: [0, 509, 0, 0, 0],
        status_other: 3,
        ..Totals::default()
    };
    findings.errors.clear();
    findings.generator = GeneratorFinding {
        shards: 1,
        ..GeneratorFinding::default()
    };
    findings.notices = vec![Notice {
        code: "unjudged".to_owned(),
        message: format!("nothing was judged: {because}"),
        hint: Some("run longer than the warm-up, or make the warm-up shorter".to_owned()),
    }];
    findings
}
