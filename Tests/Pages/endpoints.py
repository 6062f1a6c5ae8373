"""Works in the console's pages of endpoints and events, with forms and links only."""

import http.server
import os
import secrets
import threading

from pages import until

PAGES = [
    ("endpoints", "/console/endpoints"), ("endpoint", "/console/endpoints/1"),
    ("endpoint-failed", "/console/endpoints/1?failed=yes"), ("events", "/console/events"),
    ("events-empty", "/console/events?user=nobody-at-all"), ("event", "/console/events/1"),
]

EVIL = "<script>alert(1)</script>"


class Receiver(http.server.BaseHTTPRequestHandler):
    """Answers webhooks: with an error first, then as it should."""

    status = 500

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        body = EVIL.encode()
        self.send_response(self.status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def press(console, act, reason="on request"):
    """Sends the form of an act; opens the box that it is in."""
    form = f"form[action$='/{act}']"
    console.unfold(form)
    if reason:
        console.one(f"{form} [name=reason]").send_keys(reason)
    console.click(f"{form} button")


def works(console, send, checks):
    """`send` posts JSON to ledgerd as a service."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        work(console, f"http://127.0.0.1:{server.server_port}/hooks", send, checks)
    finally:
        server.shutdown()


def work(console, url, send, checks):
    console.sign_in("finance-1")
    console.open("/console/endpoints")
    checks.check(not console.all("#url"), "finance adds no endpoint")
    console.sign_in("administrator-1")
    console.open("/console/endpoints")
    for name, value in {"url": url, "description": EVIL, "reason": "a new game"}.items():
        console.one("#" + name).send_keys(value)
    console.one("[name='type:coins.granted']").click()
    console.click("form[action='/console/endpoints'] button")
    checks.check("Copy the secret now" in console.text and "whsec_" in console.text, "an endpoint")
    console.click("main p a")
    path = console.path
    checks.check("whsec_" not in console.text and EVIL in console.text, "the page has no secret, and text is text")
    press(console, "test", reason=None)
    checks.check("refused, HTTP 500" in console.text and EVIL in console.text, "a test that fails")
    user = f"hooked-{secrets.token_hex(4)}"
    send(os.environ["LEDGERD_URL"] + f"/v1/users/{user}/grants", os.environ["SERVICE_TOKEN"],
         {"coins": 1, "reason": "test"}, user)
    wait(console, path + "?failed=yes", "refused")
    checks.check("500" in console.one("tbody").text, "a failed attempt")
    Receiver.status = 204
    console.click("tbody tr a[href*='from=']")
    checks.check(console.one("#from").get_attribute("value") != "", "the event is filled in")
    press(console, "replay")
    checks.check("The events are being sent again" in console.text, "events are sent again")
    wait(console, path, "delivered")
    for act, word in {"disable": "disabled", "enable": "enabled"}.items():
        press(console, act)
        checks.check(f"The endpoint is {word}" in console.text, f"an endpoint is {word}")
    press(console, "rotate-secret")
    checks.check("The former secret is valid until" in console.text, "a new secret")
    console.open(f"/console/events?user={user}")
    console.click("tbody th a")
    checks.check("coins.granted" in console.text and f'"user" : "{user}"' in console.text, "an event")


def wait(console, path, text):
    def is_shown():
        console.open(path)
        return text in "".join(table.text for table in console.all("tbody"))

    until(is_shown)
