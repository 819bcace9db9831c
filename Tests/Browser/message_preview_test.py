"""Previews of messages in a browser: by a link that opens once, and as a page in a file.

Usage: message_preview_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import sys
import tempfile
from pathlib import Path

from chromium import launch
from nephos import Nephos
from playwright.sync_api import Browser, Page, expect, sync_playwright

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
CONTAINER = "iCloud.com.example.app"
MESSAGE = """
id: anniversary
kind: newVersion
requires: "2.5"
title: {en: "<b>New</b>", es: "<script>document.title = 1</script>"}
body: {en: "It has flags.", es: "Tiene banderas."}
buttons: {action: {en: Update, es: Actualizar}, cancel: {en: "No", es: "No"}, okay: {en: "Have it", es: "Ya la tengo"}}
"""


def watched(browser: Browser, width: int, scheme: str, faults: list[str]) -> Page:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.on("console", lambda message: faults.append(message.text))
    page.on("requestfailed", lambda request: faults.append(request.url))
    return page


def fits(page: Page) -> None:
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{width} pixels wide"


def by_link(browser: Browser, link: str, scheme: str) -> None:
    """The button opens it although the policy forbids everything but the form; going back and pressing again does not."""
    faults: list[str] = []
    page = watched(browser, 320, scheme, faults)
    page.goto(link)
    fits(page)
    page.get_by_role("button", name="Show it").click()
    expect(page.get_by_role("heading", name="<b>New</b>").first).to_be_visible()
    fits(page)
    phone = page.locator("article").first
    expect(phone).to_contain_text("Update")
    # One screen at a time.
    page.get_by_text("es, already updated").click()
    expect(page.get_by_text("Ya la tengo")).to_be_visible()
    expect(phone).not_to_be_visible()
    expect(page).to_have_title("Preview of anniversary")
    faults = [fault for fault in faults if "favicon" not in fault and "404" not in fault]
    assert not faults, f"{scheme}: {faults}"
    page.goto(link)
    expect(page.locator("h1")).to_have_text("This link was already used")
    page.close()


def by_file(browser: Browser, path: Path) -> None:
    faults: list[str] = []
    page = watched(browser, 1200, "light", faults)
    page.goto(path.as_uri())
    papers = page.locator("article").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert papers == 4 * ["rgb(255, 255, 255)", "rgb(21, 21, 24)"], papers
    expect(page).to_have_title("Preview of anniversary")
    assert not faults, faults
    page.close()


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as data, tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        nephos = Nephos(program, data)
        browser = launch(playwright, chromium)
        try:
            # The command may run as another user.
            Path(folder).chmod(0o777)
            file = Path(folder) / "message.yaml"
            file.write_text(MESSAGE)
            nephos.run("container", "create", CONTAINER)
            nephos.run("message", "new", CONTAINER, str(file))
            for scheme in ["light", "dark"]:
                link = nephos.run("message", "preview", CONTAINER, "anniversary", "--link", "--server", nephos.url)
                by_link(browser, link, scheme)
            page = Path(folder) / "page.html"
            nephos.run("message", "preview", CONTAINER, "anniversary", "--page", str(page))
            by_file(browser, page)
        finally:
            browser.close()
            nephos.stop()
    print("previews of messages: a link opens once by its button, a page in a file shows phones in the light and the dark")


if __name__ == "__main__":
    main(*sys.argv[1:])
