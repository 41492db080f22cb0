"""Positions that are put onto the page of the position database, as texts and by hand, for page_test.py."""

import json
import urllib.parse
import urllib.request

from page_in_browser import Keys, check


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


# Other forms of a position that the server reads.
FORMS = {
    "english": ("b:w21,K30:bk3,5", "B:W21-32:B1-12", "W:W21-24,K30:BK1-3,9", "[FEN \"W:W21,22:B1,K9\"]", "startpos",
                "startpos moves 11-15 23-18", "B:W21:B1:H0:F1", "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww", "W:W:B1-3"),
    "russian": ("W:Wa1,Kc3:Bf6", "w:wd4:bkh8,e5"),
}


def check_forms(page):
    """The board, the field and the address have what the server has read, in its own form."""
    for game, texts in FORMS.items():
        for text in texts:
            query = urllib.parse.urlencode({"action": "queryall", "variant": game, "board": text, "json": 1,
                                            "showall": 1})
            with urllib.request.urlopen(f"{page.address}/cdb?{query}") as reply:
                fen = json.load(reply)["fen"]
            page.open(game, text)
            check(page.fen() == fen, f"{text} is shown as {page.fen()}, not {fen}")
            check_board_is_as_fen(page)
            check(urllib.parse.quote(fen, safe="*") in page.browser.current_url, f"{text}: {page.browser.current_url}")
            check(page.is_allowed("edit"), f"{text}: cannot be edited")
    field = page.element("fen")
    field.clear()
    field.send_keys("w:wc3:bf6", Keys.ENTER)
    page.wait_for_moves()
    check(page.fen() == "W:W22:B11", f"typed: {page.fen()}")
    # Before the answer nobody knows what the text means.
    page.answer_with("await new Promise((done) => { window.goOn = done; }); return ask();")
    page.go_to("russian", "w:wc3:bf6")
    check(not page.is_allowed("edit"), "an unread text can be edited")
    page.go_to("russian", "B:W21:B1:H0:F5")
    check("empty" in page.label(5), "a counter of moves is taken for a piece")
    page.answer_by_server()
    page.run("goOn()")
    page.wait_for_moves()
    check(page.is_allowed("edit"), "a text that was read cannot be edited")


def put(page, piece, *squares):
    page.browser.find_element("css selector", f"input[value={piece}]").click()
    for square in squares:
        page.square(square).click()


def check_editor(page):
    page.open("russian")
    page.press("edit")
    check(page.moves() == [] and page.text("line") == "", "the moves of the position before")
    for control in ("first", "back", "forward", "queue"):
        check(not page.is_allowed(control), f"{control} while a position is set up")
    page.press("clear")
    check(pieces_of(page.fen()) == {}, "the board is not empty")
    put(page, "wk", 32)
    check(page.text("news") == "White king on g1.", page.text("news"))
    put(page, "bm", 14, 6)
    put(page, "wm", 22, 23)
    put(page, "none", 22)
    check(page.text("news") == "c3 is empty.", page.text("news"))
    put(page, "bk", 6)
    page.browser.find_element("css selector", "input[value=B]").click()
    check(page.fen() == "B:W23,K32:B14,K6", f"set up {page.fen()}")
    page.press("done")
    page.wait_for_moves()
    check(page.fen() == "B:W23,K32:B14,K6", f"now {page.fen()}")
    check(page.focused() == "edit" and page.is_allowed("queue"), "the controls are not back")
    # What cannot be played, and why.
    page.press("edit")
    put(page, "wm", 1)
    page.press("done")
    page.wait_until_said("no position that can be played: a white man on b8 would be a king.")
    check(page.moves() == [], "moves in an impossible position")
    page.press("edit")
    page.press("clear")
    page.press("done")
    page.wait_until_said("no position that can be played: there are no pieces.")
    page.open("russian", "W:W13,14,15,16,17,18,19,20,21,22,23,24,25:B1")
    check("White has 13 pieces, and 12 are the most." in page.text("state"), page.text("state"))
    page.open("russian", "W:W99:B1")
    check("the text is no FEN" in page.text("state"), page.text("state"))
    # A FEN typed in.
    field = page.element("fen")
    field.clear()
    field.send_keys("W:W22:B17", Keys.ENTER)
    page.wait_until_said("White to move")
    page.press("copy")
    page.wait_until_said("FEN is", "news")
    page.press("turn")
    bottom = page.run("return document.querySelector('.row:last-child').textContent")
    check(bottom == "h8f8d8b8", f"turned round: {bottom}")
    page.press("turn")


def check_editor_is_left(page):
    """A position that is given up, or was not changed, leaves the game as it was."""
    page.open("english", "B:W32:B1")
    page.run("document.querySelector('#moves button').click()")
    page.wait_for_ply(1)
    fen, played = page.fen(), page.played()
    ways = (lambda: page.press("cancel"), lambda: page.press_keys(Keys.ESCAPE), lambda: page.press("done"))
    for number, leave in enumerate(ways):
        page.press("edit")
        check(page.run("return document.getElementById('game-moves').inert"), "the game can be walked")
        if number < 2:
            page.square(18).click()
            check(page.fen() != fen, "nothing was put")
        leave()
        page.wait_for_moves()
        check(page.fen() == fen and page.played() == played, f"way {number}: {page.fen()}, {page.played()}")
        check_board_is_as_fen(page)
        check(page.is_allowed("back") and page.is_allowed("queue") and page.focused() == "edit", "no controls")
        check(not page.run("return document.getElementById('game-moves').inert"), "the game cannot be walked")


def choose_next_game(page):
    page.run("document.getElementById('game').focus()")
    page.press_keys(Keys.ARROW_DOWN)


def check_editor_of_another_game(page):
    """What is being set up stays when another game is chosen, where White sees it, or mirrored with the board."""
    page.open("english")
    page.press("edit")
    page.press("clear")
    put(page, "wm", 21)
    put(page, "bk", 4)
    page.browser.find_element("css selector", "input[value=W]").click()
    page.run("window.asked = 0")
    page.answer_with("window.asked += 1; return ask();")
    for fen in ("W:W24:BK1", "W:W9:BK32", "W:W21:BK4"):
        choose_next_game(page)
        check(page.fen() == fen, f"{page.fen()} is set up, not {fen}")
        check_board_is_as_fen(page)
        check("set up" in page.text("state") and page.element("editor").is_displayed(), page.text("state"))
    check("for Russian" in page.text("news"), page.text("news"))
    check(page.run("return window.asked") == 0, "the database is asked about what is not to be seen")
    page.answer_by_server()
    page.press("done")
    page.wait_for_moves()
    check(page.fen() == "W:W21:BK4" and "a3" in page.label(21), f"{page.fen()}, {page.label(21)}")
    # Given up, it leaves the new game.
    page.press("edit")
    page.press("clear")
    choose_next_game(page)
    page.press("cancel")
    page.wait_for_moves()
    check(len(pieces_of(page.fen())) == 24, page.fen())
    check(page.run("return document.getElementById('game').value") == "brazilian", "another game")


def check_positions(page):
    check_forms(page)
    check_editor(page)
    check_editor_is_left(page)
    check_editor_of_another_game(page)
