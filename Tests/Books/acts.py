"""Random acts on the users of one thread, sent to the service and to the books of books.py."""

import collections
import datetime
import random
import time

from books import Refused

GRACE = 7 * 24 * 3600  # LEDGERD_RETURN_GRACE
PATIENCE = 60
# The time in which an act arrives, also on a busy machine: no lot of its user may expire meanwhile. Or else a lot could
# expire between the moment of the books and that of ledgerd.
ON_THE_WAY, BY_WEBHOOK = 5, 15


class Mismatch(Exception):
    """The service and the books say different things."""


def require(is_so, *what):
    if not is_so:
        raise Mismatch(" · ".join(str(part) for part in what))


class Player:
    """Acts for some users, one after the other. No other thread acts for them."""

    WEIGHTS = {
        "buy": 16, "grant": 8, "grant_shortly": 2, "spend": 20, "hold": 12, "capture": 12, "void": 5, "reverse": 10,
        "refund": 8, "cancel": 8, "settle": 4, "sleep_past_expiry": 1,
    }

    def __init__(self, number, seed, name, books, service, gateway, products):
        self.random, self.number = random.Random(f"{seed}/{number}"), number
        self.books, self.service, self.gateway, self.products = books, service, gateway, products
        self.users = [f"books-{name}-{number}-{i}" for i in range(6)]
        self.providers = [f"designer-{name}-{number}-{i}" for i in range(2)]
        self.holds, self.redemptions, self.payments = {}, [], {}
        self.counts, self.refusals, self.sent = collections.Counter(), collections.Counter(), 0

    def play(self, acts):
        names, weights = list(self.WEIGHTS), list(self.WEIGHTS.values())
        for number in range(acts):
            name = self.random.choices(names, weights)[0]
            try:
                done = getattr(self, name)()
            except Mismatch as mismatch:
                raise Mismatch(
                    f"act {number} of player {self.number}, {name}: {mismatch}{self.both_lots()}") from mismatch
            self.counts[name if done else "(nothing to do)"] += 1
            self.books.check()

    def both_lots(self):
        """The lots of the last act's user, there and here, for whoever looks for the cause."""
        said = self.service.get(f"/v1/users/{self.last_user}/lots?limit=100").json["lots"]
        ours = [vars(lot) | {"purchase": lot.purchase and lot.purchase.number} for lot in self.books.lots[self.last_user]
                if lot.remaining or lot.held]
        return "\n  there: " + "\n         ".join(map(str, said)) + "\n  here:  " + "\n         ".join(map(str, ours))

    # Sending

    def key(self):
        self.sent += 1
        return f"{self.users[0]}/{self.sent}"

    def act(self, path, body, user, plan, expected=201):
        """Sends an act and does it in the books; both must do the same or refuse it with the same code."""
        key = self.key()
        answer = self.service.act(path, body, key)
        try:
            result = plan()
        except Refused as refused:
            require(answer.status in (402, 409, 422), "the books refuse it", refused, "answer", answer)
            require(answer.json["code"] == str(refused), "the books refuse it", refused, "answer", answer)
            self.refusals[str(refused)] += 1
            return None, answer
        require(answer.status in (expected, 202), "the books do it", "answer", answer)
        if self.random.random() < 0.05:
            again = self.service.act(path, body, key)
            require(again.body == answer.body, "sent again", again, "first", answer)
            require(again.headers.get("Idempotent-Replayed") == "true", "it is not called a repeat")
        if answer.status != 202:
            self.compare_balance(user, answer.json["balance"])
        return result, answer

    def compare_balance(self, user, said):
        ours = self.books.summary(user)
        require(said == ours, "balance", said, "books", ours)

    def compare_uses(self, uses, said):
        require(len(said) == len(uses), "lots", said, "books", [(u.lot.id, u.coins, u.won) for u in uses])
        for use, line in zip(uses, said):
            use.lot.id = use.lot.id or line["lot_id"]
            ours = {"lot_id": use.lot.id, "kind": use.lot.kind, "coins": use.coins, "amount": use.won}
            require(line == ours, "lot", line, "books", ours)

    def expect_soon(self, user, what):
        """Waits for what ledgerd does by itself."""
        deadline = time.monotonic() + PATIENCE
        while True:
            said = self.service.get(f"/v1/users/{user}/balance").json
            if said == self.books.summary(user) or time.monotonic() > deadline:
                return self.compare_balance(user, said)
            time.sleep(0.02)

    def some_user(self):
        """A user none of whose lots expires just now; what has expired is posted."""
        user = self.random.choice(self.users)
        self.settle_expiry(user)
        return user

    def settle_expiry(self, user, ahead=ON_THE_WAY):
        """Waits until no lot of the user is about to expire, and until ledgerd has posted what has expired."""
        self.last_user = user
        while any(lot.expires_at and -0.2 < lot.expires_at - time.time() < ahead for lot in self.books.lots[user]
                  if lot.remaining or lot.held):
            time.sleep(0.1)
        self.books.expire(user, time.time())
        self.expect_soon(user, "expiry")

    # Acts

    def buy(self):
        user = self.some_user()
        product = self.random.choice(self.products)
        payment = self.gateway.pay(f"o-{self.key().replace('/', '-')}", product["price"])
        answer = self.service.present(user, payment)
        require(answer.status in (200, 201), "receipt", answer)
        said = answer.json["purchase"]
        require(said["coins"] == product["coins"] and said["amount"] == product["price"], "purchase", said)
        purchase = self.books.buy(
            user, said["id"], said["amount"], said["coins"], said["bonus_coins"], time.time())
        self.payments[purchase] = payment
        self.compare_balance(user, answer.json["balance"])
        return True

    def grant(self, expires_in=None):
        user = self.some_user()
        coins = self.random.randint(1, 60)
        # A wide range of expiries, so that lots are used in another order than they came.
        seconds = expires_in or self.random.choice([None, 86_400 * self.random.randint(1, 400)])
        at = seconds and round(time.time() + seconds, 3)
        text = at and datetime.datetime.fromtimestamp(at, datetime.timezone.utc).isoformat(timespec="milliseconds")
        body = {"coins": coins, "reason": "try", **({"expires_at": text.replace("+00:00", "Z")} if at else {})}
        lot, answer = self.act(
            f"/v1/users/{user}/grants", body, user, lambda: self.books.grant(user, coins, at, time.time()))
        lot.id = answer.json["grant"]["lot_id"]
        return True

    def grant_shortly(self):
        return self.grant(self.random.uniform(6, 12))

    def spend(self):
        user = self.some_user()
        coins = self.random.randint(1, 70)
        done, answer = self.act(
            f"/v1/users/{user}/spends", {"coins": coins, "reference": "song"}, user,
            lambda: self.books.spend(user, coins, time.time()))
        if done:
            self.compare_uses(done.uses, answer.json["lots"])
            self.redemptions.append((f"/v1/spends/{answer.json['spend']['journal_entry_id']}/reversals", done))
        return True

    def hold(self):
        user = self.some_user()
        coins = self.random.randint(1, 60)
        done, answer = self.act(
            f"/v1/users/{user}/holds", {"coins": coins}, user, lambda: self.books.hold(user, coins, time.time()))
        if done:
            self.holds[answer.json["hold"]["id"]] = done
        return True

    def some_hold(self):
        if not self.holds:
            return None, None
        number = self.random.choice(list(self.holds))
        self.settle_expiry(self.holds[number].user)
        return number, self.holds[number]

    def capture(self):
        number, hold = self.some_hold()
        if not hold:
            return False
        coins = self.random.choice([None, self.random.randint(1, 40)])
        provider = self.random.choice([None, *self.providers])
        is_final = self.random.random() < 0.2
        body = {"coins": coins, "provider": provider, "final": is_final}
        done, answer = self.act(
            f"/v1/holds/{number}/capture", {k: v for k, v in body.items() if v is not None}, hold.user,
            lambda: self.books.capture(hold, coins, provider, time.time(), is_final), expected=200)
        if done:
            self.compare_uses(done.uses, answer.json["lots"])
            entry = answer.json["capture"]["journal_entry_id"]
            self.redemptions.append((f"/v1/holds/{number}/captures/{entry}/reversals", done))
        return True

    def void(self):
        number, hold = self.some_hold()
        if not hold:
            return False
        self.act(
            f"/v1/holds/{number}/void", {}, hold.user, lambda: self.books.void(hold, time.time()), expected=200)
        return True

    def reverse(self):
        if not self.redemptions:
            return False
        path, redemption = self.random.choice(self.redemptions)
        self.settle_expiry(redemption.user)
        coins = self.random.choice([None, self.random.randint(1, 40)])
        done, answer = self.act(
            path, {"coins": coins} if coins else {}, redemption.user,
            lambda: self.books.reverse(redemption, coins, time.time(), GRACE))
        if done:
            self.compare_uses(done, answer.json["lots"])
        return True

    def some_purchase(self, ahead=ON_THE_WAY):
        if not self.payments:
            return None
        purchase = self.random.choice(list(self.payments))
        self.settle_expiry(purchase.user, ahead)
        return purchase

    def refund(self):
        purchase = self.some_purchase()
        if not purchase:
            return False
        coins = self.random.choice([None, self.random.randint(1, purchase.coins)])
        body = {"reason": "try", **({"coins": coins} if coins else {})}
        done, answer = self.act(
            f"/v1/purchases/{purchase.number}/refunds", body, purchase.user,
            lambda: self.books.refund(purchase, coins))
        if done:
            said = {name: answer.json["refund"][name] for name in done}
            require(said == done, "refund", said, "books", done)
            if answer.status == 202:
                self.expect_soon(purchase.user, "the gateway's answer")
        return True

    def cancel(self):
        purchase = self.some_purchase(BY_WEBHOOK)
        left = purchase and purchase.amount - purchase.refunded
        if not left:
            return False
        amount = self.random.choice([left, self.random.randint(1, left)])
        self.gateway.cancel(self.payments[purchase], amount)
        self.books.claw_back(purchase, amount, time.time())
        deadline = time.monotonic() + PATIENCE
        while True:
            path = f"/v1/users/{purchase.user}/purchases/{purchase.number}"
            said = self.service.get(path).json["refunded_amount"]
            if said == purchase.refunded or time.monotonic() > deadline:
                break
            time.sleep(0.02)
        require(said == purchase.refunded, "refunded_amount", said, "books", purchase.refunded)
        self.expect_soon(purchase.user, "a claw-back")
        return True

    def settle(self):
        """The gateway pays out a payment, or keeps back what was refunded since."""
        purchase = self.some_purchase()
        if not purchase:
            return False
        gross = purchase.amount - purchase.refunded - purchase.settled
        if not gross:
            return False
        sign = 1 if gross > 0 else -1
        fee, tax = sign * (abs(gross) * 3 // 100), sign * (abs(gross) * 3 // 1000)
        name = self.payments[purchase]["imp_uid"]
        day = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).date().isoformat()
        file = f"imp_uid,gross,fee,tax,net,day,nonce\n{name},{gross},{fee},{tax},{gross - fee - tax},{day},{self.key()}\n"
        answer = self.service.send(
            "POST", "/v1/settlements?payment_id=imp_uid&gross=gross&fee=fee&tax=tax&net=net&paid_out_at=day", file,
            {**self.service.as_scope("finance"), "Content-Type": "text/csv"})
        require(answer.status in (200, 201), "settlement", answer)
        status = answer.json["settlement"]["rows"]
        if answer.json["settled_now"] == 1:
            self.books.settle(purchase, gross, fee + tax)
        else:
            # Two lines of a payment for one day are one settlement, as far as ledgerd can tell.
            require(purchase.settled and status["refused"] == 1, "settlement", answer)
            self.refusals["settled_otherwise"] += 1
        return True

    def sleep_past_expiry(self):
        time.sleep(1)
        return True
