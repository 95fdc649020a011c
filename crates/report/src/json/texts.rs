//! Texts for people beside the codes and parameters of findings.
//!
//! Wherever findings have a code, JSON has a `text` in the same object; a notice has its `hint` as well. Beside them stand the
//! texts that follow from a class or a kind: `meaning` of a failure, and so on. They come from the same words as those of every
//! other renderer.

use crate::words;
use plimsoll_findings::{
    Cause, Comparison, Diagnosis, EffectFinding, ErrorFinding, Findings, Headline, LineThen, LoadLine,
    MeasurementFinding, NextStep, NoiseFindings, NotBack, Notice, ObjectiveFinding, Predicted, ResponsesFinding,
    RoundFinding, Scaling, SizingFinding, StepFinding, StudyFindings,
};
use serde_json::Value;

/// Findings that know their texts.
pub(crate) trait Texts {
    /// Writes them into `json`, which is these findings as JSON.
    fn add_texts(&self, json: &mut Value);
}

pub(super) fn set(json: &mut Value, key: &str, text: impl Into<String>) {
    if let Value::Object(object) = json {
        object.insert(key.to_owned(), Value::String(text.into()));
    }
}

fn each<T>(json: &mut Value, all: &[T], add: impl Fn(&T, &mut Value)) {
    let array = json.as_array_mut().into_iter().flatten();
    all.iter().zip(array).for_each(|(one, json)| add(one, json));
}

/// What is at `key` gets its text, where it is.
fn some<T>(json: &mut Value, key: &str, one: Option<&T>, text: impl Fn(&T) -> String) {
    if let Some(one) = one {
        set(&mut json[key], "text", text(one));
    }
}

impl Texts for Findings {
    fn add_texts(&self, json: &mut Value) {
        set(&mut json["host"], "text", words::host(&self.host));
        headline(&self.headline, &mut json["headline"]);
        next_step(&self.next_step, &mut json["next_step"]);
        if let Some(line) = &self.load_line {
            load_line(line, &mut json["load_line"]);
        }
        if let Some(of) = &self.sizing {
            sizing(of, &mut json["sizing"]);
        }
        if let Some(of) = &self.shock {
            let json = &mut json["shock"];
            some(json, "shock", Some(&of.shock), words::shock);
            if let Some(state) = &of.not_back {
                not_back(state, &mut json["not_back"]);
            }
        }
        if let Some(of) = &self.soak {
            each(&mut json["soak"]["trends"], &of.trends, |trend, json| {
                set(json, "text", words::trend(trend));
            });
        }
        each(&mut json["objectives"], &self.objectives, objective);
        each(&mut json["steps"], &self.steps, step);
        each(&mut json["errors"], &self.errors, error);
        each(&mut json["notices"], &self.notices, notice);
        if let Some(found) = &self.diagnosis {
            diagnosis(found, &mut json["diagnosis"]);
        }
    }
}

impl Texts for Comparison {
    fn add_texts(&self, json: &mut Value) {
        some(json, "host", self.host.as_ref(), words::host);
        set(&mut json["headline"], "text", words::compare_headline(&self.headline));
        set(&mut json["next_step"], "text", words::compare_next_step(self.next_step));
        each(&mut json["figures"], &self.figures, |figure, json| {
            set(json, "text", words::metric(figure.figure));
        });
        each(&mut json["rounds"], &self.rounds, round);
        each(&mut json["responses"], &self.responses, responses);
        each(&mut json["notices"], &self.notices, notice);
        if let Some(threshold) = words::threshold(self) {
            set(json, "threshold_text", threshold);
        }
        if let Some(prediction) = &self.prediction {
            let json = &mut json["prediction"];
            set(json, "text", words::prediction(prediction));
            if let Some(outcome) = words::outcome(prediction) {
                set(json, "outcome_text", outcome);
            }
        }
    }
}

impl Texts for NoiseFindings {
    fn add_texts(&self, json: &mut Value) {
        some(json, "host", self.host.as_ref(), words::host);
        set(json, "text", words::noise_sees(self));
        each(&mut json["disturbances"], &self.disturbances, |disturbance, json| {
            let (text, hint) = words::disturbance(disturbance);
            set(json, "text", text);
            set(json, "hint", hint);
        });
    }
}

impl Texts for Scaling {
    fn add_texts(&self, json: &mut Value) {
        some(json, "host", self.host.as_ref(), words::host);
        set(&mut json["headline"], "text", words::scale_headline(&self.headline));
        set(&mut json["next_step"], "text", words::scale_next_step(self.next_step));
        if let Some(law) = &self.law {
            set(&mut json["law"], "tells_text", words::tells(law.tells));
        }
        each(&mut json["rounds"], &self.rounds, round);
        each(&mut json["responses"], &self.responses, responses);
        each(&mut json["notices"], &self.notices, notice);
    }
}

