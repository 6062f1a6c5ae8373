"""The App Store's finance reports: one of each month, of the purchases of all players together."""

import collections
import datetime
import random

from acts import require, today
from model import days, finance_report
from reports import same
from stores import AppStore

HEADER = (
    "Start Date", "End Date", "Vendor Identifier", "Quantity", "Partner Share", "Extended Partner Share",
    "Partner Share Currency", "Sales or Return", "Title", "Customer Price", "Customer Currency")


class FinanceReports:
    def __init__(self, service, players, products, seed):
        self.service, self.players, self.random = service, players, random.Random(f"{seed}/reports")
        self.products = {product["code"]: AppStore.product_id(product) for product in products}
        self.lines = {"sold": 0, "returned": 0}

    def sales(self):
        return [
            finance_report.Sale(
                player.books, purchase, payment["product"], payment["quantity"],
                payment["payload"]["purchaseDate"] / 1000)
            for player in self.players for purchase, payment in player.payments.items()
            # What was paid in other currencies has reports of its own, which are not booked.
            if payment["version"] == AppStore.NAME and not purchase.foreign]

    def settle(self, month):
        """Imports the report of a month that has passed. What was done since does not belong to it."""
        first = datetime.date.fromisoformat(month + "-01")
        until = days.month_end(days.start(first))
        parts = self.parts(until)
        if not parts:
            return
        text = self.text(parts, first, days.day_of(until) - datetime.timedelta(1))
        query = f"format=app-store&paid_out_on={today()}"
        said = self.service.import_settlement(query, text)
        lines = finance_report.book(parts)
        same(("finance report", month), said["settled_now"], lines)
        require(said["settlement"]["rows"]["settled"] == lines, "finance report", said)
        for part in parts:
            self.lines["sold" if part.kind == "S" else "returned"] += len(part.taken)
        same(("finance report again", month), self.service.import_settlement(query, text)["settled_now"], 0)

    def parts(self, until):
        """Apple reports what it has collected: of each product some of the oldest sales and returns, mostly all."""
        sales, parts, kept_back = self.sales(), [], collections.Counter()
        for kind in "RS":
            for product in sorted(self.products):
                open_ones = finance_report.oldest(
                    [sale for sale in sales if sale.product == product], kind, until, kept_back)
                taken = open_ones[:self.random.choice([len(open_ones), self.random.randint(0, len(open_ones))])]
                if taken:
                    price = sum(won for _, won in taken)
                    # Less than the price by taxes and commission; with decimals.
                    micros = self.random.randint(price * 600_000, price * 850_000)
                    parts.append(finance_report.Part(product, kind, taken, micros))
                    if kind == "R":
                        kept_back.update({sale.purchase: won for sale, won in taken})
        return parts

    def text(self, parts, first, last):
        """Rows of a product are of several prices or countries: their sums count. Others are not ours to book."""
        rows = []
        for part in parts:
            product, pieces, micros = self.products[part.product], part.pieces, part.micros
            if pieces > 1:
                some, share = self.random.randint(1, pieces - 1), self.random.randint(1, micros - 1)
                rows.append((part.kind, product, some, share, "KRW"))
                pieces, micros = pieces - some, micros - share
            rows.append((part.kind, product, pieces, micros, "KRW"))
        rows += [("S", product, 1, 700_000, "USD"), ("S", "com.example.theme", 2, 1_400_000_000, "KRW")]
        lines = [HEADER, *(self.row(f"{first:%m/%d/%Y}", f"{last:%m/%d/%Y}", *row) for row in rows),
                 ("Total_Rows", len(rows))]
        return "".join("\t".join(map(str, line)) + "\n" for line in lines)

    @staticmethod
    def row(first, last, kind, product, pieces, micros, currency):
        sign = "" if kind == "S" else "-"
        share = f"{sign}{micros // 1_000_000}.{micros % 1_000_000:06}"
        return first, last, product, f"{sign}{pieces}", "1", share, currency, kind, product, "1200", currency
