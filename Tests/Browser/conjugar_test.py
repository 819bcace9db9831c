"""The sample Examples/Conjugar without its app: messages on its page in a browser, at the width of a phone.

Usage: conjugar_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import json
import pathlib
import sys
import tempfile
import urllib.parse

from nephos import Nephos
from playwright.sync_api import Browser, expect
from sample import EXAMPLES, look, open_page, sample
from sight import read

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS = ["S2-1", "S2-2", "S2-3", "S2-33"]
SAMPLE = EXAMPLES / "Conjugar"
CONTAINER = "iCloud.org.nephos.conjugar"
PHONE = 360
MARKUP = "<img src=x onerror='window.isRun = true'><script>window.isRun = true</script>&amp;<b>bold</b>"

# The parts of a message that do not fit, or are cut off.
FITS = """() => {
  const dialog = document.querySelector("dialog"), box = dialog.getBoundingClientRect()
  const faults = box.left < 0 || box.right > innerWidth || box.bottom > innerHeight ? ["the message is outside"] : []
  if (dialog.scrollWidth > dialog.clientWidth) faults.push("one has to scroll sideways")
  for (const element of dialog.querySelectorAll("*")) {
    const inner = element.getBoundingClientRect()
    if (inner.left < box.left || inner.right > box.right + 0.5) faults.push(`${element.textContent} is outside`)
    if (element.scrollWidth > element.clientWidth + 1) faults.push(`${element.textContent} is cut off`)
  }
  return faults
}"""


class Editor:
    """A container with the sample's messages."""

    def __init__(self, nephos: Nephos, folder: pathlib.Path) -> None:
        self.nephos, self.folder = nephos, folder
        nephos.run("container", "create", CONTAINER)
        nephos.run("message", "new", CONTAINER, str(SAMPLE / "messages" / "anniversary.yaml"))
        nephos.run("settings", "import", CONTAINER, str(SAMPLE / "settings.yaml"))
        for file in ("irregular", "version", "feedback", "etymology"):
            nephos.run("message", "new", CONTAINER, str(SAMPLE / "messages" / f"{file}.yaml"))
        self.token = nephos.run("token", "create", CONTAINER)
        self.shown = ""

    def new(self, message: dict) -> None:
        path = self.folder / f"{message['id']}.yaml"
        # JSON is YAML.
        path.write_text(json.dumps(message, ensure_ascii=False))
        path.chmod(0o644)
        self.nephos.run("message", "new", CONTAINER, str(path))

    def publish(self, id: str) -> None:
        """Shows this message alone."""
        if self.shown:
            self.nephos.run("message", "withdraw", CONTAINER, self.shown)
        self.nephos.run("message", "publish", CONTAINER, id)
        self.shown = id

    def stats(self, id: str) -> tuple[int, ...]:
        """How many people saw it, acted on it, and dismissed it."""
        return tuple(map(int, self.nephos.run("message", "stats", CONTAINER, id).splitlines()[-1].split()[1:]))


class Reader:
    """A person with a browser of their own, which stores what they have seen."""

    def __init__(
        self, browser: Browser, url: str, scheme: str = "light", width: int = PHONE, loses: bool = False, **asked: str
    ) -> None:
        self.context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": 700})
        self.page = self.context.new_page()
        if loses:
            self.page.route("**/messages/seen?*", lambda route: route.abort())
        self.url = f"{url}&{urllib.parse.urlencode(asked)}"
        self.page.goto(self.url)

    @property
    def message(self):
        return self.page.get_by_role("dialog")

    def says(self, text: str) -> None:
        expect(self.page.locator("#state")).to_have_text(text)

    def sees(self, title: str, *buttons: str) -> None:
        expect(self.message).to_be_visible()
        expect(self.message.get_by_role("heading")).to_have_text(title)
        expect(self.message.get_by_role("button")).to_have_text(list(buttons))

    def press(self, button: str) -> None:
        self.message.get_by_role("button", name=button).click()
        expect(self.message).to_have_count(0)

    def comes_back(self) -> None:
        self.page.goto(self.url)

    def close(self) -> None:
        self.context.close()


def settled(reader: Reader) -> None:
    """No report is pending."""
    reader.page.wait_for_function("JSON.parse(Object.values(localStorage)[0]).reports.length === 0")


