#!/usr/bin/python3
"""page_test.py DEFIANCE [PICTURES]: uses the page of the position database in a browser as people do: by
mouse, touch and keyboard, on a wide and a narrow screen, in the light and in the dark, and when the database is
in trouble. Writes pictures of it into the folder PICTURES. Needs the Debian packages chromium, chromium-driver and
python3-selenium."""

import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

sys.dont_write_bytecode = True
from page_in_browser import PATIENCE, Keys, Page, check
from page_looks import check_looks, take_pictures
from page_positions import check_board_is_as_fen, check_positions, pieces_of
from page_trouble import check_trouble

# The square in the corner of White's left hand and right hand where there is one, as players call it.
CORNERS = {"english": ("29", None), "italian": (None, "32"), "spanish": (None, "1"),
           "russian": ("a1", None), "brazilian": ("a1", None), "czech": ("a1", None)}
BEGINS = {"english": "Black", "italian": "White", "spanish": "White",
          "russian": "White", "brazilian": "White", "czech": "White"}


def check_games(page):
    """Every game has its start position, and its squares where its players see them."""
    for game, corners in CORNERS.items():
        page.open(game)
        check(len(page.moves()) == 7, f"{game}: {len(page.moves())} moves at the start")
        check_board_is_as_fen(page)
        check(f"{BEGINS[game]} to move" in page.text("state"), f"{game}: who begins?")
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
        centres = page.run("return Object.fromEntries([...document.querySelectorAll('.square')].map(s => {"
                           "const r = s.getBoundingClientRect();"
                           "return [s.dataset.number, [r.x + r.width / 2, r.y + r.height / 2]]; }))")
        for move in page.moves():
            start, end = re.split("[-x]", move)[:2]
            (x, y), (to_x, to_y) = centres[start], centres[end]
            check(abs(abs(x - to_x) - abs(y - to_y)) < 2, f"{game}: {move} is no diagonal")


# With this seed a capture of several pieces comes in every game of check_game_by_clicks.
SEED = 57
PLIES_BY_MOUSE = 6


def check_game_by_clicks(page, game, longest_game):
    """A game with the moves of a die, each by clicks on its squares: of the mouse for the first ones and for captures
    of several pieces, of a script for the others, which is quicker."""
    page.open(game)
    die = random.Random(SEED)
    fens = [page.fen()]
    longest = 0
    while len(fens) <= longest_game and (moves := page.moves()):
        # In an order that does not depend on what the database has found out by now.
        move = die.choice(sorted(moves))
        squares = re.split("[-x]", move)
        longest = max(longest, len(squares))
        if len(fens) <= PLIES_BY_MOUSE or len(squares) > 2:
            for square in squares:
                if len(page.played()) == len(fens):
                    break    # there was no other way to go on
                page.square(square).click()
        else:
            page.run("for (const number of arguments[0])"
                     "document.querySelector(`.square[data-number='${number}']`).click()", squares)
        page.wait_for_ply(len(fens))
        fens.append(page.fen())
        check_board_is_as_fen(page)
        check(fens[-1][0] != fens[-2][0], f"{move}: the same side is to move")
    check(len(fens) > 12, f"{game}: over after {len(fens)} moves")
    check(longest > 2, f"{game}: no capture of several pieces")
    return fens


