"""Payments: purchases, refunds by the gateway and by bank transfer, and claw-backs."""

import copy

import settings

from . import days, foreign
from .journal import Refused, signed
from .wallets import Lot, Use, Wallets, by_kind


def refunded_in_store(amount, part, quantity):
    """The won that a part means, which the App Store tells in thousandths of a percent: docs/stores.md. One of three pieces is
    33333: it is a third. Other parts are rounded to the nearest won."""
    share, whole = part, 100_000
    for pieces in range(quantity + 1):
        if abs(part * quantity - pieces * 100_000) < quantity:
            share, whole = pieces, quantity
    return (2 * amount * share + whole) // (2 * whole)


class Purchase:
    def __init__(self, number, user, amount, coins, bonus, sold_at, receivable, paid=None):
        self.number, self.user, self.amount, self.coins, self.bonus = number, user, amount, coins, bonus
        self.owed_by = receivable  # the account of its gateway
        self.foreign = paid  # a ForeignAmount, if it was not paid in won: then the amount is its worth
        # The account of what is owed for it, in won.
        self.receivable = foreign.carrying(paid.currency) if paid else receivable
        self.sold_in, self.free_until = days.month_of(sold_at), days.days_later(sold_at, settings.FREE_DAYS)
        self.refunded = 0  # won that went back by the books
        self.fees = 0  # of refunds, which are kept
        self.transferred = 0  # the part of it that goes back by bank transfer
        self.cancelled = 0  # won that the gateway has cancelled
        # The part of the payment without VAT, and what is not cancelled of it, in the currency in which it was paid.
        self.tax_free = self.tax_free_left = 0
        self.taken = 0  # paid coins that went for money
        self.charged = 0  # paid coins that went for used bonus coins
        self.bonus_settled = 0  # bonus coins that were taken or charged; forgiven ones stay due
        self.settled = 0  # won that the gateway paid out
        self.owed = 0  # coins that claw-backs made a debt of, less those of debts that were paid whole
        self.owed_again = 0  # the part of them that was written off, and is no more
        self.pending, self.refunds, self.disputes = None, [], []
        self.losses = []  # what claw-backs took that no store took back, the last one last
        self.gone_back = []  # when the gateway or store gave back won by the books, and how many
        self.settled_parts = {"S": 0, "R": 0}  # won of lines of a store's reports: sold, and returned

    @property
    def is_of_store(self):
        """A store has an account of its own."""
        return self.owed_by != "gateway:receivable"

    @property
    def is_refunded_by_store_alone(self):
        return self.owed_by == "app-store:receivable"

    @property
    def is_booked_as_lost(self):
        """By finance: the buyer has all of the money."""
        return any(dispute.is_booked for dispute in self.disputes)

    @property
    def rest(self):
        """The won that did not go back."""
        return self.amount - self.refunded

    @property
    def paid(self):
        """In minor units of the currency in which it was paid."""
        return self.foreign.amount if self.foreign else self.amount

    @property
    def paid_back(self):
        """What of it the gateway has given back."""
        return self.foreign.cancelled if self.foreign else self.cancelled

    def won_of(self, paid):
        """The won of so much that went back in all: their share, rounded down."""
        return self.amount * paid // self.foreign.amount if self.foreign else paid

    def foreign_lines(self, rise):
        """What is due in the foreign currency rises by so much, or falls."""
        return self.foreign.lines(rise) if self.foreign else []

    def tax_free_part(self, amount):
        """The tax-free part of what the gateway is asked to cancel: vat.md, refunds of tax-free payments."""
        return amount * self.tax_free_left // max(1, self.paid - self.paid_back) if self.tax_free else None

    def cancel(self, paid, tax_free):
        """The gateway cancels so much of the payment, with a tax-free part; below zero, a store takes it back."""
        if self.foreign:
            self.foreign.cancelled += paid
            self.cancelled = self.won_of(self.foreign.cancelled)
        else:
            self.cancelled += paid
        self.tax_free_left -= tax_free or 0
        assert 0 <= self.tax_free_left <= self.paid - self.paid_back, vars(self)

    def lose_disputes(self):
        """The gateway cancelled the last won: its disputes are lost. It knows nothing of a transfer."""
        for dispute in self.disputes:
            if dispute.status == "open" and not self.rest and self.refunded > self.transferred:
                dispute.status = "lost"

    @property
    def outstanding(self):
        """The payment's part of what its gateway owes."""
        return self.amount - self.given_back - self.settled

    @property
    def to_claw_back(self):
        """The won that the gateway has cancelled and the books don't know. What goes back by transfer is not taken."""
        return max(0, min(self.cancelled - self.given_back, self.rest))

    @property
    def given_back(self):
        """The won that the gateway or store gave back, by the books."""
        return self.refunded - self.transferred

    @property
    def to_restore(self):
        """The won that the books gave back and the App Store took back: no other gateway takes refunds back."""
        return max(0, self.given_back - min(self.cancelled, self.amount - self.transferred)) \
            if self.is_refunded_by_store_alone else 0


