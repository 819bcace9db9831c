"""People sign in to a web app as with CloudKit's web clients: in a popup that passes a token to the page.

Usage: signin_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import sys

from playwright.sync_api import Page, expect
from sample import look
from sight import read
from web_app import CONTAINER, WebApp, message, popup_of, sign_in, web_app

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
EMAIL = "mary@example.org"
PASSWORD = "correct horse & battery + staple"
ADDRESS = "E-mail address"


def whole(app: WebApp, scheme: str) -> None:
    """A wrong password, the right one, consent, the message, and the person; after that the password is enough."""
    page = app.page(scheme)
    faults: list[str] = []
    popup = popup_of(page, faults)
    popup.set_viewport_size({"width": 320, "height": 640})
    look(popup, scheme)
    assert read(popup) > 4
    sign_in(popup, EMAIL, "a wrong password")
    expect(popup.get_by_role("alert")).to_have_text("The address or the password is wrong. Check both, and try again.")
    expect(popup.get_by_label(ADDRESS)).to_have_value(EMAIL)
    expect(popup.get_by_label("Password")).to_have_value("")
    look(popup, scheme)
    assert page.evaluate("said") == []
    # Consent is asked for once: the password is enough now.
    if scheme == "light":
        sign_in(popup, EMAIL, PASSWORD)
        expect(popup.locator("main")).to_contain_text(CONTAINER)
        expect(popup.locator("main")).to_contain_text(app.url)
        expect(popup.locator("main")).to_contain_text("Web site")
        look(popup, scheme)
        assert read(popup) > 4
        with popup.expect_event("close"):
            popup.get_by_role("button", name="Allow").click()
    else:
        with popup.expect_event("close"):
            sign_in(popup, EMAIL, PASSWORD)
    said = message(page)
    # On this machine the page is at an address that allows passkeys.
    assert said["origin"] == app.nephos.url.replace("127.0.0.1", "localhost"), said
    token = said["data"]["ckWebAuthToken"]
    assert said["data"] == {"ckWebAuthToken": token, "ckSession": token}, said
    assert page.evaluate("token => ask(token)", token)["status"] == 200
    # The browser reports the response to a wrong password, and nothing that a policy forbids.
    faults = [fault for fault in faults if "403" not in fault and "favicon" not in fault]
    assert not faults, f"{scheme}: {faults}"
    page.context.close()


def refused(app: WebApp) -> None:
    page = app.page()
    popup = popup_of(page)
    with popup.expect_event("close"):
        popup.get_by_role("button", name="Cancel").click()
    assert message(page)["data"] == {"errorMessage": "accessError"}
    page.context.close()


def elsewhere(app: WebApp) -> None:
    """The page that opened the popup was replaced by one of another origin: the browser passes nothing to it."""
    page = app.page()
    popup = popup_of(page)
    page.goto(app.url.replace("127.0.0.1", "localhost"))
    with popup.expect_event("close"):
        popup.get_by_role("button", name="Cancel").click()
    assert page.evaluate("said") == []
    page.context.close()


def german(app: WebApp) -> None:
    page = app.page(locale="de-DE")
    popup = popup_of(page)
    expect(popup.get_by_label("Passwort")).to_be_visible()
    expect(popup.locator("html")).to_have_attribute("lang", "de")
    look(popup, "light")
    page.context.close()


def not_allowed(app: WebApp) -> None:
    page = app.page()
    popup = popup_of(page)
    expect(popup.locator("h1")).to_have_text("Nobody can sign in from there")
    expect(popup.locator("form")).to_have_count(0)
    page.context.close()


def main(program: str, chromium: str) -> None:
    with web_app(program, chromium) as app:
        app.nephos.run("account", "create", EMAIL, "--name", "Mary Example", "--password-file", "-", text=PASSWORD + "\n")
        not_allowed(app)
        app.set("--origins", app.url)
        for scheme in ["light", "dark"]:
            whole(app, scheme)
        refused(app)
        elsewhere(app)
        german(app)
        said = app.kept()
        assert PASSWORD not in said and "request=" not in said, "a secret is kept"
    print("signing in: a popup passes the token to the page after the right password and consent, light and dark")


if __name__ == "__main__":
    main(*sys.argv[1:])
