"""Checks the console in Chromium: sign-in as each role, a refund with a second person, everything with scripts off, and
axe-core, scrolling and focus on each page, in both languages and both schemes."""

import argparse
import contextlib
import json
import os
import pathlib
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

import backoffice
import endpoints
import letters
import money
import reading
from pages import AXE, PATIENCE, VIEWS, chromium, faults, set_up

USER = "demo-user"
PEOPLE = {"viewer-1": "Vera Im", "support-1": "Suho Park", "finance-1": "Fin Cho", "administrator-1": "Ada Yun"}


class Checks:
    def __init__(self):
        self.passed = self.failed = 0

    def check(self, holds, what):
        self.passed, self.failed = self.passed + bool(holds), self.failed + (not holds)
        if not holds:
            print(f"✘ console: {what}")

    def attempt(self, part, *arguments):
        """Does a part. One that ends early, because the page has not what it should have, is a failed check."""
        try:
            return part(*arguments)
        except WebDriverException as missing:
            self.check(False, f"{part.__module__}.{part.__name__} ended early: {missing.msg}")
            return None


def send(url, token, body, key=None):
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    if key:
        headers["Idempotency-Key"] = key
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def make_history(ledgerd, sandbox):
    """A customer with purchases and a receipt that waits. Returns the beginning of their names."""
    name = f"console-{secrets.token_hex(4)}"
    for number, (status, amount) in enumerate([("paid", 5000), ("paid", 1000), ("ready", 5000)]):
        payment = send(sandbox + "/sandbox/payments", "", {
            "merchant_uid": f"{name}-{number}", "amount": amount, "status": status})
        send(ledgerd + "/v1/receipts", os.environ["USER_TOKEN"], {
            "imp_uid": payment["imp_uid"], "merchant_uid": payment["merchant_uid"]})
    return name


def hold_coins(ledgerd, name):
    """Holds coins, and returns the hold's id."""
    hold = send(f"{ledgerd}/v1/users/{USER}/holds", os.environ["SERVICE_TOKEN"],
                {"coins": 7, "reference": "<b>game</b>"}, name)
    return hold["hold"]["id"]


def is_gone(element):
    """Whether the page of an element was left; the driver has several errors for that."""
    try:
        element.is_enabled()
        return False
    except WebDriverException:
        return True


class Console:
    """The console in a browser."""

    def __init__(self, browser, url):
        self.browser, self.url = browser, url

    def open(self, path):
        self.browser.get(self.url + path)

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        """Those on the page now, which may be none."""
        self.browser.implicitly_wait(0)
        try:
            return self.browser.find_elements(By.CSS_SELECTOR, selector)
        finally:
            self.browser.implicitly_wait(PATIENCE)

    def unfold(self, form):
        """Opens the box that a form may be in."""
        self.one(form)
        for summary in self.all(f"details:has(> {form}) > summary"):
            summary.click()

    def click(self, selector, by=By.CSS_SELECTOR):
        """Follows a link or sends a form, and waits for the next page."""
        page = self.one("html")
        self.browser.find_element(by, selector).click()
        self.wait_for_next(page)

    def wait_for_next(self, page):
        """Waits until the page of an element was left."""
        WebDriverWait(self.browser, 30, poll_frequency=0.02).until(lambda _: is_gone(page))

    @property
    def text(self):
        return self.one("body").text

    @property
    def path(self):
        return self.browser.current_url.removeprefix(self.url)

    def sign_in(self, person):
        self.browser.delete_all_cookies()
        self.open("/console")
        self.click("main a.button")
        self.click(f"button[value={person}]")

    def fill(self, **fields):
        for name, value in fields.items():
            field = self.one(f"[name={name}]:not([type=hidden])")
            field.clear()
            field.send_keys(value)


def sign_in_as_each(console, checks):
    """Each role sees what it may use, and is refused the rest by the server too."""
    few = ["Home", "Live", "Search", "Waiting receipts", "Pending refunds", "Campaigns", "Findings", "Approvals", "Products",
           "About"]
    engineers = ["Endpoints", "Events"]
    many = [*few, "Disputes", "Unmatched settlement lines", "Finance", "Reports", "Ledger", "Reconciliation", "Settlement",
            "Transfers", "Providers", "Payouts", "Month-end", "Closing", "Audit"]
    links = {"viewer-1": [*few, *engineers], "support-1": few, "finance-1": many,
             "administrator-1": [*many, *engineers]}
    # A wide window, where the navigation is not in the drawer.
    set_up(console.browser, 1280, "light")
    for person, name in PEOPLE.items():
        console.sign_in(person)
        checks.check(name in console.one("summary").text, f"{person} is signed in")
        shown = [link.text for link in console.all("nav.side a > span:first-child")]
        checks.check(sorted(shown) == sorted(links[person]), f"{person} is shown {shown}")
        console.open("/console/audit")
        checks.check(("Not allowed" in console.text) == ("Audit" not in links[person]), f"{person} at the audit")
        console.open(f"/console/customers/{USER}/grant")
        checks.check(("Not allowed" in console.text) == (person == "viewer-1"), f"{person} at a grant")
        console.open(f"/console/customers/{USER}/write-off")
        checks.check(("Not allowed" in console.text) == (person in ("viewer-1", "support-1")), f"{person} at a write-off")
    console.one("summary").click()
    console.click("form[action='/console/sign-out'] button")
    checks.check("You are signed out" in console.text, "signing out")
    console.open("/console/audit")
    checks.check("sign-in" in console.path, "a page after signing out")


