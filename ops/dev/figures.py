#!/usr/bin/env python3
"""Prints how often the house says the same thing, beside what it aims at.

usage: figures.py [COMMITS]   COMMITS, such as main...branch, added an act: its files are counted too

Files that name something are counted by one example of it. Golden files, pictures, migrations and the tables that they
begin with are no such files: the first two are written by tests and programs, and the others are never touched again.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(*arguments):
    run = subprocess.run(["git", "-C", ROOT, *arguments], check=True, stdout=subprocess.PIPE, text=True)
    return run.stdout.splitlines()


FILES = [name for name in git("ls-files", "--cached", "--others", "--exclude-standard") if (ROOT / name).is_file()]
SWIFT = [name for name in FILES if name.endswith(".swift") and name != "Package.swift"]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def lines(names):
    return sum(len(text(name).splitlines()) for name in names)


TEXTS = {
    name: text(name)
    for name in FILES
    if not re.match(r"migrations/|schema/[^/]*$|Tests/Golden/", name) and not name.endswith((".png", ".der", ".gz"))
}


def naming(pattern, below=""):
    return sum(1 for name, content in TEXTS.items() if name.startswith(below) and re.search(pattern, content))


def document_by_hand():
    """The lines of the document, without the parts that tests write; none once it is written as a whole."""
    if any(re.match(r"Tests/ledgerdTests/OpenAPI/Document\w*\.swift", name) for name in FILES):
        return 0
    document = json.loads(text("docs/openapi.json"))
    examples = json.dumps(document["components"]["examples"], indent=2, ensure_ascii=False).count("\n") - 1
    return lines(["docs/openapi.json"]) - examples - len(document["components"]["examples"])


def schema():
    """What a newcomer reads to know the schema: files and lines."""
    names = [name for name in FILES if re.match(r"(schema|migrations)/.*\.sql$", name)]
    return f"{len(names)} files, {lines(names):,} lines"


def lists_of_kinds():
    """The files in which people list 20 or more of the kinds of entries."""
    written = set(re.findall(r'page: "([^"]+)"', text("Tests/ledgerdTests/OpenAPI/EntryKindPagesTests.swift")))
    golden = text("Tests/Golden/accounts.txt").splitlines()
    kinds = {line.removeprefix("entry ") for line in golden if line.startswith("entry ")}
    found = []
    for name, content in TEXTS.items():
        if name in written | {"docs/schema.sql", "docs/openapi.json"} or name.endswith("CHANGELOG.md"):
            continue
        words = set(re.findall(r"[\"'`.](\w+)", content)) | set(re.findall(r"\bcase (\w+)", content))
        words |= {word.removeprefix("entry_") for word in words}
        words |= {re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), word) for word in words}
        if len(kinds & words) >= 20:
            found.append(name)
    return found


def tested_rights():
    """The operations that are asked as every caller; all of them once the test takes them from their list."""
    paths = json.loads(text("docs/openapi.json"))["paths"]
    operations = [(method.upper(), path) for path, methods in paths.items() for method in methods]
    test = text("Tests/EndToEndTests/Auth/RightsTests.swift")
    if re.search(r"OperationList|Operations?\.all\b", test):
        return f"{len(operations)} of {len(operations)}"
    asked = re.findall(r"\.(get|post|put|patch|delete), \"([^\"]+)\", [\"#]", test)
    return f"{len({(method, path.split('?')[0]) for method, path in asked})} of {len(operations)}"


def main():
    sizes = [len(text(name).splitlines()) for name in SWIFT]
    kinds = lists_of_kinds() if "Tests/Golden/accounts.txt" in FILES else None
    rows = [
        ("files that name a problem code (exceeds_claim)", naming(r"exceeds_?[cC]laim\b"), 4),
        ("files that name an event type (provider.repaid)", naming(r"provider\.repaid|providerRepaid\b"), 4),
        ("files that name a report (fee-accrual)", naming(r"fee-accrual|[fF]eeAccrual"), 4),
        ("sources that name a gateway (portone-v1)", naming(r"portone-v1|[pP]ortOneV1|\.v1\b", "Sources/"), "a folder + 6"),
        ("lines of openapi.json by hand", document_by_hand(), 0),
        ("SQL to read to know the schema", schema(), "25 files, 2,900 lines"),
        ("files that list all kinds of entries, with proofs", "?" if kinds is None else len(kinds), 1),
        ("Swift files under 20 lines", sum(size < 20 for size in sizes), 8),
        ("Swift files over 300 lines", sum(size > 300 for size in sizes), 12),
        ("operations tested as every caller", tested_rights(), "all"),
        ("lines of Swift", sum(sizes), 134_000),
    ]
    if len(sys.argv) > 1:
        rows.insert(0, (f"files of the act of {sys.argv[1]}", len(git("diff", "--name-only", sys.argv[1])), 25))
    print(f"{'':50} {'now':>24} {'at most':>24}")
    for name, now, aim in rows:
        now, aim = (f"{value:,}" if isinstance(value, int) else value for value in (now, aim))
        print(f"{name:50} {now:>24} {aim:>24}")
    for name in kinds or []:
        print(f"  kinds of entries: {name}")


main()
