"""Runs programs pinned to a core and says what they cost. Knows no load generator."""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Where cargo puts what it builds.
BUILT = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Failed(Exception):
    """A benchmark cannot go on; the text says why."""


@dataclass
class Finished:
    """What a program printed and cost."""

    stdout: str
    wall_s: float
    cpu_s: float  # user and system time of the program and its children
    memory_peak_bytes: int


def cores(wanted: int) -> list[int]:
    """The first cores that this process may use."""
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < wanted:
        raise Failed(f"{wanted} cores are needed, one for the server and one for the generator; {len(allowed)} allowed")
    return allowed[:wanted]


def core_distance_ns(one: int, other: int) -> float | None:
    """How long a line of memory takes from one core to the other and back; None where that cannot be measured."""
    program = find("core-distance")
    if program is None:
        return None
    try:
        done = subprocess.run([program, str(one), str(other)], capture_output=True, text=True, timeout=10, check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise Failed(f"the distance of the cores could not be measured: {error}") from error
    return float(done.stdout)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def pinned(core: int, argv: list[str]) -> list[str]:
    return ["taskset", "-c", str(core), *argv]


def run(
    argv: list[str],
    core: int,
    timeout_s: float,
    env: dict[str, str] | None = None,
    exit_codes: tuple[int, ...] = (0,),
    ahead: bool = False,
) -> Finished:
    """Runs a program to its end on one core. Raises Failed with what it printed when it hangs or ends otherwise.

    Ahead, it goes before all programs and most threads of the kernel that want the core too, which takes privilege.
    """
    started = time.monotonic()
    child = subprocess.Popen(
        pinned(core, ["chrt", "--rr", "1", *argv] if ahead else argv),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **(env or {})},
        start_new_session=True,
    )
    memory = MemoryWatch(child.pid)
    output: dict[str, str] = {}
    readers = [
        threading.Thread(target=lambda name=name, pipe=pipe: output.__setitem__(name, pipe.read()))
        for name, pipe in (("stdout", child.stdout), ("stderr", child.stderr))
    ]
    for reader in readers:
        reader.start()
    overdue = threading.Timer(timeout_s, lambda: os.killpg(child.pid, signal.SIGKILL))
    overdue.start()
    # Not Popen.wait: only wait4 tells what this child used.
    _, status, usage = os.wait4(child.pid, 0)
    wall_s = time.monotonic() - started
    overdue.cancel()
    child.returncode = os.waitstatus_to_exitcode(status)
    for reader in readers:
        reader.join()
    memory.stop()
    if child.returncode not in exit_codes:
        last = (output["stderr"].strip() or output["stdout"].strip())[-500:]
        raise Failed(f"{argv[0]} ended with {child.returncode} after {wall_s:.1f} s: {last}")
    return Finished(output["stdout"], wall_s, usage.ru_utime + usage.ru_stime, memory.peak_bytes)


class MemoryWatch:
    """Follows the peak resident memory of a process and its children.

    ru_maxrss would not do: it starts with the size of the process that forked, here Python's.
    """

    PERIOD_S = 0.1

    def __init__(self, pid: int):
        self.pid = pid
        self.peak_bytes = 0
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()

    def watch(self):
        while not self.stopped.wait(self.PERIOD_S):
            self.peak_bytes = max(self.peak_bytes, sum(map(high_water_bytes, process_tree(self.pid))))

    def stop(self):
        self.stopped.set()
        self.thread.join()


def high_water_bytes(pid: int) -> int:
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def process_tree(pid: int) -> list[int]:
    found = [pid]
    for parent in found:
        try:
            for children in pathlib.Path(f"/proc/{parent}/task").glob("*/children"):
                found += map(int, children.read_text().split())
        except OSError:
            pass  # It ended meanwhile.
    return found


def cpu_s(pid: int) -> float:
    """User and system time of a process and its descendants so far."""
    ticks = 0
    for one in process_tree(pid):
        # The name of the program may hold blanks; the fields are counted from behind it.
        fields = pathlib.Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / TICKS_PER_S


class Server:
    """A server on a core of its own, for the length of a `with` block. What it printed is in `said` afterwards."""

    def __init__(self, argv: list[str], core: int, port: int, env: dict[str, str] | None = None):
        self.argv, self.core, self.port, self.env = argv, core, port, env
        self.said = ""

    def __enter__(self):
        self.stdout = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            pinned(self.core, self.argv),
            stdin=subprocess.DEVNULL,
            stdout=self.stdout,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **(self.env or {})},
            start_new_session=True,
        )
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                if self.process.poll() is not None:
                    raise Failed(f"{self.argv[0]} did not start: {self.process.stderr.read().strip()}") from None
                if time.monotonic() > deadline:
                    self.__exit__()
                    raise Failed(f"{self.argv[0]} does not listen on port {self.port} after 10 s") from None
                time.sleep(0.02)

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stderr.close()
        self.stdout.seek(0)
        self.said = self.stdout.read()
        self.stdout.close()

    def cpu_s(self) -> float:
        """User and system time of the server's processes so far."""
        return cpu_s(self.process.pid)


