"""Answers the letters that customers write to support, and does the work of finance that goes with them, as people do: a
search, links and forms, counted in clicks. In both languages, in a narrow and a wide window; the first letter by keyboard
alone. Nothing here depends on a language's words.

Each letter has a number of clicks that it may take, from the search to the answer, without signing in."""

import datetime
import json
import os
import secrets
import subprocess
import tempfile
import urllib.error
import urllib.request
import zipfile

from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.keys import Keys

from pages import set_up, until

# What a letter may take; a search is one.
MOST_CLICKS = {
    "paid, no coins: not looked up yet": 2, "paid, no coins: nobody presented it": 2, "paid, no coins: a wrong amount": 3,
    "paid, no coins: another account": 1, "charged twice": 3, "my kid spent it": 3, "bought by mistake": 3,
    "half used, money back": 3, "two agents, one refund": 3, "declined": 2, "approved": 1, "month closed": 3,
    "settlement in CP949": 2, "settlement in Excel": 2,
}
VIEWS = [("ko", 390), ("ko", 1440), ("en", 390), ("en", 1440)]


def answer_all(console, send, checks, folder):
    """`send` posts JSON to ledgerd or to the sandbox; the browser has scripts. With a folder, the ends are kept as pictures."""
    for number, (language, width) in enumerate(VIEWS):
        desk = Desk(console, send, checks, language, width, folder)
        for letter in LETTERS if number else LETTERS + ONCE:
            desk.answer(letter)
    set_up(console.browser, 1280, "light")
    print("clicks: " + ", ".join(f"{letter} {clicks}" for letter, clicks in Desk.taken.items()))


