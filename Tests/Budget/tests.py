#!/usr/bin/env python3
"""Tests of the budget: what is measured of real processes, whose turn it was, and when a run is over its budget."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import cpu
import figures
import run
import turns

BUSY = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"]


class MeasuringTests(unittest.TestCase):
    def test_the_work_of_a_command_and_its_children_is_counted_once(self):
        usage = cpu.measure(["sh", "-c", '"$@" & "$@"; wait', "sh", *BUSY])
        self.assertEqual(usage.status, 0)
        self.assertGreaterEqual(usage.processes, 0.6)
        self.assertLess(usage.processes, 1.2)
        self.assertEqual(usage.database, 0)

    def test_the_work_of_a_server_counts_from_the_command_s_start_also_of_its_ended_children(self):
        server = subprocess.Popen(
            ["sh", "-c", 'echo; read go; "$@"; echo; read end', "sh", *BUSY],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        server.stdout.readline()
        # The command tells the server to work, and waits for it.
        command = ["sh", "-c", f"echo >/proc/{server.pid}/fd/0; read done </proc/{server.pid}/fd/1"]
        with mock.patch.object(cpu, "PAUSE", 0.02):
            usage = cpu.measure(command, server.pid)
        # No more of it counts for the next command.
        again = cpu.measure(["true"], server.pid)
        server.communicate(b"\n")
        self.assertGreaterEqual(usage.database, 0.29)
        self.assertLess(usage.processes, 0.29)
        self.assertLess(again.database, 0.1)

    def test_the_samples_grow_up_to_the_sum(self):
        with mock.patch.object(cpu, "PAUSE", 0.02):
            usage = cpu.measure(["sh", "-c", '"$@"; "$@"', "sh", *BUSY])
        seconds = [seconds for _, seconds in usage.samples]
        self.assertEqual(seconds, sorted(seconds))
        self.assertEqual(seconds[0], 0)
        self.assertEqual(seconds[-1], usage.processes)
        self.assertGreater(min(usage.yardsticks), 0)

    def test_a_process_that_was_seen_twice_or_not_at_all_leaves_no_trace(self):
        for seen, expected in (([0, 2, 9, 3, 4], [0, 2, 3, 4, 4]), ([0, 2, 0, 3, 4], [0, 0, 2, 3, 4]), ([0, 5], [0, 5])):
            result = cpu.corrected(list(enumerate(seen)))
            self.assertEqual([moment for moment, _ in result], list(range(len(seen))))
            self.assertEqual([seconds for _, seconds in result], expected)

    def test_a_signal_is_the_command_s_and_its_end_is_this_one_s(self):
        self.assertEqual(cpu.measure(["sh", "-c", "exit 7"]).status, 7)
        self.assertEqual(cpu.measure(["sh", "-c", "kill -9 $$"]).status, 137)
        folder = tempfile.mkdtemp()
        process = subprocess.Popen(
            [sys.executable, run.__file__, "measure", folder, "x", "0",
             "sh", "-c", 'trap "exit 9" TERM; echo; read forever'],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 9)
        process.communicate()


def record(name, is_table=False):
    payload = {"kind": "function", "id": identity(name), "isParameterized": is_table}
    return {"version": 0, "kind": "test", "payload": payload}


def event(kind, name, moment):
    instant = {"absolute": moment - 5, "since1970": moment}
    payload = {"kind": kind, "testID": identity(name), "instant": instant, "messages": []}
    return {"version": 0, "kind": "event", "payload": payload}


def identity(name):
    suite, test = name.split("/")
    return f"LedgerTests.{suite}/`{test} of 1/2`()/File.swift:12:4"


def ran(records, count):
    """Suite, start and end of the turns."""
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("\n".join(map(json.dumps, records)) + '\n{"version": 0, "kind": "ev')
        file.flush()
        return [(turn.suite[-1], turn.start, turn.end) for turn in turns.turns(turns.events(file.name), count)]


class TurnTests(unittest.TestCase):
    def test_a_suite_is_the_type_in_a_target(self):
        self.assertEqual(turns.suite("LedgerTests.DoctorTests/`a.b/c`()/F.swift:1:2"), "LedgerTests.DoctorTests")
        self.assertEqual(turns.suite("LedgerTests.Outer/Inner/`x`()/F.swift:1:2"), "LedgerTests.Outer")
        self.assertEqual(turns.suite("LedgerTests.`a test without a suite`()/F.swift:1:2"), None)

    def test_tests_have_their_turns_in_the_order_of_the_queue(self):
        names = ["A/1", "B/2", "C/3"]
        records = [record(name) for name in names]
        records += [event("testStarted", name, moment) for moment, name in enumerate(names)]
        records += [event("testEnded", "B/2", 10), event("testEnded", "A/1", 30), event("testEnded", "C/3", 40)]
        self.assertEqual(ran(records, 2), [("A", 0, 30), ("B", 1, 10), ("C", 10, 40)])

    def test_a_case_of_a_table_tells_when_it_begins(self):
        records = [record("A/1"), record("T/t", True), record("C/3")]
        records += [event("testStarted", name, moment) for name, moment in (("A/1", 0), ("T/t", 0), ("C/3", 0.1))]
        for start, end in ((0.1, 5), (5, 8)):
            records += [event("testCaseStarted", "T/t", start), event("testCaseEnded", "T/t", end)]
        records += [event("testEnded", name, moment) for name, moment in (("T/t", 8), ("A/1", 9), ("C/3", 12))]
        self.assertEqual(ran(records, 2), [("A", 0, 9), ("C", 8, 12), ("T", 0.1, 5), ("T", 5, 8)])

    def test_a_case_begins_before_the_end_is_told_of_the_test_before_it(self):
        records = [record("A/1"), record("T/t", True), record("C/3")]
        records += [event("testStarted", "A/1", 0), event("testStarted", "C/3", 1)]
        records += [event("testCaseStarted", "T/t", 5), event("testEnded", "A/1", 6), event("testCaseEnded", "T/t", 8)]
        records += [event("testEnded", "C/3", 12)]
        self.assertEqual(ran(records, 1), [("A", 0, 6), ("C", 8, 12), ("T", 5, 8)])

    def test_a_test_that_ended_had_the_turn_of_one_that_was_believed_to_run(self):
        names = ["A/1", "B/2", "C/3"]
        records = [record(name) for name in names]
        records += [event("testStarted", name, moment) for moment, name in enumerate(names)]
        records += [event("testEnded", name, end) for name, end in (("A/1", 10), ("C/3", 20), ("B/2", 30))]
        self.assertEqual(ran(records, 1), [("A", 0, 10), ("B", 20, 30), ("C", 10, 20)])

    def test_those_that_run_share_the_cpu_of_each_moment(self):
        took = [turns.Turn("A", 0, 10, 30), turns.Turn("B", 0, 20, 30), turns.Turn("A", 0, 30, 35)]
        took.append(turns.Turn("C", 0, 40, None))
        # Before the first test and between two, it is no suite's.
        samples = [(0, 0), (10, 5), (20, 15), (30, 25), (40, 35), (50, 40)]
        self.assertEqual(turns.shares(took, samples), {"A": 10 + 5 + 5, "B": 5, "C": 5})


SWIFT = """#!/usr/bin/env python3
import json, sys, time
assert sys.argv[1] == "test" and sys.argv[sys.argv.index("--event-stream-version") + 1] == "0"
with open(sys.argv[sys.argv.index("--event-stream-output-path") + 1], "w") as file:
    def tell(kind, payload):
        print(json.dumps({"version": 0, "kind": kind, "payload": payload}), file=file)
    for suite, seconds in (("DearTests", 0.5), ("CheapTests", 0.1)):
        test = f"XTests.{suite}/`a name`()/File.swift:1:2"
        if "--filter" in sys.argv and suite not in sys.argv[sys.argv.index("--filter") + 1]:
            continue
        tell("test", {"kind": "function", "id": test, "isParameterized": False})
        tell("event", {"kind": "testStarted", "testID": test, "instant": {"since1970": time.time()}})
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass
        tell("event", {"kind": "testEnded", "testID": test, "instant": {"since1970": time.time()}})
