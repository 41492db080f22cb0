"""The page of the position database in a browser without a window, for page_test.py."""

import re
import sys
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.keys import Keys
except ImportError:
    sys.exit("install the packages chromium, chromium-driver and python3-selenium")

PATIENCE = 20    # seconds


def check(is_right, text):
    if not is_right:
        raise AssertionError(text)


class Page:
    """The page in a browser, at the address of a server."""

    def __init__(self, address):
        self.address = address
        options = Options()
        options.binary_location = "/usr/bin/chromium"
        for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.browser = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.shape(1100, 800)

    def shape(self, width, height, is_dark=False, is_mobile=False):
        command = self.browser.execute_cdp_cmd
        command("Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile})
        command("Emulation.setTouchEmulationEnabled", {"enabled": is_mobile})
        scheme = "dark" if is_dark else "light"
        command("Emulation.setEmulatedMedia",
                {"features": [{"name": "prefers-color-scheme", "value": scheme}]})

    def open(self, game, fen="", is_anew=False):
        if is_anew or not self.browser.current_url.startswith(self.address):
            self.browser.get("about:blank")
            self.browser.get(f"{self.address}/#game={game}&fen={fen}")
        else:
            self.run("location.hash = arguments[0]", f"game={game}&fen={fen}")
            # The page writes its own form of the address when it has read this one.
            self.wait(lambda: f"game={game}&fen={fen[:1]}" in self.browser.current_url and
                      "%3A" in self.browser.current_url, f"{game}: the address is not read")
        self.wait_for_moves()

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def element(self, identifier):
        return self.browser.find_element("id", identifier)

    def text(self, identifier):
        return self.element(identifier).text

    def press(self, identifier):
        self.element(identifier).click()

    def fen(self):
        return self.element("fen").get_attribute("value")

    def wait(self, condition, text):
        end = time.monotonic() + PATIENCE
        while not condition():
            check(time.monotonic() < end, f"{text}; the page says '{self.text('state')}'")
            time.sleep(0.01)

    def wait_for_moves(self):
        self.wait(lambda: self.run("return document.getElementById('state') !== null") and
                  re.search("to move|has lost|no position", self.text("state")), "no moves")

    def wait_until_said(self, text):
        self.wait(lambda: text in self.text("state"), f"'{text}' was not said")

    def moves(self):
        """The long names of the moves that are listed."""
        return self.run("return [...document.querySelectorAll('#moves button')].map(b => b.dataset.move)")

    def played(self):
        return self.run("return [...document.querySelectorAll('#game-moves button')].map(b => b.textContent)")

    def square(self, number):
        return self.browser.find_element("css selector", f".square[data-number='{number}']")

    def label(self, number):
        return self.square(number).get_attribute("aria-label")

    def wait_for_ply(self, ply):
        self.wait(lambda: len(self.played()) == ply, f"move {ply} was not played")
        self.wait(lambda: self.moves() or "has lost" in self.text("state"), "no moves")

    def tap(self, number):
        place = self.square(number).rect
        y = place["y"] - self.run("return scrollY")
        point = {"x": place["x"] + place["width"] / 2, "y": y + place["height"] / 2}
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
