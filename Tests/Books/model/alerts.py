"""Thresholds of available coins, by docs/api.md, and who crosses them, by docs/events.md."""

import collections

FELL, ROSE = "balance.fell_below", "balance.rose_above"
# Each fall below a threshold of a pair needs a rise above the coin under it before the next one.
PAIRS = ((30, 29), (120, 119), (60, 59))
LEDGER = {"below": [30, 120], "above": [29, 119, 400]}
OWN = {  # by the end of the user's id
    "1": {"below": [60], "above": [59]},
    "2": {"below": [], "above": []},
    "user": {"below": [], "above": []},  # has bought coins before any thresholds were set
}


def own(user):
    """None: those of the ledger."""
    return OWN.get(user.rpartition("-")[2])


def crossings(user, before, available):
    """What is told of an entry, in the order in which it meets the thresholds."""
    thresholds = own(user) or LEDGER
    return [
        *((FELL, coins) for coins in sorted(thresholds["below"], reverse=True) if before >= coins > available),
        *((ROSE, coins) for coins in sorted(thresholds["above"]) if before <= coins < available)]


class Alerts:
    """Counts what must be told of each user."""

    def __init__(self):
        self.told = collections.defaultdict(collections.Counter)
        self.unordered = set()  # users of whom more may be told: entries that ledgerd posts by itself have any order

    def count(self, user, before, available):
        self.told[user].update(crossings(user, before, available))
