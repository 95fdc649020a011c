//! `plimsoll fleet manifests`: what Kubernetes is given to start a fleet.
//!
//! Of keys and certificates the manifests have the names alone: they come from Secrets that their user makes.

use super::fleet_manifests_target;
use super::manifest_parts::{AGENTS_AND_RUNS, Directions, PART_OF, RESTRICTED, named, policy_head, quoted};
use crate::CommandResult;
use crate::args::FleetManifestsArgs;
use crate::exit::{Exit, Failure};
use crate::output::{Said, say};
use plimsoll_lab::fleet::{AllowList, is_name};
use std::fmt::Write as _;

/// What the broker is called.
const BROKER: &str = "plimsoll-broker";

pub(super) fn fleet_manifests(args: &FleetManifestsArgs) -> CommandResult {
    let allow = AllowList::parse(args.allow.iter().map(String::as_str))
        .map_err(|error| Failure::bad_plan(format!("failed to use --allow: {error}")))?;
    check_names(args)?;
    say(Said::Text(&manifests(args, &allow)))?;
    Ok(Exit::Pass)
}

/// Refuses names of which two objects, or an agent and its key, would not be told apart.
fn check_names(args: &FleetManifestsArgs) -> Result<(), Failure> {
    let refused = |found: String, hint: &str| Err(Failure::bad_plan(found).hint(hint));
    for (place, zone) in args.zones.iter().enumerate() {
        if args.zones[..place].contains(zone) {
            let found = format!("failed to use --zone: found {zone} twice");
            return refused(found, "raise --agents, which is the number of each zone");
        }
        let agent = format!("{zone}-{}", args.agents - 1);
        if !is_name(&agent) {
            let found =
                format!("failed to use --zone: found the agent {agent}, expected at most 40 characters in its name");
            return refused(found, "take fewer agents in it, or a shorter name");
        }
    }
    match args.service.as_deref() {
        Some(BROKER) => {
            let found = format!("failed to use --service: found {BROKER}, by which agents reach the broker");
            refused(found, "take another name")
        }
        _ => Ok(()),
    }
}

/// All objects, one document each.
fn manifests(args: &FleetManifestsArgs, allow: &AllowList) -> String {
    let mut text = head(args);
    let mut add = |document: &str| {
        let _ = write!(text, "---\n{document}");
    };
    add(&namespace(args));
    add(&broker_configuration(args));
    add(&broker(args));
    add(&broker_service(args));
    match args.zones.as_slice() {
        [] => add(&agents(args, allow, None)),
        zones => zones.iter().for_each(|zone| add(&agents(args, allow, Some(zone)))),
    }
    add(&broker_policy(args));
    add(&agents_policy(args, allow));
    if let Some((name, image)) = args.service.as_deref().zip(args.service_image.as_deref()) {
        fleet_manifests_target::documents(args, name, image)
            .iter()
            .for_each(|document| add(document));
    }
    text
}

/// How what is needed beside the objects is made.
fn head(args: &FleetManifestsArgs) -> String {
    let (namespace, last) = (&args.namespace, args.agents - 1);
    let called = args.zones.iter().map(String::as_str);
    let called: Vec<&str> = if args.zones.is_empty() {
        vec!["agent"]
    } else {
        called.collect()
    };
    let keys = called
        .iter()
        .map(|called| format!(" $(printf -- '--agent {called}-%s ' $(seq 0 {last}))"));
    let mut keys: String = keys.collect();
    let mut secret_of_target = String::new();
    if let Some(service) = &args.service {
        let _ = write!(keys, " --target {service}");
        secret_of_target = fleet_manifests_target::secret(args, service);
    }
    format!(
        "\
# A fleet of plimsoll on Kubernetes. It takes a key for each agent and a certificate of its broker, which are made before it is applied:
#
#   kubectl create namespace {namespace}
#   plimsoll fleet keys keys{keys}
#   kubectl -n {namespace} create secret generic plimsoll-agent-keys $(printf -- '--from-file=%s ' keys/agent-*.key)
#   kubectl -n {namespace} create configmap plimsoll-broker-permissions --from-file=keys/broker.conf
#   kubectl -n {namespace} create secret generic plimsoll-broker-tls --from-file=tls.crt --from-file=tls.key --from-file=ca.crt
{secret_of_target}#
# The certificate has the name plimsoll-broker, and the name by which runs reach the broker. ca.crt has the authorities that agents trust:
# those of the broker, and those of targets whose URL begins with https.
"
    )
}

