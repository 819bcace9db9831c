"""The list of notes of Examples/notes.html, in two browsers side by side.

Usage: notes_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import base64
import sys

from playwright.sync_api import Browser, Page, expect
from sample import look, sample
from sight import read
from web_app import sign_in

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
CONTAINER = "iCloud.org.nephos.demo"
EMAIL = "mary@example.org"
PASSWORD = "correct horse & battery + staple"
# A picture of one pixel.
PICTURE = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")


def notes(browser: Browser, url: str, scheme: str) -> Page:
    """A browser in which Mary signs in by the popup."""
    page = browser.new_context(color_scheme=scheme, locale="en-US", viewport={"width": 375, "height": 700}).new_page()
    page.goto(url)
    expect(page.get_by_role("status")).to_have_text("Sign in to see your notes")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Sign in").click()
    popup = opened.value
    popup.wait_for_url("**/sign-in?**")
    sign_in(popup, EMAIL, PASSWORD)
    if scheme == "light":
        # Asked once.
        popup.get_by_role("button", name="Allow").click()
    expect(page.get_by_label("New note")).to_be_visible()
    return page


def main(program: str, chromium: str) -> None:
    with sample("", program, chromium) as (nephos, browser, index):
        nephos.run("container", "create", CONTAINER)
        nephos.run("account", "create", EMAIL, "--password-file", "-", text=PASSWORD + "\n")
        token = nephos.run("token", "create", CONTAINER)
        listed = nephos.run("token", "list", CONTAINER).splitlines()[-1].split()[0]
        nephos.run("token", "set", CONTAINER, listed, "--origins", "loopback")
        url = index.replace("index.html", f"notes.html?token={token}&server={nephos.url}")
        first = notes(browser, url, "light")
        second = notes(browser, url, "dark")
        first.get_by_label("New note").fill("Buy <b>milk</b>")
        first.get_by_label("Picture").set_input_files([{"name": "milk.png", "mimeType": "image/png", "buffer": PICTURE}])
        first.get_by_role("button", name="Add").click()
        for page, scheme in [(first, "light"), (second, "dark")]:
            # The other window receives it by itself.
            expect(page.get_by_role("checkbox", name="Buy <b>milk</b>")).not_to_be_checked()
            expect(page.get_by_role("status")).to_have_text("1 note")
            page.wait_for_function("document.images.length === 1 && document.images[0].naturalWidth === 1")
            look(page, scheme)
            assert read(page) > 2
        second.get_by_role("checkbox").check()
        expect(first.get_by_role("checkbox")).to_be_checked()
        first.get_by_role("button", name="Delete").click()
        expect(second.get_by_role("status")).to_have_text("0 notes")
        # After signing out, no window of that browser shows any data.
        first.get_by_role("button", name="Sign out").click()
        expect(first.get_by_role("status")).to_have_text("You are signed out")
        first.reload()
        expect(first.get_by_role("status")).to_have_text("Sign in to see your notes")
        second.get_by_label("New note").fill("Still here")
        second.get_by_role("button", name="Add").click()
        expect(second.get_by_role("status")).to_have_text("1 note")
    print("notes: two browsers, a picture, live both ways, signed in by the popup and out again")


if __name__ == "__main__":
    main(*sys.argv[1:])
