"""The page of the position database in a browser without a window, for page_test.py."""

import re
import sys
import time
import urllib.parse

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

    def go_to(self, game, fen="", is_anew=False):
        """Opens a position. Does not wait for what the database says of it."""
        place = f"#game={game}&fen={urllib.parse.quote(fen, safe='')}"
        if is_anew or not self.browser.current_url.startswith(self.address):
            self.browser.get("about:blank")
            self.browser.get(f"{self.address}/{place}")
            return
        # The page hears of the new address before this does.
        self.browser.execute_async_script("""
            const [hash, done] = arguments;
            addEventListener('hashchange', () => done(), { once: true });
            if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
            else location.hash = hash;""", place)

    def open(self, game, fen="", is_anew=False):
        self.go_to(game, fen, is_anew)
        self.wait_for_moves()

    def answer_with(self, script):
        """Has the page get its answers from a script: the body of an asynchronous function of `fields`, what
        is asked; `ask()` asks the server, `answer(value, status)` is an answer of the script."""
        self.run("""
            window.realFetch ??= window.fetch;
            window.fetch = async (address, request = {}) => {
              const fields = new URLSearchParams(request.body ?? address.split('?')[1]);
              const action = fields.get('action');
              const ask = () => realFetch(address, request);
              const answer = (value, status = 200) => new Response(JSON.stringify(value), { status });
              %s
            };""" % script)

    def answer_by_server(self):
        self.run("if (window.realFetch) window.fetch = window.realFetch")

    def run(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def element(self, identifier):
        return self.browser.find_element("id", identifier)

    def text(self, identifier):
        return self.element(identifier).text

    def press(self, identifier):
        self.element(identifier).click()

    def is_allowed(self, identifier):
        return self.element(identifier).get_attribute("aria-disabled") != "true"

    def press_keys(self, *keys):
        for key in keys:
            self.browser.switch_to.active_element.send_keys(key)

    def focused(self):
        """What has the focus: the number of a square, a move of the list, or an identifier."""
        return self.run("const e = document.activeElement; return e.dataset.number ?? e.dataset.move ?? e.id")

    def fen(self):
        return self.element("fen").get_attribute("value")

    def wait(self, condition, text):
        end = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > end:
                says = [self.text(part) for part in ("state", "news", "alert")]
                raise AssertionError(f"{text}; the page says {says}")
            time.sleep(0.01)

    def is_answered(self):
        """Whether the page shows what the database says of the position that it shows."""
        return self.run("const box = document.getElementById('moves-box');"
                        "return box !== null && box.getAttribute('aria-busy') === 'false'")

    def wait_for_moves(self):
        self.wait(lambda: self.is_answered() and
                  re.search("to move|has lost|no position", self.text("state")), "no moves")

    def wait_until_said(self, text, where="state"):
        self.wait(lambda: text in self.text(where), f"'{text}' was not said")

    def moves(self):
        """The long names of the moves that are listed."""
        self.wait(self.is_answered, "no moves")
        return self.listed()

    def listed(self):
        return self.run("return [...document.querySelectorAll('#moves button')].map(b => b.dataset.move)")

    def played(self):
        return self.run("return [...document.querySelectorAll('#game-moves button')].map(b => b.textContent)")

    def square(self, number):
        return self.browser.find_element("css selector", f".square[data-number='{number}']")

    def label(self, number):
        return self.square(number).get_attribute("aria-label")

    def wait_for_ply(self, ply):
        self.wait(lambda: len(self.played()) == ply, f"move {ply} was not played")
        self.wait_for_moves()

    def tap(self, number):
        place = self.square(number).rect
        y = place["y"] - self.run("return scrollY")
        point = {"x": place["x"] + place["width"] / 2, "y": y + place["height"] / 2}
        for kind, points in (("touchStart", [point]), ("touchEnd", [])):
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
