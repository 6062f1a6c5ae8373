"""What a run has used beside what it may use: the file `budget` here, the table and the verdict.

budget has a line for each test target, and for each suite that costs more than a trifle:

    yardstick 0.0061                 what cpu.yardstick() took when the file was written
    LedgerTests 180                  CPU seconds, those of the database included
    LedgerTests.DoctorTests 12       # why it is worth them
"""

import math
import re
from dataclasses import dataclass, field

TOLERANCE = 1.3
FLOOR = {"target": 5.0, "suite": 10.0}  # CPU seconds over the budget that fail nothing, and what may go without a line
TRIFLE = 1.5  # CPU seconds: suites that cost less get no line
SHOWN = 10


class Failure(Exception):
    pass


@dataclass
class Budget:
    yardstick: float = None
    seconds: dict = field(default_factory=dict)
    reasons: dict = field(default_factory=dict)  # the comments behind lines

    @staticmethod
    def read(path):
        """None if there is no file."""
        if not path.exists():
            return None
        budget = Budget()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            words, _, reason = line.partition("#")
            if not words.strip():
                continue
            found = re.fullmatch(r"(\w+(?:\.\w+)?)\s+(\d+(?:\.\d+)?)", words.strip())
            if not found or found[1] in budget.seconds:
                raise Failure(f"{path.name}:{number}: a name that is there once, and its CPU seconds: {line}")
            if found[1] == "yardstick":
                budget.yardstick = float(found[2])
                continue
            budget.seconds[found[1]] = float(found[2])
            if reason.strip():
                budget.reasons[found[1]] = reason.strip()
        return budget

    def allows(self, name, cost, slowness):
        """Whether it costs no more than 30 % over its line, or so little more that it may be noise."""
        allowed = self.seconds.get(name, 0) * slowness
        return cost <= allowed * TOLERANCE or cost - allowed <= FLOOR["suite" if "." in name else "target"] * slowness


@dataclass
class Measures:
    """What was measured of a run."""

    targets: dict = field(default_factory=dict)  # {"processes": CPU seconds, "database": CPU seconds} of each
    suites: dict = field(default_factory=dict)  # CPU seconds of Target.Suite
    parts: dict = field(default_factory=dict)  # what is no test: build, checks
    whole: float = None  # all processes that ./dev has started and that have ended
    yardstick: float = None
    is_standard: bool = False  # the whole fast tier at scale 1, and all passed

    def of_target(self, name):
        return sum(self.targets[name].values())

    def slowness(self, budget):
        """How much slower the machine is than the one whose figures are in the budget.

        A faster one changes nothing: not all work is faster there by as much as the yardstick.
        """
        if not budget or not budget.yardstick or not self.yardstick:
            return 1.0
        return max(1.0, self.yardstick / budget.yardstick)


def table(measures, budget):
    """The lines that a run ends with."""
    lines = [f"{'CPU seconds':50}{'processes':>10}{'database':>10}{'sum':>8}{'budget':>8}"]

    def row(name, processes, database=None, line=None):
        total = processes + (database or 0)
        lines.append(
            f"  {name:48}{processes:10.1f}{'' if database is None else format(database, '.1f'):>10}{total:8.1f}"
            f"{'' if line is None else format(line, '.0f'):>8}")

    def line_of(name):
        return budget.seconds.get(name) if budget else None

    for name, seconds in measures.parts.items():
        row(name, seconds)
    for name in sorted(measures.targets, key=measures.of_target, reverse=True):
        row(name, *measures.targets[name].values(), line_of(name))
    database = sum(target["database"] for target in measures.targets.values())
    told = sum(measures.parts.values()) + sum(target["processes"] for target in measures.targets.values())
    if measures.whole is not None:
        row("the rest", max(0, measures.whole - told))
        told = max(told, measures.whole)
    row("all", told, database)
    slowest = sorted(measures.suites.items(), key=lambda item: -item[1])[:SHOWN]
    if slowest:
        lines += ["", f"{'the slowest suites, by an estimate':70}{'sum':>8}{'budget':>8}"]
    for name, seconds in slowest:
        line = line_of(name)
        lines.append(f"  {name:68}{seconds:8.1f}{'-' if line is None else format(line, '.0f'):>8}")
    return lines


def dear_targets(measures, budget):
    """The targets over their budget."""
    slowness = measures.slowness(budget)
    return {
        name: measures.of_target(name) for name in measures.targets
        if not budget.allows(name, measures.of_target(name), slowness)}


def dear_suites(measures, budget):
    """The suites that seem to be over their budget, the dearest first."""
    slowness = measures.slowness(budget)
    found = {name: cost for name, cost in measures.suites.items() if not budget.allows(name, cost, slowness)}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def complaint(name, cost, budget):
    allowed = budget.seconds.get(name)
    if allowed is not None:
        return f"{name} used {cost:.0f} CPU seconds; its budget is {allowed:.0f}, and 30 % over it is too much"
    return f"{name} used {cost:.0f} CPU seconds and has no budget: if it is worth them, add \"{line(name, cost)}\""


def written(measures, old):
    """The text of a new budget, with the reasons of the old one."""
    lines = [
        "# CPU seconds that targets and suites of the fast tier may use, with those of their database: see run.py.",
        "# ./dev budget writes this file from the last ./dev test; a reason behind a line stays.",
        f"yardstick {measures.yardstick:.4f}",
    ]
    costs = {name: measures.of_target(name) for name in measures.targets}
    costs |= {name: cost for name, cost in measures.suites.items() if cost >= TRIFLE}
    for name in sorted(costs):
        reason = old.reasons.get(name) if old else None
        lines.append(line(name, costs[name]) + (f"  # {reason}" if reason else ""))
    return "\n".join(lines) + "\n"


def line(name, cost):
    """A line with some room: a target's sum varies less than the estimate of a suite."""
    return f"{name} {math.ceil(cost * (1.25 if '.' in name else 1.1))}"