impl Texts for StudyFindings {
    fn add_texts(&self, json: &mut Value) {
        set(&mut json["host"], "text", words::host(&self.host));
        set(&mut json["headline"], "text", words::study_headline(&self.headline));
        set(json, "next_step", words::study_next_step(self.verdict));
        each(&mut json["effects"], &self.effects, effect);
        each(&mut json["measurements"], &self.measurements, measurement);
        each(&mut json["notices"], &self.notices, notice);
    }
}

fn headline(headline: &Headline, json: &mut Value) {
    set(json, "text", words::headline(headline));
    match headline {
        Headline::LoadLine {
            broke, ended_because, ..
        } => {
            some(json, "broke", broke.as_ref(), words::objective);
            set(&mut json["ended_because"], "text", words::ended(*ended_because));
        }
        Headline::NoLoadLine { broke, .. } => some(json, "broke", broke.as_ref(), words::objective),
        Headline::Back { shock, .. } => some(json, "shock", Some(shock), words::shock),
        Headline::NotBack { shock, state, .. } => {
            some(json, "shock", Some(shock), words::shock);
            not_back(state, &mut json["state"]);
        }
        Headline::BrokenBefore { objective } => some(json, "objective", objective.as_ref(), words::objective),
        Headline::Breached { objective, .. } => set(&mut json["objective"], "text", words::objective(objective)),
        Headline::Limit { cause, package, .. } => {
            some(json, "cause", cause.as_ref(), words::cause_what);
            some(json, "package", package.as_deref(), words::package);
        }
        _ => {}
    }
}

fn not_back(state: &NotBack, json: &mut Value) {
    set(json, "text", words::not_back(state));
    if let NotBack::Broken { objective } = state {
        some(json, "objective", objective.as_ref(), words::objective);
    }
}

fn next_step(step: &NextStep, json: &mut Value) {
    set(json, "text", words::next_step(step));
    match step {
        NextStep::UseLine {
            then: LineThen::SeeWaits { broke },
            ..
        } => some(&mut json["then"], "broke", broke.as_ref(), words::objective),
        NextStep::LetComeBack { state } => not_back(state, &mut json["state"]),
        _ => {}
    }
}

fn load_line(line: &LoadLine, json: &mut Value) {
    set(json, "interval_text", words::interval_of(line));
    some(json, "broke", line.broke.as_ref(), words::objective);
    set(&mut json["ended_because"], "text", words::ended(line.ended_because));
}

fn sizing(of: &SizingFinding, json: &mut Value) {
    set(json, "text", words::sizing(of));
    some(json, "unsized_because", of.unsized_because.as_ref(), |because| {
        words::unsized_because(*because).to_owned()
    });
    let Some(predicted) = &of.predicted else { return };
    let json = &mut json["predicted"];
    set(json, "text", words::sized_by(of, predicted));
    set(
        &mut json["assumption"],
        "text",
        words::sizing_assumption(predicted.assumption),
    );
    for (key, these) in [("needed", &predicted.needed), ("with_spare", &predicted.with_spare)] {
        set(&mut json[key], "text", words::instances(these, predicted.at_most));
    }
}

fn objective(finding: &ObjectiveFinding, json: &mut Value) {
    set(&mut json["objective"], "text", words::objective(&finding.objective));
    some(json, "unjudged_because", finding.unjudged_because.as_ref(), |because| {
        words::unjudged_because(*because)
    });
}

pub(super) fn step(step: &StepFinding, json: &mut Value) {
    some(json, "broke", step.broke.as_ref(), words::objective);
    each(&mut json["objectives"], &step.objectives, objective);
    some(json, "invalid_because", step.invalid_because.as_ref(), |late| {
        words::late(*late)
    });
}

fn error(error: &ErrorFinding, json: &mut Value) {
    set(json, "meaning", words::meaning(error.class));
    if let Some(example) = &error.example {
        set(&mut json["example"], "text", words::example(example));
    }
}

fn notice(of: &Notice, json: &mut Value) {
    set(json, "text", words::notice(of));
    json["hint"] = words::hint(of).map_or(Value::Null, |hint| Value::String(hint.into_owned()));
    match of {
        Notice::GeneratorLate { because } => set(&mut json["because"], "text", words::late(*because)),
        Notice::NothingJudged { because } => set(&mut json["because"], "text", words::unjudged_because(*because)),
        Notice::Unjudged { objective, because } => {
            set(&mut json["objective"], "text", words::objective(objective));
            set(&mut json["because"], "text", words::unjudged_because(*because));
        }
        Notice::LoadLinesOpenEnded { ended_because, .. } => {
            set(&mut json["ended_because"], "text", words::ended(*ended_because));
        }
        Notice::InRound { notice: inner, .. } => notice(inner, &mut json["notice"]),
        _ => {}
    }
}

