"""Orders in foreign currencies, which are paid at PortOne."""

import time

from model import ForeignAmount
from model.foreign import DECIMALS

from .player import Actor, require

# In minor units, for a product of so many coins: of some, a coin is worth less than a cent.
CURRENCIES = ("USD", "JPY")
PRICES = {"books_3": (73, 107), "books_37": (75, 110), "books_100": (719, 1049), "books_250": (1801, 2630),
          "books_60": (37, 53), "books_45": (331, 467)}


def price_in(product, currency):
    return PRICES[product["code"]][CURRENCIES.index(currency)]


def units(amount, currency):
    """Minor units as people write them: in units of the currency."""
    decimals = DECIMALS[currency]
    return amount / 10 ** decimals if decimals else amount


class Orders(Actor):
    WEIGHTS = {"buy_in_currency": 8}

    def buy_in_currency(self):
        """An order has the price of a product in its currency, and its payment the worth at the last rate."""
        user, product = self.some_user(), self.random.choice(self.products)
        currency, version = self.random.choice(CURRENCIES), self.random.choice(["V1", "V2", "V2"])
        price = price_in(product, currency)
        answer = self.service.act(
            f"/v1/users/{user}/orders",
            {"product": product["code"], "gateway": f"portone-{version.lower()}", "currency": currency}, self.key())
        order = answer.json
        require(answer.status == 201, "order", answer)
        require((order["amount"], order["currency"]) == (price, currency), "order", order, "books", price, currency)
        payment, outcome, tax_free = self.pay_order(order["merchant_uid"], price, currency, version)
        answer = self.service.present(user, payment, version)
        require(answer.status in (200, 201), "receipt", answer)
        said = answer.json["purchase"]
        wanted = {
            "amount": self.rates.current(currency).won(price, currency), "coins": product["coins"],
            "bonus_coins": product["bonus"], "foreign": {"amount": price, "currency": currency, "refunded_amount": 0}}
        require({name: said.get(name) for name in wanted} == wanted, "purchase", said, "books", wanted)
        purchase = self.credit(user, said, product, paid=ForeignAmount(currency, price, "gateway:receivable"))
        purchase.tax_free = purchase.tax_free_left = tax_free
        self.payments[purchase] = {
            **payment, "version": version, "currency": currency, "is_decided_later": bool(outcome),
            "is_disputed": False, "paid_at": time.time()}
        self.compare_balance(user, answer.json["balance"])
        return f"buy in {currency} at the gateway"

    def pay_order(self, name, price, currency, version):
        """Some gateways decide later whether they cancel a payment."""
        outcome = "requested" if version == "V2" and self.random.random() < 0.3 else None
        tax_free = self.random.choice([0, price, self.random.randint(0, price)])
        payment = self.gateway.pay(
            name, units(price, currency), version=version, currency=currency, cancel_outcome=outcome,
            tax_free=units(tax_free, currency))
        return payment, outcome, tax_free
