"""Pictures of the pages on which people sign up, sign in and manage their account: on a phone and a desktop, light and dark, in
English and German.

Usage: screenshots.py NEPHOS_PROGRAM CHROMIUM_PROGRAM FOLDER
"""

import pathlib
import sys

from account_test import Mailbox, takes_people
from mailserver import listening
from passkey_test import authenticator
from playwright.sync_api import Page
from signin_test import PASSWORD
from web_app import WebApp, web_app

APP = "https://garden.example"


class Album:
    def __init__(self, folder: str, name: str) -> None:
        self.folder, self.name, self.count = pathlib.Path(folder), name, 0

    def keep(self, page: Page, what: str) -> None:
        self.count += 1
        page.screenshot(path=self.folder / f"{self.name}-{self.count}-{what}.png", full_page=True)


def take(app: WebApp, url: str, box: Mailbox, album: Album, number: int, **look: object) -> None:
    address = f"mary{number}@example.org"
    context = app.browser.new_context(**look)
    page = context.new_page()
    authenticator(page)
    page.goto(url)
    album.keep(page, "sign-in")
    page.locator("#email").fill(address)
    page.locator("#password").fill("not the right one")
    page.locator("button[value=yes]").click()
    page.locator("[role=alert]").first.wait_for()
    album.keep(page, "wrong")
    page.goto(url.replace("/sign-in?", "/sign-up?"))
    album.keep(page, "sign-up")
    page.locator("#email").fill(address)
    page.locator("button[value=yes]").click()
    page.get_by_text(address).wait_for()
    album.keep(page, "sent")
    page.goto(box.link(address))
    album.keep(page, "password")
    page.locator("#name").fill("Mary Example")
    page.locator("#password").fill(PASSWORD)
    page.locator("button[value=yes]").click()
    page.locator("a[href='/account']").wait_for()
    album.keep(page, "ready")
    page.goto(url)
    album.keep(page, "consent")
    page.locator("button[value=yes]").click()
    page.locator("#answer").wait_for(state="attached")
    album.keep(page, "done")
    page.goto(app.nephos.url + "/account")
    page.locator("form[data-passkey] input[name=current]").fill(PASSWORD)
    page.locator("#passkey-name").fill("Telephone")
    page.locator("form[data-passkey] button").click()
    page.locator("[role=status]").wait_for()
    album.keep(page, "account")
    page.goto(app.nephos.url + "/device")
    album.keep(page, "device")
    page.goto(app.nephos.url + "/account")
    form = page.locator("form").filter(has=page.locator("button[value=delete]"))
    form.locator("input[name=current]").fill(PASSWORD)
    form.locator("button[value=delete]").click()
    page.locator("a[href='/sign-in']").wait_for()
    album.keep(page, "leaving")
    page.goto(app.nephos.url + "/sign-in")
    page.locator("#email").fill(address)
    page.locator("#password").fill(PASSWORD)
    page.locator("button[value=yes]").click()
    page.locator("button[value=keep]").wait_for()
    album.keep(page, "keep")
    context.close()


def main(program: str, chromium: str, folder: str) -> None:
    pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    box = Mailbox()
    smtp = listening(box)
    try:
        with web_app(program, chromium) as app:
            takes_people(app, smtp)
            app.set("--origins", APP)
            asking = app.browser.new_context().request
            number = 0
            for locale in ["en-US", "de-DE"]:
                for scheme in ["light", "dark"]:
                    for name, width in [("phone", 375), ("desk", 1280)]:
                        number += 1
                        url = asking.get(app.caller, headers={"Origin": APP}).json()["redirectURL"]
                        album = Album(folder, f"{locale[:2]}-{scheme}-{name}")
                        viewport = {"width": width, "height": 800}
                        take(app, url, box, album, number, locale=locale, color_scheme=scheme, viewport=viewport)
                        print(f"{album.name}: {album.count} pictures")
    finally:
        smtp.stop()
    print(f"They are in {folder}")


if __name__ == "__main__":
    main(*sys.argv[1:])
