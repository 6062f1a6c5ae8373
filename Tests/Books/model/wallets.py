"""Users' coins: lots, purchases, grants, spends, holds, reversals, debts, expiry."""

import collections
import contextlib
import types

import settings

from . import alerts, days
from .journal import Refused, opposite, signed
from .vat import TaxedLot, Vat


class Lot(TaxedLot):
    """Coins that came together."""

    def __init__(self, kind, coins, price=0, purchase=None, expires_at=None, number=0, rule=None):
        super().__init__(rule)
        self.id = None  # ledgerd's, once it is known
        self.kind, self.coins, self.price, self.purchase = kind, coins, price, purchase
        self.expires_at, self.number = expires_at, number
        self.remaining, self.deferred = coins, price
        self.on_hold, self.in_refund, self.frozen = 0, 0, 0  # by holds, by a pending refund, by disputes
        self.used, self.expired, self.breakage = 0, 0, 0
        self.is_voided = False  # a void took all that was in the wallet
        self.voided = 0
        self.origin = None  # of given coins: the lot that was bought or granted
        self.given_coins = 0  # coins that were given away, less those that came back
        self.can_be_moved = True  # whether its campaign allows that they are given

    @property
    def held(self):
        return self.on_hold + self.in_refund + self.frozen

    def is_expired(self, now):
        return self.expires_at is not None and self.expires_at <= now

    def won(self, coins):
        """The price of coins that leave the lot: their share of its deferred won, rounded down."""
        left = self.remaining + self.held
        return self.deferred * coins // left if left else 0

    def expired_won(self, coins):
        """What was recognised for so many of the expired coins, rounded down."""
        return self.breakage * coins // self.expired if self.expired else 0

    def recognise(self, coins, won=None):
        """Takes the won of coins that are about to leave the lot: their share, or so many as are still deferred."""
        won = self.won(coins) if won is None or coins == self.remaining + self.held else min(won, self.deferred)
        self.deferred -= won
        return won

    def order_of_use(self):
        return (self.expires_at is None, self.expires_at or 0, self.kind == "paid", self.number)


class Use:
    """Coins of one lot that an act took."""

    def __init__(self, lot, coins, won):
        self.lot, self.coins, self.won = lot, coins, won
        self.provided = 0  # the part of the won that a provider supplied, whose agent we are


class Redemption:
    """A spend or a capture, with what can still come back, in the order of use."""

    def __init__(self, user, uses, earner, share=None):
        self.user, self.uses, self.earner, self.share = user, uses, earner, share

    @property
    def kind(self):
        return "spend" if self.earner == "spend" else "capture"

    @property
    def coins(self):
        return sum(use.coins for use in self.uses)

    @property
    def won(self):
        return sum(use.won for use in self.uses)


class Hold:
    def __init__(self, user, choices, expires_at):
        self.user, self.choices = user, choices  # [lot, coins], in the order in which they were chosen
        self.expires_at = expires_at

    @property
    def remaining(self):
        return sum(coins for _, coins in self.choices)


class Campaign:
    """Coins within a budget, once to each user: to a list, or to whoever claims them by a code."""

    def __init__(self, number, code, coins, budget, can_be_moved):
        self.id, self.code, self.coins, self.budget, self.can_be_moved = number, code, coins, budget, can_be_moved
        self.lots = collections.defaultdict(list)  # by user: several, if users became one afterwards

    @property
    def users(self):
        return [user for user, lots in self.lots.items() if lots]

    @property
    def all_lots(self):
        return [lot for lots in self.lots.values() for lot in lots]

    def merge(self, former, user):
        self.lots[user] += self.lots.pop(former, [])

    def costs(self):
        """What became of the coins, which never expire; what was given to others is used."""
        sums = {
            "given": sum(lot.coins for lot in self.all_lots), "voided": sum(lot.voided for lot in self.all_lots),
            "open": sum(lot.remaining + lot.held for lot in self.all_lots), "expired": 0}
        return sums | {"used": sums["given"] - sums["voided"] - sums["open"]}


