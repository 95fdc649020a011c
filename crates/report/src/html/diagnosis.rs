//! What limits the service: the causes in their order, where the time went, and what the passes cost.

use super::document::{
    Block, CauseText, Causes, Cell, FlameClass, FlameKey, Text, figures as column, labelled, section, table, text,
    unseen,
};
use super::listing::listing;
use crate::figures;
use crate::words;
use plimsoll_findings::{Cause, Diagnosis, Findings, Pass, WhatIf};

pub(super) fn sections(findings: &Findings, diagnosis: &Diagnosis) -> Vec<Block> {
    let mut all = vec![causes(findings, diagnosis)];
    all.extend(what_ifs(diagnosis));
    all.extend(layers(diagnosis));
    all.extend(breakdown(diagnosis));
    all.extend(runtime(diagnosis));
    all.extend(listings(diagnosis));
    all.extend(flame(diagnosis));
    all.push(passes(diagnosis));
    all
}

fn causes(findings: &Findings, diagnosis: &Diagnosis) -> Block {
    let content = match diagnosis.causes.as_slice() {
        [] => Block::Paragraph(Text {
            text: words::sentence(&words::no_causes(&findings.headline)),
        }),
        causes => Block::Causes(Causes {
            causes: causes.iter().map(cause).collect(),
        }),
    };
    section("causes", "Causes", words::causes(diagnosis), vec![content])
}

fn cause(of: &Cause) -> CauseText {
    let mut facts = vec![
        labelled("Costs", &words::cause_costs(of)),
        labelled("Evidence", &words::evidence(of)),
    ];
    let predicted = [("Predicted", &of.predicted), ("Whole line", &of.line_predicted)];
    facts.extend(predicted.into_iter().filter_map(|(name, predicted)| {
        let predicted = words::of_messages(of.by_message, words::predicted_with_assumption(predicted.as_ref()?));
        Some(labelled(name, &predicted))
    }));
    if !of.other_places.is_empty() {
        let places: Vec<_> = of.other_places.iter().map(words::place).collect();
        facts.push(labelled("Also at", &places.join(", ")));
    }
    if let Some(inside) = words::inside(of) {
        facts.push(labelled("Inside", &inside));
    }
    if let Some(helper) = &of.helper {
        facts.push(labelled("Through", &words::helper(helper)));
    }
    if let Some(caller) = &of.called_from {
        facts.push(labelled("Called from", &words::place(caller)));
    }
    if let Some(compiler) = of.compiled {
        facts.push(labelled("Compiled", &words::compiled(compiler)));
    }
    CauseText {
        title: words::sentence(&words::cause_title(of)),
        place: of.place.as_ref().map(|place| super::document::Labelled {
            label: if place.is_function { "in" } else { "at" }.to_owned(),
            text: words::place(place),
        }),
        facts,
        remedy: super::document::Labelled {
            label: "Remedy:".to_owned(),
            text: words::remedy(of),
        },
        more: format!(
            "Kind {}, explained by {}",
            of.kind.as_str(),
            words::explained_by(of.kind)
        ),
    }
}

fn what_ifs(diagnosis: &Diagnosis) -> Option<Block> {
    if diagnosis.what_if.is_empty() {
        return None;
    }
    let row = |what_if: &WhatIf| -> Vec<Cell> {
        let facts = words::what_if_facts(what_if).into_iter();
        vec![
            Cell::badge(words::compare_verdict(what_if.verdict)),
            words::what_if_title(what_if).into(),
            Cell::noted(
                words::sentence(&words::what_if_result(what_if)),
                facts.map(|(name, text)| words::sentence(&format!("{name} {text}"))),
            ),
        ]
    };
    let columns = vec![unseen("verdict"), text("left out"), text("measured")];
    let rows = diagnosis.what_if.iter().map(row).collect();
    Some(section(
        "what-if",
        "What if",
        format!("{}.", words::sentence(&words::what_ifs(diagnosis))),
        vec![table("What if", columns, rows)],
    ))
}

