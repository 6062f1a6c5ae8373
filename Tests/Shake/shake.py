#!/usr/bin/env python3
"""Stops processes of a test run for moments, at random, as a busy machine does: tests and code that rely on what is
usually faster then fail.

usage: shake.py RUN POSTMASTER   (process ids)

Among the descendants of RUN: the services and gateways that tests start, now and then the tests themselves. Among those
of POSTMASTER: the processes of PostgreSQL, most of which are sessions. It ends when RUN has ended.
"""

import os
import random
import signal
import sys
import threading
import time

LONGEST = 0.7  # seconds; shorter than the time limits of the service, so that one stop does not exceed them
SHAKERS = {"session": 6, "service": 4, "tests": 1}  # how many processes of a kind are stopped at a time, at most
PAUSES = {"session": 0.1, "service": 0.1, "tests": 3.0}  # seconds, at most


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:  # it has ended
        return b""


def processes():
    """State and parent of each process."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        # The name of the program, in parentheses, can have spaces.
        fields = read(f"/proc/{name}/stat").rpartition(b")")[2].split()
        if len(fields) > 1:
            found[int(name)] = fields[0], int(fields[1])
    return found


def kind(pid):
    program = read(f"/proc/{pid}/cmdline").split(b"\0")[0]
    if program.startswith(b"postgres: "):
        return "session"
    if program.endswith((b"/ledgerd", b"/portone-sandbox")):
        return "service"
    return "tests" if program.endswith(b".xctest") else None


class Run:
    def __init__(self, roots):
        self.roots = roots
        self.processes = {}

    def watch(self):
        try:
            self.follow()
        finally:
            self.processes = None

    def follow(self):
        while os.path.exists(f"/proc/{self.roots[0]}"):
            tree = processes()
            found = {name: [] for name in SHAKERS}
            for pid, (state, ancestor) in tree.items():
                while ancestor in tree and ancestor not in self.roots:
                    ancestor = tree[ancestor][1]
                name = kind(pid) if ancestor in self.roots else None
                # A process that a test has stopped is not to run again by this.
                if name and state != b"T":
                    found[name].append(pid)
            self.processes = found
            time.sleep(0.1)

    def shake(self, name):
        while (found := self.processes) is not None:
            if pids := found.get(name):
                self.stop(random.choice(pids), random.uniform(0.05, LONGEST))
            time.sleep(random.uniform(0.01, PAUSES[name]))

    @staticmethod
    def stop(pid, seconds):
        try:
            os.kill(pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(pid, signal.SIGCONT)
        except ProcessLookupError:
            pass


def main():
    # Whoever stops the run must not leave a stopped process: this ends by itself.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    run = Run([int(root) for root in sys.argv[1:]])
    threads = [threading.Thread(target=run.watch)]
    for name, count in SHAKERS.items():
        threads += [threading.Thread(target=run.shake, args=(name,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


main()
