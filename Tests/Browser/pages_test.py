"""The pages that a server shows to people, on a phone and on a desktop, light and dark.

Usage: pages_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import re
import sys
import tempfile
from pathlib import Path

from chromium import launch
from nephos import Nephos
from playwright.sync_api import Browser, Page, expect, sync_playwright

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
# Every page of the program is reachable from the first one.
DOCUMENTS = Path(__file__).parents[2] / "Sources/Server/CDocuments/documents.c"
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 21, 24)"}


def look(page: Page, url: str, scheme: str) -> None:
    """The style is applied, although the policy of the page allows nothing else, and nothing overflows sideways."""
    page.goto(url)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == PAPER[scheme], f"{url}: {paper} in the {scheme}"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{url}: {width} pixels wide"


def visit(browser: Browser, url: str, scheme: str, width: int) -> int:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    faults: list[str] = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("requestfailed", lambda request: faults.append(request.url))
    look(page, url + "/", scheme)
    expect(page.locator("body")).to_contain_text("It is healthy")
    expect(page.locator("body")).to_contain_text("iCloud.org.nephos.demo")
    names = page.locator("li a").all_inner_texts()
    for name in names:
        page.get_by_role("link", name=name, exact=True).click()
        expect(page).to_have_title(f"{name} - Nephos")
        look(page, page.url, scheme)
        page.get_by_role("link", name="Nephos", exact=True).click()
        expect(page).to_have_title("Nephos")
    # Browsers request an icon by themselves.
    faults = [fault for fault in faults if not re.search("favicon|404", fault)]
    assert not faults, f"{scheme}, {width} pixels: {faults}"
    page.close()
    return len(names)


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        nephos = Nephos(program, data, "--demo")
        browser = launch(playwright, chromium)
        try:
            counts = {visit(browser, nephos.url, "dark", 320), visit(browser, nephos.url, "light", 1200)}
        finally:
            browser.close()
            nephos.stop()
    pages = len(re.findall(r"^#embed .*[.]md", DOCUMENTS.read_text(), re.MULTILINE))
    assert pages and counts == {pages}, f"{counts} pages of documentation, where {pages} are in the program"
    print("pages: the first page and those of the documentation are legible at 320 pixels, in the light and in the dark")


if __name__ == "__main__":
    main(*sys.argv[1:])
