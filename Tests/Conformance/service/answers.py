"""Holds a running service's answers against its own OpenAPI document: every operation, well and refused; see run.sh."""

import base64
import datetime
import hashlib
import hmac
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time
import uuid

import requests

from document import Document, is_json
from stores import stores

RECEIVER = pathlib.Path(__file__).resolve().parents[3] / "Examples/webhook-receiver/receiver.py"


class Service:
    """The service under test, whose every answer is held against the document."""

    def __init__(self):
        self.url = os.environ["LEDGERD_URL"]
        self.admin_url = os.environ["ADMIN_URL"]
        scopes = ("user", "service", "finance", "events", "support", "endpoints")
        self.tokens = {scope: os.environ[f"{scope.upper()}_TOKEN"] for scope in scopes}
        # Another person of finance.
        self.tokens["approver"] = os.environ["APPROVER_TOKEN"]
        self.document = Document(requests.get(self.url + "/openapi.json", timeout=30).json())
        self.seen = {}
        self.failures = []

    def call(self, method, path, expected, scope=None, body=None, headers=None, **options):
        """Sends a request; an answer that isn't as expected, or as the document says, is a failure."""
        headers = dict(headers or {})
        if scope:
            headers.setdefault("Authorization", f"Bearer {self.tokens[scope]}")
        if body is not None:
            options["data"] = body if isinstance(body, str) else json.dumps(body)
            headers.setdefault("Content-Type", "application/json")
        address = self.admin_url if path == "/metrics" else self.url
        response = requests.request(method, address + path, headers=headers, timeout=60, **options)
        known = self.document.find(path.partition("?")[0])
        problems = self.document.problems(method, known, response) if method != "head" else []
        if response.status_code not in (expected if isinstance(expected, tuple) else (expected,)):
            problems.append(f"{expected} was expected")
        self.seen.setdefault((method, known), set()).add(response.status_code)
        for problem in problems:
            self.failures.append(f"{method.upper()} {path} → {response.status_code}: {problem}\n    {response.text[:300]}")
        return response.json() if is_json(response) and method != "head" else None

    def wait_for(self, path, scope, member, what):
        """Asks until the answer's member has something, and returns that: work goes on beside the requests."""
        deadline = time.monotonic() + 30
        while not (found := self.call("get", path, 200, scope)[member]):
            if time.monotonic() > deadline:
                raise SystemExit(f"missing: {what}")
            time.sleep(0.2)
        return found

    def act(self, path, expected, body, key=None, scope="service", **options):
        """Sends an act, under a fresh key unless one is given."""
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return self.call("post", path, expected, scope, body, headers, **options)


def pay(amount, **members):
    """Pays at the stand-in gateway; answers the receipt's ids."""
    order = {"merchant_uid": f"order-{uuid.uuid4().hex[:20]}", "amount": amount, **members}
    return requests.post(os.environ["SANDBOX_URL"] + "/sandbox/payments", json=order, timeout=30).json()


def receipt_of(payment):
    return {name: payment[name] for name in ("imp_uid", "merchant_uid")}


def shop(service):
    product = service.call("get", "/v1/products", 200)["products"][0]
    key = {"Idempotency-Key": str(uuid.uuid4())}
    order = service.call("post", "/v1/orders", 201, "user", {"product": product["code"]}, key)
    service.call("post", "/v1/orders", 201, "user", {"product": product["code"]}, key)
    service.call("post", "/v1/orders", 422, "user", {"product": "another"}, key)
    service.call("post", "/v1/orders", 400, "user", {"product": ""})
    service.call("post", "/v1/orders", 415, "user", "product", {"Content-Type": "text/plain"})
    service.call("post", "/v1/orders", 413, "user", {"product": "x" * 70_000})
    service.call("post", "/v1/orders", 401)
    service.call("post", "/v1/orders", 403, "service", {"product": product["code"]})
    service.call("get", "/v1/orders?limit=1", 200, "user")
    service.call("get", "/v1/orders?limit=x", 400, "user")
    service.call("get", f"/v1/orders/{order['id']}", 200, "user")
    service.call("get", "/v1/orders/999999999", 404, "user")
    # An order's payment may be credited by its webhook first, a payment without an order only by its receipt.
    ordered = pay(order["amount"], merchant_uid=order["merchant_uid"], version="V1")
    paid = pay(order["amount"])
    credited = service.call("post", "/v1/receipts", 201, "user", receipt_of(paid))
    service.call("post", "/v1/receipts", 200, "user", receipt_of(paid))
    service.call("post", "/v1/receipts", (200, 201), "user", receipt_of(ordered))
    waiting = pay(1000, status="ready", pay_method="vbank")
    service.call("post", "/v1/receipts", 202, "user", receipt_of(waiting))
    service.call("post", "/v1/receipts", 422, "user", receipt_of(pay(1)))
    service.call("post", "/v1/receipts", 404, "user", {"imp_uid": "imp_0", "merchant_uid": "order-0"})
    service.call("post", "/v1/receipts", 400, "user", {"imp_uid": "?", "merchant_uid": "order-0"})
    return credited


def reading(service, scope, base, purchase):
    now = "2026-01-31T15:00:00.000Z"
    for path in ("balance", f"balance?at={now}", "purchases?limit=1", f"purchases/{purchase}", "statement", "lots",
                 f"lots?expires_before={now}", "holds"):
        service.call("get", f"{base}/{path}", 200, scope)
    service.call("head", f"{base}/balance", 200, scope)
    service.call("get", f"{base}/balance?at=soon", 400, scope)
    for name in ("purchases", "statement", "lots", "holds"):
        service.call("get", f"{base}/{name}?cursor=?", 400, scope)
    service.call("get", f"{base}/purchases/999999999", 404, scope)
    service.call("get", f"{base}/statement", 401)


def people(service):
    """What services do with users: a purchase, a present, two accounts that are one person's, a new id."""
    for user in ("demo-friend", "demo-double"):
        service.act(f"/v1/users/{user}/grants", 201, {"coins": 5, "reason": "welcome"})
    product = service.call("get", "/v1/products", 200)["products"][0]
    paid = receipt_of(pay(product["price"]))
    service.call("post", "/v1/users/demo-friend/receipts", 201, "service", paid)
    service.call("post", "/v1/users/demo-friend/receipts", 200, "service", paid)
    service.call("post", "/v1/users/demo-double/receipts", 409, "service", paid)
    service.call("post", "/v1/users/demo-friend/receipts", 403, "support", paid)
    present = {"to": "demo-double", "coins": 1, "reason": "a present"}
    service.act("/v1/users/demo-friend/transfers", 201, present)
    service.act("/v1/users/demo-friend/transfers", 422, {**present, "coins": 10**9})
    service.act("/v1/users/demo-friend/transfers", 422, {**present, "to": "nobody-known"})
    service.act("/v1/users/demo-friend/transfers", 422, {**present, "to": "demo-friend"})
    service.act("/v1/users/demo-double/merge", 201, {"into": "demo-friend", "reason": "one person"})
    service.act("/v1/users/demo-double/merge", 409, {"into": "demo-user", "reason": "one person"})
    service.act("/v1/users/demo-friend/merge", 400, {"into": "demo-friend", "reason": "one person"})
    service.act("/v1/users/demo-friend/merge", 201, {"into": "demo-4711", "new_user": True, "reason": "new ids"})


