"""The load generators: how each is told what to do and where it prints what came of it.

Run as a program it lists those that are installed.
"""

import json
import math
import pathlib
import re
import subprocess
import sys
import urllib.parse
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import measure

# A plan of events for whatever service is at $URL.
EVENTS = measure.ROOT / "bench/lib/events.yaml"
QUANTILES = (0.5, 0.9, 0.95, 0.99, 0.999)


@dataclass
class Work:
    """What a generator is to do."""

    connections: int
    seconds: int
    url: str = ""  # known once the server is there
    rate_per_s: int | None = None  # None is the closed model
    poisson: bool = False  # arrivals at random, in the open model
    quantiles: bool = False  # wanted even where they cost the generator something
    seed: int = 0  # of what is drawn at random
    streams: int | None = None  # of each connection, over HTTP/2; None is HTTP/1.1
    plan: pathlib.Path | None = None  # of users on a journey, whose requests are called by their paths


@dataclass
class Outcome:
    """What it says came of it."""

    requests: int
    per_s: float
    response_ms: dict[float, float] = field(default_factory=dict)  # by quantile, those that it prints
    of_requests: dict[str, "Outcome"] = field(default_factory=dict)  # by their names, where there are several
    lag_p99_ms: float | None = None  # how late requests were sent, where it says so
    valid: bool = True  # not so when the generator itself says that it was too late
    woke_late_ms: dict[float, float] = field(default_factory=dict)  # how late it turned to what was due, by quantile, as it says


@dataclass
class Generator:
    name: str
    program: str
    argv: Callable[[Work], list[str]]  # without the program
    parse: Callable[[str], Outcome]
    version: str = "--version"
    open_model: bool = False
    poisson: bool = False  # whether it can have arrivals at random
    messages: bool = False  # whether it speaks WebSocket and Socket.IO
    journeys: bool = False  # whether it is told here what users do one request after the other
    closed_quantiles: bool = True  # whether it has quantiles of its own in the closed model
    env: dict[str, str] = field(default_factory=dict)
    exit_codes: tuple[int, ...] = (0,)  # with which it prints a result
    hint: str = "bench/setup"  # the command that makes it be there

    def path(self) -> str | None:
        return measure.find(self.program)

    def run(self, work: Work, core: int, ahead: bool = False) -> tuple[Outcome, measure.Finished]:
        path = self.path()
        if path is None:
            raise measure.Failed(f"{self.program} is not installed; hint: {self.hint}")
        argv = [path, *self.argv(work)]
        with measure.kept_clear(core, ahead):
            # A plan has the URL from there.
            finished = measure.run(argv, core, work.seconds + 60, {**self.env, "URL": work.url}, self.exit_codes, ahead)
        try:
            outcome = self.parse(finished.stdout)
        except (KeyError, ValueError, AttributeError, TypeError) as error:
            raise measure.Failed(f"{self.name} printed something unknown ({error!r}): {finished.stdout[:500]}") from error
        return outcome, finished

    def version_text(self) -> str:
        """First line of what it says about its version. Some end with an error after they said it."""
        path = self.path()
        if path is None:
            return "not installed"
        said = subprocess.run([path, self.version], capture_output=True, text=True, check=False)
        lines = (said.stdout or said.stderr).strip().splitlines()
        return lines[0] if lines else "installed"


def plimsoll_argv(work: Work) -> list[str]:
    # What an event is needs a plan to say it.
    plan = EVENTS if work.url.startswith("socket.io+") else work.plan
    what = ["run", str(plan)] if plan else ["bench", work.url]
    argv = [*what, "-c", str(work.connections), "-d", f"{work.seconds}s", "--threads", "1", "--json"]
    argv += ["-R", str(work.rate_per_s)] if work.rate_per_s else []
    argv += ["--insecure"] if work.url.startswith(("https:", "wss:", "socket.io+wss:")) else []
    argv += ["--http2", "--streams", str(work.streams)] if work.streams else []
    return argv + (["--poisson", "--seed", str(work.seed)] if work.poisson else [])


def plimsoll_parse(stdout: str) -> Outcome:
    findings = json.loads(stdout)
    names = ("p50_ms", "p90_ms", "p95_ms", "p99_ms", "p999_ms")
    # Without a rate the first requests wait for their connections, which others do not count.
    shown = "service_time" if findings["steps"][0]["offered_per_s"] is None else "response_time"
    response_ms = lambda of: {quantile: of[shown][name] for quantile, name in zip(QUANTILES, names)}
    totals = findings["totals"]
    lag_p99_ms, valid = findings["schedule_lag"]["p99_ms"], findings["verdict"] != "invalid"
    own = findings["generator"]
    woke_late_ms = {0.99: own["wake_lag_p99_ms"], 0.999: own.get("wake_lag_p999_ms")}
    said = {"valid": valid, "woke_late_ms": {at: ms for at, ms in woke_late_ms.items() if ms is not None}}
    of_request = lambda of: Outcome(of["completed"], of["rate_per_s"], response_ms(of), **said)
    requests = {request["name"]: of_request(request) for request in findings["requests"]}
    return Outcome(totals["completed"], totals["throughput_per_s"], response_ms(findings), requests, lag_p99_ms, **said)