def looks(editor: Editor, browser: Browser, url: str) -> None:
    """In each language, light and dark, nothing overflows and everything is legible, even with the longest words."""
    editor.publish("version")
    for locale, title in [
        ("en-US", "New in 2.5"), ("es-MX", "Novedades de la 2.5"), ("de", "Neues in Version 2.5 für Vergangenheitsformenliebhaberinnen"),
    ]:
        for scheme, width in [("light", PHONE), ("dark", PHONE), ("light", 320), ("dark", 1200)]:
            reader = Reader(browser, url, scheme, width, locale=locale, version="2.4")
            expect(reader.message.get_by_role("heading")).to_have_text(title)
            faults = reader.page.evaluate(FITS)
            assert not faults, f"{locale}, {scheme}, {width} pixels: {faults}"
            read(reader.page)
            paper = reader.page.evaluate("getComputedStyle(document.querySelector('dialog')).backgroundColor")
            assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(30, 30, 35)"}[scheme], f"{paper} in the {scheme}"
            look(reader.page, scheme)
            reader.close()


def reading(editor: Editor, browser: Browser, url: str) -> None:
    """A dialog with a name and a text, its title in focus; Tab stays within it; Escape dismisses it, which is reported."""
    editor.publish("irregular")
    reader = Reader(browser, url, locale="en")
    reader.sees("A page about irregular verbs", "Visit", "No thanks")
    dialog = reader.page.get_by_role("dialog", name="A page about irregular verbs")
    expect(dialog).to_have_accessible_description("It says why they are what they are.")
    expect(dialog.get_by_role("img", name="A pile of books")).to_have_text("📚")
    expect(dialog.get_by_role("listitem")).to_have_text(["to be", "to go", "to have"])
    expect(dialog.get_by_role("heading")).to_be_focused()
    expect(dialog).to_have_attribute("lang", "en")
    page = reader.page
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="Visit")).to_be_focused()
    page.keyboard.press("Tab")
    expect(dialog.get_by_role("button", name="No thanks")).to_be_focused()
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    settled(reader)
    assert editor.stats("irregular") == (1, 0, 1)
    reader.comes_back()
    reader.says("Nothing new")
    expect(reader.message).to_have_count(0)
    reader.close()


def acting(editor: Editor, browser: Browser, url: str) -> None:
    """The button of each kind has its effect; people who have the version, or have bought, get one button."""
    reader = Reader(browser, url, locale="es-MX")
    reader.sees("Una página sobre verbos irregulares", "Visitar", "No, gracias")
    with reader.context.expect_page() as opened:
        reader.press("Visitar")
    opened.value.close()
    reader.says("Opens https://example.org/irregular")
    settled(reader)
    assert editor.stats("irregular") == (2, 1, 1)

    for id, state, title, buttons, said in [
        ("version", {"version": "2.4"}, "New in 2.5", ("Update", "No thanks"), "Loads the new version"),
        ("version", {"version": "2.5"}, "New in 2.5", ("Have it",), "There is a message"),
        ("feedback", {}, "What do you miss?", ("Write", "No thanks"), "Begins a mail to conjugar@example.org: What I miss"),
        ("etymology", {}, "Where words come from", ("Subscribe", "No thanks"), "Offers etymology"),
        ("etymology", {"state": "subscribed"}, "Where words come from", ("I have it",), "There is a message"),
        ("anniversary", {}, "Six years today", ("You are welcome",), "There is a message"),
    ]:
        editor.publish(id)
        before = editor.stats(id)
        somebody = Reader(browser, url, locale="en", **state)
        somebody.sees(title, *buttons)
        somebody.press(buttons[0])
        somebody.says(said)
        settled(somebody)
        acted = len(buttons) - 1
        assert editor.stats(id) == (before[0] + 1, before[1] + acted, before[2] + 1 - acted), id
        somebody.close()
    reader.close()


def markup(editor: Editor, browser: Browser, url: str) -> None:
    """All texts are shown as plain text, everywhere."""
    texts = {"en": MARKUP, "es": MARKUP}
    editor.new({
        "id": "markup", "kind": "website", "url": "https://example.org/", "title": texts, "body": texts, "list": [texts], "emoji": "🙃",
        "label": texts, "buttons": {"action": texts, "cancel": texts},
    })
    editor.publish("markup")
    reader = Reader(browser, url)
    reader.sees(MARKUP, MARKUP, MARKUP)
    expect(reader.message.locator("p")).to_have_text(MARKUP)
    expect(reader.message.locator("li")).to_have_text([MARKUP])
    assert reader.message.get_by_role("img").get_attribute("aria-label") == MARKUP
    assert reader.page.locator("dialog img, dialog script, dialog b").count() == 0
    assert reader.page.evaluate("window.isRun") is None
    assert reader.page.evaluate(FITS) == []
    reader.close()