def acts(service, credited):
    user = credited["balance"]["user"]
    base = f"/v1/users/{user}"
    service.act(f"{base}/grants", 201, {"coins": 300, "reason": "welcome", "expires_at": "2040-01-31T15:00:00Z"})
    service.act(f"{base}/grants", 422, {"coins": 1, "reason": "late", "expires_at": "2020-01-31T15:00:00Z"})
    mistake = service.act(f"{base}/grants", 201, {"coins": 3, "reason": "mistake"})["grant"]["journal_entry_id"]
    service.act(f"/v1/grants/{mistake}/void", 422, {"coins": 4, "reason": "mistake"})
    service.act(f"/v1/grants/{mistake}/void", 201, {"coins": 1, "reason": "mistake"})
    key = str(uuid.uuid4())
    service.act(f"{base}/spends", 201, {"coins": 30, "reference": "song:1", "reason": "play"}, key)
    service.act(f"{base}/spends", 201, {"coins": 30, "reference": "song:1", "reason": "play"}, key)
    service.act(f"{base}/spends", 422, {"coins": 31}, key)
    spend = service.act(f"{base}/spends", 201, {"coins": 8})["spend"]["journal_entry_id"]
    service.act(f"/v1/spends/{spend}/reversals", 201, {"coins": 3, "reason": "not delivered"})
    service.act(f"/v1/spends/{spend}/reversals", 422, {"coins": 6})
    service.act(f"/v1/spends/{spend}/reversals", 201, {})
    service.act(f"/v1/spends/{spend}/reversals", 422, {})
    service.act("/v1/spends/999999999/reversals", 404, {})
    service.act(f"{base}/spends", 402, {"coins": 10**12})
    service.call("post", f"{base}/spends", 400, "service", {"coins": 1})
    hold = service.act(f"{base}/holds", 201, {"coins": 50, "reference": "booking:7"})["hold"]["id"]
    service.call("get", f"{base}/holds", 200, "service")
    service.call("get", f"/v1/holds/{hold}", 200, "service")
    capture = service.act(f"/v1/holds/{hold}/capture", 200, {"coins": 10, "provider": "designer-3", "reason": "visit"})
    capture = capture["capture"]["journal_entry_id"]
    service.act(f"/v1/holds/{hold}/captures/{capture}/reversals", 201, {"coins": 4})
    service.act(f"/v1/holds/{hold}/captures/999999999/reversals", 404, {})
    service.act(f"/v1/holds/{hold}/capture", 422, {"coins": 41})
    service.act(f"/v1/holds/{hold}/void", 200, {})
    service.act(f"/v1/holds/{hold}/capture", 409, {})
    service.act("/v1/holds/999999999/void", 404, {})
    service.call("get", "/v1/holds/999999999", 404, "service")
    service.call("get", "/v1/providers/designer-3/earnings", 200, "service")
    service.call("get", "/v1/lots/expiring?before=2041-01-31T15:00:00Z", 200, "service")
    service.call("get", "/v1/lots/expiring", 400, "service")
    service.call("post", "/v1/balances/query", 200, "service", {"users": [user, "nobody"]})
    service.call("post", "/v1/balances/query", 400, "service", {"users": []})


def refunds(service, credited):
    purchase = f"/v1/purchases/{credited['purchase']['id']}"
    service.call("get", f"{purchase}/refund-quote", 200, "service")
    service.call("get", f"{purchase}/refund-quote?coins=0", 400, "service")
    refund = service.act(f"{purchase}/refunds", 201, {"coins": 10, "reason": "changed her mind"})["refund"]
    service.call("get", f"/v1/refunds/{refund['id']}", 200, "service")
    service.call("get", "/v1/refunds/999999999", 404, "service")
    service.act(f"{purchase}/refunds", 422, {"coins": 10**9, "reason": "too many"})
    service.act("/v1/purchases/999999999/refunds", 404, {"reason": "no such"})
    transfer = {"coins": 5, "reason": "her card is closed", "method": "bank_transfer"}
    paid, undone = (service.act(f"{purchase}/refunds", 201, transfer)["refund"]["id"] for _ in range(2))
    service.call("get", "/v1/refunds/approved", 200, "finance")
    at_bank = {"paid_at": "2026-11-20", "bank_reference": "KB 0042"}
    service.act(f"/v1/refunds/{paid}/payment", 201, at_bank, scope="finance")
    service.act(f"/v1/refunds/{paid}/payment", 422, at_bank, scope="finance")
    service.act(f"/v1/refunds/{paid}/repayment", 201, at_bank, scope="finance")
    service.act(f"/v1/refunds/{paid}/repayment", 422, at_bank, scope="finance")
    service.act("/v1/refunds/999999999/repayment", 404, at_bank, scope="finance")
    service.act(f"/v1/refunds/{undone}/reversal", 201, {"reason": "no such account"}, scope="finance")
    service.act("/v1/refunds/999999999/reversal", 404, {"reason": "no such"}, scope="finance")
    service.act("/v1/users/nobody/debt/payments", 422, {"amount": 1, **at_bank}, scope="finance")
    service.act("/v1/users/nobody/debt/write-offs", 422, {"reason": "left"}, scope="finance")
    account = pay(1000, status="ready", pay_method="vbank")
    service.call("post", "/v1/receipts", 202, "user", receipt_of(account))


def reports(service):
    """The reports that need no option and no setting, as the document lists them."""
    parameters = service.document.root["paths"]["/v1/exports/{report}"]["get"]["parameters"]
    names = next(one["schema"]["enum"] for one in parameters if one.get("name") == "report")
    plain = [name for name in names if name not in ("prepaid", "vouchers", "vat", "adjustments", "reconciliation")]
    assert len(plain) >= 9, f"the document lists too few reports: {names}"
    return plain


def finance(service):
    service.call("get", "/v1/findings", 200, "finance")
    service.call("get", "/v1/findings", 403, "user")
    for report in reports(service):
        for form in ("csv", "jsonl"):
            service.call("get", f"/v1/exports/{report}?format={form}", 200, "finance")
    service.call("get", "/v1/exports/journal?format=beancount&tz=Asia/Seoul", 200, "finance")
    service.call("get", "/v1/exports/journal?form=csv", 400, "finance")
    service.call("get", "/v1/exports/vat?quarter=2026-Q4", 404, "finance")
    service.call("get", "/v1/exports/vat?quarter=2026-Q4&from=2026-10-01", 400, "finance")
    service.call("get", "/v1/exports/nothing", 404, "finance")
    service.call("get", "/v1/exports/reconciliation?run=999999999", 404, "finance")


