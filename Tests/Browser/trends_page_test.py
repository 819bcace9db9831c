"""The page of trends over a server with a year of records: on a phone and on a desk, in the light and in the dark, live, and with tokens
that are taken back.

Usage: trends_page_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM

NEPHOS_SCREENSHOTS names a folder for pictures of what is looked at.
"""

import json
import os
import pathlib
import random
import re
import sys
import tempfile
import time
import urllib.request

from chromium import launch
from late_clock import LateClock
from nephos import PATIENCE, Nephos
from playwright.sync_api import Browser, Page, Route, expect, sync_playwright
from sight import WIDTHS, look, read

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS = ["S4-1", "S4-4", "S4-5", "S4-6", "S4-11", "S4-15", "S4-22", "S4-24", "S4-30"]
CONTAINER, OTHER = "iCloud.org.nephos.novenas", "iCloud.org.nephos.stickers"
LONG = "AnExceptionallyLongNameOfARecordTypeThatNobodyWouldChoose"
DAY, DAYS = 86_400, 400
SHOTS = os.environ.get("NEPHOS_SCREENSHOTS")

SCHEMA = "DEFINE SCHEMA\n" + "".join(
    f'RECORD TYPE {name} ("___recordID" REFERENCE QUERYABLE, text STRING, names LIST<STRING>, GRANT WRITE TO "_creator", '
    'GRANT CREATE TO "_icloud", GRANT READ TO "_world");\n'
    for name in ("Post", "Comment", "Reaction", LONG))


class Past:
    """A server whose clock this test moves."""

    def __init__(self, program: str, folder: str) -> None:
        self.folder, self.clock = pathlib.Path(folder), LateClock(folder)
        self.move(DAYS)
        data = self.folder / "data"
        data.mkdir()
        self.nephos = Nephos(program, str(data), environment={**self.clock.environment, "NEPHOS_LOG_LEVEL": "trace"})

    def move(self, days: int) -> None:
        self.clock.set(-days * DAY)


