"""Purchases in Google Play, what it gives back by itself and for us, and what it pays out."""

import datetime
import time

from model.foreign import DECIMALS

from .player import Actor, require, today

NAME = "google-play"


class Play(Actor):
    WEIGHTS = {"buy_in_play": 5, "refund_in_play": 6, "refund_by_us_in_play": 5, "settle_in_play": 4}

    @property
    def google_play(self):
        return self.stores[NAME]

    def buy_in_play(self):
        done = self.buy_at(NAME, self.give_back_early)
        # Google knows of the delivery before any money goes back: of what was taken back, nothing can be consumed.
        self.require_delivered(list(self.payments)[-1])
        return done

    # What Google gives back

    def give_back_early(self, payment, price):
        """Some pieces, or an amount, but not all."""
        if payment["quantity"] > 1 and self.random.random() < 0.5:
            self.give_pieces_back(payment, self.random.randint(1, payment["quantity"] - 1), notify=False)
        else:
            self.give_amount_back(payment, self.random.randint(1, price - 1))
        return self.google_play.given_back(payment)

    def give_pieces_back(self, payment, pieces, **members):
        self.google_play.change(payment, "refund", quantity=pieces, **members)
        payment["pieces"] = payment.get("pieces", 0) + pieces

    def give_amount_back(self, payment, amount):
        """The buyer keeps the purchase, and Google tells nothing."""
        self.google_play.change(payment, "refund", amount=self.google_play.price(amount, payment["currency"]))
        payment["has_amounts"] = True

    def refund_in_play(self):
        """All, some pieces of several, or an amount. Of what takes nothing back, a later message tells."""
        purchase = self.some_of_store(NAME, lambda purchase: purchase.paid_back < purchase.paid)
        if not purchase:
            return False
        payment, before = self.payments[purchase], purchase.refunded
        left, what = purchase.paid - purchase.paid_back, self.random.choice(["all", "pieces", "amount"])
        pieces, is_told = payment["quantity"] - payment.get("pieces", 0), True
        if what == "pieces" and pieces > 1 and not payment.get("has_amounts"):
            self.give_pieces_back(payment, self.random.randint(1, pieces - 1))
        elif what == "amount" and left > 1:
            self.give_amount_back(payment, self.random.randint(1, left - 1))
            is_told = False
        else:
            what, is_told = "all", self.random.random() < 0.7
            self.google_play.change(payment, "refund", revoke=is_told)
        if not is_told:
            self.google_play.announce(payment)
        payment["is_refund_told"] = True
        self.books.given_back_in_all(purchase, self.google_play.given_back(payment), time.time())
        self.expect_refunded(purchase)
        if purchase.foreign:
            return f"refund a foreign payment in {NAME}"
        return f"refund {what} in {NAME}" if purchase.refunded > before else f"refund in {NAME} what went back already"

    def refund_by_us_in_play(self):
        """Google refunds all that is left of an order, and no part."""
        purchases = [
            purchase for purchase in self.payments
            if self.payments[purchase]["version"] == NAME and purchase.rest and not purchase.foreign
            # Of what went back by transfer too, Google has less left than the books.
            and purchase.cancelled == purchase.given_back]
        purchase = self.some(self.prefer(purchases, self.is_unused), lambda purchase: purchase.user)
        if not purchase:
            return False
        done, _ = self.request(purchase, self.books.refund_whole)
        if done:
            self.payments[purchase]["is_refund_told"] = True
        self.expect_soon(purchase.user)
        return f"refund by us in {NAME}" if done else f"refuse to refund in {NAME}"

    def is_unused(self, purchase):
        return not purchase.refunded and all(lot.remaining == lot.coins for lot in self.books.lots_of(purchase))

    # What Google pays out

    def settle_in_play(self):
        """An earnings file with what was charged for an order, and what was given back of it."""
        purchase = self.some_of_store(NAME, self.to_settle)
        if not purchase:
            return False
        if purchase.foreign:
            return self.settle_foreign_in_play(purchase)
        rows, lines = [], []
        for suffix, amount in self.to_settle(purchase):
            sign, fee, tax = -1 if suffix else 1, amount * 15 // 100, amount // 11
            # The buyer pays it beside what is charged, or Google keeps it.
            on_top, kept = self.random.choice([(0, 0), (tax, 0), (0, tax)])
            rows += [(kind + suffix, sign * won, sign * won) for kind, won in (
                ("Charge", amount - on_top), ("Google fee", -fee), ("Tax", on_top - kept)) if won]
            lines.append((sign * amount, sign * fee, sign * kept))
            self.payments[purchase].setdefault("settled_on", set()).add((today(), suffix))
        said = self.service.import_settlement(
            f"format=google-play&paid_out_on={today()}", self.earnings(self.payments[purchase], rows))
        require(said["settled_now"] == len(lines), "earnings", rows, said)
        for line in lines:
            self.books.settle(purchase, *line)
        return f"settle in {NAME}" if lines[-1][0] > 0 else f"settle what {NAME} keeps back"

    def settle_foreign_in_play(self, purchase):
        """Google pays out in won, at a rate near the published one, and the file has both amounts."""
        rows, lines, payment = [], [], self.payments[purchase]
        for suffix, paid in self.to_settle(purchase):
            sign, rate = -1 if suffix else 1, self.rates.current(payment["currency"])
            gross = max(1, rate.won(paid, payment["currency"]) * self.random.randint(980, 1_020) // 1_000)
            fee = gross * 15 // 100
            rows.append(("Charge" + suffix, sign * gross, sign * paid))
            if fee:
                rows.append(("Google fee" + suffix, -sign * fee, -sign * max(1, paid * 15 // 100)))
            lines.append((sign * paid, sign * gross, sign * fee))
            payment.setdefault("settled_on", set()).add((today(), suffix))
        said = self.service.import_settlement(
            f"format=google-play&paid_out_on={today()}", self.earnings(payment, rows))
        require(said["settled_now"] == len(lines), "earnings", rows, said)
        for line in lines:
            self.books.settle_foreign(purchase, *line)
        return f"settle a foreign payment in {NAME}"

    def to_settle(self, purchase):
        """What no file had of a purchase. A second line of it for a day and direction can't be told from the first."""
        settled, back = purchase.settled_parts, purchase.given_back
        if purchase.foreign:
            settled, back = purchase.foreign.settled_parts, purchase.foreign.refunded
        charged, given_back = 0 if settled["S"] else purchase.paid, back - settled["R"]
        settled_on = self.payments[purchase].get("settled_on", ())
        return [(suffix, amount) for suffix, amount in (("", charged), (" refund", given_back))
                if amount > 0 and (today(), suffix) not in settled_on]

    @staticmethod
    def earnings(payment, rows):
        day, currency = datetime.date.fromisoformat(today()), payment["currency"]

        def units(amount):
            sign, decimals = "-" if amount < 0 else "", DECIMALS[currency]
            digits = f"{abs(amount):0{decimals + 1}}"
            return f"{sign}{digits[:-decimals]}.{digits[-decimals:]}" if decimals else f"{amount}"
        lines = [
            f'{payment["order_id"]},"{day:%b} {day.day}, {day.year}",{kind},{currency},{units(paid)},KRW,{won}'
            for kind, won, paid in rows]
        return "\n".join([
            "Description,Transaction Date,Transaction Type,Buyer Currency,Amount (Buyer Currency),"
            "Merchant Currency,Amount (Merchant Currency)",
            *lines, ""])
