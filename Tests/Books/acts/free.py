"""What stores sell for nothing, by codes and promotions: grants of bonus coins, and no purchases."""

import time

from .player import BY_WEBHOOK, Actor, require

WHOLE = 100_000  # stores tell a part in thousandths of a percent


class FreeItem:
    """What the store has of it, and the lots that it gave."""

    def __init__(self, name, bought, user, quantity, lot, is_told):
        self.name, self.bought, self.user, self.quantity, self.lots = name, bought, user, quantity, [lot]
        self.coins, self.taken, self.pieces = lot.coins, 0, 0
        self.is_told = is_told  # whether a notification was sent about it, so that the store's history has it


class Free(Actor):
    WEIGHTS = {"buy_free": 4, "take_free_back": 3, "give_free_again": 2}

    def buy_free(self):
        """All coins of the product are bonus coins, also if the app presents it twice."""
        name = self.random.choice(sorted(self.stores))
        store, user, product = self.stores[name], self.some_user(), self.random.choice(self.products)
        quantity, is_named = self.random.choice([1, 1, 3]), self.random.random() < 0.7
        is_told = is_named and self.random.random() < 0.5
        bought = store.buy(
            product, quantity, 0, self.service.store_account(user) if is_named else None, is_told, **store.FREE)
        coins = (product["coins"] + product["bonus"]) * quantity
        lot = self.books.grant(user, coins, None, time.time())
        for statuses in ((200, 201), (200,)):
            answer = self.service.present_of_store(user, store.receipt(bought))
            require(answer.status in statuses, "free receipt", answer)
            require(answer.json["free"]["coins"] == coins and "purchase" not in answer.json, "free", answer)
            require("expires_at" not in answer.json["free"], "a store forbids that coins expire", answer)
        self.compare_balance(user, answer.json["balance"])
        # Of what was taken back, nothing can be consumed.
        require(self.eventually(lambda: store.is_delivered(bought), bool), "not delivered", bought)
        self.free.append(FreeItem(name, bought, user, quantity, lot, is_told))
        return f"buy for nothing in {name}"

    def some_free(self, is_wanted):
        # What is on hold is voided at another time.
        return self.some(
            [item for item in self.free if is_wanted(item) and not any(lot.on_hold for lot in item.lots)],
            lambda item: item.user, BY_WEBHOOK)

    def take_free_back(self):
        """Some pieces, or all: what is left of their coins is voided, and nothing is owed."""
        item = self.some_free(lambda item: item.pieces < item.quantity)
        if not item:
            return False
        item.pieces, item.is_told = self.random.randint(item.pieces + 1, item.quantity), True
        self.stores[item.name].take_pieces_back(item.bought, item.pieces, item.quantity)
        part = item.pieces * WHOLE // item.quantity
        due = (item.coins * part * 2 + WHOLE) // (WHOLE * 2)
        now = time.time()
        for lot in reversed(item.lots):
            left = 0 if lot.is_expired(now) else lot.remaining
            coins = min(due - item.taken, left)
            if coins > 0:
                is_all = part == WHOLE and coins == left
                item.taken += self.books.void_grant(item.user, lot, None if is_all else coins, now)
        self.expect_soon(item.user)
        return f"take back what was free in {item.name}"

    def give_free_again(self):
        """The App Store takes all back that it took: what was voided is granted again."""
        item = self.some_free(lambda item: item.name == "app-store" and item.pieces)
        if not item:
            return False
        item.pieces = 0
        self.stores[item.name].change(item.bought, "reverse_refund")
        if item.taken:
            item.lots.append(self.books.grant(item.user, item.taken, None, time.time()))
            item.taken = 0
        self.expect_soon(item.user)
        return "give what was free again"
