"""At the end: accounts, reports and lists of the service are those of the books."""

import collections
import csv
import datetime
import hashlib
import io
import json
import os
import re
import subprocess
import tempfile

import settings
from acts import require
from model import alerts, foreign

PATIENCE = 300  # seconds in which a reconciliation ends
# A payout has an entry in each stripe, and its sides are exchanged where more came back than was earned. The sum over
# the stripes is what was paid, and the model knows no stripes.
NET_KINDS = {"payout"}
PREPAID = {
    "issued": (+1, {"purchase", "grant", "grant_void"}),
    "used": (-1, {"spend", "capture", "debt_payment", "spend_reversal", "capture_reversal"}),
    "refunded": (-1, {"refund", "refund_reversal", "claw_back", "claw_back_reversal"}),
    "expired": (-1, {"expiry", "expiry_reversal"}),
}


def rows(service, path):
    """The rows of an export in JSON Lines, without its trailer."""
    answer = service.get(path + ("&" if "?" in path else "?") + "format=jsonl", "finance")
    require(answer.status == 200, answer)
    return [json.loads(line) for line in answer.body.decode().splitlines()[:-1]]


def same(what, said, ours):
    require(said == ours, what, said, "books", ours)


class Journal:
    """The debits and the credits of each kind of entry on each account, added up from the export."""

    def __init__(self, lines):
        self.lines, self.debits, self.credits = lines, collections.Counter(), collections.Counter()
        for line in lines:
            key = line["kind"], line["account"], line["currency"]
            self.debits[key] += line["debit"] or 0
            self.credits[key] += line["credit"] or 0

    @classmethod
    def export(cls, service):
        return cls(rows(service, "/v1/exports/journal"))

    def moved(self, places, kinds, currency="COIN"):
        """Credits less debits of some kinds of entries on all accounts that are in one of the places."""
        return sum(
            sign * amount for sign, side in ((+1, self.credits), (-1, self.debits))
            for (kind, account, unit), amount in side.items()
            if kind in kinds and unit == currency and places(account))

    def accounts(self):
        """Debits and credits of each account."""
        totals = collections.defaultdict(lambda: [0, 0])
        for index, side in enumerate((self.debits, self.credits)):
            for (_, account, currency), amount in side.items():
                totals[account, currency][index] += amount
        return totals

    def kinds(self):
        return {line["kind"] for line in self.lines}

    def balances(self):
        return {key: debits - credits for key, (debits, credits) in self.accounts().items() if debits != credits}


def total(counters):
    sums = collections.Counter()
    for counter in counters:
        sums.update(counter)
    return sums


def compare_entries(journal, books):
    """What the acts posted: debits and credits apart, by kind of entry and account."""
    theirs = journal.debits, journal.credits
    ours = [total(getattr(own, side) for own in books) for side in ("debits", "credits")]
    wrong = 0
    keys = {key for counter in (*ours, *theirs) for key in counter if counter[key]}
    for key in sorted(keys):
        expected, posted = (tuple(counter[key] for counter in pair) for pair in (ours, theirs))
        if key[0] in NET_KINDS:
            expected, posted = expected[0] - expected[1], posted[0] - posted[1]
        if expected != posted:
            wrong += 1
            print(f"{key}, debits and credits: {posted}, books {expected}")
    require(not wrong, f"{wrong} totals of {len(keys)} differ")
    return len({key[1:] for key in keys})


def compare_trial_balances(service, journal):
    balances = rows(service, "/v1/exports/trial-balance?detail=accounts")
    said = {(row["account"], row["currency"]): (row["debit"] or 0) - (row["credit"] or 0) for row in balances}
    same("trial balance", {key: balance for key, balance in said.items() if balance}, journal.balances())
    totals = rows(service, "/v1/exports/trial-balance-totals?detail=accounts")
    said = {(row["account"], row["currency"]): [row["debit_total"] or 0, row["credit_total"] or 0] for row in totals}
    same("trial balance with totals", said, {key: sums for key, sums in journal.accounts().items() if any(sums)})


