"""A web app whose users sign in at a server."""

import contextlib
import http.server
import pathlib
import tempfile
import threading
from collections.abc import Iterator

from chromium import launch
from nephos import Nephos
from playwright.sync_api import Browser, Page, sync_playwright

CONTAINER = "iCloud.com.example.app"

# It stores every message that it receives, and opens the address of a 421 when its button is pressed.
PAGE = """<!doctype html><meta charset="utf-8"><title>App</title><button>Sign in</button>
<script type="module">
  const ask = token => fetch(window.caller + (token ? "&ckWebAuthToken=" + encodeURIComponent(token) : ""))
    .then(async answer => ({status: answer.status, ...await answer.json()}))
  window.said = []
  addEventListener("message", event => window.said.push({origin: event.origin, data: event.data}))
  window.ask = ask
  document.querySelector("button").onclick = async () => {
    // Opened at once, as browsers want it of a press of a button.
    const popup = open("about:blank", "signin", "width=640,height=525")
    popup.location = (await ask()).redirectURL
  }
</script>
"""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=UTF-8")
        self.end_headers()
        self.wfile.write(PAGE.encode())

    def log_message(self, *arguments: object) -> None:
        pass


class WebApp:
    """A server with the app's container, a browser, and the address of the app's page."""

    def __init__(self, nephos: Nephos, browser: Browser | None, url: str) -> None:
        self.nephos, self.browser, self.url = nephos, browser, url
        nephos.run("container", "create", CONTAINER)
        token = nephos.run("token", "create", CONTAINER, "--name", "Web site")
        self.id = nephos.run("token", "list", CONTAINER).splitlines()[-1].split()[0]
        self.caller = f"{nephos.url}/database/1/{CONTAINER}/development/public/users/caller?ckAPIToken={token}"

    def set(self, *options: str) -> None:
        self.nephos.run("token", "set", CONTAINER, self.id, *options)

    def kept(self) -> str:
        """Everything that the server has logged and stored."""
        files = pathlib.Path(self.nephos.data).rglob("*.sqlite*")
        return "".join(self.nephos.log) + "".join(path.read_bytes().decode(errors="replace") for path in files)

    def page(self, scheme: str = "light", locale: str = "en-US") -> Page:
        """On a phone, in a browser of its own."""
        context = self.browser.new_context(color_scheme=scheme, locale=locale, viewport={"width": 375, "height": 700})
        page = context.new_page()
        self.open(page)
        return page

    def open(self, page: Page) -> None:
        page.add_init_script(f"window.caller = {self.caller!r}")
        page.goto(self.url)


@contextlib.contextmanager
def web_app(program: str, chromium: str) -> Iterator[WebApp]:
    with sync_playwright() as playwright:
        browser = launch(playwright, chromium)
        try:
            with served_app(program, browser) as app:
                yield app
        finally:
            browser.close()


@contextlib.contextmanager
def served_app(program: str, browser: Browser | None = None) -> Iterator[WebApp]:
    """The same for a browser that is controlled in another way."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as data:
        nephos = Nephos(program, data)
        try:
            yield WebApp(nephos, browser, f"http://127.0.0.1:{server.server_port}")
        finally:
            server.shutdown()
            nephos.stop()


def popup_of(page: Page, faults: list[str] | None = None) -> Page:
    """The window that the app opens, at the server's page. - faults: receives the browser's complaints."""
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Sign in").click()
    popup = opened.value
    if faults is not None:
        popup.on("console", lambda message: faults.append(message.text))
    popup.wait_for_url("**/sign-in?**")
    return popup


def message(page: Page) -> dict:
    """The token that the app received."""
    page.wait_for_function("said.length > 0")
    said = page.evaluate("said")
    assert len(said) == 1, said
    return said[0]


def sign_in(page: Page, email: str, password: str, language: str = "en") -> None:
    """Types address and password into the form of a page."""
    words = {"en": ("E-mail address", "Password", "Sign in"), "de": ("E-Mail-Adresse", "Passwort", "Anmelden")}
    address, secret, button = words[language]
    page.get_by_label(address).fill(email)
    page.get_by_label(secret).fill(password)
    page.get_by_role("button", name=button, exact=True).click()