class Loss:
    """What a claw-back took of a payment."""

    def __init__(self, amount, coins, bonus_coins, charged, paid, bonus, earlier, foreign_amount):
        self.amount, self.coins, self.bonus_coins, self.charged = amount, coins, bonus_coins, charged
        # Of the paid and of the bonus lot: coins of the wallet, expired coins, won that were deferred or breakage.
        self.paid, self.bonus = paid, bonus
        self.foreign_amount = foreign_amount  # of a payment in a foreign currency
        self.earlier = earlier  # what earlier ones had made a debt of, and the part of the debt that was present then

    @property
    def owed(self):
        """Paid and bonus coins that became a debt."""
        return (self.coins + self.charged - self.paid[0] - self.paid[1],
                self.bonus_coins - self.charged - self.bonus[0] - self.bonus[1])


class Refund:
    """What a refund takes and pays: the members of a quote. `part`: of a payment in a foreign currency."""

    def __init__(self, purchase, coins, bonus_coins, charged, value, fee, rule, expired, part=None):
        self.purchase, self.coins, self.bonus_coins, self.charged = purchase, coins, bonus_coins, charged
        self.value, self.fee, self.rule, self.part = value, fee, rule, part
        self.expired_coins, self.expired_value, self.expired_fee = expired  # the part that had expired
        self.id, self.status, self.uses, self.lines = None, "pending", [], []
        self.expired_won = 0  # what had been recognised for the expired coins
        self.tax_free = None  # the part of the amount that the gateway is asked to cancel as free of VAT; None: none
        self.supplied = 0  # won that it recognised in revenue:coins

    @property
    def amount(self):
        return self.value - self.fee

    @property
    def paid_back(self):
        """The amount in minor units of the currency in which it was paid."""
        return self.part.amount if self.part else self.amount

    def members(self):
        return {
            "coins": self.coins, "bonus_coins": self.bonus_coins, "bonus_charged": self.charged, "value": self.value,
            "fee": self.fee, "fee_rule": self.rule, "amount": self.amount, "expired": self.expired,
            "foreign": self.part and self.part.members()}

    @property
    def expired(self):
        part = {"coins": self.expired_coins, "value": self.expired_value, "fee": self.expired_fee}
        return part if self.expired_coins else None

    def count(self, sign):
        """Adds it to what the purchase knows of its refunds, or takes it out again."""
        purchase = self.purchase
        purchase.refunded += sign * self.amount
        purchase.fees += sign * self.fee
        purchase.taken += sign * (self.coins - self.charged)
        purchase.charged += sign * self.charged
        purchase.bonus_settled += sign * (self.bonus_coins + self.charged)
        if self.part:  # it is never taken back
            self.part.count()