def period():
    """All that happened."""
    today = datetime.date.today()
    return f"from={today - datetime.timedelta(365)}&to={today + datetime.timedelta(2)}"


def vat(service):
    """The won of the report of VAT, by rule, kind of entry, and column."""
    sums = collections.Counter()
    for row in rows(service, f"/v1/exports/vat?{period()}"):
        for column, won in row.items():
            if column not in ("rule", "act"):
                sums[row["rule"], row["act"], column] += won
    return sums


def compare_vat(service, players, journal):
    """The report, and its sums, which are those of the accounts. With VAT off there is none to file."""
    if not settings.VAT:
        answer = service.get(f"/v1/exports/vat?{period()}", "finance")
        return require(answer.status == 404, answer)
    said, ours = vat(service), total(player.books.supplies for player in players)
    same("vat", {key: won for key, won in said.items() if won}, {key: won for key, won in ours.items() if won})
    for column, account, sign in (("output_vat", "tax:vat-payable", +1), ("input_vat", "tax:vat-input", -1)):
        sums = sum(won for (_, _, name), won in said.items() if name == column)
        same(column, sums, sign * journal.moved(account.__eq__, journal.kinds(), "KRW"))


def compare_prepaid(service, journal):
    """The sums of the days are those of the journal, whose entries were compared with the books."""
    days = rows(service, f"/v1/exports/prepaid?{period()}")
    for coins in ("paid", "bonus"):
        own = [day for day in days if day["kind"] == coins]
        is_unused = re.compile(f"(wallet|held):.*:{coins}").fullmatch
        for column, (sign, kinds) in PREPAID.items():
            same((column, coins), sum(day[column] for day in own), sign * journal.moved(is_unused, kinds))
            won = sign * journal.moved("coins:deferred-revenue".__eq__, kinds, "KRW") if coins == "paid" else 0
            same((column + "_won", coins), sum(day[column + "_won"] or 0 for day in own), won)
        same(("outstanding", coins), own[-1]["outstanding"], journal.moved(is_unused, journal.kinds()))
        if coins == "paid":
            same("outstanding_won", own[-1]["outstanding_won"], deferred(journal))


def deferred(journal):
    return journal.moved("coins:deferred-revenue".__eq__, journal.kinds(), "KRW")


