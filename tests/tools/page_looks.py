"""How the page of the position database looks, on all kinds of screens and to screen readers, for page_test.py."""

import json
import os
import re

from page_in_browser import check


def luminance(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def check_texts(page):
    """Texts stand out by the 4.5 of WCAG 2."""
    found = page.run("""
        const behind = (e) => { const c = getComputedStyle(e).backgroundColor;
          return c === 'rgba(0, 0, 0, 0)' && e.parentElement ? behind(e.parentElement) : c; };
        const texts = 'h1,p,th,td,button:not([aria-disabled="true"]),label,summary,.name';
        return [...document.querySelectorAll(texts)]
          .filter((e) => e.textContent.trim() && e.offsetParent)
          .map((e) => [e.textContent.trim(), getComputedStyle(e).color, behind(e)]);""")
    check(len(found) > 60, "few texts")
    for text, ink, ground in found:
        check(contrast(ink, ground) >= 4.5, f"'{text}' is hard to read: {ink} on {ground}")


def check_marks(page):
    """What else has a meaning stands out by 3: marks have a rim that does so from the square and from the
    mark."""
    page.square(11).click()
    inputs, marks = page.run("""
        const style = (selector, part) => getComputedStyle(document.querySelector(selector), part);
        const page = style('body').backgroundColor;
        const square = style('.square').backgroundColor;
        const rim = (shadow) => shadow.match(/rgba?\\([^)]*\\)/g).at(-1);
        const mark = (shadow) => shadow.match(/rgba?\\([^)]*\\)/g)[0];
        const dot = style('.target', '::after');
        const frame = style('.chosen').boxShadow;
        return [
          ['#fen', '#move-text', '#game'].map((id) => [style(id).borderTopColor, page]),
          [[dot.backgroundColor, rim(dot.boxShadow), square], [mark(frame), rim(frame), square]],
        ];""")
    for border, ground in inputs:
        check(contrast(border, ground) >= 3, f"the border {border} of a field on {ground}")
    for mark, rim, square in marks:
        check(contrast(mark, rim) >= 3, f"a mark {mark} with a rim {rim}")
        check(max(contrast(mark, square), contrast(rim, square)) >= 3, f"a mark {mark}, {rim} on {square}")
    page.square(11).click()


def check_colours(page):
    paper = {}
    for is_dark in (False, True):
        page.shape(1100, 800, is_dark)
        page.open("english")
        check_texts(page)
        check_marks(page)
        paper[is_dark] = luminance(page.run("return getComputedStyle(document.body).backgroundColor"))
    check(paper[True] < 0.1 < 0.8 < paper[False], f"dark and light are {paper}")


def check_own_colours(page):
    """Marks and squares can be seen with colours that the user has set."""
    page.shape(1100, 800)
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                 {"features": [{"name": "forced-colors", "value": "active"}]})
    page.open("english")
    page.square(11).click()
    dot, ground, border, chosen = page.run("""
        const style = (selector, part) => getComputedStyle(document.querySelector(selector), part);
        return [style('.target', '::after').backgroundColor, style('.target').backgroundColor,
          style('.target').borderTopWidth, style('.chosen').borderTopWidth];""")
    check(contrast(dot, ground) >= 3, f"a dot of {dot} on {ground}")
    check(border == "1px" and chosen == "3px", f"borders of {border} and {chosen}")
    page.square(11).click()


def check_telephone(page):
    for width in (320, 390):
        page.shape(width, 720, False, True)
        page.open("italian")
        wide = page.run("return document.documentElement.scrollWidth")
        check(wide <= width, f"{wide} pixels on a screen of {width}")
        check(page.square(1).size["width"] >= 36, "squares too small for a finger")
        check(not page.run("return document.querySelector('.occupied .name').offsetParent"), "names under pieces")
        page.tap(22)
        check("chosen" in page.label(22), "a touch chooses nothing")
        page.tap(18)
        page.wait_for_ply(1)
        # Setting up by touch.
        page.press("edit")
        page.run("document.querySelector('input[value=wm]').click()")
        page.tap(18)
        check(page.text("news") == "18 is empty.", page.text("news"))
        page.tap(14)
        check("white man" in page.label(14), page.label(14))
        page.press("cancel")
        page.wait_for_moves()


