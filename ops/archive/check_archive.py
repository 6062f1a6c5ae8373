#!/usr/bin/env python3
"""Proves an archive of ledgerd with Python alone: docs/seals.md, "Archives".

    check_archive.py FILE [--key PUBLIC_KEY]...

Computes the hash of the entries and their totals, and compares them with the seals in the first line. With --key (base64; two
if the key changed between the seals), it asks openssl for the signatures, too. Whatever the file says besides, which no hash or
signature covers, is refused. Exit status: 0 if the archive holds, 1 if not.
"""

import argparse
import base64
import binascii
import collections
import datetime
import gzip
import hashlib
import json
import re
import struct
import subprocess
import sys
import tempfile
import zlib

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")
STATEMENT = re.compile(
    r"ledgerd-seal (?P<format>[12])\nsealed-at [0-9TZ:-]+\nentries (?P<entries>[0-9]{1,19})\nhead (?P<head>[0-9a-f]{64})\n"
    r"(?P<totals>(?:total [^ \n]* [^ \n]+ -?[0-9]{1,19} -?[0-9]{1,19}\n)*)")


class Refused(Exception):
    """Why the archive proves nothing."""


# What each object has: its members by name, with the type of each. Those in OPTIONAL can be left out.
HEAD = {"format": str, "first": int, "entries": int, "opening_seal": (dict, type(None)), "closing_seal": dict}
SEAL = {"format": str, "statement": str, "public_key": str, "signature": str}
ENTRY = {
    "number": int, "id": int, "transaction_id": int, "stripe": int, "kind": str, "reference": str, "effective_at": str,
    "recorded_at": str, "reason": str, "reverses": int, "late_for": str, "postings": list,
}
POSTING = {
    "account_id": int, "account": str, "side": str, "amount": int, "currency": str, "balance": int, "seq": int, "stripe": int,
}
OPTIONAL = {"reason", "reverses", "late_for", "account"}
# In format 2 a text is hashed as a commitment, which the salt opens; of an erased text the commitment is left.
COMMITTED = {
    1: ({}, {}),
    2: ({"salt": str, "reference_commitment": str, "reason_commitment": str},
        {"salt": str, "account_commitment": str, "class": str}),
}
OPTIONAL_COMMITTED = OPTIONAL | {"reference", "salt", "reference_commitment", "reason_commitment", "account_commitment", "class"}


def members(pairs):
    """An object of JSON. Of a repeated member one reader sees the first and another one the last."""
    found = {}
    for name, value in pairs:
        if name in found:
            raise Refused(f"the member {name!r} is repeated")
        found[name] = value
    return found


def parsed(line):
    try:
        return json.loads(line, object_pairs_hook=members)
    except (ValueError, RecursionError):
        raise Refused("it is not JSON") from None


def checked(value, form, can_miss=OPTIONAL):
    """The object, if it has the members of the form and no others."""
    if not isinstance(value, dict):
        raise Refused("it is not an object")
    for name in value:
        if name not in form:
            raise Refused(f"the member {name!r} is unknown: no hash covers it")
    for name, kind in form.items():
        if name not in value:
            if name not in can_miss:
                raise Refused(f"the member {name!r} is missing")
        elif not isinstance(value[name], kind) or isinstance(value[name], bool):
            raise Refused(f"the member {name!r} has another type")
    return value


def number(value):
    return struct.pack(">q", value)


def text(value):
    data = value.encode()
    return number(len(data)) + data


def optional(value, encode):
    return number(0) if value is None else number(1) + encode(value)


