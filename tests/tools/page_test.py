#!/usr/bin/python3
"""page_test.py DEFIANCE [PICTURES]: uses the page of the position database in a browser as people do: by
mouse, touch and keyboard, on a wide and a narrow screen, in the light and in the dark. Writes pictures of it
into the folder PICTURES. Needs the Debian packages chromium, chromium-driver and python3-selenium."""

import os
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True
from page_in_browser import PATIENCE, Keys, Page, check

# The square in the corner of White's left hand and right hand where there is one, as players call it.
CORNERS = {"english": ("29", None), "italian": (None, "32"), "spanish": (None, "1"),
           "russian": ("a1", None), "brazilian": ("a1", None), "czech": ("a1", None)}


def pieces_of(fen):
    """The pieces by the number of their square."""
    pieces = {}
    for part in fen.split(":")[1:]:
        for text in filter(None, part[1:].split(",")):
            colour = "white" if part[0] == "W" else "black"
            pieces[int(text.lstrip("K"))] = f"{colour} {'king' if text[0] == 'K' else 'man'}"
    return pieces


def check_board_is_as_fen(page):
    pieces = pieces_of(page.fen())
    labels = page.run("return Object.fromEntries([...document.querySelectorAll('.square')]"
                      ".map(s => [s.dataset.number, [s.ariaLabel, !!s.querySelector('svg')]]))")
    check(len(labels) == 32, "not 32 squares")
    for number, (label, is_drawn) in labels.items():
        piece = pieces.get(int(number))
        check(label.split(", ")[1] == (piece or "empty"), f"{label} is to be {piece}")
        check(is_drawn == (piece is not None), f"{label}: drawn wrongly")


def check_games(page):
    """Every game has its start position, and its squares where its players see them."""
    for game, corners in CORNERS.items():
        page.open(game)
        check(len(page.moves()) == 7, f"{game}: {len(page.moves())} moves at the start")
        check_board_is_as_fen(page)
        side = "Black" if game == "english" else "White"
        check(f"{side} to move" in page.text("state"), f"{game}: who begins?")
        ends = page.run("const row = [...document.querySelector('.row:last-child').children];"
                        "return [row[0], row[7]].map(s => s.textContent || null)")
        check(tuple(ends) == corners, f"{game}: corners {ends}")
        # White's men stand at the bottom.
        places = page.run("return [...document.querySelectorAll('.square')].map(s => "
                          "[s.ariaLabel, s.getBoundingClientRect().top])")
        white = min(top for label, top in places if "white" in label)
        check(all(top < white for label, top in places if "black" in label), f"{game}: upside down")
        # A king in the middle: its moves lie on diagonals.
        page.open(game, "W:WK18:B" + ("K32" if game in ("english", "russian", "brazilian") else "K4"))
        for move in page.moves():
            start, end = re.split("[-x]", move)[:2]
            a, b = page.square(start).rect, page.square(end).rect
            check(abs(abs(a["x"] - b["x"]) - abs(a["y"] - b["y"])) < 2, f"{game}: {move} is no diagonal")


def check_game_by_clicks(page, game, longest_game):
    """A game with the moves of a die, each by clicks on its squares."""
    page.open(game)
    die = random.Random(7)
    fens = [page.fen()]
    longest = 0
    while page.moves() and len(fens) <= longest_game:
        move = die.choice(page.moves())
        squares = re.split("[-x]", move)
        longest = max(longest, len(squares))
        for square in squares:
            if len(page.played()) == len(fens):
                break    # there was no other way to go on
            page.square(square).click()
        page.wait_for_ply(len(fens))
        fens.append(page.fen())
        check_board_is_as_fen(page)
        check(fens[-1][0] != fens[-2][0], f"{move}: the same side is to move")
    check(len(fens) > 12, f"{game}: over after {len(fens)} moves")
    check(longest > 2 or game != "english", f"{game}: no capture of several pieces")
    return fens