def drawer_without_scripts(console, checks):
    """In a narrow window the navigation is a drawer, which opens by keyboard alone and without scripts."""
    console.sign_in("finance-1")
    set_up(console.browser, 390, "light")
    link = console.one("nav.side a[href='/console/findings']")
    checks.check(not link.is_displayed(), "the drawer is closed at first")
    console.one("#drawer").send_keys(" ")
    checks.check(link.is_displayed(), "the drawer opens by the space bar")
    console.click("nav.side a[href='/console/findings']")
    checks.check(console.path == "/console/findings", "a link in the drawer")
    checks.check(not console.one("nav.side a[href='/console/findings']").is_displayed(), "the drawer is closed again")
    console.open("/console")
    console.one("body").send_keys("\ue004")
    focused = console.browser.switch_to.active_element
    checks.check(focused.get_attribute("class") == "skip" and focused.is_displayed(), "Tab leads to the skip link first")
    focused.send_keys("\ue007")
    checks.check(console.browser.switch_to.active_element.get_attribute("id") == "content", "the skip link works")
    checks.check("[Sandbox]" in console.browser.title and console.one(".band").is_displayed(), "the band of the sandbox")
    set_up(console.browser, 1280, "light")


def refund_with_two(console, name, checks):
    """A refund above the limit: proposed by one person, approved by another. Returns the proposal's path."""
    console.sign_in("support-1")
    console.fill(q=f"{name}-0")
    console.click(".find button")
    checks.check(console.path.startswith(f"/console/customers/{USER}"), "a merchant_uid leads to its customer")
    number = console.path.rsplit("-", 1)[1]
    console.click(f"tr[id='purchase-{number}'] a.button")
    checks.check("another person has to approve it" in console.text, "the limit is shown before")
    console.fill(reason="asked <b>twice</b>")
    console.click("form.act button.first")
    checks.check("Another person has to approve it now" in console.text, "the refund is proposed")
    console.sign_in("finance-1")
    console.click("nav.side a[href='/console/approvals']")
    console.click("tbody tr:last-child th a")
    checks.check("asked <b>twice</b>" in console.text, "the reason is text")
    proposal = console.path
    console.click("form.act button.first")
    checks.check("It is approved and carried out" in console.text, "the refund is approved")
    console.open(f"/console/customers/{USER}")
    refunded = console.one(f"tr[id='purchase-{number}']").text
    checks.check("refunded" in refunded and "−₩5,000" in refunded, f"the refund is shown: {refunded}")
    return proposal


def small_acts(console, hold, checks):
    console.open(f"/console/customers/{USER}")
    console.fill(text="called twice")
    console.click("form[action$='/notes'] button")
    checks.check("The note is added" in console.text and "called twice" in console.text, "a note")
    console.click("tr[id^='receipt-'] form[action$='/look-up'] button")
    checks.check("The payment is not paid yet" in console.text, "a look-up")
    console.open(f"/console/customers/{USER}/void/{hold}")
    console.fill(reason="cancelled")
    console.click("form.act button.first")
    checks.check("The hold is released" in console.text, "a hold")
    void_a_grant(console, checks)


def void_a_grant(console, checks):
    """A gift by mistake is looked at from the customer's page, and a part of it is voided."""
    console.open(f"/console/customers/{USER}/grant")
    console.fill(coins="20", reason="a gift")
    console.click("form.act button.first")
    console.click("a[href*='/void-grant/']")
    console.fill(coins="5")
    console.click("form.line button")
    checks.check("Only these" in console.text, "the preview of a part")
    console.fill(reason="given twice")
    console.click("form.act button.first")
    checks.check("The coins are voided" in console.text, "a void of a grant")


def pages(name, hold, proposal):
    """Name and path of each page of a person, for axe-core."""
    customer = f"/console/customers/{USER}"
    yield "home", "/console"
    yield "search", "/console/search"
    yield "search-empty", "/console/search?q=nobody"
    yield "search-amount", "/console/search?q=5,000"
    yield "about", "/console/about"
    yield "customer", customer
    yield "customer-unknown", "/console/customers/nobody"
    yield "grant", customer + "/grant"
    yield "write-off", customer + "/write-off"
    yield "merge", customer + "/merge?into=nobody"
    yield "void", f"{customer}/void/{hold}"
    yield "approvals", "/console/approvals"
    yield "approval", proposal
    yield "audit", "/console/audit"
    yield from backoffice.PAGES
    yield from money.PAGES
    yield from endpoints.PAGES
    yield "not-found", "/console/nothing"


