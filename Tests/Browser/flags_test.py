"""The page Examples/flags.html, served from another origin than the server's, shows the current flags.

Usage: flags_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import functools
import http.server
import json
import pathlib
import sys
import tempfile
import threading
import urllib.parse

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


def set_flags(nephos: Nephos, **flags: int) -> None:
    fields = {name: {"type": "int64Type", "value": value} for name, value in flags.items()}
    nephos.run(
        "records", "create", CONTAINER, "--record-type", "AppFeatures", "--fields-json", json.dumps(fields))


def lines_of_script() -> int:
    page = (ROOT / "Examples" / "flags.html").read_text()
    script = page.split("<script>")[1].split("</script>")[0]
    return len([line for line in script.splitlines() if line.strip()])


def main(program: str, chromium: str) -> None:
    assert lines_of_script() <= 15, f"{lines_of_script()} lines of script"
    pages = serve_examples()
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        nephos = Nephos(program, data)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            nephos.run("container", "create", CONTAINER)
            nephos.run("schema", "import", CONTAINER, str(ROOT / "Examples" / "flags.ckdb"))
            token = nephos.run("token", "create", CONTAINER)
            set_flags(nephos, newEditor=1, tipJar=0)
            query = urllib.parse.urlencode({"server": nephos.url, "container": CONTAINER, "token": token})
            page = browser.new_page()
            page.goto(f"http://127.0.0.1:{pages.server_port}/flags.html?{query}")
            expect(page.locator("li")).to_have_text(["newEditor: on", "tipJar: off"])
            set_flags(nephos, newEditor=0, tipJar=1)
            page.reload()
            expect(page.locator("li")).to_have_text(["newEditor: off", "tipJar: on"])
            page.goto(f"http://127.0.0.1:{pages.server_port}/flags.html?{query}x")
            expect(page.locator("#flags")).to_contain_text("No flags: Authentication failed")
        finally:
            browser.close()
            nephos.stop()
            pages.shutdown()
    print("flags.html: the current flags are shown, and a wrong token is reported")


if __name__ == "__main__":
    main(*sys.argv[1:])
