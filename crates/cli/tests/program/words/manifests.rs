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
    for more in [&[][..], &more[..]] {
        let (_, documents) = documents(more);
        assert!(documents.len() >= 7, "{}", documents.len());
        documents.iter().for_each(check);
    }
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

#[test]
fn what_kubernetes_would_refuse_is_refused_first() {
    for (more, said) in [
        (["--zone", "EU West"], "small letters"),
        (["--namespace", "a-"], "small letters"),
        (["--memory", "lots"], "512Mi"),
        (["--allow", "service.example:443"], "an address and a port"),
    ] {
        let ran = Bench::new().run(&[&MANIFESTS[..], &more].concat());
        ran.expect(104, &[said]);
    }
}
