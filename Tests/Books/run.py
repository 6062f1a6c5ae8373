"""Random acts of all kinds over HTTP, and the same in books of our own: they must be equal, account by account.

    run.py [--acts N] [--seed S]

The environment is what ./dev up writes to dev.env for a new ledger, with the service's settings, and MOVED_CLOCK, the
file that moves the clock of all. hledger and bean-check must be installed."""

import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import traceback

import reports
import settings
from acts import Mismatch, Player, orders, require
from clock import Clock
from finance_reports import FinanceReports
from forgetting import Leavers
from model import Books, alerts
from month_ends import BOOKED, MonthEnds
from rates import Rates, Revaluations
from service import Gateway, Service
from stores import AppStore, GooglePlay

PLAYERS = 6
# What must have occurred: entries of all kinds that docs/accounting.md lists, of some with some settings. Acts are counted by
# what came of them.
EXPIRED_KINDS = ("expiry_reversal",)
FROZEN_KINDS = ("dispute_hold", "dispute_release")
MONTH_END_KINDS = ("adjustment",)  # counted by the ends of months
LABELS = (
    "capture as agent", "capture as principal", "capture for a provider without terms", "reverse a spend",
    "reverse a capture", "reverse a capture after its payout", "refund, waived", "refund, percentage",
    "refund completed later", "refund refused later", "transfer, waived", "cancel what went back already",
    "reverse transfer, and claw back", "repay transfer, and claw back", "settle what is kept back", "dispute",
    "win dispute", "lose dispute", "decide that a dispute was lost", "decide that a dispute was won", "win a dispute after its loss",
    "change terms",
    "set terms of a product", "capture of a product", "withdraw", "pay out, with taxes withheld", "repay a claim",
    "top up", "merge users", "rename a user", "enter custody", "claim", "claim again", "claim above the budget",
    "give by list", "void campaign", "tell late",
    "buy in app-store", "buy pieces in app-store", "refund in app-store", "refund a part in app-store",
    "refuse to refund what app-store sold", "take a refund back", "take a refund back, and give another",
    "buy in google-play", "buy pieces in google-play", "buy in google-play what it gave back in part",
    "refund all in google-play", "refund pieces in google-play", "refund amount in google-play",
    "refund by us in google-play", "refuse to refund in google-play", "settle in google-play",
    "settle what google-play keeps back",
    *(f"buy in {currency} in {store}" for currency in ("USD", "JPY", "KWD") for store in ("app-store", "google-play")),
    "refund a foreign payment in app-store", "refund a foreign payment in google-play",
    "settle a foreign payment in google-play",
    *(f"buy in {currency} at the gateway" for currency in orders.CURRENCIES),
    "refund of a foreign payment, percentage", "refund of a foreign payment, free_days", "cancel a foreign payment",
    "buy for nothing in app-store", "buy for nothing in google-play", "take back what was free in app-store",
    "take back what was free in google-play", "give what was free again")
SUPPLIES = (  # rows of the report of VAT
    ("at_use", "spend"), ("at_use", "capture"), ("at_use", "claw_back"), ("at_sale", "purchase"), ("at_sale", "refund"),
    # Coins that expire are supplied then, or what was sold is supplied no more.
    ("at_use" if settings.VAT_BREAKAGE else "at_sale", "expiry"), ("exempt", "spend"), ("gateway_fees", "settlement"),
    *((("refund_fees", "refund"), ("refund_fees", "refund_reversal")) if settings.VAT_REFUND_FEES else ()))
ENOUGH = 1000  # acts after which all of it must have, if need be after up to as many again, in so many parts:
MORE = 5
LATER = 10  # each later month has a tenth of the acts
REPORTING = 300  # seconds in which the reports are made and compared
PRODUCTS = [  # prices and coins that don't divide, so that each rounding is met; lifetimes that change the order of use
    {"code": "books_3", "price": 1013, "coins": 3, "bonus": 0, "coin_days": 0, "bonus_coin_days": 0, "vat": "at_use"},
    {"code": "books_37", "price": 1019, "coins": 37, "bonus": 11, "coin_days": 0, "bonus_coin_days": 30,
     "vat": "exempt"},
    {"code": "books_100", "price": 9973, "coins": 100, "bonus": 10, "coin_days": 365, "bonus_coin_days": 0,
     "vat": "at_sale"},
    {"code": "books_250", "price": 24989, "coins": 250, "bonus": 40, "coin_days": 0, "bonus_coin_days": 0,
     "vat": "at_use"},
    # The lifetimes of the settings, which can be seconds.
    {"code": "books_60", "price": 5987, "coins": 60, "bonus": 17, "coin_days": None, "bonus_coin_days": None,
     "vat": "at_sale"},
    {"code": "books_45", "price": 4517, "coins": 45, "bonus": 7, "coin_days": None, "bonus_coin_days": None,
     "vat": "at_use"},
]


