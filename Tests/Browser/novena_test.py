"""The story of the article on CKTrends, whole: the author of NovenaNetwork sees people and posts of each day from the first day on, how many
novenas a master record has, a second app beside the first, a type that goes and comes back, a name that is wrong, and a day on which
something is wrong, told by a webhook.

Usage: novena_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import datetime
import http.server
import json
import pathlib
import sys
import tempfile
import threading
import time

from chromium import launch
from late_clock import LateClock
from nephos import PATIENCE, Nephos
from playwright.sync_api import Browser, Page, expect, sync_playwright
from sight import look, read

ROWS: list[str] = []
NOVENA, OTHER = "iCloud.com.example.NovenaNetwork", "iCloud.com.example.Stickers"
DAY, DAYS = 86_400, 64
SCHEMA = "DEFINE SCHEMA\n" + "".join(
    f'RECORD TYPE {name} ("___recordID" REFERENCE QUERYABLE, text STRING, names LIST<STRING>, GRANT WRITE TO "_icloud", '
    'GRANT CREATE TO "_icloud", GRANT READ TO "_world");\n' for name in ("Post", "Novenas"))
SETTINGS = """version: 1
trends:
  zone: Europe/Rome
  types: [Users{types}]
  lists: [{{type: Novenas, field: names, of: "record: master"}}]
  alarms: [{{type: Post, webhook: "{hook}"}}]