class Desk:
    """The console in one language and width, with its clicks counted, and what letters are about."""

    # The most clicks that each letter took.
    taken = {}

    def __init__(self, console, send, checks, language, width, folder):
        self.console, self.send, self.checks, self.folder = console, send, checks, folder
        self.language, self.width, self.clicks = language, width, 0

    def answer(self, letter):
        """What the page has not is a failed check, and the next letter is read."""
        try:
            letter(self)
        except WebDriverException as missing:
            where = f"{letter.__name__}, {self.language}, {self.width} px, at {self.console.path}"
            self.checks.check(False, f"{where}: {missing.msg}")
            self.picture(f"{letter.__name__} failed")

    def picture(self, name):
        if self.folder:
            self.folder.mkdir(parents=True, exist_ok=True)
            name = "letter-" + "".join(each if each.isalnum() else "-" for each in name)
            self.console.browser.save_screenshot(str(self.folder / f"{name}-{self.language}-{self.width}.png"))

    # MARK: the console

    def sign_in(self, person):
        """Signs in, and has the language; none of it is counted."""
        self.console.sign_in(person)
        self.console.open(f"/console/language/{self.language}")
        self.console.open("/console")
        set_up(self.console.browser, self.width, "light")
        self.clicks = 0

    def click(self, selector):
        self.clicks += 1
        self.console.click(selector)

    def find(self, words):
        """Searches in the field that every page has."""
        field = self.console.one("#find")
        field.clear()
        field.send_keys(words)
        self.click(".find button")

    def fill(self, form, **fields):
        for name, value in fields.items():
            field = self.console.one(f"{form} [name={name}]:not([type=hidden])")
            field.clear()
            field.send_keys(value)

    def send_form(self, form):
        self.click(f"{form} button.first, {form} button")

    def has(self, selector):
        return bool(self.console.all(selector))

    def end(self, letter, holds, what):
        """The letter is answered: it holds, and took no more clicks than it may."""
        place = f"{letter}, {self.language}, {self.width} px"
        self.checks.check(holds, f"{place}: {what}; at {self.console.path}: {self.console.text[:400]}")
        self.checks.check(
            self.clicks <= MOST_CLICKS[letter], f"{place}: {self.clicks} clicks, at most {MOST_CLICKS[letter]}")
        self.taken[letter] = max(self.clicks, self.taken.get(letter, 0))
        self.picture(letter)

    # MARK: what has happened

    @staticmethod
    def new_user():
        return f"letter-{secrets.token_hex(4)}"

    @staticmethod
    def token(user):
        command = [os.environ["LEDGERD_BINARY"], "token", "--sub", user, "--scope", "user", "--ttl", "1h"]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    def pay(self, order, amount=1000, **more):
        return self.send(os.environ["SANDBOX_URL"] + "/sandbox/payments", "", {
            "merchant_uid": order, "amount": amount, **more})

    def present(self, user, payment):
        """Presents a receipt, whatever comes of it."""
        try:
            return self.send(os.environ["LEDGERD_URL"] + "/v1/receipts", self.token(user), {
                "imp_uid": payment["imp_uid"], "merchant_uid": payment["merchant_uid"]})
        except urllib.error.HTTPError as refused:
            return json.load(refused)

    def buy(self, amount=1000, user=None):
        """A customer with a purchase. Returns user and order."""
        user = user or self.new_user()
        order = f"{user}-{secrets.token_hex(2)}"
        self.present(user, self.pay(order, amount))
        return user, order

    def spend(self, user, coins):
        self.send(f"{os.environ['LEDGERD_URL']}/v1/users/{user}/spends", os.environ["SERVICE_TOKEN"],
                  {"coins": coins, "reference": "song:1"}, f"{user}-{secrets.token_hex(4)}")

    def sandbox(self, method, path, body):
        request = urllib.request.Request(
            os.environ["SANDBOX_URL"] + path, json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def cancelled(self, payment):
        """What the gateway gave back, once it has."""
        url = f"{os.environ['SANDBOX_URL']}/sandbox/payments/{payment['imp_uid']}"
        return until(lambda: json.load(urllib.request.urlopen(url, timeout=60))["cancel_amount"])


# MARK: - Letters to support


def not_looked_up(desk):
    """A deposit whose webhook was lost. The customer's page asks the gateway, and credits. By keyboard alone.

    The payment names its user; without that, others could still present it for a while."""
    letter, user = "paid, no coins: not looked up yet", desk.new_user()
    payment = desk.pay(f"{user}-0", status="ready", custom_data=json.dumps({"user_id": user}))
    desk.present(user, payment)
    desk.sandbox("PUT", "/sandbox/webhooks/plan", [{"act": "drop", "api": "V1", "times": 1}])
    desk.sandbox("PATCH", f"/sandbox/payments/{payment['imp_uid']}", {"status": "paid"})
    desk.sign_in("support-1")
    keys = Keyboard(desk.console)
    keys.press("/")
    keys.press(f"{user}-0" + Keys.ENTER, leaves=True)
    desk.clicks += 1
    reached = keys.tab_to(f"form[action$='/look-up']:has([value='{user}-0']) button")
    desk.checks.check(reached, f"{letter}, {desk.language}, {desk.width} px: Tab reaches the button")
    keys.press(Keys.ENTER, leaves=True)
    desk.clicks += 1
    holds = desk.has(".notice")
    desk.sandbox("PUT", "/sandbox/webhooks/plan", [])
    desk.console.open(f"/console/customers/{user}")
    desk.end(letter, holds and desk.has("tr[id^='purchase-']"), "the payment is credited")


def nobody_presented(desk):
    """The app never presented the payment. The search leads to its finding, which credits it to a customer."""
    letter, (user, _) = "paid, no coins: nobody presented it", desk.buy()
    order = f"{user}-lost"
    desk.pay(order)
    desk.sign_in("finance-1")
    found_by_webhook(desk, order)
    desk.find(order)
    form = "form[action$='/claim']"
    desk.fill(form, user=user, reason="customer's card")
    desk.send_form(form)
    desk.end(letter, desk.has(".notice") and desk.has(".status.good"), "the payment is credited")


def wrong_amount(desk):
    """No product costs what was paid: the payment goes back at the gateway."""
    letter, user = "paid, no coins: a wrong amount", desk.new_user()
    payment = desk.pay(f"{user}-0", amount=1234)
    desk.present(user, payment)
    desk.sign_in("finance-1")
    desk.find(f"{user}-0")
    if "/findings/" not in desk.console.path:
        desk.click("main a[href^='/console/findings/']")
    form = "form[action$='/refund']"
    desk.fill(form, reason="no product has this price")
    desk.send_form(form)
    desk.end(letter, desk.cancelled(payment) == 1234, "the money goes back")


def another_account(desk):
    """The coins are in the customer's other account: the search by the payment's id shows whose they are."""
    letter, user = "paid, no coins: another account", desk.new_user()
    payment = desk.pay(f"{user}-0")
    desk.present(user, payment)
    desk.sign_in("support-1")
    desk.find(payment["imp_uid"])
    desk.end(letter, desk.console.path.startswith(f"/console/customers/{user}") and desk.has("tr[id^='purchase-']"),
             "the search leads to the account with the coins")


def charged_twice(desk):
    """Two equal purchases within minutes are marked, and one goes back."""
    letter, (user, _) = "charged twice", desk.buy()
    desk.buy(user=user)
    desk.sign_in("support-1")
    desk.find(user)
    marked = desk.has("tr[id^='purchase-'] .status.bad")
    refund(desk, user, "tr[id^='purchase-']")
    desk.end(letter, marked and desk.has(".notice"), "the second purchase is refunded")


def kid_spent_it(desk):
    """The coins are spent already: the spends come back and the purchase is refunded, by one act."""
    letter, (user, order) = "my kid spent it", desk.buy()
    desk.spend(user, 70)
    desk.sign_in("support-1")
    desk.find(order)
    desk.click(f"a[href^='/console/customers/{user}/take-back/']")
    form = f"form[method=post][action^='/console/customers/{user}/take-back/']"
    named = "₩1,000" in desk.console.one(f"{form} button.first").text
    desk.fill(form, reason="a child bought it")
    desk.send_form(form)
    desk.end(letter, named and desk.has(".notice"), "the coins come back and the money goes back")


def by_mistake(desk):
    """Nothing is used: all of it goes back, and the button says how much."""
    letter, (user, order) = "bought by mistake", desk.buy()
    desk.sign_in("support-1")
    desk.find(order)
    named = refund(desk, user, "tr[id^='purchase-']")
    desk.end(letter, "₩1,000" in named and desk.has(".notice"), f"a refund of all: {named}")


def half_used(desk):
    """The coins that are left go back, and the page says what they are worth before."""
    letter, (user, order) = "half used, money back", desk.buy()
    desk.spend(user, 50)
    desk.sign_in("support-1")
    desk.find(order)
    named = refund(desk, user, "tr[id^='purchase-']")
    desk.end(letter, "₩" in named and "₩1,000" not in named and desk.has(".notice"), f"a refund of the rest: {named}")


def refund(desk, user, row):
    """Refunds a purchase. Returns what the button says."""
    desk.click(f"{row} a[href^='/console/customers/{user}/refund/']")
    form = f"form.act[action^='/console/customers/{user}/refund/']"
    named = desk.console.one(f"{form} button.first").text
    desk.fill(form, reason="asked for it")
    desk.send_form(form)
    return named


def found_by_webhook(desk, order):
    """Waits for the finding of a payment that nobody presented."""
    def is_listed():
        desk.console.open(f"/console/findings?order={order}")
        return desk.console.all("tbody th a[href^='/console/findings/']")
    until(is_listed)
    desk.console.open("/console")


# MARK: - Letters to finance


def two_agents_and_a_decliner(desk):
    """Two agents read one letter: the second sees the first's proposal. One is declined, with a reason, the next approved."""
    user, order = desk.buy(amount=5000)
    desk.sign_in("support-1")
    desk.find(order)
    refund(desk, user, "tr[id^='purchase-']")
    desk.sign_in("administrator-1")
    desk.find(order)
    seen = desk.has("a[href^='/console/approvals/']")
    refund(desk, user, "tr[id^='purchase-']")
    warned = desk.has("input[type=checkbox][required]") and desk.has("main a[href^='/console/approvals/']")
    desk.end("two agents, one refund", seen and warned, "the second agent sees the first's proposal")
    decide(desk, user, "declined", "decline", ".status.bad", reason="asks the customer first")
    desk.sign_in("support-1")
    desk.find(order)
    refund(desk, user, "tr[id^='purchase-']")
    decide(desk, user, "approved", "approve", ".status.good")


def decide(desk, user, letter, act, status, **fields):
    """Finance decides about the customer's only open proposal."""
    desk.sign_in("finance-1")
    desk.console.open("/console/approvals")
    row = f"tr:has(a[href='/console/customers/{user}']):has(.status.wait)"
    path = desk.console.one(f"{row} a[href^='/console/approvals/']").get_attribute("href")
    desk.console.open(path.removeprefix(desk.console.url))
    before = "₩5,000" in desk.console.text
    form = f"form[action$='/{act}']"
    desk.fill(form, **fields)
    desk.send_form(form)
    desk.end(letter, before and desk.has(f"main {status}"), f"a proposal is {letter}")


def settle_cp949(desk):
    """The gateway's file as Korean spreadsheets save CSV."""
    rows = settlement_rows(desk)
    text = "".join(",".join(str(cell) for cell in row) + "\r\n" for row in rows)
    settle(desk, "settlement in CP949", ".csv", text.encode("cp949"))


def settle_workbook(desk):
    """The gateway's file as it is downloaded."""
    settle(desk, "settlement in Excel", ".xlsx", workbook(settlement_rows(desk)))


def settlement_rows(desk):
    """A settlement of one purchase, with a row of totals."""
    _, order = desk.buy()
    day = (datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=9)).date().isoformat()
    return [["주문번호", "거래금액", "수수료", "부가세", "정산금액", "정산일"], [order, 1000, 30, 3, 967, day],
            ["합계", 1000, 30, 3, 967, ""]]


