"""The App Store's finance report: docs/accounting.md. It has sums of products, and settles their oldest pieces."""

import fractions

MICROS = 1_000_000


class Sale:
    """A purchase of so many pieces of a product."""

    def __init__(self, books, purchase, product, quantity, bought_at):
        self.books, self.purchase, self.product, self.quantity = books, purchase, product, quantity
        self.bought_at = bought_at

    def parts(self, kind, until, kept_back=0):
        """The won that no report has settled, one line after the other: sold, or given back before a moment.

        What the store took back of a refund is sold once more, beside the first time. Of a purchase never more is paid out than
        was paid, and never more kept back; what the same report keeps back makes room."""
        purchase, settled = self.purchase, self.purchase.settled_parts[kind]
        room = purchase.amount - purchase.settled + kept_back
        if kind == "R":
            gone_back = sum(won for at, won in purchase.gone_back if at < until)
            return [min(gone_back - settled, purchase.amount + purchase.settled)]
        sold_again = sum(won for _, won in purchase.gone_back) - purchase.given_back
        first = min(max(0, purchase.amount - settled), room)
        return [first, min(purchase.amount + sold_again - settled, room) - first]

    def pieces(self, won):
        """None: it is of no whole number of pieces."""
        pieces, rest = divmod(won * self.quantity, self.purchase.amount)
        return None if rest else pieces


class Part:
    """A product's sales, or returns, that a report has: the oldest ones, as (sale, won)."""

    def __init__(self, product, kind, taken, micros):
        self.product, self.kind, self.taken, self.micros = product, kind, taken, micros

    @property
    def pieces(self):
        return sum(sale.pieces(won) for sale, won in self.taken)

    @property
    def sign(self):
        return 1 if self.kind == "S" else -1


def oldest(sales, kind, until, kept_back):
    """What can be in a report that ends at a moment, the oldest first. It keeps back so much of each purchase."""
    sold = sorted(
        (sale for sale in sales if sale.bought_at < until), key=lambda sale: (sale.bought_at, sale.purchase.number))
    parts = ((sale, won) for sale in sold for won in sale.parts(kind, until, kept_back[sale.purchase]))
    return [(sale, won) for sale, won in parts if won > 0 and sale.pieces(won)]


def divide(total, parts):
    """A total in whole won: each part is rounded down, and what is left goes to the largest remainders, of equal ones to
    the first."""
    whole = [part // 1 for part in parts]
    by_rest = sorted(range(len(parts)), key=lambda place: whole[place] - parts[place])
    for place in by_rest[:total - sum(whole)]:
        whole[place] += 1
    return whole


def book(parts):
    """Settles them: all products together are rounded once, to the nearest won; how many lines that were."""
    shares = [fractions.Fraction(part.sign * part.micros, MICROS) for part in parts]
    count = 0
    # What was given back makes room for what was sold once more.
    for part, share in sorted(zip(parts, divide(round(sum(shares)), shares)), key=lambda pair: pair[0].kind):
        price = sum(won for _, won in part.taken)
        of_each = [fractions.Fraction(abs(share) * won, price) for _, won in part.taken]
        for (sale, won), net in zip(part.taken, divide(abs(share), of_each)):
            sale.books.settle(sale.purchase, part.sign * won, part.sign * (won - net), 0)
            count += 1
    return count
