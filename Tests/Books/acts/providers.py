"""Terms of providers, payouts to them, and what they pay back."""

from .player import Actor, given, require, today


class Providers(Actor):
    WEIGHTS = {"set_terms": 4, "propose": 6, "approve": 6, "withdraw": 2, "pay_out": 7, "repay": 3}

    def set_terms(self):
        # The first one never gets terms, the others early.
        provider = self.random.choice([
            provider for provider in self.providers[1:] if provider not in self.books.terms] or self.providers[1:])
        is_first = provider not in self.books.terms
        product = None if is_first else self.random.choice([None, *self.PRODUCTS])
        body = given(
            product=product, share_basis_points=self.random.choice([0, 3333, 6667, 8000, 10_000]),
            role=self.random.choice(["agent", "principal"]),
            withholding=None if product else self.random.choice([None, "none", "business_income", "business_income"]))
        answer = self.service.send("PUT", f"/v1/providers/{provider}", body, self.service.as_scope("finance"))
        terms = self.both(answer, lambda: self.books.set_terms(
            provider, body["share_basis_points"], body["role"], body.get("withholding"), product))
        self.compare_provider(provider, terms)
        return "set first terms" if is_first else "set terms of a product" if product else "change terms"

    def compare_provider(self, provider, terms):
        said = self.service.get(f"/v1/providers/{provider}", "finance").json
        of_products = {
            line["product"]: (line["share_basis_points"], line["role"]) for line in said.get("product_terms", [])}
        ours = {product: (terms.basis_points, terms.role)
                for (owner, product), terms in self.books.product_terms.items() if owner == provider}
        require(of_products == ours, "terms of products", said, "books", ours)
        ours = {"share_basis_points": terms.basis_points, "role": terms.role, "withholding": terms.withholding}
        require({name: said["terms"][name] for name in ours} == ours, "terms", said, "books", ours)
        require(said["payable"] == self.books.payable(provider), "payable", said, self.books.payable(provider))

    def propose(self):
        providers = self.random.sample(self.providers, self.random.randint(1, len(self.providers)))
        # Seldom if nothing is owed.
        if not any(self.books.payable(provider) > 0 for provider in providers) and self.random.random() < 0.8:
            return False
        done, answer = self.act(
            "/v1/payouts", {"providers": providers}, lambda: self.books.propose(providers), "finance")
        if done:
            self.payouts[answer.json["id"]] = done
            self.compare_payout(answer.json["id"], done, answer.json)
        return True

    def compare_payout(self, number, payout, said):
        ours = {
            "status": payout.status, "amount": payout.amount, "withheld": payout.withheld,
            "net": payout.amount - payout.withheld, "providers": len(payout.items)}
        require({name: said[name] for name in ours} == ours, "payout", said, "books", ours)
        items = self.service.get(f"/v1/payouts/{number}/items", "finance").json["items"]
        said = {item["provider"]: (item["amount"], item["income_tax"], item["local_tax"]) for item in items}
        require(said == payout.items, "items", items, "books", payout.items)

    def step(self, what, plan, body=None, caller="finance", wanted="proposed"):
        """A step of a payout, mostly of one that waits for it."""
        waiting = [number for number, payout in self.payouts.items() if payout.status == wanted]
        numbers = waiting if waiting and self.random.random() < 0.9 else list(self.payouts)
        if not numbers:
            return None
        number = self.random.choice(numbers)
        payout, path = self.payouts[number], f"/v1/payouts/{number}/{what}"
        if what == "payment":
            done, answer = self.act(path, body, lambda: plan(payout), caller)
        else:
            answer = self.service.act(path, body, self.key(), caller)
            done = self.both(answer, lambda: plan(payout))
        if done:
            self.compare_payout(number, payout, answer.json)
        return payout

    def approve(self):
        is_proposer = self.random.random() < 0.1
        return bool(self.step(
            "approval", lambda payout: self.books.approve(payout, is_proposer),
            caller="finance" if is_proposer else "approver"))

    def withdraw(self):
        return bool(self.step("withdrawal", self.books.withdraw, {"reason": "try"}))

    def pay_out(self):
        payout = self.step(
            "payment", self.books.pay_out, {"paid_at": today(), "bank_reference": "run"}, wanted="approved")
        if not payout:
            return False
        return "pay out, with taxes withheld" if payout.status == "paid" and payout.withheld else True

    def repay(self):
        claims = [provider for provider in self.books.terms if self.books.payable(provider) < 0]
        # Seldom if there is no claim.
        if not claims and (not self.books.terms or self.random.random() < 0.95):
            return False
        provider = self.random.choice(claims or list(self.books.terms))
        claim = max(0, -self.books.payable(provider))
        amount = claim if claim and self.random.random() < 0.4 else self.random.randint(1, claim + 100)
        done, answer = self.act(
            f"/v1/providers/{provider}/repayments",
            {"amount": amount, "paid_at": today(), "bank_reference": "claim"},
            lambda: self.books.repay(provider, amount), "finance")
        require(not done or answer.json["payable"] == self.books.payable(provider), "claim", answer)
        return "repay a claim" if done else True