def workbook(rows):
    """The smallest Excel file with these rows."""
    def cell(value):
        return f"<c><v>{value}</v></c>" if isinstance(value, int) else f'<c t="inlineStr"><is><t>{value}</t></is></c>'

    space = "http://schemas.openxmlformats.org"
    sheet = "".join(f"<row>{''.join(cell(value) for value in row)}</row>" for row in rows)
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{space}/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override '
        'PartName="/xl/worksheets/sheet1.xml" '
        'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{space}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{space}/spreadsheetml/2006/main" '
        f'xmlns:r="{space}/officeDocument/2006/relationships"><sheets><sheet name="정산" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{space}/package/2006/relationships"><Relationship Id="r1" '
        f'Type="{space}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{space}/spreadsheetml/2006/main"><sheetData>{sheet}</sheetData></worksheet>',
    }
    with tempfile.TemporaryFile() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + text)
        file.seek(0)
        return file.read()


def settle(desk, letter, ending, content):
    """The file is previewed with its columns found and its row of totals left out, and booked."""
    desk.sign_in("finance-1")
    desk.console.open("/console/settlements")
    with tempfile.NamedTemporaryFile(suffix=ending) as file:
        file.write(content)
        file.flush()
        desk.console.one("#file").send_keys(file.name)
        desk.click("form[action$='/preview'] button.first")
    previewed = "₩967" in desk.console.text and "₩1,934" not in desk.console.text
    desk.click("form[action$='/settlements/book'] button")
    desk.end(letter, previewed and desk.has(".notice"), "the file is booked as it was previewed")


