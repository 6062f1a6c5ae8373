"""What custodians hold. It posts nothing."""

from .player import Actor, require, today


class Custody(Actor):
    WEIGHTS = {"enter_custody": 1}

    @property
    def custodians(self):
        return [f"{self.users[0]} {kind}" for kind in ("bank", "insurer")]

    def enter_custody(self, custodian=None, balance=None):
        custodian = custodian or self.random.choice(self.custodians)
        balance = self.random.randint(0, 5000) if balance is None else balance
        body = {"custodian": custodian, "method": "trust", "balance": balance, "held_at": today()}
        _, answer = self.act("/v1/custody-balances", body, lambda: True, "finance")
        require(answer.json["balance"] == balance, "custody", answer)
        self.custody[custodian] = balance
        return True