def fill(past: Past) -> None:
    """Posts that grow over the weeks, fewer on weekends; comments for half a year; a day with very many; some deletions."""
    nephos, chance = past.nephos, random.Random(7)
    schema = past.folder / "schema.ckdb"
    schema.write_text(SCHEMA)
    schema.chmod(0o644)
    for container in (CONTAINER, OTHER):
        nephos.run("container", "create", container)
        nephos.run("schema", "import", container, str(schema))
    api = nephos.run("token", "create", CONTAINER)
    nephos.run("account", "create", "ada@example.org")
    kept: list[str] = []
    for day in range(DAYS, -1, -1):
        past.move(day)
        if day % 10 == 0:
            web = nephos.run("session", "create", CONTAINER, "ada@example.org")
        week = 0.55 if (DAYS - day) % 7 in (5, 6) else 1.0
        counts = {
            "Post": int((4 + (DAYS - day) / 25) * week * chance.uniform(0.6, 1.4)),
            "Comment": int((DAYS - day - 200) / 8 * week * chance.uniform(0.5, 1.5)) if day < 200 else 0,
            LONG: 1 if chance.random() < 0.1 else 0,
        }
        if day == 12:
            counts["Post"] *= 6
        gone = [kept.pop(chance.randrange(len(kept))) for _ in range(len(kept) // 500)]
        operations = [{"operationType": "forceDelete", "record": {"recordName": name}} for name in gone]
        for kind, count in counts.items():
            for number in range(max(0, count)):
                name = f"{kind[:7]}-{day}-{number}"
                kept.append(name)
                operations.append({"operationType": "create", "record": {"recordName": name, "recordType": kind, "fields": {}}})
        for start in range(0, len(operations), 200):
            body = {"operations": operations[start:start + 200]}
            answer = nephos.ask(f"{CONTAINER}/development/public/records/modify", body, ckAPIToken=api, ckWebAuthToken=web)
            faults = [record for record in answer["records"] if "serverErrorCode" in record]
            assert not faults, faults[0]


def save(nephos: Nephos, kind: str = "Post") -> None:
    nephos.run("records", "create", CONTAINER, "--record-type", kind, "--fields-json", "{}")


def address(nephos: Nephos, token: str, more: str = "") -> str:
    return f"{nephos.url}/nephos/1/{CONTAINER}/development/trends/#token={token}{more}"


def path(container: str) -> str:
    return f"/nephos/1/{container}/development/trends/"


class Visit:
    """An open page, and everything that goes wrong there."""

    def __init__(self, browser: Browser, url: str, scheme: str = "light", width: int = 1200, height: int = 900) -> None:
        self.page: Page = browser.new_page(
            color_scheme=scheme, viewport={"width": width, "height": height}, has_touch=width < 500, timezone_id="Asia/Tokyo")
        self.problems: list[str] = []
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("dialog", lambda dialog: self.problems.append("a script has run"))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.requests: list[str] = []
        self.page.goto(url)

    def card(self, name: str, place: int = 0):
        return self.page.locator(".place").nth(place).locator(".card").filter(has=self.page.get_by_role("button", name=name, exact=True))

    def open(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()
        expect(self.page.locator(".large figure svg text").first).to_be_attached()

    def shoot(self, name: str) -> None:
        if SHOTS:
            self.page.screenshot(path=f"{SHOTS}/{name}.png", full_page=True)

    def end(self) -> None:
        assert not self.problems, self.problems
        self.page.close()


def today(visit: Visit, name: str) -> int:
    return int(visit.card(name).locator(".today b").inner_text().replace(",", ""))


def readable(browser: Browser, nephos: Nephos, token: str) -> None:
    """Cards and a large chart of each kind, at each width, light and dark, and on paper."""
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            visit = Visit(browser, address(nephos, token), scheme, width)
            expect(visit.page.locator(".card")).to_have_count(5)
            expect(visit.page.locator(".said")).to_have_text("Live")
            expect(visit.page.locator(".spark svg")).to_have_count(5)
            try:
                look(visit.page)
                read(visit.page)
                visit.shoot(f"cards-{width}-{scheme}")
                visit.open("Post")
                for view in ("Net", "Live", "New"):
                    visit.page.get_by_role("radio", name=view, exact=True).check()
                    expect(visit.page.locator(".large h3")).to_contain_text(
                        {"New": "New records", "Net": "Change of", "Live": "Records of"}[view])
                    look(visit.page)
                for by in ("Weeks", "Months", "Years", "Days"):
                    visit.page.get_by_role("radio", name=by, exact=True).check()
                    expect(visit.page.locator(".large h3")).to_contain_text(f"by {by[:-1].lower()}")
                    charts, texts = look(visit.page)
                    assert charts == 6 and texts > 4, (charts, texts)
                    read(visit.page)
                    if by in ("Months", "Days"):
                        visit.shoot(f"{by.lower()}-{width}-{scheme}")
                visit.page.get_by_role("button", name="From the first day").click()
                expect(visit.page.locator(".large tbody tr")).to_have_count(DAYS + 1)
                look(visit.page)
                visit.shoot(f"all-{width}-{scheme}")
                visit.page.emulate_media(media="print")
                look(visit.page)
            except AssertionError as error:
                raise AssertionError(f"{scheme}, {width} pixels: {error}") from None
            visit.end()


def moved(browser: Browser, nephos: Nephos, token: str) -> None:
    """From today back to the first day and forward again; by keyboard alone; and a bookmark that shows the same."""
    visit = Visit(browser, address(nephos, token))
    page = visit.page
    expect(page.locator(".card")).to_have_count(5)
    page.get_by_role("button", name="Post", exact=True).focus()
    page.keyboard.press("Enter")
    rows = page.locator(".large tbody tr")
    expect(rows).to_have_count(31)
    newest = rows.first.locator("th").inner_text()
    assert newest.endswith("so far"), newest
    earlier, later = page.get_by_role("button", name="Earlier"), page.get_by_role("button", name="Later")
    expect(later).to_be_disabled()
    oldest = rows.last.locator("th").inner_text()
    earlier.click()
    expect(rows.first.locator("th")).not_to_have_text(newest)
    assert rows.first.locator("th").inner_text() < oldest
    later.click()
    expect(rows.first.locator("th")).to_have_text(newest)
    while earlier.is_enabled():
        before = rows.first.locator("th").inner_text()
        earlier.click()
        expect(rows.first.locator("th")).not_to_have_text(before)
    page.get_by_role("button", name="Up to today").click()
    expect(rows.first.locator("th")).to_have_text(newest)
    # With the keyboard, months are one step to the right of days.
    page.locator(".by input").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".large h3")).to_have_text("New records of Post by month")
    assert "by=month" in page.url and "open=0,Post" in page.url, page.url
    page.locator("#zone").select_option("Asia/Tokyo")
    expect(page.locator(".range")).to_contain_text("in days of Asia/Tokyo")
    again = Visit(browser, page.url)
    expect(again.page.locator(".large h3")).to_have_text("New records of Post by month")
    expect(again.page.locator(".range")).to_have_text(page.locator(".range").inner_text())
    again.end()
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".large")).to_have_count(0)
    page.keyboard.press("Enter")
    expect(page.locator(".large h3")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".large")).to_have_count(0)
    expect(page.get_by_role("button", name="Post", exact=True)).to_be_focused()
    assert token not in "".join(visit.requests) and all(url.startswith((nephos.url, "data:")) for url in visit.requests), visit.requests
    visit.end()


