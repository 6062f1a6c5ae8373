"""Reads the API's reference as a person does: the search and the copy buttons by keyboard alone, and all else without scripts."""

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE = 30
# Of each kind of page one, and the largest group.
PAGES = ["", "/acts", "/finance", "/event-types", "/errors", "/bodies", "/settings"]


def works_by_keyboard(browser, docs):
    """The search leads to an operation on another page; its request is copied; an old link leads to the page of today."""
    browser.get(docs)
    browser.switch_to.active_element.send_keys("/")
    field = browser.switch_to.active_element
    if field.get_attribute("id") != "find":
        yield "the key / does not lead to the search"
        return
    for word, place in [("insufficient_coins spend", "/acts#spend"), ("/v1/receipts", "/shop#presentReceipt"),
                        ("merchant_uid_mismatch", "/errors#error-merchant_uid_mismatch")]:
        field.clear()
        field.send_keys(word)
        if not holds(browser, lambda: any(link.get_attribute("href") == docs + place for link in results(browser))):
            yield f"the search for {word} does not find {place}"
    field.send_keys(Keys.ARROW_DOWN)
    if browser.switch_to.active_element.get_attribute("href") != docs + place:
        yield f"the arrow key does not lead to {place}"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    if not holds(browser, lambda: browser.current_url == docs + place):
        yield f"the first result leads to {browser.current_url}"
    browser.get(docs + "#spend")
    if not holds(browser, lambda: browser.current_url == docs + "/acts#spend"):
        yield f"/docs#spend leads to {browser.current_url}"
    button = browser.find_element("css selector", "section[aria-labelledby=spend] figure button")
    browser.execute_script("arguments[0].focus()", button)
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    if not holds(browser, lambda: button.text == "Copied"):
        yield f"a request is not copied: {button.text}"
    if browser.switch_to.active_element != button:
        yield "the button loses the focus"


def works_without_scripts(browser, docs):
    """The first page leads to an operation, and nothing is shown that does nothing."""
    browser.get(docs)
    if browser.find_element("id", "search").is_displayed():
        yield "the search is shown without scripts"
    browser.find_element("css selector", "#spend").click()
    if browser.current_url != docs + "/acts#spend":
        yield f"the entry of spend leads to {browser.current_url}"
    if not browser.find_element("css selector", "section[aria-labelledby=spend] pre").is_displayed():
        yield "the request of spend is not shown"
    browser.implicitly_wait(0)
    if browser.find_elements("css selector", "button"):
        yield "a button is shown without scripts"
    browser.implicitly_wait(10)


def results(browser):
    return browser.find_elements("css selector", "#found a")


def holds(browser, fact):
    """Whether it becomes true in time."""
    try:
        return WebDriverWait(browser, PATIENCE, ignored_exceptions=[Exception]).until(lambda _: fact())
    except Exception:
        return False
