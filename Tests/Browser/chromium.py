"""Chromium, as patient as all tests: it waits until something must have hung, and not for as long as it takes on a fast machine."""

from collections.abc import Callable

from nephos import PATIENCE
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, expect


def launch(playwright: Playwright, program: str) -> Browser:
    expect.set_options(timeout=PATIENCE * 1_000)
    browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"], timeout=PATIENCE * 1_000)
    browser.new_context = patient(browser.new_context)
    browser.new_page = patient(browser.new_page)
    return browser


def patient(make: Callable[..., BrowserContext | Page]) -> Callable[..., BrowserContext | Page]:
    """Does the same, for a context or a page whose actions and windows are patient."""
    def made(**options: object) -> BrowserContext | Page:
        it = make(**options)
        (it.context if isinstance(it, Page) else it).set_default_timeout(PATIENCE * 1_000)
        return it
    return made
