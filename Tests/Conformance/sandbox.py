"""Calls to a stand-in gateway, and the counting of checks."""

import http.server
import json
import queue
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

V1_KEYS = {"imp_key": "sandbox-key", "imp_secret": "sandbox-secret"}
V2_SECRET = "sandbox-v2-secret"
WEBHOOK_SECRET = "whsec_c2FuZGJveC12Mi13ZWJob29rLXNlY3JldA=="


class Checks:
    """Counts what passed and what failed."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    def expect(self, name, holds, detail=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED {name}: {detail}")

    def attempt(self, name, act):
        """Carries a check out; whatever it throws is a failure."""
        try:
            self.expect(name, act() is not False, "it isn't so")
        except Exception as error:  # noqa: BLE001: a library may throw anything
            self.expect(name, False, repr(error))


class Sandbox:
    """A stand-in gateway at a URL."""

    def __init__(self, url):
        self.url = url.rstrip("/")
        self.run = str(time.time_ns())
        self.made = 0

    def send(self, method, path, body=None, authorization=None, headers=None):
        """Sends a request; answers status and JSON."""
        request = urllib.request.Request(self.url + path, method=method, headers=headers or {})
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        if authorization:
            request.add_header("Authorization", authorization)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as answer:
            return answer.code, json.loads(answer.read())

    def v1(self, method, path, body=None):
        _, token = self.send("POST", "/users/getToken", V1_KEYS)
        return self.send(method, path, body, token["response"]["access_token"])

    def v2(self, method, path, body=None, headers=None):
        return self.send(method, path, body, "PortOne " + V2_SECRET, headers)

    def order(self):
        """The name of an order that wasn't used before."""
        self.made += 1
        return f"c-{self.run}-{self.made}"

    def pay(self, **members):
        """Makes a payment of V1 by hand."""
        return self.make(merchant_uid=self.order(), **members)

    def pay_v2(self, **members):
        """Makes a payment of V2 by hand."""
        return self.make(payment_id=self.order(), **members)

    def make(self, **members):
        members.setdefault("amount", 1000)
        status, payment = self.send("POST", "/sandbox/payments", members)
        assert status == 201, payment
        return payment


def quoted(text):
    return urllib.parse.quote(text, safe="")


class Receiver:
    """A shop's server that remembers the webhooks it was sent."""

    def __enter__(self):
        told = self.told = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                told.put((dict((name.lower(), value) for name, value in self.headers.items()), body))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
