"""Progress of a trainee or a class: faults per hundred rounds over time, with the interval chance alone allows.

There is no norm here to be measured against: a rate is compared only with other rates of the same store.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

PERIODS = ("session", "day", "week", "month")


@dataclass(frozen=True, slots=True)
class Sat:
    """What one session adds: when (UTC), rounds, judged acts, faults, and faults by rule."""

    time: str
    session: str
    rounds: int
    judged: int
    faults: int
    rules: tuple[tuple[str, int], ...] = ()


@dataclass(slots=True)
class Period:
    """Sessions of one period added up."""

    name: str
    sessions: int = 0
    rounds: int = 0
    judged: int = 0
    faults: int = 0
    rules: dict[str, int] = field(default_factory=dict)

    def add(self, one: Sat) -> None:
        self.sessions += 1
        self.rounds += one.rounds
        self.judged += one.judged
        self.faults += one.faults
        for rule, count in one.rules:
            self.rules[rule] = self.rules.get(rule, 0) + count

    @property
    def rate(self) -> float | None:
        """Faults per hundred rounds, None without a round."""
        return self.faults * 100 / self.rounds if self.rounds else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 percent interval of the rate."""
        if not self.rounds:
            return None
        low, high = poisson_interval(self.faults)
        return low * 100 / self.rounds, high * 100 / self.rounds


def period_name(time: str, period: str, session: str = "") -> str:
    """Name the period a UTC time falls into; weeks begin on Monday and are named by it.

    >>> period_name("2026-11-26T10:00:00Z", "week")
    'week of 2026-11-23'
    """
    if period == "session":
        return f"{time[:16].replace('T', ' ')} {session}".strip()
    day = time[:10]
    if period == "month":
        return day[:7]
    if period == "week":
        found = date.fromisoformat(day)
        return f"week of {found - timedelta(days=found.weekday())}"
    return day


def by_period(sat: Iterable[Sat], period: str) -> list[Period]:
    """Add sessions up by period, oldest first."""
    out: dict[str, Period] = {}
    for one in sorted(sat, key=lambda one: (one.time, one.session)):
        name = period_name(one.time, period, one.session)
        out.setdefault(name, Period(name)).add(one)
    return list(out.values())


def poisson_interval(count: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the exact (Garwood) interval for the mean of a Poisson count.

    >>> [round(limit, 3) for limit in poisson_interval(0)], [round(limit, 3) for limit in poisson_interval(5)]
    ([0.0, 3.689], [1.623, 11.668])
    """
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else _mean_where(count - 1, 1 - tail)
    return low, _mean_where(count, tail)


def _mean_where(count: int, wanted: float) -> float:
    """Return the mean at which a Poisson count is at most ``count`` with the probability ``wanted``."""
    low, high = 0.0, count + 10 * math.sqrt(count + 1) + 20
    for _ in range(80):
        middle = (low + high) / 2
        if _at_most(count, middle) > wanted:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _at_most(count: int, mean: float) -> float:
    """Return the probability of a Poisson count of at most ``count``; summed in logarithms for large means."""
    if mean <= 0:
        return 1.0
    log_mean = math.log(mean)
    return math.fsum(math.exp(k * log_mean - mean - math.lgamma(k + 1)) for k in range(count + 1))


# -- charts ------------------------------------------------------------------------------------------------------


def chart(periods: Sequence[Period], width: int = 100, *, plain: bool = False) -> list[str]:
    """Draw faults per hundred rounds as bars; the line after a bar shows the interval."""
    if not periods:
        return ["no sessions"]
    names = max(len(one.name) for one in periods)
    figures = [_figures(one) for one in periods]
    room = max(width - names - max(len(text) for text in figures) - 4, 10)
    highest = max((one.interval[1] for one in periods if one.interval), default=0.0)
    bars = [_bar(one, highest, room, plain) for one in periods]
    head = f"{'':<{names}}  faults per hundred rounds, 95% interval (full width {highest:.0f})"
    return [
        head,
        *(f"{one.name:<{names}}  {bar}  {text}" for one, bar, text in zip(periods, bars, figures, strict=True)),
    ]


def _figures(one: Period) -> str:
    counts = f"{one.faults} in {one.rounds} rounds"
    if one.rate is None or one.interval is None:
        return counts
    return f"{one.rate:6.1f} ({one.interval[0]:.1f} to {one.interval[1]:.1f}), {counts}"


def _bar(one: Period, highest: float, room: int, plain: bool) -> str:
    """Draw the rate as a bar, the interval as a line over and behind it."""
    if one.rate is None or one.interval is None or highest <= 0:
        return " " * room
    scale = room / highest
    end, low, high = round(one.rate * scale), round(one.interval[0] * scale), round(one.interval[1] * scale)
    solid, sure, line, stop = ("#", "=", "-", "|") if plain else ("█", "▓", "─", "┤")
    cells = [(sure if at >= low else solid) if at < end else line if at < high else " " for at in range(room)]
    if high > end:
        cells[min(high, room) - 1] = stop
    return "".join(cells)


def rule_table(periods: Sequence[Period], most: int = 10) -> list[str]:
    """List the rules most often broken: over the whole time, and in the last period."""
    total: dict[str, int] = {}
    for one in periods:
        for rule, count in one.rules.items():
            total[rule] = total.get(rule, 0) + count
    rounds = sum(one.rounds for one in periods)
    if not total or not rounds:
        return []
    last = periods[-1]
    lines = [f"rules broken, per hundred rounds: over all, and in {last.name}"]
    for rule in sorted(total, key=lambda rule: (-total[rule], rule))[:most]:
        recent = f"{last.rules.get(rule, 0) * 100 / last.rounds:.1f}" if last.rounds else "-"
        lines.append(f"  {total[rule] * 100 / rounds:6.1f}  {recent:>6}  {rule}")
    return lines