def open_finding(service, kind):
    """The webhook of a payment, and a refused receipt, leave a finding a moment later."""
    found = service.wait_for(f"/v1/findings?kind={kind}&assigned=false", "finance", "findings", f"the finding {kind}")
    return f"/v1/findings/{found[-1]['id']}"


def unclaimed_payment(service):
    """The finding of a payment that nobody presented."""
    service.call("post", "/webhooks/portone/v1", 200, None, {**receipt_of(pay(1000)), "status": "paid"})
    return open_finding(service, "paid_unclaimed")


def findings(service):
    """What people do about findings: one is resolved, another one's payment credited."""
    wrong = open_finding(service, "amount_mismatch")
    service.call("post", f"{wrong}/assign", 200, "finance", {"assignee": "min"})
    service.call("post", f"{wrong}/assign", 400, "finance", {"assignee": ""})
    service.call("post", f"{wrong}/notes", 200, "finance", {"text": "asked the buyer"})
    service.call("post", f"{wrong}/notes", 400, "finance", {})
    service.call("get", "/v1/findings?assignee=min&assigned=true", 200, "finance")
    service.call("post", f"{wrong}/claim", 422, "finance", {"user": "demo-user", "reason": "hers"})
    service.call("post", f"{wrong}/resolve", 200, "finance", {"reason": "cancelled in the console"})
    service.call("get", wrong, 200, "finance")
    service.call("get", "/v1/findings?status=resolved", 200, "finance")
    service.call("get", "/v1/findings?status=lost", 400, "finance")
    for act, body in (("assign", {}), ("notes", {"text": "x"}), ("resolve", {"reason": "x"}),
                      ("claim", {"user": "ann", "reason": "x"})):
        service.call("post", f"/v1/findings/999999999/{act}", 404, "finance", body)
        service.call("post", f"{wrong}/{act}", 403, "service", body)
    unclaimed = unclaimed_payment(service)
    claim = {"user": "demo-user", "reason": "the card statement shows her name"}
    service.call("post", f"{unclaimed}/claim", 201, "finance", claim)
    service.call("post", f"{unclaimed}/claim", 200, "finance", claim)
    service.call("post", f"{unclaimed}/claim", 422, "finance", {**claim, "user": "another"})
    service.call("post", f"{unclaimed}/claim", 409, "finance", {**claim, "user": "another", "new_user": True})
    twice = unclaimed_payment(service)
    service.call("post", f"{twice}/refund", 400, "finance", {})
    service.call("post", f"{twice}/refund", 403, "service", {"reason": "paid twice"})
    service.call("post", f"{twice}/refund", 200, "finance", {"reason": "paid twice"})
    service.call("post", f"{twice}/refund", 200, "finance", {"reason": "paid twice"})
    service.call("post", "/v1/findings/999999999/refund", 404, "finance", {"reason": "paid twice"})


def take_back(service):
    """What a child has spent comes back, and the purchase is refunded."""
    claim = {"user": "parent", "reason": "the card statement shows the name", "new_user": True}
    service.call("post", f"{unclaimed_payment(service)}/claim", 201, "finance", claim)
    bought = service.call("get", "/v1/users/parent/purchases", 200, "service")["purchases"][0]["id"]
    purchase = f"/v1/purchases/{bought}"
    spent = service.act("/v1/users/parent/spends", 201, {"coins": 3})["spend"]["journal_entry_id"]
    service.call("get", f"{purchase}/take-back-quote", 200, "service")
    service.call("get", f"{purchase}/take-back-quote?spends=x", 400, "service")
    service.call("get", "/v1/purchases/999999999/take-back-quote", 404, "service")
    child = {"spends": [spent], "reason": "her son spent them"}
    service.act(f"{purchase}/take-back", 404, {**child, "spends": [bought]})
    service.act(f"{purchase}/take-back", 400, {**child, "spends": []})
    service.act(f"{purchase}/take-back", 201, child)
    service.act("/v1/purchases/999999999/take-back", 404, child)


def disputes(service):
    """A buyer disputes a payment, and finance books that the dispute is lost."""
    payment = pay(1000, version="V2")
    service.call("post", "/v1/receipts", 201, "user", {"payment_id": payment["payment_id"]})
    dispute = {"dispute": "open", "reason": "not mine"}
    requests.patch(f"{os.environ['SANDBOX_URL']}/sandbox/payments/{payment['imp_uid']}", json=dispute, timeout=30)
    found = service.wait_for("/v1/disputes?status=open", "finance", "disputes", "the dispute")
    service.call("get", "/v1/disputes?status=lost&limit=1", 200, "finance")
    service.call("get", "/v1/disputes?status=x", 400, "finance")
    service.call("get", "/v1/disputes", 403, "user")
    path = f"/v1/disputes/{found[-1]['id']}/decisions"
    lost = {"outcome": "lost", "reason": "the acquirer's letter"}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    other = {"Idempotency-Key": str(uuid.uuid4())}
    service.call("post", path, 201, "finance", lost, key)
    service.call("post", path, 201, "finance", lost, key)
    service.call("post", path, 422, "finance", {**lost, "outcome": "won"}, key)
    service.call("post", path, 409, "finance", lost, other)
    won = {"Idempotency-Key": str(uuid.uuid4())}
    service.call("post", path, 201, "finance", {**lost, "outcome": "won"}, won)
    service.call("post", path, 400, "finance", {"outcome": "undecided", "reason": "x"}, other)
    service.call("post", path, 403, "service", lost, other)
    service.call("post", "/v1/disputes/999999999/decisions", 404, "finance", lost, other)


def rates(service):
    """Rates of foreign currencies, by one person and by two."""
    rate = {"rate": "1387.40", "per": 1, "source": "a bank"}
    named = {"rate": "1387.40", "per": 1}
    path = "/v1/rates/USD/2026-01-05"
    service.call("get", "/v1/rates/USD", 404, "finance")
    service.call("put", path, 202, "finance", rate)
    service.call("get", "/v1/rates/waiting", 200, "finance")
    service.call("post", path + "/withdrawal", 200, "finance")
    service.call("put", path, 202, "finance", rate)
    service.call("post", path + "/approval", 403, "finance", named)
    service.call("post", path + "/approval", 400, "approver", {"rate": "1", "per": 1})
    service.call("post", path + "/approval", 200, "approver", named)
    service.call("post", path + "/withdrawal", 404, "finance")
    service.call("post", "/v1/rates/USD/2026-01-06/approval", 404, "approver", named)
    service.call("put", "/v1/rates/USD/2026-01-06", 200, "finance", {**rate, "rate": "1390"})
    service.call("put", "/v1/rates/KRW/2026-01-06", 422, "finance", rate)
    service.call("put", "/v1/rates/XYZ/2026-01-06", 422, "finance", rate)
    service.call("put", "/v1/rates/USD/2026-01-07", 400, "finance", {**rate, "rate": "0"})
    service.call("get", "/v1/rates/USD", 200, "finance")
    service.call("get", "/v1/rates/KRW", 422, "finance")
    service.call("get", "/v1/rates?currency=USD&from=2026-01-01&to=2026-02-01", 200, "finance")
    service.call("get", "/v1/rates?currency=KRW", 422, "finance")
    service.call("get", "/v1/rates?from=soon", 400, "finance")
    revaluations(service)


