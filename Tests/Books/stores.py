"""The stand-in stores, as devices, their customers and their support use them."""

import collections
import os
import threading

from model.foreign import DECIMALS
from service import Caller


class Store(Caller):
    """A store, with the numbers of the messages that it sent."""

    ALIVE = "/sandbox/clock"

    def __init__(self):
        super().__init__("http://127.0.0.1:" + os.environ["LEDGERD_TEST_STORES_PORT"])
        self.lock, self.place = threading.Lock(), 0
        self.told = collections.defaultdict(list)  # by purchase

    @staticmethod
    def product_id(product):
        return "com.example." + product["code"]

    def sell(self, service, products):
        """Finance says what the store's products are of ours."""
        for product in products:
            answer = service.send(
                "PUT", f"/v1/store-products/{self.NAME}/com.example.coins/{self.product_id(product)}",
                {"product": product["code"]}, service.as_scope("finance"))
            assert answer.status == 200, answer

    def buy(self, product, quantity, price, account, is_told, currency="KRW", **others):
        """A device buys. `account` names the user, or nobody. `price`: in minor units."""
        members = {
            "product_id": self.product_id(product), "quantity": quantity, "price": self.price(price, currency),
            "notify": is_told, **({self.ACCOUNT: account} if account else {}),
            **({} if currency == "KRW" else {"currency": currency}), **others}
        answer = self.send("POST", self.PATH + "/purchases", members)
        assert answer.status == 201, answer
        return answer.json

    def purchase(self, payment):
        return f"{self.PATH}/purchases/{payment[self.ID]}"

    def find(self, payment):
        answer = self.send("GET", self.purchase(payment))
        assert answer.status == 200, answer
        return answer.json

    def change(self, payment, act, **members):
        answer = self.send("PATCH", self.purchase(payment), {"act": act, **members})
        assert answer.status == 200, answer
        return answer.json

    def tell_again(self, payment, choose):
        """Sends one of the purchase's messages again, of which some tell an older state."""
        with self.lock:
            messages = self.send("GET", f"{self.PATH}/{self.MESSAGES}?after={self.place}").json[self.MESSAGES]
            for message in messages:
                self.told[message[self.ID]].append(message["number"])
                self.place = max(self.place, message["number"])
            numbers = list(self.told[payment[self.ID]])
        answer = self.send("POST", f"{self.PATH}/{self.MESSAGES}/{choose(numbers)}/send", {})
        assert answer.status == 202, answer


class AppStore(Store):
    NAME, PATH, ID, MESSAGES = "app-store", "/sandbox/apple", "transaction_id", "notifications"
    ACCOUNT, FREE = "app_account_token", {"offer_code": "SPRING"}

    @staticmethod
    def price(amount, currency):
        """In thousandths of the currency's unit."""
        return amount * 10 ** (3 - DECIMALS[currency])

    @staticmethod
    def receipt(bought):
        return {"app_store": {"signed_transaction": bought["signed_transaction"]}}

    def refund(self, payment, part, notify=True):
        self.change(payment, "refund", percentage=part, notify=notify)

    def take_pieces_back(self, payment, pieces, quantity):
        """So many in all."""
        self.refund(payment, 100_000 * pieces // quantity)

    def announce(self, payment):
        """Tells of the purchase as it is, in a new message."""
        self.change(payment, "announce", type="REFUND")

    def is_delivered(self, payment):
        return bool(self.find(payment)["finished_at"])


class GooglePlay(Store):
    NAME, PATH, ID, MESSAGES = "google-play", "/sandbox/google", "purchase_token", "messages"
    ACCOUNT, FREE = "account_id", {"type": "promo"}

    @staticmethod
    def price(amount, currency):
        """In units of the currency."""
        return amount / 10 ** DECIMALS[currency] if DECIMALS[currency] else amount

    def take_pieces_back(self, payment, pieces, _quantity):
        """So many in all."""
        (item,) = self.find(payment)["purchase"]["productLineItem"]
        self.change(payment, "refund", quantity=pieces - self.taken_back(item["productOfferDetails"]))

    @staticmethod
    def taken_back(details):
        return int(details.get("quantity", 1)) - int(details["refundableQuantity"])

    @staticmethod
    def receipt(bought):
        return {"google_play": {"purchase_token": bought["purchase_token"]}}

    def announce(self, payment):
        """Tells of the purchase as it is, in a new message."""
        self.change(payment, "announce", notification={"voidedPurchaseNotification": {
            "purchaseToken": payment["purchase_token"], "orderId": payment["order_id"], "productType": 2,
            "refundType": 2}})

    def is_delivered(self, payment):
        (item,) = self.find(payment)["purchase"]["productLineItem"]
        return item["productOfferDetails"]["consumptionState"] == "CONSUMPTION_STATE_CONSUMED"

    def given_back(self, payment):
        """What the buyer got back in minor units, by the order."""
        order, decimals = self.find(payment)["order"], DECIMALS[payment["currency"]]

        def minor_units(money):
            return int(money["units"]) * 10 ** decimals + money.get("nanos", 0) // 10 ** (9 - decimals)
        if order["state"] == "REFUNDED":
            return minor_units(order["total"])
        return sum(
            minor_units(event["refundDetails"]["total"])
            for event in order["orderHistory"].get("partialRefundEvents", []))
