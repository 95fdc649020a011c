"""Runs generators in turn against one server, so that drift of the machine falls on all alike."""

import dataclasses
import sys
import tempfile
import time

import generators
import measure
import servers
from generators import Work
from measure import Failed


# How often a round may be tried again, and how long to wait then, until the cores are near each other.
TRIES_PER_ROUND = 20
FAR_WAIT_S = 1


def one_run(generator: generators.Generator, work: Work, core: int, target: measure.Server, ahead: bool) -> dict:
    server_cpu_s = target.cpu_s()
    outcome, finished = generator.run(work, core, ahead)
    server_cpu_s = target.cpu_s() - server_cpu_s
    if outcome.requests == 0:
        raise Failed(f"{generator.name} completed no request")
    return {
        "generator": generator.name,
        "valid": outcome.valid,
        "requests": outcome.requests,
        "requests_per_s": outcome.per_s,
        "cpu_s_per_million": finished.cpu_s / outcome.requests * 1e6,
        "server_cpu_s_per_million": server_cpu_s / outcome.requests * 1e6,
        "memory_peak_bytes": finished.memory_peak_bytes,
        "generator_busy_share": finished.cpu_s / finished.wall_s,
        "server_busy_share": server_cpu_s / finished.wall_s,
        "response_ms": {str(quantile): ms for quantile, ms in outcome.response_ms.items()},
        "lag_p99_ms": outcome.lag_p99_ms,
    }


def one_round(
    order: list[generators.Generator], work: Work, core: int, target: measure.Server, ahead: bool, near_ns: float | None
) -> dict[str, dict] | None:
    """What each generator did, or None when the cores were further apart than that before one of them."""
    runs = {}
    for tool in order:
        distance_ns = measure.core_distance_ns(target.core, core)
        if near_ns is not None and distance_ns > near_ns:
            return None
        runs[tool.name] = {**one_run(tool, work, core, target, ahead), "core_distance_ns": distance_ns}
    return runs


def interleaved(
    tools: list[generators.Generator],
    against: str,
    work: Work,
    count: int,
    ahead: bool = False,
    near_ns: float | None = None,
    tls: bool = False,
) -> list[dict[str, dict]]:
    """What each generator did in each round, by its name. Every second round goes in reverse order.

    A round counts if the two cores were at most `near_ns` apart before each of its runs.
    """
    server_core, generator_core = measure.cores(2)
    rounds: list[dict[str, dict]] = []
    with tempfile.TemporaryDirectory() as directory:
        server, path = servers.server(against, server_core, directory, tls, work.streams is not None)
        with server as target:
            work = dataclasses.replace(work, url=f"http{'s' * tls}://127.0.0.1:{target.port}{path}")
            for _ in range(count * TRIES_PER_ROUND):
                order = tools if len(rounds) % 2 == 0 else tools[::-1]
                runs = one_round(order, work, generator_core, target, ahead, near_ns)
                if runs is None:
                    time.sleep(FAR_WAIT_S)
                    continue
                rounds.append(runs)
                print(f"round {len(rounds)} of {count} done", file=sys.stderr)
                if len(rounds) == count:
                    return rounds
    raise Failed(f"the cores were nearly always more than {near_ns:.0f} ns apart; hint: try later, or a larger --near")


def distances_ns(rounds: list[dict[str, dict]]) -> list[float]:
    """How far apart the cores were before each run, as far as it is known."""
    found = [run["core_distance_ns"] for runs in rounds for run in runs.values()]
    return [distance for distance in found if distance is not None]


def over(rounds: list[dict[str, dict]], name: str, figure: str) -> dict[str, float]:
    """Median and range of a figure of one generator."""
    return measure.median_and_range([runs[name][figure] for runs in rounds])


def ratio(rounds: list[dict[str, dict]], name: str, base: str, figure: str) -> dict[str, float]:
    """Median and range of its ratio to that of another, taken within each round."""
    return measure.median_and_range([runs[name][figure] / runs[base][figure] for runs in rounds])


def titled(rounds: list[dict[str, dict]], name: str) -> str:
    """Its name, and in how many rounds it called its own result invalid, if it did."""
    invalid = sum(not runs[name]["valid"] for runs in rounds)
    return f"{name} (invalid {invalid} of {len(rounds)} times)" if invalid else name