"""


class Hook:
    """A server that receives alarms."""

    def __init__(self) -> None:
        self.told: list[dict] = []
        told = self.told

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}/alarm"


class Story:
    def __init__(self, program: str, folder: str, hook: Hook) -> None:
        # Half a day before everything else: a server's time never goes back.
        self.clock, self.hook = LateClock(folder, self.noon(DAYS)[1] - DAY // 2), hook
        data = pathlib.Path(folder) / "data"
        data.mkdir()
        self.nephos = Nephos(program, str(data), "--allow-webhook", "127.0.0.1", environment=self.clock.environment)
        schema = pathlib.Path(folder) / "schema.ckdb"
        schema.write_text(SCHEMA)
        schema.chmod(0o644)
        self.tokens: dict[str, dict] = {}
        for container in (NOVENA, OTHER):
            self.nephos.run("container", "create", container)
            self.nephos.run("schema", "import", container, str(schema))
            self.tokens[container] = {"ckAPIToken": self.nephos.run("token", "create", container)}
        self.settings(", Post")
        self.people = 0
        # By day: new people, and posts.
        self.days: dict[str, list[int]] = {}

    def settings(self, types: str) -> None:
        self.nephos.run("settings", "import", NOVENA, "--yes", text=SETTINGS.format(types=types, hook=self.hook.url))

    def save(self, names: list[str], kind: str = "Post", container: str = NOVENA, fields: dict | None = None) -> None:
        for start in range(0, len(names), 200):
            operations = [
                {"operationType": "forceReplace", "record": {"recordName": name, "recordType": kind, "fields": fields or {}}}
                for name in names[start:start + 200]]
            answer = self.nephos.ask(
                f"{container}/development/public/records/modify", {"operations": operations}, **self.tokens[container])
            faults = [record for record in answer["records"] if "serverErrorCode" in record]
            assert not faults, faults[0]

    def master(self, count: int) -> None:
        self.save(["master"], "Novenas", fields={"names": {"value": [f"n{place}" for place in range(count)]}})

    @staticmethod
    def noon(days: int) -> tuple[str, int]:
        """The date some days ago, and how many seconds its noon is ahead: at noon the day is the same in Rome."""
        now = datetime.datetime.now(datetime.timezone.utc)
        noon = (now - datetime.timedelta(days=days)).replace(hour=12, minute=0, second=0)
        return str(noon.date()), int((noon - now).total_seconds())

    def live(self) -> None:
        """Two months: posts each day, a new person every ten days, and a second app with fewer of both."""
        for day in range(DAYS, -1, -1):
            date, ahead = self.noon(day)
            self.clock.set(ahead)
            self.days[date] = [0, 0]
            if day % 10 == DAYS % 10:
                self.people += 1
                person = f"person{self.people}@example.org"
                self.nephos.run("account", "create", person)
                for container in (NOVENA, OTHER):
                    self.tokens[container]["ckWebAuthToken"] = self.nephos.run("session", "create", container, person)
                self.days[date][0] = 1
            if day == DAYS:
                self.master(5)
            posts = 3 + day % 4
            self.days[date][1] = posts
            self.save([f"p{day}-{place}" for place in range(posts)])
            self.save([f"s{day}"], container=OTHER)
        time.sleep(2)


def figures(story: Story) -> None:
    """People and posts by day, from the first day on, as the author expects them."""
    told = json.loads(story.nephos.run("trends", "show", NOVENA, "--output", "json"))
    by_type = {one["type"]: {row["start"]: row["created"] for row in one["periods"]} for one in told}
    assert by_type["Post"] == {day: posts for day, (_, posts) in story.days.items()}, by_type["Post"]
    assert {day: count for day, count in by_type["Users"].items() if count} == {
        day: people for day, (people, _) in story.days.items() if people}, by_type["Users"]
    totals = json.loads(story.nephos.run("trends", "totals", NOVENA, "--output", "json"))
    assert totals["TOTALS"] == {"Novenas.names": 5} and totals["EARLIEST_DATE"]["Post"] == min(story.days), totals
    beside = story.nephos.run("trends", "show", NOVENA, "--type", "Post", "--also", OTHER, "--by", "month")
    assert f"Post of {NOVENA}" in beside and f"Post of {OTHER}" in beside and "█" in beside, beside


def list_of_one(story: Story) -> None:
    """The change of a list since the last look."""
    nephos = story.nephos
    def deltas(*words: str) -> dict:
        return json.loads(nephos.run("trends", "deltas", NOVENA, "--viewer", "marissa", "--output", "json", *words))
    assert deltas("--look")["DELTAS"] == {"Novenas.names": 5}
    story.master(3)
    assert deltas()["DELTAS"] == {"Novenas.names": -2}
    assert deltas("--look")["DELTAS"] == {"Novenas.names": -2} and deltas()["DELTAS"] == {"Novenas.names": 0}


def names(story: Story, page: Page) -> None:
    """A type is removed and returns with its history; a wrong name is reported with the command that corrects it, and affects nothing else."""
    nephos, card = story.nephos, page.get_by_role("button", name="Post", exact=True)
    expect(card).to_be_visible()
    nephos.run("trends", "untrack", NOVENA, "--type", "Post")
    story.master(3)
    expect(card).to_be_hidden()
    story.save(["unseen"])
    nephos.run("trends", "track", NOVENA, "--type", "Post")
    expect(card).to_be_visible()
    story.days[max(story.days)][1] += 1
    story.settings(", Psot")
    wrong = json.loads(nephos.run("trends", "list", NOVENA, "--output", "json"))
    psot = next(one for one in wrong if one["what"] == "Psot")
    assert psot["state"] == "no such record type" and f"nephos trends untrack {NOVENA} --type Psot" in psot["toDo"], psot
    story.save(["fine"])
    story.days[max(story.days)][1] += 1
    nephos.run("trends", "untrack", NOVENA, "--type", "Psot")
    nephos.run("trends", "track", NOVENA, "--type", "Post")
    figures_by_day = json.loads(nephos.run("trends", "show", NOVENA, "--type", "Post", "--output", "json"))["periods"]
    assert {row["start"]: row["created"] for row in figures_by_day} == {day: posts for day, (_, posts) in story.days.items()}


def spike(story: Story) -> None:
    """A thousand posts in a day cause one immediate alarm, with the rule and its numbers."""
    assert not story.hook.told, story.hook.told
    story.save([f"spam{number}" for number in range(1_000)])
    patience = time.monotonic() + PATIENCE
    while not story.hook.told and time.monotonic() < patience:
        time.sleep(0.1)
    alarm, = story.hook.told
    assert (alarm["alarm"], alarm["type"], alarm["container"], alarm["day"]) == ("jump", "Post", NOVENA, max(story.days)), alarm
    # Immediately: before the last of the posts.
    assert alarm["limit"] < alarm["x"] <= 1_010 and 3 <= alarm["m"] <= 6 and "|x - m|" in alarm["rule"], alarm


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        story = Story(program, folder, Hook())
        browser: Browser = launch(playwright, chromium)
        try:
            story.live()
            figures(story)
            list_of_one(story)
            tokens = [story.nephos.run("trends", "token", "create", container) for container in (NOVENA, OTHER)]
            path = "/nephos/1/{}/development/trends/"
            page = browser.new_page(viewport={"width": 320, "height": 700}, has_touch=True, timezone_id="Europe/Rome")
            page.goto(f"{story.nephos.url}{path.format(NOVENA)}#token={tokens[0]}&also={path.format(OTHER)},{tokens[1]}")
            expect(page.locator(".place h2")).to_have_text([NOVENA, OTHER])
            expect(page.locator(".place").first.locator(".card h3 button")).to_have_text(
                ["Users", "Post", "Novenas.names of record: master"])
            first = page.locator(".place").first
            expect(first.locator(".card").nth(2).locator(".total")).to_have_text("3")
            look(page)
            assert read(page) > 10
            names(story, first)
            spike(story)
            today = first.locator(".card").filter(has=page.get_by_role("button", name="Post", exact=True)).locator(".today b")
            expect(today).to_have_text(f"{1_000 + story.days[max(story.days)][1]:,}")
            first.get_by_role("button", name="Post", exact=True).click()
            page.get_by_role("button", name="From the first day").click()
            expect(page.locator(".large .range")).to_contain_text(f"from {min(story.days)} to now")
            look(page)
            story.nephos.run("check")
        finally:
            browser.close()
            story.nephos.stop()
            story.hook.server.shutdown()
    print(f"trends: the story of NovenaNetwork over {DAYS} days, with a list, a second app, a wrong name and an alarm")


if __name__ == "__main__":
    main(*sys.argv[1:])
