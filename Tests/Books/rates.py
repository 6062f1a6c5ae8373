"""The rates of foreign currencies, which move: finance publishes them, and revalues what is open at the ends of months."""

import random
import time

from acts import moment, require, today
from model import days, foreign
from reports import same

# As they are quoted, and the most by which a day moves them, in thousandths: over 5 % is for two people.
FIRST = {"USD": foreign.Quote(138_740, 2, 1), "JPY": foreign.Quote(95_012, 2, 100), "KWD": foreign.Quote(45_123, 1, 1)}
MOVES = {"USD": 20, "JPY": 30, "KWD": 70}


class Rates:
    def __init__(self, service, seed):
        self.service, self.random = service, random.Random(f"{seed}/rates")
        self.of_days = {currency: {} for currency in FIRST}  # in the order of days

    def current(self, currency):
        """The last one that is published. Nothing is paid while one is set."""
        return list(self.of_days[currency].values())[-1]

    def publish(self):
        """The rate of today of each currency."""
        for currency, first in FIRST.items():
            quote = first
            if self.of_days[currency]:
                last, most = self.current(currency), MOVES[currency]
                quote = foreign.Quote(
                    last.value * (1000 + self.random.randint(-most, most)) // 1000, last.scale, last.per)
            self.set(currency, quote)
            self.of_days[currency][today()] = quote

    def set(self, currency, quote):
        path, body = f"/v1/rates/{currency}/{today()}", {"rate": quote.text, "per": quote.per}
        answer = self.service.send(
            "PUT", path, {**body, "source": "books"}, self.service.as_scope("finance"))
        if answer.status == 202:
            answer = self.service.send("POST", path + "/approval", body, self.service.as_scope("approver"))
        require(answer.status == 200 and answer.json["status"] == "published", "rate", path, body, answer)

    def last_of(self, currency, month):
        return [quote for day, quote in self.of_days[currency].items() if day[:7] <= month][-1]


class Revaluations:
    """They are measured when a month ends, and booked after acts of the next one, which must not count."""

    def __init__(self, service, players, rates):
        self.service, self.players, self.rates = service, players, rates
        self.books = foreign.Revaluations()
        self.booked = []  # the reference, the month and the won of each entry

    def measure(self):
        return foreign.measure([player.books for player in self.players])

    def book(self, month, measured):
        for currency, (open_amount, carried) in measured.items():
            answer = self.send(currency, month)
            require(answer.status == 200, "revaluation", answer)
            worth = self.rates.last_of(currency, month).won(open_amount, currency)
            same(("revaluation", currency, month), {
                name: answer.json[name] for name in ("open", "carried", "worth", "amount")
            }, {"open": open_amount, "carried": carried, "worth": worth, "amount": worth - carried})
            same("revalued again", self.send(currency, month).json["id"], answer.json["id"])
            self.books.book(currency, worth - carried)
            next_month = days.month_of(days.month_end(self.first_moment(month)))
            self.booked += [
                (f"revaluation:{answer.json['id']}", at, abs(worth - carried)) for at in (month, next_month)]

    @staticmethod
    def first_moment(month):
        return moment(f"{month}-01T00:00:00+09:00")

    def compare_entries(self, journal):
        """One is effective in the month, and its opposite on the first of the next, under one reference."""
        said = sorted(
            (line["reference"], days.month_of(moment(line["effective_at"])), line["debit"]) for line in journal.lines
            if line["kind"] == "adjustment" and line["debit"] and line["reference"].startswith("revaluation:"))
        same("entries of revaluations", said, sorted(entry for entry in self.booked if entry[2]))

    def send(self, currency, month):
        return self.service.act(
            "/v1/revaluations", {"currency": currency, "month": month}, f"{currency}/{month}/{time.time()}", "finance")
