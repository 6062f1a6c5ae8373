"""Works in the console's pages of money that leaves the company and of month-ends, with forms and links only."""

import datetime
import json
import os
import secrets
import urllib.request

PROVIDER = "page-designer"
PAGES = [
    ("transfers", "/console/transfers"), ("transfers-paid", "/console/transfers?status=completed"),
    ("providers", "/console/providers"), ("provider", f"/console/providers/{PROVIDER}"),
    ("payouts", "/console/payouts"), ("payout", "/console/payouts/1"), ("disputes", "/console/disputes"),
    ("campaigns", "/console/campaigns"), ("campaign", "/console/campaigns/1"),
    ("adjustments", "/console/adjustments"),
    ("adjustment-preview", "/console/adjustments/preview?subject=breakage&month=2020-01"),
]


def works(console, send, checks):
    """`send` posts JSON to ledgerd or to the sandbox."""
    user = f"money-{secrets.token_hex(4)}"
    purchase = buy(send, user)
    earn(send, user)
    transfer(console, send, purchase, checks)
    pay_out(console, checks)
    give_out(console, send, user, checks)
    adjust(console, checks)


def give_out(console, send, name, checks):
    """A campaign above the limit of one person is approved, and voided."""
    url, service = os.environ["LEDGERD_URL"], os.environ["SERVICE_TOKEN"]
    made = send(f"{url}/v1/campaigns", service, {
        "name": f"<b>{name}</b>", "coins": 10, "budget": 100_000, "reason": "<i>spring</i>", "note": "Spring is here!"})
    path = f"/console/campaigns/{made['id']}"
    console.sign_in("finance-1")
    console.open(path)
    checks.check("waits for approval" in console.text and f"<b>{name}</b>" in console.text, "a campaign that waits")
    console.click(f"form[action='{path}/approve'] button")
    checks.check("The campaign is approved" in console.text, f"a campaign is approved: {console.text}")
    console.unfold(f"form[action='{path}/void']")
    console.one(f"form[action='{path}/void'] [name=reason]").send_keys("a test")
    console.click(f"form[action='{path}/void'] button")
    checks.check("is being voided" in console.text, f"a campaign is voided: {console.text}")


def buy(send, user):
    """Coins for the customer. Returns the purchase's id."""
    payment = send(os.environ["SANDBOX_URL"] + "/sandbox/payments", "", {"merchant_uid": f"{user}-0", "amount": 5000})
    url, token = os.environ["LEDGERD_URL"], os.environ["USER_TOKEN"]
    credited = send(url + "/v1/receipts", token, {
        "imp_uid": payment["imp_uid"], "merchant_uid": payment["merchant_uid"]})
    return credited["purchase"]["id"]


def earn(send, user):
    """A provider with terms earns won by a capture."""
    url, service = os.environ["LEDGERD_URL"], os.environ["SERVICE_TOKEN"]
    request = urllib.request.Request(
        f"{url}/v1/providers/{PROVIDER}", json.dumps({"share_basis_points": 8000, "role": "agent"}).encode(),
        {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ['FINANCE_TOKEN']}"}, method="PUT")
    with urllib.request.urlopen(request, timeout=60):
        pass
    # More than the bonus coins, which have no won.
    hold = send(f"{url}/v1/users/demo-user/holds", service, {"coins": 100}, f"{user}-hold")["hold"]["id"]
    send(f"{url}/v1/holds/{hold}/capture", service, {"provider": PROVIDER}, f"{user}-capture")


def fill_payment(console, form):
    """The day and the bank's reference of a form, in the box that it may be in."""
    console.unfold(form)
    today = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=9)
    console.one(f"{form} [name=paid_at]").send_keys(today.strftime("%m%d%Y"))
    console.one(f"{form} [name=bank_reference]").send_keys("KB <b>42</b>")


def transfer(console, send, purchase, checks):
    """An approved refund is marked as paid."""
    refund = send(f"{os.environ['LEDGERD_URL']}/v1/purchases/{purchase}/refunds", os.environ["SERVICE_TOKEN"], {
        "coins": 10, "method": "bank_transfer", "reason": "<b>card closed</b>"}, f"transfer-{purchase}")["refund"]["id"]
    console.sign_in("finance-1")
    console.open("/console/transfers")
    checks.check("<b>card closed</b>" in console.text, "a transfer that waits")
    form = f"form[action='/console/transfers/{refund}/pay']"
    fill_payment(console, form)
    console.click(f"{form} button")
    checks.check("The transfer is booked" in console.text, f"a transfer is booked: {console.text}")
    console.open("/console/transfers?status=completed")
    checks.check("KB <b>42</b>" in console.text, "a transfer that was paid")


def pay_out(console, checks):
    """A payout is proposed, approved by another person, and marked as paid."""
    console.open("/console/payouts")
    console.one("#note").send_keys("<i>pages</i>")
    console.click("form[action='/console/payouts'] button")
    checks.check("You proposed this payout" in console.text and "<i>pages</i>" in console.text, "a payout is proposed")
    path = console.path.partition("?")[0]
    checks.check(not console.all("form[action$='/approve']"), "the proposer can't approve")
    console.sign_in("administrator-1")
    console.open(path)
    console.click("form[action$='/approve'] button")
    checks.check("The payout is approved" in console.text, "a payout is approved")
    fill_payment(console, "form[action$='/pay']")
    console.click("form[action$='/pay'] button")
    checks.check("The payout is booked" in console.text, f"a payout is paid: {console.text}")
    console.open(f"/console/providers/{PROVIDER}")
    checks.check("payout" in console.text and "₩0" in console.text, "the statement shows the payout")


def adjust(console, checks):
    """A policy is set, and a month adjusted: one long before the first purchase, so that nothing is posted."""
    console.sign_in("finance-1")
    console.open("/console/adjustments")
    console.one("details:has(#method) summary").click()
    form = "form[action='/console/adjustments/policies']"
    for name, value in [("month", "2020-01"), ("expected", "100"), ("reason", "<b>estimate</b>")]:
        console.one(f"{form} [name={name}]").send_keys(value)
    console.click(f"{form} button")
    checks.check("The policy is set" in console.text, f"a policy is set: {console.text}")
    console.one("#preview-month").send_keys("2020-01")
    console.click("form[action='/console/adjustments/preview'] button")
    console.click("form[action='/console/adjustments'] button")
    checks.check("There was nothing to post" in console.text, f"a month is adjusted: {console.text}")
