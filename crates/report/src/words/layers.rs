//! Words for what middleware, hooks and handlers cost.

use super::diagnosis::place;
use crate::figures::{duration_us, known, share};
use plimsoll_findings::{Headline, LayerCost, LayerCosts, LayerRole, PackageCost};

/// Title of the table.
pub(crate) const LAYERS: &str = "What middleware and handlers cost";
/// What it has figures of.
pub(crate) const LAYERS_OF: &str =
    " what each does and what it causes later, as a share of the CPU per request, between what 95 of 100 profiles say";
/// Heads of the figures in a row.
pub(crate) const LAYER_HEADS: [&str; 5] = ["CPU per request", "share", "between", "of it garbage", "threadpool"];
/// The last of them, which a narrow page can do without.
pub(crate) const LAYER_HEADS_SPARE: &[&str] = &["of it garbage", "threadpool"];
/// Head of the last column.
pub(crate) const LAYER_PLACE_HEAD: &str = "registered at";

/// Rows that are worth their space, and the least share of one.
const ROWS_MAX: usize = 16;
const SHARE_MIN: f64 = 0.001;

/// A row of the table.
pub(crate) struct LayerRow {
    pub(crate) name: String,
    /// By [`LAYER_HEADS`].
    pub(crate) figures: [String; LAYER_HEADS.len()],
    pub(crate) place: String,
}

/// The table, costliest first; in its last row what none of them causes.
pub(crate) fn layers(costs: &LayerCosts) -> impl Iterator<Item = LayerRow> {
    let rest = LayerRow {
        name: "none of these".to_owned(),
        figures: [
            String::new(),
            share(costs.rest_share),
            String::new(),
            String::new(),
            String::new(),
        ],
        place: String::new(),
    };
    shown(costs).map(row).chain([rest])
}

/// The same in lines of text.
pub(crate) fn layer_lines(costs: &LayerCosts) -> impl Iterator<Item = String> {
    shown(costs).map(layer)
}

fn shown(costs: &LayerCosts) -> impl Iterator<Item = &LayerCost> {
    let worth = costs.layers.iter().filter(|layer| layer.cpu_share >= SHARE_MIN);
    worth.take(ROWS_MAX)
}

fn row(layer: &LayerCost) -> LayerRow {
    LayerRow {
        name: format!("{} {}", role(layer.role), name(layer)),
        figures: [
            known(layer.cpu_us_per_request, duration_us),
            share(layer.cpu_share),
            format!("{} and {}", share(layer.cpu_share_low), share(layer.cpu_share_high)),
            share(layer.garbage_share),
            share(layer.threadpool_share),
        ],
        place: layer.place.as_ref().map(place).unwrap_or_default(),
    }
}

/// Where there is no cause: what could go all the same.
pub(crate) fn no_causes(headline: &Headline) -> String {
    match headline {
        Headline::Limit { layer: Some(layer), .. } => self::layer(layer),
        Headline::Limit {
            package: Some(package), ..
        } => self::package(package),
        Headline::Limit { cut_off: true, .. } => "none found before the diagnosis ended early".to_owned(),
        Headline::Limit { few_samples: true, .. } => "none that enough samples show".to_owned(),
        _ => "no known costly pattern found".to_owned(),
    }
}

/// A package in a line of text.
pub(crate) fn package(of: &PackageCost) -> String {
    let at = of.place.as_ref().map(|at| format!(", most of it at {}", place(at)));
    format!(
        "package {} costs {} of the CPU{}",
        of.name,
        share(of.cpu_share),
        at.unwrap_or_default()
    )
}

/// A layer in a line of text.
pub(crate) fn layer(of: &LayerCost) -> String {
    let at = of.place.as_ref().map(|at| format!(", registered at {}", place(at)));
    format!(
        "{} {} costs {} of the CPU{}",
        role(of.role),
        name(of),
        share(of.cpu_share),
        at.unwrap_or_default()
    )
}

pub(super) const fn role(role: LayerRole) -> &'static str {
    match role {
        LayerRole::Middleware => "middleware",
        LayerRole::Hook => "hook",
        LayerRole::Handler => "handler",
        LayerRole::Server => "server",
    }
}

fn name(layer: &LayerCost) -> String {
    // What a package registers is mostly its own, and its line says so.
    let of = layer.defined_in.as_ref().filter(|_| layer.defined_in != layer.package);
    match (layer.name.as_str(), of) {
        (name, None) => named(name).to_owned(),
        ("", Some(package)) => format!("of {package}"),
        (name, Some(package)) => format!("{name} of {package}"),
    }
}

pub(super) fn named(name: &str) -> &str {
    match name {
        "" => "without a name",
        name => name,
    }
}