"""


class RunTests(unittest.TestCase):
    """With a program that says what `swift test` says."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        swift = self.folder / "swift"
        swift.write_text(SWIFT)
        swift.chmod(0o755)
        path = f"{self.folder}:{os.environ['PATH']}"
        variables = {"PATH": path, "LEDGERD_TEST_TIER": "fast", "LEDGERD_TEST_SCALE": "1"}
        for patch in (mock.patch.dict(os.environ, variables), mock.patch.object(cpu, "PAUSE", 0.02)):
            patch.start()
            self.addCleanup(patch.stop)

    def test_a_run_is_measured_suite_by_suite(self):
        command = ["swift", "test", run.WIDTH, "1"]
        self.assertEqual(run.measure(self.folder / "kept", "XTests", None, command), 0)
        kept = json.loads((self.folder / "kept/XTests.json").read_text())
        self.assertTrue(kept["is_standard"])
        self.assertEqual(set(kept["suites"]), {"XTests.DearTests", "XTests.CheapTests"})
        self.assertGreater(kept["suites"]["XTests.DearTests"], 0.35)
        self.assertGreaterEqual(kept["processes"], 0.6)
        self.assertLessEqual(sum(kept["suites"].values()), kept["processes"])

    def test_a_suite_is_measured_alone(self):
        cost = run.alone("XTests.CheapTests", None, ["swift", "test", run.WIDTH, "1"])
        self.assertTrue(0 < cost < 0.5, cost)