def ledgerd(*arguments, accepts=(0,), **environment):
    done = subprocess.run(
        [os.environ["LEDGERD_BINARY"], *arguments], capture_output=True, text=True, timeout=300,
        env={**os.environ, **environment})
    require(done.returncode in accepts, "ledgerd", *arguments, done.stderr)
    return done.stdout


def sell(products):
    def days(count):
        return "default" if count is None else str(count or "forever")
    for product in products:
        ledgerd(
            "products", "add", product["code"], "--title", product["code"], "--price", str(product["price"]),
            "--coins", str(product["coins"]), "--bonus", str(product["bonus"]),
            "--coin-days", days(product["coin_days"]), "--bonus-coin-days", days(product["bonus_coin_days"]),
            "--vat", product["vat"], accepts=(0, 1))


def sell_abroad(service, products):
    """Prices in foreign currencies, which need their rates first. Returns when apps see them."""
    for product in products:
        for currency in orders.CURRENCIES:
            price = orders.units(orders.price_in(product, currency), currency)
            ledgerd("products", "price", "set", product["code"], currency, str(price))
    wanted = {
        (product["code"], currency, orders.price_in(product, currency))
        for product in products for currency in orders.CURRENCIES}
    said = Player.eventually(lambda: prices(service), wanted.issubset)
    require(wanted <= said, "prices", said, "books", wanted)


def prices(service):
    return {
        (product["code"], price["currency"], price["price"])
        for product in service.get("/v1/products").json["products"] for price in product.get("prices", ())}


def set_thresholds(service, players):
    owners = [("", alerts.LEDGER), *(
        (f"/users/{user}", alerts.own(user)) for player in players for user in player.users if alerts.own(user))]
    for owner, thresholds in owners:
        answer = service.send("PUT", f"/v1{owner}/balance-alerts", thresholds, service.as_scope("service"))
        require(answer.status == 200, "thresholds", owner, answer)