def check_walk(page, fens):
    """Back and forth through the game that was played."""
    last = len(fens) - 1
    page.press("back")
    check(page.fen() == fens[-2], "back")
    page.press("forward")
    check(page.fen() == fens[-1], "forward")
    check(not page.is_allowed("forward"), "forward beyond the end")
    page.press("first")
    check(page.fen() == fens[0], "to the first position")
    check(not page.is_allowed("back"), "back before the beginning")
    page.browser.find_elements("css selector", "#game-moves button")[last // 2 - 1].click()
    check(page.fen() == fens[last // 2], "a move of the list")
    page.wait_for_moves()
    check(len(page.played()) == last, "walking shortened the game")
    # The game is there when the page is loaded anew, with the place in it.
    page.browser.refresh()
    page.wait_for_moves()
    check(len(page.played()) == last and page.fen() == fens[last // 2], "the game is lost with the page")
    numbers = page.run("return [...document.querySelectorAll('#game-moves li')].map(i => i.firstChild.textContent)")
    check(numbers[:3] == ["1. ", "2. ", "3. "] and len(numbers) == (last + 1) // 2, f"numbers {numbers}")
    # The move that was played there leads on in the same game.
    page.press("first")
    page.wait_for_moves()
    name = page.played()[0]
    page.run("[...document.querySelectorAll('#moves button')].find(b => b.textContent === arguments[0]).click()", name)
    page.wait_for_moves()
    check(len(page.played()) == last and page.fen() == fens[1], "a move played again shortened the game")
    page.browser.find_elements("css selector", "#game-moves button")[last // 2 - 1].click()
    page.wait_for_moves()
    # Another move begins another end of the game.
    at = last // 2
    while len(page.moves()) < 2:
        page.press("back")
        at -= 1
    page.run("[...document.querySelectorAll('#moves button')].find(b => b.textContent !== arguments[0]).click()",
             page.played()[at])
    page.wait_for_ply(at + 1)
    # What is kept of another position, or is damaged, is passed over.
    damages = ("game = '{'", "game = null", "game = [1]", "game.at = 1.5", "game.at = -1", "game.entries = {}",
               "game.entries[0] = null", "game.entries[0].name = 1", "game.entries[0].squares = [33, 1]",
               "game.entries[game.at].fen = 'B:W32:B1'", "game.variant = 'czech'")
    sound = page.run("return history.state")
    for damage in damages:
        page.run("let game = arguments[0]; %s; history.replaceState(game, '')" % damage, sound)
        page.browser.refresh()
        page.wait_for_moves()
        check(page.played() == [] and page.moves(), f"{damage}: kept")
    # Where the second side begins, the first number is its own.
    page.open("english", "W:W32:B1")
    page.run("document.querySelector('#moves button').click()")
    page.wait_for_ply(1)
    check(page.text("game-moves").startswith("1..."), page.text("game-moves"))


def play_first_moves(page, count):
    for ply in range(count):
        page.run("document.querySelector('#moves button').click()")
        page.wait_for_ply(ply + 1)


def type_fen(page, text):
    field = page.element("fen")
    field.clear()
    field.send_keys(text, Keys.ENTER)


def check_text_that_is_none(page):
    """A text that is no position, or that nobody reads, leaves the game as it is and stays in the field."""
    page.open("english")
    play_first_moves(page, 3)
    played, moves, address = page.played(), page.moves(), page.browser.current_url
    type_fen(page, "W:W21,K3O:B1")
    page.wait_until_said("This is no position that can be played: the text is no FEN", "alert")
    check(page.played() == played and page.moves() == moves and page.browser.current_url == address, "another game")
    check(page.fen() == "W:W21,K3O:B1", f"the text is now {page.fen()}")
    page.answer_with("throw new TypeError('gone')")
    type_fen(page, "B:W32:B1")
    page.wait_until_said("The database does not answer.", "alert")
    check(page.played() == played and page.moves() == moves, "another game without an answer")
    check(not page.element("again").is_displayed(), "the moves are known, and are to be asked for again")
    page.answer_by_server()
    # The moves can be played again.
    page.run("document.querySelector('#moves button').click()")
    page.wait_for_ply(4)
    # What is set up stays too.
    page.press("edit")
    page.press("clear")
    page.square(18).click()
    type_fen(page, "nonsense")
    page.wait_until_said("the text is no FEN", "alert")
    check("set up" in page.text("state") and "white man" in page.label(18), page.text("state"))
    page.press("cancel")
    page.wait_for_moves()
    # One that goes on does not wait for the text.
    page.answer_with("""
        if (fields.get('board') === 'B:W32:B1') await new Promise((done) => { window.goOn = done; });
        return ask();""")
    type_fen(page, "B:W32:B1")
    page.press("back")
    page.wait_for_moves()
    page.browser.execute_async_script("goOn(); setTimeout(arguments[0], 100)")
    check(len(page.played()) == 4, "a text came late")
    page.answer_by_server()


def check_former_game(page):
    """The browser's Back leads from a new game to the one before, and Forward to the new one again."""
    def set_up(fen):
        page.press("edit")
        page.press("clear")
        page.square(18).click()
        page.press("done")

    def choose_games(_):
        # Each key chooses a game at once. Nothing is played in those that are passed.
        page.run("document.getElementById('game').focus()")
        page.press_keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        check(page.run("return document.getElementById('game').value") == "russian", "the keys choose no game")

    ways = (lambda fen: type_fen(page, fen), lambda fen: page.go_to("english", fen), set_up, choose_games)
    for number, leave in enumerate(ways):
        page.open("english")
        play_first_moves(page, 4)
        page.press("back")
        page.wait_for_moves()
        fen, played = page.fen(), page.played()
        leave("B:W32:B1")
        page.wait(lambda: page.played() == [], f"way {number}: no new game")
        page.wait_for_moves()
        other = page.fen()
        page.run("document.querySelector('#board [tabindex=\"0\"]').focus()")
        page.browser.back()
        page.wait(lambda: page.played() == played, f"way {number}: the game is lost")
        page.wait_for_moves()
        check(page.fen() == fen and page.is_allowed("forward"), f"way {number}: the place in the game is lost")
        check(page.run("return document.getElementById('game').value") == "english", f"way {number}: another board")
        check(page.focused().isdigit(), f"way {number}: the focus is lost to {page.focused()}")
        check_board_is_as_fen(page)
        page.browser.refresh()
        page.wait_for_moves()
        check(page.played() == played and page.fen() == fen, f"way {number}: the game is lost with the page")
        page.browser.forward()
        page.wait(lambda: page.fen() == other, f"way {number}: the new game is lost")
        page.wait_for_moves()
    # The same position is the same game.
    page.open("english")
    play_first_moves(page, 2)
    length = page.run("return history.length")
    type_fen(page, page.fen())
    page.wait_for_moves()
    check(len(page.played()) == 2 and page.run("return history.length") == length, "the same position is another game")


# A position whose moves have no score.
UNKNOWN = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,10,11,12,13"


def check_queue_and_go_on(page):
    """A position is queued also when one goes on before the database has answered."""
    page.open("english", UNKNOWN)
    page.answer_with("""
        if (action !== 'queue') return ask();
        await new Promise((done) => { window.goOn = done; });
        const reply = await ask();
        window.queued = (await reply.clone().json()).status;
        return reply;""")
    page.press("queue")
    page.run("document.querySelector('#moves button').click()")
    page.wait_for_ply(1)
    page.run("goOn()")
    page.wait(lambda: page.run("return window.queued") == "ok", "what was queued is lost")
    check(page.text("news") == "" and page.text("alert") == "", page.text("news"))
    page.answer_by_server()


def check_queue_without_moves(page):
    """Where the moves are not known, they can be asked for again until they are."""
    page.open("english")
    page.answer_with("""
        if (window.isGone) throw new TypeError('gone');
        return action === 'queue' ? answer({}) : ask();""")
    page.run("window.isGone = true")
    page.go_to("english", "B:W32:B1")
    page.wait_until_said("The database does not answer.", "alert")
    page.press("queue")
    page.wait_until_said("The database does not answer.", "alert")
    check(page.element("again").is_displayed(), "the moves cannot be asked for again")
    page.run("window.isGone = false")
    page.press("queue")
    page.wait_until_said("There is nothing to work out here.", "news")
    page.wait_for_moves()
    check(page.moves() and page.text("alert") == "", page.text("alert"))
    check(not page.element("again").is_displayed(), "known moves are to be asked for again")
    page.answer_by_server()


# What browsers of 2021 do not have.
OLDER_BROWSER = """
    window.hasOwn = Object.hasOwn;
    delete Object.hasOwn;
    delete Array.prototype.at;
    delete Array.prototype.findLast;
    delete HTMLElement.prototype.inert;"""


def check_older_browser(page):
    script = page.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": OLDER_BROWSER})
    page.go_to("english", is_anew=True)
    check(not page.run("return 'hasOwn' in Object || 'at' in [] || 'inert' in document.body"), "the browser is newer")
    # What drives the browser needs this itself.
    page.run("Object.hasOwn = window.hasOwn")
    page.wait_for_moves()
    for square in (11, 15):
        page.square(square).click()
    page.wait_for_ply(1)
    page.press_keys(Keys.END)
    check(page.focused() == page.run("return [...document.querySelectorAll('.row')].find(r => r.contains("
                                     "document.activeElement)).querySelector('.square:last-of-type').dataset.number"),
          f"End leads to {page.focused()}")
    page.press("back")
    page.wait_for_moves()
    page.press("edit")
    page.press("clear")
    page.square(18).click()
    page.browser.find_element("css selector", "#game-moves button").click()
    check("white man" in page.label(18) and "set up" in page.text("state"), "the game is walked while one sets up")
    page.press("cancel")
    page.wait_for_moves()
    page.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)
    page.open("english", is_anew=True)


def check_without_script(page):
    """Where the page cannot run it says what it needs."""
    check(not page.browser.find_elements("id", "cannot-run"), "the page runs and says that it cannot")
    command = page.browser.execute_cdp_cmd
    command("Network.enable", {})
    command("Network.setBlockedURLs", {"urls": ["*/choice.js"]})
    page.browser.get("about:blank")
    page.browser.get(f"{page.address}/")
    text = page.element("cannot-run")
    flashes = page.run("const style = getComputedStyle(document.getElementById('cannot-run'));"
                       "return style.visibility === 'visible' && performance.now() < 3000")
    check(not flashes, "the text flashes up")
    page.wait(text.is_displayed, "an empty page")
    check("needs JavaScript and a browser of" in text.text, text.text)
    command("Network.setBlockedURLs", {"urls": []})
    page.browser.get_log("browser")
    page.open("english", is_anew=True)


def check_keyboard(page):
    page.open("english", is_anew=True)
    page.run("document.getElementById('game').focus()")
    page.press_keys(Keys.TAB)
    check(page.focused() == "29", f"Tab leads to {page.focused()}")
    page.press_keys(*[Keys.ARROW_UP] * 5)
    while page.focused() != "11":
        page.press_keys(Keys.ARROW_RIGHT)
    page.press_keys(Keys.ENTER)
    check("chosen" in page.label(11) and "can be moved to" in page.label(15), "no square is chosen")
    page.press_keys(Keys.ESCAPE)
    check("chosen" not in page.label(11), "Escape does not let go")
    page.press_keys(Keys.SPACE, Keys.ARROW_DOWN)
    if page.focused() != "15":
        page.press_keys(Keys.ARROW_LEFT)
    page.press_keys(Keys.ENTER)
    page.wait_for_ply(1)
    check(page.played() == ["11-15"], f"{page.played()} was played")
    page.wait_until_said("Black played 11-15. White to move.")
    check(page.focused() == "15", "the focus is lost")
    page.press_keys("b")
    check(not page.is_allowed("back"), "B does not go back")
    page.press_keys("N")    # as with Caps Lock
    check(page.is_allowed("back"), "N does not go forward")
    page.wait_for_moves()
    # There is nowhere to go: nothing is asked anew.
    page.press_keys("n")
    check(page.is_answered(), "N beyond the end loads the position again")
    # Moves by their names, and from the list.
    field = page.element("move-text")
    field.send_keys("23-12", Keys.ENTER)
    check("no move here" in page.text("alert"), "an illegal move is taken")
    field.clear()
    field.send_keys("23-19", Keys.ENTER)
    page.wait_for_ply(2)
    check(page.text("alert") == "", "the complaint stays")
    page.run("document.querySelector('#moves button').focus()")
    page.press_keys("b")
    check(len(page.played()) == 2 and not page.is_allowed("forward"), "B goes back from the list")
    page.press_keys(Keys.ENTER)
    page.wait_for_ply(3)
    check(page.focused() == page.moves()[0], f"the list lost the focus to {page.focused()}")


def check_move_text(page):
    """Moves are typed as people write them, also with two digits for every square."""
    for text in ("9-14", "09-14", " 09 14"):
        page.open("english")
        page.element("move-text").send_keys(text, Keys.ENTER)
        page.wait_for_ply(1)
        check(page.played() == ["9-14"], f"{text}: {page.played()} was played")
    page.open("english", "B:W15:B8,1")
    page.element("move-text").send_keys("08x15", Keys.ENTER)
    check("'08x15' is no move here." in page.text("alert"), page.text("alert"))
    page.element("move-text").clear()
    page.open("english", "B:W6,7,14,15:B2")
    page.element("move-text").send_keys("2x18", Keys.ENTER)
    check("several ways" in page.text("alert"), page.text("alert"))
    page.element("move-text").clear()
    page.open("english", "B:W11:B8,1")
    page.element("move-text").send_keys("08x15", Keys.ENTER)
    page.wait_for_ply(1)
    check(page.fen() == "W:W:B1,15", page.fen())


def check_focus(page):
    """The focus stays where it is, or goes to what is nearest."""
    page.run("document.getElementById('back').focus()")
    for _ in range(3):
        page.press_keys(Keys.ENTER)
        page.wait_for_moves()
    check(page.focused() == "back" and not page.is_allowed("back"), f"{page.focused()} has the focus of Back")
    page.press_keys(Keys.ENTER)
    check(page.is_answered(), "Back goes on at the beginning")
    # The game that has the focus is gone.
    page.run("document.querySelector('#game-moves button').focus()")
    page.open("english", "B:W32:B1")
    check(page.focused().isdigit(), f"{page.focused()} has the focus of the game")
    # A key that is held down does not run through the game.
    page.run("""document.querySelector('.square[tabindex="0"]').focus()""")
    page.run("document.querySelector('#moves button').click()")
    page.wait_for_ply(1)
    page.run("document.activeElement.dispatchEvent(new KeyboardEvent('keydown', "
             "{ key: 'b', bubbles: true, repeat: true }))")
    check(page.is_allowed("back"), "a key that is held down goes back")


def check_news(page):
    """What becomes of a choice is told beside what is so of the position."""
    page.open("english")
    page.square(14).click()
    check(page.text("news") == "No move begins on 14." and "to move" in page.text("state"), page.text("news"))
    page.square(11).click()
    check(page.text("news") == "", "the news stay")
    page.open("english", "B:W15,32:B11,1")
    check("A capture must be made." in page.text("state"), page.text("state"))
    page.square(1).click()
    check(page.text("news") == "No move begins on 1. A capture must be made.", page.text("news"))
    page.square(32).click()
    check(page.text("news") == "No move begins on 32.", page.text("news"))


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
    check("can be moved to" in page.label(path[-1]), "the end is not marked")
    page.square(path[-1]).click()
    page.wait_for_ply(1)


def check_ambiguous_captures(page):
    """An end of several captures is not played before it is clear which is meant."""
    page.open("english", "B:W6,7,14,15:B2")
    for square in (2, 18):
        page.square(square).click()
    check("several ways" in page.text("news") and "chosen" in page.label(2), page.text("news"))
    check("can be moved to" not in page.label(18), "an end of two moves is marked")
    page.square(11).click()
    check("can be moved to" in page.label(18), "an end of one move is not marked")
    page.square(18).click()
    page.wait_for_ply(1)
    check(pieces_of(page.fen()).keys() == {6, 14, 18}, page.fen())
    # A king that comes back to where it began, over both ways.
    for squares in ((2, 9, 18, 11, 2), (2, 11, 18, 9, 2), (2, 9, 2)):
        page.open("english", "B:W6,7,14,15:BK2")
        page.square(2).click()
        page.square(2).click()
        check("chosen" not in page.label(2) and page.played() == [], "a king is not let go")
        for square in squares:
            check(page.played() == [], f"{squares}: played before {square}")
            page.square(square).click()
        page.wait_for_ply(1)
        check(pieces_of(page.fen()) == {2: "black king"}, f"{squares}: {page.fen()}")
    # A flying king lands where it likes.
    page.open("russian", "W:WKa1:Bc3,h2")
    page.square(29).click()
    ends = [square for square in range(1, 33) if "can be moved to" in page.label(square)]
    check(len(ends) == len(page.moves()) > 2, f"{ends} for {page.moves()}")
    page.square(ends[1]).click()
    page.wait_for_ply(1)
    check(ends[1] in pieces_of(page.fen()), page.fen())


# Moves whose squares no game has, for what is rare.
RARE_CHOICES = """
    const done = arguments[0];
    Promise.all([import('/choice.js'), import('/games.js')]).then(([choice, { games }]) => {
      const paths = choice.pathsOf(games.english, [{ uci: '1x10x19' }, { uci: '1x8x10' }]);
      done([choice.chooseSquare(paths, [1], 10), choice.chooseSquare(paths, [1], 19).move?.uci]);
    }).catch((error) => done([String(error), '']));"""


def check_rare_choices(page):
    """A landing of one move that is the end of another is not played at once."""
    page.open("english")
    landing, end = page.browser.execute_async_script(RARE_CHOICES)
    check(landing == {"squares": [1, 10]} and end == "1x10x19", f"{landing}, {end}")


def use(page):
    check_games(page)
    for game in CORNERS:
        is_walked = game == "english"
        fens = check_game_by_clicks(page, game, 24 if is_walked else 12)
        if is_walked:
            check_walk(page, fens)
    check_text_that_is_none(page)
    check_former_game(page)
    check_queue_and_go_on(page)
    check_queue_without_moves(page)
    check_older_browser(page)
    check_without_script(page)
    check_keyboard(page)
    check_move_text(page)
    check_focus(page)
    check_news(page)
    check_captures(page)
    check_ambiguous_captures(page)
    check_rare_choices(page)
    check_positions(page)
    check_end(page)
    check_trouble(page)
    check_looks(page)


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


def interrupt(server):
    """Ctrl-C ends the server in order."""
    if server.poll() is not None:
        return    # what went before has failed because of it
    server.send_signal(signal.SIGINT)
    try:
        status = server.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
        raise AssertionError("the server does not end after Ctrl-C") from None
    check(status == 0, f"the server ends with {status} after Ctrl-C")


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
            interrupt(server)


main()