def revaluations(service):
    """Revaluations of a currency that has rates, and nothing open."""
    rate = {"rate": "1390", "per": 1, "source": "a bank"}
    service.call("put", "/v1/rates/USD/2026-01-30", 200, "finance", rate)
    key = {"Idempotency-Key": str(uuid.uuid4())}
    path, asked = "/v1/revaluations", {"currency": "USD", "month": "2026-01"}
    booked = service.call("post", path, 200, "finance", asked, key)
    service.call("post", path, 200, "finance", asked, key)
    service.call("post", path, 422, "finance", {**asked, "month": "2026-02"}, key)
    for other, status in (({"currency": "KRW"}, 422), ({"currency": "JPY"}, 404), ({"month": "2020-01"}, 404)):
        key = {"Idempotency-Key": str(uuid.uuid4())}
        service.call("post", path, status, "finance", {**asked, **other}, key)
    service.call("get", f"{path}/{booked['id']}", 200, "finance")
    service.call("get", f"{path}/999999999", 404, "finance")
    service.call("get", path, 200, "finance")


def figures(service, credited):
    service.call("get", "/v1/figures/days", 200, "finance")
    service.call("get", "/v1/figures/days?from=2026-01-01&to=2026-02-01", 200, "finance")
    service.call("get", "/v1/figures/days?from=2026-01-01&to=2026-01-01", 400, "finance")
    service.call("get", "/v1/figures/sales", 200, "finance")
    service.call("get", "/v1/figures/sales?from=2026-01-01&to=2026-03-01", 400, "finance")
    service.call("get", "/v1/open-items", 200, "finance")
    service.call("get", "/v1/open-items", 403, "support")
    service.call("get", "/v1/exports/prepaid?from=2026-01-01&to=2026-02-01&for=excel", 200, "finance")
    service.call("get", "/v1/exports/prepaid", 400, "finance")
    service.call("get", "/v1/exports/vouchers?from=2026-01-01&to=2026-02-01", 404, "finance")
    alerts = {"below": [100], "above": [1000]}
    for path in ("/v1/balance-alerts", "/v1/users/demo-user/balance-alerts"):
        service.call("put", path, 200, "service", alerts)
        service.call("put", path, 400, "service", {**alerts, "below": [0]})
        service.call("put", path, 403, "support", alerts)
        service.call("get", path, 200, "service")
        service.call("delete", path, 204, "service")
        service.call("get", path, 404, "service")
    product = service.call("get", "/v1/products", 200)["products"][0]["code"]
    consent = {"gateway": "portone-v1", "billing_key": "card", "product": product, "threshold": 1, "monthly_limit": 1000}
    path = "/v1/users/demo-user/top-up"
    service.call("get", path, 404, "service")
    service.call("put", path, 200, "service", consent)
    service.call("put", path, 400, "service", {**consent, "threshold": 0})
    service.call("put", path, 422, "service", {**consent, "product": "nothing"})
    service.call("put", path, 403, "support", consent)
    service.call("post", f"{path}/pause", 200, "service", {"reason": "away"})
    service.call("post", f"{path}/resume", 200, "service")
    service.call("get", path, 200, "service")
    service.call("delete", path, 200, "service")
    service.call("post", f"{path}/resume", 404, "service")
    campaign = {"name": "conformance", "coins": 1, "budget": 10, "reason": "a test", "code": "CONFORMANCE"}
    made = service.call("post", "/v1/campaigns", 201, "service", campaign)
    service.call("post", "/v1/campaigns", 409, "service", {**campaign, "coins": 2})
    service.call("post", "/v1/campaigns", 400, "service", {**campaign, "budget": 0})
    service.call("post", "/v1/campaigns", 403, "support", campaign)
    path = f"/v1/campaigns/{made['id']}"
    service.call("get", "/v1/campaigns", 200, "service")
    service.call("get", path, 200, "service")
    service.call("get", "/v1/campaigns/999999", 404, "service")
    claims = "/v1/users/demo-user/claims"
    service.call("post", claims, 201, "service", {"code": "CONFORMANCE"})
    service.call("post", claims, 404, "service", {"code": "ANOTHER"})
    service.call("post", f"{path}/users", 409, "service", {"users": [{"user": "demo-user"}]})
    service.call("post", f"{path}/users", 400, "service", {"users": []})
    service.call("post", f"{path}/pause", 200, "service", {"reason": "a test"})
    service.call("post", claims.replace("demo-user", "other"), 409, "service", {"code": "CONFORMANCE"})
    service.call("post", f"{path}/resume", 200, "service")
    service.call("post", f"{path}/void", 200, "service", {"reason": "a test"})
    service.call("post", f"{path}/resume", 409, "service")
    listed = {"name": "listed", "coins": 1, "budget": 10, "reason": "a test"}
    path = f"/v1/campaigns/{service.call('post', '/v1/campaigns', 201, 'service', listed)['id']}/users"
    service.call("post", path, 200, "service", {"users": [{"user": "listed"}], "dry_run": True})
    service.call("post", f"{path}/file?dry_run=true", 200, "service", "user\nlisted\n", {"Content-Type": "text/csv"})
    service.call("post", f"{path}/file", 400, "service", "listed,none\n", {"Content-Type": "text/csv"})
    service.call("post", f"{path}/file", 415, "service", {})
    path = "/v1/users/demo-user/forgetting"
    service.call("get", path, 404, "service")
    service.call("delete", path, 404, "service")
    service.call("put", path, 400, "service", {})
    service.call("put", path, 403, "support", {"reason": "closed the account"})
    wish = service.call("put", path, (200, 422), "service", {"reason": "closed the account"})
    service.call("get", "/v1/forgettings/999999", 404, "service")
    if "id" in wish:
        service.call("get", path, 200, "service")
        service.call("get", f"/v1/forgettings/{wish['id']}", 200, "service")
        service.call("delete", path, 200, "service")
    service.call("post", "/v1/users/demo-user/orders", 201, "service", {"product": product})
    service.call("post", "/v1/users/demo-user/orders", 422, "service", {"product": "another"})
    service.call("post", "/v1/users/demo-user/orders", 403, "support", {"product": product})
    unknown = {"imp_uid": "imp_000000000001", "merchant_uid": "nobody-s"}
    service.call("post", "/v1/users/demo-user/receipts", 404, "service", unknown)
    service.call("post", "/v1/users/demo-user/receipts", 400, "service", {})
    service.call("get", "/v1/prepaid", 200, "finance")
    service.call("get", "/v1/prepaid", 403, "service")
    balance = {"custodian": "bank", "method": "trust", "balance": 1000, "held_at": "2026-01-31"}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    service.call("post", "/v1/custody-balances", 201, "finance", balance, key)
    service.call("post", "/v1/custody-balances", 422, "finance", {**balance, "balance": 1}, key)
    service.call("post", "/v1/custody-balances", 400, "finance", balance)
    service.call("get", "/v1/custody-balances", 200, "finance")
    policy = "/v1/accounting-policies/breakage/2020-01"
    service.call("put", policy, 200, "finance", {"method": "expected_pattern", "expected": 100})
    service.call("put", policy, 400, "finance", {"method": "relative_price"})
    service.call("put", "/v1/accounting-policies/rent/2020-01", 404, "finance", {"method": "none"})
    service.call("get", "/v1/accounting-policies", 200, "finance")
    service.call("get", "/v1/adjustments/preview?subject=breakage&month=2020-01", 200, "finance")
    service.call("get", "/v1/adjustments/preview?subject=breakage", 400, "finance")
    key = {"Idempotency-Key": str(uuid.uuid4())}
    adjusted = service.call("post", "/v1/adjustments", 200, "finance", {"subject": "breakage", "month": "2020-01"}, key)
    service.call("post", "/v1/adjustments", 422, "finance", {"subject": "breakage", "month": "2020-02"}, key)
    service.call("get", f"/v1/adjustments/{adjusted['id']}", 200, "finance")
    service.call("get", "/v1/adjustments/999999999", 404, "finance")
    service.call("get", "/v1/adjustments", 200, "finance")
    service.call("put", policy, 409, "finance", {"method": "at_expiry"})
    rates(service)
    service.call("get", "/v1/periods/checklist?until=2026-02-01", 200, "finance")
    service.call("get", "/v1/periods/checklist?until=2026-02-01&unsettled_days=x", 400, "finance")
    service.call("get", "/v1/periods/checklist", 400, "finance")
    for scope in ("finance", "support"):
        service.call("get", "/v1/live", 200, scope)
    service.call("get", "/v1/live", 403, "user")
    account = f"wallet:{credited['balance']['user']}:paid"
    posting = service.call("get", f"/v1/postings?account={account}&limit=1", 200, "finance")["postings"][0]
    service.call("get", f"/v1/entries/{posting['journal_entry_id']}", 200, "finance")
    service.call("get", "/v1/entries/999999999", 404, "finance")
    service.call("get", "/v1/postings?account=nothing", 404, "finance")
    service.call("get", "/v1/postings", 400, "finance")


