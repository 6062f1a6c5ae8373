"""Books kept from docs/accounting.md: what each act does to a user's lots and to the accounts.

Nothing here uses ledgerd's code. Each act checks what the document says that it refuses, changes the user's lots, and
posts a journal entry, whose debits and credits must be equal in each currency."""

import collections


class Refused(Exception):
    """The act is refused, with the code of the problem."""


class Lot:
    """Coins that came together."""

    def __init__(self, kind, coins, price=0, purchase=None, expires_at=None, number=0):
        self.id = None  # ledgerd's, once it is known
        self.kind, self.coins, self.price, self.purchase = kind, coins, price, purchase
        self.expires_at, self.number = expires_at, number
        self.remaining, self.held, self.deferred = coins, 0, price
        self.expired, self.breakage = 0, 0

    def is_expired(self, now):
        return self.expires_at is not None and self.expires_at <= now

    def won(self, coins):
        """The price of coins that leave the lot: their share of its deferred won, rounded down."""
        left = self.remaining + self.held
        return self.deferred * coins // left if left else 0

    def recognise(self, coins):
        won = self.won(coins)
        self.deferred -= won
        return won

    def order_of_use(self):
        return (self.expires_at is None, self.expires_at or 0, self.kind == "paid", self.number)


class Purchase:
    def __init__(self, number, user, amount, coins, bonus):
        self.number, self.user, self.amount, self.coins, self.bonus = number, user, amount, coins, bonus
        self.refunded = 0  # won
        self.taken = 0  # paid coins that went for money
        self.charged = 0  # paid coins that went for used bonus coins
        self.bonus_settled = 0  # bonus coins that were taken or charged
        self.settled = 0  # won that the gateway paid out


class Use:
    """Coins of one lot that an act took."""

    def __init__(self, lot, coins, won):
        self.lot, self.coins, self.won = lot, coins, won


class Redemption:
    """A spend or a capture, with what can still come back, in the order of use."""

    def __init__(self, user, uses, earner):
        self.user, self.uses, self.earner = user, uses, earner

    @property
    def coins(self):
        return sum(use.coins for use in self.uses)


class Hold:
    def __init__(self, user, choices):
        self.user, self.choices = user, choices  # [lot, coins], in the order in which they were chosen

    @property
    def remaining(self):
        return sum(coins for _, coins in self.choices)


