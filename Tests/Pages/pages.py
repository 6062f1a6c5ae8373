"""Checks the pages that people see: axe-core finds nothing, nothing scrolls sideways, and the focus is visible.

Then reads the API's reference by keyboard, reads it with scripts off, and buys coins in the demo shop with scripts off.
"""

import argparse
import contextlib
import json
import os
import pathlib
import sys
import time
import urllib.parse
import urllib.request

import axe_playwright_python
import reference
import shop
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

AXE = (pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
SIZES = {390: 844, 1280: 900, 1440: 900}
VIEWS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
# A narrow and a wide window, and each scheme once.
FEW_VIEWS = [(390, "light"), (1440, "dark")]
# How many seconds an element is waited for.
PATIENCE = 10
# How many seconds is waited for what the service does by itself.
LONGEST = 60

# All rules that are on by default, and the size of what is clicked (WCAG 2.2, 2.5.8). Dark mode only has other colors.
RULES = {
    "light": {"rules": {"target-size": {"enabled": True}}},
    "dark": {"runOnly": ["color-contrast", "link-in-text-block"]},
}
RUN_AXE = """
const [options, done] = arguments;
axe.run(document, {resultTypes: ["violations"], ...options}).then(
    result => done(result.violations.map(rule => ({
        id: rule.id, help: rule.help, count: rule.nodes.length,
        first: rule.nodes.slice(0, 3).map(node => node.html.slice(0, 160) + " | " + node.any.map(c => c.message).join(" "))
    }))), error => done([{id: "axe", help: String(error), count: 1, first: []}]));
"""

# Elements that the page's own boxes do not keep: what scrolls in its own box ends at the box's edge.
# How much wider than the window the page is, and the innermost elements that reach beyond it.
TOO_WIDE = """
const width = document.documentElement.clientWidth;
const beyond = [...document.querySelectorAll("body *")].filter(element => element.getBoundingClientRect().right > width + 1);
const inner = beyond.filter(element => ![...element.children].some(child => beyond.includes(child)));
const told = inner.map(element => element.tagName.toLowerCase() + " '" + element.textContent.trim().slice(0, 40) + "'");
return [document.documentElement.scrollWidth - width, told.slice(0, 3).join(", ")];
"""

# One element of each kind that takes the focus.
UNSEEN_FOCUS = """
const kinds = new Map();
for (const element of document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex='0']")) {
    const kind = element.tagName + "." + element.className;
    if (!kinds.has(kind) && element.getClientRects().length && element.checkVisibility()) kinds.set(kind, element);
}
return [...kinds].filter(([kind, element]) => {
    element.focus({focusVisible: true, preventScroll: true});
    const style = getComputedStyle(element);
    const seen = document.activeElement === element && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
    element.blur();
    return !seen;
}).map(([kind]) => kind);
"""


def make_payments(sandbox):
    """Payments of each kind, for the console has a row and buttons for each."""
    for number, (status, amount) in enumerate(
        [("ready", 1000), ("paid", 5000), ("paid", 12000), ("cancelled", 1000), ("failed", 100000)]
    ):
        payment = {"merchant_uid": f"order-20261120-{os.getpid()}-{number}", "amount": amount, "status": status,
                   "sandbox": number == 2}
        request = urllib.request.Request(
            sandbox + "/sandbox/payments", json.dumps(payment).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30):
            pass


def pages(ledgerd, sandbox, shop_url):
    """Name and address of each page, and what is clicked there first, one after the other."""
    def order(name, **more):
        return "/checkout?" + urllib.parse.urlencode(
            {"merchant_uid": f"{name}-{os.getpid()}", "amount": 5000, "name": "500 코인", **more})

    for page in reference.PAGES:
        yield "docs" + page.replace("/", "-"), ledgerd + "/docs" + page, []
    yield "console", sandbox + "/", []
    yield "checkout", sandbox + order("order"), []
    yield "refused", sandbox + order("order", amount="much", redirect_url=ledgerd + "/docs"), []
    yield "done", sandbox + order("paid"), [shop.PAY]
    yield "shop-sign-in", shop_url + "/", []
    yield "shop-waiting", shop_url + "/", ["form[action='/sign-in'] button", shop.BUY, shop.VIRTUAL_ACCOUNT, shop.PAY]
    yield "shop-failed", shop_url + "/", [shop.BUY, "button[value=fail]"]
    yield "shop-paid", shop_url + "/", [shop.BUY, shop.PAY]
    yield "shop", shop_url + "/", [shop.SONG]
    yield "shop-history", shop_url + "/history", []
    yield "shop-refused", shop_url + "/orders/0", []


@contextlib.contextmanager
def chromium(scripts=True):
    """A browser that loads nothing but what a page asks for; it runs the pages' scripts, or none."""
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-extensions",
                     "--force-prefers-reduced-motion"):
        options.add_argument(argument)
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    if not scripts:
        options.add_experimental_option("prefs", {"profile.managed_default_content_settings.javascript": 2})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    browser.set_page_load_timeout(60)
    browser.set_script_timeout(120)
    browser.implicitly_wait(PATIENCE)
    try:
        yield browser
    finally:
        browser.quit()


