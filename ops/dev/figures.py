#!/usr/bin/env python3
"""Prints how often the house says the same thing, beside what it aims at.

usage: figures.py [--names] [COMMITS]   COMMITS, such as main...branch, added an act: its files are counted too

Files that name something are counted by one example of it. Golden files, pictures, migrations and the tables that they
begin with are no such files: the first two are written by tests and programs, and the others are never touched again.

Beside all files that name it stand those that people write to declare it: without what tests write of a document, without
history, and without tests, which judge by names of their own. `figures.py --names` lists both. The doctor is such a proof,
too, where kinds of entries are listed: it asks what rows say that an entry is, and must not learn it from what it proves.
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


# What gives the examples their names here.
HERE = "ops/dev/figures.py"
# What tests write of the pages that people write the rest of: the texts before and after it, as the tests have them.
WRITTEN = [
    ("", r"<!-- begin .*?<!-- end "),
    ("docs/events.md", r"\n\| type \| when \| `data` has \|\n.*?\n- "),
    ("docs/exports.md", r"\n\| report \| path \| argument \| .*? \|\n"),
]
# Tests judge by names of their own, Tests/OpenAPI is a part of declarations; the others are not touched again.
JUDGES_AND_HISTORY = r"Tests/(?!OpenAPI/)|docs/decisions/|CHANGELOG\.md$|docs/openapi\.json$"
# What proves the books has lists of kinds of its own (CONTRIBUTING.md, "Acts"); the judges' is in schema/.
PROOFS = r"Tests/(?!OpenAPI/)|Sources/Ledger/Doctor/Checks/"


def by_hand(name):
    """The text of a file without what tests write of it."""
    content = TEXTS[name]
    for page, part in WRITTEN:
        if name.endswith(".md") and (not page or page == name):
            content = re.sub(part, "", content, flags=re.DOTALL)
    return content


def naming(pattern, below=""):
    """All files that name it, and those of them that declare it."""
    found = [name for name, content in TEXTS.items() if name.startswith(below) and re.search(pattern, content)]
    declaring = [
        name
        for name in found
        if name != HERE and not re.match(JUDGES_AND_HISTORY, name) and re.search(pattern, by_hand(name))
    ]
    return found, declaring


# Each gateway, what names it, and its folders.
GATEWAYS = [
    ("portone-v1", r"portone-v1|[pP]ortOneV1|\.v1\b", r"/PortOneV[12]/"),
    ("app-store", r"app-store|[aA]ppStore", r"/AppStore/"),
    ("google-play", r"google-play|[gG]ooglePlay", r"/GooglePlay/"),
]


def gateway(pattern, folders):
    """The sources that name a gateway: outside its folders, in them, and of the programs that simulate it."""
    found, _ = naming(pattern, "Sources/")
    simulated = [name for name in found if re.match(r"Sources/(Sandbox\w+|portone-sandbox)/", name)]
    own = [name for name in found if re.search(folders, name) and name not in simulated]
    return [name for name in found if name not in own + simulated], own, simulated


def document_by_hand():
    """The lines of the document, without the parts that tests write; none once it is written as a whole."""
    if any(re.match(r"Tests/ledgerdTests/OpenAPI/Document\w*\.swift", name) for name in FILES):
        return 0
    document = json.loads(text("docs/openapi.json"))
    examples = json.dumps(document["components"]["examples"], indent=2, ensure_ascii=False).count("\n") - 1
    return lines(["docs/openapi.json"]) - examples - len(document["components"]["examples"])


def document_writer():
    """The lines that write the document, and with them those that read LedgerWire's declarations and name schemas."""
    files = [name for name in SWIFT if name.startswith("Tests/ledgerdTests/OpenAPI/")]
    writing = [name for name in files if re.search(r"/(Document(?!Tests)\w*|RefusalAnswer|OrderedJSON\+W\w+)\.", name)]
    reading = [name for name in files if re.search(r"/(WireSource|SchemaName)\.", name)]
    return lines(writing), lines(writing + reading)


