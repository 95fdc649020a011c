//! What `plimsoll fleet manifests` prints, read by the types that Kubernetes publishes.

use crate::bench::Bench;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::Job;
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Service};
use k8s_openapi::api::networking::v1::NetworkPolicy;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

const MANIFESTS: [&str; 4] = ["fleet", "manifests", "--allow", "10.1.0.0/16:443"];
/// A service that a target agent starts.
const SHOP: [&str; 6] = [
    "--service",
    "shop",
    "--service-image",
    "shop:1",
    "--service-port",
    "8080",
];

fn documents(more: &[&str]) -> (String, Vec<Value>) {
    let ran = Bench::new().run(&[&MANIFESTS[..], more].concat());
    ran.expect(0, &[]);
    let documents = ran.stdout.split("\n---\n").skip(1);
    let documents = documents.map(|document| serde_saphyr::from_str(document).expect("YAML"));
    (ran.stdout.clone(), documents.collect())
}

/// Fails on a key that the type does not have, a value of another type, and a required one that is missing.
fn is_exactly<T: DeserializeOwned + Serialize>(document: &Value) {
    let read: T = serde_json::from_value(document.clone()).unwrap_or_else(|error| panic!("{error}: {document}"));
    assert_eq!(&serde_json::to_value(read).expect("plain data"), document);
}

fn check(document: &Value) {
    match document["kind"].as_str().expect("a kind") {
        "Namespace" => is_exactly::<Namespace>(document),
        "ConfigMap" => is_exactly::<ConfigMap>(document),
        "Deployment" => is_exactly::<Deployment>(document),
        "Service" => is_exactly::<Service>(document),
        "Job" => is_exactly::<Job>(document),
        "NetworkPolicy" => is_exactly::<NetworkPolicy>(document),
        kind => panic!("{kind} is not checked"),
    }
}

#[test]
fn manifests_are_what_kubernetes_knows() {
    let more = [
        "--zone",
        "eu-west",
        "--zone",
        "us-east",
        "--max-rate",
        "5k/s",
        "--cpus",
        "4",
        "--allow",
        "[2001:db8::/32]:*",
    ];
    for (more, least) in [(&[][..], 7), (&more[..], 8), (&SHOP[..], 10)] {
        let (_, documents) = documents(more);
        assert!(documents.len() >= least, "{}", documents.len());
        for document in &documents {
            check(document);
            assert_eq!(unknown_words(document), <[String; 0]>::default());
        }
    }
}

/// Words that Kubernetes knows, which its types have as any text, by the end of their path.
const WORDS: [(&str, &[&str]); 10] = [
    (
        "kind",
        &[
            "Namespace",
            "ConfigMap",
            "Deployment",
            "Service",
            "Job",
            "NetworkPolicy",
        ],
    ),
    ("completionMode", &["Indexed", "NonIndexed"]),
    ("restartPolicy", &["OnFailure", "Never"]),
    ("whenUnsatisfiable", &["DoNotSchedule", "ScheduleAnyway"]),
    ("strategy/type", &["Recreate", "RollingUpdate"]),
    ("seccompProfile/type", &["RuntimeDefault", "Localhost"]),
    ("protocol", &["TCP", "UDP", "SCTP"]),
    ("policyTypes", &["Ingress", "Egress"]),
    ("capabilities/drop", &["ALL"]),
    (
        "pod-security.kubernetes.io/enforce",
        &["privileged", "baseline", "restricted"],
    ),
];

/// Texts that look like a word of Kubernetes and stand at no place that has one, and others where one is expected.
fn unknown_words(document: &Value) -> Vec<String> {
    fn look(path: &str, value: &Value, unknown: &mut Vec<String>) {
        match value {
            Value::Object(map) => map
                .iter()
                .for_each(|(key, value)| look(&format!("{path}/{key}"), value, unknown)),
            // Words of a list are at the place of the list.
            Value::Array(list) => list.iter().for_each(|value| look(path, value, unknown)),
            Value::String(text) => {
                let words = WORDS.iter().find(|(place, _)| path.ends_with(&format!("/{place}")));
                let looks_like_one = text.starts_with(char::is_uppercase) && text.chars().all(char::is_alphabetic);
                if words.map_or(looks_like_one, |(_, words)| !words.contains(&text.as_str())) {
                    unknown.push(format!("{path}: {text}"));
                }
            }
            _ => {}
        }
    }
    let mut unknown = Vec::new();
    look("", document, &mut unknown);
    unknown
}

#[test]
fn word_that_kubernetes_does_not_know_is_found() {
    let (_, documents) = documents(&["--service", "shop", "--service-image", "shop:1"]);
    let all = Value::from(documents);
    let text = all.to_string();
    for (word, misspelled) in [
        ("Indexed", "Indexd"),
        ("OnFailure", "OnFail"),
        ("\"TCP\"", "\"Tcp\""),
        ("Ingress", "ingress"),
        ("Recreate", "recreate"),
        ("RuntimeDefault", "Default"),
        ("ALL", "all"),
        ("ScheduleAnyway", "Anyway"),
        ("restricted", "restrict"),
    ] {
        assert!(text.contains(word), "{word}");
        let changed = serde_json::from_str(&text.replace(word, misspelled)).expect("JSON");
        assert_ne!(unknown_words(&changed), <[String; 0]>::default(), "{misspelled}");
    }
}

