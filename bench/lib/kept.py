#!/usr/bin/env python3
"""kept.py COMMAND…: runs a command, and ends all that it started when it ends, however it ends.

What a benchmark starts must not outlive it: not when its output is cut off by `head`, not with its terminal, not when it is killed.
A trap cannot promise that, and a daemon leaves every process group. So there are three processes. The first stands where the
command would, passes on the signals that it gets, and ends as the command did. The second adopts whatever loses its parent
(PR_SET_CHILD_SUBREAPER), holds a pipe to the first, and ends everything below it once the command has ended or the pipe has closed:
SIGTERM, and SIGKILL after a while. It leads a session of its own, so nothing that is meant for the others reaches it. The third is
the command.

A script in Python calls `again()` first.
"""

import contextlib
import ctypes
import os
import pathlib
import select
import signal
import sys
import time

PR_SET_CHILD_SUBREAPER = 36
GRACE_S = 3.0
# In the environment of whatever runs below: that is kept already.
KEPT = "PLIMSOLL_KEPT"
PASSED_ON = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM)


def again() -> None:
    """Runs this script again as a command that is kept, unless it is."""
    if KEPT not in os.environ:
        sys.stdout.flush()
        sys.exit(run([sys.executable, *sys.orig_argv[1:]]))


def run(command: list[str]) -> int:
    """The exit code of the command; that of a shell where a signal ended it."""
    near, far = os.pipe()
    said, say = os.pipe()
    keeper = os.fork()
    if keeper == 0:
        os.close(far)
        os.close(said)
        keep(command, near, say)
    os.close(near)
    os.close(say)
    child = int(read_all(said) or 0)
    for number in PASSED_ON:
        # What was ignored, as by `nohup`, stays ignored.
        if signal.getsignal(number) is not signal.SIG_IGN:
            # Shells in between have no other way to end in order: bash ignores SIGQUIT.
            signal.signal(number, lambda number, _: pass_on(child, signal.SIGINT if number == signal.SIGINT else signal.SIGTERM))
    while True:
        with contextlib.suppress(InterruptedError):
            return os.waitstatus_to_exitcode(os.waitpid(keeper, 0)[1])


def read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def pass_on(group: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.killpg(group, number)


def send(process: int, number: int) -> None:
    with contextlib.suppress(OSError):
        os.kill(process, number)


def keep(command: list[str], pipe: int, say: int) -> None:
    """The second process. Does not return."""
    blocked = set(signal.valid_signals()) - {signal.SIGCHLD}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, blocked)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    wakes, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    child = os.fork()
    if child == 0:
        # What a terminal sends comes once, from the first process.
        os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        try:
            os.execvpe(command[0], command, {**os.environ, KEPT: "1"})
        except OSError as error:
            print(f"error: failed to run {command[0]}: {error.strerror}", file=sys.stderr, flush=True)
            os._exit(127)
    # After the command has its session: it stays in that of the terminal, for what it draws and asks.
    os.setsid()
    os.write(say, str(child).encode())
    os.close(say)
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    code = None
    while code is None and select.select([pipe, wakes], [], [])[0] != [pipe]:
        os.read(wakes, 64)
        code = reap(child, code)[0]
    os._exit(end(child, code))


def reap(child: int, code: int | None) -> tuple[int | None, bool]:
    """The exit code of the child once it has ended, and whether anything is left."""
    while True:
        try:
            process, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return code, False
        if process == 0:
            return code, True
        if process == child:
            ended = os.waitstatus_to_exitcode(status)
            code = ended if ended >= 0 else 128 - ended


def end(child: int, code: int | None) -> int:
    """Ends everything below this process, and gives the exit code of the child."""
    deadline = time.monotonic() + GRACE_S
    for process in descendants():
        send(process, signal.SIGTERM)
    while True:
        code, any_left = reap(child, code)
        if not any_left:
            return 1 if code is None else code
        if time.monotonic() > deadline:
            for process in descendants():
                send(process, signal.SIGKILL)
        time.sleep(0.01)


def descendants() -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(") ")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, queue = [], [os.getpid()]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("error: found no command\nhint:  kept.py COMMAND…")
    sys.exit(run(sys.argv[1:]))
