"""The gallery of charts at three widths, in the light, in the dark and on paper: what the browser draws is legible.

Usage: charts_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from chromium import launch
from playwright.sync_api import Browser, sync_playwright
from sight import WIDTHS, look

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []


def visit(browser: Browser, url: str, scheme: str, width: int) -> tuple[int, int]:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    try:
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("dialog", lambda dialog: problems.append("a script has run"))
        page.goto(url)
        counts = look(page)
        page.emulate_media(media="print")
        look(page)
        assert not problems, problems
        return counts
    except AssertionError as error:
        raise AssertionError(f"{scheme}, {width} pixels: {error}") from None
    finally:
        page.close()


def alone(browser: Browser, file: pathlib.Path, width: int) -> None:
    """A picture that is opened by itself includes its style, and is valid XML."""
    root = xml.etree.ElementTree.parse(file).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg", file
    page = browser.new_page(color_scheme="dark", viewport={"width": width, "height": 900})
    page.goto(file.as_uri())
    paper = page.evaluate("getComputedStyle(document.querySelector('.paper')).fill")
    assert paper == "rgb(21, 21, 24)", f"{file}: {paper}"
    page.close()


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([pathlib.Path(program).with_name("nephos-gallery"), folder], check=True, stdout=subprocess.DEVNULL)
        gallery = pathlib.Path(folder)
        browser = launch(playwright, chromium)
        try:
            url = (gallery / "index.html").as_uri()
            counts = [visit(browser, url, scheme, width) for width in WIDTHS for scheme in ("light", "dark")]
            files = sorted(gallery.glob("*.svg"))
            for file in files:
                xml.etree.ElementTree.parse(file)
            alone(browser, gallery / "readme-versions-768.svg", 768)
            for name in ("months", "versions"):
                shown = pathlib.Path(__file__).parents[2] / "docs" / "pictures" / f"trends-{name}.svg"
                assert shown.read_bytes() == (gallery / f"readme-{name}-768.svg").read_bytes(), f"make gallery draws {shown} anew"
        finally:
            browser.close()
    assert all(charts > 30 and texts > 250 for charts, texts in counts), counts
    assert len(files) > 100, files
    print(f"charts: {counts[0][0]} are legible at {WIDTHS} pixels, in the light, in the dark and on paper")


if __name__ == "__main__":
    main(*sys.argv[1:])
