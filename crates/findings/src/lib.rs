//! Typed results: what a run, a diagnosis, a comparison, a sweep of sizes and a study found, as codes, parameters and
//! figures; and what happens meanwhile. Renderers draw them; `findings.json` is them, with a text beside each code.
//!
//! No sentence is in here and nothing is computed. It must not know how a finding comes about, or how it is drawn.

mod comparison;
mod diagnosis;
mod event;
mod metric;
mod neighbour;
mod noise;
mod objective;
mod responses;
mod run;
mod scaling;
mod study;
mod unit;

pub use comparison::{
    Changed, CompareHeadline, CompareNextStep, CompareVerdict, Comparison, FigureFinding, FigureVerdict, GateDecision,
    GateFinding, PredictionFinding, RoundFinding, Unused, VariantFinding,
};
pub use diagnosis::{
    Activity, ActivityTime, Assumption, Bound, BoundBecause, BrokeFirst, Cause, CauseKind, Charged, ChargedActivity,
    CodeClass, Diagnosis, Evidence, FlameCall, Garbage, LayerCost, LayerCosts, LayerRole, ListedLine, Listing,
    Listings, MeasuredGain, PackageCost, PackageShare, Pass, Place, Predicted, Registered, ResponseThen, RuntimeCharge,
    RuntimeTime, Slice, SpentOn, StallCalls, What, WhatIf,
};
pub use event::{Event, HeldProgress, Progress};
pub use metric::Metric;
pub use neighbour::FullNeighbour;
pub use noise::{Disturbance, Finds, NoiseFindings, Scatter, Sees};
pub use objective::{Condition, Quantity, ShareInterval};
pub use responses::{ResponsesBeside, ResponsesFinding, ResponsesOf};
pub use run::{
    AgentFinding, AtATime, BroadcastFinding, ConcurrentUsers, Crowd, CurvePoint, EndedBecause, ErrorFinding,
    ExampleFinding, FailureClass, Findings, GeneratorFinding, Growth, HandshakeFinding, Headline, HeldLine,
    HoldFinding, InstanceFinding, InstanceLoad, InstanceRole, Instances, InstancesCost, InterruptedBy, JourneyFinding,
    KeptFinding, KeptLine, Late, LimitsFinding, LineThen, LittlesLaw, LoadLine, MessageFinding, NeighbourFinding,
    NextStep, NotBack, Noted, Notice, ObjectiveFinding, Percentiles, PriceFinding, ReachedFinding, RequestFailure,
    RequestFinding, Seen, SeenFinding, ShockFinding, ShockPart, SizingAssumption, SizingFinding, SizingPrediction,
    Slope, SoakFinding, SpaceFinding, StepFinding, StepVerdict, TargetFinding, TimelinePoint, Totals, TrendFinding,
    TrendOutcome, TrendQuantity, UndecidedBecause, Unjudged, Unsized, Unsteady, Verdict, WhatUnjudged, Windows,
    ZoneFinding,
};
pub use scaling::{
    LawFinding, LawPoint, Parameter, ScaleHeadline, ScaleNextStep, ScalePoint, ScaleVerdict, Scaling, Sizes, Tells,
};
pub use study::{
    Besides, EffectBecause, EffectFinding, EffectVerdict, FigureOf, HereFinding, MeasuredBy, MeasurementFinding,
    MeasurementHeadline, PublishedDirection, PublishedFinding, Rule, SizeFinding, StudyFindings, StudyHeadline,
    StudyVerdict, WhatIsHere,
};
pub use unit::Unit;