# Long captures whose scores are long too.
LONG_ANSWER = """
    if (action !== 'queryall') return ask();
    const moves = ['27x18x11x4x13x22x31', '27x18x11x4x13x22x15'].map((uci) => ({ uci, san: uci, score: -29887,
      rank: 2, depth: 113, note: '! (12-10)', fen: 'B:W4:B1' }));
    return answer({ status: 'ok', moves, fen: fields.get('board') });"""


def check_long_table(page):
    """A table that is too wide is moved sideways, also by keys, and the page stays as it is."""
    page.shape(320, 720, False, True)
    page.open("english")
    page.answer_with(LONG_ANSWER)
    page.open("english", "W:W27:B23")
    check("loss in 113 plies" in page.text("moves"), page.text("moves"))
    wide, box, tab = page.run("const box = document.getElementById('moves-box'); return ["
                              "document.documentElement.scrollWidth, box.scrollWidth > box.clientWidth, box.tabIndex]")
    check(wide <= 320 and box and tab == 0, f"{wide} pixels; the table: {box}, {tab}")
    page.answer_by_server()
    page.shape(1100, 800)
    page.open("english")
    page.wait(lambda: not page.element("moves-box").get_attribute("tabindex"), "Tab stops at a table that fits")


def check_ranks(page):
    """Where the database ranks all moves alike, because the best one is bad, the best still stand out."""
    names = ("9-13", "9-14", "10-14", "10-15")
    for scores, ranks, words in (((-60, -60, -69, -75), (0, 0, 0, 0), ["best", "best", "good", "weak"]),
                                 ((-29950, -29950, -29974, "??"), (0, 0, 0, 0), ["best", "best", "weak", ""]),
                                 ((20, 17, 15, -60), (2, 1, 0, 0), ["best", "good", "weak", "weak"])):
        moves = [{"uci": name, "san": name, "score": score, "rank": rank, "note": "", "fen": "W:W32:B13"}
                 for name, score, rank in zip(names, scores, ranks)]
        reply = json.dumps({"status": "ok", "moves": moves})
        page.open("english")
        page.answer_with(f"return action === 'queryall' ? answer({reply}) : ask()")
        page.open("english", "B:W32:B9,10")
        shown = page.run("return [...document.querySelectorAll('#moves tbody td:nth-child(3)')]"
                         ".map((cell) => [cell.textContent, cell.className])")
        numbers = {"best": "rank2", "good": "rank1", "weak": "rank0", "": ""}
        check(shown == [[word, numbers[word]] for word in words], f"{scores}: {shown}")
        page.answer_by_server()


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
    check("9-13" in by_role.get("rowheader", []), f"rows: {by_role.get('rowheader')}")
    check(len(by_role.get("status", [])) == 2 and "alert" in by_role, f"told in {by_role.get('status')}")
    for role in ("button", "textbox", "combobox", "radio", "region"):
        check(all(by_role.get(role, ["?"])), f"a {role} without a name")
    in_order = page.run("return document.querySelectorAll('.square[tabindex=\"0\"]').length")
    check(in_order == 1, f"Tab stops {in_order} times on the board")


def check_nothing_from_elsewhere(page):
    origins = page.run("return [...new Set(performance.getEntriesByType('resource')"
                       ".map(e => new URL(e.name).origin))]")
    check(origins == [page.address], f"asked {origins}")
    problems = [entry["message"] for entry in page.browser.get_log("browser")]
    check(problems == [], f"the browser complains: {problems}")


def check_looks(page):
    check_colours(page)
    check_own_colours(page)
    check_telephone(page)
    check_long_table(page)
    check_ranks(page)
    check_for_readers(page)
    check_nothing_from_elsewhere(page)


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
        page.press("forward")
        page.wait_for_moves()
        page.wait(lambda: page.text("line") != "…", "no line")
        page.run("document.activeElement.blur(); scrollTo(0, 0)")
        page.browser.save_screenshot(os.path.join(folder, f"{name}.png"))
