//! Values of arguments: text into what it stands for, or into what was found and expected.

use super::LineArg;
use clap::builder::{PathBufValueParser, TypedValueParser};
use plimsoll_plan::{
    Amount, ByteSize, Container, CpuLimit, Mismatch, Objective, Park, Price, Rate, Resolution, SearchUnit, ServiceName,
    Share, Stage,
};
use std::path::PathBuf;
use std::time::Duration;

/// A list of cores; its own type, because clap takes a bare `Vec` for a repeated flag.
#[derive(Debug, Clone)]
pub(crate) struct Cpus(pub(crate) Vec<usize>);

/// A list of ports, for the same reason.
#[derive(Debug, Clone)]
pub(crate) struct Ports(pub(crate) Vec<u16>);

pub(super) fn amount(text: &str) -> Result<Amount, String> {
    text.parse().map_err(|error: Mismatch| error.to_string())
}

pub(super) fn unit(text: &str) -> Result<SearchUnit, String> {
    text.parse().map_err(|error: Mismatch| error.to_string())
}

pub(super) fn duration(text: &str) -> Result<Duration, String> {
    plimsoll_plan::parse_duration(text).map_err(|error| error.to_string())
}

/// A URL may have a password, and is no directory.
pub(super) fn directory() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.to_string_lossy().contains("://") {
        true => Err("found a URL, expected a directory"),
        false => Ok(path),
    })
}

pub(super) fn rate(text: &str) -> Result<Rate, String> {
    match plimsoll_plan::parse_rate(text) {
        Ok(Rate::ZERO) => Err("found a rate of zero, expected a rate above zero such as 100/s".to_owned()),
        outcome => outcome.map_err(|error| error.to_string()),
    }
}

/// What is no rate is the directory of a run.
pub(super) fn line(text: &str) -> Result<LineArg, String> {
    match plimsoll_plan::parse_rate(text) {
        Ok(_) => rate(text).map(LineArg::Rate),
        Err(_) => Ok(LineArg::Run(PathBuf::from(text))),
    }
}

/// So many times as much.
pub(super) fn times(text: &str) -> Result<f64, String> {
    let times: Option<f64> = text.strip_suffix('x').unwrap_or(text).parse().ok();
    times
        .filter(|times| *times > 1.0 && *times <= 1000.0)
        .ok_or_else(|| format!("found `{text}`, expected a number above 1 and at most 1000, such as 3"))
}

pub(super) fn share(text: &str) -> Result<Share, String> {
    plimsoll_plan::parse_share(text).map_err(|error| error.to_string())
}

pub(super) fn price(text: &str) -> Result<Price, String> {
    plimsoll_plan::parse_price(text).map_err(|error| error.to_string())
}

pub(super) fn stage(text: &str) -> Result<Stage, String> {
    plimsoll_plan::parse_stage(text).map_err(|error| error.to_string())
}

pub(super) fn resolution(text: &str) -> Result<Resolution, String> {
    text.parse().map_err(|error: Mismatch| error.to_string())
}

pub(super) fn cpus(text: &str) -> Result<Cpus, String> {
    plimsoll_plan::parse_cpus(text)
        .map(Cpus)
        .map_err(|error| error.to_string())
}

pub(super) fn service_name(text: &str) -> Result<ServiceName, String> {
    plimsoll_plan::parse_service_name(text).map_err(|error| error.to_string())
}

/// A service that a target agent may start, and the file of its plan.
pub(super) fn service_plan(text: &str) -> Result<(ServiceName, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !file.is_empty() => Ok((service_name(name)?, PathBuf::from(file))),
        _ => Err(format!(
            "found `{text}`, expected a name and a plan such as shop=plimsoll.yaml"
        )),
    }
}

/// A service, and a URL at which it is reached.
pub(super) fn service_place(text: &str) -> Result<(ServiceName, String), String> {
    let Some((name, url)) = text.split_once('=') else {
        return Err(format!(
            "found `{text}`, expected a name and a URL such as shop=http://10.0.0.5:3000"
        ));
    };
    let plan = plimsoll_plan::Plan::for_url(url).map_err(|error| error.to_string())?;
    Ok((service_name(name)?, plan.target().url.origin()))
}

pub(super) fn container(text: &str) -> Result<Container, String> {
    plimsoll_plan::parse_container(text).map_err(|error| error.to_string())
}

pub(super) fn cpu_limit(text: &str) -> Result<CpuLimit, String> {
    plimsoll_plan::parse_cpu_limit(text).map_err(|error| error.to_string())
}

pub(super) fn byte_size(text: &str) -> Result<ByteSize, String> {
    plimsoll_plan::parse_byte_size(text).map_err(|error| error.to_string())
}

pub(super) fn objective(text: &str) -> Result<Objective, String> {
    text.parse::<Objective>().map_err(|error| error.to_string())
}

pub(super) fn park(text: &str) -> Result<Park, String> {
    text.parse::<Park>().map_err(|error| error.to_string())
}

pub(super) fn ports(text: &str) -> Result<Ports, String> {
    plimsoll_plan::parse_ports(text)
        .map(Ports)
        .map_err(|error| error.to_string())
}

/// A name that Kubernetes takes for anything.
pub(super) fn label(text: &str) -> Result<String, String> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_one =
        (1..=40).contains(&text.len()) && text.bytes().all(plain) && !text.starts_with('-') && !text.ends_with('-');
    is_one
        .then(|| text.to_owned())
        .ok_or_else(|| "expected at most 40 small letters, digits and hyphens between them, such as eu-west".to_owned())
}

/// The same as a service of Kubernetes is called.
pub(super) fn service_label(text: &str) -> Result<String, String> {
    let name = label(text)?;
    name.starts_with(|c: char| c.is_ascii_lowercase())
        .then_some(name)
        .ok_or_else(|| "expected a small letter at its beginning, such as shop-1".to_owned())
}

/// Memory as Kubernetes has it.
pub(super) fn memory(text: &str) -> Result<String, String> {
    let number = ["Ki", "Mi", "Gi", "Ti"].iter().find_map(|unit| text.strip_suffix(unit));
    number
        .filter(|number| number.parse::<u32>().is_ok_and(|number| number > 0))
        .map(|_| text.to_owned())
        .ok_or_else(|| "expected a size such as 512Mi or 2Gi".to_owned())
}

/// The name of an agent, or of the zone in which it stands.
pub(super) fn agent_name(text: &str) -> Result<String, String> {
    let is_one = plimsoll_lab::fleet::is_name(text);
    is_one
        .then(|| text.to_owned())
        .ok_or_else(|| "expected at most 40 letters, digits and hyphens, such as eu-west".to_owned())
}
