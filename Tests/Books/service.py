"""A running service over HTTP, as other services, apps and finance call it."""

import base64
import datetime
import hashlib
import hmac
import http.client
import json
import os
import threading
import time
import urllib.parse


def token(subject, scope):
    """A JWT that the service accepts."""
    def part(value):
        return base64.urlsafe_b64encode(value).rstrip(b"=")
    claims = {"sub": subject, "scope": scope, "exp": int(time.time()) + 365 * 86_400}
    signed = b".".join(part(json.dumps(value).encode()) for value in ({"alg": "HS256", "typ": "JWT"}, claims))
    code = hmac.new(os.environ["JWT_SECRET"].encode(), signed, hashlib.sha256).digest()
    return (signed + b"." + part(code)).decode()


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        kind = (headers.get("Content-Type") or "").partition(";")[0]
        self.json = json.loads(body) if body and kind in ("application/json", "application/problem+json") else None

    def __str__(self):
        return f"{self.status} {self.body[:500].decode(errors='replace')}"


class Caller:
    """Sends requests to one address over connections that stay open, one for each thread."""

    def __init__(self, url):
        self.host = urllib.parse.urlsplit(url).netloc
        self.local = threading.local()

    def send(self, method, path, body=None, headers=None):
        headers = {"Content-Type": "application/json", **(headers or {})}
        data = body if isinstance(body, (str, bytes, type(None))) else json.dumps(body)
        for attempt in range(2):
            connection = getattr(self.local, "connection", None)
            if connection is None:
                connection = self.local.connection = http.client.HTTPConnection(self.host, timeout=60)
            try:
                connection.request(method, path, data, headers)
                response = connection.getresponse()
                return Answer(response.status, response.headers, response.read())
            except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
                # The connection was idle for too long. Every act has a key, so that sending it again is safe.
                connection.close()
                self.local.connection = None
                if attempt:
                    raise

    def date(self):
        return self.send("GET", self.ALIVE).headers["Date"]


class Service(Caller):
    ALIVE = "/health/live"

    def __init__(self):
        super().__init__(os.environ["LEDGERD_URL"])
        self.tokens = {
            "service": token("books-service", "service refunds:approve"), "finance": token("books-finance", "finance"),
            "events": token("books-events", "events")}
        # Another person than the one who proposes.
        self.tokens["approver"] = token("books-approver", "finance")

    def as_scope(self, scope):
        return {"Authorization": "Bearer " + self.tokens[scope]}

    def act(self, path, body, key, scope="service"):
        return self.send("POST", path, body, {**self.as_scope(scope), "Idempotency-Key": key})

    def get(self, path, scope="service"):
        return self.send("GET", path, headers=self.as_scope(scope))

    def pages(self, path, name, scope="service"):
        """All items of a list."""
        cursor = ""
        while True:
            answer = self.get(path + ("&" if "?" in path else "?") + "limit=100" + cursor, scope)
            assert answer.status == 200, (path, answer)
            yield from answer.json[name]
            if not answer.json["has_more"]:
                return
            cursor = "&cursor=" + answer.json["next_cursor"]

    def events(self, user):
        """All events of a user."""
        place, has_more = 0, True
        while has_more:
            answer = self.get(f"/v1/events?user={user}&after={place}&limit=1000", "events")
            assert answer.status == 200, (user, answer)
            yield from answer.json["events"]
            place, has_more = answer.json["next"], answer.json["has_more"]

    def present(self, user, payment, version):
        names = ("payment_id",) if version == "V2" else ("imp_uid", "merchant_uid")
        receipt = {name: payment[name] for name in names}
        return self.send("POST", "/v1/receipts", receipt, {"Authorization": "Bearer " + token(user, "user")})

    def present_of_store(self, user, receipt):
        """The receipt of a purchase in a store, as the app has it."""
        return self.send("POST", "/v1/receipts", receipt, {"Authorization": "Bearer " + token(user, "user")})

    def import_settlement(self, query, file):
        """Finance imports what a gateway or a store says that it pays out."""
        answer = self.send(
            "POST", "/v1/settlements?" + query, file, {**self.as_scope("finance"), "Content-Type": "text/csv"})
        assert answer.status in (200, 201), answer
        return answer.json

    def store_account(self, user):
        """What names the user in purchases."""
        answer = self.send(
            "GET", "/v1/me/store-account", headers={"Authorization": "Bearer " + token(user, "user")})
        assert answer.status == 200, answer
        return answer.json["app_account_token"]


class Gateway(Caller):
    """The stand-in gateway."""

    ALIVE = "/sandbox/clock"

    def __init__(self):
        super().__init__(os.environ["SANDBOX_URL"])

    def pay(self, name, amount, **members):
        members = {member: value for member, value in members.items() if value is not None}
        answer = self.send("POST", "/sandbox/payments", {"merchant_uid": name, "amount": amount, **members})
        assert answer.status == 201, answer
        return answer.json

    def find(self, name):
        answer = self.send("GET", "/sandbox/payments/" + name)
        assert answer.status == 200, answer
        return answer.json

    def change(self, payment, **changes):
        """Changes a payment in the gateway's console, which sends a webhook; the payment as it is then."""
        answer = self.send("PATCH", "/sandbox/payments/" + payment["payment_id"], changes)
        assert answer.status == 200, answer
        return answer.json

    def cancel(self, payment, amount, tax_free):
        self.change(payment, status="cancelled", cancel_amount=amount, tax_free=tax_free, reason="console")

    def was_asked(self, payment, since):
        """Whether it has reported the payment since a moment."""
        paths = ["/payments/" + payment[name] for name in ("payment_id", "imp_uid")]
        return any(
            request["status"] and datetime.datetime.fromisoformat(request["at"]).timestamp() >= since
            for path in paths for request in self.send("GET", "/sandbox/journal?path=" + path).json["requests"]
            if request["path"] == path)

    def report(self, payment):
        """Sends a new webhook with the content of the payment's last one."""
        last = self.send("GET", "/sandbox/webhooks?payment=" + payment["payment_id"]).json["deliveries"][-1]
        answer = self.send("POST", "/sandbox/webhooks", {"api": last["api"], "body": json.loads(last["body"])})
        assert answer.status < 300, answer
