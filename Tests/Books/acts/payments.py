"""Refunds by the gateway and by bank transfer, cancellations at the gateway, settlements, owed coins."""

import time

import settings
from model import Refused

from .orders import units
from .player import BY_WEBHOOK, Actor, given, require, today


# A refund that was requested so many seconds ago at most has been looked for twice at most. After the third look, it is
# refused for good by a fourth one.
YOUNG, UNTIL_REFUSED = 30, 240


class Payments(Actor):
    WEIGHTS = {
        "refund": 9, "decide_refund": 8, "transfer": 6, "pay_transfer": 3, "reverse_transfer": 4,
        "repay_transfer": 2, "cancel": 8,
        "settle": 4, "pay_debt": 4, "write_off": 6,
    }

    # Refunds

    def request(self, purchase, plan, **members):
        """Asks for a quote, and then for the refund."""
        coins, is_waived = self.part(purchase.coins), self.random.random() < 0.2
        self.compare_quote(purchase, coins, is_waived)
        done, answer = self.act(
            f"/v1/purchases/{purchase.number}/refunds",
            given(reason="try", coins=coins, fee_waiver="kind" if is_waived else None, **members),
            lambda: plan(purchase, coins, is_waived, self.now))
        if done:
            done.id, done.requested_at = answer.json["refund"]["id"], self.now
            said = {name: answer.json["refund"].get(name) for name in done.members()}
            require(said == done.members(), "refund", said, "books", done.members())
            if answer.status == 201:
                self.compare_tax_free(done, answer.json["refund"])
        return done, answer

    def compare_quote(self, purchase, coins=None, is_waived=False):
        options = (f"&coins={coins}" if coins else "") + ("&fee_waived=true" if is_waived else "")
        said = self.service.get(f"/v1/purchases/{purchase.number}/refund-quote?{options[1:]}").json
        try:
            quote = self.books.quote(purchase, time.time(), coins, is_waived)
            ours = {**quote.members(), "expired": self.quoted_expired(quote), "refundable": not purchase.is_refunded_by_store_alone}
            if purchase.is_refunded_by_store_alone:
                ours["reason"] = "refund_by_store"
        except Refused as refused:
            ours = {"refundable": False, "reason": str(refused)}
        said.get("expired", {}).pop("until", None)
        require({name: said.get(name) for name in ours} == ours, "quote", said, "books", ours, vars(purchase))

    @staticmethod
    def compare_tax_free(refund, said):
        require(said.get("tax_free_amount") == refund.tax_free, "refund", said, "books", vars(refund))

    def quoted_expired(self, quote):
        refundable = self.books.refundable(quote.purchase, time.time())[1]
        return {
            "refundable_coins": refundable, "percent": settings.EXPIRED_PERCENT, "coins": quote.expired_coins,
            "value": quote.expired_value, "fee": quote.expired_fee} if refundable else None

    def has_expired(self, purchase):
        return self.books.refundable(purchase, time.time())[1]

    def refund(self):
        # The gateway reports that it will decide later. If that freezes coins of a dispute, it does so at any time.
        purchases = [purchase for purchase in self.payments
                     if not purchase.is_of_store
                     and not (self.payments[purchase]["is_decided_later"] and self.books.is_disputed(purchase))]
        purchases = self.prefer(purchases, self.has_expired)
        purchase = self.some(
            self.prefer(purchases, lambda purchase: self.payments[purchase]["is_decided_later"] and purchase.rest),
            lambda purchase: purchase.user)
        if not purchase:
            return False
        is_decided_later = self.payments[purchase]["is_decided_later"]
        plan = self.books.request_refund if is_decided_later else self.books.refund
        done, answer = self.request(purchase, plan)
        if not done:
            return True
        require(answer.status == 202 or not is_decided_later, "pending refund", answer)
        self.expect_soon(purchase.user)
        if purchase.foreign:
            return f"refund of a foreign payment, {done.rule}"
        return "refund, decided later" if is_decided_later else f"refund, {done.rule}"

    def decide_refund(self):
        """The gateway decides a cancellation that it was asked for."""
        purchase = self.some_purchase(lambda purchase: purchase.pending, BY_WEBHOOK)
        if not purchase:
            return False
        # ledgerd takes its time for refusals, so none is left for the end, and most users can go on.
        refund = purchase.pending
        is_done = (
            self.random.random() < 0.4 or self.counts.total() > self.middle or len(self.refusing) > 1
            or not self.is_young(refund))
        if is_done:
            self.complete_refund(purchase)
            return "refund completed later"
        self.gateway.change(self.payments[purchase], cancellation_status="FAILED")
        self.refusing[purchase.user] = refund
        return "refund of expired coins refused later" if refund.expired_coins else "refund refused later"

    def complete_refund(self, purchase):
        """The gateway carries a pending refund out."""
        refund = purchase.pending
        self.gateway.change(self.payments[purchase], cancellation_status="SUCCEEDED")
        self.books.complete(refund)
        said = self.eventually(lambda: self.status(refund), lambda said: said == "completed")
        require(said == "completed", "refund", refund.id, said)
        self.compare_tax_free(refund, self.service.get(f"/v1/refunds/{refund.id}").json)
        self.expect_soon(purchase.user)

    def complete_refunds(self):
        """All that are pending, for the doctor reports those that are for a day."""
        for purchase in self.payments:
            if purchase.pending:
                with self.both_sides("completed refund"):
                    self.settle_expiry(purchase.user, BY_WEBHOOK)
                    self.complete_refund(purchase)

    @staticmethod
    def is_young(refund):
        """Whether ledgerd will soon look for the decision: the longer it waits, the more seldom it looks."""
        return time.time() - refund.requested_at < YOUNG

    def status(self, refund):
        return self.service.get(f"/v1/refunds/{refund.id}").json["status"]

    def finish_refunds(self, is_patient=False):
        """ledgerd reads a refused refund again after 30 s. Meanwhile nothing is done to its user."""
        for user, refund in list(self.refusing.items()):
            is_refused = self.status(refund) == "refused"
            if is_patient and not is_refused:
                said = self.eventually(lambda: self.status(refund), lambda said: said == "refused", UNTIL_REFUSED)
                is_refused = said == "refused"
                require(is_refused, "refund", refund.id, "was refused by the gateway, and is", said)
            if is_refused:
                del self.refusing[user]
                self.books.release(refund, time.time())

    def transfer(self):
        purchases = [purchase for purchase in self.payments if not purchase.foreign]
        purchase = self.some(self.prefer(purchases, self.has_expired), lambda purchase: purchase.user)
        if not purchase:
            return False
        done, answer = self.request(purchase, self.books.approve_refund, method="bank_transfer")
        if not done:
            return "transfer"
        require(answer.json["refund"]["status"] == "approved", "transfer", answer)
        self.transfers.append(done)
        return "transfer" if done.rule == "percentage" else f"transfer, {done.rule}"

    def decide_transfer(self, what, body, plan, status="approved"):
        waiting = self.prefer(self.transfers, lambda refund: refund.status == status)
        refund = self.some(
            self.prefer(waiting, lambda refund: refund.purchase.cancelled), lambda refund: refund.purchase.user)
        if not refund:
            return None, False
        done, answer = self.act(
            f"/v1/refunds/{refund.id}/{what}", body, lambda: plan(refund), "finance")
        if done:
            require(answer.json["refund"]["status"] == refund.status, what, answer, "books", refund.status)
        return refund, bool(done)

    def pay_transfer(self):
        return bool(self.decide_transfer(
            "payment", {"paid_at": today(), "bank_reference": "transfer"}, self.books.pay_refund)[0])

    def reverse_transfer(self):
        return self.return_transfer(
            "reverse transfer", "reversal", {"reason": "account closed"}, self.books.reverse_refund)

    def repay_transfer(self):
        return self.return_transfer(
            "repay transfer", "repayment", {"paid_at": today(), "bank_reference": "back"}, self.books.repay_refund,
            "completed")

    def return_transfer(self, name, what, body, plan, status="approved"):
        """The coins of a refund come back, and its payment is reviewed."""
        asked_at = time.time()
        refund, is_done = self.decide_transfer(what, body, lambda refund: plan(refund, self.now), status)
        if not is_done:
            return bool(refund)
        purchase = refund.purchase
        if purchase.to_claw_back or purchase.to_restore:
            # The gateway cancelled the same money: a review of the payment takes the coins that came back. What a store took
            # back can have a place now.
            self.look_again(purchase)
            return f"{name}, and claw back"
        if self.books.is_disputed(purchase):
            # The review freezes what came back if the gateway still shows the dispute. A later one would freeze more.
            if self.payments[purchase]["is_disputed"] and not purchase.cancelled:
                self.books.freeze(purchase, time.time())
            self.eventually(lambda: self.gateway.was_asked(self.payments[purchase], asked_at), bool)
            self.expect_soon(purchase.user)
        return f"{name} of expired coins" if refund.expired_coins else name

    # Cancellations at the gateway

    def look_again(self, purchase):
        """The gateway reports the payment as it is, and ledgerd books what it did not know."""
        if purchase.is_of_store:
            self.store_of(purchase).announce(self.payments[purchase])
        else:
            self.gateway.report(self.payments[purchase])
        self.books.follow(purchase, time.time())
        self.expect_refunded(purchase)

    def expect_refunded(self, purchase):
        path = f"/v1/users/{purchase.user}/purchases/{purchase.number}"
        said = self.eventually(
            lambda: self.service.get(path).json, lambda said: said["refunded_amount"] == purchase.refunded)
        require(said["refunded_amount"] == purchase.refunded, "refunded_amount", said, "books", vars(purchase))
        if purchase.foreign:
            require(
                said["foreign"]["refunded_amount"] == purchase.foreign.refunded, "foreign", said, "books",
                vars(purchase.foreign))
        self.expect_soon(purchase.user)

    def cancel(self):
        # What the gateway cancels while it decides about a refund is left to the tests of ledgerd.
        purchases = [purchase for purchase in self.payments
                     if purchase.paid_back < purchase.paid and not purchase.pending and not purchase.is_of_store]
        purchase = self.some(
            self.prefer(purchases, lambda purchase: purchase.transferred), lambda purchase: purchase.user, BY_WEBHOOK)
        if not purchase:
            return False
        left = purchase.paid - purchase.paid_back
        amount = self.random.choice([left, self.random.randint(1, left)])
        # The console chooses a part of its own, as far as both parts are left.
        taxable = left - purchase.tax_free_left
        tax_free = self.random.randint(max(0, amount - taxable), min(amount, purchase.tax_free_left))
        before, currency = purchase.refunded, self.payments[purchase].get("currency", "KRW")
        self.gateway.cancel(self.payments[purchase], units(amount, currency), units(tax_free, currency))
        self.books.cancelled(purchase, amount, time.time(), tax_free)
        self.expect_refunded(purchase)
        if purchase.foreign:
            return "cancel a foreign payment" + (" after a refund" if purchase.refunds else "")
        return "cancel" if purchase.refunded - before == amount else "cancel what went back already"

    # Money

    def settle(self):
        """The gateway pays out a payment, or keeps back what was refunded since."""
        purchase = self.some_purchase(
            lambda purchase: purchase.outstanding < 0 and self.is_settled_in_won(purchase)) or self.some_purchase(
            lambda purchase: purchase.outstanding and self.is_settled_in_won(purchase))
        if not purchase:
            return False
        gross = purchase.outstanding
        sign = 1 if gross > 0 else -1
        fee, tax = sign * (abs(gross) * 3 // 100), sign * (abs(gross) * 3 // 1000)
        name, net = self.payments[purchase]["merchant_uid"], gross - fee - tax
        file = f"order,gross,fee,tax,net,day,nonce\n{name},{gross},{fee},{tax},{net},{today()},{self.key()}\n"
        said = self.service.import_settlement(
            "payment_id=order&gross=gross&fee=fee&tax=tax&net=net&paid_out_at=day", file)
        if said["settled_now"] == 1:
            self.books.settle(purchase, gross, fee, tax)
            return "settle" if gross > 0 else "settle what is kept back"
        # Two lines of a payment for one day are one settlement, as far as ledgerd can tell.
        require(purchase.settled and said["settlement"]["rows"]["refused"] == 1, "settlement", said)
        self.refusals["settled_otherwise"] += 1
        return True

    @staticmethod
    def is_settled_in_won(purchase):
        return not purchase.is_of_store and not purchase.foreign

    def some_debtor(self):
        """Seldom somebody who owes nothing."""
        return self.some(
            [user for user in self.users if self.books.debt(user) or self.random.random() < 0.01], lambda user: user)

    def pay_debt(self):
        user = self.some_debtor()
        if not user:
            return False
        coins, amount = self.part(20), self.random.randint(1, 3000)
        done, answer = self.act(
            f"/v1/users/{user}/debt/payments",
            given(coins=coins, amount=amount, paid_at=today(), bank_reference="owed"),
            lambda: self.books.pay_debt_by_bank(user, coins, amount), "finance")
        require(not done or answer.json["payment"]["coins"] == done, "debt", answer)
        return True

    def write_off(self):
        user = self.some_debtor()
        if not user:
            return False
        coins = self.part(20)
        done, answer = self.act(
            f"/v1/users/{user}/debt/write-offs", given(coins=coins, reason="gone"),
            lambda: self.books.write_off(user, coins), "finance")
        require(not done or answer.json["write_off"]["coins"] == done, "debt", answer)
        return True
