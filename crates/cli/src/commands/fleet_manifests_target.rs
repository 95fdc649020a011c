//! The target agent of a fleet on Kubernetes: a pod in which it starts the service, and who reaches that.
//!
//! It starts the service from the service's own image, into which the program is copied first.

use super::manifest_parts::{AGENTS_AND_RUNS, Directions, PART_OF, RESTRICTED, named, policy_head, quoted};
use crate::args::FleetManifestsArgs;

/// How what it takes is made.
pub(super) fn secret(args: &FleetManifestsArgs, service: &str) -> String {
    let namespace = &args.namespace;
    let files = format!("--from-file=plimsoll.yaml --from-file=target.key=keys/target-{service}.key");
    format!(
        "\
#   kubectl -n {namespace} create secret generic plimsoll-target-{service} {files}
#
# The target of plimsoll.yaml says how {service} is started in its image, on port {port}. Load it as http://{service}:{port}/.
",
        port = args.service_port
    )
}

pub(super) fn documents(args: &FleetManifestsArgs, service: &str, image: &str) -> [String; 3] {
    [pod(args, service, image), way(args, service), policy(args, service)]
}

fn pod(args: &FleetManifestsArgs, service: &str, image: &str) -> String {
    let port = args.service_port;
    let (own_image, image) = (quoted(&args.image), quoted(image));
    let (namespace, instance) = (named(&args.namespace), named(service));
    let reached_at = |host: String| {
        let place = quoted(&format!("{service}=http://{host}:{port}"));
        format!("        - \"--reached-at\"\n        - {place}\n")
    };
    let places = [
        reached_at(service.to_owned()),
        reached_at(format!("{service}.{}", args.namespace)),
    ]
    .concat();
    format!(
        r#"apiVersion: apps/v1
kind: Deployment
metadata:
  name: plimsoll-target-{service}
  namespace: {namespace}
  labels:
    {PART_OF}
spec:
  replicas: 1
  # Two at a time would be two instances.
  strategy:
    type: Recreate
  selector:
    matchLabels:
      app.kubernetes.io/name: plimsoll-target
      app.kubernetes.io/instance: {instance}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: plimsoll-target
        app.kubernetes.io/instance: {instance}
        {PART_OF}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      # The user of the images of Node.js; the service may need another one.
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        seccompProfile:
          type: RuntimeDefault
      initContainers:
      - name: plimsoll
        image: {own_image}
        command: ["cp", "/usr/local/bin/plimsoll", "/plimsoll/plimsoll"]
        resources:
          requests:
            cpu: 50m
            memory: 64Mi
          limits:
            memory: 64Mi
{RESTRICTED}        volumeMounts:
        - name: program
          mountPath: /plimsoll
      containers:
      - name: service
        image: {image}
        command: ["/plimsoll/plimsoll"]
        args:
        - "fleet"
        - "target"
        - "--fleet"
        - "tls://plimsoll-broker:4222"
        - "--fleet-key"
        - "/run/plimsoll/target.key"
        - "--name"
        - {name}
        - "--service"
        - {plan}
{places}        env:
        - name: SSL_CERT_FILE
          value: /run/plimsoll/ca.crt
        ports:
        - name: service
          containerPort: {port}
        # A limit of CPU would throttle the service; whole cores are what it is measured on.
        resources:
          requests:
            cpu: "1"
            memory: 512Mi
          limits:
            memory: 512Mi
{UNPRIVILEGED}        volumeMounts:
        - name: program
          mountPath: /plimsoll
          readOnly: true
        - name: configuration
          mountPath: /run/plimsoll
          readOnly: true
      volumes:
      - name: program
        emptyDir:
          sizeLimit: 256Mi
      - name: configuration
        projected:
          defaultMode: 288
          sources:
          - secret:
              name: plimsoll-target-{service}
          - secret:
              name: plimsoll-broker-tls
              items:
              - key: ca.crt
                path: ca.crt
"#,
        name = quoted(service),
        plan = quoted(&format!("{service}=/run/plimsoll/plimsoll.yaml")),
    )
}

/// What a container may do: to run, and to write where its image lets it.
const UNPRIVILEGED: &str = "        securityContext:
          allowPrivilegeEscalation: false
          capabilities:
            drop: [\"ALL\"]
";

/// The name by which agents reach the service. There is nothing behind it between runs, so nobody waits for readiness.
fn way(args: &FleetManifestsArgs, service: &str) -> String {
    let port = args.service_port;
    let (namespace, instance) = (named(&args.namespace), named(service));
    format!(
        "\
apiVersion: v1
kind: Service
metadata:
  name: {instance}
  namespace: {namespace}
  labels:
    {PART_OF}
spec:
  selector:
    app.kubernetes.io/name: plimsoll-target
    app.kubernetes.io/instance: {instance}
  ports:
  - name: service
    port: {port}
    targetPort: service
"
    )
}

/// Agents reach the service, and so does the run, which finds its address. What the service reaches is its own affair.
fn policy(args: &FleetManifestsArgs, service: &str) -> String {
    let head = policy_head(
        args,
        &format!("plimsoll-target-{service}"),
        "plimsoll-target",
        Directions::Ingress,
    );
    let port = args.service_port;
    format!(
        "\
{head}  ingress:
  - from:
{AGENTS_AND_RUNS}    ports:
    - protocol: TCP
      port: {port}
"
    )
}