def set_up(browser, width, scheme):
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": SIZES[width], "deviceScaleFactor": 1, "mobile": width < 600})
    browser.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def until(found):
    """What is found, as soon as it is; its last value after a while."""
    deadline = time.monotonic() + LONGEST
    while not (value := found()) and time.monotonic() < deadline:
        time.sleep(0.2)
    return value


def faults(browser, scheme):
    """What is wrong with the page that is shown, in words."""
    for rule in browser.execute_async_script(RUN_AXE, RULES[scheme]):
        yield f"axe {rule['id']}: {rule['help']}, {rule['count']} times: " + "; ".join(rule["first"])
    excess, beyond = browser.execute_script(TOO_WIDE)
    if excess > 0:
        yield f"the page is {excess} px wider than the window: {beyond}"
    for kind in browser.execute_script(UNSEEN_FOCUS):
        yield f"the focus on {kind} is not visible"
    for entry in browser.get_log("browser"):
        # That a page has the status 400 is as it should be.
        if entry["source"] != "network":
            yield "console: " + entry["message"]


def count(found, name, passed, failed):
    """Prints what was found, and counts one check more as passed or failed."""
    found = list(found)
    for fault in found:
        print(f"✘ {name}: {fault}")
    return passed + (not found), failed + bool(found)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--screenshots", type=pathlib.Path, help="a folder for pictures of the pages")
    folder = parser.parse_args().screenshots
    ledgerd, sandbox, shop_url = (os.environ[name] for name in ("LEDGERD_URL", "SANDBOX_URL", "SHOP_URL"))
    passed = failed = 0
    make_payments(sandbox)
    with chromium() as browser:
        for name, address, buttons in pages(ledgerd, sandbox, shop_url):
            browser.get(address)
            for button in buttons:
                browser.find_element("css selector", button).click()
            browser.execute_script(AXE)
            # For a large group of the API axe-core needs half a minute, so it looks only twice.
            for width, scheme in FEW_VIEWS if name.startswith("docs") else VIEWS:
                set_up(browser, width, scheme)
                if folder:
                    folder.mkdir(parents=True, exist_ok=True)
                    browser.save_screenshot(str(folder / f"{name}-{width}-{scheme}.png"))
                passed, failed = count(faults(browser, scheme), f"{name}, {width} px, {scheme}", passed, failed)
        passed, failed = count(reference.works_by_keyboard(browser, ledgerd + "/docs"), "reference", passed, failed)
    with chromium(scripts=False) as browser:
        passed, failed = count(
            reference.works_without_scripts(browser, ledgerd + "/docs"), "reference without scripts", passed, failed)
        for check in (shop.buys_by_card, shop.buys_by_virtual_account):
            for api in ("portone-v1", "portone-v2"):
                found = check(browser, shop_url, sandbox, f"buyer-{os.getpid()}-{api}", api)
                passed, failed = count(found, f"{check.__name__}, {api}", passed, failed)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
