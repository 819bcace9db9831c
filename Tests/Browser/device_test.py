"""A person types the code of a program by hand, on a phone, and allows the program; another one is refused.

Usage: device_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

from nephos import PATIENCE
from playwright.sync_api import Page, expect
from sample import look
from sight import read
from web_app import CONTAINER, WebApp, sign_in, web_app

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
EMAIL = "ada@example.org"
PASSWORD = "correct horse battery"
GRANT = "urn:ietf:params:oauth:grant-type:device_code"


class Terminal:
    """A program without a page, which requests a code as RFC 8628 specifies."""

    def __init__(self, app: WebApp) -> None:
        self.base = f"{app.nephos.url}/nephos/1/{CONTAINER}/development/sign-in"
        self.token = app.caller.split("ckAPIToken=")[1]
        self.code = self.ask("device-code")

    def ask(self, name: str, **fields: str) -> dict:
        body = urllib.parse.urlencode({"client_id": self.token, **fields}).encode()
        try:
            with urllib.request.urlopen(f"{self.base}/{name}", body, timeout=PATIENCE) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def session(self) -> dict:
        return self.ask("token", grant_type=GRANT, device_code=self.code["device_code"])


def looked_at(page: Page, scheme: str) -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    look(page, scheme)
    assert read(page) > 1


def typed(page: Page, terminal: Terminal, scheme: str, words: tuple[str, str, str]) -> None:
    """Opens the page that the program names, and types its code."""
    page.goto(terminal.code["verification_uri"])
    field = page.get_by_label("Code")
    assert field.input_value() == ""
    field.fill("BBBB-BBBB")
    page.get_by_role("button", name=words[0]).click()
    expect(page.get_by_role("alert")).to_contain_text(words[1])
    looked_at(page, scheme)
    page.get_by_label("Code").press_sequentially(terminal.code["user_code"].lower().replace("-", " "))
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text(CONTAINER)
    expect(page.locator("dl")).to_contain_text(words[2])
    looked_at(page, scheme)


def main(program: str, chromium: str) -> None:
    with web_app(program, chromium) as app:
        app.nephos.run("account", "create", EMAIL, "--password-file", "-", text=PASSWORD + "\n")
        terminal = Terminal(app)
        page = app.page()
        page.goto(terminal.code["verification_uri"])
        sign_in(page, EMAIL, PASSWORD)
        page.wait_for_url("**/device")
        typed(page, terminal, "light", ("Continue", "No program is waiting", "this machine"))
        page.get_by_role("button", name="Allow", exact=True).click()
        expect(page.locator("h1")).to_have_text("The program is signed in")
        looked_at(page, "light")
        session = terminal.session()["access_token"]
        app.open(page)
        assert page.evaluate("token => ask(token)", session)["status"] == 200
        assert terminal.session()["error"] == "invalid_grant"
        page.context.close()
        # In German and dark; the person refuses.
        page = app.page("dark", "de-DE")
        page.goto(app.nephos.url + "/device")
        sign_in(page, EMAIL, PASSWORD, "de")
        page.wait_for_url("**/device")
        terminal = Terminal(app)
        typed(page, terminal, "dark", ("Weiter", "wartet kein Programm", "dieser Rechner"))
        page.get_by_role("button", name="Nicht erlauben").click()
        expect(page.locator("h1")).to_have_text("Das Programm ist nicht angemeldet")
        assert terminal.session()["error"] == "access_denied"
        kept = app.kept()
        for secret in (session, terminal.code["device_code"], terminal.code["user_code"]):
            assert secret not in kept, "a log or the store has a code or a session"
    print("device: a code typed by hand, allowed once, refused once, in the light and the dark, in English and German")


if __name__ == "__main__":
    main(*sys.argv[1:])
