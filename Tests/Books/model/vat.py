"""VAT as a state of the lots: docs/vat.md."""

import collections

import settings

from .journal import Journal, signed


def contained(won):
    """The VAT in won that include it: 10/110, rounded towards zero."""
    return won // 11 if won >= 0 else -(-won // 11)


class TaxedLot:
    """The rule of a lot's sale: none of bonus coins, or if VAT was off. What has VAT follows from what is kept of the
    purchase, not from what each act recognised."""

    def __init__(self, rule):
        self.rule, self.reported = rule, (0, 0, 0, 0)
        self.provided = 0  # won that providers supplied, whose agent we are
        self.taxed_breakage = 0  # of expired coins that were supplied when they expired
        self.given = 0  # won that went with coins which were given away, less those that came back
        self.began = 0  # of given coins: the won from which the VAT of the lot that they left goes on

    @property
    def kept(self):
        """The won of the price that did not go back, that no provider got, and that are no fee."""
        gone = self.purchase.refunded + self.purchase.fees if self.purchase else 0
        return self.price - gone - self.provided - self.given

    @property
    def vat(self):
        """The won that are supplied so far, their VAT, the part that was paid ahead, and that in breakage: what is
        missing to the VAT of used coins. Won that went back before their coins were used or expired have none then."""
        if not self.rule:
            return 0, 0, 0, 0
        used = self.began + self.kept - self.deferred - self.breakage
        recognised = used + self.taxed_breakage
        supplied = max(0, recognised + self.deferred if self.rule == "at_sale" else recognised)
        used, recognised = max(0, used), max(0, recognised)
        if self.rule == "exempt":
            return supplied - self.began, 0, 0, 0
        return (
            supplied - self.began, contained(supplied), contained(supplied) - contained(recognised),
            contained(recognised) - contained(used))

    def began_of_given(self):
        """From which won on the VAT of coins that just left it is counted."""
        return (self.began + self.kept - self.breakage + self.taxed_breakage) % 11 if self.rule else 0

    def supply_breakage(self, won):
        """Coins expire, which is a supply if the setting says so."""
        if self.rule and settings.VAT_BREAKAGE:
            self.taxed_breakage += won

    def take_back_breakage(self, won):
        """Breakage is taken back, with its share of what was supplied."""
        is_all = won == self.breakage
        self.taxed_breakage -= self.taxed_breakage if is_all else self.taxed_breakage * won // self.breakage
        self.breakage -= won

    def provide(self, won):
        """A provider supplies a part of the won that were recognised; below zero: no longer."""
        self.provided += won


class Vat(Journal):
    def __init__(self):
        super().__init__()
        self.lots = collections.defaultdict(list)
        self.supplies = collections.Counter()  # won by rule, kind of entry, and column of the report

    def post(self, kind, *lines, revenue="revenue:coins"):
        """Adds the VAT that arose in lots since the entry before, and takes it out of the revenue and the breakage."""
        owed = ahead = in_breakage = 0
        for lot in (lot for lots in self.lots.values() for lot in lots if lot.rule):
            before, lot.reported = lot.reported, lot.vat
            won, vat, deferred, breakage = (new - old for new, old in zip(lot.reported, before))
            self.report(lot.rule, kind, **(
                {"exempt_supply": won} if lot.rule == "exempt" else {"taxable_supply": won - vat, "output_vat": vat}))
            owed, ahead, in_breakage = owed + vat, ahead + deferred, in_breakage + breakage
        super().post(
            kind, *lines, signed("Cr", "Dr", "tax:vat-payable", owed), signed("Dr", "Cr", "tax:vat-deferred", ahead),
            signed("Dr", "Cr", "revenue:breakage", in_breakage),
            signed("Dr", "Cr", revenue, owed - ahead - in_breakage))

    def fee_vat(self, lot, fee):
        """The VAT in the fee of a refund. That of exempt coins is part of an exempt supply."""
        return contained(fee) if settings.VAT_REFUND_FEES and lot.rule in ("at_use", "at_sale") else 0

    def report_fee(self, kind, lot, fee, sign=1):
        if settings.VAT_REFUND_FEES and lot.rule == "exempt":
            self.report("exempt", kind, exempt_supply=sign * fee)
        elif settings.VAT_REFUND_FEES and lot.rule:
            vat = self.fee_vat(lot, fee)
            self.report("refund_fees", kind, taxable_supply=sign * (fee - vat), output_vat=sign * vat)

    def report(self, rule, kind, **won):
        for column, amount in won.items():
            self.supplies[rule, kind, column] += amount
