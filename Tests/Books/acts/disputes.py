"""Disputes: what the gateway tells, and what finance decides."""

import time

from .player import BY_WEBHOOK, Actor, require


# ledgerd looks at a new payment again if it saw its webhook before its receipt. A look freezes coins that came back, so
# payments are disputed only so many seconds after they were made.
LOOKED_AT = 20


class Disputes(Actor):
    WEIGHTS = {"dispute": 7, "win_dispute": 2, "lose_dispute": 3, "decide_dispute": 4, "win_back_dispute": 3, "report_again": 3}

    def some_disputed(self, is_wanted=lambda dispute: dispute.status == "open"):
        pairs = [(dispute, purchase) for purchase in self.payments for dispute in purchase.disputes
                 if is_wanted(dispute) and not purchase.pending]
        return self.some(pairs, lambda pair: pair[1].user, BY_WEBHOOK) or (None, None)

    def expect_dispute(self, dispute, purchase):
        """Waits until the service lists it: a new one among all, a decided one among those of its status."""
        others = {other.id for other in purchase.disputes if other is not dispute}
        path = "/v1/disputes" + (f"?status={dispute.status}" if dispute.id else "")

        def listed():
            disputes = self.service.pages(path, "disputes", "finance")
            return [said for said in disputes if said["purchase_id"] == purchase.number and said["id"] not in others]
        said = self.eventually(listed, len)
        require([line["status"] for line in said] == [dispute.status], "dispute", said, "books", dispute.status)
        dispute.id = said[0]["id"]
        self.settle_expiry(purchase.user, 0)

    def dispute(self):
        """V1 shows no disputes, and V2 none of payments of which a part was cancelled."""
        purchase = self.some_purchase(
            lambda purchase: self.payments[purchase]["version"] == "V2" and not purchase.cancelled
            and not purchase.pending and not self.payments[purchase]["is_disputed"]
            and time.time() - self.payments[purchase]["paid_at"] > LOOKED_AT, BY_WEBHOOK)
        if not purchase:
            return False
        self.gateway.change(self.payments[purchase], dispute="open", reason="not delivered")
        self.payments[purchase]["is_disputed"] = True
        self.expect_dispute(self.books.dispute(purchase, time.time()), purchase)
        return True

    def end_at_gateway(self, outcome):
        dispute, purchase = self.some_disputed()
        # The gateway ends only what it still shows.
        if not dispute or purchase.cancelled:
            return None, None
        self.gateway.change(self.payments[purchase], dispute=outcome)
        self.payments[purchase]["is_disputed"] = False
        return dispute, purchase

    def win_dispute(self):
        dispute, purchase = self.end_at_gateway("win")
        if not dispute:
            return False
        self.books.win(dispute, purchase, time.time())
        self.expect_dispute(dispute, purchase)
        return True

    def lose_dispute(self):
        dispute, purchase = self.end_at_gateway("lose")
        if not dispute:
            return False
        self.books.cancelled(
            purchase, purchase.paid - purchase.paid_back, time.time(), purchase.tax_free_left)
        self.expect_refunded(purchase)
        self.expect_dispute(dispute, purchase)
        return True

    def decide_dispute(self):
        dispute, purchase = self.some_disputed(lambda dispute: dispute.status in ("open", "won"))
        if not dispute:
            return False
        before = dispute.status
        outcome = self.random.choice(["won", "lost"]) if before == "open" else "lost"
        decide = self.books.lose if outcome == "lost" else self.books.win
        done, answer = self.act(
            f"/v1/disputes/{dispute.id}/decisions", {"outcome": outcome, "reason": "letter"},
            lambda: decide(dispute, purchase, time.time()) or (0, 0), "finance")
        if done:
            said = answer.json["status"], answer.json["coins"], answer.json["bonus_coins"]
            require(said == (outcome, *done), "decision", answer, "books", outcome, done)
        return f"decide that a dispute was {outcome}" + (" after all" if before == "won" else "")

    def win_back_dispute(self):
        """Of a payment that the gateway cancelled after all, a look would take it again."""
        dispute, purchase = self.some_disputed(lambda dispute: dispute.is_booked)
        if not dispute or purchase.cancelled:
            return False
        done, answer = self.act(
            f"/v1/disputes/{dispute.id}/decisions", {"outcome": "won", "reason": "letter"},
            lambda: self.books.win_back(dispute, purchase, time.time()), "finance")
        if done:
            said = answer.json["status"], answer.json["coins"], answer.json["bonus_coins"]
            require(said == ("won", *done), "decision", answer, "books", done)
        return "win a dispute after its loss" if done else "refuse to win a dispute after its loss"

    def report_again(self):
        """Coins that came back meanwhile are frozen too, as long as the gateway shows the dispute.

        If none came back, nothing would tell when ledgerd has looked, and it could freeze what comes back next.
        """
        dispute, purchase = self.some_disputed()
        if not dispute or not self.can_freeze(purchase):
            return False
        self.look_and_freeze(purchase)
        self.expect_soon(purchase.user)
        return True

    def can_freeze(self, purchase):
        return not purchase.cancelled and self.books.to_freeze(purchase, time.time())

    def look_and_freeze(self, purchase):
        self.gateway.report(self.payments[purchase])
        self.books.freeze(purchase, time.time())

    def settle_after_hours(self, user):
        """Books what ledgerd did by itself: expiries, and the freezing of coins that came back.

        It may not have looked at each payment yet, so the gateway reports them again.
        """
        self.last_user = user
        with self.books.in_any_order(user):
            self.books.expire(user, time.time())
            for purchase in self.payments:
                if purchase.user == user and self.can_freeze(purchase):
                    self.look_and_freeze(purchase)
            self.settle_expiry(user)
