"""Month-end adjustments, from docs/month-end.md: the totals of each month's purchases, and what is booked."""

import collections

from .journal import Journal, signed

SIDES = {"breakage": ("coins:expected-breakage", "revenue:expected-breakage"),
         "bonus": ("revenue:bonus-allocation", "coins:deferred-bonus")}  # Dr and Cr when the balance rises


class Part:
    """A purchase in won, and its part of them that relative prices allocate to paid coins."""

    def __init__(self, purchase, paid, bonus, bonus_price):
        self.sold, self.deferred, self.expired = paid.price, paid.deferred, paid.breakage
        # With the fees, but never more than was recognised for no expired coins.
        gone = self.sold - self.deferred - self.expired
        self.refunded = max(0, min(purchase.refunded + purchase.fees, gone))
        prices = purchase.coins * 1000 + purchase.bonus * bonus_price
        self.of_paid = self.sold - self.sold * purchase.bonus * bonus_price // prices
        self.allocated = self.deferred
        if purchase.bonus:
            left = self.of_paid * (paid.remaining + paid.held) // purchase.coins
            left += (self.sold - self.of_paid) * (bonus.remaining + bonus.held) // purchase.bonus
            self.allocated = min(left, self.sold - self.refunded)


class Adjustments(Journal):
    """What is booked at the ends of months."""

    def __init__(self):
        super().__init__()
        self.booked = {subject: 0 for subject in SIDES}

    def book(self, subject, target):
        """What the balance changes by."""
        change, (debit, credit) = target - self.booked[subject], SIDES[subject]
        self.booked[subject] = target
        self.post("adjustment", signed("Dr", "Cr", debit, change), signed("Cr", "Dr", credit, change))
        return change


def cohorts(books, subject, policies):
    """The purchases of each month, and their part of the adjusted balance."""
    price, parts = policies["bonus"].get("bonus_price", 0), collections.defaultdict(list)
    for own in books:
        for purchase in own.purchases:
            lots = [own.whole(lot) for lot in own.lots_of(purchase)]
            parts[purchase.sold_in].append(Part(purchase, *lots, price))
    return {month: cohort(parts[month], subject, policies) for month in sorted(parts)}


def cohort(parts, subject, policies):
    sums = collections.Counter(purchases=len(parts))
    for part in parts:
        for name in ("sold", "refunded", "expired", "deferred"):
            won = getattr(part, name)
            sums[name] += won * part.of_paid // part.sold if subject == "breakage" else won
    sums["used"] = sums["sold"] - sums["refunded"] - sums["expired"] - sums["deferred"]
    if subject == "bonus":
        is_allocated = policies["bonus"]["method"] == "relative_price"
        sums["target"] = sum(part.allocated - part.deferred for part in parts) if is_allocated else 0
    else:
        sums["target"] = expected_breakage(sums, **policies["breakage"])
    return {name: sums[name] for name in ("purchases", "sold", "refunded", "used", "expired", "deferred", "target")}


def expected_breakage(sums, method, expected=0, highly_probable=0):
    kept = sums["sold"] - sums["refunded"]
    never_used = kept * min(expected, highly_probable) // 1000
    to_use = kept - never_used
    target = never_used * min(sums["used"], to_use) // to_use - sums["expired"] if to_use else 0
    return max(0, min(target, sums["deferred"]))
