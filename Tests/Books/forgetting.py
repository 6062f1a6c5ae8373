"""Users who are forgotten while the others go on: their accounts get other names and keep their sums."""

import time
import urllib.parse

from acts import Player, require
from model import Books

PATIENCE = 240  # seconds of the clock that is not moved, by which the chain takes entries


class Leavers:
    """They use up what they get in the first month. Their time comes with a later one."""

    def __init__(self, service, count=3):
        self.service, self.books = service, Books()
        self.requests = {f"leaver {number} of books": None for number in range(count)}
        self.statements = {}

    @staticmethod
    def path(user):
        return "/v1/users/" + urllib.parse.quote(user, safe="")

    def statement(self, user):
        entries = self.service.get(self.path(user) + "/statement?limit=100").json["entries"]
        return [(entry["journal_entry_id"], entry["kind"], entry["coins"]) for entry in entries]

    def live(self):
        for number, user in enumerate(self.requests):
            path, coins = self.path(user), 5 + number
            for act, body in (
                    ("grants", {"coins": coins, "reason": f"welcome, {user}"}),
                    ("spends", {"coins": coins, "reference": f"song for {user}"})):
                answer = self.service.act(f"{path}/{act}", body, f"leaver-{number}/{act}")
                require(answer.status == 201, act, user, answer)
            self.books.grant(user, coins, None, time.time())
            self.books.spend(user, coins, time.time())
            self.statements[user] = self.statement(user)
            asked = self.service.send(
                "PUT", path + "/forgetting", {"reason": f"{user} left"}, self.service.as_scope("service"))
            require(asked.status == 200 and asked.json["status"] == "waiting", "asked", asked)
            require(asked.json["open"] == [], "nothing is open", asked)
            self.requests[user] = asked.json["id"]

    def leave(self):
        for user, request in self.requests.items():
            done = Player.eventually(
                lambda request=request: self.service.get(f"/v1/forgettings/{request}").json,
                lambda said: said["status"] == "forgotten", PATIENCE)
            require(done["status"] == "forgotten" and done["user"].startswith("forgotten-"), "forgotten", user, done)
            require(self.statement(done["user"]) == self.statements[user], "what was done stays", done)
            require(self.statement(user) == [], "who has the id later has nothing", user)
            self.books.rename(user, done["user"])
