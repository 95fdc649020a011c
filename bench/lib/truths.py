"""Servers whose response times are arithmetic, and the arithmetic.

A server needs some time of its own, a few microseconds each response, and its machine may hold it up for longer: it says
itself what users at its door saw. From there to the generator the network and the kernel need 50 to 150 µs, well below what
a figure may be off.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

Quantiles = Callable[[float], float]  # response time in ms at a quantile


@dataclass(frozen=True)
class Load:
    """What a generator is told to do, and what it then has to see."""

    arithmetic_ms: Quantiles | None  # none where no arithmetic says it, only the server
    seconds: int
    connections: int
    rate_per_s: int | None = None  # None is the closed model
    poisson: bool = False
    floor_ms: float = 1  # what it may be off where 5 % of the truth is less
    # Whether a response takes more or less by when requests come. A generator that sends late then makes a server see other
    # times than its users would have, so that what the server saw can only add to the arithmetic.
    arrivals_matter: bool = False

    def may_be_off_ms(self, truth_ms: float) -> float:
        return max(0.05 * truth_ms, self.floor_ms)


@dataclass(frozen=True)
class Truth:
    """A server of bench/servers, and the loads it is put under."""

    server: list[str]  # program and arguments behind the port
    says: str
    open: Load
    closed: Load
    random: bool = False  # whether it draws, by a seed that it is given


def always(ms: float) -> Quantiles:
    return lambda _: ms


def freeze(period_s: float, freeze_s: float, periods: int, rate_per_s: int, floor_ms: float = 5, requests: int = 1) -> Truth:
    """The server responds at once, but sends nothing in the last F seconds of every P, counted from the first request.

    Open model: arrivals are evenly spaced and the run lasts a whole number of periods, so exactly a share s = F/P of them
    meets the server frozen, at a moment t that is spread evenly over 0 to F, and waits F − t. Hence
    P(wait > w) = s · (F − w)/F, and the q-quantile of the response time is

        0                      for q ≤ 1 − s
        F · (1 − (1 − q)/s)    above.

    With F = 1 s and P = 10 s: p90 0, p95 500, p99 900, p99.9 990 ms.

    At 1 − s the truth has a corner. There the quantile is the greatest response time outside of the freezes, unless k
    requests were held up there by something else, a core that was taken away for a few milliseconds; then it is the time
    that k of the frozen ones stay below, and of those only rate · periods come per second of wait: 15 such requests among
    30,000 make 5 ms, and so does a core that is taken away once for 20 ms. That only ever adds. What was taken from the
    server it saw itself; for what was taken from the generator 5 ms are allowed. Node.js reads what came in a freeze only afterwards, the
    last one last: 200 messages at less than 50 µs make 10 ms.

    On a journey of several requests, with a pause of D between two, F ≤ D and few enough that they end within P − F: who came
    at t after the beginning of a period has the nth request due at t + (n − 1)·D, unless held up before. So of each request those
    meet the server frozen who came (n − 1)·D before they would have met it so with the first, a share s as well, spread as
    evenly; who was held up once is thawed with the beginning of a period, and comes to the end before the next freeze. The
    quantiles of each request are those above. All who were held up at one request send the next one together.

    Closed model: each of c connections has one request in each freeze, c · periods of very many. Up to p99.9 the service
    time is that of a server that never freezes, and nothing shows how long the users waited who were not there.
    """
    share = freeze_s / period_s
    return Truth(
        ["freeze", f"{period_s * 1000:g}", f"{freeze_s * 1000:g}"],
        f"responds at once, but stands still for {freeze_s:g} s at the end of every {period_s:g}",
        Load(
            lambda quantile: max(0.0, freeze_s * (1 - (1 - quantile) / share)) * 1000,
            seconds=int(period_s * periods),
            # More than arrive in a freeze: with fewer, arrivals would wait for each other.
            connections=int(rate_per_s * freeze_s * requests * 1.1),
            rate_per_s=rate_per_s,
            floor_ms=floor_ms,
            arrivals_matter=True,
        ),
        Load(always(0), seconds=int(period_s), connections=8),
    )


def delay(delay_ms: float, rate_per_s: int = 1000) -> Truth:
    """Every response takes D after its request, whatever the load: every quantile is D in both models."""
    return Truth(
        ["delay", f"{delay_ms:g}"],
        f"responds to every request after {delay_ms:g} ms",
        Load(always(delay_ms), seconds=5, connections=256, rate_per_s=rate_per_s),
        Load(always(delay_ms), seconds=5, connections=64),
    )


def mm1(service_rate_per_s: float, rate_per_s: int, users: int) -> Truth:
    """One worker serves one request after the other, each for an exponentially distributed time with rate µ.

    Open model: with Poisson arrivals at λ, the response time is exponentially distributed with rate µ − λ, so its
    q-quantile is −ln(1 − q)/(µ − λ) (Kleinrock, Queueing Systems, volume 1, section 3.2).

    Closed model: c users without think time are all at the worker all the time, and each waits for c services: the
    service time is the sum of c exponential times, P(T ≤ t) = 1 − Σ_{k<c} (µt)^k e^(−µt) / k! (Erlang).

    What is drawn at random differs from its distribution. With λ = 1,000 per second and µ = 2λ, 60 requests of a minute lie
    above p99.9, in few busy periods: by simulation of 150 such minutes p99.9 has a standard deviation of 0.37 ms, a twentieth
    of it, and p99 of 0.12. The median of three rounds, each with a seed of its own, has two thirds of that.
    """
    return Truth(
        ["mm1", f"{service_rate_per_s:g}"],
        f"one worker, exponential times, {service_rate_per_s:g} per second",
        Load(
            lambda quantile: -math.log(1 - quantile) / (service_rate_per_s - rate_per_s) * 1000,
            seconds=60,
            connections=256,
            rate_per_s=rate_per_s,
            poisson=True,
            arrivals_matter=True,
        ),
        Load(lambda quantile: erlang_quantile(users, service_rate_per_s, quantile) * 1000, seconds=5, connections=users),
        random=True,
    )


def erlang_quantile(stages: int, rate_per_s: float, quantile: float) -> float:
    """By bisection of the distribution function, seconds."""
    below = lambda t: 1 - sum((rate_per_s * t) ** k * math.exp(-rate_per_s * t) / math.factorial(k) for k in range(stages))
    low, high = 0.0, 100 * stages / rate_per_s
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if below(middle) < quantile else (low, middle)
    return high


def bimodal(short_ms: float, long_ms: float, nth: int) -> Truth:
    """Each nth request takes long, the others short, in both models: a share 1/n is long, those above the 1 − 1/n quantile."""
    truth_ms = lambda quantile: short_ms if quantile < 1 - 1 / nth else long_ms
    return Truth(
        ["bimodal", f"{short_ms:g}", f"{long_ms:g}", str(nth)],
        f"responds after {short_ms:g} ms, each {nth}th request after {long_ms:g}",
        Load(truth_ms, seconds=5, connections=256, rate_per_s=1000),
        Load(truth_ms, seconds=5, connections=64),
    )


def slow_body(pieces: int, gap_ms: float) -> Truth:
    """The head comes at once, the body in K pieces G apart: it is whole, and the response over, after K · G."""
    return Truth(
        ["slow_body", str(pieces), f"{gap_ms:g}"],
        f"sends the head at once and then {pieces} pieces of a body, {gap_ms:g} ms apart",
        Load(always(pieces * gap_ms), seconds=5, connections=256, rate_per_s=500),
        Load(always(pieces * gap_ms), seconds=5, connections=32),
    )


def two_packets(gap_ms: float) -> Truth:
    """The second half of the response comes G after the first."""
    return Truth(
        ["two_packets", f"{gap_ms:g}"],
        f"sends the second half of a response {gap_ms:g} ms after the first, cut in a header",
        Load(always(gap_ms), seconds=5, connections=256, rate_per_s=1000),
        Load(always(gap_ms), seconds=5, connections=64),
    )


def delayed_ack() -> Truth:
    """The server writes head and body apart and leaves Nagle's algorithm on, so the body leaves when the client's kernel
    acknowledges the head. No user and no generator is asked when that is, and no arithmetic says it beforehand: Linux
    acknowledges at once on a young connection and on one that has paused, and else after 40 ms (TCP_DELACK_MIN,
    include/net/tcp.h) and what is left of a tick of its timer, more when that finds the socket in use. The kernel of the
    server knows when the body left.
    """
    return Truth(
        ["delayed_ack"],
        "writes head and body apart, with Nagle's algorithm on",
        Load(None, seconds=5, connections=64, rate_per_s=500),
        Load(None, seconds=5, connections=16),
    )


ALL = {
    "freeze": freeze(period_s=10, freeze_s=1, periods=3, rate_per_s=1000),
    "delay": delay(100),
    "mm1": mm1(service_rate_per_s=2000, rate_per_s=1000, users=8),
    "bimodal": bimodal(short_ms=10, long_ms=200, nth=25),
    "slow-body": slow_body(pieces=10, gap_ms=5),
    "two-packets": two_packets(20),
    "delayed-ack": delayed_ack(),
}
# Of a service of Node.js, whose timers have milliseconds and fire up to one and a half late.
NODE = {
    "freeze": freeze(period_s=10, freeze_s=1, periods=3, rate_per_s=200, floor_ms=10),
    "delay": delay(100),
}
# Of each request of a journey of three; the rate is in users per second.
JOURNEY = {
    "freeze": freeze(period_s=10, freeze_s=1, periods=3, rate_per_s=200, requests=3),
    "delay": delay(100, rate_per_s=300),
}
# Between two requests of the journey, in the open model.
PAUSE_S = 2