def wrk_argv(work: Work) -> list[str]:
    return ["-t1", f"-c{work.connections}", f"-d{work.seconds}s", "--latency", work.url]


def wrk_parse(stdout: str) -> Outcome:
    requests = int(re.search(r"(\d+) requests in", stdout)[1])
    in_ms = {"us": 0.001, "ms": 1, "s": 1000}
    lines = re.findall(r"^ +(50|90|99)% +([\d.]+)(us|ms|s)$", stdout, re.MULTILINE)
    response_ms = {int(percent) / 100: float(number) * in_ms[unit] for percent, number, unit in lines}
    return Outcome(requests, float(re.search(r"Requests/sec:\s+([\d.]+)", stdout)[1]), response_ms)


def oha_argv(work: Work) -> list[str]:
    argv = ["--no-tui", "--output-format", "json", "-c", str(work.connections), "-z", f"{work.seconds}s"]
    argv += ["--insecure"] if work.url.startswith("https:") else []
    return argv + (["-q", str(work.rate_per_s)] if work.rate_per_s else []) + [work.url]


def oha_parse(stdout: str) -> Outcome:
    result = json.loads(stdout)
    requests = sum(result["statusCodeDistribution"].values())
    named = {0.5: "p50", 0.9: "p90", 0.95: "p95", 0.99: "p99", 0.999: "p99.9"}
    response_ms = {quantile: result["latencyPercentiles"][name] * 1000 for quantile, name in named.items()}
    return Outcome(requests, requests / result["summary"]["total"], response_ms)


def autocannon_argv(work: Work) -> list[str]:
    argv = ["--json", "-c", str(work.connections), "-d", str(work.seconds)]
    return argv + (["-R", str(work.rate_per_s)] if work.rate_per_s else []) + [work.url]


def autocannon_parse(stdout: str) -> Outcome:
    result = json.loads(stdout)
    named = {0.5: "p50", 0.9: "p90", 0.99: "p99", 0.999: "p99_9"}
    response_ms = {quantile: float(result["latency"][name]) for quantile, name in named.items()}
    return Outcome(result["2xx"], result["2xx"] / result["duration"], response_ms)


def k6_argv(work: Work) -> list[str]:
    script = str(measure.ROOT / "bench/lib/k6.js")
    pairs = {"URL": work.url, "CONNECTIONS": work.connections, "SECONDS": work.seconds, "RATE": work.rate_per_s or 0}
    settings = [word for name, value in pairs.items() for word in ("--env", f"{name}={value}")]
    return ["run", "--quiet", "--no-usage-report", *settings, script]


def k6_parse(stdout: str) -> Outcome:
    metrics = json.loads(stdout)
    named = {0.5: "p(50)", 0.9: "p(90)", 0.95: "p(95)", 0.99: "p(99)", 0.999: "p(99.9)"}
    response_ms = {quantile: metrics["http_req_duration"]["values"][name] for quantile, name in named.items()}
    requests = metrics["http_reqs"]["values"]
    return Outcome(requests["count"], requests["rate"], response_ms)


def h2load_argv(work: Work) -> list[str]:
    # It prints no quantiles, but the time of each request where it is told to: start, status and length in µs.
    log = ["--log-file=/dev/stdout"] if work.quantiles else []
    # Its rate is that of each connection.
    rate = [f"--rps={work.rate_per_s / work.connections}"] if work.rate_per_s else []
    version = [f"-m{work.streams}"] if work.streams else ["--h1"]
    return [*version, "-t1", f"-c{work.connections}", f"-D{work.seconds}", *rate, *log, work.url]


def h2load_parse(stdout: str) -> Outcome:
    requests = int(re.search(r"(\d+) succeeded", stdout)[1])
    us = sorted(map(int, re.findall(r"^\d+\t\d+\t(\d+)$", stdout, re.MULTILINE)))
    response_ms = {quantile: us[math.ceil(quantile * len(us)) - 1] / 1000 for quantile in QUANTILES if us}
    return Outcome(requests, float(re.search(r"([\d.]+) req/s", stdout)[1]), response_ms)


def fortio_argv(work: Work) -> list[str]:
    rate = str(work.rate_per_s or 0)  # 0 is as fast as it can
    percentiles = ",".join(f"{quantile * 100:g}" for quantile in QUANTILES)
    what = ["-c", str(work.connections), "-t", f"{work.seconds}s", "-qps", rate, "-p", percentiles]
    return ["load", "-quiet", "-json", "-", *what, work.url]


