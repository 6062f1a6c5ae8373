#!/usr/bin/env python3
"""Breaks safety lines one at a time, and checks that a test of the fast tier fails.

usage: run.py [--list] [NAME...]   (regular expressions that are searched in the names of mutants; none: all)

A mutant is a section of a *.mutants file here:

    [double-credit]
    protects: a payment is credited once
    file: Sources/Ledger/Purchases/CreditPurchase.swift
    tests: CreditPurchaseTests
    - the text, or a part of a line, that is replaced
    + the text in its place; none: the text is removed

`function: NAME` in the place of `file:` changes the SQL function as docs/schema.sql has it, which is the present one,
and `constraint: TABLE NAME` drops a constraint. Neither is built: the tests' template database gets it
(LEDGERD_TEST_MUTANT_SQL). `tests:` is a regular expression, as of ./dev test, of the suites that have to notice by what
the ledger does. The text must occur exactly once, which MutantListTests checks.

Sources are changed in a copy of HEAD below .build/mutants, with a build of its own, so the checkout stays as it is. All
mutants of function bodies are built together, and a file says which one is tried when a program starts (switched.py); the
first build takes about ten minutes. The few others take a build each. Before a mutant, the suites must pass without it.
LEDGERD_TEST_DATABASE_URL is the server, as ./dev mutants sets it.
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import switched

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / ".build" / "mutants"
COPY = WORK / "tree"
TRIED = WORK / "tried"  # the name of the mutant that is tried, for programs of the copy
LONGEST = {False: 15 * 60, True: 5 * 60}  # seconds of the tests of all mutants, and of those of one; they take some
PATIENCE = "120"  # seconds that a test of a mutant waits for what should come; without, 15 minutes (Waiting.swift)
BUILD_OPTIONS = os.environ.get("LEDGERD_BUILD_OPTIONS", "").split()  # as ./dev test's, or all would be built anew
SWIFT_TEST = ["--skip-build", "--disable-xctest", "--experimental-maximum-parallelization-width", "8"]


# What the suites and tests of each test target are called.
NAMES = {
    directory.name: {
        suite or test
        for path in directory.rglob("*.swift")
        for suite, test in re.findall(r"struct (\w+)|func `([^`]+)`", path.read_text())
    }
    for directory in (ROOT / "Tests").glob("*Tests")
}


class Failure(Exception):
    pass


@dataclass
class Mutant:
    name: str
    place: str  # of the section, for messages
    values: dict = field(default_factory=dict)
    before: list = field(default_factory=list)
    after: list = field(default_factory=list)

    @property
    def is_sql(self):
        return "file" not in self.values

    def targets(self):
        """The test targets that have these suites or tests."""
        suites = re.compile(rf"\b({self.values['tests']})")
        return {target for target, names in NAMES.items() if any(suites.search(f"{target}.{name}") for name in names)}

    def mutated(self, text):
        """The text with the change; a failure if it has no place for it."""
        before, after = "\n".join(self.before), "\n".join(self.after)
        if text.count(before) != 1:
            raise Failure(f"text found {text.count(before)} times")
        return text.replace(before, after)

    def sql(self):
        schema = (ROOT / "docs/schema.sql").read_text()
        if "constraint" in self.values:
            table, constraint = self.values["constraint"].split()
            if len(re.findall(rf"\bCONSTRAINT {re.escape(constraint)}\b", schema)) != 1:
                raise Failure("constraint not found")
            return f"ALTER TABLE {table} DROP CONSTRAINT {constraint};\n"
        name = re.escape(self.values["function"])
        found = re.findall(rf"^CREATE FUNCTION public\.{name}\(.*?^\$\$;$", schema, re.M | re.S)
        if len(found) != 1:
            raise Failure(f"function found {len(found)} times")
        return self.mutated(found[0]).replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION", 1) + "\n"


def read(path):
    """The mutants of a file."""
    mutants = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        place = f"{path.name}:{number}"
        header = re.fullmatch(r"\[([a-z0-9-]+)\]", line)
        member = re.fullmatch(r"(protects|file|function|constraint|tests): (.+)", line)
        if header:
            mutants.append(Mutant(header[1], place))
        elif not line.strip() or line.startswith("#"):
            continue
        elif not mutants:
            raise Failure(f"{place}: before the first [name]")
        elif member:
            mutants[-1].values[member[1]] = member[2]
        elif line[:2] in ("- ", "+ ") or line in "-+":
            (mutants[-1].before if line[0] == "-" else mutants[-1].after).append(line[2:])
        else:
            raise Failure(f"{place}: neither a member nor text: {line}")
    return mutants


def read_all():
    mutants = [mutant for path in sorted(Path(__file__).parent.glob("*.mutants")) for mutant in read(path)]
    names = [mutant.name for mutant in mutants]
    for mutant in mutants:
        where = [key for key in ("file", "function", "constraint") if key in mutant.values]
        if len(where) != 1 or not {"protects", "tests"} <= mutant.values.keys():
            raise Failure(f"{mutant.place}: needs protects, tests, and one of file, function and constraint")
        if bool(mutant.before) == ("constraint" in mutant.values):
            raise Failure(f"{mutant.place}: a file or function needs the text that is replaced, a constraint has none")
        if names.count(mutant.name) > 1:
            raise Failure(f"{mutant.place}: {mutant.name} is there twice")
    return mutants


def run(command, log, directory=ROOT, limit=None, **variables):
    """Runs a command with its output in a log; nil if it did not end in time, otherwise its status."""
    environment = {**os.environ, **variables}
    environment = {name: value for name, value in environment.items() if value is not None}
    with open(log, "w") as output:
        process = subprocess.Popen(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            return None
        finally:
            # Also what a test has started and not ended, and all of it on Ctrl-C.
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


class Checkout:
    """Where mutants of SQL are tried: nothing in it changes."""

    directory = ROOT
    options = []
    alone = frozenset()

    def __init__(self, mutants):
        # Only the test targets that are run are built (Package.swift).
        self.variables = {"LEDGERD_TEST_TARGETS": " ".join(sorted(set().union(*(map(Mutant.targets, mutants)))))}

    def prepare(self):
        self.build("build")

    def build(self, log):
        command = ["swift", "build", *BUILD_OPTIONS, "--product", "ledgerdPackageTests", *self.options]
        path = WORK / f"{log}.log"
        if run(command, path, self.directory, **self.variables) != 0:
            error = re.search(r"error: .*", path.read_text(errors="replace"))
            raise Failure(f"not built: {error[0] if error else path}")

    def test(self, suites, log, is_mutant=True, **variables):
        """The result of the suites: passed, or what failed."""
        path = WORK / f"{log}.log"
        limit = LONGEST[is_mutant]
        status = run(
            ["swift", "test", *SWIFT_TEST, *self.options, "--filter", suites], path, self.directory, limit,
            **self.variables, LEDGERD_TEST_TIER="fast", LEDGERD_TEST_SCALE=None, LEDGERD_TEST_SEED=None,
            LEDGERD_TEST_PATIENCE=PATIENCE if is_mutant else None, **variables)
        text = path.read_text(errors="replace")
        if re.search(r"Test run with 0 tests", text):
            raise Failure(f"no test matches {suites}")
        if status == 0:
            return "passed"
        failed = re.search(r"^✘ Test (.+?) (?:recorded an issue|failed)", text, re.M)
        trap = re.search(r"(?:Fatal error|Precondition failed).*", text)
        if failed or trap:
            return failed[1] if failed else trap[0]
        raise Failure(f"no verdict in {limit // 60} minutes" if status is None else f"no verdict: {path}")

    def attempt(self, mutant):
        sql = WORK / f"{mutant.name}.sql"
        sql.write_text(mutant.sql())
        sql.chmod(0o644)
        return self.test(mutant.values["tests"], mutant.name, LEDGERD_TEST_MUTANT_SQL=str(sql))


class Copy(Checkout):
    """A work tree of HEAD with a build of its own, where mutants of sources are tried."""

    directory = COPY
    options = ["--scratch-path", str(WORK / "build")]

    def __init__(self, mutants):
        super().__init__(mutants)
        self.mutants = mutants
        self.sources = {}  # of each file with mutants, as HEAD has it
        self.alone = set()  # the names of mutants that need a build

    def prepare(self):
        if git("status", "--porcelain", "--", "Package.swift", "Sources", "Tests", "schema", "migrations", "docs"):
            raise Failure("the checkout has changes: commit them first, for the sources that are changed are HEAD's")
        head = git("rev-parse", "HEAD")
        git("worktree", "prune")
        if not (COPY / ".git").exists():
            shutil.rmtree(COPY, ignore_errors=True)
            git("worktree", "add", "--force", "--detach", str(COPY), head)
        git("-C", str(COPY), "checkout", "--quiet", "--force", "--detach", head)
        shutil.copy2(ROOT / "Package.resolved", COPY / "Package.resolved")
        manifest = COPY / "Package.swift"
        # What a mutant leaves unused is no error.
        manifest.write_text(manifest.read_text().replace("[.treatAllWarnings(as: .error)]", "[]"))
        self.sources = {path: (COPY / path).read_text() for path in {each.values["file"] for each in self.mutants}}
        TRIED.write_text("")
        self.build_switched()

    def build_switched(self):
        """Builds all mutants together, but those that the compiler refuses."""
        while True:
            lines = self.switch()
            try:
                return self.build("build-of-copy")
            except Failure:
                refused = self.refused(lines, (WORK / "build-of-copy.log").read_text(errors="replace"))
                if not refused:
                    raise
                print(f"built alone, because they do not compile with a switch: {', '.join(sorted(refused))}", flush=True)
                self.alone |= refused

    def switch(self):
        """Writes the switched sources, and returns which mutants stand in which lines of a file."""
        lines = {}
        for path, text in self.sources.items():
            wanted = [each for each in self.mutants if each.values["file"] == path]
            mine = [each for each in wanted if each.name not in self.alone]
            changed, done = switched.switched(text, mine)
            self.alone |= {each.name for each in wanted} - {each.name for each in done}
            lines[path] = switched.lines(changed)
            self.write(path, changed)
        for target in {path.split("/")[1] for path in self.sources}:
            self.write(f"Sources/{target}/IsMutant.swift", switched.FUNCTION.replace("TRIED", str(TRIED)))
        return lines

    @staticmethod
    def write(path, text):
        """Leaves a file as it is that has the text, so that it is not compiled again."""
        file = COPY / path
        if not file.exists() or file.read_text() != text:
            file.write_text(text)

    @staticmethod
    def refused(lines, log):
        """The mutants in whose lines the compiler found errors; all of a file, if it found them elsewhere."""
        names = set()
        for path, line in re.findall(rf"^(?:{re.escape(str(COPY))}/)?(Sources/\S+\.swift):(\d+):\d+: error:", log, re.M):
            spans = lines.get(path, [])
            here = {name for name, start, end in spans if start <= int(line) <= end}
            names |= here or {name for name, _, _ in spans}
        return names

    def attempt(self, mutant):
        if mutant.name not in self.alone:
            TRIED.write_text(mutant.name)
            try:
                return self.test(mutant.values["tests"], mutant.name)
            finally:
                TRIED.write_text("")
        path = mutant.values["file"]
        before = (COPY / path).read_text()
        try:
            self.write(path, mutant.mutated(self.sources[path]))
            self.build(mutant.name)
            return self.test(mutant.values["tests"], mutant.name)
        finally:
            self.write(path, before)


def git(*arguments):
    result = subprocess.run(["git", *arguments], cwd=ROOT, text=True, capture_output=True)
    if result.returncode != 0:
        raise Failure(f"git {arguments[0]}: {result.stderr.strip()}")
    return result.stdout.strip()


def try_all(mutants, kind, results):
    """Adds the result of each: what caught it, or the failure."""
    if not mutants:
        return
    print(f"building, and running the suites of {len(mutants)} mutants without them", flush=True)
    place = kind(mutants)
    place.prepare()
    suites = "|".join(sorted({mutant.values["tests"] for mutant in mutants}))
    whole = place.test(suites, "without-mutants", is_mutant=False)
    if whole != "passed":
        raise Failure(f"without any mutant a test fails: {whole}")
    # Those that change the build come last.
    for number, mutant in enumerate(sorted(mutants, key=lambda each: each.name in place.alone), 1):
        start = time.monotonic()
        try:
            noticed = place.attempt(mutant)
            result = "NOT CAUGHT" if noticed == "passed" else "caught"
        except Failure as failure:
            noticed, result = "", str(failure)
        results[mutant.name] = result
        seconds = time.monotonic() - start
        told = f" by {noticed[:100]}" if result == "caught" else ""
        print(f"{number}/{len(mutants)} {mutant.name}: {result}{told} ({seconds:.0f} s)", flush=True)


def main(arguments):
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    names = [argument for argument in arguments if not argument.startswith("-")]
    if set(arguments) - set(names) - {"--list"}:
        raise Failure(__doc__.split("\n\n")[1])
    mutants = [each for each in read_all() if not names or any(re.search(name, each.name) for name in names)]
    if not mutants:
        raise Failure(f"no mutant matches {' '.join(names)}")
    if "--list" in arguments:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.values['protects']}")
        return 0
    WORK.mkdir(parents=True, exist_ok=True)
    results = {}
    try_all([mutant for mutant in mutants if mutant.is_sql], Checkout, results)
    try_all([mutant for mutant in mutants if not mutant.is_sql], Copy, results)
    missed = {name: result for name, result in results.items() if result != "caught"}
    print(f"{len(results) - len(missed)} of {len(results)} mutants were caught")
    for name, result in missed.items():
        print(f"  {name}: {result}")
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Failure as failure:
        sys.exit(f"mutants: {failure}")
    except KeyboardInterrupt:
        sys.exit(130)