def check_walk(page, fens):
    """Back and forth through the game that was played."""
    last = len(fens) - 1
    page.press("back")
    check(page.fen() == fens[-2], "back")
    page.press("forth")
    check(page.fen() == fens[-1], "forth")
    check(not page.element("forth").is_enabled(), "forth beyond the end")
    page.press("first")
    check(page.fen() == fens[0], "to the first position")
    check(not page.element("back").is_enabled(), "back before the beginning")
    page.browser.find_elements("css selector", "#game-moves button")[last // 2 - 1].click()
    check(page.fen() == fens[last // 2], "a move of the list")
    page.wait_for_moves()
    check(len(page.played()) == last, "walking shortened the game")
    # Another move there begins another end of the game.
    page.browser.find_element("css selector", "#moves button").click()
    page.wait_for_ply(last // 2 + 1)


def check_keyboard(page):
    page.open("english", is_anew=True)
    page.run("document.getElementById('game').focus()")

    def type_keys(*keys):
        for key in keys:
            page.browser.switch_to.active_element.send_keys(key)

    def focused():
        return page.run("return document.activeElement.dataset.number")

    type_keys(Keys.TAB)
    check(focused() == "29", f"Tab leads to {focused()}")
    type_keys(*[Keys.ARROW_UP] * 5)
    while focused() != "11":
        type_keys(Keys.ARROW_RIGHT)
    type_keys(Keys.ENTER)
    check("chosen" in page.label(11) and "can be moved to" in page.label(15), "no square is chosen")
    type_keys(Keys.ESCAPE)
    check("chosen" not in page.label(11), "Escape does not let go")
    type_keys(Keys.SPACE, Keys.ARROW_DOWN)
    if focused() != "15":
        type_keys(Keys.ARROW_LEFT)
    type_keys(Keys.ENTER)
    page.wait_for_ply(1)
    check(page.played() == ["11-15"], f"{page.played()} was played")
    page.wait_until_said("Black played 11-15. White to move.")
    check(focused() == "15", "the focus is lost")
    type_keys("b")
    check(not page.element("back").is_enabled(), "B does not go back")
    type_keys("n")
    check(page.element("back").is_enabled(), "N does not go forth")
    # Moves by their names, and from the list.
    page.wait_for_moves()
    field = page.element("move-text")
    field.send_keys("23-12", Keys.ENTER)
    check("no move here" in page.text("alert"), "an illegal move is taken")
    field.clear()
    field.send_keys("23-19", Keys.ENTER)
    page.wait_for_ply(2)
    check(page.text("alert") == "", "the complaint stays")
    page.run("document.querySelector('#moves button').focus()")
    type_keys(Keys.ENTER)
    page.wait_for_ply(3)
    page.wait(lambda: page.run("return document.activeElement.dataset.move"), "the list lost the focus")


def check_editor(page):
    page.open("russian")
    page.press("edit")
    page.press("clear")
    check(pieces_of(page.fen()) == {}, "the board is not empty")

    def put(piece, *squares):
        page.browser.find_element("css selector", f"input[value={piece}]").click()
        for square in squares:
            page.square(square).click()

    put("wk", 32)
    put("bm", 14, 6)
    put("wm", 22, 23)
    put("none", 22)
    put("bk", 6)
    page.browser.find_element("css selector", "input[value=B]").click()
    check(page.fen() == "B:W23,K32:BK6,14", f"set up {page.fen()}")
    page.press("done")
    page.wait_for_moves()
    check(page.fen().startswith("B:") and pieces_of(page.fen()) == {
        23: "white man", 32: "white king", 6: "black king", 14: "black man"}, f"now {page.fen()}")
    # A man where it would be a king.
    page.press("edit")
    put("wm", 1)
    page.press("done")
    page.wait_until_said("no position")
    check(page.moves() == [], "moves in an impossible position")
    # A FEN typed in.
    field = page.element("fen")
    field.clear()
    field.send_keys("W:W22:B17", Keys.ENTER)
    page.wait_until_said("White to move")
    page.press("copy")
    page.wait_until_said("FEN is")
    page.press("turn")
    bottom = page.run("return document.querySelector('.row:last-child').textContent")
    check(bottom == "h8f8d8b8", f"turned round: {bottom}")


def check_end(page):
    page.open("english", "B:W6:B1")
    page.wait_for_moves()
    move = page.moves()[0]
    for square in re.split("[-x]", move)[::len(re.split("[-x]", move)) - 1]:
        page.square(square).click()
    page.wait_until_said("has lost")


def check_captures(page):
    """A capture is made over its landings or by its end, and by the entry in the list."""
    fen = "B:W6,15,16:B1"
    page.open("english", fen)
    check(page.moves() == ["1x10x19"] or page.moves() == ["1x10x19x12"], f"{page.moves()}")
    path = page.moves()[0].split("x")
    page.square(path[0]).click()
    page.square(path[1]).click()
    check("chosen" in page.label(path[1]), "the landing is not chosen")
    for square in path[2:]:
        page.square(square).click()
    page.wait_for_ply(1)
    page.press("back")
    page.wait_for_moves()
    page.wait(page.moves, "no moves")
    page.square(path[0]).click()
    page.square(path[-1]).click()
    page.wait_for_ply(1)


def check_queue(page):
    page.open("english", "B:W21-32:B1-12")
    page.press("queue")
    page.wait(lambda: re.search("Queued|nothing to work out", page.text("state")) or page.text("alert"),
              "no answer to the queue")


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def check_colours(page):
    """Texts stand out by the 4.5 of WCAG 2, in the light and in the dark."""
    paper = {}
    for is_dark in (False, True):
        page.shape(1100, 800, is_dark)
        page.open("english")
        found = page.run("""
            const behind = (e) => { const c = getComputedStyle(e).backgroundColor;
              return c === 'rgba(0, 0, 0, 0)' && e.parentElement ? behind(e.parentElement) : c; };
            return [...document.querySelectorAll('h1,p,th,td,button:enabled,label,summary,.name')]
              .filter((e) => e.textContent.trim() && e.offsetParent)
              .map((e) => [e.textContent.trim(), getComputedStyle(e).color, behind(e)]);""")
        check(len(found) > 60, "few texts")
        for text, ink, ground in found:
            low, high = sorted((luminance(ink), luminance(ground)))
            check((high + 0.05) / (low + 0.05) >= 4.5, f"'{text}' is hard to read: {ink} on {ground}")
        paper[is_dark] = luminance(page.run("return getComputedStyle(document.body).backgroundColor"))
    check(paper[True] < 0.1 < 0.8 < paper[False], f"dark and light are {paper}")


def check_telephone(page):
    for width in (320, 390):
        page.shape(width, 720, False, True)
        page.open("italian")
        wide = page.run("return document.documentElement.scrollWidth")
        check(wide <= width, f"{wide} pixels on a screen of {width}")
        check(page.square(1).size["width"] >= 36, "squares too small for a finger")
        page.tap(22)
        check("chosen" in page.label(22), "a touch chooses nothing")
        page.tap(18)
        page.wait_for_ply(1)


def check_for_readers(page):
    """What a screen reader is told."""
    page.shape(1100, 800)
    page.open("english")
    page.browser.execute_cdp_cmd("Accessibility.enable", {})
    tree = page.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    by_role = {}
    for node in tree:
        if not node.get("ignored"):
            name = node.get("name", {}).get("value", "")
            by_role.setdefault(node["role"]["value"], []).append(name)
    check(by_role.get("grid") == ["Board"], f"grid: {by_role.get('grid')}")
    check("11, black man, can move" in by_role["gridcell"], f"squares: {by_role['gridcell']}")
    check(by_role.get("columnheader") == ["Move", "Score", "Rank", "Depth", "Note"], "table without heads")
    check("status" in by_role, "no status")
    for role in ("button", "textbox", "combobox", "radio"):
        check(all(by_role.get(role, ["?"])), f"a {role} without a name")
    in_order = page.run("return document.querySelectorAll('.square[tabindex=\"0\"]').length")
    check(in_order == 1, f"Tab stops {in_order} times on the board")


def check_nothing_from_elsewhere(page):
    origins = page.run("return [...new Set(performance.getEntriesByType('resource')"
                       ".map(e => new URL(e.name).origin))]")
    check(origins == [page.address], f"asked {origins}")
    problems = [entry["message"] for entry in page.browser.get_log("browser")]
    check(problems == [], f"the browser complains: {problems}")


def take_pictures(page, folder):
    os.makedirs(folder, exist_ok=True)
    for name, shape, game, moves in (("page", (1100, 780), "english", ("11-15", "23-19", "8-11")),
                                     ("page-dark", (1100, 780, True), "russian", ("22-18", "9-13")),
                                     ("page-telephone", (390, 844, True, True), "italian", ("22-18",))):
        page.shape(*shape)
        page.open(game, is_anew=True)
        for ply, move in enumerate(moves):
            for square in move.split("-"):
                page.square(square).click()
            page.wait_for_ply(ply + 1)
        page.press("queue")
        page.wait(lambda: "?" not in page.text("moves"), "the position was not worked out")
        page.press("back")
        page.wait_for_moves()
        page.press("forth")
        page.wait_for_moves()
        page.run("document.activeElement.blur(); scrollTo(0, 0)")
        page.browser.save_screenshot(os.path.join(folder, f"{name}.png"))


def use(page):
    check_games(page)
    fens = check_game_by_clicks(page, "english", 40)
    check_walk(page, fens)
    check_game_by_clicks(page, "brazilian", 12)
    check_keyboard(page)
    check_captures(page)
    check_editor(page)
    check_end(page)
    check_queue(page)
    check_colours(page)
    check_telephone(page)
    check_for_readers(page)
    check_nothing_from_elsewhere(page)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for_server(server, address):
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(f"{address}/healthz").read()
            return
        except OSError:
            check(server.poll() is None and time.monotonic() < end, "the server does not start")
            time.sleep(0.02)


def main():
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        address = f"http://127.0.0.1:{port}"
        command = sys.argv[1].split() + ["serve", "--dir", folder, "--port", str(port), "--workers", "1", "--nodes", "5000"]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        page = None
        try:
            wait_for_server(server, address)
            page = Page(address)
            use(page)
            if len(sys.argv) > 2:
                take_pictures(page, sys.argv[2])
        finally:
            if page:
                page.browser.quit()
            server.terminate()
            server.wait()


main()
