//! Test plans of JMeter.

use super::check;

fn text(name: &str, value: &str) -> String {
    format!(r#"<stringProp name="{name}">{value}</stringProp>"#)
}

fn arguments(of: &str, arguments: &[(&str, &str)], more: &str) -> String {
    let argument = |(name, value): &(&str, &str)| {
        let (name, value) = (text("Argument.name", name), text("Argument.value", value));
        format!(r#"<elementProp elementType="HTTPArgument">{name}{value}{more}</elementProp>"#)
    };
    let all: String = arguments.iter().map(argument).collect();
    format!(
        r#"<elementProp name="{of}"><collectionProp name="Arguments.arguments">{all}</collectionProp></elementProp>"#
    )
}

fn sampler(name: &str, method: &str, path: &str, more: &str, beside: &str) -> String {
    let (method, path) = (text("HTTPSampler.method", method), text("HTTPSampler.path", path));
    let host = text("HTTPSampler.domain", "localhost");
    format!(
        r#"<HTTPSamplerProxy testname="{name}">{host}{path}{method}{more}</HTTPSamplerProxy><hashTree>{beside}</hashTree>"#
    )
}

/// A plan with these variables, and one group with these properties and this tree.
fn plan(variables: &[(&str, &str)], group: &str, tree: &str) -> String {
    let variables = arguments("TestPlan.user_defined_variables", variables, "");
    format!(
        r#"<jmeterTestPlan><hashTree><TestPlan>{variables}</TestPlan><hashTree>
        <ThreadGroup testname="users">{group}</ThreadGroup><hashTree>{tree}</hashTree></hashTree></hashTree></jmeterTestPlan>"#
    )
}

#[test]
fn numbers_may_stand_in_variables_that_ask_for_properties() {
    let variables = [
        ("threads", "${__P(threads,10)}"),
        ("seconds", "${length}"),
        ("length", "${__property(length,,60)}"),
        ("think", "${__P(think,250)}"),
    ];
    let group = text("ThreadGroup.num_threads", "${threads}")
        + &text("ThreadGroup.ramp_time", "${__P(ramp)}")
        + &text("ThreadGroup.scheduler", "true")
        + &text("ThreadGroup.duration", "${seconds}");
    let timer = format!(
        "<ConstantTimer>{}</ConstantTimer><hashTree/>",
        text("ConstantTimer.delay", "${think}")
    );
    check(
        &plan(&variables, &group, &sampler("a", "GET", "/a", "", &timer)),
        &["connections: 10", "duration: 60s", "ramp: 1s", "pause: 250ms"],
        &["left out"],
    );
}

#[test]
fn names_have_the_values_of_variables() {
    check(
        &plan(
            &[("shop", "north")],
            "",
            &sampler("GET ${shop} ${other}", "GET", "/a", "", ""),
        ),
        &["name: GET north ${other}"],
        &[],
    );
}

#[test]
fn parts_of_a_body_keep_their_types() {
    let part = text("HTTPArgument.content_type", "application/json");
    let form = arguments("HTTPsampler.Arguments", &[("about", "{}")], &part);
    let multipart = r#"<boolProp name="HTTPSampler.DO_MULTIPART_POST">true</boolProp>"#;
    check(
        &plan(&[], "", &sampler("a", "POST", "/a", &(form + multipart), "")),
        &["name=\\\"about\\\"\\r\\ncontent-type: application/json\\r\\n\\r\\n{}\\r\\n"],
        &[],
    );
}

#[test]
fn header_that_asks_for_what_is_taken_later_is_not_sent() {
    let header = text("Header.name", "Authorization") + &text("Header.value", "Bearer ${token}");
    let headers = format!(
        r#"<HeaderManager><collectionProp name="HeaderManager.headers"><elementProp>{header}</elementProp></collectionProp></HeaderManager><hashTree/>"#
    );
    let take = format!(
        "<JSONPostProcessor>{}{}</JSONPostProcessor><hashTree/>",
        text("JSONPostProcessor.referenceNames", "token"),
        text("JSONPostProcessor.jsonPathExprs", "$.token")
    );
    let tree = headers + &sampler("log in", "POST", "/login", "", &take) + &sampler("read", "GET", "/read", "", "");
    check(
        &plan(&[], "", &tree),
        &[
            "path: /login\n            take:",
            "path: /read\n            headers:\n              Authorization: Bearer ${token}\n",
            "the header `authorization`: nobody has `token` yet",
        ],
        &["env."],
    );
}

#[test]
fn service_without_a_host_is_called_by_its_variables() {
    let host = text("HTTPSampler.domain", "${SHOP_HOST}") + &text("HTTPSampler.port", "${PORT}");
    let tree = format!(
        r#"<HTTPSamplerProxy testname="a">{host}{}</HTTPSamplerProxy><hashTree/>"#,
        text("HTTPSampler.path", "/a")
    );
    check(
        &plan(&[], "", &tree),
        &[
            "the service of `SHOP_HOST` and `PORT`: it has no value in the file",
            "# Instead of the service of `SHOP_HOST` and `PORT`.",
        ],
        &["redacted"],
    );
}

#[test]
fn file_without_a_name_is_the_whole_body() {
    let file = |paramname: &str, path: &str| {
        let file = text("File.path", path) + &text("File.paramname", paramname) + &text("File.mimetype", "image/png");
        format!(
            r#"<elementProp name="HTTPsampler.Files"><collectionProp name="HTTPFileArgs.files"><elementProp>{file}</elementProp></collectionProp></elementProp>"#
        )
    };
    let body = "headers:\n              content-type: image/png\n            body_file: a.png\n";
    let put = |paramname: &str, path: &str| plan(&[], "", &sampler("a", "PUT", "/a", &file(paramname, path), ""));
    check(&put("", "a.png"), &[body], &["files of a request"]);
    check(
        &put("image", "a.png"),
        &["left out 2: files of a request"],
        &["body_file"],
    );
    check(
        &put("", "${which}"),
        &["left out 2: files of a request"],
        &["body_file"],
    );
}

#[test]
fn parameter_without_equals_sign_has_none() {
    let flag = r#"<boolProp name="HTTPArgument.use_equals">false</boolProp>"#;
    let form = arguments("HTTPsampler.Arguments", &[("all", ""), ("n", "1")], flag);
    check(
        &plan(&[], "", &sampler("a", "GET", "/a", &form, "")),
        &["path: /a?all&n=1\n"],
        &[],
    );
}

#[test]
fn cookies_that_a_manager_begins_with_are_listed() {
    let cookie = r#"<elementProp name="theme" elementType="Cookie"><stringProp name="Cookie.value">dark</stringProp></elementProp>"#;
    let manager = format!(
        r#"<CookieManager><collectionProp name="CookieManager.cookies">{cookie}</collectionProp></CookieManager><hashTree/>"#
    );
    check(
        &plan(&[], "", &(manager + &sampler("a", "GET", "/a", "", ""))),
        &["left out 2: the cookie `theme`"],
        &["dark"],
    );
}