def schema(folders):
    """What a newcomer reads to know the schema: files and lines."""
    names = [name for name in FILES if re.match(rf"({folders})/[^/]*\.sql$", name)]
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


# One example of each thing that is named.
EXAMPLES = [
    ("a problem code (exceeds_claim)", r"exceeds_?[cC]laim\b"),
    ("an event type (provider.repaid)", r"provider\.repaid|providerRepaid\b"),
    ("a report (fee-accrual)", r"fee-accrual|[fF]eeAccrual"),
]


def counts(named):
    for thing, (found, declaring) in named.items():
        yield f"files that declare {thing}", len(declaring), 4
        yield "  that name it at all", len(found), ""


def counts_of_gateways(gateways):
    for name, (outside, own, simulated) in gateways.items():
        yield f"sources that name a gateway ({name})", f"folder {len(own)} + {len(outside)}", "a folder + 6"
        yield "  of the simulated gateway", len(simulated), ""


def list_names(named, outside):
    for thing, (found, declaring) in named.items():
        for name in found:
            print(f"  {thing}: {name}{'' if name in declaring else ' (told, judged or written)'}")
    for name in outside:
        print(f"  a gateway, outside its folders: {name}")


def main():
    arguments = [one for one in sys.argv[1:] if one != "--names"]
    named = {thing: naming(pattern) for thing, pattern in EXAMPLES}
    gateways = {name: gateway(pattern, folders) for name, pattern, folders in GATEWAYS}
    outside = sorted({file for found, _, _ in gateways.values() for file in found})
    writing, with_reading = document_writer()
    sizes = [len(text(name).splitlines()) for name in SWIFT]
    kinds = lists_of_kinds() if "Tests/Golden/accounts.txt" in FILES else None
    declaring_kinds = [name for name in kinds or [] if not re.match(PROOFS, name)]
    rows = [
        *counts(named),
        *counts_of_gateways(gateways),
        ("lines of openapi.json by hand", document_by_hand(), 0),
        ("lines that write it", writing, 600),
        ("  with those that read LedgerWire, and its names", with_reading, ""),
        ("SQL to read to know the schema", schema("schema|schema/judges|migrations"), "25 files, 2,900 lines"),
        ("  without the functions of the judges", schema("schema|migrations"), ""),
        ("files that list all kinds of entries", "?" if kinds is None else len(declaring_kinds), 1),
        ("  with proofs: the doctor, and tests' models", "?" if kinds is None else len(kinds), ""),
        ("Swift files under 20 lines", sum(size < 20 for size in sizes), 8),
        ("Swift files over 300 lines", sum(size > 300 for size in sizes), 12),
        ("operations tested as every caller", tested_rights(), "all"),
        ("lines of Swift", sum(sizes), 134_000),
        ("  of programs and libraries", lines([name for name in SWIFT if name.startswith("Sources/")]), ""),
    ]
    if arguments:
        rows.insert(0, (f"files of the act of {arguments[0]}", len(git("diff", "--name-only", arguments[0])), 25))
    print(f"{'':50} {'now':>24} {'at most':>24}")
    for name, now, aim in rows:
        now, aim = (f"{value:,}" if isinstance(value, int) else value for value in (now, aim))
        print(f"{name:50} {now:>24} {aim:>24}")
    for name in kinds or []:
        print(f"  kinds of entries: {name}{'' if name in declaring_kinds else ' (a proof)'}")
    if "--names" in sys.argv:
        list_names(named, outside)
    missing = [thing for thing, (found, _) in named.items() if not found]
    missing += [name for name, (_, own, _) in gateways.items() if not own]
    if kinds is None:
        missing.append("the kinds of entries (Tests/Golden/accounts.txt)")
    if missing:
        sys.exit("figures: not found: " + ", ".join(missing))


main()
