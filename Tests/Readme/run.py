#!/usr/bin/env python3
"""Runs the commands of the README and its tour against a running ./dev up, and checks that each answer is what they say.

    run.py DEV_ENV [README TOUR]      the purchase of the README and all sh blocks of the tour, in order, in one bash
    run.py DEV_ENV --purchases N      only the purchase, N times with 0, 100 ms and 1 s between payment and receipt

DEV_ENV is the file that ./dev up writes, .ledgerd/dev.env. README and TOUR are README.md and docs/tour.md unless they are
given. Exits with 1 when an answer is another one, and prints which. A run in a ledger in which the tour's keys were used
expects the answers of the first run, as the text says.
"""

import argparse
import collections
import csv
import io
import json
import os
import pathlib
import re
import secrets
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
STATUSES, ERRORS = "statuses", "errors"
# The two ways to run it. The first has made the service that is tested; packaging/test/compose.sh tests the second.
RUN_IT = ["./dev up", "docker compose --file packaging/compose.yaml up --build --wait"]


class Shell:
    """One bash, as the reader has one, in a folder of its own with .ledgerd/dev.env."""

    def __init__(self, environment):
        self.folder = tempfile.TemporaryDirectory()
        home = self.home = pathlib.Path(self.folder.name)
        (home / ".ledgerd").mkdir()
        (home / ".ledgerd/dev.env").write_bytes(environment.read_bytes())
        self.bash = subprocess.Popen(
            ["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, cwd=home, text=True,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "HOME": str(home)})
        # The same curl, which also tells the status where the test finds it.
        self.run(f"curl() {{ command curl -w '%{{stderr}}%{{http_code}}\\n' \"$@\" 2>>{STATUSES}; }}")

    def run(self, command):
        """What it prints, its exit code, and the statuses of its requests."""
        (self.home / STATUSES).write_text("")
        end = f"end-{secrets.token_hex(8)}"
        quoted = "'" + command.replace("'", "'\\''") + "'"
        self.bash.stdin.write(f"eval {quoted} </dev/null 2>{ERRORS}; printf '\\n%s %s\\n' {end} $?\n")
        self.bash.stdin.flush()
        lines = []
        for line in self.bash.stdout:
            if line.startswith(end):
                text = "".join(lines).removesuffix("\n")
                statuses = [int(number) for number in (self.home / STATUSES).read_text().split()]
                return Answer(command, text, (self.home / ERRORS).read_text(), int(line.split()[1]), statuses)
            lines.append(line)
        raise Wrong(f"bash ended in: {command}")

    def get(self, path, token):
        return self.run(f'curl -s "$LEDGERD_URL{path}" -H "Authorization: Bearer ${token}"').json

    def close(self):
        self.bash.stdin.close()
        self.bash.wait()
        self.folder.cleanup()


class Answer:
    def __init__(self, command, text, errors, code, statuses):
        self.command, self.text, self.errors, self.code, self.statuses = command, text, errors, code, statuses

    @property
    def body(self):
        """Without the headers that curl -i prints."""
        return self.text.split("\n\n")[-1]

    @property
    def json(self):
        return json.loads(self.body)

    def expect(self, holds, what):
        if not holds:
            raise Wrong(f"{what}\n{self.command}\n→ exit {self.code}, statuses {self.statuses}\n"
                        f"{self.text[:2000]}\n{self.errors[:2000]}")
        return self

    def succeeded(self, *statuses):
        """Its only request got one of these statuses; none: it sent no request."""
        self.expect(self.code == 0, "it failed")
        wanted = len(self.statuses) == bool(statuses) and all(s in statuses for s in self.statuses)
        return self.expect(wanted, f"a status of {statuses}")


class Wrong(Exception):
    pass


class Text:
    """The first sections of a page: their commands, and the journal entries that they show."""

    def __init__(self, path, count):
        sections = path.read_text().split("\n## ")[1:1 + count]
        blocks = [re.findall(r"^```(\w*)\n(.*?)^```$", section, re.M | re.S) for section in sections]
        self.commands = [[c for kind, text in found if kind == "sh" for c in commands(text)] for found in blocks]
        self.entries = [entry for found in blocks for kind, text in found if not kind for entry in entries(text)]


def commands(block):
    """The commands of a block, which may take several lines."""
    lines = []
    for line in block.splitlines():
        if not lines and (not line.strip() or line.startswith("#")):
            continue
        lines.append(line)
        text = "\n".join(lines)
        whole = subprocess.run(["bash", "-n"], input=text, text=True, capture_output=True).returncode == 0
        if whole and not line.endswith("\\"):
            yield text
            lines = []
    if lines:
        raise Wrong("a command without an end: " + "\n".join(lines))


def entries(block):
    """The journal entry of a block, as its postings: side, account without its stripe, amount, currency."""
    postings = re.findall(r"^ +(Dr|Cr) ([^\s/]+)\S* +(\d+) (\S+)$", block, re.M)
    return [collections.Counter(postings)]


class Reader:
    """Goes through README and tour, and holds each answer against what the text says of it."""

    def __init__(self, shell):
        self.shell = shell

    def read(self, readme, tour):
        """Each command has one check, in the order of the text."""
        run_it, purchase = readme.commands
        self.purchase_entry, = readme.entries
        if run_it != RUN_IT:
            raise Wrong("the README runs it with other commands than are checked:\n" + "\n".join(run_it))
        self.section(purchase[:1], [("set -a;", self.environment)])
        self.bought_once()
        self.section(purchase[1:], [
            ("order=", self.order), ("uid=", self.named), ("imp_uid=", self.paid),
            ("curl -si $LEDGERD_URL/v1/receipts", self.receipt),
            ("curl -s $LEDGERD_URL/v1/me/balance", self.balance)])
        app, service, books = tour.commands
        self.spend_entry, = tour.entries
        self.section(app, [
            ("curl -s $LEDGERD_URL/v1/products", self.products),
            ("curl -s $LEDGERD_URL/v1/me/purchases", self.purchases),
            ("curl -s $LEDGERD_URL/v1/me/statement", self.statement)])
        self.refused_receipts()
        self.section(service, [
            ("as_service()", self.defined), ("as_service /v1/users/demo-user/spends", self.spend),
            ("hold=", self.hold), ("as_service /v1/holds/$hold/capture", self.capture),
            ("as_service /v1/users/demo-user/grants", self.grant),
            ("as_service /v1/users/demo-user/balance", self.balance),
            ("as_service /v1/balances/query", self.balances), ('curl -s "$LEDGERD_URL/v1/events', self.events)])
        self.section(books, [
            ("as_finance()", self.defined), ('as_finance "/v1/exports/journal', self.journal),
            ("as_finance '/v1/exports/trial-balance'", self.trial_balance),
            ("as_finance '/v1/exports/liability'", self.liability), ("as_finance /v1/findings", self.findings),
            ("as_finance /v1/settlements/outstanding", self.outstanding),
            ("as_finance /v1/reconciliations", self.reconciliation), ("$LEDGERD_BINARY seal", self.seal),
            ("$LEDGERD_BINARY doctor --seal", self.doctor)])

    def section(self, found, expected):
        if len(found) != len(expected) or not all(c.startswith(e[0]) for c, e in zip(found, expected)):
            raise Wrong("the text has other commands than are checked:\n" + "\n".join(found))
        for command, (_, check) in zip(found, expected):
            check(self.shell.run(command))

    # A purchase in four requests

    def environment(self, answer):
        answer.succeeded()
        self.total = self.shell.get("/v1/me/balance", "USER_TOKEN")["total"]

    def bought_once(self):
        """What ./dev up prints: the purchase and its entry."""
        answer = self.shell.run("$LEDGERD_BINARY dev").succeeded()
        self.total += 100
        answer.expect(f"POST /v1/receipts → 201, balance: {self.total} coins\n" in answer.text, "the purchase")
        answer.expect(entries(answer.text) == [self.purchase_entry], "the README's journal entry")
        answer.expect(re.search(r"│ API docs +http://127\.0\.0\.1:\d+/docs +│", answer.text), "the addresses")

    def order(self, answer):
        answer.succeeded(201)

    def named(self, answer):
        answer.succeeded()
        self.uid = self.shell.run('printf %s "$uid"').text
        answer.expect(re.fullmatch(r"order-[a-z0-9]+", self.uid), "the order's name")

    def paid(self, answer):
        answer.succeeded(201)

    def receipt(self, answer):
        """201, or 200 if the gateway's webhook came first; then 200 with the same purchase."""
        purchase = answer.succeeded(201, 200).json["purchase"]
        self.purchase = purchase["id"]
        answer.expect(purchase["merchant_uid"] == self.uid and purchase["coins"] == 100, "the order's purchase")
        self.total += 100
        answer.expect(answer.json["balance"]["total"] == self.total, f"{self.total} coins")
        again = self.shell.run(answer.command).succeeded(200)
        again.expect(again.json["purchase"] == purchase, "the same purchase")
        again.expect(again.json["balance"]["total"] == self.total, "no more coins")

    def balance(self, answer):
        answer.expect(answer.succeeded(200).json["total"] == self.total, f"{self.total} coins")

    # If you write an app

    def products(self, answer):
        offered = {p["code"]: p for p in answer.succeeded(200).json["products"]}
        answer.expect(offered["coins_100"]["price"] == 1000 and offered["coins_100"]["coins"] == 100, "the product")

    def purchases(self, answer):
        listed = answer.succeeded(200).json["purchases"]
        answer.expect(listed[0]["id"] == self.purchase and listed[0]["amount"] == 1000, "the latest purchase")

    def statement(self, answer):
        latest = answer.succeeded(200).json["entries"][0]
        answer.expect(latest["reference"] == f"purchase:{self.purchase}", "the latest entry")
        answer.expect(latest["coins"] == 100 and latest["balance"] == self.total, "the coins and the balance after them")

    def refused_receipts(self):
        """The other rows of the table: a payment that the gateway does not confirm, and one that is not paid yet."""
        present = ("curl -s $LEDGERD_URL/v1/receipts -H \"Authorization: Bearer $USER_TOKEN\" "
                   "-H 'Content-Type: application/json' -d ")
        name = f"readme-{secrets.token_hex(6)}"
        unknown = self.shell.run(f"""{present} '{{"imp_uid": "imp_1", "merchant_uid": "{name}"}}'""")
        unknown.expect(unknown.statuses[0] // 100 == 4 and unknown.json["code"] == "payment_not_found", "a refusal")
        unpaid = self.shell.run(
            f"""curl -s $SANDBOX_URL/sandbox/payments -H 'Content-Type: application/json' """
            f"""-d '{{"merchant_uid": "{name}", "amount": 1000, "status": "ready"}}'""").succeeded(201).json["imp_uid"]
        self.shell.run(
            f"""{present} '{{"imp_uid": "{unpaid}", "merchant_uid": "{name}"}}'""").succeeded(202)

    # If you write a service

    def defined(self, answer):
        answer.succeeded()

    def spend(self, answer):
        spend = answer.succeeded(201, 200).json
        answer.expect(spend["spend"]["coins"] == 30 and spend["lots"], "the spend and its lots")
        total = self.shell.get("/v1/me/balance", "USER_TOKEN")["total"]
        # A reader who begins anew finds the keys used.
        self.is_first = total != self.total
        answer.expect(total == self.total - 30 * self.is_first, "30 coins less, once")
        self.spend_entry_id = spend["spend"]["journal_entry_id"]
        again = self.shell.run(answer.command).succeeded(200, 201)
        again.expect(again.json == spend, "the first response")
        more = answer.command.replace("play-1", secrets.token_hex(8)).replace('"coins": 30', '"coins": 999999')
        refused = self.shell.run(more).succeeded(402)
        refused.expect(refused.json["code"] == "insufficient_coins", "too few coins")
        refused.expect(refused.json["required"] == 999999 and "available" in refused.json, "how many")
        self.moved(-30)

    def moved(self, coins):
        self.total += coins * self.is_first
        total = self.shell.get("/v1/me/balance", "USER_TOKEN")["total"]
        if total != self.total:
            raise Wrong(f"the user has {total} coins, not {self.total}")

    def hold(self, answer):
        answer.succeeded(201, 200)
        number = self.shell.run("echo $hold").text.strip()
        answer.expect(number.isdigit(), "the hold's id")
        hold = self.shell.get(f"/v1/holds/{number}", "SERVICE_TOKEN")
        answer.expect(hold["coins"] == 50 and hold["status"] == ("open" if self.is_first else "captured"), str(hold))
        self.moved(0)

    def capture(self, answer):
        capture = answer.succeeded(201, 200).json["capture"]
        answer.expect(capture["coins"] == 50 and capture["provider"] == "designer-3", "the capture")
        self.moved(-50)

    def grant(self, answer):
        answer.expect(answer.succeeded(201, 200).json["grant"]["coins"] == 10, "the grant")
        self.moved(10)

    def balances(self, answer):
        found = {b["user"]: b["total"] for b in answer.succeeded(200).json["balances"]}
        answer.expect(found == {"demo-user": self.total, "somebody": 0}, "both balances")

    def events(self, answer):
        found = answer.succeeded(200).json["events"]
        numbers = [event["seq"] for event in found]
        answer.expect(found and numbers == list(range(1, len(found) + 1)), "events, in order, none missing")

    # If you keep the books

    def journal(self, answer):
        rows = list(csv.DictReader(io.StringIO(answer.succeeded(200).text.strip())))
        own = [row for row in rows if row["entry"] == str(self.spend_entry_id)]
        entry = collections.Counter(
            ("Dr" if row["debit"] else "Cr", row["account"], row["debit"] or row["credit"], row["currency"])
            for row in own)
        answer.expect(entry == self.spend_entry, "the tour's entry of the spend")

    def trial_balance(self, answer):
        rows = list(csv.DictReader(io.StringIO(answer.succeeded(200).text.strip())))
        for currency in ("COIN", "KRW"):
            own = [row for row in rows if row["currency"] == currency]
            debits, credits = (sum(int(row[side]) for row in own) for side in ("debit", "credit"))
            answer.expect(debits == credits > 0, f"{currency}: debits and credits")

    def liability(self, answer):
        rows = list(csv.DictReader(io.StringIO(answer.succeeded(200).text.strip())))
        remaining = sum(int(row["remaining"]) for row in rows)
        answer.expect(remaining >= self.total > 0, "the unused coins")

    def findings(self, answer):
        answer.expect(answer.succeeded(200).json["findings"] == [], "nothing to decide")

    def outstanding(self, answer):
        page = answer.succeeded(200).json
        listed = any(row["merchant_uid"] == self.uid for row in page["outstanding"])
        answer.expect(listed or page["has_more"], "the payment, not paid out yet")

    def reconciliation(self, answer):
        """It ends, and books and gateway agree."""
        number = answer.succeeded(202).json["id"]
        deadline = time.monotonic() + 60
        while True:
            run = self.shell.get(f"/v1/reconciliations/{number}", "FINANCE_TOKEN")
            if run["status"] != "running":
                break
            answer.expect(time.monotonic() < deadline, "it ends")
            time.sleep(0.05)
        answer.expect(run["status"] == "completed" and run["differences"] == 0, f"no difference: {run}")
        answer.expect(run["counts"]["matched"] > 0, f"payments: {run}")

    def seal(self, answer):
        answer.succeeded().expect((self.shell.home / "seal.json").stat().st_size > 0, "the file")

    def doctor(self, answer):
        answer.succeeded().expect("no deviations" in answer.text, "sound books")


def buy(shell, text, delays, count):
    """The README's purchase with time between payment and receipt. Counts the answers by delay, status and code."""
    load, order, name, pay, present = text.commands[1][:5]
    shell.run(load).succeeded()
    before = shell.get("/v1/me/balance", "USER_TOKEN")["total"]
    answers = collections.Counter()
    for delay in delays:
        for _ in range(count):
            shell.run(order).succeeded(201)
            shell.run(name).succeeded()
            shell.run(pay).succeeded(201)
            # The time in which the gateway's webhooks may be first is what this is about.
            time.sleep(delay)
            answer = shell.run(present)
            outcome = answer.json.get("code", "another purchase")
            if answer.json.get("purchase", {}).get("merchant_uid") == shell.run('printf %s "$uid"').text:
                outcome = "credited"
            answers[delay, answer.statuses[0], outcome] += 1
    for (delay, status, outcome), number in sorted(answers.items()):
        print(f"{delay * 1000:5.0f} ms  {status} {outcome}: {number}")
    gained = shell.get("/v1/me/balance", "USER_TOKEN")["total"] - before
    bought = len(delays) * count
    print(f"{bought} purchases, {gained} coins")
    if gained != 100 * bought or any(not (s in (200, 201) and o == "credited") for _, s, o in answers):
        raise Wrong("not each receipt was answered with its purchase, or not each payment was credited once")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environment", type=pathlib.Path, help="the dev.env of a running ./dev up")
    parser.add_argument("readme", type=pathlib.Path, nargs="?", default=ROOT / "README.md", help="README.md, README.ko.md")
    parser.add_argument("tour", type=pathlib.Path, nargs="?", default=ROOT / "docs/tour.md", help="its tour")
    parser.add_argument("--purchases", type=int, metavar="N", help="only buy, N times with each delay")
    options = parser.parse_args()
    shell = Shell(options.environment)
    try:
        readme = Text(options.readme, 2)
        if options.purchases:
            buy(shell, readme, [0, 0.1, 1], options.purchases)
        else:
            Reader(shell).read(readme, Text(options.tour, 3))
            print(f"{options.readme.name}, {options.tour.name}: every answer is what the text says")
    except Wrong as wrong:
        sys.exit(f"✘ {options.readme.name}, {options.tour.name}: {wrong}")
    finally:
        shell.close()


if __name__ == "__main__":
    main()
