"""Makes the pictures of the documentation, from a running ./dev up. Run it by hand: ./dev screenshots."""

import argparse
import os
import pathlib

import console
import pages
import shop


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path, help="the folder of the pictures")
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    with pages.chromium() as browser:
        setup = (os.environ[f"{name}_URL"] for name in ("SHOP", "SANDBOX", "ADMIN"))
        for name, width, height, steps in pictures(*setup):
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                "width": width, "height": height, "deviceScaleFactor": 1.5, "mobile": width < 600})
            steps(browser)
            browser.save_screenshot(str(folder / f"{name}.png"))
            print(folder / f"{name}.png")


def pictures(shop_url, sandbox, admin):
    """Name, width, height and the steps that lead to each picture, one after the other."""
    def bought(browser):
        shop.sign_in(browser, shop_url, "demo-user")
        browser.find_element("css selector", shop.BUY).click()
        browser.find_element("css selector", shop.PAY).click()

    def song(browser):
        browser.get(shop_url + "/")
        browser.find_element("css selector", shop.SONG).click()

    def checkout(browser):
        browser.get(shop_url + "/")
        browser.find_element("css selector", shop.BUY).click()

    def history(browser):
        browser.get(shop_url + "/history")

    def customer(browser):
        desk = console.Console(browser, admin)
        desk.sign_in("support-1")
        desk.open(f"/console/customers/{console.USER}")

    yield "shop-paid", 390, 780, bought
    yield "shop", 390, 1020, song
    yield "shop-checkout", 390, 700, checkout
    yield "shop-history", 390, 780, history
    yield "console", 1280, 760, customer


if __name__ == "__main__":
    main()
