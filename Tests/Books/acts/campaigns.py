"""Campaigns, which give coins to whoever claims them, or to a list of users."""

import time

from model import Campaign

from .player import BY_WEBHOOK, Actor, given, require


class Campaigns(Actor):
    WEIGHTS = {"claim": 4, "give_by_list": 4, "void_campaign": 3}

    def claim(self):
        """A user claims a campaign's coins, which may be a second time, or when its budget is used up."""
        open_ones = [campaign for campaign in self.campaigns if campaign.code]
        if not open_ones or self.random.random() < 0.1:
            coins = self.random.randint(1, 30)
            open_ones = [self.create_campaign(coins, coins * self.random.randint(1, len(self.users)), self.key())]
        campaign, user = open_ones[-1], self.some_user()
        is_repeat, self.now = bool(campaign.lots[user]), time.time()
        answer = self.service.send(
            "POST", f"/v1/users/{user}/claims", {"code": campaign.code}, self.service.as_scope("service"))
        lots = self.both(answer, lambda: self.books.claim(campaign, user, self.now))
        if not lots:
            return "claim above the budget"
        said = answer.json["grant"]
        if not is_repeat:
            lots[0].id = said["lot_id"]
            self.grants.append((said["journal_entry_id"], user, lots[0]))
        # Whoever was merged may have the coins more than once.
        require(said["lot_id"] in [lot.id for lot in lots], "claim", said, "books", lots)
        require(said["coins"] == campaign.coins, "claim", said, "books", campaign.coins)
        self.compare_balance(user, answer.json["balance"])
        return "claim again" if is_repeat else True

    def create_campaign(self, coins, budget, code=None):
        name, can_be_moved = self.key(), self.random.random() < 0.5
        answer = self.service.send(
            "POST", "/v1/campaigns",
            given(name=name, coins=coins, budget=budget, reason="try", code=code, can_be_moved=can_be_moved or None),
            self.service.as_scope("service"))
        require(answer.status == 201, "campaign", answer)
        self.campaigns.append(Campaign(answer.json["id"], code, coins, budget, can_be_moved))
        return self.campaigns[-1]

    def give_by_list(self):
        calm = [user for user in self.users if self.is_calm(user, BY_WEBHOOK)]
        users = self.settle_all(calm and self.random.sample(calm, min(len(calm), self.random.randint(1, 2))))
        if not users:
            return False
        coins = self.random.randint(1, 30)
        campaign = self.create_campaign(coins, coins * len(users))
        path, self.now = f"/v1/campaigns/{campaign.id}", time.time()
        answer = self.service.send(
            "POST", path + "/users", {"users": [{"user": user} for user in users]}, self.service.as_scope("service"))
        require(answer.status == 200 and answer.json["added"] == len(users), "users of a campaign", answer)
        said = self.eventually(
            lambda: self.service.get(path).json, lambda said: said["progress"]["users"] == len(users))
        require(said["progress"]["users"] == len(users), "campaign", said)
        for user in users:
            self.books.give(campaign, user, self.now)
            self.expect_soon(user)
        return True

    def void_campaign(self):
        campaigns = [
            one for one in self.campaigns if not one.code and any(lot.remaining for lot in one.all_lots)
            and all(self.is_calm(user, BY_WEBHOOK) for user in one.users)]
        campaign = campaigns and self.random.choice(campaigns)
        users = campaign and self.settle_all(campaign.users)
        if not users:
            return False
        path, self.now = f"/v1/campaigns/{campaign.id}", time.time()
        answer = self.service.send(
            "POST", path + "/void", {"reason": "by mistake"}, self.service.as_scope("service"))
        require(answer.status == 200, "void of a campaign", answer)
        said = self.eventually(lambda: self.service.get(path).json, lambda said: said["status"] == "voided")
        require(said["status"] == "voided", "campaign", said)
        for user in users:
            for lot in campaign.lots[user]:
                if lot.remaining:
                    self.books.void_grant(user, lot, None, self.now)
            self.expect_soon(user)
        return True

    def settle_all(self, users):
        """The users, if nothing happens to any of them by itself just now; otherwise none."""
        for user in users:
            self.settle_expiry(user, BY_WEBHOOK)
        return users if all(self.is_calm(user, BY_WEBHOOK) for user in users) else []
