"""The page Examples/flags.html, served from another origin than the server's, and opened as a file, shows the flags that README.md
creates, as they are for whoever reads it.

Usage: flags_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import functools
import http.server
import pathlib
import shlex
import sys
import tempfile
import threading
import urllib.parse

from chromium import launch
from nephos import Nephos
from playwright.sync_api import expect, sync_playwright

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS = ["S0-13"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
CONTAINER = "iCloud.org.nephos.flags"


def serve_examples() -> http.server.ThreadingHTTPServer:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments: object) -> None:
            pass

    handler = functools.partial(Quiet, directory=str(ROOT / "Examples"))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def documented() -> list[list[str]]:
    """The commands with which README.md creates its flag, for this container."""
    lines = [line for line in (ROOT / "README.md").read_text().splitlines() if line.startswith("nephos flag ")]
    assert len(lines) == 3 and "flags.html" in (ROOT / "README.md").read_text(), lines
    return [[CONTAINER if word == "iCloud.com.example.app" else word for word in shlex.split(line)[1:]] for line in lines]


def lines_of_script() -> int:
    page = (ROOT / "Examples" / "flags.html").read_text()
    script = page.split("<script>")[1].split("</script>")[0]
    return len([line for line in script.splitlines() if line.strip()])


def main(program: str, chromium: str) -> None:
    assert lines_of_script() <= 15, f"{lines_of_script()} lines of script"
    pages = serve_examples()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        nephos = Nephos(program, data)
        browser = launch(playwright, chromium)
        try:
            nephos.run("container", "create", CONTAINER)
            token = nephos.run("token", "create", CONTAINER)
            query = urllib.parse.urlencode({"server": nephos.url, "container": CONTAINER, "token": token})
            page = browser.new_page(locale="en-US")
            *made, rule = documented()
            for line in made:
                nephos.run(*line)
            page.goto(f"http://127.0.0.1:{pages.server_port}/flags.html?{query}")
            expect(page.locator("li")).to_have_text(["tipJar: true"])
            page.goto(f"file://{ROOT}/Examples/flags.html?{query}")
            expect(page.locator("li")).to_have_text(["tipJar: true"])
            nephos.run(*rule)
            page.reload()
            expect(page.locator("li")).to_have_text(["tipJar: false"])
            spanish = browser.new_page(locale="es-MX")
            spanish.goto(f"file://{ROOT}/Examples/flags.html?{query}")
            expect(spanish.locator("li")).to_have_text(["tipJar: true"])
            page.goto(f"http://127.0.0.1:{pages.server_port}/flags.html?{query}x")
            expect(page.locator("#flags")).to_contain_text("No flags: Authentication failed")
        finally:
            browser.close()
            nephos.stop()
            pages.shutdown()
    print("flags.html: the current flags are shown, and a wrong token is reported")


if __name__ == "__main__":
    main(*sys.argv[1:])