class Books:
    def __init__(self):
        self.debits, self.credits = collections.Counter(), collections.Counter()
        self.lots = collections.defaultdict(list)
        self.purchases, self.number = [], 0

    # Accounts

    def post(self, *lines):
        """Posts an entry. A line: "Dr" or "Cr", account, amount, currency."""
        sums = collections.Counter()
        for side, account, amount, currency in lines:
            assert amount >= 0, (side, account, amount)
            if amount:
                (self.debits if side == "Dr" else self.credits)[account, currency] += amount
                sums[currency] += amount if side == "Dr" else -amount
        assert not any(sums.values()), lines

    def balance(self, account, currency="COIN"):
        """Credits less debits."""
        return self.credits[account, currency] - self.debits[account, currency]

    def wallet(self, user, kind):
        return self.balance(f"wallet:{user}:{kind}")

    def debt(self, user):
        return -self.balance(f"debt:{user}")

    def summary(self, user):
        """The balance as clients are shown it."""
        paid, bonus = self.wallet(user, "paid"), self.wallet(user, "bonus")
        held = self.balance(f"held:{user}:paid") + self.balance(f"held:{user}:bonus")
        debt = self.debt(user)
        return {
            "user": user, "total": paid + bonus + held, "paid": paid, "bonus": bonus, "held": held,
            "available": 0 if debt else paid + bonus, "debt": debt,
        }

    def check(self):
        """What must hold of lots and accounts at any moment."""
        for user, lots in self.lots.items():
            for kind in ("paid", "bonus"):
                own = [lot for lot in lots if lot.kind == kind]
                assert sum(lot.remaining for lot in own) == self.wallet(user, kind), (user, kind)
                assert sum(lot.held for lot in own) == self.balance(f"held:{user}:{kind}"), (user, kind)
        lots = [lot for lots in self.lots.values() for lot in lots]
        assert sum(lot.deferred for lot in lots) == self.balance("coins:deferred-revenue", "KRW")
        assert sum(lot.expired for lot in lots) == self.balance("coins:expired")
        assert sum(lot.breakage for lot in lots) == self.balance("revenue:breakage", "KRW")

    # Lots

    def add_lot(self, user, kind, coins, **members):
        self.number += 1
        self.lots[user].append(Lot(kind, coins, number=self.number, **members))
        return self.lots[user][-1]

    def usable(self, user, now):
        lots = [lot for lot in self.lots[user] if lot.remaining and not lot.is_expired(now)]
        return sorted(lots, key=Lot.order_of_use)

    def choose(self, user, coins, lots):
        chosen = []
        for lot in lots:
            if coins:
                chosen.append((lot, min(coins, lot.remaining)))
                coins -= chosen[-1][1]
        return chosen if not coins else None

    def choose_to_use(self, user, coins, now):
        chosen = None if self.debt(user) else self.choose(user, coins, self.usable(user, now))
        if chosen is None:
            raise Refused("insufficient_coins")
        return chosen

    @staticmethod
    def by_kind(side, prefix, user, pairs):
        """Lines of a user's accounts, from pairs of lot and coins."""
        for kind in ("paid", "bonus"):
            yield side, f"{prefix}:{user}:{kind}", sum(coins for lot, coins in pairs if lot.kind == kind), "COIN"

    def take_from_wallet(self, chosen):
        uses = []
        for lot, coins in chosen:
            won = lot.recognise(coins)
            lot.remaining -= coins
            uses.append(Use(lot, coins, won))
        return uses

    @staticmethod
    def recognition(won):
        yield "Dr", "coins:deferred-revenue", won, "KRW"
        yield "Cr", "revenue:coins", won, "KRW"

    # Acts

    def buy(self, user, number, amount, coins, bonus, now):
        purchase = Purchase(number, user, amount, coins, bonus)
        self.purchases.append(purchase)
        self.add_lot(user, "paid", coins, price=amount, purchase=purchase)
        if bonus:
            self.add_lot(user, "bonus", bonus, purchase=purchase)
        self.post(
            ("Dr", "coins:issued", coins, "COIN"), ("Cr", f"wallet:{user}:paid", coins, "COIN"),
            ("Dr", "coins:promotions", bonus, "COIN"), ("Cr", f"wallet:{user}:bonus", bonus, "COIN"),
            ("Dr", "gateway:receivable", amount, "KRW"), ("Cr", "coins:deferred-revenue", amount, "KRW"))
        self.pay_debt(user, now)
        return purchase

    def grant(self, user, coins, expires_at, now):
        lot = self.add_lot(user, "bonus", coins, expires_at=expires_at)
        self.post(("Dr", "coins:promotions", coins, "COIN"), ("Cr", f"wallet:{user}:bonus", coins, "COIN"))
        self.pay_debt(user, now)
        return lot

    def spend(self, user, coins, now):
        chosen = self.choose_to_use(user, coins, now)
        uses = self.take_from_wallet(chosen)
        self.post(
            *self.by_kind("Dr", "wallet", user, chosen), ("Cr", "coins:redeemed", coins, "COIN"),
            *self.recognition(sum(use.won for use in uses)))
        return Redemption(user, uses, "coins:redeemed")

    def hold(self, user, coins, now):
        chosen = self.choose_to_use(user, coins, now)
        for lot, taken in chosen:
            lot.remaining -= taken
            lot.held += taken
        self.post(*self.by_kind("Dr", "wallet", user, chosen), *self.by_kind("Cr", "held", user, chosen))
        return Hold(user, [list(choice) for choice in chosen])

    def capture(self, hold, coins, provider, now, is_final=False):
        if not hold.remaining:
            raise Refused("hold_closed")
        coins = hold.remaining if coins is None else coins
        if coins > hold.remaining:
            raise Refused("exceeds_hold")
        uses, left = [], coins
        for choice in hold.choices:
            taken = min(left, choice[1])
            if taken:
                won = choice[0].recognise(taken)
                choice[0].held -= taken
                choice[1] -= taken
                left -= taken
                uses.append(Use(choice[0], taken, won))
        earner = f"earnings:{provider}" if provider else "coins:redeemed"
        self.post(
            *self.by_kind("Dr", "held", hold.user, [(use.lot, use.coins) for use in uses]),
            ("Cr", earner, coins, "COIN"), *self.recognition(sum(use.won for use in uses)))
        redemption = Redemption(hold.user, uses, earner)
        if is_final and hold.remaining:
            self.void(hold, now)
        return redemption

    def void(self, hold, now):
        if not hold.remaining:
            raise Refused("hold_closed")
        returned = [(lot, coins) for lot, coins in hold.choices if coins]
        hold.choices = []
        for lot, coins in returned:
            lot.held -= coins
            lot.remaining += coins
        self.post(*self.by_kind("Dr", "held", hold.user, returned), *self.by_kind("Cr", "wallet", hold.user, returned))
        self.pay_debt(hold.user, now, returned)

    def reverse(self, redemption, coins, now, grace):
        if not redemption.coins:
            raise Refused("already_reversed")
        coins = redemption.coins if coins is None else coins
        if coins > redemption.coins:
            raise Refused("exceeds_redemption")
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
            use.lot.remaining += use.coins
            use.lot.deferred += use.won
            if use.lot.is_expired(now) and grace:
                use.lot.expires_at = now + grace
        pairs = [(use.lot, use.coins) for use in back]
        won = sum(use.won for use in back)
        self.post(
            ("Dr", redemption.earner, coins, "COIN"), *self.by_kind("Cr", "wallet", redemption.user, pairs),
            ("Dr", "revenue:coins", won, "KRW"), ("Cr", "coins:deferred-revenue", won, "KRW"))
        self.pay_debt(redemption.user, now, pairs)
        return back

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
        if chosen:
            uses = self.take_from_wallet(chosen)
            self.post(
                *self.by_kind("Dr", "wallet", user, chosen),
                ("Cr", f"debt:{user}", sum(coins for _, coins in chosen), "COIN"),
                *self.recognition(sum(use.won for use in uses)))

    def expire(self, user, now):
        for lot in self.lots[user]:
            if lot.remaining and lot.is_expired(now):
                won = lot.recognise(lot.remaining)
                self.post(
                    ("Dr", f"wallet:{user}:{lot.kind}", lot.remaining, "COIN"),
                    ("Cr", "coins:expired", lot.remaining, "COIN"),
                    ("Dr", "coins:deferred-revenue", won, "KRW"), ("Cr", "revenue:breakage", won, "KRW"))
                lot.expired += lot.remaining
                lot.breakage += won
                lot.remaining = 0

    # Refunds and claw-backs

    def lots_of(self, purchase):
        own = [lot for lot in self.lots[purchase.user] if lot.purchase is purchase]
        return own[0], own[1] if len(own) > 1 else Lot("bonus", 0)

    def bonus_due(self, purchase, bonus, gone):
        """Bonus coins that are due when so many paid coins are taken: (from the wallet, expired, used)."""
        due = max(0, purchase.bonus * min(gone, purchase.coins) // purchase.coins - purchase.bonus_settled)
        wallet = min(due, bonus.remaining)
        expired = min(due - wallet, bonus.expired)
        return wallet, expired, due - wallet - expired

    def refund(self, purchase, coins):
        """A refund without a fee that the gateway carries out at once."""
        paid, bonus = self.lots_of(purchase)
        balance = purchase.amount - purchase.refunded
        unused = max(0, min(paid.remaining, purchase.coins - purchase.taken - purchase.charged))
        while unused and paid.won(unused) > balance:
            unused -= 1
        coins = unused if coins is None else coins
        if self.debt(purchase.user):
            raise Refused("user_in_debt")
        if not unused:
            raise Refused("nothing_to_refund")
        if coins > unused:
            raise Refused("exceeds_refundable")
        is_last = paid.won(coins) == balance
        gone = purchase.coins if is_last else purchase.taken + purchase.charged + coins
        taken_bonus, _, used = self.bonus_due(purchase, bonus, gone)
        charged = min(coins, used)
        value = paid.won(coins - charged)
        if not value:
            raise Refused("nothing_to_refund")

        user, taken = purchase.user, [(paid, coins), (bonus, taken_bonus)]
        paid.remaining -= coins
        paid.held += coins
        bonus.remaining -= taken_bonus
        self.post(*self.by_kind("Dr", "wallet", user, taken), *self.by_kind("Cr", "held", user, taken))
        won = paid.recognise(charged)
        paid.held -= charged
        paid.held -= coins - charged
        left = paid.deferred if not paid.remaining + paid.held else min(paid.deferred, value)
        paid.deferred -= left
        won += left
        rest = won - value
        self.post(
            *self.by_kind("Dr", "held", user, taken), ("Cr", "coins:issued", coins - charged, "COIN"),
            ("Cr", "coins:promotions", taken_bonus + charged, "COIN"), ("Dr", "coins:deferred-revenue", won, "KRW"),
            ("Cr", "gateway:receivable", value, "KRW"),
            ("Cr" if rest > 0 else "Dr", "revenue:coins", abs(rest), "KRW"))
        purchase.refunded += value
        purchase.taken += coins - charged
        purchase.charged += charged
        purchase.bonus_settled += taken_bonus + charged
        return {"coins": coins, "bonus_coins": taken_bonus, "bonus_charged": charged, "value": value, "amount": value}

    def claw_back(self, purchase, amount, now):
        """The gateway cancelled so many won in its console."""
        user = purchase.user
        paid, bonus = self.lots_of(purchase)
        share = purchase.coins * (purchase.refunded + amount) // purchase.amount
        coins = max(0, min(share, purchase.coins) - purchase.taken)

        in_wallet = min(coins, paid.remaining)
        wallet_won = paid.won(paid.remaining)
        paid.remaining -= in_wallet
        deferred = wallet_won if not paid.remaining else min(wallet_won, amount)
        paid.deferred -= deferred
        paid_expired = min(coins - in_wallet, paid.expired)
        paid.expired -= paid_expired
        breakage = paid.breakage if not paid.expired else min(paid.breakage, max(0, amount - deferred))
        paid.breakage -= breakage

        gone = purchase.taken + purchase.charged + coins
        spare = 0 if paid.is_expired(now) else paid.remaining
        # Each charged coin counts as taken and can make another bonus coin due: the most that are due for themselves.
        fitting = [n for n in range(spare + 1) if self.bonus_due(purchase, bonus, gone + n)[2] >= n]
        from_lot = max(fitting)
        charged = max(from_lot, self.bonus_due(purchase, bonus, gone + from_lot)[2])
        bonus_wallet, bonus_expired, _ = self.bonus_due(purchase, bonus, gone + from_lot)
        charged_won = paid.recognise(from_lot)
        paid.remaining -= from_lot
        bonus.remaining -= bonus_wallet
        bonus.expired -= bonus_expired

        bonus_coins = bonus_wallet + bonus_expired + charged
        expired = paid_expired + bonus_expired
        debt = coins + bonus_coins - in_wallet - bonus_wallet - from_lot - expired
        revenue = amount - deferred - charged_won - breakage
        self.post(
            ("Dr", f"wallet:{user}:paid", in_wallet + from_lot, "COIN"),
            ("Dr", f"wallet:{user}:bonus", bonus_wallet, "COIN"), ("Dr", f"debt:{user}", debt, "COIN"),
            ("Dr", "coins:expired", expired, "COIN"), ("Cr", "coins:issued", coins, "COIN"),
            ("Cr", "coins:promotions", bonus_coins, "COIN"),
            ("Dr", "coins:deferred-revenue", deferred + charged_won, "KRW"), ("Dr", "revenue:breakage", breakage, "KRW"),
            ("Dr" if revenue > 0 else "Cr", "revenue:coins", abs(revenue), "KRW"),
            ("Cr", "gateway:receivable", amount, "KRW"))
        purchase.refunded += amount
        purchase.taken += coins
        purchase.charged += from_lot
        purchase.bonus_settled += bonus_coins
        self.pay_debt(user, now)

    def settle(self, purchase, gross, fees):
        sides = ("Dr", "Cr") if gross > 0 else ("Cr", "Dr")
        self.post(
            (sides[0], "bank", abs(gross - fees), "KRW"), (sides[0], "gateway:fees", abs(fees), "KRW"),
            (sides[1], "gateway:receivable", abs(gross), "KRW"))
        purchase.settled += gross
