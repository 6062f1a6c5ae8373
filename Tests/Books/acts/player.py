"""What all acts need: sending, comparing, and users to whom nothing happens meanwhile."""

import collections
import contextlib
import datetime
import random
import time

from model import Refused, days

PATIENCE = 60
# The time in which an act arrives, also on a busy machine: no lot or hold of its user may expire meanwhile. Or else it
# could expire between the moment of the books and that of ledgerd.
ON_THE_WAY, BY_WEBHOOK = 8, 15


class Mismatch(Exception):
    """The service and the books say different things."""


def require(is_so, *what):
    if not is_so:
        raise Mismatch(" · ".join(str(part) for part in what))


def given(**members):
    """A body without the members that are not sent."""
    return {name: value for name, value in members.items() if value is not None}


def moment(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def today():
    return days.day_of(time.time()).isoformat()


class Actor:
    PRODUCTS = ("song", "video")  # what providers sell, and can have terms for

    def __init__(self, number, seed, books, service, gateway, stores, products, rates):
        self.random, self.number = random.Random(f"{seed}/{number}"), number
        self.books, self.service, self.gateway, self.stores, self.products = books, service, gateway, stores, products
        self.rates = rates
        self.ids = 6  # of users so far
        self.users = [f"books-{number}-{i}" for i in range(self.ids)]
        self.providers = [f"designer-{number}-{i}" for i in range(3)]
        self.last_user = self.users[0]
        self.redemptions, self.payments, self.holds = [], {}, {}
        self.charged = collections.Counter()  # top-ups by user and day
        self.grants = []  # the entry, the user and the lot of each
        self.free = []
        self.campaigns = []
        self.payouts, self.transfers, self.custody = {}, [], {}
        self.refusing = {}  # refunds that the gateway has refused and ledgerd still has to read, by their users
        self.counts, self.refusals, self.sent = collections.Counter(), collections.Counter(), 0

    def play(self, acts):
        """Does so many acts. If there is nothing that one can be done to, another one is tried."""
        goal = self.counts.total() + acts
        self.middle = goal - acts // 2
        while self.counts.total() < goal:
            self.do(self.random.choices(list(self.WEIGHTS), self.WEIGHTS.values())[0])
            self.finish_refunds()
        self.finish_refunds(is_patient=True)

    def do(self, name):
        with self.both_sides(name):
            done = getattr(self, name)()
        if done:
            self.counts[done if isinstance(done, str) else name.replace("_", " ")] += 1
        self.books.check()

    @contextlib.contextmanager
    def both_sides(self, name):
        """Adds to a mismatch what the last act's user has, there and here, for whoever looks for the cause."""
        try:
            yield
        except Mismatch as mismatch:
            raise Mismatch(
                f"after {self.counts.total()} acts of player {self.number}, {name}: {mismatch}{self.last_state()}"
            ) from mismatch

    def last_state(self):
        path = f"/v1/users/{self.last_user}"
        statement = self.service.get(path + "/statement?limit=25").json["entries"]
        parts = {
            "entries": [f"{entry['kind']} {entry['reference']} {entry['movements']}" for entry in statement],
            "lots there": self.service.get(path + "/lots?limit=100").json["lots"],
            "lots here": [vars(lot) | {"purchase": lot.purchase and lot.purchase.number}
                          for lot in self.books.lots[self.last_user] if lot.remaining + lot.held],
        }
        return "".join(f"\n  {name}: {line}" for name, lines in parts.items() for line in lines)

    # Sending

    def key(self):
        self.sent += 1
        return f"{self.users[0]}/{self.sent}"

    def act(self, path, body, plan, scope="service"):
        """Sends an act and does it in the books; both must do the same or refuse it with the same code."""
        key, self.now = self.key(), time.time()
        answer = self.service.act(path, body, key, scope)
        result = self.both(answer, plan)
        if result is None:
            return None, answer
        if self.random.random() < 0.05:
            again = self.service.act(path, body, key, scope)
            require(again.body == answer.body, "sent again", again, "first", answer)
            require(again.headers.get("Idempotent-Replayed") == "true", "it is called a repeat", again.headers)
        balance = answer.json.get("balance")
        if isinstance(balance, dict) and answer.status != 202:
            self.compare_balance(balance["user"], balance)
        return result, answer

    def both(self, answer, plan):
        """Does it in the books. None: both refuse it."""
        try:
            result = plan()
        except Refused as refused:
            require(answer.status in (402, 403, 409, 422), "the books refuse it", refused, "answer", answer)
            require(answer.json["code"] == str(refused), "the books refuse it", refused, "answer", answer)
            self.refusals[str(refused)] += 1
            return None
        require(answer.status in (200, 201, 202), "the books do it", "answer", answer)
        return result

    # Comparing

    def compare_balance(self, user, said):
        ours = self.books.summary(user)
        require(said == ours, "balance", said, "books", ours)

    def compare_uses(self, uses, said):
        both = ("lots", said, "books", [vars(use.lot) | {"coins": use.coins, "won": use.won} for use in uses])
        require(len(said) == len(uses), *both)
        for use, line in zip(uses, said):
            use.lot.id = use.lot.id or line["lot_id"]
            ours = {"lot_id": use.lot.id, "kind": use.lot.kind, "coins": use.coins, "amount": use.won}
            require(line == ours, "lot", line, "books", ours, *both)

    @staticmethod
    def eventually(look, is_so, patience=PATIENCE):
        """Looks until it is so, or for so many seconds; the last that was seen."""
        deadline = time.monotonic() + patience
        while True:
            said = look()
            if is_so(said) or time.monotonic() > deadline:
                return said
            time.sleep(0.02)

    def expect_soon(self, user):
        """Waits for what ledgerd does by itself."""
        self.compare_balance(user, self.eventually(
            lambda: self.service.get(f"/v1/users/{user}/balance").json, lambda said: said == self.books.summary(user)))

    # Choosing

    def is_calm(self, user, ahead):
        """Whether nothing of the user changes by itself just now."""
        now = time.time()
        return user not in self.refusing and not any(
            -0.2 < at - now < ahead for one in self.involved(user) for at in self.books.expiries(one))

    def involved(self, user):
        """The user, and those who have coins that the user gave: a refund takes them back."""
        return {user, *self.books.holders(user)}

    def settle_expiry(self, user, ahead=ON_THE_WAY):
        """Waits until the user is calm, and until ledgerd has posted what has expired."""
        self.last_user = user
        while not self.is_calm(user, ahead):
            time.sleep(0.1)
        for one in sorted(self.involved(user)):
            self.books.expire(one, time.time())
            self.expect_soon(one)

    def some(self, things, user_of, ahead=ON_THE_WAY):
        """One of the things, of a user who is calm; None if there are none."""
        things = [thing for thing in things if self.is_calm(user_of(thing), ahead)]
        if not things:
            return None
        chosen = self.random.choice(things)
        self.settle_expiry(user_of(chosen), ahead)
        return chosen

    def some_user(self):
        while not (user := self.some(self.users, lambda user: user)):
            time.sleep(0.1)
        return user

    def some_purchase(self, is_wanted=lambda purchase: True, ahead=ON_THE_WAY):
        return self.some(filter(is_wanted, self.payments), lambda purchase: purchase.user, ahead)

    def prefer(self, things, is_wanted):
        """Half of the time those that are wanted, if there are any."""
        things = list(things)
        wanted = [thing for thing in things if is_wanted(thing)] if self.random.random() < 0.5 else []
        return wanted or things

    def part(self, most, share=0.5):
        """All (None), or a number that may be too large."""
        return None if self.random.random() < share else self.random.randint(1, most)