def moment(value):
    if not TIME.fullmatch(value):
        raise Refused(f"{value!r} is not a time in UTC with microseconds")
    since = datetime.datetime.fromisoformat(value[:-1] + "+00:00") - EPOCH
    return number(since // datetime.timedelta(microseconds=1))


def hexadecimal(value, size):
    if not re.fullmatch("[0-9a-f]{%d}" % (2 * size), value):
        raise Refused(f"{value!r} is not {size} bytes in hexadecimal")
    return bytes.fromhex(value)


def is_of_row(entry):
    """Whether all that the reference names is a row. What a spend refers to is its caller's text."""
    return entry["kind"] != "spend" and re.fullmatch("(?!user:|provider:|merge:)[^:]*:[0-9]+", entry.get("reference", ""), re.ASCII)


def committed(value, name, is_plain=False):
    """The bytes of a text of format 2: the text, or the commitment to it; None: it has none."""
    words, commitment = value.get(name), value.get(name + "_commitment")
    if words is not None and commitment is not None:
        raise Refused(f"{name} is there and erased")
    if commitment is not None:
        return number(1) + hexadecimal(commitment, 32)
    if words is None:
        return None
    if "salt" not in value or is_plain:
        return number(0) + text(words)
    return number(1) + hashlib.sha256(hexadecimal(value["salt"], 16) + text(name) + text(words)).digest()


def posting_bytes(posting, version):
    code = optional(posting.get("account"), text)
    if version == 2:
        words = committed(posting, "account")
        code = text(kind_of(posting)) + (number(0) if words is None else number(1) + words)
        if "salt" in posting and "account" not in posting:
            raise Refused("the salt of a posting opens no text")
        if ("class" in posting) != ("account_commitment" in posting):
            raise Refused("only an erased account has a class")
    return b"".join([
        number(posting["account_id"]), code, number(posting["seq"]), number(posting["stripe"]), text(posting["side"]),
        number(posting["amount"]), text(posting["currency"]), number(posting["balance"]),
    ])


def entry_bytes(entry, version):
    if version == 2:
        reference, reason = committed(entry, "reference", is_of_row(entry)), committed(entry, "reason")
        if reference is None:
            raise Refused("the member 'reference' is missing")
        if "salt" in entry and "reason" not in entry and (is_of_row(entry) or "reference" not in entry):
            raise Refused("the salt of the entry opens no text")
        reason = number(0) if reason is None else number(1) + reason
    else:
        reference, reason = text(entry["reference"]), optional(entry.get("reason"), text)
    head = [
        number(entry["id"]), number(entry["transaction_id"]), number(entry["stripe"]), text(entry["kind"]), reference,
        moment(entry["effective_at"]), moment(entry["recorded_at"]), reason, optional(entry.get("reverses"), number),
        optional(entry.get("late_for"), moment), number(len(entry["postings"])),
    ]
    return b"".join(head + [posting_bytes(posting, version) for posting in entry["postings"]])


def kind_of(posting):
    if "class" in posting:
        return posting["class"]
    account = posting.get("account", "")
    kind = account.split(":")[0]
    if kind in ("wallet", "held"):
        return kind + ":" + account.split(":")[-1]
    return kind if kind in ("debt", "earnings", "payable") else account.rsplit("/", 1)[0]


class State:
    """The number of entries, the hash after them, and their totals."""

    def __init__(self, seal):
        self.entries, self.hash, self.format = 0, bytes(32), None
        self.totals = collections.defaultdict(lambda: [0, 0])
        if seal is None:
            return
        checked(seal, SEAL)
        statement = STATEMENT.fullmatch(seal["statement"])
        if seal["format"] != "ledgerd-seal-1" or not statement:
            raise Refused("a seal has another format")
        self.entries, self.hash = int(statement["entries"]), bytes.fromhex(statement["head"])
        self.format = int(statement["format"])
        for line in statement["totals"].split("\n")[:-1]:
            _, kind, currency, debits, credits = line.split(" ")
            if (kind, currency) in self.totals:
                raise Refused(f"a seal has two totals of {kind} {currency}")
            self.totals[kind, currency] = [int(debits), int(credits)]

    def add(self, entry):
        can_miss = OPTIONAL if self.format == 1 else OPTIONAL_COMMITTED
        of_entry, of_posting = COMMITTED[self.format]
        entry = checked(entry, ENTRY | of_entry, can_miss)
        postings = [checked(posting, POSTING | of_posting, can_miss) for posting in entry["postings"]]
        if entry["number"] != self.entries + 1:
            raise Refused(f"entry {entry['number']} is in its place")
        if any(posting["side"] not in ("D", "C") for posting in postings):
            raise Refused("a posting is neither a debit nor a credit")
        self.hash = hashlib.sha256(self.hash + entry_bytes(entry, self.format)).digest()
        self.entries += 1
        for posting in postings:
            total = self.totals[kind_of(posting), posting["currency"]]
            total["DC".index(posting["side"])] += posting["amount"]

    def sums(self):
        return {key: total for key, total in self.totals.items() if any(total)}


def is_signed(seal, keys):
    """Whether one of the keys signed the seal, which must name it: no signature covers that name."""
    try:
        named, signature = (base64.b64decode(seal[name], validate=True) for name in ("public_key", "signature"))
    except ValueError:
        return False
    if named not in keys:
        return False
    with tempfile.TemporaryDirectory() as directory:
        parts = {
            "key": bytes.fromhex("302a300506032b6570032100") + named, "statement": seal["statement"].encode(),
            "signature": signature,
        }
        for name, data in parts.items():
            with open(f"{directory}/{name}", "wb") as file:
                file.write(data)
        return subprocess.run(
            ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", "key", "-rawin", "-in", "statement",
             "-sigfile", "signature"], cwd=directory, capture_output=True, check=False).returncode == 0