def live(browser: Browser, nephos: Nephos, token: str) -> None:
    visit = Visit(browser, address(nephos, token))
    expect(visit.page.locator(".said")).to_have_text("Live")
    visit.open("Reaction")
    before = today(visit, "Reaction")
    for count in (1, 2):
        save(nephos, "Reaction")
        expect(visit.card("Reaction").locator(".today b")).to_have_text(str(before + count))
        expect(visit.page.locator(".large .range")).to_contain_text(f"{before + count} created")
    visit.end()


def several(browser: Browser, nephos: Nephos, token: str, other: str) -> None:
    """Two containers side by side, by a link, and by typing."""
    visit = Visit(browser, address(nephos, token, f"&also={path(OTHER)},{other}"))
    expect(visit.page.locator(".place h2")).to_have_text([CONTAINER, OTHER])
    expect(visit.page.locator(".said")).to_have_text(["Live", "Live"])
    look(visit.page)
    visit.shoot("several")
    visit.end()
    production = [path(name).replace("development", "production") for name in (CONTAINER, OTHER)]
    tokens = [nephos.run("trends", "token", "create", name, "--environment", "production") for name in (CONTAINER, OTHER)]
    more = "".join(f"&also={place},{token}" for place, token in zip(production, tokens))
    many = Visit(browser, address(nephos, token, f"&also={path(OTHER)},{other}{more}"))
    expect(many.page.locator(".environment")).to_have_text(["development", "development", "production", "production"])
    # Browsers open few connections to one server.
    expect(many.page.locator(".said")).to_have_text(["Live", "Live", "Live", "Updated every 15 seconds"])
    many.end()
    typed = Visit(browser, address(nephos, token))
    typed.page.get_by_text("Add another container").click()
    typed.page.get_by_label("Container").fill(OTHER)
    typed.page.get_by_label("Environment").select_option("development")
    typed.page.get_by_label("Token").locator("visible=true").fill(other)
    typed.page.get_by_role("button", name="Add").click()
    expect(typed.page.locator(".place h2")).to_have_text([CONTAINER, OTHER])
    expect(typed.page.locator(".said")).to_have_text(["Live", "Live"])
    read(typed.page)
    typed.page.get_by_role("button", name="Remove").click()
    expect(typed.page.locator(".place h2")).to_have_text([CONTAINER])
    typed.end()


def hostile(browser: Browser, nephos: Nephos, token: str) -> None:
    """If a server sends markup in names and scripts in pictures, none of it runs."""
    markup = "<img src=x onerror=alert(1)>"
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" class="nephos-chart small" width="200" height="48" '
        'onload="alert(1)"><title>t</title><script>alert(1)</script><a xlink:href="javascript:alert(1)"><text>x</text></a>'
        '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><img src="x" onerror="alert(1)"/></body></foreignObject>'
        '<rect class="paper" width="9" height="9" onclick="alert(1)" style="fill:red"/><use href="#x"/><style>*{color:red}</style></svg>')
    numbers = [1] * 30
    series = {
        "type": markup, "title": markup, "heading": markup, "first": "2026-01-01", "total": {"created": 1, "deleted": 0, "restored": 0, "live": 1},
        "created": numbers, "deleted": numbers, "restored": numbers, "live": numbers, "svg": svg}
    answer = {
        "zone": "UTC", "asOf": 1, "by": "day", "view": "created", "partial": True,
        "starts": [f"2026-01-{day:02}" for day in range(1, 31)], "series": [series]}

    def fulfil(route: Route) -> None:
        route.fulfill(content_type="application/json", body=json.dumps(answer))

    page = browser.new_page()
    problems: list[str] = []
    page.on("dialog", lambda dialog: problems.append("a script has run"))
    page.route(re.compile("/trends/series"), fulfil)
    page.goto(address(nephos, token))
    expect(page.locator(".card h3 button")).to_have_text(markup)
    page.locator(".card h3 button").click()
    expect(page.locator(".large h3")).to_contain_text(markup)
    expect(page.locator(".spark svg rect")).to_have_count(1)
    left = page.locator("main").evaluate(
        "main => main.querySelectorAll('img, script, a, foreignObject, use, style, [onload], [onclick], [onerror], [style]').length")
    assert left == 0 and not problems, (left, problems)
    page.close()