class VerdictTests(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.budget = self.folder / "committed"
        patch = mock.patch.object(run, "BUDGET", self.budget)
        patch.start()
        self.addCleanup(patch.stop)
        self.keep_times("whole", "0m0.10s 0m0.10s\n4m1.00s 0m2.50s\n")

    def keep_times(self, name, text):
        (self.folder / f"{name}.times").write_text(text)

    def keep(self, name, seconds, suites={}, yardstick=0.01, is_standard=True):
        (self.folder / f"{name}.json").write_text(json.dumps({
            "is_test": name.endswith("Tests"), "is_standard": is_standard, "processes": seconds * 0.75,
            "database": seconds * 0.25, "suites": suites, "yardsticks": [yardstick]}))

    def report(self, alone=0):
        output = io.StringIO()
        with mock.patch.object(run, "alone", return_value=alone), contextlib.redirect_stdout(output):
            return run.report(self.folder, None, ["swift", "test"]), output.getvalue()

    def test_a_run_without_a_budget_is_no_failure(self):
        self.keep("LedgerTests", 200)
        status, text = self.report()
        self.assertEqual(status, 0)
        self.assertIn("./dev budget", text)

    def test_a_target_fails_at_thirty_percent_over_its_budget(self):
        self.budget.write_text("LedgerTests 200\n")
        for seconds, expected in ((259, 0), (261, 1)):
            self.keep("LedgerTests", seconds)
            status, text = self.report()
            self.assertEqual(status, expected, text)
        self.assertIn("over the budget: LedgerTests used 261 CPU seconds; its budget is 200", text)

    def test_a_small_target_may_use_some_seconds_more(self):
        self.budget.write_text("LedgerTests 200\nTracesTests 3\n")
        self.keep("LedgerTests", 200)
        for seconds, expected in ((7.9, 0), (8.1, 1)):
            self.keep("TracesTests", seconds)
            self.assertEqual(self.report()[0], expected)

    def test_a_slower_machine_has_a_longer_budget_and_a_faster_one_the_same(self):
        self.budget.write_text("yardstick 0.01\nLedgerTests 200\n")
        for yardstick, seconds, expected in ((0.015, 389, 0), (0.015, 391, 1), (0.005, 259, 0)):
            self.keep("LedgerTests", seconds, yardstick=yardstick)
            self.assertEqual(self.report()[0], expected)

    def test_a_suite_fails_only_if_it_is_over_its_budget_alone(self):
        self.budget.write_text("LedgerTests 200\nLedgerTests.DoctorTests 12 # 102 checks\n")
        self.keep("LedgerTests", 200, {"LedgerTests.DoctorTests": 30})
        for alone, expected in ((15, 0), (25, 1), (float("inf"), 1)):
            status, text = self.report(alone)
            self.assertEqual(status, expected)
        self.assertIn("over the budget: LedgerTests.DoctorTests used 30 CPU seconds; its budget is 12", text)

    def test_a_new_suite_states_its_cost_when_it_has_one(self):
        self.budget.write_text("LedgerTests 200\n")
        self.keep("LedgerTests", 200, {"LedgerTests.NewTests": 2.9})
        status, text = self.report(2.9)
        self.assertEqual(status, 0)
        self.assertIn("not in the budget yet: LedgerTests.NewTests 4", text)
        self.keep("LedgerTests", 200, {"LedgerTests.NewTests": 10.9})
        status, text = self.report(10.5)
        self.assertEqual(status, 1)
        self.assertIn('has no budget: if it is worth them, add "LedgerTests.NewTests 14"', text)

    def test_what_is_no_whole_passed_run_of_the_fast_tier_has_no_verdict(self):
        self.budget.write_text("LedgerTests 20\n")
        self.keep("LedgerTests", 200)
        self.keep("TracesTests", 2, is_standard=False)
        self.assertEqual(self.report()[0], 0)
        with self.assertRaises(figures.Failure):
            run.write(self.folder)

    def test_a_run_that_was_stopped_writes_no_budget(self):
        self.keep("LedgerTests", 200)
        (self.folder / "whole.times").unlink()
        with self.assertRaises(figures.Failure):
            run.write(self.folder)

    def test_a_budget_is_written_with_some_room_and_keeps_its_reasons(self):
        self.budget.write_text("LedgerTests.DoctorTests 9 # 102 checks\nLedgerTests.GoneTests 7 # once\n")
        self.keep("LedgerTests", 200, {"LedgerTests.DoctorTests": 16, "LedgerTests.SealTests": 1})
        with contextlib.redirect_stdout(io.StringIO()):
            run.write(self.folder)
        lines = [line for line in self.budget.read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(
            lines, ["yardstick 0.0100", "LedgerTests 221", "LedgerTests.DoctorTests 20  # 102 checks"])
        self.assertEqual(self.report()[0], 0)

    def test_a_line_that_nobody_understands_is_shown(self):
        for text in ("LedgerTests\n", "LedgerTests 5\nLedgerTests 6\n", "LedgerTests -1\n"):
            self.budget.write_text(text)
            with self.assertRaisesRegex(figures.Failure, "committed:[12]"):
                figures.Budget.read(self.budget)

    def test_the_table_adds_up(self):
        self.keep("build", 100)
        self.keep("LedgerTests", 200, {"LedgerTests.DoctorTests": 16})
        self.keep_times("checks and tools", "0m1.00s 0m1.00s\n0m10.00s 0m8.00s\n")
        self.keep_times("whole", "0m1.00s 0m0.00s\n4m0.00s 0m59.00s\n")
        rows = {line[:50].strip(): line[50:].split() for line in self.report()[1].splitlines()}
        self.assertEqual(rows["checks and tools"], ["20.0", "20.0"])
        self.assertEqual(rows["LedgerTests"], ["150.0", "50.0", "200.0"])
        self.assertEqual(rows["the rest"], ["55.0", "55.0"])
        self.assertEqual(rows["all"], ["300.0", "50.0", "350.0"])


if __name__ == "__main__":
    unittest.main()