def read_head(line):
    """The first line, and the states before the first entry and after the last one."""
    try:
        head = checked(parsed(line), HEAD)
        state, sealed = State(head["opening_seal"]), State(head["closing_seal"])
        if head["format"] != f"ledgerd-archive-{sealed.format}" or state.format not in (None, sealed.format):
            raise Refused("it has another format")
        state.format = sealed.format
        if (head["first"], head["entries"]) != (state.entries + 1, sealed.entries - state.entries):
            raise Refused(
                f"it tells of {head['entries']} entries from {head['first']} on, the seals of {sealed.entries - state.entries} "
                f"from {state.entries + 1} on")
    except Refused as error:
        raise Refused(f"the first line is not the head of an archive: {error}") from None
    return head, state, sealed


def check(lines, keys):
    """Reads an archive, and returns its head and how many entries there are with those before it."""
    head, state, sealed = read_head(next(lines, ""))
    for line in lines:
        if state.entries >= sealed.entries:
            raise Refused(f"there are more lines than the {head['entries']} entries of the archive")
        try:
            state.add(parsed(line))
        except (Refused, ValueError, struct.error) as error:  # a number, a time or a text that can't be
            raise Refused(f"the line of entry {state.entries + 1} can't be read: {error}") from None
    if state.entries != sealed.entries:
        raise Refused(f"the file ends before entry {state.entries + 1} of {sealed.entries}")
    if state.hash != sealed.hash:
        raise Refused("the entries are not those that were sealed")
    if state.sums() != sealed.sums():
        raise Refused("the totals of the entries are not the sealed totals")
    for name in ("opening_seal", "closing_seal"):
        if head[name] and keys and not is_signed(head[name], keys):
            raise Refused(f"{name} is not signed by a key that was given")
    return head, state.entries


def opened(path):
    with open(path, "rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
    return (gzip.open if is_compressed else open)(path, "rt", encoding="utf-8", newline="\n")


def main():
    parser = argparse.ArgumentParser(description="Proves an archive of ledgerd.")
    parser.add_argument("file")
    parser.add_argument("--key", action="append", default=[], help="a public key of the seals, in base64")
    options = parser.parse_args()
    try:
        keys = [base64.b64decode(key, validate=True) for key in options.key]
    except binascii.Error:
        sys.exit("--key must be base64")
    try:
        with opened(options.file) as lines:
            head, entries = check(lines, keys)
    except Refused as error:
        sys.exit(str(error))
    except (OSError, EOFError, ValueError, zlib.error) as error:
        sys.exit(f"can't be read: {error}")
    print(f"holds: {head['entries']} entries, {entries} in all" + ("" if keys else "; signatures not checked"))


if __name__ == "__main__":
    main()
