"""The sample Examples/ChibiStudio without its app: its page with flags and drawings in a browser, the command, and what the app's internal build
asks over HTTP.

Usage: chibi_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

from nephos import PATIENCE, Nephos
from playwright.sync_api import Browser, Page, expect
from sample import EXAMPLES, look, open_page, sample

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS = ["S0-24", "S0-63"]
SAMPLE = EXAMPLES / "ChibiStudio"
CONTAINER = "iCloud.org.nephos.chibistudio"


class Studio:
    """A container with flags and drawings, and the people of the article: one who switches and publishes them, and one with the same build of the app but no role."""

    def __init__(self, nephos: Nephos) -> None:
        self.nephos = nephos
        nephos.run("container", "create", CONTAINER)
        nephos.run("schema", "import", CONTAINER, str(SAMPLE / "chibi.ckdb"))
        nephos.run("settings", "import", CONTAINER, str(SAMPLE / "settings.yaml"))
        for name in ("Cat", "Ghost", "Owl"):
            fields = {field: {"type": "stringType", "value": name} for field in ("title", "drawing")}
            nephos.run(
                "records", "create", CONTAINER, "--record-type", "Chibi", "--record-name", name.lower(), "--fields-json", json.dumps(fields))
        nephos.run("content", "publish", CONTAINER, "Chibi", "cat")
        for flag, default in [("chibiVersionCheck", "true"), ("tipJar", "true"), ("stickers", "false"), ("theme", '"ink"')]:
            nephos.run("flag", "create", CONTAINER, flag, "--default", default)
        nephos.run("flag", "rule", "add", CONTAINER, "stickers", "--when", '{"locale":"es"}', "--serve", "on")
        nephos.run("flag", "on", CONTAINER, "stickers")
        self.token = nephos.run("token", "create", CONTAINER)
        self.ada, self.grace = self.person("ada@example.org"), self.person("grace@example.org")
        nephos.run("role", "assign", CONTAINER, "Admin", "ada@example.org")

    def person(self, email: str) -> str:
        self.nephos.run("account", "create", email)
        return self.nephos.run("session", "create", CONTAINER, email)

    def flag(self, id: str) -> dict:
        """Its whole record and change tag, as anyone can read them."""
        return self.ask("lookup", {"records": [{"recordName": id}]}, None)["records"][0]

    def switch(self, id: str, state: str, session: str | None) -> dict:
        """What the internal build of the app does for any user: it changes the record as it was read."""
        flag = self.flag(id)
        flag["fields"] = {"state": {"value": state}}
        return self.ask("modify", {"operations": [{"operationType": "update", "record": flag}]}, session)

    def publish(self, session: str | None, **form: object) -> dict:
        """The request that the form of the internal build sends."""
        return self.post(f"nephos/1/{CONTAINER}/development/content/Chibi/publish", form, session)

    def ask(self, what: str, body: dict, session: str | None) -> dict:
        return self.post(f"database/1/{CONTAINER}/development/public/records/{what}", body, session)

    def post(self, path: str, body: dict, session: str | None) -> dict:
        query = {"ckAPIToken": self.token, **({"ckWebAuthToken": session} if session else {})}
        url = f"{self.nephos.url}/{path}?{urllib.parse.urlencode(query)}"
        try:
            with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode()), timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refused:
            return json.load(refused)


def shows(page: Page, versions: str, tip_jar: str, stickers: str, theme: str = "ink") -> None:
    expect(page.locator("#features b")).to_have_text([versions, tip_jar, stickers, theme])


def story(studio: Studio, browser: Browser, url: str) -> None:
    page = open_page(browser, url)
    shows(page, "on", "on", "off")
    expect(page.locator("#state")).to_have_text("Live")
    look(page, "light")
    spanish = open_page(browser, url, "dark", "es-MX")
    shows(spanish, "on", "on", "on")
    look(spanish, "dark")
    spanish.close()

    # A page that is loaded again would not contain it.
    page.evaluate("window.isSame = true")
    studio.nephos.run("flag", "off", CONTAINER, "tipJar")
    shows(page, "on", "off", "off")

    # A holder of the role switches it with the internal build; the same build does nothing for other users.
    saved = studio.switch("tipJar", "on", studio.ada)["records"][0]
    assert saved["fields"]["state"]["value"] == "on", saved
    shows(page, "on", "on", "off")
    before = studio.flag("tipJar")
    refused = studio.switch("tipJar", "off", studio.grace)["records"][0]
    assert refused["serverErrorCode"] == "ACCESS_DENIED", refused
    nobody = studio.switch("tipJar", "off", None)
    assert nobody["serverErrorCode"] == "AUTHENTICATION_REQUIRED", nobody
    assert studio.flag("tipJar") == before, "the flag has changed"
    # The next change arrives, and none arrived before it.
    studio.nephos.run("flag", "off", CONTAINER, "chibiVersionCheck")
    shows(page, "off", "on", "off")
    assert page.evaluate("window.isSame"), "the page was loaded again"
    page.close()


def drawings(studio: Studio, browser: Browser, url: str) -> None:
    """Drafts are hidden; a holder of the role publishes, for an audience or for later; published content appears without a reload."""
    page, spanish = open_page(browser, url), open_page(browser, url, locale="es-MX")
    shown = page.locator("#gallery li")
    expect(shown).to_have_text(["CatCat"])
    page.evaluate("window.isSame = true")
    studio.publish(studio.ada, recordName="ghost", audience='{"locale":"es"}')
    expect(spanish.locator("#gallery li")).to_have_text(["GhostGhost", "CatCat"])
    for session in (studio.grace, None):
        refused = studio.publish(session, recordName="owl")
        assert refused["serverErrorCode"] in ("NOT_FOUND", "AUTHENTICATION_REQUIRED"), refused
    begins = int(time.time() * 1_000) + 8_000
    studio.publish(studio.ada, recordName="owl", publishedAt=begins)
    expect(shown).to_have_text(["OwlOwl", "CatCat"])
    assert time.time() * 1_000 >= begins, "it came before its time"
    studio.nephos.run("content", "withdraw", CONTAINER, "Chibi", "owl")
    expect(shown).to_have_text(["CatCat"])
    assert page.evaluate("window.isSame"), "the page was loaded again"
    look(page, "light")
    page.close()
    spanish.close()


def refusal(browser: Browser, url: str) -> None:
    """Without a server, the page shows the defaults, and the reason."""
    page = open_page(browser, url)
    expect(page.locator("#state")).to_contain_text("The request failed: ")
    shows(page, "on", "off", "off", "paper")
    look(page, "light")
    page.close()


def main(program: str, chromium: str) -> None:
    with sample("ChibiStudio", program, chromium) as (nephos, browser, page):
        studio = Studio(nephos)
        url = f"{page}?{urllib.parse.urlencode({'server': nephos.url, 'container': CONTAINER, 'token': studio.token})}"
        story(studio, browser, url)
        drawings(studio, browser, url)
        refusal(browser, url + "x")
    print("ChibiStudio: the page follows flags and drawings, holders of the role switch and publish them, and the leaked build is refused")


if __name__ == "__main__":
    main(*sys.argv[1:])
