"""VAT as a state of the lots: docs/vat.md."""

import collections

from .journal import Journal, signed


def contained(won):
    """The VAT in won that include it: 10/110, rounded towards zero."""
    return won // 11 if won >= 0 else -(-won // 11)


class TaxedLot:
    """What a lot has recognised for supplies, and the rule of its sale: none of bonus coins, or if VAT was off."""

    def __init__(self, rule):
        self.rule, self.taxed, self.reported = rule, 0, (0, 0, 0)

    @property
    def vat(self):
        """The won that are supplied so far, their VAT, and the part of it that was paid ahead."""
        recognised = max(0, self.taxed)
        supplied = max(0, self.taxed + self.deferred) if self.rule == "at_sale" else recognised
        if self.rule == "exempt":
            return supplied, 0, 0
        return supplied, contained(supplied), contained(supplied) - contained(recognised)

    def take_back_supply(self, won):
        """A claw-back of won that are neither deferred nor breakage. They can be more than what was recognised."""
        self.taxed -= won

    def provide(self, won):
        """A provider supplies a part of the won that were recognised; below zero: no longer."""
        self.taxed -= won


class Vat(Journal):
    def __init__(self):
        super().__init__()
        self.lots = collections.defaultdict(list)
        self.supplies = collections.Counter()  # won by rule, kind of entry, and column of the report

    def post(self, kind, *lines, revenue="revenue:coins"):
        """Adds the VAT that arose in lots since the entry before, and takes it out of the revenue."""
        owed = ahead = 0
        for lot in (lot for lots in self.lots.values() for lot in lots if lot.rule):
            before, lot.reported = lot.reported, lot.vat
            won, vat, deferred = (new - old for new, old in zip(lot.reported, before))
            self.report(lot.rule, kind, **(
                {"exempt_supply": won} if lot.rule == "exempt" else {"taxable_supply": won - vat, "output_vat": vat}))
            owed, ahead = owed + vat, ahead + deferred
        super().post(
            kind, *lines, signed("Cr", "Dr", "tax:vat-payable", owed), signed("Dr", "Cr", "tax:vat-deferred", ahead),
            signed("Dr", "Cr", revenue, owed - ahead))

    def report(self, rule, kind, **won):
        for column, amount in won.items():
            self.supplies[rule, kind, column] += amount
