"""Money that moves without coins, or for owed coins: settlements, bank transfers, debts."""

import settings

from .foreign import settled_won
from .journal import Refused, opposite, signed
from .payments import Payments
from .vat import contained


class Money(Payments):
    def settle(self, purchase, gross, fee, tax):
        """The gateway pays out, or keeps back: then all are below zero. A store's tax is of the sale: no input VAT."""
        input_vat = tax if settings.VAT and not purchase.is_of_store else 0
        if input_vat:
            self.report("gateway_fees", "settlement", taxable_purchases=fee, input_vat=tax)
        lines = [
            ("Dr", "bank", abs(gross - fee - tax), "KRW"), ("Dr", "gateway:fees", abs(fee + tax - input_vat), "KRW"),
            ("Dr", "tax:vat-input", abs(input_vat), "KRW"), ("Cr", purchase.receivable, abs(gross), "KRW")]
        self.post("settlement", *(lines if gross > 0 else opposite(lines)))
        purchase.settled += gross
        purchase.settled_parts["S" if gross > 0 else "R"] += abs(gross)

    def settle_foreign(self, purchase, paid, gross, fee):
        """A store pays out won for so much of a payment in another currency.

        What it keeps back is below zero, as are its won."""
        foreign = purchase.foreign
        before = settled_won(purchase.amount, foreign, foreign.settled)
        foreign.settled += paid
        carried = settled_won(purchase.amount, foreign, foreign.settled) - before
        gain, currency = gross - carried, foreign.currency
        self.post(
            "settlement", signed("Dr", "Cr", "bank", gross - fee), signed("Dr", "Cr", "gateway:fees", fee),
            signed("Cr", "Dr", purchase.receivable, carried),
            ("Cr", f"fx:gain:{currency}", max(0, gain), "KRW"), ("Dr", f"fx:loss:{currency}", max(0, -gain), "KRW"),
            *foreign.lines(-paid))
        kind = "S" if paid > 0 else "R"
        purchase.settled += carried
        purchase.settled_parts[kind] += abs(carried)
        foreign.settled_parts[kind] += abs(paid)

    @staticmethod
    def require_approved(refund):
        if refund.status != "approved":
            raise Refused("refund_not_approved")

    def pay_refund(self, refund):
        self.require_approved(refund)
        refund.status = "completed"
        self.post(
            "refund_payment", ("Dr", "refunds:payable", refund.amount, "KRW"), ("Cr", "bank", refund.amount, "KRW"))
        return refund

    def repay_refund(self, refund, now):
        """The payer pays it back to our bank."""
        if refund.status != "completed":
            raise Refused("refund_not_paid")
        if refund.purchase.is_booked_as_lost:
            raise Refused("dispute_decided")
        return self.give_coins_back(refund, now, "bank")

    def reverse_refund(self, refund, now):
        self.require_approved(refund)
        return self.give_coins_back(refund, now, "refunds:payable")

    def give_coins_back(self, refund, now, account):
        refund.status = "reversed"
        paid, bonus = refund.uses
        self.put_back([paid], now, settings.RETURN_GRACE if refund.coins > refund.expired_coins else 0)
        self.put_back([bonus], now)
        refund.count(-1)
        # The user may have another id since.
        names = {"refunds:payable": account} | {
            f"wallet:{refund.user}:{kind}": f"wallet:{refund.purchase.user}:{kind}" for kind in ("paid", "bonus")}
        lines = [(side, names.get(name, name), *rest) for side, name, *rest in refund.lines]
        self.post("refund_reversal", *opposite(lines))
        self.report_fee("refund_reversal", paid.lot, refund.fee, -1)
        refund.purchase.transferred -= refund.amount
        self.refund_ends(refund, now)
        return refund

    def owed(self, user, coins):
        coins = self.debt(user) if coins is None else coins
        if not coins or coins > self.debt(user):
            raise Refused("exceeds_debt")
        return coins

    def pay_debt_by_bank(self, user, coins, amount):
        coins = self.owed(user, coins)
        vat = contained(amount) if settings.VAT else 0
        if vat:
            self.report("debt", "debt_bank_payment", taxable_supply=amount - vat, output_vat=vat)
        self.post(
            "debt_bank_payment", ("Dr", "coins:issued", coins, "COIN"), ("Cr", f"debt:{user}", coins, "COIN"),
            ("Dr", "bank", amount, "KRW"), ("Cr", "revenue:coins", amount - vat, "KRW"),
            ("Cr", "tax:vat-payable", vat, "KRW"))
        self.end_debt(user)
        return coins

    def write_off(self, user, coins):
        coins = self.owed(user, coins)
        self.written_off[user] += coins
        self.given_up.add(user)
        self.post("debt_write_off", ("Dr", "coins:written-off", coins, "COIN"), ("Cr", f"debt:{user}", coins, "COIN"))
        self.end_debt(user)
        return coins