def play(players, acts):
    """Each player in a thread."""
    with concurrent.futures.ThreadPoolExecutor(len(players)) as pool:
        running = [pool.submit(player.play, -(-acts // len(players))) for player in players]
        failed = [task.exception() for task in running if task.exception()]
    for failure in failed:
        traceback.print_exception(failure, limit=-3)
    require(not failed, f"{len(failed)} of {len(players)} players failed")


def play_all_kinds(players, acts):
    """So many acts, and some more if a kind has not occurred."""
    play(players, acts)
    for _ in range(MORE if acts >= ENOUGH else 0):
        if not never_done(players):
            break
        play(players, acts // MORE)


def wait_until_nothing_expires(service, players):
    for player in players:
        for user in player.users:
            player.settle_expiry(user, REPORTING)
    deadline = time.monotonic() + 3 * REPORTING
    while time.monotonic() < deadline:
        soon = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=REPORTING)
        before = soon.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        if not service.get(f"/v1/lots/expiring?before={before}&limit=1").json["lots"]:
            return
        time.sleep(0.5)
    raise Mismatch("coins still expire, or have expired and ledgerd has not posted it")


def documented_kinds():
    """The kinds of entries, by the table of docs/accounting.md."""
    page = pathlib.Path(__file__).parents[2].joinpath("docs/accounting.md").read_text()
    kinds = re.findall(r"^\| `(\w+)` \|", page.split("<!-- begin kinds of entries")[1].split("<!-- end")[0], re.MULTILINE)
    require(len(kinds) > 20, "docs/accounting.md lists", kinds)
    return set(kinds)


def never_done(players):
    """Kinds of entries, acts, and supplies with VAT that did not occur."""
    labels = {label for player in players for label in player.counts}
    kinds = {key[0] for player in players for key in player.books.debits}
    wanted_kinds = documented_kinds() - set(MONTH_END_KINDS)
    if not settings.FREEZES_DISPUTED:
        wanted_kinds -= set(FROZEN_KINDS)
    if not settings.EXPIRED_DAYS:
        wanted_kinds -= set(EXPIRED_KINDS)
    supplies = {key[:2] for player in players for key, won in player.books.supplies.items() if won}
    wanted_supplies = set(SUPPLIES) if settings.VAT else set()
    return [
        *sorted(wanted_kinds - kinds), *sorted(set(LABELS) - labels),
        *(f"VAT: {rule}, {act}" for rule, act in sorted(wanted_supplies - supplies))]


def compare_all(service, players, month_ends, leavers):
    """How many accounts are equal, and how many crossings of thresholds."""
    wait_until_nothing_expires(service, players)
    leavers.leave()
    journal = reports.Journal.export(service)
    accounts = reports.compare_entries(journal, [
        month_ends.books, month_ends.revaluations.books, leavers.books, *(player.books for player in players)])
    month_ends.compare_entries(journal)
    month_ends.revaluations.compare_entries(journal)
    reports.compare_trial_balances(service, journal)
    reports.compare_prepaid(service, journal)
    reports.compare_vat(service, players, journal)
    reports.compare_users(service, players)
    reports.compare_purchases(service, players)
    reports.compare_stores(service, players)
    reports.compare_campaigns(service, players)
    reports.compare_disputes(service, players)
    reports.compare_providers(service, players)
    reports.compare_custody(service, players, journal)
    reports.ask_accounting_programs(service, journal)
    return accounts, reports.compare_alerts(service, players)


def examine():
    """The doctor's checks."""
    return json.loads(ledgerd("doctor", "--json", accepts=(0, 1)))["checks"]


def play_months(service, players, month_ends, finance_reports, acts):
    """Does most acts in the first month, and a few in each later one, where coins of earlier months are used.

    A month is adjusted, and the App Store's report of it comes, after acts of the next one. They must not count."""
    month_ends.move_to_noon()
    sell_abroad(service, PRODUCTS)
    play_all_kinds(players, acts)
    for policies in BOOKED:
        month_ends.preview()
        passed = month_ends.pass_one(policies)
        play(players, acts // LATER)
        month_ends.book(passed)
        finance_reports.settle(passed[0])
    month_ends.preview()
    month_ends.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--acts", type=int, default=5000)
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    service, gateway = Service(), Gateway()
    stores = {store.NAME: store for store in (AppStore(), GooglePlay())}
    sell(PRODUCTS)
    for store in stores.values():
        store.sell(service, PRODUCTS)
    started = time.monotonic()
    rates = Rates(service, options.seed)
    players = [Player(n, options.seed, Books(), service, gateway, stores, PRODUCTS, rates) for n in range(PLAYERS)]
    # ./dev up has bought coins.
    players[0].adopt("demo-user")
    set_thresholds(service, players)
    month_ends = MonthEnds(
        Clock(service=service, gateway=gateway, stores=stores["app-store"]), service, players, rates,
        Revaluations(service, players, rates))
    finance_reports = FinanceReports(service, players, PRODUCTS, options.seed)
    leavers = Leavers(service)
    leavers.live()
    play_months(service, players, month_ends, finance_reports, options.acts)
    accounts, crossings = compare_all(service, players, month_ends, leavers)
    # A look at a disputed payment freezes what came back of it, so nothing else is compared afterwards.
    reports.compare_with_stores(service, players)
    # By the clock that is not moved, the chain takes entries every 30 seconds, and findings that the books ended are resolved
    # every minute.
    checks = Player.eventually(examine, lambda checks: not any(
        check["count"] for check in checks if check["code"] in ("chain_overdue", "finding_overdue")), 2 * REPORTING)
    require(not any(check["count"] for check in checks), "the doctor", *(check for check in checks if check["count"]))
    counts = sum((player.counts for player in players), collections.Counter())
    refusals = sum((player.refusals for player in players), collections.Counter())
    print(f"acts: {', '.join(f'{name} {count}' for name, count in sorted(counts.items()))}")
    print(f"refused by both: {', '.join(f'{name} {count}' for name, count in sorted(refusals.items()))}")
    missing = [
        *never_done(players), *(f"reported as {kind}" for kind, lines in finance_reports.lines.items() if not lines)]
    require(not missing or options.acts < ENOUGH, "never occurred", *missing)
    print(
        f"{sum(counts.values())} acts in {time.monotonic() - started:.0f} s with seed {options.seed}: "
        f"{accounts} accounts, {crossings} crossings of thresholds, {len(month_ends.booked)} adjustments and "
        f"{month_ends.previews} previews and {len(month_ends.revaluations.booked) // 2} revaluations are equal, "
        f"hledger and bean-check agree, the doctor's {len(checks)} checks find nothing")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Mismatch as mismatch:
        print(f"different: {mismatch}")
        sys.exit(1)
