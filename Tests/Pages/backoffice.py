"""Works in the console's pages for finance, with forms and links only: findings, settlement files, runs, products."""

import datetime
import json
import os
import secrets
import tempfile
import time
import urllib.request

from pages import until

PAGES = [
    ("findings", "/console/findings"), ("finding", "/console/findings/1"), ("refunds", "/console/refunds"),
    ("receipts", "/console/receipts"), ("finance", "/console/finance"), ("year", "/console/finance?days=365"),
    ("account", "/console/accounts?account=coins:issued"), ("reports", "/console/reports"),
    ("ledger", "/console/ledger"), ("closing", "/console/closing"), ("reconciliations", "/console/reconciliations"),
    ("reconciliation", "/console/reconciliations/1"), ("settlements", "/console/settlements"),
    ("settlement", "/console/settlements/1"),
    ("live", "/console/live?refresh=no"), ("products", "/console/products"),
]


def works(console, sandbox, checks):
    claim(console, sandbox, checks)
    settle(console, checks)
    reconcile(console, checks)
    follow_an_account(console, checks)
    sell(console, checks)
    console.sign_in("support-1")
    for path in ("/console/finance", "/console/settlements", "/console/reconciliations", "/console/accounts?account=bank"):
        console.open(path)
        checks.check("Not allowed" in console.text, f"support at {path}")
    console.open("/console/live")
    checks.check("Payments a minute" in console.text, "support looks at what happens now")


def pay(sandbox, name):
    """A payment that no receipt presents; its webhook leaves a finding."""
    request = urllib.request.Request(
        sandbox + "/sandbox/payments", json.dumps({"merchant_uid": name, "amount": 1000}).encode(),
        {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60):
        pass


def claim(console, sandbox, checks):
    """A payment that nobody presented is credited to the customer that finance names."""
    name = f"unclaimed-{secrets.token_hex(4)}"
    pay(sandbox, name)
    console.sign_in("finance-1")
    deadline = time.monotonic() + 30
    while name not in console.text and time.monotonic() < deadline:
        console.open("/console/findings?kind=paid_unclaimed")
        time.sleep(0.2)
    console.click(f"//tr[td[contains(., '{name}')]]/th/a", "xpath")
    path = console.path
    console.click("form[action$='/take'] button")
    checks.check("It is recorded who works on it" in console.text and "Fin Cho" in console.text, "a finding is taken")
    field = console.one("#note")
    field.send_keys("<script>alert(1)</script> called")
    console.click("form[action$='/note'] button")
    checks.check("<script>alert(1)</script> called" in console.text, "a note is text")
    console.one("#user").send_keys("console-claimer")
    console.one("#claim-reason").send_keys("her card")
    console.click("form[action$='/claim'] button")
    checks.check("Nothing is known of this customer" in console.text, "a customer without any record is asked about")
    console.click("form[action$='/claim'] button")
    checks.check("The payment is credited" in console.text and "resolved" in console.text, "a finding is claimed")
    console.open("/console/customers/console-claimer")
    checks.check(name in console.text, "the customer has the purchase")
    console.sign_in("support-1")
    console.open(path)
    decides = console.all("form[action$='/resolve']")
    checks.check(console.all("form[action$='/note']") and not decides, "support works on findings, and resolves none")


def settle(console, checks):
    """A settlement file is previewed, and booked only then."""
    console.sign_in("finance-1")
    day = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=9)).date().isoformat()
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False, encoding="utf-8") as file:
        file.write(f"주문번호,거래금액,수수료,부가세,정산금액,정산일\nmissing-{secrets.token_hex(4)},1000,30,3,967,{day}\n")
    console.open("/console/settlements")
    console.one("#file").send_keys(file.name)
    console.click("form[action$='/preview'] button")
    checks.check("nothing is booked yet" in console.text and "₩967" in console.text, f"a preview: {console.text}")
    console.open("/console/settlements")
    checks.check(os.path.basename(file.name) not in console.text, "a preview books nothing")
    console.one("#file").send_keys(file.name)
    console.click("form[action$='/preview'] button")
    console.click("form[action$='/book'] button")
    checks.check("The file is booked" in console.text and "without a payment" in console.text, "a file is booked")
    os.unlink(file.name)


def reconcile(console, checks):
    """A day is compared, by kind and side by side."""
    today = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=9)
    console.open("/console/reconciliations")
    for name, day in (("from", today), ("last", today)):
        console.one("#" + name).send_keys(day.strftime("%m%d%Y"))
    console.click("form[action='/console/reconciliations'] button")
    checks.check("The comparison has begun" in console.text, "a comparison")
    path = console.path.partition("?")[0]

    def is_completed():
        console.open(path)
        return "completed" in console.text

    until(is_completed)
    checks.check("completed" in console.text and "equal" in console.text, "a comparison ends")


def follow_an_account(console, checks):
    """From the balances to the postings of an account, and to an entry."""
    console.open("/console/finance")
    checks.check("Liability for unused coins" in console.text, "the charts")
    console.open("/console/accounts?account=gateway:receivable")
    console.click("tbody th a")
    checks.check("coins:deferred-revenue" in console.text or "bank" in console.text, "an entry")


def sell(console, checks):
    """The administrator puts a product on sale and ends it; finance only reads."""
    console.open("/console/products")
    checks.check(not console.all("#code"), "finance sells nothing")
    console.sign_in("administrator-1")
    console.open("/console/products")
    code = f"try_{secrets.token_hex(4)}"
    for name, value in {"code": code, "title": "Try <b>it</b>", "price": "77777", "coins": "7777"}.items():
        console.one("#" + name).send_keys(value)
    console.click("form[action$='/add'] button")
    checks.check("The product is on sale" in console.text and "Try <b>it</b>" in console.text, "a product")
    console.browser.find_element("xpath", f"//summary[contains(., '{code}')]").click()
    console.click(f"//input[@value='{code}']/../button[contains(., 'End')]", "xpath")
    checks.check("The sale has ended" in console.text and code not in console.text, "a sale ends")
    plan(console, checks)


def plan(console, checks):
    """A sale is planned for the day after tomorrow and withdrawn; another stays, for the looks at the page."""
    day = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(days=2)
    for price in ("88888", "88889"):
        code = f"plan_{price}_{secrets.token_hex(4)}"
        for name, value in {"code": code, "title": "Soon", "price": price, "coins": "8888"}.items():
            console.one("#" + name).send_keys(value)
        console.one("#from").send_keys(day.strftime("%m%d%Y\t0900AM"))
        console.click("form[action$='/add'] button")
        checks.check("The sale is planned" in console.text and code in console.text, "a sale is planned")
        if price == "88888":
            console.click(f"//input[@value='{code}']/../button[contains(., 'Withdraw')]", "xpath")
            checks.check("withdrawn" in console.text and code not in console.text, "a planned sale is withdrawn")
