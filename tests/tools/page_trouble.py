"""What the page of the position database does when answers are late, few or none, for page_test.py."""

import time

from page_in_browser import Keys, check


def check_no_answer(page):
    """The server is gone: the page says so, and asks again when it is told to."""
    for answer, words in (("throw new TypeError('gone')", "The database does not answer."),
                          ("return answer({}, 503)", "The database answers with an error (503).")):
        page.open("english")
        page.answer_with(answer)
        # The move that has the focus is gone with the list.
        page.run("document.querySelector('#moves button').focus()")
        page.press_keys(Keys.ENTER)
        page.wait_until_said(words, "alert")
        check("The moves are not known." in page.text("state") and page.listed() == [], page.text("state"))
        check(page.focused() == "again", f"the focus is lost to {page.focused()}")
        page.square(14).click()
        check("not known yet" in page.text("news"), page.text("news"))
        page.press("again")
        page.wait_until_said(words, "alert")
        page.answer_by_server()
        page.press("again")
        page.wait_for_moves()
        check(page.text("alert") == "" and not page.element("again").is_displayed(), "the complaint stays")
        check(page.moves() and page.focused() == page.moves()[0], f"the focus is lost to {page.focused()}")


def check_faulty_answer(page):
    """An error of the page is told as one, not as what the program says of it."""
    page.open("english")
    page.browser.get_log("browser")
    page.answer_with("return action === 'queryall' ? answer({ status: 'ok', moves: [{}] }) : ask()")
    page.go_to("english", "B:W32:B1")
    page.wait_until_said("Something went wrong on this page.", "alert")
    check(page.browser.get_log("browser"), "nothing for who mends the page")
    page.answer_by_server()


def check_no_line(page):
    """Without a line there are moves."""
    page.open("english")
    page.answer_with("return action === 'querypv' ? answer({}, 500) : ask()")
    page.open("english", "B:W32:B1")
    check(page.moves() and page.text("alert") == "", page.text("alert"))
    page.wait(lambda: page.text("line") == "The database did not say.", "the line")
    page.answer_by_server()


def check_too_many(page):
    """The page asks again by itself when it has asked too much."""
    page.open("english")
    for refusal in ("answer({ status: 'rate limit exceeded' })", "answer({}, 429)"):
        page.run("window.refused = false")
        page.answer_with(f"if (refused || fields.get('board') !== 'B:W32:B1') return ask();"
                         f"window.refused = true; return {refusal};")
        page.go_to("english", "B:W32:B1")
        page.wait_until_said("Too many questions at once. The page asks again in a moment.")
        page.wait_for_moves()
        check(page.moves() and page.text("alert") == "", page.text("alert"))
        page.answer_by_server()
        page.open("english")


def check_late_answers(page):
    """What comes late for another position is not shown. Old moves stay in sight for a while, but do nothing."""
    page.open("english")
    moves = page.moves()
    # The page cannot end these.
    page.answer_with("""
        const isHeld = window.isHolding;
        if (isHeld) await new Promise((done) => (window.held ??= []).push(done));
        return isHeld ? answer({ status: 'ok', moves: [], fen: 'W:W1:BK32' }) : ask();""")
    page.run("window.isHolding = true")
    seen = page.run("""
        const rows = () => document.querySelectorAll('#moves button');
        rows()[0].click();
        const seen = [rows().length, document.getElementById('moves-box').ariaBusy,
          document.getElementById('line').textContent];
        rows()[0].click();
        return [...seen, document.querySelectorAll('#game-moves button').length];""")
    check(seen == [len(moves), "true", "…", 1], f"while it is asked: {seen}")
    page.square(14).click()
    check(page.text("news") == "The moves are not known yet.", page.text("news"))
    page.element("move-text").send_keys("23-19", Keys.ENTER)
    check(page.text("news") == "The moves are not known yet." and page.text("alert") == "", page.text("alert"))
    page.element("move-text").clear()
    page.wait(lambda: page.listed() == [], "the old moves stay")
    page.run("window.isHolding = false")
    page.press("back")
    page.wait_for_moves()
    fen = page.fen()
    page.browser.execute_async_script("held.forEach((done) => done()); setTimeout(arguments[0], 50)")
    check(page.moves() == moves and page.fen() == fen, f"{page.fen()} came late")
    # In the editor too.
    page.run("window.held = []; window.isHolding = true; document.getElementById('forward').click()")
    page.press("edit")
    page.browser.execute_async_script("held.forEach((done) => done()); setTimeout(arguments[0], 50)")
    check(page.listed() == [] and "set up" in page.text("state"), page.text("state"))
    page.answer_by_server()
    page.press("cancel")
    page.wait_for_moves()