def more(browser: Browser, nephos: Nephos, token: str) -> None:
    """Series that settings name beside types, and figures that were counted elsewhere, have cards of their own."""
    nephos.run("settings", "import", OTHER, text="""version: 1
trends:
  zone: Europe/Rome
  types: [Post]
  private: [Comment]
  lists: [{type: Post, field: names, of: all}, {type: Post, field: names, of: newest}]
""")
    def post(*names: str) -> None:
        fields = {"names": {"type": "stringListType", "value": names}}
        nephos.run("records", "create", OTHER, "--record-type", "Post", "--fields-json", json.dumps(fields))
    post("a", "b", "c")
    post("d")
    imports = nephos.run("trends", "token", "create", OTHER, "--import")
    report = {"source": "App Store", "zone": "UTC", "series": [
        {"type": "Sticker", "list": None, "days": [{"day": "2024-02-29", "created": 41}], "live": None},
        {"type": "Pack", "list": "names", "days": [{"day": "2024-02-29", "total": 312}], "live": None}]}
    request = urllib.request.Request(
        f"{nephos.url}{path(OTHER)}import", json.dumps(report).encode(),
        {"Authorization": f"Bearer {imports}", "Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=PATIENCE).close()
    visit = Visit(browser, f"{nephos.url}{path(OTHER)}#token={token}", width=320)
    names = [
        "Post", "Post.names of all", "Post.names of newest", "Comment in private databases", "Sticker in App Store", "Pack.names in App Store"]
    # In the order of the server's response.
    expect(visit.page.locator(".card h3 button")).to_have_text(names[:4] + sorted(names[4:]))
    every, newest = visit.card("Post.names of all"), visit.card("Post.names of newest")
    expect(every.locator(".today")).to_have_text("+4 today")
    expect(every.locator(".total")).to_have_text("4")
    expect(newest.locator(".total")).to_have_text("1")
    expect(visit.card("Sticker in App Store").locator(".total")).to_have_text("41")
    # Nothing was sent about the last days, so they are not known to be empty.
    expect(visit.card("Sticker in App Store").locator(".today b")).to_have_text("–")
    expect(visit.card("Sticker in App Store").locator(".week")).to_have_text("–")
    expect(visit.card("Pack.names in App Store").locator(".total")).to_have_text("312")
    post("e", "f")
    expect(every.locator(".today b")).to_have_text("+6")
    expect(newest.locator(".total")).to_have_text("2")
    visit.open("Post.names of all")
    expect(visit.page.locator(".large h3")).to_have_text("Change of Post.names of all by day")
    expect(visit.page.locator(".large thead th")).to_have_text(["From", "Longer by", "Elements"])
    expect(visit.page.locator(".large tbody tr").first.locator("td")).to_have_text(["6", "6"])
    look(visit.page)
    assert read(visit.page) > 5
    visit.shoot("lists")
    again = Visit(browser, visit.page.url)
    expect(again.page.locator(".large h3")).to_have_text("Change of Post.names of all by day")
    again.end()
    visit.open("Sticker in App Store")
    visit.page.get_by_role("button", name="From the first day").click()
    expect(visit.page.locator(".range")).to_contain_text("41 created, 0 deleted from 2024-02-29 to now; 41 live at the end, in days of UTC.")
    look(visit.page)
    with visit.page.expect_download() as download:
        visit.page.get_by_role("button", name="Save these figures as CSV").click()
    assert download.value.suggested_filename == "Sticker-in-App-Store-by-day.csv", download.value.suggested_filename
    lines = pathlib.Path(download.value.path()).read_bytes().decode().split("\r\n")
    assert lines[:3] == [
        "source,type,start,created,deleted,restored,live", "App Store,Sticker,2024-02-29,41,0,0,41", "App Store,Sticker,2024-03-01,,,,"], lines[:3]
    visit.end()


def revoked(browser: Browser, nephos: Nephos) -> None:
    """A page with a revoked token reports that, and what to do; a page with another token continues."""
    token, next_token = (nephos.run("trends", "token", "create", CONTAINER, "--name", name) for name in ("old", "new"))
    visit = Visit(browser, address(nephos, token), width=320)
    expect(visit.page.locator(".said")).to_have_text("Live")
    nephos.run("trends", "token", "revoke", CONTAINER, token.split("-")[1])
    expect(visit.page.locator(".fault")).to_contain_text("The server does not accept this token")
    expect(visit.page.locator(".fault")).to_contain_text("Ask the operator of the server for another")
    assert read(visit.page) > 5
    visit.shoot("revoked")
    visit.page.get_by_label("Token").locator("visible=true").fill(next_token)
    visit.page.get_by_role("button", name="Show").click()
    expect(visit.page.locator(".said")).to_have_text("Live")
    expect(visit.page.locator(".fault")).to_be_hidden()
    assert next_token in visit.page.url
    # The browser itself logs that a request was refused.
    visit.problems = [problem for problem in visit.problems if "401" not in problem]
    visit.end()
    imports = Visit(browser, address(nephos, nephos.run("trends", "token", "create", CONTAINER, "--import")))
    expect(imports.page.locator(".fault")).to_contain_text("this token imports figures and cannot read them")
    imports.page.close()
    empty = Visit(browser, f"{nephos.url}{path(CONTAINER)}")
    expect(empty.page.locator(".said")).to_contain_text("Paste a token")
    empty.end()


def stuck(browser: Browser, nephos: Nephos, token: str) -> None:
    """A request without a response does not block the page: it reports that, and tries again."""
    visit = Visit(browser, address(nephos, token))
    page = visit.page
    expect(page.locator(".said")).to_have_text("Live")
    before = today(visit, "Post")
    page.clock.install()
    held: list[Route] = []
    page.route("**/series?*", lambda route: held.append(route))
    save(nephos)
    patience = time.monotonic() + PATIENCE
    while not held and time.monotonic() < patience:
        page.wait_for_timeout(100)
    assert held, "nothing was asked after a save"
    page.clock.fast_forward(31_000)
    expect(page.locator(".fault")).to_contain_text("The server cannot be reached")
    page.unroute("**/series?*")
    save(nephos)
    expect(visit.card("Post").locator(".today b")).to_have_text(str(before + 2))
    expect(page.locator(".fault")).to_be_hidden()
    page.close()


def mistyped(browser: Browser, nephos: Nephos, token: str) -> None:
    """A link with a mistake shows what is valid in it, and can be corrected on the page."""
    odd = Visit(browser, address(nephos, token, "&also=/nephos/1/%25E0/production/trends/,x"))
    expect(odd.page.locator(".place h2")).to_have_text([CONTAINER])
    expect(odd.page.locator(".said")).to_have_text("Live")
    odd.end()
    nowhere = Visit(browser, address(nephos, token, "&zone=Mars/Base"))
    expect(nowhere.page.locator(".fault")).to_contain_text("there is no time zone")
    nowhere.page.locator("#zone").select_option("UTC")
    expect(nowhere.card("Post")).to_be_visible()
    expect(nowhere.page.locator(".fault")).to_be_hidden()
    nowhere.page.close()


def gone(browser: Browser, nephos: Nephos, token: str) -> None:
    """When a server stops, the page reports it; when it is back, the page is live again by itself."""
    visit = Visit(browser, address(nephos, token))
    expect(visit.page.locator(".said")).to_have_text("Live")
    # It may be live before it has figures; only those that it has can stay.
    expect(visit.card("Post")).to_be_visible()
    nephos.stop()
    expect(visit.page.locator(".fault")).to_contain_text("The server cannot be reached")
    expect(visit.card("Post")).to_be_visible()
    port = nephos.url.rsplit(":", 1)[1]
    again = Nephos(nephos.program, nephos.data, "--port", port, environment=nephos.environment)
    try:
        before = today(visit, "Post")
        save(again)
        expect(visit.page.locator(".said")).to_have_text("Live")
        expect(visit.page.locator(".fault")).to_be_hidden()
        expect(visit.card("Post").locator(".today b")).to_have_text(str(before + 1))
        visit.page.close()
    finally:
        again.stop()


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        past = Past(program, folder)
        nephos = past.nephos
        browser = launch(playwright, chromium)
        try:
            fill(past)
            token = nephos.run("trends", "token", "create", CONTAINER)
            other = nephos.run("trends", "token", "create", OTHER)
            readable(browser, nephos, token)
            moved(browser, nephos, token)
            live(browser, nephos, token)
            several(browser, nephos, token, other)
            more(browser, nephos, other)
            hostile(browser, nephos, token)
            revoked(browser, nephos)
            stuck(browser, nephos, token)
            mistyped(browser, nephos, token)
            gone(browser, nephos, token)
            assert len(nephos.log) > 100, nephos.log
            told = [line for line in nephos.log if any(secret.split("-")[2] in line for secret in (token, other))]
            assert not told, told[0]
        finally:
            browser.close()
            nephos.stop()
    print(f"trends: the page shows {DAYS} days at {WIDTHS} pixels, is live, and says what to do after a token is revoked")


if __name__ == "__main__":
    main(*sys.argv[1:])
