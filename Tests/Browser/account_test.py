"""People sign up in the popup of an app, with a mail that a real server receives, and manage their account.

Usage: account_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import email
import email.policy
import pathlib
import queue
import re
import sys
import zipfile

from aiosmtpd.controller import Controller
from mailserver import listening
from nephos import PATIENCE
from passkey_test import authenticator
from playwright.sync_api import Locator, Page, expect
from sample import look
from sight import read
from web_app import CONTAINER, WebApp, message, popup_of, sign_in, web_app

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
MARY = "mary@example.org"
PASSWORD = "correct horse & battery + staple"
# Because they have another address, and have recovered the account.
NEW = "mary@new.example"
RECOVERED = "an entirely new battery"
SETTINGS = "version: 1\npeople:\n  signUp: open\n  app: {name: Garden, color: '#1c64f2'}\n"


class Mailbox:
    """Receives mails, as the mail server of an operator does."""

    def __init__(self) -> None:
        self.mails: queue.Queue[email.message.EmailMessage] = queue.Queue()

    async def handle_DATA(self, server, session, envelope):
        self.mails.put(email.message_from_bytes(envelope.original_content, policy=email.policy.default))
        return "250 OK"

    def link(self, to: str) -> str:
        # Other mails report a change, and have no link to follow.
        while True:
            mail = self.mails.get(timeout=PATIENCE)
            link = re.search(r"http://\S+/verify\?link=[0-9a-f]+", mail.get_content())
            if mail["To"] == to and link:
                return link.group()


def form_of(page: Page, button: str) -> Locator:
    """The form of a page that has this button."""
    return page.locator("form").filter(has=page.get_by_role("button", name=button, exact=True))


def looked_at(page: Page, scheme: str = "light") -> None:
    page.set_viewport_size({"width": 320, "height": 640})
    look(page, scheme)
    assert read(page) > 2


def sign_up(app: WebApp, box: Mailbox) -> None:
    """From the popup of an app to a token for it, by way of a mail."""
    page = app.page()
    popup = popup_of(page)
    popup.get_by_role("link", name="Create an account").click()
    expect(popup.locator("h1")).to_have_text("Create an account")
    looked_at(popup)
    popup.get_by_label("E-mail address").fill("mary")
    popup.get_by_role("button", name="Send me a link").click()
    expect(popup.get_by_role("alert")).to_contain_text("not a valid e-mail address")
    popup.get_by_label("E-mail address").fill(MARY)
    popup.get_by_role("button", name="Send me a link").click()
    expect(popup.locator("main")).to_contain_text(MARY)
    looked_at(popup)
    mail = page.context.new_page()
    mail.goto(box.link(MARY))
    looked_at(mail)
    mail.get_by_label("Your name").fill("Mary Example")
    mail.get_by_label("New password").fill("short")
    mail.get_by_role("button", name="Continue").click()
    expect(mail.get_by_role("alert")).to_contain_text("at least 10 characters")
    expect(mail.get_by_label("Your name")).to_have_value("Mary Example")
    mail.get_by_label("New password").fill(PASSWORD)
    mail.get_by_role("button", name="Continue").click()
    expect(mail.locator("h1")).to_have_text("You are signed in here")
    # The window of the app continues, without a password.
    popup.get_by_role("link", name="I followed the link").click()
    expect(popup.locator("main")).to_contain_text(MARY)
    looked_at(popup)
    with popup.expect_event("close"):
        popup.get_by_role("button", name="Allow").click()
    token = message(page)["data"]["ckWebAuthToken"]
    assert page.evaluate("token => ask(token)", token)["status"] == 200
    mail.close()
    account(app, page, token, box)


def account(app: WebApp, opener: Page, token: str, box: Mailbox) -> None:
    page = opener.context.new_page()
    page.goto(app.nephos.url + "/account")
    expect(page.locator("main")).to_contain_text("Garden")
    looked_at(page)
    page.get_by_label("Name", exact=True).fill("Mary Gardener")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    # After its access is revoked, the app is signed out.
    with page.expect_response("**/account"):
        page.get_by_role("button", name="Sign out, and ask me again").click()
    assert opener.evaluate("token => ask(token)", token)["status"] == 421
    passkey(page)
    # Another address, confirmed by its mail.
    form_of(page, "Change the address").get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("New e-mail address").fill(NEW)
    page.get_by_role("button", name="Change the address").click()
    expect(page.locator("main")).to_contain_text(NEW)
    page.goto(box.link(NEW))
    page.get_by_role("button", name="Continue").click()
    expect(page.locator("h1")).to_have_text("Your e-mail address is changed")
    page.goto(app.nephos.url + "/account")
    page.get_by_role("button", name="Sign out everywhere").click()
    expect(page.locator("h1")).to_have_text("Sign in")
    # A person who has forgotten the password.
    page.get_by_role("link", name="Forgot your password?").click()
    expect(page.locator("h1")).to_have_text("Reset your password")
    looked_at(page)
    page.get_by_label("E-mail address").fill(NEW)
    page.get_by_role("button", name="Send me a link").click()
    page.goto(box.link(NEW))
    page.get_by_label("New password").fill(RECOVERED)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Your account").click()
    expect(page.locator("main")).to_contain_text(NEW)


def passkey(page: Page) -> None:
    """Created on the account page, named, and used instead of the password."""
    authenticator(page)
    page.goto(page.url)
    page.locator("form[data-passkey]").get_by_label("Current password").fill(PASSWORD)
    page.get_by_label("Name of the passkey").fill("Telephone")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.get_by_label("Name of the passkey").first.fill("<b>Phone</b>")
    page.locator("#passkeys + p + ul").get_by_role("button", name="Save").click()
    expect(page.locator("main")).to_contain_text("<b>Phone</b>")
    looked_at(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.locator("h1")).to_have_text("Your account")
    expect(page.locator("main")).to_contain_text(MARY)


def german(app: WebApp) -> None:
    page = app.page("dark", "de-DE")
    page.goto(app.nephos.url + "/sign-in")
    sign_in(page, NEW, RECOVERED, "de")
    expect(page.locator("h1")).to_have_text("Dein Konto")
    looked_at(page, "dark")
    page.context.close()


def leaving(app: WebApp) -> None:
    """A person's data is downloaded; the account is deleted, restored, and deleted for good."""
    page = app.page()
    page.goto(app.nephos.url + "/sign-in")
    sign_in(page, NEW, RECOVERED)
    expect(page.locator("h1")).to_have_text("Your account")
    export = form_of(page, "Download")
    export.get_by_label("Current password").fill(RECOVERED)
    with page.expect_download() as download:
        export.get_by_role("button").click()
    with zipfile.ZipFile(download.value.path()) as stored:
        assert stored.testzip() is None
        assert NEW in stored.read("account.json").decode(), stored.namelist()
    for password in ["a wrong battery", RECOVERED]:
        delete = form_of(page, "Delete my account")
        delete.get_by_label("Current password").fill(password)
        delete.get_by_role("button").click()
        if password != RECOVERED:
            expect(page.get_by_role("alert")).to_contain_text("The current password is wrong")
    expect(page.locator("h1")).to_have_text("Your account will be deleted")
    looked_at(page)
    page.goto(app.nephos.url + "/account")
    expect(page.locator("h1")).to_have_text("Sign in")
    sign_in(page, NEW, RECOVERED)
    expect(page.locator("h1")).to_have_text("Keep your account?")
    looked_at(page)
    page.get_by_role("button", name="Keep my account").click()
    expect(page.locator("h1")).to_have_text("Your account")
    app.nephos.run("account", "delete", NEW, "--now", "--yes")
    page.goto(app.nephos.url + "/account")
    expect(page.locator("h1")).to_have_text("Sign in")
    # The account no longer exists: the answer is that of a wrong password, and further attempts must wait.
    # Hashing takes a while, and the first waits are short.
    for number in range(16):
        with page.expect_navigation():
            sign_in(page, NEW, RECOVERED)
        alert = page.get_by_role("alert").inner_text()
        if number >= 6 and "too many attempts" in alert:
            break
        assert "The address or the password is wrong" in alert, alert
    else:
        raise AssertionError("nobody has to wait")
    page.context.close()


def takes_people(app: WebApp, smtp: Controller) -> None:
    """Lets the server send mails, and people create accounts for the app."""
    app.nephos.run("mail", "configure", "--smtp", f"127.0.0.1:{smtp.port}", "--tls", "none", "--from", "nephos@example.org")
    settings = pathlib.Path(app.nephos.data, "settings.yaml")
    settings.write_text(SETTINGS)
    settings.chmod(0o644)
    app.nephos.run("settings", "import", CONTAINER, str(settings))
    app.set("--sign-up", "yes")


def main(program: str, chromium: str) -> None:
    box = Mailbox()
    smtp = listening(box)
    try:
        with web_app(program, chromium) as app:
            takes_people(app, smtp)
            app.set("--origins", app.url)
            sign_up(app, box)
            german(app)
            leaving(app)
            said = "".join(app.nephos.log)
            assert MARY not in said and "link=" not in said, "a log has an address or a link"
    finally:
        smtp.stop()
    print("accounts: signed up by a mail, changed, recovered, signed out everywhere, downloaded and deleted, in the light and the dark")


if __name__ == "__main__":
    main(*sys.argv[1:])