fn layers(diagnosis: &Diagnosis) -> Option<Block> {
    let costs = diagnosis.layers.as_ref()?;
    let mut columns = vec![text("function")];
    columns.extend(words::LAYER_HEADS.map(column));
    columns.push(text(words::LAYER_PLACE_HEAD));
    let row = |layer: words::LayerRow| -> Vec<Cell> {
        let figures = layer.figures.map(Cell::Text);
        [layer.name.into()]
            .into_iter()
            .chain(figures)
            .chain([layer.place.into()])
            .collect()
    };
    let rows = words::layers(costs).map(row).collect();
    let about = words::sentence(words::LAYERS_OF.trim());
    Some(section(
        "layers",
        words::LAYERS,
        about,
        vec![table(words::LAYERS, columns, rows)],
    ))
}

fn breakdown(diagnosis: &Diagnosis) -> Option<Block> {
    if diagnosis.breakdown.is_empty() {
        return None;
    }
    let rows = diagnosis
        .breakdown
        .iter()
        .map(|slice| -> Vec<Cell> { vec![words::spent_on(&slice.what).into(), figures::share(slice.share).into()] });
    Some(section(
        "breakdown",
        "Where the time went",
        "Shares of the busy time of the main threads in the CPU profile.",
        vec![table(
            "Where the time went",
            vec![text("on"), column("share")],
            rows.collect(),
        )],
    ))
}

fn runtime(diagnosis: &Diagnosis) -> Option<Block> {
    let time = diagnosis.runtime.as_ref()?;
    let [activity, share, uncharged] = words::ACTIVITY_HEADS;
    let activities = words::activity_rows(time).map(|row| row.map(Cell::Text).to_vec());
    let [whom, of_busy, mostly] = words::CHARGE_HEADS;
    let charges = words::charge_rows(time, usize::MAX).into_iter();
    let charges = charges.map(|row| row.map(Cell::Text).to_vec());
    Some(section(
        "runtime",
        words::RUNTIME,
        format!(
            "{}. {}.",
            words::sentence(&words::runtime_share(time)),
            words::sentence(&words::charged(time))
        ),
        vec![
            table(
                "What Node.js does",
                vec![text(activity), column(share), column(uncharged)],
                activities.collect(),
            ),
            table(
                "For whom it does it",
                vec![text(whom), column(of_busy), text(mostly)],
                charges.collect(),
            ),
        ],
    ))
}

fn listings(diagnosis: &Diagnosis) -> Option<Block> {
    let listings = diagnosis.listings.as_ref()?;
    Some(section(
        "lines",
        words::LISTINGS,
        format!("{}.", words::sentence(&words::listings_of(listings))),
        listings
            .functions
            .iter()
            .map(|of| Block::Listing(listing(of)))
            .collect(),
    ))
}

fn flame(diagnosis: &Diagnosis) -> Option<Block> {
    if diagnosis.flame.is_empty() {
        return None;
    }
    let classes = words::CODE_CLASSES.iter().map(|(class, text)| FlameClass {
        class: serde_json::to_value(class)
            .map_or_else(|_| String::new(), |code| code.as_str().unwrap_or_default().to_owned()),
        text: (*text).to_owned(),
    });
    Some(section(
        "flame",
        "Call tree",
        "Every call of the profile that takes a thousandth of the busy time, as wide as its time, callers above the called. A \
         click zooms, Escape shows all.",
        vec![Block::Flame(FlameKey {
            classes: classes.collect(),
        })],
    ))
}

fn passes(diagnosis: &Diagnosis) -> Block {
    let mut columns = vec![text("pass")];
    columns.extend(words::pass_heads(diagnosis).map(column));
    let row = |pass: &Pass| -> Vec<Cell> {
        std::iter::once(Cell::from(pass.name.as_str()))
            .chain(words::pass(pass).map(Cell::Text))
            .collect()
    };
    let rows = diagnosis.passes.iter().map(row).collect();
    section(
        "passes",
        "Passes",
        words::passes(diagnosis),
        vec![table("Passes", columns, rows)],
    )
}
