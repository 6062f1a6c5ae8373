"""Disputes of payments, and what the gateway's record of a payment leads to."""

import settings

from .journal import Refused, signed
from .payments import Payments
from .wallets import Use, by_kind


class Dispute:
    def __init__(self):
        self.id, self.status = None, "open"
        self.is_booked, self.loss = False, None  # booked as lost by finance, and what that took


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
        dispute.status, dispute.is_booked = "lost", True
        is_left = purchase.rest > 0
        taken = self.take(purchase, purchase.rest, now)
        dispute.loss = purchase.losses[-1] if is_left else None
        return taken

    def win_back(self, dispute, purchase, now):
        """Finance books a dispute as won that it had booked as lost: what was taken comes back."""
        loss = dispute.loss
        if loss:
            if any(other.is_booked for other in purchase.disputes if other is not dispute):
                raise Refused("dispute_not_reversible")
            self.undo_loss(loss, purchase, now)
        dispute.status, dispute.is_booked, dispute.loss = "won", False, None
        if not self.is_disputed(purchase):
            self.pay_debt(purchase.user, now, self.thaw(purchase))
        return (loss.coins, loss.bonus_coins) if loss else (0, 0)

    def undo_loss(self, loss, purchase, now):
        """What is still owed, or was written off, ends; what was paid comes back as coins of the payment."""
        user, (paid, bonus) = purchase.user, self.lots_of(purchase)
        owed_paid, owed_bonus = loss.owed
        left = min(owed_paid + owed_bonus, self.debt(user))
        given_up = max(0, min(
            owed_paid + owed_bonus - left, self.written_off[user], purchase.owed - purchase.owed_again - left))
        repaid = owed_paid + owed_bonus - left - given_up
        back = min(repaid, owed_paid), repaid - min(repaid, owed_paid)
        coins = loss.paid[0] + loss.paid[1] + back[0], loss.bonus[0] + loss.bonus[1] + back[1]
        for lot, number in zip((paid, bonus), coins):
            if number > lot.coins - lot.remaining - lot.held - lot.expired:
                raise Refused("dispute_not_reversible")

        won = loss.paid[2] + loss.paid[3]
        revenue = loss.amount - won
        if back[0] and revenue > 0:
            won += max(0, min(
                revenue * back[0] // owed_paid, paid.price * back[0] // paid.coins,
                paid.price - paid.deferred - paid.breakage - won))
        won = won if coins[0] else 0
        if given_up:
            self.written_off[user] -= given_up
            purchase.owed_again += given_up
            self.post(
                "debt_write_off_reversal", ("Dr", f"debt:{user}", given_up, "COIN"),
                ("Cr", "coins:written-off", given_up, "COIN"))
        grace = settings.RETURN_GRACE
        self.put_back([Use(paid, coins[0], won)], now, grace if coins[0] > loss.paid[1] else 0)
        self.put_back([Use(bonus, coins[1], 0)], now, grace if coins[1] > loss.bonus[1] else 0)
        paid.used, bonus.used = paid.used - back[0], bonus.used - back[1]
        purchase.refunded -= loss.amount
        if purchase.foreign:
            purchase.foreign.refunded -= loss.foreign_amount
        purchase.taken -= loss.coins
        purchase.charged -= loss.charged
        purchase.bonus_settled -= loss.bonus_coins
        self.post(
            "claw_back_reversal", ("Cr", f"wallet:{user}:paid", coins[0], "COIN"),
            ("Cr", f"wallet:{user}:bonus", coins[1], "COIN"), ("Cr", f"debt:{user}", left + given_up, "COIN"),
            ("Dr", "coins:issued", loss.coins, "COIN"), ("Dr", "coins:promotions", loss.bonus_coins, "COIN"),
            ("Cr", "coins:deferred-revenue", won, "KRW"), signed("Cr", "Dr", "revenue:coins", loss.amount - won),
            ("Dr", purchase.receivable, loss.amount, "KRW"), *purchase.foreign_lines(loss.foreign_amount))
        if left + given_up:
            noted, present = loss.earlier
            purchase.owed = purchase.owed_again + min(purchase.owed - purchase.owed_again, noted)
            self.present[user][purchase] = min(self.present[user][purchase], present)
            self.end_debt(user)
        for lot, expired, breakage in ((paid, loss.paid[1], loss.paid[3]), (bonus, loss.bonus[1], None)):
            if expired:
                self.expire_lot(user, lot, expired, breakage)
        self.pay_debt(user, now, [(paid, coins[0] - loss.paid[1]), (bonus, coins[1] - loss.bonus[1])])

    def cancelled(self, purchase, amount, now, tax_free):
        """The gateway cancelled so much of the payment in its console, or for a lost dispute."""
        purchase.cancel(amount, tax_free)
        self.follow(purchase, now)

    def follow(self, purchase, now):
        """Books what the gateway has cancelled, as far as nothing explains it, and what the store took back of it: claw-backs
        are reversed, the last first, and what is too much is clawed back again. Without a place for the coins nothing
        moves."""
        is_taken_back = purchase.to_restore > 0
        try:
            while purchase.to_restore:
                self.undo_loss(purchase.losses[-1], purchase, now)
                purchase.losses.pop()
        except Refused:
            return
        if purchase.to_claw_back:
            self.take(purchase, purchase.to_claw_back, now)
            if is_taken_back:
                # The rest of a refund that was taken back in part: it went back once.
                purchase.gone_back.pop()

    def take(self, purchase, amount, now):
        """A claw-back takes frozen coins too. What is left is frozen while a dispute is open."""
        self.thaw(purchase)
        taken = self.claw_back(purchase, amount, now) if amount else (0, 0)
        purchase.lose_disputes()
        self.freeze(purchase, now)
        return taken
