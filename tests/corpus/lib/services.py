"""Starts services of the corpus under plimsoll, about half busy."""

import json
import pathlib
import socket
import subprocess
import sys

BUSY_CORES = 0.55
GROWTH_S = 15
RATE_MIN, RATE_MAX = 40, 2500


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def plan(service: dict, folder: pathlib.Path, node: str | None = None) -> dict:
    """Of a service in `folder`, on this Node.js or the one that is in the path."""
    command = [node if node and word == "node" else word for word in service["command"]]
    cores = "0-1" if any(defect["kind"] == "one-core-busy" for defect in service["planted"]) else "0"
    return {
        "name": service["name"],
        "target": {
            "url": f"http://127.0.0.1:{free_port()}/",
            "command": command,
            "working_dir": str(folder),
            "cpus": cores,
            "ready": {"path": "/"},
        },
        "scenario": {"requests": [service["request"]]},
    }


def plimsoll(program: str, arguments: list[str], runs: str) -> dict:
    """The findings of one command that keeps its run in `runs`."""
    command = [program, *arguments, "--json", "--quiet", "--runs-dir", runs]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
    try:
        return json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{' '.join(command)}: {done.stderr.strip()}")


def fitting_rate(program: str, path: str, runs: str) -> int:
    """Requests per second that keep it about half busy. A service that is cold costs more, so it is asked twice."""
    rate = RATE_MIN
    for _ in range(2):
        findings = plimsoll(program, ["run", path, "-R", str(rate), "-d", "2s"], runs)
        us = ((findings["target_resources"] or {}).get("cpu_us_per_request") or 0) or 1e6 / RATE_MAX
        rate = round(min(max(BUSY_CORES * 1e6 / us, RATE_MIN), RATE_MAX))
    return rate


def diagnosed(
    program: str, service: dict, folder: pathlib.Path, seconds: int, runs: pathlib.Path, node: str | None = None
) -> dict:
    runs.mkdir(parents=True, exist_ok=True)
    path = runs / "plan.json"
    path.write_text(json.dumps(plan(service, folder, node)))
    rate = fitting_rate(program, str(path), str(runs))
    # What grows is told from what is only warming up by several major collections.
    if any(defect["kind"] == "heap-growth" for defect in service["planted"]):
        seconds = max(seconds, GROWTH_S)
    return plimsoll(program, ["diagnose", str(path), "-R", str(rate), "-d", f"{seconds}s"], str(runs))
