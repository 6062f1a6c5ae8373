"""Books kept from docs/accounting.md, providers.md, vat.md, prepaid.md and month-end.md: what each act does to lots
and accounts.

Nothing here uses ledgerd's code. Each act checks what the documents say that it refuses, changes the lots, and posts a
journal entry, whose debits and credits must be equal in each currency."""

from .disputes import Disputes
from .foreign import ForeignAmount
from .journal import Refused
from .money import Money
from .payments import refunded_in_store
from .providers import Providers
from .wallets import Campaign

__all__ = ["Books", "Campaign", "ForeignAmount", "Refused", "refunded_in_store"]


class Books(Disputes, Providers, Money):
    """The books of some users and providers."""
