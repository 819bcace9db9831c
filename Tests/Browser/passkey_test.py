"""People sign in with a passkey, by Chromium's own authenticator in software.

Usage: passkey_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import sys

from playwright.sync_api import CDPSession, Page, expect
from sample import look
from sight import read
from signin_test import EMAIL, PASSWORD
from web_app import WebApp, message, popup_of, sign_in, web_app

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
BUTTON = "Sign in with a passkey"


def authenticator(page: Page, verified: bool = True) -> tuple[CDPSession, str]:
    """An authenticator that is built in, supports passkeys, and asks nothing."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": verified, "automaticPresenceSimulation": True,
    }
    return session, session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]


def passkey(popup: Page, app: WebApp, isKept: bool = True) -> tuple[CDPSession, str]:
    """Creates a passkey on the account page, and removes it there unless it is kept; the popup is unchanged then."""
    target = popup.url
    session, holder = authenticator(popup)
    popup.goto(app.nephos.url + "/sign-in")
    sign_in(popup, EMAIL, PASSWORD)
    popup.wait_for_url("**/account")
    popup.locator("form[data-passkey]").get_by_label("Current password").fill(PASSWORD)
    popup.locator("#passkey-name").fill(f"Telephone {holder}")
    popup.get_by_role("button", name="Add a passkey").click()
    expect(popup.get_by_role("status")).to_have_text("Saved.")
    if not isKept:
        popup.get_by_role("button", name="Remove").last.click()
        expect(popup.get_by_role("status")).to_have_text("Saved.")
    popup.get_by_role("button", name="Sign out", exact=True).click()
    popup.wait_for_url("**/sign-in")
    popup.goto(target)
    return session, holder


def press(popup: Page) -> None:
    popup.get_by_role("button", name=BUTTON).click()


def whole(app: WebApp, scheme: str) -> None:
    """The button, the consent for the app the first time, and the message."""
    page = app.page(scheme)
    faults: list[str] = []
    popup = popup_of(page, faults)
    popup.set_viewport_size({"width": 320, "height": 640})
    assert popup.url.startswith(app.nephos.url.replace("127.0.0.1", "localhost")), popup.url
    passkey(popup, app)
    expect(popup.get_by_role("button", name=BUTTON)).to_be_visible()
    look(popup, scheme)
    assert read(popup) > 4
    # Chromium counts from 1, which few authenticators do.
    if scheme == "light":
        press(popup)
        expect(popup.locator("h1")).to_have_text("Let this app act as you?")
        with popup.expect_event("close"):
            popup.get_by_role("button", name="Allow").click()
    else:
        with popup.expect_event("close"):
            press(popup)
    said = message(page)
    assert said["origin"] == app.nephos.url.replace("127.0.0.1", "localhost"), said
    assert page.evaluate("token => ask(token)", said["data"]["ckWebAuthToken"])["status"] == 200
    faults = [fault for fault in faults if "favicon" not in fault]
    assert not faults, f"{scheme}: {faults}"
    page.context.close()


def unknown(app: WebApp) -> None:
    """A passkey that the server does not have: the page reports it. Then one that is no longer in the browser."""
    page = app.page()
    popup = popup_of(page)
    session, holder = passkey(popup, app, isKept=False)
    press(popup)
    expect(popup.get_by_role("alert")).to_contain_text("This passkey does not belong to an account here")
    session.send("WebAuthn.clearCredentials", {"authenticatorId": holder})
    press(popup)
    expect(popup.get_by_role("alert").last).to_contain_text("No passkey was used.")
    assert page.evaluate("said") == []
    page.context.close()


def without(app: WebApp) -> None:
    """In a browser without passkeys there is no button, and the password works as before."""
    page = app.page()
    page.context.add_init_script("delete window.PublicKeyCredential")
    popup = popup_of(page)
    expect(popup.get_by_label("Password")).to_be_visible()
    expect(popup.get_by_role("button", name=BUTTON)).to_have_count(0)
    page.context.close()


def by_address(app: WebApp) -> None:
    """A page that is opened at an IP address of this machine redirects to localhost."""
    page = app.page()
    target = page.evaluate("ask()")["redirectURL"]
    page.goto(target.replace("localhost", "127.0.0.1"))
    assert page.url == target, page.url
    expect(page.get_by_label("Password")).to_be_visible()
    page.context.close()


def main(program: str, chromium: str) -> None:
    with web_app(program, chromium) as app:
        app.nephos.run("account", "create", EMAIL, "--name", "Mary Example", "--password-file", "-", text=PASSWORD + "\n")
        app.set("--origins", app.url)
        for scheme in ["light", "dark"]:
            whole(app, scheme)
        unknown(app)
        without(app)
        by_address(app)
    print("passkeys: one press of a button signs in, light and dark; without a passkey the password works")


if __name__ == "__main__":
    main(*sys.argv[1:])
