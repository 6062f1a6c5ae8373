"""Random acts of all kinds over HTTP, and the same in books of our own: they must be equal, account by account.

    run.py [--acts N] [--seed S]

The environment is what ./dev up writes to dev.env. hledger and bean-check must be installed."""

import argparse
import collections
import concurrent.futures
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from acts import Mismatch, Player, require
from books import Books
from service import Gateway, Service

PLAYERS = 6
PRODUCTS = [  # prices and coins that don't divide, so that each rounding is met
    {"code": "books_3", "price": 1013, "coins": 3, "bonus": 0},
    {"code": "books_37", "price": 1019, "coins": 37, "bonus": 11},
    {"code": "books_100", "price": 9973, "coins": 100, "bonus": 10},
    {"code": "books_250", "price": 24989, "coins": 250, "bonus": 40},
]


def ledgerd(*arguments, accepts=(0,), **environment):
    done = subprocess.run(
        [os.environ["LEDGERD_BINARY"], *arguments], capture_output=True, text=True, timeout=300,
        env={**os.environ, **environment})
    require(done.returncode in accepts, "ledgerd", *arguments, done.stderr)
    return done.stdout


def sell(products):
    for product in products:
        ledgerd(
            "products", "add", product["code"], "--title", product["code"], "--price", str(product["price"]),
            "--coins", str(product["coins"]), "--bonus", str(product["bonus"]), accepts=(0, 1))


def lines(service, path):
    """The rows of an export in JSON Lines, without its trailer."""
    answer = service.get(path, "finance")
    require(answer.status == 200, answer)
    return [json.loads(line) for line in answer.body.decode().splitlines()[:-1]]


def journal(service):
    """The debits and the credits of each account, added up from the journal."""
    debits, credits = collections.Counter(), collections.Counter()
    for line in lines(service, "/v1/exports/journal?format=jsonl"):
        debits[line["account"], line["currency"]] += line["debit"] or 0
        credits[line["account"], line["currency"]] += line["credit"] or 0
    return debits, credits


def trial_balance(service):
    """Each account's debits less its credits."""
    rows = lines(service, "/v1/exports/trial-balance?format=jsonl&detail=accounts")
    return {(row["account"], row["currency"]): row["debit"] - row["credit"] for row in rows}


def nonzero(balances):
    return {account: amount for account, amount in balances.items() if amount}


def compare(before, after, all_books):
    """What the acts posted, account by account: debits and credits apart."""
    wrong = 0
    accounts = set()
    for side, ours in (("debits", [books.debits for books in all_books]), ("credits", [b.credits for b in all_books])):
        index = 0 if side == "debits" else 1
        posted = collections.Counter(after[index])
        posted.subtract(before[index])
        expected = sum(ours, collections.Counter())
        for account in sorted(set(posted) | set(expected)):
            accounts.add(account)
            if posted[account] != expected[account]:
                wrong += 1
                print(f"{account[0]} ({account[1]}), {side}: {posted[account]}, books {expected[account]}")
    require(not wrong, f"{wrong} totals of {len(accounts)} accounts differ")
    return len(accounts)


def ask_accounting_programs(service, balances):
    """hledger and Beancount must take the whole journal, and hledger must come to the same balances."""
    with tempfile.TemporaryDirectory() as directory:
        for form, command in (("hledger", ["hledger", "check", "-f"]), ("beancount", ["bean-check"])):
            path = os.path.join(directory, "journal." + form)
            answer = service.get("/v1/exports/journal?format=" + form, "finance")
            require(answer.status == 200, answer)
            with open(path, "wb") as file:
                file.write(answer.body)
            done = subprocess.run([*command, path], capture_output=True, text=True, timeout=300)
            require(done.returncode == 0, *command, done.stdout, done.stderr)
        said = subprocess.run(
            ["hledger", "-f", os.path.join(directory, "journal.hledger"), "balance", "-N", "--flat", "-E", "-O", "csv"],
            capture_output=True, text=True, timeout=300, check=True)
        theirs = {}
        for line in csv.DictReader(io.StringIO(said.stdout)):
            for amount, currency in re.findall(r"(-?\d+) (\w+)", line["balance"]):
                theirs[line["account"], currency] = int(amount)
        require(theirs == nonzero(balances), "hledger comes to other balances")


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--acts", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    service, gateway = Service(), Gateway()
    sell(PRODUCTS)
    started = time.monotonic()
    before = journal(service)
    # Users are new in each run, so that a run can be repeated on one ledger.
    seed = f"{options.seed}-{int(time.time())}"
    players = [Player(n, options.seed, seed, Books(), service, gateway, PRODUCTS) for n in range(PLAYERS)]
    with concurrent.futures.ThreadPoolExecutor(PLAYERS) as pool:
        running = [pool.submit(player.play, options.acts // PLAYERS + 1) for player in players]
        failed = [task.exception() for task in running if task.exception()]
    for failure in failed:
        print(f"{type(failure).__name__}: {failure}")
    if failed:
        return 1
    for player in players:
        for user in player.users:
            player.settle_expiry(user)
    after = journal(service)
    accounts = compare(before, after, [player.books for player in players])
    balances = {account: after[0][account] - after[1][account] for account in set(after[0]) | set(after[1])}
    require(nonzero(balances) == nonzero(trial_balance(service)), "trial balance and journal differ")
    ask_accounting_programs(service, balances)
    checks = json.loads(ledgerd("doctor", "--json"))["checks"]
    counts = sum((player.counts for player in players), collections.Counter())
    refusals = sum((player.refusals for player in players), collections.Counter())
    print(f"acts: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}")
    print(f"refused by both: {', '.join(f'{name} {count}' for name, count in sorted(refusals.items()))}")
    print(
        f"{sum(counts.values())} acts in {time.monotonic() - started:.0f} s with seed {options.seed}: "
        f"{accounts} accounts are equal, hledger and bean-check agree, the doctor's {len(checks)} checks find nothing")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Mismatch as mismatch:
        print(f"different: {mismatch}")
        sys.exit(1)
