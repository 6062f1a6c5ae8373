"""Disputes of payments, and what the gateway's record of a payment leads to."""

import settings

from .journal import Refused
from .payments import Payments
from .wallets import by_kind


class Dispute:
    def __init__(self):
        self.id, self.status = None, "open"


class Disputes(Payments):
    def is_disputed(self, purchase):
        return any(dispute.status == "open" for dispute in purchase.disputes)

    def dispute(self, purchase, now):
        purchase.disputes.append(Dispute())
        purchase.lose_disputes()
        self.freeze(purchase, now)
        return purchase.disputes[-1]

    def to_freeze(self, purchase, now):
        """What is unused of a disputed purchase and has not expired."""
        if not settings.FREEZES_DISPUTED or not self.is_disputed(purchase):
            return []
        return [(lot, lot.remaining) for lot in self.lots_of(purchase) if lot.remaining and not lot.is_expired(now)]

    def freeze(self, purchase, now):
        chosen = self.to_freeze(purchase, now)
        self.move(chosen, "remaining", "frozen")
        self.post(
            "dispute_hold", *by_kind("Dr", "wallet", purchase.user, chosen),
            *by_kind("Cr", "held", purchase.user, chosen))

    def thaw(self, purchase):
        chosen = [(lot, lot.frozen) for lot in self.lots_of(purchase)]
        self.move(chosen, "frozen", "remaining")
        self.post(
            "dispute_release", *by_kind("Dr", "held", purchase.user, chosen),
            *by_kind("Cr", "wallet", purchase.user, chosen))
        return chosen

    def win(self, dispute, purchase, now):
        dispute.status = "won"
        if not self.is_disputed(purchase):
            returned = self.thaw(purchase)
            self.pay_debt(purchase.user, now, returned)

    def lose(self, dispute, purchase, now):
        """Finance books a dispute as lost: a claw-back of what is left."""
        if purchase.pending or any(refund.status == "approved" for refund in purchase.refunds):
            raise Refused("refund_in_progress")
        dispute.status = "lost"
        purchase.is_booked_as_lost = True
        return self.take(purchase, purchase.rest, now)

    def cancelled(self, purchase, amount, now, tax_free):
        """The gateway cancelled won in its console, or for a lost dispute."""
        purchase.cancel(amount, tax_free)
        self.follow(purchase, now)

    def follow(self, purchase, now):
        """Books what the gateway has cancelled, as far as nothing explains it."""
        if purchase.to_claw_back:
            self.take(purchase, purchase.to_claw_back, now)

    def take(self, purchase, amount, now):
        """A claw-back takes frozen coins too. What is left is frozen while a dispute is open."""
        self.thaw(purchase)
        taken = self.claw_back(purchase, amount, now) if amount else (0, 0)
        purchase.lose_disputes()
        self.freeze(purchase, now)
        return taken