def check_unknown(page):
    """A position whose moves have no score is explained, and shows the scores when they come."""
    fen = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,11,12,14"
    page.open("english", fen)
    check("does not know its moves yet; queue it" in page.text("state"), page.text("state"))
    # A move keeps the focus when scores come.
    page.run("document.querySelectorAll('#moves button')[2].focus()")
    focused = page.focused()
    page.run("document.getElementById('queue').click(); document.getElementById('queue').click()")
    page.wait_until_said("Queued.", "news")
    page.wait(lambda: "?" not in page.text("moves"), "the position was not worked out")
    page.wait_until_said("have been worked out", "news")
    check("Best:" in page.text("state") and page.focused() == focused, f"{page.focused()} after {focused}")
    # The server works out what one steps into, and the page shows it by itself.
    page.run("document.querySelector('#moves button').click()")
    page.wait_for_ply(1)
    page.wait(lambda: page.listed() and "?" not in page.text("moves"), "the next position was not worked out")
    page.open("english", "W:W:B1")
    page.press("queue")
    page.wait_until_said("nothing to work out", "news")


# Time goes faster for who looks again; nothing is ever worked out.
FAST_WATCH = """
    window.realTimeout ??= window.setTimeout;
    window.setTimeout = (action, time) => realTimeout(action, time === 3000 ? 5 : time);
    window.looks = 0;"""
NEVER_KNOWN = """
    if (action === 'queue') return answer(window.queued ?? { status: 'ok' });
    if (action === 'queryall') window.looks += 1;
    return ask();"""


def check_watch(page):
    """The page looks again so many times, but not unseen, and says when it gives up."""
    fen = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,13,14"
    page.open("english")
    page.answer_with(NEVER_KNOWN)
    page.run(FAST_WATCH)
    page.open("english", fen)
    page.wait(lambda: page.run("return looks") == 11, "the looks that nobody asked for")
    page.run("window.looks = 0; document.getElementById('queue').click(); document.getElementById('queue').click()")
    page.wait_until_said("Not worked out yet.", "news")
    looks = page.run("return looks")
    check(40 <= looks <= 42, f"{looks} looks for two presses")
    # A refusal is told once.
    page.run("window.queued = { status: 'permission denied' }")
    page.press("queue")
    page.wait_until_said("does not permit", "alert")
    page.run("window.queued = { status: 'ok' }")
    page.press("queue")
    page.wait_until_said("Queued.", "news")
    check(page.text("alert") == "", "the complaint stays")
    # Unseen.
    page.run("Object.defineProperty(document, 'visibilityState', { get: () => window.seen, configurable: true });"
             "window.seen = 'hidden'")
    page.press("queue")
    page.wait_until_said("Queued.", "news")
    time.sleep(0.2)
    page.run("window.looks = 0")
    time.sleep(0.5)
    check(page.run("return looks") == 0, "it looks unseen")
    page.run("window.seen = 'visible'; document.dispatchEvent(new Event('visibilitychange'))")
    check(page.run("return looks") > 0, "it does not look when it is seen again")
    page.wait_until_said("Not worked out yet.", "news")
    page.run("delete document.visibilityState; window.setTimeout = realTimeout")
    page.answer_by_server()


def check_late_failure(page):
    """A question that fails late leaves no complaint when the page has looked again."""
    page.open("english")
    page.answer_with("""
        if (action === 'queue') return answer({ status: 'ok' });
        if (action === 'queryall' && window.isFirst) {
          window.isFirst = false;
          await new Promise((done) => { window.fail = done; });
          return answer({}, 503);
        }
        return ask();""")
    page.run("window.realTimeout ??= window.setTimeout;"
             "window.setTimeout = (action, time) => realTimeout(action, time === 3000 ? 1500 : time);"
             "window.isFirst = true; document.querySelector('#moves button').click()")
    page.press("queue")
    page.wait_until_said("Queued.", "news")
    page.run("fail()")
    page.wait_until_said("The database answers with an error (503).", "alert")
    page.wait_for_moves()
    check(page.text("alert") == "" and not page.element("again").is_displayed(), "the complaint stays")
    page.run("window.setTimeout = realTimeout")
    page.answer_by_server()


def check_trouble(page):
    check_no_answer(page)
    check_faulty_answer(page)
    check_no_line(page)
    check_too_many(page)
    check_late_answers(page)
    check_unknown(page)
    check_watch(page)
    check_late_failure(page)
