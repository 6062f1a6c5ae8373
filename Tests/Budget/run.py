#!/usr/bin/env python3
"""Measures what the tests cost in CPU seconds, and holds it against the committed budget, Tests/Budget/budget.

usage: run.py measure DIR NAME POSTMASTER COMMAND...   runs a command, and keeps in DIR what it used, as NAME
       run.py report DIR POSTMASTER COMMAND...         prints what is in DIR beside the budget, and exits with 1 if it
                                                       is over that. COMMAND runs all tests, or those of --filter
       run.py write DIR                                writes the budget from what is in DIR

POSTMASTER is the process id of the database's first process, or 0. What the figures mean:
- CPU seconds, not time: of the tests' process, of all processes that it starts, and of the database's. The work of a
  process that outlives its parent and is not waited for is missing.
- The figures of a target are measured. They vary with what else uses the machine, for caches and cores are shared. So a
  yardstick, a fixed piece of work, is timed all the while; where it takes longer than when the budget was written, all
  budgets are longer in proportion. Beyond that a target fails at 30 % over its budget.
- The figures of suites are an estimate, for eight tests run at a time, in one process: the CPU seconds of each moment
  are divided equally among the tests that ran (turns.py). In a model of a run, nine of ten suites were within 10 % of
  the truth if tests mostly compute, within 60 % if some wait most of the time: those seem dearer than they are. So a
  suite that seems over its budget is run again alone, and fails only if it is over the budget then, too.
- Less than 5 CPU seconds over a target's budget is noise. A suite may use 10 more than its line, or have none: small suites
  vary by as much from machine to machine, and the sum of their target is held to its line. What has none is listed.
- There is a verdict only where all passed, on the fast tier, at LEDGERD_TEST_SCALE 1.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import cpu
import figures
import turns

BUDGET = Path(__file__).resolve().parent / "budget"
ALONE = 10  # suites that are measured alone, at most
WIDTH = "--experimental-maximum-parallelization-width"


def measured(command, postmaster, output=None):
    """What a command used, and the CPU seconds of suites if it runs tests."""
    if command[:2] != ["swift", "test"]:
        return cpu.measure(command, postmaster, output), {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events"
        path.touch()
        command = [*command, "--event-stream-version", "0", "--event-stream-output-path", str(path)]
        usage = cpu.measure(command, postmaster, output)
        ran = turns.turns(turns.events(path), int(command[command.index(WIDTH) + 1]))
        return usage, turns.shares(ran, usage.samples)


def measure(folder, name, postmaster, command):
    usage, suites = measured(command, postmaster)
    folder.mkdir(parents=True, exist_ok=True)
    is_standard = os.environ.get("LEDGERD_TEST_TIER") == "fast" and os.environ.get("LEDGERD_TEST_SCALE", "1") == "1"
    (folder / f"{name}.json").write_text(json.dumps({
        "is_test": command[:2] == ["swift", "test"], "is_standard": is_standard and usage.status == 0,
        "processes": usage.processes, "database": usage.database, "suites": suites, "yardsticks": usage.yardsticks}))
    return usage.status


def shell_times(path):
    """CPU seconds of what the shell's `times` tells: the shell, and its children that have ended."""
    times = re.findall(r"(\d+)m([\d.]+)s", path.read_text())
    return sum(int(minutes) * 60 + float(seconds) for minutes, seconds in times)


def load(folder):
    measures, yardsticks = figures.Measures(), []
    kept = {path.stem: json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))}
    for name, one in kept.items():
        if not one["is_test"]:
            measures.parts[name] = one["processes"]
            continue
        measures.targets[name] = {"processes": one["processes"], "database": one["database"]}
        measures.suites |= one["suites"]
        yardsticks += one["yardsticks"]
    for path in sorted(folder.glob("*.times")):
        if path.stem == "whole":
            measures.whole = shell_times(path)
        else:
            measures.parts[path.stem] = shell_times(path)
    measures.yardstick = statistics.median(yardsticks) if yardsticks else None
    tests = [one for one in kept.values() if one["is_test"]]
    # The times of a whole run are kept at its end.
    measures.is_standard = measures.whole is not None and bool(tests) and all(one["is_standard"] for one in tests)
    return measures


def alone(name, postmaster, command):
    """CPU seconds of a suite that runs alone, without those before its first test; infinite if it does not pass."""
    usage, suites = measured([*command, "--filter", "^" + re.escape(name) + "/"], postmaster, subprocess.DEVNULL)
    if usage.status > 128:
        sys.exit(usage.status)
    return suites.get(name, 0) if usage.status == 0 else float("inf")


def report(folder, postmaster, command):
    measures, budget = load(folder), figures.Budget.read(BUDGET)
    print("\n".join(line.rstrip() for line in figures.table(measures, budget)), flush=True)
    if not measures.is_standard:
        return 0
    if budget is None:
        print("no budget yet: write it with ./dev budget")
        return 0
    slowness = measures.slowness(budget)
    if slowness > 1.01:
        print(f"this machine was {slowness:.2f} times slower than that of the budget, which is longer by as much")
    over = [figures.complaint(name, cost, budget) for name, cost in figures.dear_targets(measures, budget).items()]
    for name, cost in list(figures.dear_suites(measures, budget).items())[:ALONE]:
        print(f"{name} seems to be over its budget: it is measured alone", flush=True)
        cost = min(cost, alone(name, postmaster, command))
        if not budget.allows(name, cost, slowness):
            over.append(figures.complaint(name, cost, budget))
    new = [figures.line(name, cost) for name, cost in sorted(measures.suites.items())
           if cost >= figures.TRIFLE and name not in budget.seconds]
    if new:
        print(f"not in the budget yet: {', '.join(new)}")
    gone = [name for name in budget.seconds if name not in measures.targets and name not in measures.suites]
    if gone:
        print(f"lines of the budget that are needed no more: {', '.join(gone)}")
    for complaint in over:
        print(f"over the budget: {complaint}")
    return 1 if over else 0


def write(folder):
    measures = load(folder)
    if not measures.is_standard or not measures.yardstick:
        raise figures.Failure("run ./dev test first: there is no whole run of the fast tier that passed")
    BUDGET.write_text(figures.written(measures, figures.Budget.read(BUDGET)))
    print(f"written: {BUDGET}")


def main(act="", folder="", *rest):
    if act == "measure" and len(rest) > 2:
        return measure(Path(folder), rest[0], int(rest[1]) or None, list(rest[2:]))
    if act == "report" and len(rest) > 1:
        return report(Path(folder), int(rest[0]) or None, list(rest[1:]))
    if act == "write" and folder:
        return write(Path(folder))
    raise figures.Failure(__doc__.split("\n\n")[1])


if __name__ == "__main__":
    try:
        sys.exit(main(*sys.argv[1:]))
    except figures.Failure as failure:
        sys.exit(f"budget: {failure}")
