"""Month ends: adjustments are previewed, booked once the month is over, and compared with the books."""

import time

from acts import moment, require
from model import adjustments, days
from reports import same

BREAKAGE = {"method": "expected_pattern", "expected": 970, "highly_probable": 950}
LESS = {"method": "expected_pattern", "expected": 600, "highly_probable": 700}
NO_BREAKAGE = {"method": "at_expiry"}
BONUS = {"method": "relative_price", "bonus_price": 1000}
LOWER = {"method": "relative_price", "bonus_price": 370}
NO_BONUS = {"method": "none"}
# Breakage in proportion to use alone, the won of bonus coins alone, and both.
PREVIEWED = [
    {"breakage": BREAKAGE, "bonus": NO_BONUS}, {"breakage": NO_BREAKAGE, "bonus": BONUS},
    {"breakage": LESS, "bonus": LOWER}]
# One for each month: both, both with other figures, and breakage at expiry, which takes back what is booked.
BOOKED = [
    {"breakage": LESS, "bonus": LOWER}, {"breakage": BREAKAGE, "bonus": BONUS},
    {"breakage": NO_BREAKAGE, "bonus": BONUS}]
COINS_EXPIRE, HOLDS_END = 60, 2 * 3600  # seconds in which coins of short lifetimes expire, and in which holds end
BEFORE_END, LAST_MOMENT = 600, 0.0011  # seconds before the end: the last look, and the entry of an adjustment


class MonthEnds:
    def __init__(self, clock, service, players, rates, revaluations):
        self.clock, self.service, self.players = clock, service, players
        self.rates, self.revaluations = rates, revaluations
        self.books = adjustments.Adjustments()
        self.booked, self.previews = [], 0

    def preview(self):
        """Compares previews of the present month under several policies, while coins are on hold."""
        self.clock.move_to(time.time() + COINS_EXPIRE)
        self.settle_expiries()
        month, targets = days.month_of(time.time()), {"breakage": 0, "bonus": 0}
        for policies in PREVIEWED:
            self.set(month, policies)
            for subject in policies:
                answer = self.service.get(f"/v1/adjustments/preview?subject={subject}&month={month}", "finance")
                require(answer.status == 200, "preview", answer)
                targets[subject] += abs(self.compare(answer.json, subject, self.cohorts(subject, policies)))
                same("booked", answer.json["booked"], self.books.booked[subject])
                self.previews += 1
        require(all(targets.values()), "nothing to adjust", targets)

    def set(self, month, policies):
        for subject, policy in policies.items():
            answer = self.service.send(
                "PUT", f"/v1/accounting-policies/{subject}/{month}", policy, self.service.as_scope("finance"))
            require(answer.status == 200, "policy", answer)

    def cohorts(self, subject, policies):
        return adjustments.cohorts([player.books for player in self.players], subject, policies)

    @staticmethod
    def compare(said, subject, cohorts):
        """The balance that an adjustment leads to."""
        ours = list(cohorts.values())
        same((subject, "months"), [line["sold_in"] for line in said["cohorts"]], list(cohorts))
        same(subject, [{name: line[name] for name in ours[0]} for line in said["cohorts"]], ours)
        target = sum(line["target"] for line in ours)
        same((subject, "target"), said["target"], target)
        return target

    def pass_one(self, policies):
        """The month, and its adjustments when it ends."""
        month, end = days.month_of(time.time()), days.month_end(time.time())
        self.set(month, policies)
        for player in self.players:
            player.complete_refunds()
        # Holds end before the coins in them expire.
        for goal in time.time() + HOLDS_END, end - BEFORE_END:
            self.clock.move_to(goal)
            self.settle_expiries()
        cohorts = {subject: self.cohorts(subject, policies) for subject in policies}
        require(time.time() < end, "the month ended before its expiries were posted")
        # Nothing is paid at this rate: what is open is worth more or less.
        self.rates.publish()
        same("a month that is not over", self.send("bonus", month).json.get("code"), "period_not_over")
        measured = self.revaluations.measure()
        self.clock.move_to(end)
        self.move_to_noon()
        return month, cohorts, measured

    def book(self, passed):
        """Books a month that has passed. What was done since belongs to the next one."""
        month, cohorts, measured = passed
        for subject in cohorts:
            answer = self.send(subject, month)
            require(answer.status == 200, "adjustment", answer)
            change = self.books.book(subject, self.compare(answer.json, subject, cohorts[subject]))
            same((subject, "change"), answer.json["amount"], change)
            same("booked again", self.send(subject, month).json, answer.json)
            self.booked.append((f"adjustment:{answer.json['id']}", month, abs(change)))
        self.revaluations.book(month, measured)

    def compare_entries(self, journal):
        """An adjustment is effective at the last moment of its month, under its reference."""
        said = sorted(
            (line["reference"], line["effective_at"], line["debit"]) for line in journal.lines
            if line["kind"] == "adjustment" and line["debit"] and line["reference"].startswith("adjustment:"))
        same("entries of adjustments", [
            (reference, days.month_of(moment(effective)), won) for reference, effective, won in said
        ], sorted(entry for entry in self.booked if entry[2]))
        for _, effective, _ in said:
            before_end = days.month_end(moment(effective)) - moment(effective)
            require(0 < before_end <= LAST_MOMENT, "effective", effective)

    def move_to_noon(self):
        """At noon, nothing that is done or expires whole days later is near the end of a day."""
        self.clock.move_to(days.next_noon(time.time()))
        self.settle_expiries()
        self.rates.publish()

    def send(self, subject, month):
        return self.service.act(
            "/v1/adjustments", {"subject": subject, "month": month}, self.players[0].key(), "finance")

    def settle_expiries(self):
        for player in self.players:
            for user in player.users:
                with player.both_sides("end of a month"):
                    player.settle_after_hours(user)

    def close(self):
        """Nothing is left to adjust, and what is closed is not adjusted any more."""
        until = days.day_of(time.time()).replace(day=1)
        items = self.service.get(f"/v1/periods/checklist?until={until.isoformat()}", "finance").json["items"]
        same("checklist", [item["open"] for item in items if item["name"] == "missing_adjustments"], [0])
        answer = self.service.send(
            "POST", "/v1/periods/close", {"until": until.isoformat()}, self.service.as_scope("finance"))
        require(answer.status == 201, "closing", answer)
        closed = days.month_of(days.start(until) - 1)
        same("a closed month", self.send("bonus", closed).json.get("code"), "period_already_closed")
