"""Purchases in the App Store, and what it gives back."""

import collections
import time

from model import Refused, refunded_in_store

from .player import BY_WEBHOOK, Actor, given, require

WHOLE = 100_000  # the App Store tells a part in thousandths of a percent


class Stores(Actor):
    WEIGHTS = {"buy_in_store": 5, "refund_by_us_in_store": 1, "refund_in_store": 6, "tell_late": 2}

    def some_of_store(self, is_wanted=lambda purchase: True):
        return self.some_purchase(lambda purchase: purchase.is_of_store and is_wanted(purchase), BY_WEBHOOK)

    def buy_in_store(self):
        """Some pieces of a product, at a price that only the store knows. The purchase names its user or not."""
        user, product = self.some_user(), self.random.choice(self.products)
        quantity, price = self.random.choice([1, 1, 2, 3, 7]), self.random.randint(900, 40_000)
        is_named = self.random.random() < 0.7
        # Told or presented first: a purchase that names its user is credited by either.
        is_told = is_named and self.random.random() < 0.5
        bought = self.stores.buy(**given(
            product_id=self.stores.product_id(product), quantity=quantity, price=price * 1000,
            app_account_token=self.service.store_account(user) if is_named else None,
            notify=is_told))
        require(is_told or not self.stores.find(bought)["finished_at"], "finished before it was credited", bought)
        # Given back before it is credited: some won, and not all. Who is told earlier credits the whole.
        part = 0
        if not is_told and self.random.random() < 0.3:
            pieces = [WHOLE * count // quantity for count in range(1, quantity)]
            part = self.random.choice(pieces + [self.random.randint(WHOLE // 100, WHOLE * 9 // 10)])
            self.stores.refund(bought, part, notify=False)
        given_back = refunded_in_store(price, part, quantity)
        answer = self.service.present_jws(user, bought["signed_transaction"])
        require(answer.status in (200, 201), "receipt", answer)
        said = answer.json["purchase"]
        wanted = {
            "gateway": "app-store", "amount": price, "coins": product["coins"] * quantity,
            "bonus_coins": product["bonus"] * quantity, "refunded_amount": given_back}
        require({name: said[name] for name in wanted} == wanted, "purchase", said, "books", wanted)
        # A store forbids that coins expire.
        purchase = self.credit(
            user, said, {**product, "coin_days": 0, "bonus_coin_days": 0}, receivable="app-store:receivable",
            given_back=given_back)
        self.payments[purchase] = {
            "version": "app-store", "transaction_id": bought["transaction_id"], "quantity": quantity,
            "part": part, "is_refund_told": False, "is_decided_later": False, "is_disputed": False, "paid_at": time.time()}
        self.compare_balance(user, answer.json["balance"])
        if given_back:
            return "buy in a store what it gave back in part"
        return "buy pieces in a store" if quantity > 1 else "buy in a store"

    def refund_by_us_in_store(self):
        """The store alone gives back what it sold."""
        purchase = self.some_of_store()
        if not purchase:
            return False

        def refuse(*_):
            raise Refused("refund_by_store")
        self.request(purchase, refuse)
        return "refuse to refund what a store sold"

    def refund_in_store(self):
        """All, some pieces or any part; sometimes told of only after several steps, of which the last counts."""
        purchase = self.some_of_store(lambda purchase: self.payments[purchase]["part"] < WHOLE)
        if not purchase:
            return False
        payment = self.payments[purchase]
        steps = sorted({self.some_part(payment) for _ in range(self.random.choice([1, 1, 2]))})
        for part in steps[:-1]:
            self.stores.refund(payment, part, notify=False)
        payment["part"] = steps[-1]
        self.stores.refund(payment, payment["part"])
        payment["is_refund_told"] = True
        total = refunded_in_store(purchase.amount, payment["part"], payment["quantity"])
        before = purchase.refunded
        self.books.cancelled(purchase, total - purchase.cancelled, time.time(), 0)
        self.expect_refunded(purchase)
        if purchase.refunded == before:
            return "refund in a store what went back already"
        return "refund in a store" if payment["part"] == WHOLE else "refund a part in a store"

    def some_part(self, payment):
        """More than went back until now: all, whole pieces as the store writes them, or anything between."""
        pieces = [WHOLE * count // payment["quantity"] for count in range(1, payment["quantity"] + 1)]
        parts = [WHOLE, self.random.choice(pieces), self.random.randint(payment["part"] + 1, WHOLE)]
        return self.random.choice([part for part in parts if part > payment["part"]])

    def tell_late(self):
        """A message comes again, also one from before a later refund: it changes nothing."""
        purchase = self.some_of_store(lambda purchase: self.payments[purchase]["is_refund_told"])
        if not purchase:
            return False
        self.stores.tell_again(self.payments[purchase], self.random.choice)
        self.expect_refunded(purchase)
        return True

    def expect_finished(self):
        """ledgerd tells the store that each purchase is delivered, once it is credited."""
        for purchase in filter(lambda purchase: purchase.is_of_store, self.payments):
            payment = self.payments[purchase]
            said = self.eventually(lambda: self.stores.find(payment), lambda said: said["finished_at"])
            require(said["finished_at"], "not finished", said)

    def owed_by_store(self):
        sums = collections.Counter()
        for purchase in self.payments:
            sums[purchase.receivable] += purchase.outstanding
        return sums