def look_at_pages(console, name, hold, proposal, folder, checks):
    browser = console.browser
    console.open(f"/console/search?q={name}-1")
    refund = console.one(f"tr[id='purchase-{console.path.rsplit('-', 1)[1]}'] a.button").get_attribute("href")
    refund = refund.removeprefix(console.url)
    void_grant = console.one("a[href*='/void-grant/']").get_attribute("href").removeprefix(console.url)
    listed = [
        *pages(name, hold, proposal), ("refund", refund), ("take-back", refund.replace("/refund/", "/take-back/")),
        ("void-grant", void_grant)]
    for language in ("en", "ko"):
        console.open(f"/console/language/{language}")
        for page, path in listed:
            console.open(path)
            look_at(browser, f"console-{page}-{language}", folder, checks)
    browser.delete_cookie("__Host-ledgerd_console")
    for language in ("en", "ko"):
        console.open(f"/console/language/{language}")
        console.open("/console")
        look_at(browser, f"console-sign-in-{language}", folder, checks)


# The two languages differ in their texts only.
LANGUAGE_VIEWS = {"en": VIEWS, "ko": [(390, "dark"), (1280, "light")]}


def look_at(browser, name, folder, checks):
    browser.execute_script(AXE)
    for width, scheme in LANGUAGE_VIEWS[name[-2:]]:
        set_up(browser, width, scheme)
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            browser.save_screenshot(str(folder / f"{name}-{width}-{scheme}.png"))
        found = [*faults(browser, scheme), *reading.faults(browser, width < 600)]
        checks.check(not found, f"{name}, {width} px, {scheme}: " + "; ".join(found))


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def other_provider():
    """A second ledgerd, whose console has another provider than our own one: oidc-provider-mock."""
    provider, port, admin = free_port(), free_port(), free_port()
    claims = {"sub": "mock-1", "name": "Mo Kim", "groups": {"ledgerd": ["guest", "money"]}}
    mock = subprocess.Popen(
        [pathlib.Path(sys.executable).parent / "oidc-provider-mock", "--port", str(provider),
         "--user-claims", json.dumps(claims)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kept = {name: value for name, value in os.environ.items()
            if name.startswith("LEDGERD_") and name not in ("LEDGERD_BINARY", "LEDGERD_URL")}
    service = subprocess.Popen(
        [os.environ["LEDGERD_BINARY"], "serve"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={
            **kept, "LEDGERD_LISTEN": f"127.0.0.1:{port}", "LEDGERD_ADMIN_LISTEN": f"127.0.0.1:{admin}",
            "LEDGERD_CONSOLE_URL": f"http://localhost:{admin}", "LEDGERD_CONSOLE_ISSUER": f"http://127.0.0.1:{provider}",
            "LEDGERD_CONSOLE_CLIENT_ID": "any", "LEDGERD_CONSOLE_CLIENT_SECRET": "any",
            "LEDGERD_CONSOLE_ROLE_CLAIM": "groups.ledgerd", "LEDGERD_CONSOLE_FINANCE": "money"})
    try:
        for address in (f"http://127.0.0.1:{admin}/health/ready", f"http://127.0.0.1:{provider}/"):
            wait_for(address)
        yield f"http://localhost:{admin}"
    finally:
        for process in (service, mock):
            process.terminate()
            process.wait(30)


def wait_for(address):
    deadline = time.monotonic() + 30
    while True:
        try:
            urllib.request.urlopen(address, timeout=5).close()
            return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def sign_in_elsewhere(browser, checks):
    with other_provider() as url:
        console = Console(browser, url)
        console.open("/console")
        console.click("main a.button")
        console.click("button[value='mock-1']")
        checks.check("Mo Kim, finance" in console.one("summary").text, "oidc-provider-mock")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for pictures of the pages")
    folder = parser.parse_args().screenshots
    checks = Checks()
    ledgerd, url = os.environ["LEDGERD_URL"], os.environ["LEDGERD_CONSOLE_URL"]
    name = make_history(ledgerd, os.environ["SANDBOX_URL"])
    with chromium(scripts=False) as browser:
        console = Console(browser, url)
        checks.attempt(sign_in_as_each, console, checks)
        checks.attempt(drawer_without_scripts, console, checks)
        proposal = checks.attempt(refund_with_two, console, name, checks) or "/console/approvals/1"
        # Only now, because bonus coins that are held are missing in a refund.
        hold = hold_coins(ledgerd, name)
        checks.attempt(small_acts, console, hold, checks)
        checks.attempt(backoffice.works, console, os.environ["SANDBOX_URL"], checks)
        checks.attempt(money.works, console, send, checks)
        checks.attempt(endpoints.works, console, send, checks)
    with chromium() as browser:
        console = Console(browser, url)
        console.sign_in("administrator-1")
        checks.attempt(look_at_pages, console, name, hold, proposal, folder, checks)
        letters.answer_all(console, send, checks, folder)
        checks.attempt(sign_in_elsewhere, browser, checks)
    print(f"{checks.passed} passed, {checks.failed} failed")
    return checks.failed > 0


if __name__ == "__main__":
    sys.exit(main())
