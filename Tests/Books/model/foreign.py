"""Foreign currencies: docs/accounting.md, payments in foreign currencies and rates, and refunds of them;
docs/decisions/0230; docs/month-end.md, revaluation."""

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
    """What was paid for a purchase in another currency, in minor units. `due`: the account of what its gateway owes."""

    def __init__(self, currency, amount, due):
        self.currency, self.amount, self.due = currency, amount, due
        self.cancelled = 0  # what the gateway has given back, by itself or for us
        self.refunded = 0  # what went back by the books
        self.settled = 0  # what the store paid out
        self.settled_parts = {"S": 0, "R": 0}  # as those of the purchase
        self.by_percentage = 0  # the value of refunds by percentage of unused coins alone
        self.expired_won = 0  # of expired coins that were refunded

    @property
    def rest(self):
        """What did not go back."""
        return self.amount - self.refunded

    def won_back(self, won, back):
        """The won that so much more that goes back is worth: in all, their share of the won is rounded down."""
        return won * (self.refunded + back) // self.amount - won * self.refunded // self.amount

    def lines(self, rise):
        """What is due rises by so much, or falls."""
        return [
            signed("Dr", "Cr", f"{self.due}:{self.currency}", rise, self.currency),
            signed("Cr", "Dr", f"fx:clearing:{self.currency}", rise, self.currency)]


class Part:
    """What a refund gives back in the currency of its payment: the value of unused and of expired coins, and the fees.

    `won`: of the payment, of what is left of it, and of the unused and the expired coins. `takes_expired`: also some of no won."""

    def __init__(self, foreign, won, rest, unused, expired, takes_expired):
        self.foreign, self.won, self.of_expired_won, self.takes_expired = foreign, won, expired, takes_expired
        # To round up each refund by itself, as before: self.at_least(expired).
        of_expired = self.at_least(foreign.expired_won + expired) - self.at_least(foreign.expired_won)
        if foreign.amount > won:
            of_expired = self.not_worth_more(expired)
        # All remaining won are all remaining cents. A smaller part leaves a cent.
        self.value = foreign.rest if unused + expired == rest else max(0, min(
            foreign.rest - 1, self.not_worth_more(unused) + of_expired))
        self.expired = 0 if not expired else min(self.value, of_expired) if unused else self.value
        self.unused = self.value - self.expired
        self.by_percentage = self.percentage_fee = self.expired_fee = 0

    def not_worth_more(self, won):
        """The most minor units whose worth, rounded down, is not more; the fewest that are worth it, if one is worth less
        than a won."""
        return (won * self.foreign.amount + min(self.won, self.foreign.amount) - 1) // self.won

    def at_least(self, won):
        """The fewest minor units that are worth as much."""
        return min(self.foreign.amount, -(-won * self.foreign.amount // self.won))

    @staticmethod
    def kept(percent, value, before):
        """The percentage of the value of this refund and of those before it, rounded down, less the same of those before; never
        all of the value. To count each refund by itself, as before: value * percent // 100."""
        return min((before + value) * percent // 100 - before * percent // 100, max(0, value - 1))

    def charge(self, percent, expired_percent):
        """The fees: of unused coins the percentage, of expired ones what their share leaves. Of a refund of both, that of the
        unused ones is counted by itself."""
        if percent is not None:
            self.by_percentage = self.unused
            self.percentage_fee = self.kept(
                percent, self.unused, 0 if self.takes_expired else self.foreign.by_percentage)
        self.expired_fee = self.kept(
            100 - expired_percent, self.expired, self.at_least(self.foreign.expired_won))

    @property
    def fee(self):
        return self.percentage_fee + self.expired_fee

    @property
    def amount(self):
        return self.value - self.fee

    @property
    def won_of_value(self):
        return self.foreign.won_back(self.won, self.value)

    @property
    def won_of_amount(self):
        return self.foreign.won_back(self.won, self.amount)

    def won_of_expired(self, price):
        """The won of expired coins, and of the fee for them."""
        price = min(price, self.won_of_value)
        return price, min(price, self.won_of_value - self.foreign.won_back(self.won, self.value - self.expired_fee))

    def count(self):
        """The payer has it. The unused coins of a refund that took expired ones, too, do not count for later fees."""
        self.foreign.refunded += self.amount
        self.foreign.expired_won += self.of_expired_won
        if not self.takes_expired:
            self.foreign.by_percentage += self.by_percentage

    def members(self):
        return {"amount": self.amount, "fee": self.fee, "currency": self.foreign.currency}


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