def compare_custody(service, players, journal):
    """What must be in custody, what is, and the finding when it falls short. Nobody else acts meanwhile."""
    prepaid = service.get("/v1/prepaid", "finance").json
    same("outstanding won", prepaid["outstanding"], deferred(journal))
    is_bonus = re.compile("(wallet|held):.*:bonus").fullmatch
    same("bonus coins", prepaid["bonus_coins"], journal.moved(is_bonus, journal.kinds()))
    ours = {custodian: balance for player in players for custodian, balance in player.custody.items()}
    said = {line["custodian"]: line["balance"] for line in prepaid["safeguard"]["custody"]}
    same("in custody", {custodian: balance for custodian, balance in said.items() if custodian in ours}, ours)
    same("held", prepaid["safeguard"]["held"], sum(said.values()))
    # The percentage is rounded up.
    required = -(-prepaid["outstanding"] * settings.SAFEGUARD_PERCENT // 100)
    required += prepaid["bonus_coins"] * settings.BONUS_WORTH
    for missing in (1, 0):
        others = sum(said.values()) - said.get(players[0].custodians[0], 0)
        players[0].enter_custody(players[0].custodians[0], max(0, required - others - missing))
        safeguard = service.get("/v1/prepaid", "finance").json["safeguard"]
        same("to be in custody", safeguard["required"], required)
        same("missing in custody", safeguard["shortfall"], max(0, required - safeguard["held"]))
        findings = service.get("/v1/findings?kind=custody_short", "finance").json["findings"]
        same("finding custody_short", bool(findings), safeguard["shortfall"] > 0)


def compare_users(service, players):
    report = {row["user"]: row for row in rows(service, "/v1/exports/user-balances")}
    for player in players:
        for user in player.users:
            books, lots = player.books, player.books.lots[user]
            player.compare_balance(user, service.get(f"/v1/users/{user}/balance").json)
            ours = sorted(
                (lot.kind, lot.coins, lot.remaining, lot.held, lot.price if lot.kind == "paid" else 0)
                for lot in lots if lot.remaining or lot.held)
            said = sorted(
                (lot["kind"], lot["coins"], lot["remaining"], lot["held"], lot["amount"])
                for lot in service.pages(f"/v1/users/{user}/lots", "lots"))
            same(("lots", user), said, ours)
            summary = books.summary(user)
            row = report.get(user, {"paid": 0, "bonus": 0, "deferred": 0})
            same(("user-balances", user), (row["paid"], row["bonus"], row["deferred"] or 0), (
                books.wallet(user, "paid") + books.held(user, "paid"),
                books.wallet(user, "bonus") + books.held(user, "bonus"), sum(lot.deferred for lot in lots)))
            statement = service.get(f"/v1/users/{user}/statement?limit=1").json["entries"]
            same(("statement", user), statement[0]["balance"] if statement else 0, summary["total"])


def compare_alerts(service, players):
    """Who crosses a threshold is told of: entry by entry, as the events of the entries say the balance, and as often as the
    books say. Returns how many were told."""
    count = 0
    for player in players:
        for user in player.users:
            told, expected, available = [], [], 0
            for event in service.events(user):
                data = event["data"]
                if event["type"] in (alerts.FELL, alerts.ROSE):
                    crossing = data["crossing"]
                    told.append((event["type"], *(
                        crossing[name] for name in ("threshold", "before", "available", "journal_entry_id"))))
                elif data.get("balance", {}).get("user") == user:
                    before, available = available, data["balance"]["available"]
                    expected += [(*crossing, before, available, data["journal_entry_id"])
                                 for crossing in alerts.crossings(user, before, available)]
            same(("crossings", user), told, expected)
            same(("available", user), available, player.books.available(user))
            compare_counts(user, collections.Counter(crossing[:2] for crossing in told), player.books.alerts)
            count += len(told)
    return count


def compare_counts(user, told, ours):
    if user not in ours.unordered:
        same(("crossings", user), told, ours.told[user])
    require(told >= ours.told[user], "crossings", user, told, "books, at least", ours.told[user])
    for below, above in alerts.PAIRS:
        sums = [counts[alerts.FELL, below] - counts[alerts.ROSE, above] for counts in (told, ours.told[user])]
        same(("falls less rises", user, below), *sums)


def compare_purchases(service, players):
    outstanding = {
        line["purchase"]: line["outstanding"]
        for line in service.pages("/v1/settlements/outstanding", "outstanding", "finance")}
    approved = {
        line["refund"]["id"]: line["refund"]["amount"]
        for line in service.pages("/v1/refunds/approved", "refunds", "finance")}
    for player in players:
        for purchase in player.payments:
            same(("outstanding", purchase.number), outstanding.get(purchase.number, 0), purchase.outstanding)
            said = service.get(f"/v1/users/{purchase.user}/purchases/{purchase.number}").json
            same(("refunded_amount", purchase.number), said["refunded_amount"], purchase.refunded)
            ours = {refund.id: refund.status for refund in purchase.refunds}
            same(("refunds", purchase.number), {
                refund["id"]: refund["status"] for refund in said["refunds"] if refund["id"] in ours}, ours)
            if not (purchase.foreign and purchase.is_of_store):
                player.compare_quote(purchase)
        for refund in player.transfers:
            same(("approved", refund.id), approved.get(refund.id, 0), refund.amount * (refund.status == "approved"))


def compare_stores(service, players):
    """What each gateway and store owes, and that the stores know what was delivered."""
    said = {row["account"]: row["balance"] for row in service.get("/v1/settlements/outstanding", "finance").json["accounts"]}
    ours = total(player.owed_by_store() for player in players)
    for account in ("app-store:receivable", "google-play:receivable", *map(foreign.carrying, foreign.FOREIGN)):
        same(account, said.get(account, 0), ours[account])
    for player in players:
        player.expect_delivered()
    same("refunds that were taken back without a place", players[0].reversed_refunds(service), {
        payment["transaction_id"] for player in players for purchase, payment in player.payments.items()
        if purchase.to_restore})


def compare_with_stores(service, players):
    """A reconciliation of all that happened: what the stores say of each purchase, as ledgerd asks them."""
    today = datetime.date.today()
    period = {"from": (today - datetime.timedelta(365)).isoformat(), "to": (today + datetime.timedelta(1)).isoformat()}
    path = f"/v1/reconciliations/{service.act('/v1/reconciliations', period, 'books', 'finance').json['id']}"
    run = players[0].eventually(
        lambda: service.get(path, "finance").json, lambda said: said["status"] != "running", PATIENCE)
    same("reconciliation", run["status"], "completed")
    said = {item["merchant_uid"]: item["kind"] for item in service.pages(path + "/items", "items", "finance")
            if item["gateway"] in ("app-store", "google-play")}
    paid = {
        payment["merchant_uid"]: in_store(purchase)
        for player in players for purchase, payment in player.payments.items() if purchase.is_of_store}
    # Of what was free, the stores list what they told of, or took back.
    free = [item for player in players for item in player.free]
    told = {f"app-store:{item.bought['transaction_id']}" for item in free if item.name == "app-store" and item.is_told}
    taken_back = {
        f"google-play:{hashlib.sha256(item.bought['purchase_token'].encode()).hexdigest()}"
        for item in free if item.name == "google-play" and item.pieces}
    listed = told | taken_back & said.keys()
    same("compared with the stores", said, paid | dict.fromkeys(listed, "matched"))


def in_store(purchase):
    """What a reconciliation says of a purchase that the books have as its store says, as far as they can."""
    if purchase.to_restore:
        return "refunded_not_cancelled"
    return "refunded_twice" if purchase.cancelled + purchase.transferred > purchase.amount else "matched"


def compare_campaigns(service, players):
    for player in players:
        for campaign in player.campaigns:
            said, ours = service.get(f"/v1/campaigns/{campaign.id}").json["costs"], campaign.costs()
            same(("costs of a campaign", campaign.id), {name: said[name] for name in ours}, ours)


def compare_disputes(service, players):
    said = {dispute["id"]: dispute["status"] for dispute in service.pages("/v1/disputes", "disputes", "finance")}
    for player in players:
        for purchase in player.payments:
            for dispute in purchase.disputes:
                same(("dispute", purchase.number), said[dispute.id], dispute.status)


def compare_providers(service, players):
    for player in players:
        for provider in player.providers:
            said = service.get(f"/v1/providers/{provider}/earnings").json["coins"]
            same(("earnings", provider), said, player.books.balance(f"earnings:{provider}"))
        for provider, ours in player.books.statements.items():
            player.compare_provider(provider, player.books.terms[provider])
            lines = list(service.pages(f"/v1/providers/{provider}/statement", "lines", "finance"))[::-1]
            same(("statement", provider), [[line["kind"], line["amount"], line["change"]] for line in lines], ours)
            owed = 0
            for line in lines:
                owed += line["change"]
                same(("payable", provider), line["payable"], owed)


def ask_accounting_programs(service, journal):
    """hledger and Beancount must take the whole journal, and hledger must compute the same balances."""
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
            # With all decimals of the currency: without the point, they are minor units.
            for amount, currency in re.findall(r"(-?[\d.]+) (\w+)", line["balance"]):
                theirs[line["account"], currency] = int(amount.replace(".", ""))
        require(theirs == journal.balances(), "hledger computes other balances")