fn namespace(args: &FleetManifestsArgs) -> String {
    let namespace = named(&args.namespace);
    format!(
        "\
apiVersion: v1
kind: Namespace
metadata:
  name: {namespace}
  labels:
    {PART_OF}
    pod-security.kubernetes.io/enforce: restricted
"
    )
}

fn broker_configuration(args: &FleetManifestsArgs) -> String {
    let namespace = named(&args.namespace);
    format!(
        r#"apiVersion: v1
kind: ConfigMap
metadata:
  name: plimsoll-broker
  namespace: {namespace}
  labels:
    {PART_OF}
data:
  nats.conf: |
    port: 4222
    http_port: 8222
    # Plans with long bodies or tables are longer than 1 MB, the default.
    max_payload: 8MB
    tls {{ cert_file: "/etc/nats/tls/tls.crt", key_file: "/etc/nats/tls/tls.key" }}
    include "permissions/broker.conf"
"#
    )
}

fn broker(args: &FleetManifestsArgs) -> String {
    let (namespace, image) = (named(&args.namespace), quoted(&args.broker_image));
    format!(
        r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: plimsoll-broker
  namespace: {namespace}
  labels:
    {PART_OF}
spec:
  replicas: 1
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app.kubernetes.io/name: plimsoll-broker
  template:
    metadata:
      labels:
        app.kubernetes.io/name: plimsoll-broker
        {PART_OF}
    spec:
      automountServiceAccountToken: false
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
      containers:
      - name: broker
        image: {image}
        args: ["-c", "/etc/nats/nats.conf"]
        ports:
        - name: nats
          containerPort: 4222
        readinessProbe:
          httpGet:
            path: /healthz
            port: 8222
        resources:
          requests:
            cpu: 500m
            memory: 256Mi
          limits:
            memory: 256Mi
{RESTRICTED}        volumeMounts:
        - name: configuration
          mountPath: /etc/nats
          readOnly: true
      volumes:
      - name: configuration
        projected:
          sources:
          - configMap:
              name: plimsoll-broker
          - configMap:
              name: plimsoll-broker-permissions
              items:
              - key: broker.conf
                path: permissions/broker.conf
          - secret:
              name: plimsoll-broker-tls
              items:
              - key: tls.crt
                path: tls/tls.crt
              - key: tls.key
                path: tls/tls.key
"#
    )
}

fn broker_service(args: &FleetManifestsArgs) -> String {
    let namespace = named(&args.namespace);
    format!(
        "\
apiVersion: v1
kind: Service
metadata:
  name: plimsoll-broker
  namespace: {namespace}
  labels:
    {PART_OF}
spec:
  selector:
    app.kubernetes.io/name: plimsoll-broker
  ports:
  - name: nats
    port: 4222
    targetPort: nats
"
    )
}

