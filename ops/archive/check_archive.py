#!/usr/bin/env python3
"""Proves an archive of ledgerd with Python alone: docs/seals.md, "Archives".

    check_archive.py FILE [--key PUBLIC_KEY]...

Computes the hash of the entries and their totals, and compares them with the seals in the first line. With --key (base64; two
if the key changed between the seals), it asks openssl for the signatures, too. Exit status: 0 if the archive holds, 1 if not.
"""

import argparse
import base64
import collections
import datetime
import gzip
import hashlib
import json
import struct
import subprocess
import sys
import tempfile

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def number(value):
    return struct.pack(">q", value)


def text(value):
    data = value.encode()
    return number(len(data)) + data


def optional(value, encode):
    return number(0) if value is None else number(1) + encode(value)


def moment(value):
    since = datetime.datetime.fromisoformat(value.replace("Z", "+00:00")) - EPOCH
    return number(since // datetime.timedelta(microseconds=1))


def posting_bytes(posting):
    return b"".join([
        number(posting["account_id"]), optional(posting.get("account"), text), number(posting["seq"]),
        number(posting["stripe"]), text(posting["side"]), number(posting["amount"]), text(posting["currency"]),
        number(posting["balance"]),
    ])


def entry_bytes(entry):
    head = [
        number(entry["id"]), number(entry["transaction_id"]), number(entry["stripe"]), text(entry["kind"]),
        text(entry["reference"]), moment(entry["effective_at"]), moment(entry["recorded_at"]),
        optional(entry.get("reason"), text), optional(entry.get("reverses"), number),
        optional(entry.get("late_for"), moment), number(len(entry["postings"])),
    ]
    return b"".join(head + [posting_bytes(posting) for posting in entry["postings"]])


def kind_of(account):
    kind = account.split(":")[0]
    if kind in ("wallet", "held"):
        return kind + ":" + account.split(":")[-1]
    return kind if kind in ("debt", "earnings", "payable") else account.rsplit("/", 1)[0]


class State:
    """The number of entries, the hash after them, and their totals."""

    def __init__(self, seal):
        self.entries, self.hash = 0, bytes(32)
        self.totals = collections.defaultdict(lambda: [0, 0])
        for line in seal["statement"].splitlines() if seal else []:
            words = line.split(" ")
            if words[0] == "entries":
                self.entries = int(words[1])
            elif words[0] == "head":
                self.hash = bytes.fromhex(words[1])
            elif words[0] == "total":
                self.totals[words[1], words[2]] = [int(words[3]), int(words[4])]

    def add(self, entry):
        self.entries += 1
        if entry["number"] != self.entries:
            sys.exit(f"entry {self.entries} is missing")
        self.hash = hashlib.sha256(self.hash + entry_bytes(entry)).digest()
        for posting in entry["postings"]:
            total = self.totals[kind_of(posting.get("account", "")), posting["currency"]]
            total["DC".index(posting["side"])] += posting["amount"]


def is_signed(seal, key):
    with tempfile.TemporaryDirectory() as directory:
        parts = {
            "key": bytes.fromhex("302a300506032b6570032100") + base64.b64decode(key),
            "statement": seal["statement"].encode(), "signature": base64.b64decode(seal["signature"]),
        }
        for name, data in parts.items():
            with open(f"{directory}/{name}", "wb") as file:
                file.write(data)
        return subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key", "-rawin", "-in", "statement",
             "-sigfile", "signature"], cwd=directory, capture_output=True, check=False).returncode == 0


def main():
    parser = argparse.ArgumentParser(description="Proves an archive of ledgerd.")
    parser.add_argument("file")
    parser.add_argument("--key", action="append", default=[], help="a public key of the seals, in base64")
    options = parser.parse_args()
    with open(options.file, "rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
    with (gzip.open if is_compressed else open)(options.file, "rt", encoding="utf-8", newline="\n") as lines:
        head = json.loads(next(lines))
        if head["format"] != "ledgerd-archive-1":
            sys.exit("the first line is not the head of an archive")
        state, sealed = State(head["opening_seal"]), State(head["closing_seal"])
        for line in lines:
            state.add(json.loads(line))
    if (state.entries, state.hash) != (sealed.entries, sealed.hash):
        sys.exit("the entries are not those that were sealed")
    if {key: total for key, total in state.totals.items() if any(total)} != dict(sealed.totals):
        sys.exit("the totals of the entries are not the sealed totals")
    for seal in (head["opening_seal"], head["closing_seal"]):
        if seal and options.key and not any(is_signed(seal, key) for key in options.key):
            sys.exit("a seal is not signed by a key")
    print(f"holds: {head['entries']} entries, {state.entries} in all" + ("" if options.key else "; signatures not checked"))


if __name__ == "__main__":
    main()