def close_month(desk):
    """The last month is closed: its checklist, a proposal with the month typed, and another person."""
    letter = "month closed"
    desk.sign_in("finance-1")
    desk.console.open("/console/closing")
    if not desk.has("form[action$='/closing'][method=post]"):
        desk.checks.check(desk.has("h2"), f"{letter}: the checklist is there, and nothing can be closed")
        return
    month = desk.console.one("#month").get_attribute("value")
    form = "form.act:has(#closing-confirm)"
    desk.console.one("#closing-confirm").send_keys(month)
    desk.console.one("#closing-reason").send_keys("all is checked")
    desk.send_form(form)
    clicks = desk.clicks
    desk.sign_in("administrator-1")
    desk.console.open(f"/console/closing?month={month}")
    desk.console.one("#close-confirm").send_keys(month)
    desk.send_form("form.act:has(#close-confirm)")
    desk.clicks += clicks
    desk.end(letter, desk.has(".notice"), "the month is closed by the second person")


LETTERS = [
    not_looked_up, nobody_presented, wrong_amount, another_account, charged_twice, kid_spent_it, by_mistake, half_used,
    two_agents_and_a_decliner,
]
# Work that is the same in each language and width.
ONCE = [settle_cp949, settle_workbook, close_month]


class Keyboard:
    """A person without a mouse."""

    # More than a page has of what takes the focus.
    MOST_TABS = 200

    def __init__(self, console):
        self.console = console

    def press(self, keys, leaves=False):
        """Presses keys, one after the other; with `leaves`, the last one leads to another page."""
        page = self.console.one("html")
        self.console.browser.switch_to.active_element.send_keys(keys)
        if leaves:
            self.console.wait_for_next(page)

    def tab_to(self, selector):
        """Whether Tab reaches an element. Every stop on the way shows where the focus is."""
        for _ in range(self.MOST_TABS):
            self.press(Keys.TAB)
            if self.console.browser.execute_script("return document.activeElement.matches(arguments[0])", selector):
                return True
        return False