/// A Job whose pods are agents, each called by its index. In a zone they are called after it, and run there alone.
fn agents(args: &FleetManifestsArgs, allow: &AllowList, zone: Option<&String>) -> String {
    let FleetManifestsArgs {
        agents, cpus, memory, ..
    } = args;
    let (namespace, image, memory) = (named(&args.namespace), quoted(&args.image), quoted(memory));
    let called = zone.map_or("agent", String::as_str);
    let job = zone.map_or_else(
        || "plimsoll-agents".to_owned(),
        |zone| format!("plimsoll-agents-{zone}"),
    );
    let mut command = vec![
        "agent".to_owned(),
        "--fleet".to_owned(),
        "tls://plimsoll-broker:4222".to_owned(),
        "--fleet-key".to_owned(),
        "/run/plimsoll/agent.key".to_owned(),
        "--name".to_owned(),
        format!("{called}-$(AGENT_INDEX)"),
        "--threads".to_owned(),
        cpus.to_string(),
    ];
    let mut option = |name: &str, value: String| command.extend([name.to_owned(), value]);
    for target in allow.texts() {
        option("--allow", target);
    }
    if let Some(rate) = args.max_rate {
        option("--max-rate", rate.to_string());
    }
    if let Some(zone) = zone {
        option("--zone", zone.clone());
    }
    let command: String = command
        .iter()
        .map(|word| format!("        - {}\n", quoted(word)))
        .collect();
    let place = zone.map_or_else(String::new, |zone| {
        format!(
            "      nodeSelector:\n        topology.kubernetes.io/zone: {}\n",
            quoted(zone)
        )
    });
    format!(
        r#"apiVersion: batch/v1
kind: Job
metadata:
  name: {job}
  namespace: {namespace}
  labels:
    {PART_OF}
spec:
  completions: {agents}
  parallelism: {agents}
  completionMode: Indexed
  backoffLimit: 1000
  template:
    metadata:
      labels:
        app.kubernetes.io/name: plimsoll-agent
        {PART_OF}
    spec:
      restartPolicy: OnFailure
      automountServiceAccountToken: false
      enableServiceLinks: false
{place}      # Agents on one node would share its cores and its network.
      topologySpreadConstraints:
      - maxSkew: 1
        topologyKey: kubernetes.io/hostname
        whenUnsatisfiable: ScheduleAnyway
        labelSelector:
          matchLabels:
            app.kubernetes.io/name: plimsoll-agent
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
      containers:
      - name: agent
        image: {image}
        args:
{command}        env:
        - name: AGENT_INDEX
          valueFrom:
            fieldRef:
              fieldPath: metadata.annotations['batch.kubernetes.io/job-completion-index']
        - name: SSL_CERT_FILE
          value: /run/plimsoll/ca.crt
        resources:
          requests:
            cpu: "{cpus}"
            memory: {memory}
          limits:
            cpu: "{cpus}"
            memory: {memory}
{RESTRICTED}        volumeMounts:
        # Of all keys its own alone is seen by an agent.
        - name: keys
          mountPath: /run/plimsoll/agent.key
          subPathExpr: agent-{called}-$(AGENT_INDEX).key
          readOnly: true
        - name: authority
          mountPath: /run/plimsoll/ca.crt
          subPath: ca.crt
          readOnly: true
        - name: scratch
          mountPath: /tmp
      volumes:
      - name: keys
        secret:
          secretName: plimsoll-agent-keys
          defaultMode: 288
      - name: authority
        secret:
          secretName: plimsoll-broker-tls
          items:
          - key: ca.crt
            path: ca.crt
      - name: scratch
        emptyDir:
          sizeLimit: 64Mi
"#
    )
}

/// Agents and runs reach the broker, and it reaches nobody.
fn broker_policy(args: &FleetManifestsArgs) -> String {
    let head = policy_head(args, "plimsoll-broker", "plimsoll-broker", Directions::Both);
    let target = match args.service {
        Some(_) => "    - podSelector:\n        matchLabels:\n          app.kubernetes.io/name: plimsoll-target\n",
        None => "",
    };
    format!(
        "\
{head}  ingress:
  - from:
{AGENTS_AND_RUNS}{target}    ports:
    - protocol: TCP
      port: 4222
"
    )
}

/// Agents reach the broker, the names of the cluster and what they may load; nobody reaches them.
fn agents_policy(args: &FleetManifestsArgs, allow: &AllowList) -> String {
    let head = policy_head(args, "plimsoll-agents", "plimsoll-agent", Directions::Both);
    let mut targets = String::new();
    if args.service.is_some() {
        let (pods, port) = ("app.kubernetes.io/name: plimsoll-target", args.service_port);
        let _ = write!(
            targets,
            "  - to:\n    - podSelector:\n        matchLabels:\n          {pods}\n    ports:\n    - protocol: TCP\n      port: {port}\n"
        );
    }
    for (block, port) in allow.blocks() {
        let _ = write!(targets, "  - to:\n    - ipBlock:\n        cidr: {}\n", quoted(&block));
        if let Some(port) = port {
            let _ = write!(targets, "    ports:\n    - protocol: TCP\n      port: {port}\n");
        }
    }
    format!(
        "\
{head}  egress:
  - to:
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: plimsoll-broker
    ports:
    - protocol: TCP
      port: 4222
  - ports:
    - protocol: UDP
      port: 53
    - protocol: TCP
      port: 53
{targets}"
    )
}
