//! A document to the draft of a plan.

use crate::notation::Notation;
use crate::notation::environment::Environment;
use crate::notation::error::{PlanError, Source};
use crate::notation::mismatch::Mismatch;
use crate::notation::reader::{ReadFile, Reader};
use crate::notation::syntax;
use crate::notation::written::{At, Field, Given, OneOrMany, ShortOr, Written};
use crate::plan::document::{
    ConnectionsDocument, FleetDocument, JudgingDocument, PlanDocument, SearchDocument, SizingDocument, TargetDocument,
    TlsDocument,
};
use crate::plan::draft::PlanDraft;
use crate::plan::fleet::{FleetPlan, FleetUrl};
use crate::plan::http::HttpVersion;
use crate::plan::proxy::Proxy;
use crate::plan::resolution::Resolution;
use crate::plan::running::{Hosted, Running};
use crate::plan::tls::TlsOptions;
use crate::{Amount, Connections, Judging, Load, Objective, Scenario, Search, Secret, Sizing, Target, Template, Url};
use std::path::Path;

/// Reads a plan. It is made of valid parts, but not checked as a whole; the reader finds the place of what a check
/// complains about.
pub(crate) fn read<'a>(
    source: Source<'a>,
    files: ReadFile<'a>,
    environment: Option<Environment<'a>>,
) -> Result<(PlanDraft, Reader<'a>), PlanError> {
    let document = syntax::read_document(source)?;
    let mut reader = Reader::new(source, files, environment);
    let plan = reader.plan(&document)?;
    Ok((plan, reader))
}