def support(service, credited):
    purchase = credited["purchase"]
    for name in ("imp_uid", "merchant_uid"):
        service.call("get", f"/v1/purchases?{name}={purchase[name]}", 200, "support")
    service.call("get", "/v1/purchases", 400, "support")
    service.call("get", f"/v1/purchases/{purchase['id']}", 200, "support")
    service.call("get", "/v1/purchases/999999999", 404, "support")
    orders = service.call("get", "/v1/users/demo-user/orders?limit=1", 200, "support")
    service.call("get", f"/v1/users/demo-user/orders/{orders['orders'][0]['id']}", 200, "support")
    service.call("get", "/v1/users/demo-user/orders/999999999", 404, "support")
    service.call("get", "/v1/users/demo-user/receipts?status=waiting", 200, "support")
    service.call("get", "/v1/users/demo-user/receipts?status=lost", 400, "support")
    service.call("get", "/v1/users/demo-user/receipts", 403, "service")
    service.call("get", "/v1/receipts?reason=awaiting_payment", 200, "support")
    service.call("get", "/v1/receipts", 403, "service")
    service.call("get", "/v1/refunds?limit=1", 200, "support")
    service.call("get", "/v1/refunds?limit=0", 400, "support")
    service.call("get", f"/v1/search?name={purchase['imp_uid']}", 200, "support")
    service.call("get", "/v1/search", 400, "support")
    service.call("get", "/v1/search?name=x", 403, "service")
    note, key = {"text": "called"}, {"Idempotency-Key": str(uuid.uuid4())}
    service.call("post", "/v1/users/demo-user/notes", 201, "support", note, key)
    service.call("post", "/v1/users/demo-user/notes", 201, "support", note, key)
    service.call("post", "/v1/users/demo-user/notes", 422, "support", {"text": "another"}, key)
    service.call("post", "/v1/users/demo-user/notes", 400, "support", {"text": ""}, {"Idempotency-Key": "n"})
    service.call("get", "/v1/users/demo-user/notes?limit=1", 200, "support")
    service.call("get", "/v1/users/demo-user/timeline?limit=5", 200, "support")
    service.call("get", "/v1/users/demo-user/export", 200, "support")
    service.call("get", "/v1/users/demo-user/export", 403, "service")
    service.call("get", "/v1/audit?act=refund", 200, "finance")
    service.call("get", "/v1/audit?act=theft", 400, "finance")
    service.call("get", "/v1/audit", 403, "support")


def closing(service):
    service.call("post", "/v1/periods/close", 201, "finance", {"until": "2020-02-01"})
    service.call("post", "/v1/periods/close", 200, "finance", {"until": "2020-02-01"})
    service.call("post", "/v1/periods/close", 409, "finance", {"until": "2020-01-01"})
    service.call("post", "/v1/periods/close", 422, "finance", {"until": "2120-01-01"})
    service.call("post", "/v1/periods/close", 400, "finance", {"until": "2020-02-30T00:00:00Z"})
    service.call("get", "/v1/periods", 200, "finance")


