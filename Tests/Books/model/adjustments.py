"""Month-end adjustments, from docs/month-end.md: what the purchases of one month come to."""

import collections


def kept_fees(purchase):
    return sum(refund.fee for refund in purchase.refunds if refund.status in ("approved", "completed"))


class Part:
    """A purchase in won, and its part of them that relative prices allocate to paid coins."""

    def __init__(self, purchase, paid, bonus, bonus_price):
        self.sold, self.deferred, self.expired = paid.price, paid.deferred, paid.breakage
        # With the fees, but never more than was recognised for no expired coins.
        gone = self.sold - self.deferred - self.expired
        self.refunded = max(0, min(purchase.refunded + kept_fees(purchase), gone))
        prices = purchase.coins * 1000 + purchase.bonus * bonus_price
        self.of_paid = self.sold - self.sold * purchase.bonus * bonus_price // prices
        self.allocated = self.deferred
        if purchase.bonus:
            left = self.of_paid * (paid.remaining + paid.held) // purchase.coins
            left += (self.sold - self.of_paid) * (bonus.remaining + bonus.held) // purchase.bonus
            self.allocated = min(left, self.sold - self.refunded)


def cohort(books, subject, policies, others):
    """The purchases of a month, which are those of some books and others, and their part of the adjusted balance."""
    price = policies["bonus"].get("bonus_price", 0)
    parts = [Part(purchase, *own.lots_of(purchase), price) for own in books for purchase in own.purchases]
    sums = collections.Counter(others)
    sums["purchases"] += len(parts)
    for part in parts:
        for name in ("sold", "refunded", "expired", "deferred"):
            won = getattr(part, name)
            sums[name] += won * part.of_paid // part.sold if subject == "breakage" else won
    sums["used"] = sums["sold"] - sums["refunded"] - sums["expired"] - sums["deferred"]
    if subject == "bonus" and price:
        sums["target"] += sum(part.allocated - part.deferred for part in parts)
    else:
        sums["target"] = expected_breakage(sums, **policies["breakage"]) if subject == "breakage" else 0
    return {name: sums[name] for name in ("purchases", "sold", "refunded", "used", "expired", "deferred", "target")}


def expected_breakage(sums, method, expected=0, highly_probable=0):
    kept = sums["sold"] - sums["refunded"]
    never_used = kept * min(expected, highly_probable) // 1000
    to_use = kept - never_used
    target = never_used * min(sums["used"], to_use) // to_use - sums["expired"] if to_use else 0
    return max(0, min(target, sums["deferred"]))
