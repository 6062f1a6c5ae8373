"""Which suite used the CPU, from what Swift Testing tells about its tests (--event-stream-output-path).

So many tests run at a time as there are turns. Swift Testing tells when a test was queued and when it ended, and of the
cases of a table also when each began. The others began in the order in which they were queued, when a turn became free.

The CPU seconds of each moment are divided equally among the tests that had a turn then.
"""

import bisect
import json
import re
from collections import deque
from dataclasses import dataclass

LATE = 0.2  # seconds from the end of a test until all that it caused is reported


@dataclass(eq=False)
class Turn:
    """A test, or a case of a table, that ran; times in seconds since 1970."""

    suite: str
    queued: float
    start: float = None
    end: float = None


def suite(test):
    """`Target.Suite` of a test's id, such as LedgerTests.DoctorTests/`a name`()/File.swift:1:2; None for other ids."""
    found = re.match(r"(\w+\.\w+)/(?!\w+\.swift:)", test)
    return found[1] if found else None


@dataclass
class Event:
    """What Swift Testing tells about a test that is no suite."""

    kind: str
    test: str
    time: float  # seconds since 1970
    is_table: bool


def events(path):
    """The events of a file, in order. A run that was killed leaves half a line."""
    tables, found = {}, []
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            try:
                record = json.loads(line)
                payload = record["payload"]
                if record["kind"] == "test" and payload["kind"] == "function":
                    tables[payload["id"]] = payload["isParameterized"]
                elif record["kind"] == "event" and payload.get("testID") in tables:
                    test = payload["testID"]
                    found.append(Event(payload["kind"], test, payload["instant"]["since1970"], tables[test]))
            except (ValueError, KeyError, TypeError):
                continue
    return sorted(found, key=lambda event: event.time)


class Turns:
    """Follows the events, and tells who had a turn, and when."""

    def __init__(self, count):
        self.count = count
        self.free = []  # when each turn became free that nobody is known to have taken
        self.owed = 0  # cases that began before the end was reported of the test whose turn they have
        self.waiting, self.tests, self.cases = deque(), {}, {}
        self.all = []

    def follow(self, event):
        if not self.all:
            self.free = [event.time] * self.count
        self.give(before=event.time - LATE)
        if event.kind == ("testCaseStarted" if event.is_table else "testStarted"):
            turn = Turn(suite(event.test), event.time)
            self.all.append(turn)
            if event.is_table:
                self.cases.setdefault(event.test, deque()).append(turn)
                self.take(turn)
            else:
                self.tests[event.test] = turn
                self.waiting.append(turn)
        elif event.is_table and event.kind == "testCaseEnded" and self.cases.get(event.test):
            self.end(self.cases[event.test].popleft(), event.time)
        elif not event.is_table and event.kind == "testEnded" and event.test in self.tests:
            self.end(self.tests.pop(event.test), event.time)

    def take(self, turn):
        turn.start = turn.queued
        if self.free:
            self.free.pop()
        else:
            self.owed += 1

    def end(self, turn, moment):
        # Whoever took a turn before this one became free has reported it, if it is a case.
        self.give()
        if turn.start is None:
            self.exchange(turn, moment)
        turn.end = moment
        if self.owed:
            self.owed -= 1
        else:
            self.free.append(moment)

    def exchange(self, turn, moment):
        """Gives a test that has ended the turn of the running one that was queued last: that one waits again."""
        self.waiting.remove(turn)
        running = [other for other in self.tests.values() if other.start is not None]
        other = max(running, key=lambda other: other.queued, default=None)
        turn.start = moment
        if other:
            turn.start, other.start = max(other.start, turn.queued), None
            self.waiting.appendleft(other)

    def give(self, before=float("inf")):
        while self.waiting and self.free and self.free[0] < before:
            turn = self.waiting.popleft()
            turn.start = max(turn.queued, self.free.pop(0))


def turns(events, count):
    """The turns of tests that ended, or ran when the file did."""
    result = Turns(count)
    for event in events:
        result.follow(event)
    result.give()
    return [turn for turn in result.all if turn.start is not None]


def shares(turns, samples):
    """CPU seconds of each suite, from samples (time, CPU seconds up to then)."""
    begins = sorted(turn.start for turn in turns)
    ends = sorted(turn.end for turn in turns if turn.end is not None)
    edges = sorted({*begins, *ends, *(moment for moment, _ in samples)})
    # What a test would have used up to each edge that had a turn all the time.
    used = [0.0]
    for before, after in zip(edges, edges[1:]):
        count = bisect.bisect_right(begins, before) - bisect.bisect_right(ends, before)
        grown = up_to(after, samples) - up_to(before, samples)
        used.append(used[-1] + (grown / count if count else 0))
    result = {}
    for turn in turns:
        if turn.suite is None:
            continue
        end = edges[-1] if turn.end is None else turn.end
        share = used[bisect.bisect_left(edges, end)] - used[bisect.bisect_left(edges, turn.start)]
        result[turn.suite] = result.get(turn.suite, 0) + share
    return result


def up_to(moment, samples):
    """CPU seconds up to a time, which need not be that of a sample."""
    after = bisect.bisect_left(samples, (moment,))
    if after in (0, len(samples)):
        return samples[min(after, len(samples) - 1)][1]
    (start, low), (end, high) = samples[after - 1], samples[after]
    return low + (high - low) * (moment - start) / (end - start)
