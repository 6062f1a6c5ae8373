"""CPU seconds of a command and of the database that it uses, as they grow, and how fast the machine is meanwhile."""

import contextlib
import os
import signal
import subprocess
import threading
import time
import zlib
from dataclasses import dataclass, field

PAUSE = 0.5  # seconds between two looks at all processes; a look takes some milliseconds
LOOKS_PER_YARDSTICK = 10
TICKS = os.sysconf("SC_CLK_TCK")
TEXT = " ".join(map(str, range(60_000))).encode()


@dataclass
class Usage:
    """What a command has used."""

    status: int  # of a shell: 128 and the signal that ended it
    processes: float  # CPU seconds of the command and all that it started
    database: float  # CPU seconds of the database meanwhile
    yardsticks: list = field(default_factory=list)
    samples: list = field(default_factory=list)  # (time, CPU seconds of both up to then), in order


def yardstick():
    """CPU seconds of a fixed piece of work: more on a slower machine, and on one that others use too."""
    start = time.thread_time()
    zlib.compress(TEXT)
    return time.thread_time() - start


def processes():
    """Parent and CPU seconds of each process, with those of its children that have ended."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", "rb") as file:
                # The name of the program, in parentheses, can have spaces.
                fields = file.read().rpartition(b")")[2].split()
        except OSError:  # it has ended
            continue
        if len(fields) > 14:
            found[int(name)] = int(fields[1]), sum(map(int, fields[11:15])) / TICKS
    return found


def of_tree(root, found):
    """CPU seconds of a process and its descendants."""
    children = {}
    for pid, (parent, _) in found.items():
        children.setdefault(parent, []).append(pid)
    total, todo = 0, [root] if root in found else []
    while todo:
        pid = todo.pop()
        total += found[pid][1]
        todo += children.pop(pid, [])
    return total


class Command:
    """A command that runs, and gets the signals that were meant for it."""

    def __init__(self, arguments, output):
        self.process = self.told = None
        self.ended = threading.Event()
        self.status = self.seconds = 0
        # Ctrl-C at the terminal is the command's, too: its end tells when this has to end.
        for number, action in ((signal.SIGINT, self.ignore), (signal.SIGTERM, self.tell), (signal.SIGHUP, self.tell)):
            if signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, action)
        self.process = subprocess.Popen(arguments, stdout=output, stderr=output)
        if self.told:
            self.tell(self.told, None)
        threading.Thread(target=self.reap, daemon=True).start()

    def ignore(self, *_):
        pass

    def tell(self, number, _):
        self.told = number
        if self.process and self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.process.pid, number)

    def reap(self):
        _, status, usage = os.wait4(self.process.pid, 0)
        self.seconds = usage.ru_utime + usage.ru_stime
        code = self.process.returncode = os.waitstatus_to_exitcode(status)
        self.status = code if code >= 0 else 128 - code
        self.ended.set()


def measure(arguments, postmaster=None, output=None):
    """Runs a command to its end, and tells what it has used.

    postmaster is the process id of the database's first process, which has started all others. The command's output
    goes where this one's does, or to an open file.
    """
    before = of_tree(postmaster, processes())
    yardsticks, samples = [], [(time.time(), 0)]
    command, looks = Command(arguments, output), 0
    while not command.ended.wait(PAUSE):
        if looks % LOOKS_PER_YARDSTICK == 0:
            yardsticks.append(yardstick())
        looks += 1
        now, found = time.time(), processes()
        if command.process.pid in found:
            samples.append((now, of_tree(command.process.pid, found) + of_tree(postmaster, found) - before))
    # A database that has stopped has no processes to ask. Of three looks, one may meet a process that ends.
    database = max(sorted(of_tree(postmaster, processes()) for _ in range(3))[1] - before, 0)
    samples.append((time.time(), command.seconds + database))
    return Usage(command.status, command.seconds, database, yardsticks, corrected(samples))


def corrected(samples):
    """Samples that never fall: a process that ends during a look is counted twice in it, or not at all."""
    seconds = [seconds for _, seconds in samples]
    # Of three that grow, the middle one is the second.
    middle = [sorted(three)[1] for three in zip(seconds, seconds[1:], seconds[2:])]
    least, result = float("inf"), []
    for (moment, _), value in zip(reversed(samples), reversed([*seconds[:1], *middle, *seconds[-1:]])):
        least = min(least, value)
        result.append((moment, max(least, 0)))
    return result[::-1]
