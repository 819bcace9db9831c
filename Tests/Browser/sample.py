"""The pages of samples in a browser."""

import contextlib
import functools
import http.server
import pathlib
import tempfile
import threading
from collections.abc import Iterator

from chromium import launch
from nephos import Nephos
from playwright.sync_api import Browser, Page, sync_playwright

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "Examples"
PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 21, 24)"}


@contextlib.contextmanager
def sample(name: str, program: str, chromium: str) -> Iterator[tuple[Nephos, Browser, str]]:
    """A server, a browser, and the address of a sample's page, without its query."""
    pages = serve(name)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        nephos = Nephos(program, data)
        browser = launch(playwright, chromium)
        try:
            yield nephos, browser, f"http://127.0.0.1:{pages.server_port}/index.html"
        finally:
            browser.close()
            nephos.stop()
            pages.shutdown()


def serve(sample: str) -> http.server.ThreadingHTTPServer:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(EXAMPLES / sample)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def open_page(browser: Browser, url: str, scheme: str = "light", locale: str = "en-US", width: int = 320) -> Page:
    page = browser.new_page(color_scheme=scheme, locale=locale, viewport={"width": width, "height": 700})
    page.goto(url)
    return page


def look(page: Page, scheme: str) -> None:
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == PAPER[scheme], f"{paper} in the {scheme}"
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.viewport_size["width"], f"{width} pixels wide"
