//! What several manifests of a fleet have in common.

use crate::args::FleetManifestsArgs;

/// Labels that all objects have.
pub(super) const PART_OF: &str = "app.kubernetes.io/part-of: plimsoll-fleet";

/// What a container may do: nothing but run.
pub(super) const RESTRICTED: &str = "        securityContext:
          allowPrivilegeEscalation: false
          readOnlyRootFilesystem: true
          capabilities:
            drop: [\"ALL\"]
";

/// What a policy is about.
#[derive(Clone, Copy)]
pub(super) enum Directions {
    /// What goes in alone.
    Ingress,
    Both,
}

/// Agents and runs, as those that something is reached from.
pub(super) const AGENTS_AND_RUNS: &str = "    \
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: plimsoll-agent
    - podSelector:
        matchLabels:
          app.kubernetes.io/name: plimsoll-run
";

/// Of the pods that are called so nothing goes in or out but what the rules behind it say.
pub(super) fn policy_head(args: &FleetManifestsArgs, name: &str, of: &str, directions: Directions) -> String {
    let namespace = named(&args.namespace);
    let types = match directions {
        Directions::Ingress => r#"["Ingress"]"#,
        Directions::Both => r#"["Ingress", "Egress"]"#,
    };
    format!(
        "\
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {name}
  namespace: {namespace}
  labels:
    {PART_OF}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: {of}
  policyTypes: {types}
"
    )
}

/// As YAML has a text that may hold anything.
pub(super) fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The same of a name, which is quoted where YAML would read a number or a word such as `no` in it.
pub(super) fn named(name: &str) -> String {
    let is_word = ["true", "false", "yes", "no", "on", "off", "y", "n", "null"].contains(&name);
    match name.starts_with(|c: char| c.is_ascii_alphabetic()) && !is_word {
        true => name.to_owned(),
        false => quoted(name),
    }
}
