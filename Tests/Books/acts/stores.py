"""Purchases in stores; what the App Store gives back, and takes back of that."""

import collections
import time

from model import ForeignAmount, Refused, refunded_in_store

from .player import BY_WEBHOOK, Actor, require

# Most pay in won; the others prices in minor units of their currencies.
CURRENCIES = ["KRW", "KRW", "KRW", "USD", "JPY", "KWD"]
PRICES = {"USD": (99, 3_000), "JPY": (100, 4_000), "KWD": (300, 9_000)}
WHOLE = 100_000  # the App Store tells a part in thousandths of a percent


class Stores(Actor):
    WEIGHTS = {
        "buy_in_store": 5, "refund_by_us_in_store": 1, "refund_in_store": 6, "take_refund_back": 5, "tell_late": 2}

    def some_of_store(self, name, is_wanted=lambda purchase: True):
        return self.some_purchase(
            lambda purchase: self.payments[purchase]["version"] == name and is_wanted(purchase), BY_WEBHOOK)

    def store_of(self, purchase):
        return self.stores[self.payments[purchase]["version"]]

    # Purchases

    def buy_in_store(self):
        def give_back(payment, price):
            """Some pieces, or any part, but not all."""
            quantity = payment["quantity"]
            pieces = [WHOLE * count // quantity for count in range(1, quantity)]
            payment["part"] = self.random.choice(pieces + [self.random.randint(WHOLE // 100, WHOLE * 9 // 10)])
            self.stores["app-store"].refund(payment, payment["part"], notify=False)
            return refunded_in_store(price, payment["part"], quantity)
        return self.buy_at("app-store", give_back)

    def buy_at(self, name, give_back):
        """Some pieces of a product, at a price that only the store knows. The purchase names its user or not.

        `give_back` gives money back of a purchase that is not credited yet. Who is told earlier credits the whole."""
        store, user, product = self.stores[name], self.some_user(), self.random.choice(self.products)
        quantity = self.random.choice([1, 1, 2, 3, 7])
        price = self.random.choice([quantity * self.random.randint(900, 12_000), self.random.randint(900, 40_000)])
        currency = self.random.choice(CURRENCIES)
        if currency != "KRW":
            price = self.random.randint(*PRICES[currency])
        is_named = self.random.random() < 0.7
        # Told or presented first: a purchase that names its user is credited by either.
        is_told = is_named and self.random.random() < 0.5
        bought = store.buy(
            product, quantity, price, self.service.store_account(user) if is_named else None, is_told, currency)
        payment = {
            **bought, "version": name, "currency": currency, "quantity": quantity, "product": product["code"],
            "part": 0, "is_decided_later": False, "is_disputed": False, "paid_at": time.time()}
        require(is_told or not store.is_delivered(payment), "delivered before it was credited", bought)
        given_back = give_back(payment, price) if not is_told and self.random.random() < 0.3 else 0
        answer = self.service.present_of_store(user, store.receipt(bought))
        require(answer.status in (200, 201), "receipt", answer)
        said, won, paid = answer.json["purchase"], price, None
        if currency != "KRW":
            won = self.rates.current(currency).won(price, currency)
            paid = ForeignAmount(currency, price, name + ":receivable")
            same = {"amount": price, "currency": currency, "refunded_amount": given_back}
            require({member: said["foreign"][member] for member in same} == same, "foreign", said, "books", same)
        wanted = {
            "gateway": name, "amount": won, "coins": product["coins"] * quantity,
            "bonus_coins": product["bonus"] * quantity, "refunded_amount": won * given_back // price}
        require({name: said[name] for name in wanted} == wanted, "purchase", said, "books", wanted)
        # A store forbids that coins expire.
        purchase = self.credit(
            user, said, {**product, "coin_days": 0, "bonus_coin_days": 0}, receivable=name + ":receivable",
            given_back=given_back, paid=paid)
        payment["merchant_uid"] = said["merchant_uid"]
        self.payments[purchase] = payment
        self.compare_balance(user, answer.json["balance"])
        if paid:
            return f"buy in {currency} in {name}"
        if given_back:
            return f"buy in {name} what it gave back in part"
        return f"buy pieces in {name}" if quantity > 1 else f"buy in {name}"

    def refund_by_us_in_store(self):
        """The App Store alone gives back what it sold."""
        purchase = self.some_of_store("app-store", lambda purchase: not purchase.foreign)
        if not purchase:
            return False

        def refuse(*_):
            raise Refused("refund_by_store")
        self.request(purchase, refuse)
        return "refuse to refund what app-store sold"

    # What the App Store gives back

    def refund_in_store(self):
        """All, some pieces or any part; sometimes told of only after several steps, of which the last counts."""
        purchase = self.some_of_store("app-store", lambda purchase: self.payments[purchase]["part"] < WHOLE)
        if not purchase:
            return False
        payment, before = self.payments[purchase], purchase.refunded
        steps = sorted({self.some_part(payment) for _ in range(self.random.choice([1, 1, 2]))})
        for part in steps[:-1]:
            self.stores["app-store"].refund(payment, part, notify=False)
        payment["part"] = steps[-1]
        self.stores["app-store"].refund(payment, payment["part"])
        self.follow_app_store(purchase)
        if purchase.refunded == before:
            return "refund in app-store what went back already"
        if purchase.foreign:
            return "refund a foreign payment in app-store"
        return "refund in app-store" if payment["part"] == WHOLE else "refund a part in app-store"

    def some_part(self, payment):
        """More than went back until now: all, whole pieces as the store writes them, or anything between."""
        pieces = [WHOLE * count // payment["quantity"] for count in range(1, payment["quantity"] + 1)]
        parts = [WHOLE, self.random.choice(pieces), self.random.randint(payment["part"] + 1, WHOLE)]
        return self.random.choice([part for part in parts if part > payment["part"]])

    def take_refund_back(self):
        """The App Store takes all back that it gave back; sometimes it gives back again before it tells of that."""
        purchase = self.some_of_store("app-store", lambda purchase: self.payments[purchase]["part"])
        if not purchase:
            return False
        payment, before = self.payments[purchase], purchase.refunded
        payment["part"] = 0
        is_once_more = self.random.random() < 0.4
        self.stores["app-store"].change(payment, "reverse_refund", notify=not is_once_more)
        if is_once_more:
            payment["part"] = self.some_part(payment)
            self.stores["app-store"].refund(payment, payment["part"])
        self.follow_app_store(purchase)
        if purchase.to_restore:
            return "take a refund back without a place for its coins"
        if purchase.refunded == before:
            return "take a refund back that went back otherwise"
        return "take a refund back, and give another" if is_once_more else "take a refund back"

    def follow_app_store(self, purchase):
        """The books have what the store says; what has no place is a finding."""
        payment = self.payments[purchase]
        payment["is_refund_told"] = True
        total = refunded_in_store(purchase.paid, payment["part"], payment["quantity"])
        self.books.given_back_in_all(purchase, total, time.time())
        self.expect_refunded(purchase)
        if purchase.to_restore:
            found = self.eventually(
                lambda: self.reversed_refunds(self.service), lambda found: payment["transaction_id"] in found)
            require(payment["transaction_id"] in found, "no finding refund_reversed", vars(purchase))

    @staticmethod
    def reversed_refunds(service):
        """The purchases with refunds that were taken back, for which a person has to give back by hand."""
        return {
            finding["imp_uid"] for finding in service.pages("/v1/findings?kind=refund_reversed", "findings", "finance")}

    # Messages

    def tell_late(self):
        """A message comes again, also one from before a later refund: it changes nothing. What has no place could have one
        by the time at which ledgerd looks."""
        purchase = self.some_purchase(
            lambda purchase: self.payments[purchase].get("is_refund_told") and not purchase.to_restore, BY_WEBHOOK)
        if not purchase:
            return False
        self.store_of(purchase).tell_again(self.payments[purchase], self.random.choice)
        self.expect_refunded(purchase)
        return True

    def expect_delivered(self):
        for purchase in filter(lambda purchase: purchase.is_of_store, self.payments):
            self.require_delivered(purchase)

    def require_delivered(self, purchase):
        """ledgerd tells the store that a purchase is delivered, once it is credited."""
        payment = self.payments[purchase]
        is_delivered = self.eventually(lambda: self.store_of(purchase).is_delivered(payment), bool)
        require(is_delivered, "not delivered", payment)

    def owed_by_store(self):
        sums = collections.Counter()
        for purchase in self.payments:
            sums[purchase.receivable] += purchase.outstanding
        return sums