impl Reader<'_> {
    /// A template with the values of the environment in their places; `shown` says whether it stands where complaints may
    /// name its variables.
    pub(crate) fn template_in(
        &self,
        written: &Written<String>,
        names: &[&str],
        shown: bool,
    ) -> Result<Template, PlanError> {
        self.read_text(written, |text| self.parse_template(text, names, shown))
    }

    pub(crate) fn parse_template(&self, text: &str, names: &[&str], shown: bool) -> Result<Template, Mismatch> {
        Template::parse_in(text, names, self.environment.unwrap_or(&|_| None)).map_err(|mismatch| {
            match mismatch.plain && !shown {
                true => mismatch.veiled("`${…}` that is not a valid variable"),
                false => mismatch,
            }
        })
    }

    fn plan(&mut self, document: &At<PlanDocument>) -> Result<PlanDraft, PlanError> {
        let plan = &document.value;
        let stem = Path::new(self.source.file)
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned());
        let name = self.field("name", &plan.name)?.or(stem).unwrap_or_default();
        let seed = self.field("seed", &plan.seed)?.unwrap_or_default();
        let mut target = match &plan.target.0 {
            Some(ShortOr::Short(url)) => Target::at(self.url("target.url", url)?),
            Some(ShortOr::Full(target)) => self.target(target)?,
            None => {
                let mismatch = Mismatch::new("no `target`", "the URL of the service");
                return Err(self.error(None, mismatch.hint("write `target: http://127.0.0.1:3000`")));
            }
        };
        let objectives = match self.section("objectives", &plan.objectives) {
            None => None,
            Some(section) => {
                let numbered = section.value.iter().enumerate();
                let objectives =
                    numbered.map(|(index, written)| self.written(&format!("objectives[{index}]"), written));
                Some(objectives.collect::<Result<_, _>>()?)
            }
        };
        let scenario = match self.section("scenario", &plan.scenario) {
            None => Scenario::default(),
            Some(section) => self.scenario(section)?,
        };
        let has_calls = scenario.requests.iter().any(|request| request.grpc.is_some());
        if has_calls && self.place("target.http").is_none() {
            target.http = HttpVersion::Http2;
        }
        let load = match self.section("load", &plan.load) {
            None => Load::default(),
            Some(section) => self.load(section)?,
        };
        let objectives = objectives.unwrap_or_else(|| match load {
            Load::Hold(_) => Vec::new(),
            Load::Open(_) | Load::Closed(_) => Objective::defaults(&target),
        });
        let judging = load.duration().map_or_else(Judging::default, Judging::for_run);
        let judging = match self.section("judging", &plan.judging) {
            None => judging,
            Some(section) => self.judging(&section.value, judging)?,
        };
        let search = match self.section("search", &plan.search) {
            None => Search::default(),
            Some(section) => self.search(&section.value)?,
        };
        let sizing = match self.section("sizing", &plan.sizing) {
            None => Sizing::default(),
            Some(section) => self.sizing(&section.value)?,
        };
        let fleet = match &plan.fleet.0 {
            None => None,
            Some(ShortOr::Short(url)) => Some(FleetPlan {
                url: self.fleet_url("fleet", url)?,
                key: None,
                agents: None,
                min_agents: None,
            }),
            Some(ShortOr::Full(fleet)) => Some(self.fleet(fleet)?),
        };
        let connections = match self.section("connections", &plan.connections) {
            None => Connections::default(),
            Some(section) => self.connections(&section.value)?,
        };
        if matches!(load, Load::Hold(_)) && connections.min > 0 && self.is_written_by_someone() {
            let mismatch = Mismatch::new("`min` beside connections that are held", "another model, or no `min`");
            let hint = "all held connections are opened from the start on, `load.pace` of them per second";
            return Err(self.error_about("connections.min", mismatch.hint(hint)));
        }
        let mut draft = PlanDraft {
            name,
            target,
            objectives,
            judging,
            scenario,
            load,
            search,
            sizing,
            fleet,
            connections,
            seed,
        };
        draft.complete_search();
        Ok(draft)
    }

    pub(crate) fn url(&mut self, key: &str, written: &Written<Url>) -> Result<Url, PlanError> {
        self.remember(key, written.place);
        self.read_text(written, |text| {
            let expanded = self.expand(text)?;
            if !expanded.is_sealed() {
                return Url::read(text);
            }
            let mut url = Url::read(expanded.reveal()).map_err(|mismatch| {
                Mismatch::new("a value of the environment that is not a URL", Url::EXPECTED).or(mismatch)
            })?;
            url.path = Secret::sealed(url.path.reveal());
            Ok(url)
        })
    }

    fn target(&mut self, section: &At<TargetDocument>) -> Result<Target, PlanError> {
        self.remember("target", section.place);
        let target = &section.value;
        let url = match &target.url.0 {
            Some(url) => self.url("target.url", url)?,
            None => return Err(self.missing::<Url>("target.url", section.place)),
        };
        let resolve = self.resolve(&target.resolve)?;
        let proxy = self.proxy(&target.proxy)?;
        let running = self.running(target)?;
        let cpus = self
            .field("target.cpus", &target.cpus)?
            .map_or_else(Vec::new, |cpus| cpus.0);
        let env = self.env("target.env", &target.env)?;
        let auth = match self.section("target.auth", &target.auth) {
            Some(auth) => Some(self.auth(auth)?),
            None => None,
        };
        let http = self.field("target.http", &target.http)?.unwrap_or_default();
        let follow_redirects = self.field("target.follow_redirects", &target.follow_redirects)?;
        let follow_redirects = follow_redirects.unwrap_or_default();
        let tls = match self.section("target.tls", &target.tls) {
            Some(tls) => self.tls(&tls.value)?,
            None => TlsOptions::default(),
        };
        let working_dir = self.field("target.working_dir", &target.working_dir)?;
        let working_dir = working_dir.map(|path| self.beside_plan(&path));
        let stdout = self.field("target.stdout", &target.stdout)?;
        let stop_grace = self.field("target.stop_grace", &target.stop_grace)?;
        let ready = self.section("target.ready", &target.ready);
        let (mut ready_path, mut ready_timeout) = (None, None);
        if let Some(ready) = ready {
            if let Some(path) = &ready.value.path.0 {
                self.remember("target.ready.path", path.place);
                ready_path = Some(self.expanded(path)?);
            }
            ready_timeout = self.field("target.ready.timeout", &ready.value.timeout)?;
        }
        let limits = self.limits("target.limits", &target.limits)?;
        let command = self.command("target.command", &target.command)?;
        let beside = self.beside(&target.beside)?;
        let Some(mut command) = command else {
            for key in ["env", "working_dir", "ready", "limits", "stdout", "stop_grace"] {
                let key = format!("target.{key}");
                if let Some(place) = self.place(&key) {
                    let found = format!("`{key}` without `target.command`");
                    return Err(self.error(Some(place), Mismatch::new(found, "a `command` that it applies to")));
                }
            }
            return Ok(Target {
                url,
                resolve,
                proxy,
                command: None,
                running,
                cpus,
                auth,
                http,
                follow_redirects,
                tls,
                beside,
            });
        };
        command.env = env;
        command.working_dir = working_dir;
        command.ready.path = ready_path;
        command.ready.timeout = ready_timeout.unwrap_or(command.ready.timeout);
        command.stdout = stdout.unwrap_or(command.stdout);
        command.stop_grace = stop_grace.unwrap_or(command.stop_grace);
        command.limits = limits;
        Ok(Target {
            url,
            resolve,
            proxy,
            command: Some(command),
            running,
            cpus,
            auth,
            http,
            follow_redirects,
            tls,
            beside,
        })
    }

    fn running(&mut self, target: &TargetDocument) -> Result<Option<Running>, PlanError> {
        let pid = self.field("target.pid", &target.pid)?;
        let container = self.field("target.container", &target.container)?;
        if let Some(hosted) = self.hosted(target)? {
            let (key, found) = match (pid, container) {
                (Some(_), _) => ("target.pid", "both `pid` and `fleet_target`"),
                (None, Some(_)) => ("target.container", "both `container` and `fleet_target`"),
                (None, None) => return Ok(Some(Running::Hosted(hosted))),
            };
            let mismatch = Mismatch::new(found, "one of them: what is watched");
            return Err(self.error(self.place(key), mismatch));
        }
        match (pid, container) {
            (Some(_), Some(_)) => {
                let mismatch = Mismatch::new("both `pid` and `container`", "one of them: what is watched");
                Err(self.error(self.place("target.container"), mismatch))
            }
            (Some(pid), None) => Ok(Some(Running::Process(pid))),
            (None, container) => Ok(container.map(Running::Container)),
        }
    }

    fn hosted(&mut self, target: &TargetDocument) -> Result<Option<Hosted>, PlanError> {
        let service = self.field("target.fleet_target", &target.fleet_target)?;
        let machines = self.field("target.fleet_targets", &target.fleet_targets)?;
        match (service, machines) {
            (None, Some(_)) => {
                let mismatch = Mismatch::new("`fleet_targets` without `fleet_target`", "the name of their service");
                Err(self.error(self.place("target.fleet_targets"), mismatch))
            }
            (service, machines) => Ok(service.map(|service| Hosted { service, machines })),
        }
    }

    fn proxy(&mut self, field: &Field<Url>) -> Result<Option<Proxy>, PlanError> {
        let Some(written) = &field.0 else { return Ok(None) };
        self.remember("target.proxy", written.place);
        let proxy = self.read_text(written, |text| {
            let expanded = self.expand(text)?;
            let url = Url::read(expanded.reveal()).map_err(|mismatch| match expanded.is_sealed() {
                true => Mismatch::new("a value of the environment that is not a URL", Url::EXPECTED).or(mismatch),
                false => mismatch,
            });
            Proxy::at(url?)
        });
        proxy.map(Some)
    }

    fn resolve(&mut self, given: &Given<OneOrMany<Resolution>>) -> Result<Vec<Resolution>, PlanError> {
        match &given.0 {
            None => Ok(Vec::new()),
            Some(OneOrMany::One(only)) => Ok(vec![self.written("target.resolve", only)?]),
            Some(OneOrMany::Many(list, place)) => {
                self.remember("target.resolve", *place);
                let numbered = list.iter().enumerate();
                numbered
                    .map(|(index, written)| self.written(&format!("target.resolve[{index}]"), written))
                    .collect()
            }
        }
    }

    fn tls(&mut self, tls: &TlsDocument) -> Result<TlsOptions, PlanError> {
        let default = TlsOptions::default();
        let mut file = |key: &str, field: &Field<String>| {
            let path = self.field(&format!("target.tls.{key}"), field)?;
            Ok::<_, PlanError>(path.map(|path| self.beside_plan(&path)))
        };
        Ok(TlsOptions {
            ca: file("ca", &tls.ca)?,
            cert: file("cert", &tls.cert)?,
            key: file("key", &tls.key)?,
            server_name: self.field("target.tls.server_name", &tls.server_name)?,
            insecure: self
                .field("target.tls.insecure", &tls.insecure)?
                .unwrap_or(default.insecure),
            resume: self.field("target.tls.resume", &tls.resume)?.unwrap_or(default.resume),
            versions: self
                .field("target.tls.versions", &tls.versions)?
                .unwrap_or(default.versions),
        })
    }

    fn judging(&mut self, judging: &JudgingDocument, default: Judging) -> Result<Judging, PlanError> {
        Ok(Judging {
            window: self.field("judging.window", &judging.window)?.unwrap_or(default.window),
            passing_windows: self
                .field("judging.passing_windows", &judging.passing_windows)?
                .unwrap_or(default.passing_windows),
            warm_up: self
                .field("judging.warm_up", &judging.warm_up)?
                .unwrap_or(default.warm_up),
        })
    }

    fn search(&mut self, search: &SearchDocument) -> Result<Search, PlanError> {
        let default = Search::default();
        let unit = self.field("search.in", &search.unit)?.unwrap_or(default.unit);
        let mut level = |key, field| match self.field::<Amount>(key, field)? {
            Some(amount) => unit
                .level(amount)
                .map(Some)
                .map_err(|mismatch| self.error_about(key, mismatch)),
            None => Ok(None),
        };
        let start = level("search.start", &search.start)?.unwrap_or(default.start);
        let max = level("search.max", &search.max)?.unwrap_or(default.max);
        Ok(Search {
            unit,
            start,
            max,
            bracket: self
                .field("search.bracket", &search.bracket)?
                .unwrap_or(default.bracket),
            budget: self.field("search.budget", &search.budget)?.unwrap_or(default.budget),
            step: self.field("search.step", &search.step)?.unwrap_or(default.step),
        })
    }

    fn sizing(&mut self, sizing: &SizingDocument) -> Result<Sizing, PlanError> {
        let default = Sizing::default();
        Ok(Sizing {
            demand: self.field("sizing.demand", &sizing.demand)?,
            headroom: self
                .field("sizing.headroom", &sizing.headroom)?
                .unwrap_or(default.headroom),
            price: self.field("sizing.price", &sizing.price)?,
        })
    }

    fn fleet(&mut self, section: &At<FleetDocument>) -> Result<FleetPlan, PlanError> {
        self.remember("fleet", section.place);
        let fleet = &section.value;
        let url = match &fleet.url.0 {
            Some(url) => self.fleet_url("fleet.url", url)?,
            None => return Err(self.missing::<FleetUrl>("fleet.url", section.place)),
        };
        let key = self.field("fleet.key", &fleet.key)?;
        Ok(FleetPlan {
            url,
            key: key.map(|path| self.beside_plan(&path)),
            agents: self.field("fleet.agents", &fleet.agents)?,
            min_agents: self.field("fleet.min_agents", &fleet.min_agents)?,
        })
    }

    fn fleet_url(&mut self, key: &str, written: &Written<FleetUrl>) -> Result<FleetUrl, PlanError> {
        self.remember(key, written.place);
        self.read_text(written, |text| FleetUrl::of(self.expand(text)?))
    }

    /// Whether it is no plan of an earlier run, in which what counts for nothing may stand.
    const fn is_written_by_someone(&self) -> bool {
        self.environment.is_some()
    }

    fn connections(&mut self, connections: &ConnectionsDocument) -> Result<Connections, PlanError> {
        let default = Connections::default();
        let timeout = (&connections.connect_timeout, &connections.response_timeout);
        Ok(Connections {
            max: self.field("connections.max", &connections.max)?.unwrap_or(default.max),
            min: self.field("connections.min", &connections.min)?.unwrap_or(default.min),
            keep_alive: self
                .field("connections.keep_alive", &connections.keep_alive)?
                .unwrap_or(default.keep_alive),
            per_user: self
                .field("connections.per_user", &connections.per_user)?
                .unwrap_or(default.per_user),
            streams: self.field("connections.streams", &connections.streams)?,
            pipelining: self
                .field("connections.pipelining", &connections.pipelining)?
                .unwrap_or(default.pipelining),
            connect_timeout: self
                .field("connections.connect_timeout", timeout.0)?
                .unwrap_or(default.connect_timeout),
            response_timeout: self
                .field("connections.response_timeout", timeout.1)?
                .unwrap_or(default.response_timeout),
        })
    }
}