def fortio_parse(stdout: str) -> Outcome:
    result = json.loads(stdout)
    response_ms = {p["Percentile"] / 100: p["Value"] * 1000 for p in result["DurationHistogram"]["Percentiles"]}
    return Outcome(result["RetCodes"]["200"], result["ActualQPS"], response_ms)


def ab_argv(work: Work) -> list[str]:
    # ab reserves memory for every request up front, so its bound is one that it cannot reach.
    most = str(work.seconds * 1_000_000)
    return ["-k", "-q", "-c", str(work.connections), "-t", str(work.seconds), "-n", most, work.url]


def ab_parse(stdout: str) -> Outcome:
    requests = int(re.search(r"Complete requests:\s+(\d+)", stdout)[1])
    return Outcome(requests, float(re.search(r"Requests per second:\s+([\d.]+)", stdout)[1]))


def bare(interface: str) -> Generator:
    """The least that a client costs that drives its sockets by this interface."""
    return Generator(f"bare {interface}", "bare", lambda work: [interface, *bare_argv(work)], bare_parse, closed_quantiles=False)


def bare_argv(work: Work) -> list[str]:
    url = urllib.parse.urlsplit(work.url)
    return [str(url.port), url.path, str(work.connections), str(work.seconds)]


def bare_parse(stdout: str) -> Outcome:
    result = json.loads(stdout)
    return Outcome(result["requests"], result["requests"] / result["seconds"])


def sleeper_argv(work: Work) -> list[str]:
    return [str(work.rate_per_s), str(work.seconds)]


def sleeper_parse(stdout: str) -> Outcome:
    result = json.loads(stdout)
    return Outcome(result["wakes"], math.nan, lag_p99_ms=result["late_p99_ms"])


def plimsoll(*flags: str) -> Generator:
    """With these flags behind its own; they are part of its name."""
    return Generator(
        " ".join(("plimsoll", *flags)),
        "plimsoll",
        lambda work: [*plimsoll_argv(work), *flags],
        plimsoll_parse,
        open_model=True,
        poisson=True,
        messages=True,
        journeys=True,
        exit_codes=(0, 99, 106),
        hint="cargo build --release -p plimsoll",
    )


ALL = [
    plimsoll(),
    Generator("wrk", "wrk", wrk_argv, wrk_parse),
    Generator("oha", "oha", oha_argv, oha_parse, open_model=True),
    Generator(
        "oha --latency-correction",
        "oha",
        lambda work: ["--latency-correction", *oha_argv(work)],
        oha_parse,
        open_model=True,
        closed_quantiles=False,
    ),
    Generator("autocannon", "autocannon", autocannon_argv, autocannon_parse, open_model=True),
    Generator("k6", "k6", k6_argv, k6_parse, version="version", open_model=True, env={"GOMAXPROCS": "1"}),
    Generator("fortio", "fortio", fortio_argv, fortio_parse, version="version", open_model=True),
    Generator("h2load", "h2load", h2load_argv, h2load_parse, open_model=True),
    Generator("ab", "ab", ab_argv, ab_parse, version="-V", closed_quantiles=False),
    bare("io_uring"),
    bare("epoll"),
    # No generator: what the machine makes of the times alone.
    Generator(
        "sleeper",
        "sleeper",
        sleeper_argv,
        sleeper_parse,
        open_model=True,
        hint="cargo build --release -p plimsoll-bench-servers",
    ),
]


def choose(names: list[str]) -> list[Generator]:
    """The generators with these names that are installed; says which are not. plimsoll may have flags behind its name, and
    `plimsoll=PROGRAM` is another build of it."""
    known = {generator.name: generator for generator in ALL}
    chosen = []
    for name in names:
        if name.startswith("plimsoll "):
            known[name] = plimsoll(*name.split()[1:])
        if name.startswith("plimsoll="):
            program, *flags = name.removeprefix("plimsoll=").split()
            known[name] = replace(plimsoll(*flags), name=name, program=program)
        if name not in known:
            raise measure.Failed(f"there is no generator `{name}`; known are {', '.join(known)}")
        if known[name].path() is None:
            print(f"skipping {name}: not installed; hint: {known[name].hint}", file=sys.stderr)
        else:
            chosen.append(known[name])
    if not chosen:
        raise measure.Failed("none of the generators is installed")
    return chosen


def versions(chosen: list[Generator]) -> dict[str, str]:
    return {generator.name: generator.version_text() for generator in chosen}


if __name__ == "__main__":
    for program in dict.fromkeys(generator.program for generator in ALL):
        generator = next(generator for generator in ALL if generator.program == program)
        print(f"  {program:<12} {generator.version_text()}")