#[test]
fn service_of_a_target_agent_is_reached_by_agents() {
    let (text, documents) = documents(&SHOP);
    for said in [
        "--target shop",
        "create secret generic plimsoll-target-shop",
        "http://shop:8080/",
    ] {
        assert!(text.contains(said), "{said}");
    }
    let named = |kind: &str, name: &str| {
        let fits = |document: &&Value| document["kind"] == kind && document["metadata"]["name"] == name;
        documents
            .iter()
            .find(fits)
            .unwrap_or_else(|| panic!("no {kind} {name}"))
    };
    let pod = &named("Deployment", "plimsoll-target-shop")["spec"]["template"];
    let service = &pod["spec"]["containers"][0];
    assert_eq!(service["image"], "shop:1");
    let args = service["args"].as_array().expect("a list").iter();
    let args: Vec<&str> = args.filter_map(Value::as_str).collect();
    assert!(
        args.contains(&"shop=/run/plimsoll/plimsoll.yaml") && args.contains(&"shop=http://shop:8080"),
        "{args:?}"
    );
    // Whoever selects the pods selects these.
    let labels = &pod["metadata"]["labels"];
    let is_of_pod = |selector: &Value| {
        let selector = selector.as_object().expect("a map");
        assert!(
            selector.iter().all(|(key, value)| labels[key] == *value),
            "{selector:?}"
        );
    };
    is_of_pod(&named("Service", "shop")["spec"]["selector"]);
    is_of_pod(&named("NetworkPolicy", "plimsoll-target-shop")["spec"]["podSelector"]["matchLabels"]);
    let agents = &named("NetworkPolicy", "plimsoll-agents")["spec"]["egress"];
    let to_service = agents
        .as_array()
        .expect("a list")
        .iter()
        .find(|rule| rule["ports"][0]["port"] == 8080);
    is_of_pod(&to_service.expect("a rule")["to"][0]["podSelector"]["matchLabels"]);
    let broker = &named("NetworkPolicy", "plimsoll-broker")["spec"]["ingress"][0]["from"];
    is_of_pod(&broker[2]["podSelector"]["matchLabels"]);
}

#[test]
#[should_panic(expected = "assertion")]
fn misspelled_key_of_a_manifest_is_found() {
    let (_, mut documents) = documents(&[]);
    let job = documents
        .iter_mut()
        .find(|document| document["kind"] == "Job")
        .expect("a job");
    job["spec"]["completion_mode"] = job["spec"]["completionMode"].take();
    job["spec"].as_object_mut().expect("a map").remove("completionMode");
    check(job);
}

#[test]
fn agents_of_zones_are_called_after_them() {
    let (_, documents) = documents(&["--agents", "3", "--zone", "eu-west", "--zone", "us-east"]);
    let jobs: Vec<_> = documents.iter().filter(|document| document["kind"] == "Job").collect();
    assert_eq!(jobs.len(), 2);
    for (job, zone) in jobs.iter().zip(["eu-west", "us-east"]) {
        let pod = &job["spec"]["template"]["spec"];
        assert_eq!(job["spec"]["completions"], 3);
        assert_eq!(job["spec"]["parallelism"], 3);
        assert_eq!(pod["nodeSelector"]["topology.kubernetes.io/zone"], zone);
        let args: Vec<&str> = pod["containers"][0]["args"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(Value::as_str)
            .collect();
        let of = |option: &str| args.iter().position(|arg| *arg == option).map(|place| args[place + 1]);
        assert_eq!(of("--name").map(str::to_owned), Some(format!("{zone}-$(AGENT_INDEX)")));
        assert_eq!((of("--zone"), of("--allow")), (Some(zone), Some("10.1.0.0/16:443")));
        let mounts = pod["containers"][0]["volumeMounts"].as_array().expect("a list");
        assert_eq!(mounts[0]["subPathExpr"], format!("agent-{zone}-$(AGENT_INDEX).key"));
        assert_eq!(pod["volumes"][0]["secret"]["secretName"], "plimsoll-agent-keys");
    }
}

/// Names are texts, also where YAML would read a number or a truth in them.
#[test]
fn names_that_look_like_numbers_or_words_stay_texts() {
    for (namespace, service, zone) in [("123", "no", "1"), ("1e3", "true", "null"), ("on", "y", "0x1f")] {
        let names = ["--namespace", namespace, "--service", service, "--zone", zone];
        let (_, documents) = documents(&[&names[..], &["--service-image", "shop:1"]].concat());
        for document in &documents {
            check(document);
            let about = &document["metadata"];
            let place = if document["kind"] == "Namespace" {
                "name"
            } else {
                "namespace"
            };
            assert_eq!(about[place], namespace, "{document}");
        }
        let is_of_service =
            |document: &&Value| document["kind"] == "Service" && document["metadata"]["name"] == service;
        let service_of = documents.iter().find(is_of_service).expect("its service");
        assert_eq!(service_of["spec"]["selector"]["app.kubernetes.io/instance"], service);
    }
}

#[test]
fn what_kubernetes_would_refuse_is_refused_first() {
    let long = "z".repeat(39);
    for (more, said) in [
        (&["--zone", "EU West"][..], "small letters"),
        (&["--namespace", "a-"], "small letters"),
        (&["--memory", "lots"], "512Mi"),
        (&["--allow", "service.example:443"], "an address and a port"),
        (&["--zone", "eu", "--zone", "eu"], "found eu twice"),
        // Agents are called after their zone, and an agent with a name that was cut would have no key.
        (&["--zone", &long], "at most 40 characters in its name"),
        (
            &["--service", "1shop", "--service-image", "shop:1"],
            "a small letter at its beginning",
        ),
        (
            &["--service", "plimsoll-broker", "--service-image", "shop:1"],
            "by which agents reach the broker",
        ),
    ] {
        let ran = Bench::new().run(&[&MANIFESTS[..], more].concat());
        ran.expect(104, &[said]);
    }
}
