"""In Firefox, too, people sign in by a popup, manage their account, and sign out: once for all that pages need of a browser.

Usage: firefox_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import contextlib
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator

from marionette_driver import By, Wait
from marionette_driver.errors import NoSuchElementException
from marionette_driver.marionette import Marionette, WebElement
from nephos import PATIENCE
from web_app import CONTAINER, WebApp, served_app

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
EMAIL = "mary@example.org"
PASSWORD = "correct horse & battery + staple"


@contextlib.contextmanager
def firefox() -> Iterator[Marionette]:
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    assert program, "there is no Firefox: scripts/test-browser --install"
    with tempfile.TemporaryDirectory() as workspace, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        client = Marionette(
            bin=program, headless=True, host="127.0.0.1", port=port, workspace=workspace, gecko_log=f"{workspace}/log",
            startup_timeout=PATIENCE,
            prefs={"intl.accept_languages": "en-US", "dom.disable_open_during_load": False})
        try:
            client.start_session()
            yield client
        finally:
            client.cleanup()
            # Its destructor would use modules that no longer exist when Python ends.
            client.instance.profile.cleanup()


def find(client: Marionette, by: str, what: str) -> WebElement:
    """The element, which may not be there before its page has loaded."""
    waiting = Wait(client, timeout=PATIENCE, ignored_exceptions=NoSuchElementException)
    return waiting.until(lambda client: client.find_element(by, what), message=what)


def button(client: Marionette, text: str) -> WebElement:
    return find(client, By.XPATH, f"//button[normalize-space()='{text}']")


def said(client: Marionette) -> list:
    return client.execute_script("return window.said.map(m => m.data)", sandbox=None)


def sign_in(client: Marionette, password: str) -> None:
    field = find(client, By.ID, "email")
    field.clear()
    field.send_keys(EMAIL)
    find(client, By.ID, "password").send_keys(password)
    button(client, "Sign in").click()


def signed_in(client: Marionette, app: WebApp) -> None:
    """The app's button, a wrong password, the right one, consent: the app has a token that the server accepts."""
    client.navigate(app.url)
    client.execute_script(f"window.caller = {app.caller!r}", sandbox=None)
    page = client.current_window_handle
    find(client, By.TAG_NAME, "button").click()
    popup = Wait(client, timeout=PATIENCE).until(lambda client: next(iter(set(client.window_handles) - {page}), None))
    client.switch_to_window(popup)
    sign_in(client, "a wrong password")
    assert "the password is wrong" in find(client, By.CSS_SELECTOR, "[role=alert]").text
    sign_in(client, PASSWORD)
    button(client, "Allow").click()
    Wait(client, timeout=PATIENCE).until(lambda client: client.window_handles == [page], message="the popup closes")
    client.switch_to_window(page)
    Wait(client, timeout=PATIENCE).until(lambda client: len(said(client)) == 1)
    token = said(client)[0]["ckWebAuthToken"]
    client.timeout.script = PATIENCE
    answer = client.execute_async_script(
        "const [token, done] = arguments; window.ask(token).then(answer => done(answer.status))",
        script_args=(token,), sandbox=None)
    assert answer == 200, answer


def account(client: Marionette, app: WebApp) -> None:
    """The account page in the same browser; signing out everywhere ends the app's session, too."""
    own = app.nephos.url.replace("127.0.0.1", "localhost")
    client.navigate(f"{own}/account")
    text = find(client, By.TAG_NAME, "main").text
    assert EMAIL in text and CONTAINER in text and "Firefox" in text, text
    button(client, "Sign out everywhere").click()
    find(client, By.ID, "email")
    client.navigate(f"{own}/account")
    assert "/sign-in" in client.get_url(), client.get_url()


def main(program: str, _: str) -> None:
    with served_app(program) as app, firefox() as client:
        app.nephos.run("account", "create", EMAIL, "--name", "Mary Example", "--password-file", "-", text=PASSWORD + "\n")
        app.set("--origins", app.url)
        signed_in(client, app)
        account(client, app)
        assert PASSWORD not in app.kept(), "a secret is kept"
    print("Firefox: a popup passes the token to the page; the account is shown and signed out")


if __name__ == "__main__":
    main(*sys.argv[1:])
