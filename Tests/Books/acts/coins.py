"""Purchases, grants, spends, holds, captures and their reversals."""

import datetime
import time

import settings
from model import alerts, days

from .player import BY_WEBHOOK, ON_THE_WAY, Actor, given, moment, require, today


class Coins(Actor):
    WEIGHTS = {
        "buy": 16, "grant": 6, "grant_shortly": 2, "void_grant": 4, "gift": 8, "spend": 14, "hold": 14, "hold_shortly": 2, "capture": 20, "void": 3,
        "reverse": 12, "top_up": 3, "merge": 2, "sleep": 1,
    }

    def buy(self):
        user, product = self.some_user(), self.random.choice(self.products)
        version = self.random.choice(["V1", "V2", "V2"])
        # Some gateways decide later whether they cancel a payment.
        outcome = "requested" if version == "V2" and self.random.random() < 0.3 else None
        price = product["price"]
        tax_free = self.random.choice([0, price, self.random.randint(0, price)])
        payment = self.gateway.pay(
            f"o-{self.key().replace('/', '-')}", price, version=version, cancel_outcome=outcome, tax_free=tax_free)
        answer = self.service.present(user, payment, version)
        require(answer.status in (200, 201), "receipt", answer)
        said = answer.json["purchase"]
        wanted = {"amount": product["price"], "coins": product["coins"], "bonus_coins": product["bonus"]}
        require({name: said[name] for name in wanted} == wanted, "purchase", said)
        purchase = self.credit(user, said, product)
        purchase.tax_free = purchase.tax_free_left = tax_free
        self.payments[purchase] = {
            **payment, "version": version, "is_decided_later": bool(outcome), "is_disputed": False,
            "paid_at": time.time()}
        self.compare_balance(user, answer.json["balance"])
        return True

    def adopt(self, user):
        """Takes over a user whose one purchase, of a product with all defaults, was made by others."""
        said, *others = self.service.pages(f"/v1/users/{user}/purchases?", "purchases")
        require(not others, "the ledger is not new: its first user has bought more than once")
        self.users.append(user)
        self.credit(user, said, {"coin_days": None, "bonus_coin_days": None, "vat": "at_use"})

    def credit(self, user, said, product, **members):
        return self.books.buy(
            user, said["id"], said["amount"], said["coins"], said["bonus_coins"],
            self.expiries(user, said, product), moment(said["credited_at"]), product["vat"] if settings.VAT else None,
            **members)

    def expiries(self, user, said, product):
        """When the paid and the bonus coins expire: by the product, else by the settings.

        ledgerd counts exact lifetimes from the moment when it wanted to credit them, just before it did, and shows the lots'
        expiry.
        """
        lots = {lot["kind"]: lot for lot in self.service.pages(f"/v1/users/{user}/lots?", "lots")
                if lot.get("purchase_id") == said["id"]}
        return [
            self.expiry(lots.get(kind), moment(said["credited_at"]),
                        default if product[days] is None else product[days] * 86_400)
            for kind, days, default in (("paid", "coin_days", settings.PAID_COIN_LIFETIME),
                                        ("bonus", "bonus_coin_days", settings.BONUS_COIN_LIFETIME))]

    @staticmethod
    def expiry(lot, credited_at, seconds):
        if not lot:  # none were sold, or they paid a debt at once
            return days.lifetime_end(credited_at, seconds) if seconds else None
        if not seconds:
            require("expires_at" not in lot, "expiry", lot, "books", None)
            return None
        said, end = moment(lot["expires_at"]), days.lifetime_end(credited_at, seconds)
        is_exact = end == credited_at + seconds
        require(0 <= end - said < 5 if is_exact else said == end, "expiry", lot, "books", end)
        return said

    def grant(self, expires_in=None):
        user = self.some_user()
        coins = self.random.randint(1, 60)
        # A wide range of expiries, so that lots are used in another order than they came.
        seconds = expires_in or self.random.choice([None, 86_400 * self.random.randint(1, 400)])
        at = seconds and round(time.time() + seconds, 3)
        text = at and datetime.datetime.fromtimestamp(at, datetime.timezone.utc).isoformat(timespec="milliseconds")
        lot, answer = self.act(
            f"/v1/users/{user}/grants", given(coins=coins, reason="try", expires_at=at and text.replace("+00:00", "Z")),
            lambda: self.books.grant(user, coins, at, self.now))
        lot.id = answer.json["grant"]["lot_id"]
        self.grants.append((answer.json["grant"]["journal_entry_id"], user, lot))
        return True

    def void_grant(self):
        # Seldom one of which nothing is left.
        grants = [grant for grant in self.grants if grant[2].remaining or self.random.random() < 0.05]
        chosen = self.some(grants, lambda grant: grant[1])
        if not chosen:
            return False
        number, user, lot = chosen
        coins = self.part(40)
        done, answer = self.act(
            f"/v1/grants/{number}/void", given(coins=coins, reason="by mistake"),
            lambda: self.books.void_grant(user, lot, coins, self.now))
        if done:
            said = answer.json["void"]
            require((said["coins"], said["left"], said["held"]) == (done, lot.remaining, lot.held), "void", answer, lot)
        return True

    def gift(self):
        user, receiver = self.some_user(), self.random.choice(self.users)
        # Coins of the receiver, or of who bought the given ones, change by themselves at another time.
        if not all(self.is_calm(one, ON_THE_WAY) for one in (user, receiver)):
            return False
        self.settle_expiry(receiver)
        self.settle_expiry(user)
        coins = self.random.randint(1, 60)
        done, answer = self.act(
            f"/v1/users/{user}/transfers", given(to=receiver, coins=coins, reason="a present"),
            lambda: self.books.gift(user, receiver, coins, self.now))
        if done:
            said = answer.json["gift"]
            require({name: said[name] for name in done} == done, "gift", said, "books", done)
            self.compare_balance(receiver, self.service.get(f"/v1/users/{receiver}/balance").json)
        return True

    def grant_shortly(self):
        return self.grant(self.random.uniform(10, 16))

    def spend(self):
        user = self.some_user()
        # Who has spent all owes what is taken back later.
        available = self.books.summary(user)["available"] if self.random.random() < 0.2 else 0
        coins = available or self.random.randint(1, 50)
        done, answer = self.act(
            f"/v1/users/{user}/spends", {"coins": coins, "reference": "song"},
            lambda: self.books.spend(user, coins, self.now))
        if done:
            self.compare_uses(done.uses, answer.json["lots"])
            self.redemptions.append((f"/v1/spends/{answer.json['spend']['journal_entry_id']}/reversals", done))
        return True

    def top_up(self):
        """A card is charged, because a spend leaves fewer coins than the user's threshold."""
        users = [user for user in self.users if self.books.summary(user)["available"]]
        user = self.some(users, lambda user: user, BY_WEBHOOK)
        available = user and self.books.summary(user)["available"]
        if not available:
            return False
        product, version = self.random.choice(self.products), self.random.choice(["V1", "V2"])
        path = f"/v1/users/{user}/top-up"
        consent = {
            "gateway": f"portone-{version.lower()}", "billing_key": "card", "product": product["code"],
            "threshold": available, "monthly_limit": 10**9}
        answer = self.service.send("PUT", path, consent, self.service.as_scope("service"))
        require(answer.status == 200, "consent", answer)
        coins = self.random.randint(1, min(available, 50))
        done, answer = self.act(
            f"/v1/users/{user}/spends", {"coins": coins}, lambda: self.books.spend(user, coins, self.now))
        require(done, "a spend of what is available", answer)
        self.compare_uses(done.uses, answer.json["lots"])
        entry = answer.json["spend"]["journal_entry_id"]
        self.redemptions.append((f"/v1/spends/{entry}/reversals", done))
        charge = self.eventually(
            lambda: self.service.get(path).json["charges"][0],
            lambda said: said["journal_entry_id"] == entry and said["status"] != "waiting")
        require(charge["journal_entry_id"] == entry, "charge", charge)
        answer = self.service.send("DELETE", path, None, self.service.as_scope("service"))
        require(answer.json["status"] == "revoked", "consent", answer)
        if self.charged[user, today()] >= settings.TOP_UPS_A_DAY:
            require((charge["status"], charge["reason"]) == ("dropped", "daily_limit"), "charge", charge)
            return "top up above the limit of a day"
        self.charged[user, today()] += 1
        require((charge["status"], charge["amount"]) == ("credited", product["price"]), "charge", charge)
        purchase = self.credit(
            user, self.service.get(f"/v1/users/{user}/purchases/{charge['purchase_id']}").json, product)
        # What has no VAT is charged without.
        purchase.tax_free = purchase.tax_free_left = product["price"] if product["vat"] == "exempt" else 0
        self.payments[purchase] = {
            **self.gateway.find(charge["merchant_uid"]), "version": version, "is_decided_later": False,
            "is_disputed": False, "paid_at": time.time()}
        self.expect_soon(user)
        return True

    def hold(self, seconds=3600):
        user, coins = self.some_user(), self.random.randint(1, 60)
        done, answer = self.act(
            f"/v1/users/{user}/holds", {"coins": coins, "timeout_seconds": seconds},
            lambda: self.books.hold(user, coins, None, self.now))
        if done:
            done.expires_at = moment(answer.json["hold"]["expires_at"])
            self.holds[answer.json["hold"]["id"]] = done
        return True

    def hold_shortly(self):
        return self.hold(self.random.randint(10, 16))

    def some_hold(self):
        # Seldom a closed one.
        numbers = [number for number, hold in self.holds.items() if hold.remaining or self.random.random() < 0.02]
        number = self.some(numbers, lambda number: self.holds[number].user)
        return number, self.holds.get(number)

    def capture(self):
        number, hold = self.some_hold()
        if not hold:
            return False
        coins = self.part(40)
        provider = self.random.choice([None, *self.providers, *self.providers[1:]])
        product = self.random.choice([None, *self.PRODUCTS]) if provider else None
        is_final = self.random.random() < 0.2
        done, answer = self.act(
            f"/v1/holds/{number}/capture", given(coins=coins, provider=provider, product=product, final=is_final),
            lambda: self.books.capture(hold, coins, provider, self.now, is_final, product))
        if done:
            self.compare_uses(done.uses, answer.json["lots"])
            entry = answer.json["capture"]["journal_entry_id"]
            self.redemptions.append((f"/v1/holds/{number}/captures/{entry}/reversals", done))
            if done.share and (provider, product) in self.books.product_terms:
                return "capture of a product"
            if provider:
                return f"capture as {done.share.terms.role}" if done.share else "capture for a provider without terms"
        return True

    def void(self):
        number, hold = self.some_hold()
        if not hold:
            return False
        self.act(f"/v1/holds/{number}/void", {}, lambda: self.books.void(hold, self.now) or hold)
        return True

    def reverse(self):
        # Seldom one that came back whole.
        pairs = [pair for pair in self.redemptions if pair[1].coins or self.random.random() < 0.02]
        pairs = self.prefer(pairs, lambda pair: pair[1].share and pair[1].share.payout)
        pairs = self.prefer(pairs, lambda pair: self.books.was_written_off(pair[1]))
        chosen = self.some(pairs, lambda pair: pair[1].user)
        if not chosen:
            return False
        path, redemption = chosen
        coins = self.part(40)
        done, answer = self.act(
            path, given(coins=coins), lambda: self.books.reverse(redemption, coins, self.now))
        if not done:
            return "reverse"
        self.compare_uses(done, answer.json["lots"])
        require(answer.json["reversal"]["left"] == redemption.coins, "left", answer, "books", redemption.coins)
        payout = redemption.share and redemption.share.payout
        return f"reverse a {redemption.kind}" + (" after its payout" if payout and payout.status == "paid" else "")

    def merge(self):
        """Two users become one, or one gets another id. A new one takes the place of the id that is nobody's now."""
        known = [user for user in self.users if self.books.lots.get(user)]
        # Those with thresholds of their own keep them, so that they are known by the id.
        former = self.some(
            [user for user in known if user != self.users[0] and alerts.own(user) is None], lambda user: user, BY_WEBHOOK)
        is_rename, new_id = self.random.random() < 0.5, f"books-{self.number}-{self.ids}"
        others = [new_id] if is_rename else [user for user in known if user != former]
        user = former and self.some(others, lambda user: user)
        if not user:
            return False
        _, answer = self.act(
            f"/v1/users/{former}/merge", given(into=user, new_user=is_rename or None, reason="one person"),
            # Coins beside a debt pay it at once.
            lambda: self.books.merge(former, user) or self.books.pay_debt(user, self.now) or user)
        said, coins = answer.json["merge"], answer.json["balance"]["total"]
        require((said["former_id"], said["user"], said["new_user"]) == (former, user, is_rename), "merge", said)
        # Those of two users may have paid a debt at once.
        require(not is_rename or said["coins"] == coins, "merge", answer)
        self.take_over(former, user)
        self.users[self.users.index(former)] = new_id
        self.ids += 1
        self.expect_soon(user)
        there = self.service.get(f"/v1/users/{former}/balance")
        require(there.headers.get("Merged-Into") == user, "header", there.headers)
        self.compare_balance(user, there.json)
        return "rename a user" if is_rename else "merge users"

    def take_over(self, former, user):
        for thing in (*self.payments, *self.free, *(redemption for _, redemption in self.redemptions)):
            if thing.user == former:
                thing.user = user
        self.grants = [(number, user if owner == former else owner, lot) for number, owner, lot in self.grants]
        for campaign in self.campaigns:
            campaign.merge(former, user)
        for (owner, day), count in list(self.charged.items()):
            if owner == former:
                self.charged[user, day] += count

    def sleep(self):
        time.sleep(0.5)
        return True