def passing_over(editor: Editor, browser: Browser, url: str) -> None:
    """A message that the page cannot handle is neither shown nor reported as shown."""
    editor.publish("etymology")
    before = editor.stats("etymology")
    reader = Reader(browser, url, lacks="purchase")
    reader.says("Nothing new")
    reader.close()

    def message(**change: object) -> dict:
        button = {"role": "action", "title": "Go", "action": "open", "url": "https://example.org/"}
        return {"id": "m", "kind": "website", "schema": 0, "title": "A", "body": "B", "buttons": [{**button, **change.pop("button", {})}], **change}

    for strange in [
        message(schema=1), message(kind="survey"), message(kind="toString"), message(button={"role": "later"}), message(button={"action": "format"}),
        message(button={"action": "toString"}), message(button={"action": "update"}), message(button={"url": "javascript:alert(1)"}),
        message(button={"url": None}), message(buttons=[]),
    ]:
        told: list[str] = []
        context = browser.new_context()
        page = context.new_page()
        answer = json.dumps({"message": strange, "changesAt": None})
        page.route("**/messages/current?*", lambda route: route.fulfill(body=answer, headers={"Access-Control-Allow-Origin": "*"}))
        page.on("request", lambda request: told.append(request.url) if "/seen" in request.url else None)
        page.goto(url)
        expect(page.locator("#state")).to_have_text("Nothing new")
        assert page.get_by_role("dialog").count() == 0 and not told, strange
        context.close()
    assert editor.stats("etymology") == before


def losing(editor: Editor, browser: Browser, url: str) -> None:
    """A lost report is sent later, and the message is not shown again in the meantime."""
    editor.publish("feedback")
    before = editor.stats("feedback")
    reader = Reader(browser, url, locale="en", loses=True)
    reader.sees("What do you miss?", "Write", "No thanks")
    reader.press("No thanks")
    reader.comes_back()
    reader.says("Nothing new")
    assert editor.stats("feedback") == before
    reader.page.unroute_all()
    reader.comes_back()
    reader.says("Nothing new")
    settled(reader)
    assert editor.stats("feedback") == (before[0] + 1, before[1], before[2] + 1)
    reader.close()


def person(editor: Editor, browser: Browser, url: str) -> None:
    """A person who is signed in sees a message on one of their devices only."""
    editor.publish("anniversary")
    editor.nephos.run("account", "create", "ada@example.org")
    session = editor.nephos.run("session", "create", CONTAINER, "ada@example.org")
    phone = Reader(browser, url, locale="es", session=session)
    phone.sees("Hoy cumple seis años", "De nada")
    phone.press("De nada")
    settled(phone)
    tablet = Reader(browser, url, session=session)
    tablet.says("Nothing new")
    other = Reader(browser, url, locale="en")
    other.says("There is a message")
    for reader in (phone, tablet, other):
        reader.close()


def refusal(browser: Browser, url: str) -> None:
    """Without a server, the page works without a message, and shows the reason."""
    page = open_page(browser, url)
    expect(page.locator("#state")).to_contain_text("The request failed: ")
    expect(page.get_by_role("cell")).to_have_count(5)
    look(page, "light")
    page.close()


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as texts, sample("Conjugar", program, chromium) as (nephos, browser, page):
        folder = pathlib.Path(texts)
        folder.chmod(0o755)
        editor = Editor(nephos, folder)
        url = f"{page}?{urllib.parse.urlencode({'server': nephos.url, 'container': CONTAINER, 'token': editor.token})}"
        looks(editor, browser, url)
        reading(editor, browser, url)
        acting(editor, browser, url)
        markup(editor, browser, url)
        passing_over(editor, browser, url)
        losing(editor, browser, url)
        person(editor, browser, url)
        refusal(browser, url + "x")
    print("Conjugar: messages fit a phone in three languages, have their effects, are reported, are shown once, and are hidden if the page cannot handle them")


if __name__ == "__main__":
    main(*sys.argv[1:])