fn diagnosis(found: &Diagnosis, json: &mut Value) {
    set(json, "bound_text", words::bound(found.bound));
    set(&mut json["bound_because"], "text", words::bound_because(found));
    some(json, "broke_first", found.broke_first.as_ref(), words::broke_before);
    if let Some(broke) = &found.broke_first {
        set(
            &mut json["broke_first"]["objective"],
            "text",
            words::objective(&broke.objective),
        );
    }
    each(&mut json["causes"], &found.causes, cause);
    each(&mut json["what_if"], &found.what_if, |of, json| {
        set(json, "text", words::what_if(of));
        set(&mut json["headline"], "text", words::compare_headline(&of.headline));
        each(&mut json["figures"], &of.figures, |figure, json| {
            set(json, "text", words::metric(figure.figure));
        });
        each(&mut json["responses"], &of.responses, responses);
        each(&mut json["notices"], &of.notices, notice);
    });
    each(&mut json["breakdown"], &found.breakdown, |slice, json| {
        set(&mut json["what"], "text", words::spent_on(&slice.what));
    });
    if let Some(time) = &found.runtime {
        let json = &mut json["runtime"];
        set(json, "text", words::charged(time));
        each(&mut json["activities"], &time.activities, |time, json| {
            set(json, "text", words::activity(time.activity));
        });
        each(&mut json["charges"], &time.charges, |charge, json| {
            set(json, "text", words::charge(charge));
            some(json, "place", Some(&charge.place), words::place);
        });
    }
    if let Some(costs) = &found.layers {
        each(&mut json["layers"]["layers"], &costs.layers, |layer, json| {
            set(json, "text", words::layer(layer));
            some(json, "place", layer.place.as_ref(), words::place);
            some(json, "defined", layer.defined.as_ref(), words::place);
        });
    }
}

fn cause(cause: &Cause, json: &mut Value) {
    set(json, "title", words::cause_title(cause));
    set(&mut json["what"], "text", words::cause_what(&cause.what));
    set(json, "costs", words::cause_costs(cause));
    set(&mut json["evidence"], "text", words::evidence(cause));
    set(json, "remedy", words::remedy(cause));
    set(json, "doc", words::doc(cause.kind));
    predicted(cause.predicted.as_ref(), &mut json["predicted"]);
    predicted(cause.line_predicted.as_ref(), &mut json["line_predicted"]);
    some(json, "place", cause.place.as_ref(), words::place);
    some(json, "inside", cause.inside.as_ref(), words::place);
    some(json, "helper", cause.helper.as_ref(), words::helper);
    some(json, "called_from", cause.called_from.as_ref(), words::place);
    if let Some(compiler) = cause.compiled {
        set(json, "compiled_text", words::compiled(compiler));
    }
    each(&mut json["other_places"], &cause.other_places, |place, json| {
        set(json, "text", words::place(place));
    });
}

fn predicted(of: Option<&Predicted>, json: &mut Value) {
    let Some(of) = of else { return };
    set(json, "text", words::predicted_with_assumption(of));
    set(&mut json["assumption"], "text", words::assumption(of.assumption));
    some(json, "next", of.next.as_ref(), words::objective);
}

fn responses(of: &ResponsesFinding, json: &mut Value) {
    set(&mut json["of"], "text", words::responses_of(&of.of));
    each(&mut json["errors"], &of.errors, error);
}

fn round(round: &RoundFinding, json: &mut Value) {
    some(json, "unused_because", round.unused_because.as_ref(), words::unused);
}

fn effect(effect: &EffectFinding, json: &mut Value) {
    set(&mut json["because"], "text", words::effect_because(&effect.because));
    some(json, "rule", effect.rule.as_ref(), |of| words::rule(*of));
    some(json, "published", effect.published.as_ref(), words::published);
    some(json, "here", effect.here.as_ref(), words::here);
    if let Some(here) = &effect.here {
        set(&mut json["here"]["what"], "text", words::what_is_here(&here.what));
    }
}

fn measurement(of: &MeasurementFinding, json: &mut Value) {
    set(&mut json["headline"], "text", words::measurement_headline(&of.headline));
    each(&mut json["responses"], &of.responses, responses);
}