def reconciliation(service):
    today = datetime.datetime.now(datetime.timezone.utc).date()
    days = [(today + datetime.timedelta(days=number)).isoformat() for number in (-1, 1)]
    period = {"from": days[0], "to": days[1], "heal": True}
    key = {"Idempotency-Key": str(uuid.uuid4())}
    run = service.call("post", "/v1/reconciliations", 202, "finance", period, key)["id"]
    service.call("post", "/v1/reconciliations", 202, "finance", period, key)
    service.call("post", "/v1/reconciliations", 422, "finance", {**period, "heal": False}, key)
    service.call("post", "/v1/reconciliations", 400, "finance", {**period, "from": "2020-03-01"})
    service.call("post", "/v1/reconciliations", 400, "finance", {"from": "2020-03-01", "to": "2020-03-01"})
    deadline = time.monotonic() + 60
    while service.call("get", f"/v1/reconciliations/{run}", 200, "finance")["status"] == "running":
        if time.monotonic() > deadline:
            service.failures.append("a reconciliation does not end")
            break
        time.sleep(0.2)
    service.call("get", "/v1/reconciliations", 200, "finance")
    service.call("get", f"/v1/reconciliations/{run}/items", 200, "finance")
    service.call("get", f"/v1/reconciliations/{run}/items?kind=matched,waiting", 200, "finance")
    service.call("get", f"/v1/reconciliations/{run}/items?kind=other", 400, "finance")
    service.call("get", f"/v1/exports/reconciliation?run={run}&format=jsonl", 200, "finance")
    service.call("get", "/v1/reconciliations/999999999", 404, "finance")
    items = service.call("get", f"/v1/reconciliations/{run}/items?limit=1", 200, "finance")["items"]
    one = f"/v1/reconciliations/{run}/items/{items[0]['id'] if items else 0}"
    found = 200 if items else 404
    service.call("post", f"{one}/assign", found, "finance", {"assignee": "min"})
    service.call("post", f"{one}/notes", found, "finance", {"text": "asked the gateway"})
    service.call("post", f"{one}/notes", 400, "finance", {})
    service.call("get", one, found, "finance")
    service.call("get", f"/v1/reconciliations/{run}/items/999999999", 404, "finance")


def settlement(service, credited):
    columns = "payment_id=id&gross=gross&fee=fee&net=net&paid_out_at=day"
    # A day in Seoul, as statements have it; none lies before its payment.
    day = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=9))).date().isoformat()
    text = f"id,gross,fee,net,day\n{credited['purchase']['imp_uid']},1000,30,970,{day}\n"
    kind = {"Content-Type": "text/csv"}
    service.call("post", f"/v1/settlements?{columns}&dry_run=true", 200, "finance", text, kind)
    report = service.call("post", f"/v1/settlements?{columns}", 201, "finance", text, kind)
    service.call("post", f"/v1/settlements?{columns}", 200, "finance", text, kind)
    service.call("post", f"/v1/settlements?{columns}", 422, "finance", "id,gross,fee,net,day\nx,y,z\n", kind)
    service.call("post", "/v1/settlements", 400, "finance", text, kind)
    service.call("post", f"/v1/settlements?{columns}", 415, "finance", {})
    made = f"/v1/settlements/{report['settlement']['id']}"
    service.call("get", "/v1/settlements", 200, "finance")
    service.call("get", made, 200, "finance")
    service.call("get", f"{made}/rows", 200, "finance")
    service.call("get", f"{made}/rows?status=other", 400, "finance")
    service.call("get", "/v1/settlements/999999999", 404, "finance")
    theirs = f"id,gross,fee,net,day\nanother-shops,1000,30,970,{day}\n"
    service.call("post", f"/v1/settlements?{columns}", 200, "finance", theirs, kind)
    listed = service.call("get", "/v1/settlements?limit=1", 200, "finance")["settlements"]
    line = f"/v1/settlements/{listed[0]['id']}/rows/2/dismissal"
    service.call("post", line, 200, "finance", {"reason": "another shop's"})
    service.call("post", f"{line}/check", 403, "finance")
    service.call("post", f"{line}/check", 200, "approver")
    service.call("get", "/v1/settlements/unchecked", 200, "finance")
    service.call("get", "/v1/settlements/returned", 200, "finance")
    service.call("post", "/v1/settlements/match", 200, "finance")
    service.call("post", f"{made}/rows/2/dismissal/check", 409, "finance")
    service.call("post", line, 400, "finance", {})
    service.call("post", line, 403, "service", {"reason": "another shop's"})
    service.call("post", f"{made}/rows/2/dismissal", 409, "finance", {"reason": "another shop's"})
    service.call("post", f"{made}/rows/9/dismissal", 404, "finance", {"reason": "another shop's"})
    service.call("get", "/v1/settlements/outstanding?limit=1", 200, "finance")
    service.call("get", "/v1/settlements/outstanding/ages", 200, "finance")
    service.call("get", "/v1/settlements/unmatched", 200, "finance")
    service.call("get", "/v1/settlements/outstanding?as_of=soon", 400, "finance")


def accounts(service, provider):
    """The bank account of a provider with terms."""
    path = f"/v1/providers/{provider}"
    account = {"bank": "KB", "number": "110-12-3456", "holder": "Hong"}
    kept = service.call("put", f"{path}/account", 202, "finance", account)
    service.call("put", "/v1/providers/nobody-here/account", 404, "finance", account)
    service.call("put", f"{path}/account", 400, "finance", {})
    approval = f"{path}/accounts/{kept['id']}/approval"
    service.call("post", approval, 403, "finance", {"number": "110123456"})
    service.call("post", approval, 400, "approver", {"number": "1"})
    service.call("post", approval, 200, "approver", {"number": "110123456"})
    service.call("post", f"{path}/accounts/999999/approval", 404, "approver", {"number": "1"})
    service.call("put", f"{path}/account", 200, "finance", account)
    other = service.call("put", f"{path}/account", 202, "finance", {**account, "number": "1"})
    service.call("post", f"{path}/accounts/{other['id']}/withdrawal", 200, "finance")
    service.call("post", f"{path}/accounts/999999/withdrawal", 404, "finance")
    service.call("get", f"{path}/accounts", 200, "finance")
    service.call("delete", f"{path}/account", 204, "finance")


def debts(service):
    """Coins that are owed, because their payment was cancelled after they were spent."""
    path, finance = "/v1/users/demo-user/debt", "finance"
    payment = pay(1000)
    service.call("post", "/v1/receipts", 201, "user", receipt_of(payment))
    available = service.call("get", "/v1/users/demo-user/balance", 200, "service")["available"]
    service.act("/v1/users/demo-user/spends", 201, {"coins": available})
    requests.patch(
        f"{os.environ['SANDBOX_URL']}/sandbox/payments/{payment['imp_uid']}", json={"status": "cancelled"}, timeout=30)
    deadline = time.monotonic() + 30
    while not service.call("get", "/v1/users/demo-user/balance", 200, "service")["debt"] and time.monotonic() < deadline:
        time.sleep(0.2)

    def act(below, expected, body, key=None):
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        service.call("post", path + below, expected, finance, body, headers)

    today = datetime.datetime.now(datetime.timezone.utc).isoformat()
    paid = {"coins": 10, "amount": 100, "paid_at": today, "bank_reference": "KB 7"}
    act("/payments", 201, paid, "debt-paid")
    act("/payments", 201, paid, "debt-paid")
    act("/payments", 422, {**paid, "coins": 1_000_000})
    act("/payments", 400, {**paid, "amount": 0})
    act("/write-offs", 422, {"coins": 1_000_000, "reason": "courtesy"})
    act("/write-offs", 201, {"reason": "courtesy"})


