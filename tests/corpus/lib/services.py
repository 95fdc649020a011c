"""Starts services of the corpus under plimsoll, about half busy."""

import json
import pathlib
import re
import socket
import subprocess
import sys

BUSY_CORES = 0.55
# One core is the limit only of a service that is about to fill it.
BUSY_CORES_OF_ONE = 0.75
# What is told from what is only warming up by several major collections, and what happens every two seconds.
SLOW = ("heap-growth", "event-loop-stall")
SLOW_S = 15
RATE_MIN, RATE_MAX = 40, 2500
# Where the line of a defect stands is marked in the service itself.
MARK = "// planted: "


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def plan(service: dict, directory: pathlib.Path, node: str | None = None) -> dict:
    """Of a service in `directory`, on this Node.js or the one that is in the path."""
    command = [node if node and word == "node" else word for word in service["command"]]
    opening = [service["open"]] if "open" in service else []
    cores = "0-1" if plants(service, "one-core-busy") else "0"
    return {
        "name": service["name"],
        "target": {
            "url": f"{service.get('scheme', 'http')}://127.0.0.1:{free_port()}",
            "command": command,
            "working_dir": str(directory),
            "cpus": cores,
            "ready": {"path": "/"},
        },
        # What requests that are equal ask others for again is the doing of the load.
        "scenario": {"requests": [*opening, service["request"], *service.get("more_requests", [])]},
        "connections": service.get("connections", {}),
    }


def plimsoll(program: str, arguments: list[str], runs: str) -> dict:
    """The findings of one command that keeps its run in `runs`."""
    command = [program, *arguments, "--json", "--quiet", "--runs-dir", runs]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")


def plants(service: dict, kind: str) -> bool:
    return any(defect["kind"] == kind for defect in service["planted"])


def planted_lines(directory: pathlib.Path, planted: list[dict]) -> list[tuple[str, str, int | None]]:
    """Kind, file and line of each defect; the lines of a kind in the order in which they stand."""
    defects, taken = [], {}
    for defect in planted:
        kind, file = defect["kind"], defect["file"]
        lines = (directory / file).read_text().splitlines()
        marked = [number for number, line in enumerate(lines, 1) if re.search(re.escape(MARK + kind) + r"\b", line)]
        at = taken.get((kind, file), 0)
        taken[kind, file] = at + 1
        defects.append((kind, file, marked[at] if at < len(marked) else None))
    return defects


def fitting_rate(program: str, service: dict, path: str, runs: str) -> int:
    """Requests per second that keep it about half busy. The fewer there are the more each costs: it is asked anew."""
    rate = RATE_MIN
    busy_cores = BUSY_CORES_OF_ONE if plants(service, "one-core-busy") else BUSY_CORES
    for _ in range(3):
        findings = plimsoll(program, ["run", path, "-R", str(rate), "-d", "2s"], runs)
        us = ((findings["target_resources"] or {}).get("cpu_us_per_request") or 0) or 1e6 / RATE_MAX
        rate = round(min(max(busy_cores * 1e6 / us, RATE_MIN), RATE_MAX))
    return rate


def last_diagnosis(runs: pathlib.Path) -> pathlib.Path:
    return max(runs.glob("*-diagnose*"))


def kept_rate(runs: pathlib.Path) -> int:
    """The rate of the last diagnosis kept in `runs`."""
    findings = json.loads((last_diagnosis(runs) / "findings.json").read_text())
    return round(findings["diagnosis"]["rate_per_s"])


def diagnosed(
    program: str,
    service: dict,
    directory: pathlib.Path,
    seconds: int,
    runs: pathlib.Path,
    node: str | None = None,
    rate: int | None = None,
) -> dict:
    """What it comes to at this rate, or at one that fits."""
    runs.mkdir(parents=True, exist_ok=True)
    path = runs / "plan.json"
    path.write_text(json.dumps(plan(service, directory, node)))
    rate = rate or fitting_rate(program, service, str(path), str(runs))
    if any(plants(service, kind) for kind in SLOW):
        seconds = max(seconds, SLOW_S)
    return plimsoll(program, ["diagnose", str(path), "-R", str(rate), "-d", f"{seconds}s"], str(runs))


def drawn_again(program: str, runs: pathlib.Path) -> dict:
    """What the last diagnosis kept in `runs` comes to by the rules of this plimsoll."""
    command = [program, "report", str(last_diagnosis(runs)), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)
