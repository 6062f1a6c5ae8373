"""Providers in won: docs/providers.md."""

import settings

from .journal import Refused, opposite
from .wallets import Wallets, recognition


class Share:
    """What a provider with terms gets of one capture or repayment, or loses by one reversal."""

    def __init__(self, provider, terms, change, won, payout=None):
        self.provider, self.terms, self.change, self.won, self.payout = provider, terms, change, won, payout


class Terms:
    def __init__(self, basis_points, role, withholding):
        self.basis_points, self.role, self.withholding = basis_points, role, withholding

    @property
    def revenue(self):
        return "revenue:commission" if self.role == "agent" else "revenue:coins"

    def share(self, won):
        return won * self.basis_points // 10_000

    def lines(self, provider, won, share):
        """The won of a capture."""
        payable = ("Cr", f"payable:{provider}", share, "KRW")
        if self.role == "agent":
            return [
                ("Dr", "coins:deferred-revenue", won, "KRW"), payable,
                ("Cr", self.revenue, won - share, "KRW")]
        return [*recognition(won), ("Dr", "cost:providers", share, "KRW"), payable]


class Payout:
    """Shares that are paid together. `items` has the amount and the two taxes of each provider."""

    def __init__(self, shares, items):
        self.shares, self.items, self.status, self.is_approved = shares, items, "proposed", False

    @property
    def amount(self):
        return sum(amount for amount, _, _ in self.items.values())

    @property
    def withheld(self):
        return sum(income + local for _, income, local in self.items.values())


class Providers(Wallets):
    def __init__(self):
        super().__init__()
        self.terms, self.product_terms, self.shares, self.statements = {}, {}, [], {}

    def set_terms(self, provider, basis_points, role, withholding=None, product=None):
        """Terms of all products, or of one; the tax that is withheld is the same for all."""
        before = self.terms.get(provider)
        withholding = withholding or (before.withholding if before else settings.WITHHOLDING)
        terms = Terms(basis_points, role, withholding)
        if product:
            self.product_terms[provider, product] = terms
        else:
            self.terms[provider] = terms
        self.statements.setdefault(provider, [])
        return self.terms[provider]

    def payable(self, provider):
        return self.balance(f"payable:{provider}", "KRW")

    def earn(self, provider, won, product=None):
        """The share of a capture, if the provider has terms, and the capture's lines in won."""
        terms = self.product_terms.get((provider, product)) or self.terms.get(provider)
        if not terms:
            return None, list(recognition(won))
        share = self.add_share("capture", Share(provider, terms, terms.share(won), won))
        return share, terms.lines(provider, won, share.change)

    def give_back(self, share, back, left):
        """The lines in won of a reversal of `back` won; `left` won of the capture did not come back."""
        if not share:
            return opposite(recognition(back))
        change = share.terms.share(back + left) - share.terms.share(left)
        self.add_share("capture_reversal", Share(share.provider, share.terms, -change, back))
        return opposite(share.terms.lines(share.provider, back, change))

    @staticmethod
    def divide(share, uses):
        """If we are the agent, the provider supplied the share: it is divided over the lots in the order of use."""
        if share and share.terms.role == "agent":
            won = 0
            for use in uses:
                provided = share.terms.share(won + use.won) - share.terms.share(won)
                won += use.won
                use.lot.provide(provided - use.provided)
                use.provided = provided

    def add_share(self, kind, share):
        self.shares.append(share)
        self.statements[share.provider].append([kind, share.won, share.change])
        return share

    def repay(self, provider, amount):
        """The provider pays back what is owed to us."""
        if amount > -self.payable(provider):
            raise Refused("exceeds_claim")
        self.post("provider_repayment", ("Dr", "bank", amount, "KRW"), ("Cr", f"payable:{provider}", amount, "KRW"))
        return self.add_share("repayment", Share(provider, self.terms[provider], amount, amount))

    # Payouts

    def propose(self, providers):
        shares, items = [], {}
        for provider in providers:
            own = [share for share in self.shares if share.provider == provider and not share.payout]
            owed = sum(share.change for share in own)
            if owed > 0:
                shares += own
                items[provider] = owed, *self.taxes(provider, owed)
        if not items:
            raise Refused("nothing_owed")
        payout = Payout(shares, items)
        for share in shares:
            share.payout = payout
        return payout

    def taxes(self, provider, amount):
        """Income tax and local income tax, each rounded down to 10 won."""
        if self.terms[provider].withholding == "none":
            return 0, 0
        income = amount * 3 // 100 // 10 * 10
        return income, income // 10 // 10 * 10

    @staticmethod
    def require_status(payout, *statuses):
        if payout.status not in statuses:
            raise Refused("payout_status_conflict")

    def approve(self, payout, is_proposer):
        """A repeat changes nothing, whoever sends it."""
        if is_proposer and not payout.is_approved:
            raise Refused("approval_by_proposer")
        self.require_status(payout, "proposed", "approved")
        payout.status, payout.is_approved = "approved", True
        return payout

    def withdraw(self, payout):
        self.require_status(payout, "proposed", "approved", "withdrawn")
        payout.status = "withdrawn"
        for share in payout.shares:
            share.payout = None
        payout.shares = []
        return payout

    def pay_out(self, payout):
        self.require_status(payout, "approved")
        payout.status = "paid"
        for provider, (amount, income, local) in sorted(payout.items.items()):
            self.statements[provider].append(["payout", amount, -amount])
            self.post(
                "payout", ("Dr", f"payable:{provider}", amount, "KRW"),
                ("Cr", "bank", amount - income - local, "KRW"),
                ("Cr", "tax:withholding-payable", income + local, "KRW"))
        return payout