def providers(service):
    path, finance = "/v1/providers/designer-3", "finance"
    terms = {"share_basis_points": 8000, "role": "agent"}
    service.call("get", "/v1/providers/nobody", 404, finance)
    service.call("put", path, 200, finance, terms)
    service.call("put", path, 400, finance, {**terms, "share_basis_points": 10001})
    service.call("put", path, 403, "service", terms)
    # Bonus coins are used first, and have no won.
    service.call("post", "/v1/receipts", 201, "user", receipt_of(pay(1000)))
    bonus = service.call("get", "/v1/users/demo-user/balance", 200, "service")["bonus"]
    if bonus:
        service.act("/v1/users/demo-user/spends", 201, {"coins": bonus})
    hold = service.act("/v1/users/demo-user/holds", 201, {"coins": 20})["hold"]["id"]
    taken = service.act(f"/v1/holds/{hold}/capture", 200, {"provider": "designer-3"})
    capture = taken["capture"]["journal_entry_id"]
    for below in ("", "/terms", "/statement", "/statement?limit=1"):
        service.call("get", path + below, 200, finance)
    service.call("get", "/v1/providers", 200, finance)

    def propose(expected, body, key=None):
        headers = {"Idempotency-Key": key or str(uuid.uuid4())}
        return service.call("post", "/v1/payouts", expected, finance, body, headers)

    withdrawn = f"/v1/payouts/{propose(201, {'note': 'too early'}, 'conformance')['id']}"
    propose(201, {"note": "too early"}, "conformance")
    propose(422, {}, "conformance")
    propose(422, {})
    propose(400, {"cut_off": "soon"})
    service.call("post", withdrawn + "/approval", 403, finance)
    service.call("post", withdrawn + "/withdrawal", 200, finance, {"reason": "too early"})
    service.call("post", withdrawn + "/approval", 409, "approver")
    made = f"/v1/payouts/{propose(201, {})['id']}"
    payment = {"paid_at": datetime.datetime.now(datetime.timezone.utc).isoformat(), "bank_reference": "run 7"}
    service.call("post", made + "/payment", 409, finance, payment, {"Idempotency-Key": "early"})
    service.call("get", made + "/file", 409, finance)
    service.call("post", made + "/approval", 200, "approver")
    for below in ("", "/items", "/shares", "/shares?provider=designer-3", "/file"):
        service.call("get", made + below, 200, finance)
    listing = ("provider,bank,account,holder\ndesigner-3,IBK,001,Hong\n", {"Content-Type": "text/csv"})
    service.call("post", made + "/file?for=excel", 200, finance, *listing)
    service.call("post", made + "/file", 400, finance, "provider,bank\n", listing[1])
    service.call("post", made + "/file", 415, finance, {})
    service.call("post", withdrawn + "/file", 409, finance, *listing)
    accounts(service, "designer-3")
    service.call("post", made + "/file", 400, finance, *listing)  # an approved account was erased
    late = {**payment, "paid_at": "2226-01-01"}
    service.call("post", made + "/payment", 400, finance, late, {"Idempotency-Key": "late"})
    service.call("post", made + "/payment", 200, finance, payment, {"Idempotency-Key": "paid"})
    service.call("post", made + "/withdrawal", 409, finance, {})
    service.call("get", "/v1/payouts?status=paid", 200, finance)
    captured = f"/v1/holds/{hold}/captures/{capture}"
    service.act(captured + "/reversals", 201, {})
    repayment = {"amount": 1, "paid_at": "2026-11-20", "bank_reference": "IBK 9"}
    service.act(path + "/repayments", 201, repayment, scope=finance)
    service.act(path + "/repayments", 422, {**repayment, "amount": 1_000_000}, scope=finance)
    service.act(path + "/repayments", 400, {**repayment, "paid_at": "2226-01-01"}, scope=finance)
    service.call("get", path + "/statement", 200, finance)
    service.call("get", "/v1/payouts?status=other", 400, finance)
    service.call("get", "/v1/payouts/999999999", 404, finance)


def seals(service):
    """The service seals its books when it starts, in the background."""
    listed = service.call("get", "/v1/seals", 200, "finance")
    for _ in range(50):
        if listed["seals"]:
            break
        time.sleep(0.2)
        listed = service.call("get", "/v1/seals", 200, "finance")
    service.call("get", f"/v1/seals/{listed['seals'][0]['id']}", 200, "finance")
    service.call("get", "/v1/seals/999999999", 404, "finance")
    service.call("get", "/v1/seals", 403, "service")


def existing_apps(service):
    key = {"SesacKey": os.environ["APP_KEY"]}
    service.call("get", "/v1/store/item/list", 200, "user", None, key)
    service.call("get", "/v1/store/item/list", 400, "user")
    receipt = receipt_of(pay(1000))
    service.call("post", "/v1/store/pay/validation", 200, "user", receipt, key)
    bare = {**key, "Authorization": service.tokens["user"], "Content-Type": "application/x-www-form-urlencoded"}
    service.call("post", "/v1/store/pay/validation", 200, None, "&".join(f"{k}={v}" for k, v in receipt.items()), bare)
    service.call("post", "/v1/store/pay/validation", 400, "user", {}, key)


def webhooks(service):
    service.call("post", "/webhooks/portone/v1", 200, None, {**receipt_of(pay(1000)), "status": "paid"})
    service.call("post", "/webhooks/portone/v1", 400, None, {"status": "paid"})
    body = json.dumps({"type": "Transaction.Paid", "data": {"paymentId": "p", "transactionId": "t"}})
    head = {"webhook-id": str(uuid.uuid4()), "webhook-timestamp": str(int(time.time()))}
    signed = f"{head['webhook-id']}.{head['webhook-timestamp']}.{body}".encode()
    secret = base64.b64decode(os.environ["LEDGERD_PORTONE_V2_WEBHOOK_SECRET"].removeprefix("whsec_"))
    signature = base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()
    service.call("post", "/webhooks/portone/v2", 401, None, body, {**head, "webhook-signature": "v1,no"})
    service.call("post", "/webhooks/portone/v2", 200, None, body, {**head, "webhook-signature": f"v1,{signature}"})


