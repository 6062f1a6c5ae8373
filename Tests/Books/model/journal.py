"""Entries, accounts and their totals."""

import collections


class Refused(Exception):
    """The act is refused, with the code of the problem."""


class Journal:
    """The debits and credits of each kind of entry on each account."""

    def __init__(self):
        self.debits, self.credits = collections.Counter(), collections.Counter()
        self.balances = collections.Counter()

    def post(self, kind, *lines):
        """Posts an entry. A line: "Dr" or "Cr", account, amount, currency. An entry has one line for each account: the
        sum of those that are given. Lines of zero are left out."""
        changes, sums = collections.Counter(), collections.Counter()
        for side, account, amount, currency in lines:
            assert amount >= 0, (kind, side, account, amount)
            changes[account, currency] += amount if side == "Cr" else -amount
        for (account, currency), change in changes.items():
            if change:
                (self.credits if change > 0 else self.debits)[kind, account, currency] += abs(change)
                self.balances[account, currency] += change
                sums[currency] += change
        assert not any(sums.values()), (kind, lines)

    def rename(self, user, other):
        """The accounts of a user who is forgotten have another id: that is no entry."""
        for counter in (self.debits, self.credits, self.balances):
            for key in [key for key in counter if any(f":{user}:" in part for part in key)]:
                counter[tuple(part.replace(f":{user}:", f":{other}:") for part in key)] += counter.pop(key)

    def balance(self, account, currency="COIN"):
        """Credits less debits."""
        return self.balances[account, currency]

    def moved(self, account, kinds, currency="COIN"):
        """Credits less debits of some kinds of entries."""
        return sum(self.credits[kind, account, currency] - self.debits[kind, account, currency] for kind in kinds)


def signed(positive, negative, account, amount, currency="KRW"):
    """A line of an amount that may be below zero: then it is on the other side."""
    return (positive if amount >= 0 else negative), account, abs(amount), currency


def opposite(lines):
    return [("Cr" if side == "Dr" else "Dr", *rest) for side, *rest in lines]