def loops(cores: list[int], prefix: list[str] | None = None) -> list[subprocess.Popen]:
    """A program on each core that never sleeps, and ends with this one at the latest."""
    argv = [*(prefix or []), sys.executable, "-c", f"import os\nwhile os.getppid() == {os.getpid()}: pass"]
    return [subprocess.Popen(pinned(core, argv)) for core in cores]


def end(running: list[subprocess.Popen]) -> None:
    for program in running:
        program.kill()
        program.wait()


# How long a core of a virtual machine waits for work before it is given back to the host, ns; longer than any wait here.
HALT_POLL = pathlib.Path("/sys/module/haltpoll/parameters/guest_halt_poll_ns")
HALT_POLL_NS = 10_000_000


class Awake:
    """Keeps cores from falling asleep for the length of a `with` block.

    A virtual machine gives a core that sleeps back to its host, and may get it again milliseconds later. Where the kernel
    can wait for a while before it does so, and lets us say how long, it is asked to; elsewhere loops run on the cores when
    nothing else wants to.
    """

    def __init__(self, cores: list[int]):
        self.cores = cores
        self.loops: list[subprocess.Popen] = []
        self.halt_poll_before: str | None = None

    def __enter__(self):
        if os.access(HALT_POLL, os.W_OK):
            self.halt_poll_before = HALT_POLL.read_text()
            HALT_POLL.write_text(str(HALT_POLL_NS))
        else:
            self.loops = loops(self.cores, ["chrt", "--idle", "0"])
        return self

    def __exit__(self, *_):
        if self.halt_poll_before is not None:
            HALT_POLL.write_text(self.halt_poll_before)
        end(self.loops)


class Occupied:
    """Keeps what else the machine does off a core, for the length of a `with` block.

    A thread that wakes comes back to the core where it slept if that is idle, and a system call of it may then take some
    milliseconds, in which even a program that goes before all others waits. So the core is crowded first, until the kernel
    has moved whatever it can to other cores, and never idle afterwards: a loop runs there that gives way to anyone.
    """

    CROWD = 3
    CROWDED_S = 2.5

    def __init__(self, core: int):
        self.core = core

    def __enter__(self):
        crowd = loops([self.core] * self.CROWD)
        time.sleep(self.CROWDED_S)
        self.loops = loops([self.core], ["nice", "-n", "19"])
        end(crowd)
        return self

    def __exit__(self, *_):
        end(self.loops)


def awake_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--awake", action="store_true", help="keep the cores awake: virtual machines lose those that sleep")


def ahead_option(parser: argparse.ArgumentParser) -> None:
    says = "generators go before all else on their core (SCHED_RR, as root), and what else the machine does is kept off it"
    parser.add_argument("--ahead", action="store_true", help=says)


def kept_clear(core: int, wanted: bool) -> contextlib.AbstractContextManager:
    """The core of a generator, if it is to be."""
    return Occupied(core) if wanted else contextlib.nullcontext()


def kept_awake(wanted: bool) -> contextlib.AbstractContextManager:
    """Both cores of a benchmark, if they are to be."""
    return Awake(cores(2)) if wanted else contextlib.nullcontext()


def median_and_range(values: list[float]) -> dict[str, float]:
    return {"median": statistics.median(values), "low": min(values), "high": max(values)}


def host() -> dict[str, str | int]:
    model = next(
        (line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
        platform.machine(),
    )
    return {"cpu": model, "cores": os.cpu_count() or 0, "kernel": platform.release()}


def find(program: str) -> str | None:
    """Where a program is: in .tools, on the path, or where system daemons live."""
    own = [BUILT / "release", ROOT / ".tools/bin", ROOT / ".tools/node_modules/.bin"]
    path = os.pathsep.join([*map(str, own), os.environ.get("PATH", ""), "/usr/sbin"])
    return shutil.which(program, path=path)


def plimsoll_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plimsoll", help="another build of it, instead of target/release/plimsoll")


def plimsoll(given: str | None = None) -> str:
    """Where plimsoll is, from any directory: the program that was given, or the one that was built."""
    program = shutil.which(str(pathlib.Path(given).resolve())) if given else find("plimsoll")
    if program is None:
        raise Failed(f"{given or 'target/release/plimsoll'} is not a program; hint: make build, or --plimsoll PROGRAM")
    return program


def save(name: str, result: dict) -> pathlib.Path:
    """Writes a result under bench/results and says where."""
    now = datetime.datetime.now(datetime.timezone.utc)
    directory = ROOT / "bench/results"
    directory.mkdir(exist_ok=True)
    path = directory / f"{name}-{now:%Y%m%d-%H%M%S}.json"
    result = {"format": f"plimsoll.bench-{name}/1", "at": f"{now:%Y-%m-%dT%H:%M:%SZ}", "host": host(), **result}
    path.write_text(json.dumps(result, indent=2) + "\n")
    return path


def table(rows: list[list[str]]) -> str:
    """Rows as aligned text; the first row is the heading, the first column is text, the others are figures."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    cell = lambda place, text: text.ljust(widths[place]) if place == 0 else text.rjust(widths[place])
    lines = ["  ".join(cell(place, text) for place, text in enumerate(row)) for row in rows]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])