class Payments(Wallets):
    def __init__(self):
        super().__init__()
        self.purchases = []

    def buy(self, user, number, amount, coins, bonus, expiries, now, rule=None, receivable="gateway:receivable",
            given_back=0, paid=None):
        """`expiries`: of the paid and of the bonus coins. `rule`: of VAT; None if it is off. `given_back`: what of the payment
        the store gave back before; it pays no debt. `paid`: in a foreign currency."""
        purchase = Purchase(number, user, amount, coins, bonus, now, receivable, paid)
        self.purchases.append(purchase)
        self.add_lot(user, "paid", coins, price=amount, purchase=purchase, expires_at=expiries[0], rule=rule)
        if bonus:
            self.add_lot(user, "bonus", bonus, purchase=purchase, expires_at=expiries[1])
        self.post(
            "purchase", ("Dr", "coins:issued", coins, "COIN"), ("Cr", f"wallet:{user}:paid", coins, "COIN"),
            ("Dr", "coins:promotions", bonus, "COIN"), ("Cr", f"wallet:{user}:bonus", bonus, "COIN"),
            ("Dr", purchase.receivable, amount, "KRW"), ("Cr", "coins:deferred-revenue", amount, "KRW"),
            *purchase.foreign_lines(purchase.paid))
        if given_back:
            self.given_back_in_all(purchase, given_back, now)
        self.pay_debt(user, now)
        return purchase

    def given_back_in_all(self, purchase, paid, now):
        """The store has given back so much of the payment in all."""
        self.cancelled(purchase, paid - purchase.paid_back, now, 0)

    def lots_of(self, purchase):
        own = [lot for lot in self.lots[purchase.user] if lot.purchase is purchase]
        return own[0], own[1] if len(own) > 1 else Lot("bonus", 0)

    def bonus_due(self, purchase, bonus, gone):
        """Bonus coins that are due when so many paid coins are taken: (from the wallet, expired, used or held)."""
        due = max(0, purchase.bonus * min(gone, purchase.coins) // purchase.coins - purchase.bonus_settled)
        wallet = min(due, bonus.remaining)
        expired = min(due - wallet, bonus.expired)
        return wallet, expired, due - wallet - expired

    @staticmethod
    def to_charge(bonus, used):
        """The part of used and held bonus coins that is charged. If used ones are forgiven, they count first."""
        return used if settings.CHARGES_USED_BONUS else max(0, used - bonus.used - bonus.given_coins)

    # Refunds

    def quote(self, purchase, now, coins=None, is_waived=False):
        if purchase.pending:
            raise Refused("refund_in_progress")
        if self.debt(purchase.user):
            raise Refused("user_in_debt")
        unused, expired = self.refundable(purchase, now)
        if not unused + expired:
            raise Refused("nothing_to_refund")
        coins = unused + expired if coins is None else coins
        if coins > unused + expired:
            raise Refused("exceeds_refundable")
        from_expired = max(0, coins - unused)
        wanted, (paid, bonus) = self.with_recalled(purchase, coins, now)
        expired_won = paid.expired_won(from_expired)
        is_last = paid.won(coins - from_expired) + expired_won == purchase.rest
        gone = purchase.coins if is_last else purchase.taken + purchase.charged + coins
        bonus_coins, _, used = self.bonus_due(purchase, bonus, gone)
        charged = min(coins, self.to_charge(bonus, used))
        # Unused coins are charged first. Expired ones are worth what was recognised for them.
        unused_paid = max(0, coins - from_expired - charged)
        unused_value = paid.won(unused_paid)
        expired_value = expired_won * (coins - charged - unused_paid) // from_expired if from_expired else 0
        value = unused_value + expired_value
        if not value:
            raise Refused("nothing_to_refund")
        expired_fee = 0 if is_waived else expired_value * (100 - settings.EXPIRED_PERCENT) // 100
        fee, rule = self.fee(paid, bonus, unused_value, is_waived, now)
        if from_expired == coins and not is_waived:
            rule = "expired"
        value, fee, part = value, fee + expired_fee, None
        if purchase.foreign:
            part = self.part_in_currency(purchase, unused_value, expired_value, from_expired > 0, rule)
            value, fee = part.won_of_value, part.won_of_value - part.won_of_amount
            expired_value, expired_fee = part.won_of_expired(expired_value)
        refund = Refund(
            purchase, coins, bonus_coins, charged, value, fee, rule, (from_expired, expired_value, expired_fee), part)
        refund.recalls = wanted
        return refund

    @staticmethod
    def part_in_currency(purchase, unused, expired, takes_expired, rule):
        """What a payment in a foreign currency gives back for coins that are worth so many won."""
        part = foreign.Part(purchase.foreign, purchase.amount, purchase.rest, unused, expired, takes_expired)
        if rule != "waived":
            part.charge(settings.FEE_PERCENT if rule == "percentage" else None, settings.EXPIRED_PERCENT)
        if not (part.amount and part.won_of_amount):
            raise Refused("nothing_to_refund")
        return part

    def recalls(self, purchase, coins, now):
        """How many given paid coins come back for a refund of so many."""
        paid, _ = self.lots_of(purchase)
        if paid.is_expired(now):
            return 0
        not_gone = purchase.coins - purchase.taken - purchase.charged - paid.remaining
        return max(0, min(coins - paid.remaining, self.recallable(paid, now), not_gone))

    def recalled(self, lot, coins, now):
        """The lot as it is when so many given coins came back."""
        found, lot = self.given_of([lot]), copy.copy(lot)
        for _, given in found:
            taken = 0 if given.is_expired(now) else min(coins, given.remaining)
            coins -= taken
            lot.remaining += taken
            lot.given_coins -= taken
            lot.deferred += given.won(taken)
        return lot

    def with_recalled(self, purchase, coins, now):
        """What comes back for a refund of so many coins, and the purchase's lots as they are then."""
        own = self.lots_of(purchase)
        back = self.recalls(purchase, coins, now)
        paid, bonus = self.recalled(own[0], back, now), own[1]
        bonus_back = 0
        if not bonus.is_expired(now):
            unused = min(coins, self.limited(purchase, paid))
            expired = min(coins - unused, paid.expired)
            is_last = paid.won(unused) + paid.expired_won(expired) == purchase.rest
            gone = purchase.coins if is_last else purchase.taken + purchase.charged + coins
            whole = self.recalled(bonus, self.recallable(bonus, now), now)
            bonus_back = max(0, self.bonus_due(purchase, whole, gone)[0] - bonus.remaining)
        return list(zip(own, (back, bonus_back))), (paid, self.recalled(bonus, bonus_back, now))

    @staticmethod
    def limited(purchase, lot):
        """Unused coins: as many as are not taken yet, and as the won that are left pay for."""
        coins = max(0, min(lot.remaining, purchase.coins - purchase.taken - purchase.charged))
        while coins and lot.won(coins) > purchase.rest:
            coins -= 1
        return coins

    def refundable(self, purchase, now):
        """Unused paid coins, also given ones, and expired ones: as many as are not taken yet, and as the won that are left
        pay for."""
        paid, _ = self.lots_of(purchase)
        paid = self.recalled(paid, self.recalls(purchase, purchase.coins, now), now)
        unused = self.limited(purchase, paid)
        expired = min(paid.expired, purchase.coins - purchase.taken - purchase.charged - unused)
        while expired > 0 and paid.won(unused) + paid.expired_won(expired) > purchase.rest:
            expired -= 1
        return unused, max(0, expired) if settings.EXPIRED_DAYS else 0

    @staticmethod
    def fee(paid, bonus, value, is_waived, now):
        """The fee of unused coins and its rule."""
        if is_waived:
            return 0, "waived"
        is_used = paid.purchase.charged + sum(lot.used + lot.held + lot.given_coins for lot in (paid, bonus))
        if settings.FREE_DAYS and not is_used and now < paid.purchase.free_until:
            return 0, "free_days"
        fee = value * settings.FEE_PERCENT // 100
        if fee < settings.FEE_MINIMUM and not paid.purchase.foreign:
            least = min(settings.FEE_MINIMUM, max(0, value - 1))
            return (least, "minimum") if least > fee else (fee, "percentage")
        return fee, "percentage"

    def request_refund(self, purchase, coins, is_waived, now):
        """The coins are held until the gateway has decided."""
        refund = self.quote(purchase, now, coins, is_waived)
        self.recall(refund.recalls, now)
        chosen = self.chosen(refund)
        refund.expired_won = self.reverse_expiry(purchase.user, chosen[0][0], refund.expired_coins)
        self.move(chosen, "remaining", "in_refund")
        self.post(
            "refund_hold", *by_kind("Dr", "wallet", purchase.user, chosen),
            *by_kind("Cr", "held", purchase.user, chosen))
        refund.tax_free, refund.asked_at = purchase.tax_free_part(refund.paid_back), now
        purchase.pending = refund
        return refund

    def chosen(self, refund):
        paid, bonus = self.lots_of(refund.purchase)
        return [(paid, refund.coins), (bonus, refund.bonus_coins)]

    @staticmethod
    def move(chosen, place, other):
        for lot, coins in chosen:
            setattr(lot, place, getattr(lot, place) - coins)
            setattr(lot, other, getattr(lot, other) + coins)

    def refund(self, purchase, coins, is_waived, now):
        """The gateway returns the money at once."""
        refund = self.request_refund(purchase, coins, is_waived, now)
        self.complete(refund)
        return refund

    def refund_whole(self, purchase, coins, is_waived, now):
        """Google Play gives back only all that is left, and refuses a part: then the coins are in the wallet again."""
        refund = self.request_refund(purchase, coins, is_waived, now)
        if refund.amount != purchase.amount - purchase.given_back:
            self.release(refund, now)
            raise Refused("refund_refused")
        self.complete(refund)
        return refund

    def complete(self, refund):
        """The gateway has returned the money."""
        self.take_back(refund, "in_refund", "held", refund.purchase.receivable)
        refund.status, refund.purchase.pending = "completed", None
        refund.purchase.gone_back.append((refund.asked_at, refund.amount))
        refund.purchase.cancel(refund.paid_back, refund.tax_free)
        refund.purchase.lose_disputes()

    def release(self, refund, now):
        """The gateway has refused."""
        chosen, user = self.chosen(refund), refund.purchase.user
        self.move(chosen, "in_refund", "remaining")
        self.post("refund_release", *by_kind("Dr", "held", user, chosen), *by_kind("Cr", "wallet", user, chosen))
        refund.status, refund.purchase.pending = "refused", None
        self.refund_ends(refund, now)

    def refund_ends(self, refund, now):
        """Its coins are in the wallet again. Those that had expired expire at once; the others pay a debt first."""
        (paid, coins), bonus = self.chosen(refund)
        user = refund.purchase.user
        if refund.expired_coins:
            self.expire_lot(user, paid, refund.expired_coins, refund.expired_won)
        self.pay_debt(user, now, [(paid, coins - refund.expired_coins), bonus])

    def approve_refund(self, purchase, coins, is_waived, now):
        """A refund by bank transfer."""
        refund = self.quote(purchase, now, coins, is_waived)
        self.recall(refund.recalls, now)
        refund.expired_won = self.reverse_expiry(purchase.user, self.lots_of(purchase)[0], refund.expired_coins)
        self.take_back(refund, "remaining", "wallet", "refunds:payable")
        refund.status = "approved"
        purchase.transferred += refund.amount
        return refund

    def take_back(self, refund, place, prefix, owed):
        """The entry `refund`. The won of charged coins are revenue."""
        chosen = self.chosen(refund)
        paid, user = chosen[0][0], refund.purchase.user
        won = self.charged_won(paid, refund)
        paid.deferred -= won
        setattr(paid, place, getattr(paid, place) - refund.charged)
        for lot, coins in (paid, refund.coins - refund.charged), chosen[1]:
            setattr(lot, place, getattr(lot, place) - coins)
        # Other coins of the lot may have left since the value was fixed.
        left = min(paid.deferred, refund.value) if paid.remaining + paid.held else paid.deferred
        paid.deferred -= left
        won += left
        refund.supplied = won - refund.value
        refund.fee_vat, refund.user = self.fee_vat(paid, refund.fee), user
        refund.lines = [
            *by_kind("Dr", prefix, user, chosen), ("Cr", "coins:issued", refund.coins - refund.charged, "COIN"),
            ("Cr", "coins:promotions", refund.bonus_coins + refund.charged, "COIN"),
            ("Dr", "coins:deferred-revenue", won, "KRW"), ("Cr", owed, refund.amount, "KRW"),
            ("Cr", "revenue:refund-fees", refund.fee - refund.fee_vat, "KRW"),
            ("Cr", "tax:vat-payable", refund.fee_vat, "KRW"), signed("Cr", "Dr", "revenue:coins", refund.supplied),
            *refund.purchase.foreign_lines(-refund.paid_back)]
        refund.count(+1)
        self.post("refund", *refund.lines)
        self.report_fee("refund", paid, refund.fee)
        refund.uses = [Use(paid, refund.coins, won), Use(chosen[1][0], refund.bonus_coins, 0)]
        refund.purchase.refunds.append(refund)

    @staticmethod
    def charged_won(lot, refund):
        """The price of charged coins: of unused ones first, then of expired ones, which is not part of the value."""
        if not refund.expired_coins:
            return lot.won(refund.charged)
        unused = min(refund.charged, refund.coins - refund.expired_coins)
        others = lot.remaining + lot.held - refund.expired_coins
        won = max(0, lot.deferred - refund.expired_won) * unused // others if others else 0
        return min(lot.deferred, won + refund.expired_won - refund.expired_value)

    # Claw-backs

    def claw_back(self, purchase, amount, now):
        """The gateway cancelled so many won in its console, or finance books a lost dispute: (paid, bonus coins)."""
        user = purchase.user
        paid, bonus = self.lots_of(purchase)
        back = purchase.refunded + amount
        if purchase.foreign:
            back = self.paid_back_with(purchase, amount)
        share = purchase.coins * back // purchase.paid
        coins = max(0, min(share, purchase.coins) - purchase.taken)
        whole = self.recalled(bonus, self.recallable(bonus, now), now)
        due = self.bonus_due(purchase, whole, purchase.taken + purchase.charged + coins)[0]
        self.recall(
            ((paid, max(0, coins - paid.remaining - paid.expired)), (bonus, max(0, due - bonus.remaining - bonus.expired))),
            now)
        loss = self.loss(purchase, amount, coins, copy.copy(paid), copy.copy(bonus), now)
        used = paid.kept - paid.deferred - paid.breakage if paid.rule else 0
        self.recall_recognised(paid, loss["revenue"] - max(0, used))
        return self.post_claw_back(purchase, amount, coins, self.loss(purchase, amount, coins, paid, bonus, now), now)

    @staticmethod
    def paid_back_with(purchase, amount):
        """What went back in a foreign currency when so many won more did: all, if no won is left. The gateway did not cancel
        a dispute that finance books as lost."""
        return purchase.foreign.amount if amount == purchase.rest else purchase.foreign.cancelled

    def loss(self, purchase, amount, coins, paid, bonus, now):
        """What a claw-back takes of the lots, and from where."""
        in_wallet = min(coins, paid.remaining)
        wallet_won = paid.won(paid.remaining)
        paid.remaining -= in_wallet
        deferred = wallet_won if not paid.remaining else min(wallet_won, amount)
        paid.deferred -= deferred
        paid_expired = min(coins - in_wallet, paid.expired)
        paid.expired -= paid_expired
        breakage = paid.breakage if not paid.expired else min(paid.breakage, max(0, amount - deferred))
        paid.take_back_breakage(breakage)

        gone = purchase.taken + purchase.charged + coins
        spare = 0 if paid.is_expired(now) else paid.remaining
        # Each charged coin counts as taken and can make another bonus coin due: the most that are due for themselves.
        from_lot = max(n for n in range(spare + 1) if self.used_due(purchase, bonus, gone + n) >= n)
        charged = max(from_lot, self.used_due(purchase, bonus, gone + from_lot))
        bonus_wallet, bonus_expired, _ = self.bonus_due(purchase, bonus, gone + from_lot)
        charged_won = paid.recognise(from_lot)
        paid.remaining -= from_lot
        bonus.remaining -= bonus_wallet
        bonus.expired -= bonus_expired

        bonus_coins = bonus_wallet + bonus_expired + charged
        expired = paid_expired + bonus_expired
        return {
            "paid": (in_wallet + from_lot, paid_expired, deferred + charged_won, breakage),
            "bonus": (bonus_wallet, bonus_expired, 0, 0), "bonus_coins": bonus_coins, "from_lot": from_lot,
            "expired": expired, "debt": coins + bonus_coins - in_wallet - bonus_wallet - from_lot - expired,
            "revenue": amount - deferred - charged_won - breakage}

    def post_claw_back(self, purchase, amount, coins, loss, now):
        user, bonus_coins, from_lot = purchase.user, loss["bonus_coins"], loss["from_lot"]
        foreign_amount = 0
        if purchase.foreign:
            foreign_amount = self.paid_back_with(purchase, amount) - purchase.foreign.refunded
            purchase.foreign.refunded += foreign_amount
        purchase.refunded += amount
        self.post(
            "claw_back", ("Dr", f"wallet:{user}:paid", loss["paid"][0], "COIN"),
            ("Dr", f"wallet:{user}:bonus", loss["bonus"][0], "COIN"), ("Dr", f"debt:{user}", loss["debt"], "COIN"),
            ("Dr", "coins:expired", loss["expired"], "COIN"), ("Cr", "coins:issued", coins, "COIN"),
            ("Cr", "coins:promotions", bonus_coins, "COIN"),
            ("Dr", "coins:deferred-revenue", loss["paid"][2], "KRW"), ("Dr", "revenue:breakage", loss["paid"][3], "KRW"),
            signed("Dr", "Cr", "revenue:coins", loss["revenue"]), ("Cr", purchase.receivable, amount, "KRW"),
            *purchase.foreign_lines(-foreign_amount))
        purchase.taken += coins
        purchase.charged += from_lot
        purchase.bonus_settled += bonus_coins
        purchase.gone_back.append((now, amount))
        purchase.losses.append(Loss(
            amount, coins, bonus_coins, from_lot, loss["paid"], loss["bonus"],
            (purchase.owed - purchase.owed_again, self.present[user][purchase]), foreign_amount))
        self.owe(purchase, loss["debt"])
        self.pay_debt(user, now)
        return coins, bonus_coins

    def used_due(self, purchase, bonus, gone):
        """The used bonus coins that are charged when so many paid coins are taken."""
        return self.to_charge(bonus, self.bonus_due(purchase, bonus, gone)[2])