def endpoints(service):
    """The example receives the events; it verifies them with PyPI's standardwebhooks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/"
    key = {"Idempotency-Key": str(uuid.uuid4())}
    made = service.call("post", "/v1/endpoints", 201, "endpoints", {"url": url}, key)
    service.call("post", "/v1/endpoints", 201, "endpoints", {"url": url}, key)
    service.call("post", "/v1/endpoints", 422, "endpoints", {"url": url + "other"}, key)
    service.call("post", "/v1/endpoints", 422, "endpoints", {"url": "https://10.0.0.1/"}, {"Idempotency-Key": "x"})
    service.call("post", "/v1/endpoints", 400, "endpoints", {"url": url})
    service.call("get", "/v1/endpoints", 200, "endpoints")
    service.call("get", "/v1/endpoints", 403, "service")
    path = f"/v1/endpoints/{made['id']}"
    service.call("get", path, 200, "endpoints")
    service.call("patch", path, 200, "endpoints", {"description": "the example"})
    service.call("patch", path, 422, "endpoints", {"url": "https://[::1]/"})
    if service.call("post", path + "/test", 200, "endpoints")["outcome"] != "unreachable":
        service.failures.append("a test of an endpoint where nobody listens was not unreachable")
    database = tempfile.mkdtemp() + "/events.db"
    program = [sys.executable, str(RECEIVER), "--port", str(port), "--database", database]
    with subprocess.Popen(program, env={**os.environ, "WEBHOOK_SECRET": made["secret"]}, stdout=subprocess.PIPE) as it:
        try:
            it.stdout.readline()
            if service.call("post", path + "/test", 200, "endpoints")["outcome"] != "delivered":
                service.failures.append("standardwebhooks refused a webhook")
            forged = {"webhook-id": "1", "webhook-timestamp": str(int(time.time())), "webhook-signature": "v1,AAAA"}
            if requests.post(url, data="{}", headers=forged, timeout=10).status_code != 401:
                service.failures.append("standardwebhooks accepted a forged webhook")
            service.act("/v1/users/demo-user/grants", 201, {"coins": 1, "reason": "an event"})
            deadline = time.time() + 30
            while not service.call("get", path + "/deliveries", 200, "endpoints")["deliveries"]:
                if time.time() > deadline:
                    service.failures.append("no event was delivered")
                    break
                time.sleep(0.1)
        finally:
            it.kill()
    service.call("get", path + "/deliveries?failed=true", 200, "endpoints")
    service.call("get", path + "/deliveries?failed=maybe", 400, "endpoints")
    service.call("post", path + "/replay", 202, "endpoints", {"after": 0, "only_failed": True}, key)
    service.call("post", path + "/replay", 422, "endpoints", {"after": 1}, key)
    service.call("post", path + "/replay", 400, "endpoints", {"after": -1}, {"Idempotency-Key": "y"})
    service.call("get", path + "/replays", 200, "endpoints")
    service.call("post", path + "/rotate-secret", 200, "endpoints", None, key)
    service.call("post", path + "/rotate-secret", 400, "endpoints")
    service.call("delete", path, 204, "endpoints")
    service.call("delete", path, 404, "endpoints")
    service.call("get", "/v1/webhook-keys", 200)


def events(service):
    last, spent, deadline = 0, None, time.monotonic() + 60
    expected, kinds = {"purchase.credited", "coins.spent", "refund.completed", "period.closed", "seal.made"}, set()
    # The last ones are numbered a moment after their answers.
    while not expected <= kinds and time.monotonic() < deadline:
        page = service.call("get", f"/v1/events?after={last}&limit=1000&wait=1", 200, "events")
        kinds |= {event["type"] for event in page["events"]}
        spent = next((event["seq"] for event in page["events"] if event["type"] == "coins.spent"), spent)
        last = page["next"]
    if not expected <= kinds:
        service.failures.append(f"events of the types {sorted(expected - kinds)} are missing")
    service.call("get", "/v1/events/1", 200, "events")
    service.call("get", "/v1/events/999999999", 404, "events")
    service.call("get", f"/v1/events/{spent}/lots", 200, "events")
    service.call("get", "/v1/events/999999999/lots", 404, "events")
    service.call("get", "/v1/events?types=purchase.credited,seal.made&user=demo-user", 200, "events")
    service.call("get", "/v1/events?types=nothing.happened", 400, "events")
    service.call("get", "/v1/events", 403, "service")


def operation(service):
    for path in ("/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs"):
        service.call("get", path, 200)
    for page in ("shop", "errors", "reference.css", "reference.js", "search.json"):
        service.call("get", "/docs/" + page, 200)
    service.call("get", "/docs/nothing", 404)


def tools(service):
    """Tools of agents."""
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    call["params"] = {"name": "getUserBalance", "arguments": {"user": "demo-user"}}
    service.call("post", "/mcp", 200, "support", call)
    service.call("post", "/mcp", 200, "finance", {**call, "method": "tools/list", "params": {}})
    service.call("post", "/mcp", 202, "support", {"jsonrpc": "2.0", "method": "notifications/initialized"})
    service.call("post", "/mcp", 400, "support", [call])
    service.call("post", "/mcp", 400, "support", "{")
    service.call("post", "/mcp", 413, "support", {**call, "id": "x" * 70_000})
    service.call("post", "/mcp", 415, "support", "call", {"Content-Type": "text/plain"})
    service.call("post", "/mcp", 403, "support", call, {"Origin": "https://example.com"})
    service.call("post", "/mcp", 403, "service", call)
    service.call("post", "/mcp", 401, None, call)


def doctor(service):
    service.call("get", "/v1/doctor?limit=1", 200, "finance")
    service.call("get", "/v1/doctor?limit=0", 400, "finance")
    service.call("get", "/v1/doctor", 403, "support")


def strictness(service):
    """A parameter that an operation does not describe is refused, before its token is asked for."""
    for path, methods in service.document.root["paths"].items():
        for method, operation in methods.items():
            if not operation.get("x-ignores-unknown"):
                service.call(method, re.sub(r"\{\w+\}", "7", path) + "?zzz=1", 400)


def main():
    service = Service()
    credited = shop(service)
    acts(service, credited)
    people(service)
    reading(service, "user", "/v1/me", credited["purchase"]["id"])
    reading(service, "service", f"/v1/users/{credited['balance']['user']}", credited["purchase"]["id"])
    refunds(service, credited)
    support(service, credited)
    finance(service)
    stores(service)
    findings(service)
    take_back(service)
    disputes(service)
    figures(service, credited)
    closing(service)
    reconciliation(service)
    settlement(service, credited)
    debts(service)
    providers(service)
    seals(service)
    existing_apps(service)
    webhooks(service)
    endpoints(service)
    events(service)
    operation(service)
    tools(service)
    doctor(service)
    strictness(service)
    for method, path in sorted(service.document.operations()):
        if not any(status < 300 for status in service.seen.get((method, path), ())):
            service.failures.append(f"{method.upper()} {path} was never answered with success")
    for failure in service.failures:
        print(failure)
    answers = sum(len(statuses) for statuses in service.seen.values())
    print(f"{answers} kinds of answers to {len(service.seen)} operations, {len(service.failures)} failures")
    return 1 if service.failures else 0


if __name__ == "__main__":
    sys.exit(main())
