"""Buys coins in the demo shop, as a person does: forms and links only."""

import urllib.parse

from selenium.common.exceptions import TimeoutException, WebDriverException
from selenium.webdriver.support.ui import WebDriverWait

BUY = "button[value=coins_100]"
PAY = "button[value=pay]"
SONG = "button[value='2']"
VIRTUAL_ACCOUNT = "input[value=vbank]"


def buys_by_card(browser, shop, sandbox, user, api):
    """Coins bought by card are there when the window closes; a song costs some of them, and the history tells."""
    sign_in(browser, shop, user)
    before = balance(browser)
    order(browser, api)
    click(browser, PAY)
    yield from expect(browser, "have arrived", "the order's page says that the coins are there")
    yield from expect_balance(browser, before + 100, "after the purchase")
    click(browser, "a.name")
    click(browser, SONG)
    yield from expect(browser, "You bought", "the shop says that the song is bought")
    yield from expect_balance(browser, before + 70, "after the song")
    click(browser, "button[value='3']")
    yield from expect(browser, f"costs 150 coins; you have {before + 70}", "the shop refuses what costs too much")
    click(browser, "nav a")
    yield from expect(browser, "Spent: Han River at Night", "the history has the song")
    yield from expect(browser, "Bought coins", "the history has the purchase")


def buys_by_virtual_account(browser, shop, sandbox, user, api):
    """Coins paid by a later transfer arrive without another visit of the payment window."""
    sign_in(browser, shop, user + "-account")
    order(browser, api)
    click(browser, VIRTUAL_ACCOUNT)
    click(browser, PAY)
    yield from expect(browser, "Waiting for your transfer", "the order waits")
    yield from expect_balance(browser, 0, "before the transfer")
    waiting = browser.current_url
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(waiting).query)
    payment = query.get("merchant_uid", query.get("paymentId"))[0]
    browser.get(sandbox + "/")
    click(browser, f"button[aria-label='Deposit {payment}']")
    wait(browser, lambda: browser.find_elements("css selector", f"button[aria-label='Cancel {payment}']"))
    browser.get(waiting)
    # The page refreshes itself.
    yield from expect(browser, "have arrived", "the coins arrive")
    yield from expect_balance(browser, 100, "after the transfer")


def sign_in(browser, shop, user):
    browser.delete_all_cookies()
    browser.get(shop + "/")
    field = browser.find_element("id", "user")
    field.clear()
    field.send_keys(user)
    click(browser, "form[action='/sign-in'] button")


def order(browser, api):
    """Orders 100 coins; the payment window opens."""
    click(browser, f"input[value={api}]")
    click(browser, BUY)


def click(browser, selector):
    browser.find_element("css selector", selector).click()


def text(browser):
    return browser.find_element("tag name", "main").text


def balance(browser):
    return int(browser.find_element("id", "balance").text)


def wait(browser, condition):
    """Waits for a page, because a click returns before the next page is there; tells whether it came."""
    try:
        return WebDriverWait(browser, 30, 0.02, ignored_exceptions=[WebDriverException]).until(lambda _: condition())
    except TimeoutException:
        return False


def expect(browser, words, meaning):
    if not wait(browser, lambda: words in text(browser)):
        yield f"{meaning}; but it says: {text(browser)}"


def expect_balance(browser, coins, when):
    if balance(browser) != coins:
        yield f"{when}, {coins} coins are expected, and {balance(browser)} are shown"