def by_kind(side, prefix, user, pairs):
    """Lines of a user's accounts, from pairs of lot and coins."""
    for kind in ("paid", "bonus"):
        yield side, f"{prefix}:{user}:{kind}", sum(coins for lot, coins in pairs if lot.kind == kind), "COIN"


def recognition(won):
    yield "Dr", "coins:deferred-revenue", won, "KRW"
    yield "Cr", "revenue:coins", won, "KRW"


class Wallets(Vat):
    def __init__(self):
        super().__init__()
        self.holds = collections.defaultdict(list)
        self.written_off = collections.Counter()  # coins by user, less those that are owed again
        self.present = collections.defaultdict(collections.Counter)  # what made a user's present debt, by purchase
        self.given_up = set()  # users of whose present debt a part was written off
        self.number = 0
        self.alerts = alerts.Alerts()
        self.expired_holds = collections.Counter()  # by user

    def post(self, kind, *lines, **members):
        users = {account.split(":")[1] for _, account, *_ in lines if account.startswith(("wallet:", "debt:"))}
        before = {user: self.available(user) for user in users}
        super().post(kind, *lines, **members)
        for user in users:
            self.alerts.count(user, before[user], self.available(user))

    # What a user has

    def wallet(self, user, kind):
        return self.balance(f"wallet:{user}:{kind}")

    def held(self, user, kind):
        return self.balance(f"held:{user}:{kind}")

    def debt(self, user):
        return -self.balance(f"debt:{user}")

    def available(self, user):
        return 0 if self.debt(user) else self.wallet(user, "paid") + self.wallet(user, "bonus")

    def summary(self, user):
        """The balance as clients are shown it."""
        paid, bonus = self.wallet(user, "paid"), self.wallet(user, "bonus")
        held, debt = self.held(user, "paid") + self.held(user, "bonus"), self.debt(user)
        return {
            "user": user, "total": paid + bonus + held, "paid": paid, "bonus": bonus, "held": held,
            "available": self.available(user), "debt": debt,
        }

    def check(self):
        """What must hold of lots and accounts at any moment."""
        for user, lots in self.lots.items():
            for kind in ("paid", "bonus"):
                own = [lot for lot in lots if lot.kind == kind]
                assert sum(lot.remaining for lot in own) == self.wallet(user, kind), (user, kind)
                assert sum(lot.held for lot in own) == self.held(user, kind), (user, kind)
        lots = [lot for lots in self.lots.values() for lot in lots]
        assert sum(lot.deferred for lot in lots) == self.balance("coins:deferred-revenue", "KRW")
        assert sum(lot.expired for lot in lots) == self.balance("coins:expired")
        assert sum(lot.breakage - lot.vat[3] for lot in lots) == self.balance("revenue:breakage", "KRW")

    def expiries(self, user):
        """When the user's lots and holds expire: also lots without coins, because some can come back."""
        for lot in self.lots[user]:
            if lot.expires_at:
                yield lot.expires_at
        for hold in self.holds[user]:
            if hold.remaining and hold.expires_at:
                yield hold.expires_at

    # Lots

    def add_lot(self, user, kind, coins, **members):
        self.number += 1
        self.lots[user].append(Lot(kind, coins, number=self.number, **members))
        return self.lots[user][-1]

    def usable(self, user, now):
        lots = [lot for lot in self.lots[user] if lot.remaining and not lot.is_expired(now)]
        return sorted(lots, key=Lot.order_of_use)

    def choose(self, user, coins, now):
        if self.debt(user) or coins > sum(lot.remaining for lot in self.usable(user, now)):
            raise Refused("insufficient_coins")
        chosen = []
        for lot in self.usable(user, now):
            taken = min(coins, lot.remaining)
            if taken:
                chosen.append((lot, taken))
                coins -= taken
        return chosen

    @staticmethod
    def use(chosen, place):
        """Uses coins of lots, which are in `remaining` or `on_hold`: a supply."""
        uses = []
        for lot, coins in chosen:
            won = lot.recognise(coins)
            setattr(lot, place, getattr(lot, place) - coins)
            lot.used += coins
            uses.append(Use(lot, coins, won))
        return uses

    # Acts

    def grant(self, user, coins, expires_at, now):
        lot = self.add_lot(user, "bonus", coins, expires_at=expires_at)
        self.post("grant", ("Dr", "coins:promotions", coins, "COIN"), ("Cr", f"wallet:{user}:bonus", coins, "COIN"))
        self.pay_debt(user, now)
        return lot

    def claim(self, campaign, user, now):
        """A campaign gives its coins once to a user; what was voided of them can be given again."""
        if not campaign.lots[user]:
            given = sum(lot.coins - lot.voided for lot in campaign.all_lots)
            if given + campaign.coins > campaign.budget:
                raise Refused("campaign_closed")
            self.give(campaign, user, now)
        return campaign.lots[user]

    def give(self, campaign, user, now):
        lot = self.grant(user, campaign.coins, None, now)
        lot.can_be_moved = campaign.can_be_moved
        campaign.lots[user].append(lot)

    def void_grant(self, user, lot, coins, now):
        """Takes back coins of a grant that are in the wallet: no use. Without coins all, and then also what comes back later."""
        most = 0 if lot.is_expired(now) else lot.remaining
        taken = most if coins is None else coins
        if not 0 < taken <= most:
            raise Refused("exceeds_grant")
        lot.is_voided = lot.is_voided or coins is None
        self.take_back_grant(user, lot, taken)
        return taken

    def take_back_grant(self, user, lot, coins):
        lot.remaining -= coins
        lot.voided += coins
        self.post(
            "grant_void", ("Dr", f"wallet:{user}:bonus", coins, "COIN"), ("Cr", "coins:promotions", coins, "COIN"))

    def gift(self, user, receiver, coins, now):
        """Gives coins to another user, in the order of use, and pays the fee with a spend."""
        if receiver == user:
            raise Refused("gift_to_oneself")
        if not self.lots[receiver]:
            raise Refused("unknown_receiver")
        usable = [] if self.debt(user) else self.usable(user, now)
        giveable = [
            lot for lot in usable
            if not lot.is_voided and not self.went_back(lot) and (lot.origin or lot).can_be_moved]
        if coins > sum(lot.remaining for lot in giveable):
            raise Refused("exceeds_giveable")
        fee = -(-coins * settings.GIFT_FEE_PERCENT // 100)
        if fee > sum(lot.remaining for lot in usable) - coins:
            raise Refused("insufficient_coins")
        chosen, left = [], coins
        for lot in giveable:
            taken = min(left, lot.remaining)
            if taken:
                chosen.append((lot, taken))
                left -= taken
        moved = [(lot, taken, self.take_given(lot, taken)) for lot, taken in chosen]
        won = sum(won for _, _, won in moved)
        self.post(
            "gift_sent", *by_kind("Dr", "wallet", user, chosen), ("Cr", "clearing:coins", coins, "COIN"),
            ("Dr", "coins:deferred-revenue", won, "KRW"), ("Cr", "clearing:won", won, "KRW"))
        for lot, taken, won_of in moved:
            got = self.add_lot(receiver, lot.kind, taken, price=won_of, expires_at=lot.expires_at, rule=lot.rule)
            got.origin, got.began = lot.origin or lot, lot.began_of_given()
        self.post(
            "gift_received", *by_kind("Cr", "wallet", receiver, chosen), ("Dr", "clearing:coins", coins, "COIN"),
            ("Cr", "coins:deferred-revenue", won, "KRW"), ("Dr", "clearing:won", won, "KRW"))
        self.pay_debt(receiver, now)
        if fee:
            self.spend(user, fee, now)
        return {"coins": coins, "paid_coins": sum(n for lot, n in chosen if lot.kind == "paid"), "fee": fee}

    @staticmethod
    def went_back(lot):
        """Whether money of the purchase of these coins went back."""
        purchase = (lot.origin or lot).purchase
        return purchase and purchase.refunded

    @staticmethod
    def take_given(lot, coins):
        won = lot.recognise(coins)
        lot.remaining -= coins
        lot.given += won
        lot.given_coins += coins
        return won

    def given_of(self, lots):
        """The lots with given coins of these, each with its user, those first that were given last."""
        found = [(user, lot) for user, own in self.lots.items() for lot in own if lot.origin in lots]
        return sorted(found, key=lambda pair: -pair[1].number)

    def holders(self, user):
        """Who has given coins that this user bought or was granted."""
        return {holder for holder, lot in self.given_of(self.lots[user]) if lot.remaining + lot.held}

    def whole(self, lot):
        """What a lot and those with its given coins have."""
        lots = [lot, *(given for _, given in self.given_of([lot]))]
        sums = {name: sum(getattr(one, name) for one in lots) for name in ("deferred", "breakage", "remaining", "held")}
        return types.SimpleNamespace(price=lot.price, **sums)

    def recall(self, wanted, now):
        """Given coins of a purchase come back to its buyer: so many of each of its lots."""
        for origin, coins in wanted:
            for user, lot in self.given_of([origin]):
                taken = 0 if lot.is_expired(now) else min(coins, lot.remaining)
                if taken:
                    coins -= taken
                    won = self.take_given(lot, taken)
                    lines = [
                        *by_kind("Dr", "wallet", user, [(lot, taken)]), ("Cr", "clearing:coins", taken, "COIN"),
                        ("Dr", "coins:deferred-revenue", won, "KRW"), ("Cr", "clearing:won", won, "KRW")]
                    self.post("gift_taken_back", *lines)
                    origin.remaining += taken
                    origin.deferred += won
                    origin.given -= won
                    origin.given_coins -= taken
                    buyer = origin.purchase.user
                    self.post("gift_returned", *opposite(
                        [*by_kind("Dr", "wallet", buyer, [(origin, taken)]), *lines[2:]]))

    def recall_recognised(self, origin, won):
        """What was recognised goes to the lot that was bought, where the money goes back: of used coins, then of others."""
        lots = [lot for _, lot in self.given_of([origin]) if lot.rule]
        parts = []
        for lot in lots:
            parts.append(max(0, min(won, lot.kept - lot.deferred - lot.breakage)))
            won -= parts[-1]
        for place, lot in enumerate(lots):
            more = max(0, min(won, lot.kept - parts[place]))
            won -= more
            parts[place] += more
        for lot, taken in zip(lots, parts):
            if taken:
                lot.given += taken
                lines = [("Dr", "revenue:coins", taken, "KRW"), ("Cr", "clearing:won", taken, "KRW")]
                self.post("gift_taken_back", *lines)
                origin.given -= taken
                self.post("gift_returned", *opposite(lines))

    def recallable(self, lot, now):
        return sum(given.remaining for _, given in self.given_of([lot]) if not given.is_expired(now))

    def spend(self, user, coins, now):
        chosen = self.choose(user, coins, now)
        uses = self.use(chosen, "remaining")
        self.post(
            "spend", *by_kind("Dr", "wallet", user, chosen), ("Cr", "coins:redeemed", coins, "COIN"),
            *recognition(sum(use.won for use in uses)))
        return Redemption(user, uses, "spend")

    def hold(self, user, coins, expires_at, now):
        chosen = self.choose(user, coins, now)
        for lot, taken in chosen:
            lot.remaining -= taken
            lot.on_hold += taken
        self.post("hold", *by_kind("Dr", "wallet", user, chosen), *by_kind("Cr", "held", user, chosen))
        self.holds[user].append(Hold(user, [list(choice) for choice in chosen], expires_at))
        return self.holds[user][-1]

    def require_open(self, hold):
        if not hold.remaining:
            raise Refused("hold_closed")

    def capture(self, hold, coins, provider, now, is_final=False, product=None):
        self.require_open(hold)
        coins = hold.remaining if coins is None else coins
        if coins > hold.remaining:
            raise Refused("exceeds_hold")
        chosen, left = [], coins
        for choice in hold.choices:
            taken = min(left, choice[1])
            if taken:
                choice[1] -= taken
                left -= taken
                chosen.append((choice[0], taken))
        uses = self.use(chosen, "on_hold")
        won = sum(use.won for use in uses)
        earner = f"earnings:{provider}" if provider else "coins:redeemed"
        share, money = self.earn(provider, won, product)
        self.divide(share, uses)
        self.post(
            "capture", *by_kind("Dr", "held", hold.user, chosen), ("Cr", earner, coins, "COIN"), *money,
            revenue=share.terms.revenue if share else "revenue:coins")
        redemption = Redemption(hold.user, uses, earner, share)
        if is_final and hold.remaining:
            self.void(hold, now)
        return redemption

    def void(self, hold, now):
        self.require_open(hold)
        returned = [(lot, coins) for lot, coins in hold.choices if coins]
        hold.choices = []
        for lot, coins in returned:
            lot.on_hold -= coins
            lot.remaining += coins
        self.post("void", *by_kind("Dr", "held", hold.user, returned), *by_kind("Cr", "wallet", hold.user, returned))
        self.pay_debt(hold.user, now, returned)
        self.pay_written_off(hold.user, returned)

    def reverse(self, redemption, coins, now):
        if not redemption.coins:
            raise Refused("already_reversed")
        coins = redemption.coins if coins is None else coins
        if coins > redemption.coins:
            raise Refused("exceeds_redemption")
        left = coins
        for use in reversed(redemption.uses):
            taken, lot = min(left, use.coins), use.lot
            if taken > lot.coins - lot.remaining - lot.held - lot.expired:
                raise Refused("no_place_for_coins")
            left -= taken
        back, left = [], coins
        for use in reversed(redemption.uses):
            taken = min(left, use.coins)
            if taken:
                won = use.won * taken // use.coins
                use.coins -= taken
                use.won -= won
                left -= taken
                back.append(Use(use.lot, taken, won))
        for use in back:
            use.lot.used -= use.coins
        self.put_back(back, now)
        share = redemption.share
        money = self.give_back(share, sum(use.won for use in back), redemption.won)
        self.divide(share, redemption.uses)
        earner = "coins:redeemed" if redemption.kind == "spend" else redemption.earner
        self.post(
            redemption.kind + "_reversal", ("Dr", earner, coins, "COIN"),
            *by_kind("Cr", "wallet", redemption.user, [(use.lot, use.coins) for use in back]), *money,
            revenue=share.terms.revenue if share else "revenue:coins")
        for use in back:
            if use.lot.is_voided and use.coins:
                self.take_back_grant(redemption.user, use.lot, use.coins)
        returned = [(use.lot, use.coins) for use in back if not use.lot.is_voided]
        self.pay_debt(redemption.user, now, returned)
        self.pay_written_off(redemption.user, returned)
        return back

    @staticmethod
    def put_back(uses, now, grace=settings.RETURN_GRACE):
        """Puts used coins back into their lot. They are usable for a time if it has expired."""
        for use in uses:
            use.lot.remaining += use.coins
            use.lot.deferred += use.won
            if use.coins and use.lot.is_expired(now) and grace and not use.lot.is_voided:
                use.lot.expires_at = days.lifetime_end(now, grace)

    def pay_debt(self, user, now, returned=()):
        """Repays a debt out of all usable coins, and out of coins that just came back, expired or not."""
        debt = self.debt(user)
        late = [(lot, coins) for lot, coins in returned if lot.is_expired(now)]
        sources = [(lot, lot.remaining) for lot in self.usable(user, now)] + late
        chosen = []
        for lot, coins in sorted(sources, key=lambda pair: pair[0].order_of_use()):
            taken = min(debt, coins)
            if taken:
                chosen.append((lot, taken))
                debt -= taken
        self.pay_debt_with(user, chosen)

    def pay_debt_with(self, user, chosen):
        if chosen:
            uses = self.use(chosen, "remaining")
            self.post(
                "debt_payment", *by_kind("Dr", "wallet", user, chosen),
                ("Cr", f"debt:{user}", sum(coins for _, coins in chosen), "COIN"),
                *recognition(sum(use.won for use in uses)))
            self.end_debt(user)

    def owe(self, purchase, coins):
        """A claw-back makes a debt."""
        purchase.owed += coins
        self.present[purchase.user][purchase] += coins

    def end_debt(self, user):
        """Coins of a debt that was paid whole are the user's if they come back."""
        if self.debt(user):
            return
        for purchase, coins in self.present.pop(user, {}).items():
            purchase.owed -= 0 if user in self.given_up else coins
        self.given_up.discard(user)

    def was_written_off(self, redemption):
        """Whether a debt for coins that it used was written off."""
        return self.written_off[redemption.user] and any(
            use.coins and use.lot.purchase and use.lot.purchase.owed > use.lot.purchase.owed_again
            for use in redemption.uses)

    def pay_written_off(self, user, returned):
        """Used coins came back whose payment was cancelled: what was written off for them is owed again, and paid."""
        chosen = []
        for lot, coins in returned:
            if lot.purchase:
                taken = min(coins, lot.remaining, self.written_off[user], lot.purchase.owed - lot.purchase.owed_again)
                self.written_off[user] -= taken
                lot.purchase.owed_again += taken
                chosen += [(lot, taken)] if taken else []
        coins = sum(coins for _, coins in chosen)
        self.post(
            "debt_write_off_reversal", ("Dr", f"debt:{user}", coins, "COIN"),
            ("Cr", "coins:written-off", coins, "COIN"))
        self.pay_debt_with(user, chosen)

    def expire(self, user, now):
        """What ledgerd does by itself: ends the user's holds and lots whose time is over."""
        with self.in_any_order(user):
            for hold in self.holds[user]:
                if hold.remaining and hold.expires_at <= now:
                    self.void(hold, now)
                    self.expired_holds[user] += 1
            for lot in self.lots[user]:
                if lot.remaining and lot.is_expired(now):
                    self.expire_lot(user, lot)

    @contextlib.contextmanager
    def in_any_order(self, user):
        """What ledgerd does by itself between two moments at which both books are the same.

        If a hold expires, coins come and go, and what came first is not known here: then only what is told whatever the order
        is counted.
        """
        before, told, ended = self.available(user), self.alerts.told[user].copy(), self.expired_holds[user]
        yield
        if self.expired_holds[user] != ended:
            self.alerts.told[user] = told
            self.alerts.count(user, before, self.available(user))
            self.alerts.unordered.add(user)

    def expire_lot(self, user, lot, coins=None, won=None):
        coins = lot.remaining if coins is None else coins
        won = lot.recognise(coins, won)
        lot.remaining -= coins
        lot.expired += coins
        lot.breakage += won
        lot.supply_breakage(won)
        self.post("expiry", *self.expiry(user, lot, coins, won))

    @staticmethod
    def expiry(user, lot, coins, won):
        return (
            ("Dr", f"wallet:{user}:{lot.kind}", coins, "COIN"), ("Cr", "coins:expired", coins, "COIN"),
            ("Dr", "coins:deferred-revenue", won, "KRW"), ("Cr", "revenue:breakage", won, "KRW"))

    def merge(self, former, user):
        """All that one user has becomes another's: two entries, through an account that is zero after them, and lots as they are."""
        moved = [(account, self.balance(account.format(former))) for account in (
            "wallet:{}:paid", "wallet:{}:bonus", "held:{}:paid", "held:{}:bonus", "debt:{}")]
        coins = sum(balance for _, balance in moved)
        for owner, (gone, come) in ((former, ("Dr", "Cr")), (user, ("Cr", "Dr"))):
            self.post(
                "merge", *(signed(gone, come, account.format(owner), balance, "COIN") for account, balance in moved),
                signed(come, gone, "clearing:coins", coins, "COIN"))
        self.lots[user] += self.lots.pop(former, [])
        for hold in self.holds.pop(former, []):
            hold.user = user
            self.holds[user].append(hold)
        self.written_off[user] += self.written_off.pop(former, 0)
        self.present[user].update(self.present.pop(former, {}))
        if former in self.given_up:
            self.given_up.discard(former)
            self.given_up.add(user)

    def reverse_expiry(self, user, lot, coins):
        """Expired coins come back to be refunded, and with them their part of what was recognised for them."""
        if coins:
            won = lot.expired_won(coins)
            lot.expired -= coins
            lot.take_back_breakage(won)
            lot.remaining += coins
            lot.deferred += won
            self.post("expiry_reversal", *opposite(self.expiry(user, lot, coins, won)))
            return won
        return 0
