"""Foreign currencies: docs/accounting.md, payments in foreign currencies and rates; docs/month-end.md, revaluation."""

import fractions

from .journal import Journal, signed

DECIMALS = {"KRW": 0, "USD": 2, "JPY": 0, "KWD": 3}
FOREIGN = tuple(currency for currency in DECIMALS if currency != "KRW")


def carrying(currency):
    return f"fx:clearing:{currency}:KRW"


class Quote:
    """A rate as it is quoted: the digits of `value`, of which `scale` are decimals, for `per` units."""

    def __init__(self, value, scale, per):
        self.value, self.scale, self.per = value, scale, per

    @property
    def text(self):
        digits = f"{self.value:0{self.scale + 1}}"
        return f"{digits[:-self.scale]}.{digits[-self.scale:]}" if self.scale else digits

    def won(self, amount, currency):
        """The worth of minor units, exact and then rounded once: half a won goes to the even number, as round() does."""
        return round(fractions.Fraction(
            amount * self.value, 10 ** (DECIMALS[currency] + self.scale) * self.per))


class ForeignAmount:
    """What was paid for a purchase in another currency, in minor units. `due`: the account of what its store owes."""

    def __init__(self, currency, amount, due):
        self.currency, self.amount, self.due = currency, amount, due
        self.cancelled = 0  # what the store has given back
        self.refunded = 0  # what went back by the books
        self.settled = 0  # what the store paid out
        self.settled_parts = {"S": 0, "R": 0}  # as those of the purchase

    def lines(self, rise):
        """What is due rises by so much, or falls."""
        return [
            signed("Dr", "Cr", f"{self.due}:{self.currency}", rise, self.currency),
            signed("Cr", "Dr", f"fx:clearing:{self.currency}", rise, self.currency)]


def settled_won(won, foreign, settled):
    """The won of so much that is settled in all. Below zero, more was kept back than paid out."""
    if settled < 0:
        return -(won * -settled // foreign.amount)
    return won - won * (foreign.amount - settled) // foreign.amount


class Revaluations(Journal):
    """What is booked at the ends of months, and taken back at once."""

    def book(self, currency, change):
        lines = [
            signed("Dr", "Cr", carrying(currency), change), signed("Cr", "Dr", f"fx:unrealised:{currency}", change)]
        self.post("adjustment", *lines)
        self.post("adjustment", *(("Cr" if side == "Dr" else "Dr", *rest) for side, *rest in lines))


def measure(books):
    """What is open in each currency, and its carrying amount in won."""
    return {
        currency: (
            sum(own.balance(f"fx:clearing:{currency}", currency) for own in books),
            -sum(own.balance(carrying(currency), "KRW") for own in books))
        for currency in FOREIGN}
