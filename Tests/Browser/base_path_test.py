"""A server below a path of a site, and pages of another origin whose libraries add headers to each request.

Usage: base_path_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import socket
import sys
import tempfile

from nephos import Nephos
from pages_test import visit
from playwright.sync_api import Browser, expect, sync_playwright
from web_app import sign_in, web_app

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
CONTAINER = "iCloud.org.nephos.demo"
EMAIL, PASSWORD = "mary@example.org", "correct horse battery"
# What libraries that trace requests add: W3C, Datadog, Sentry, B3, AWS X-Ray, New Relic, Jaeger; and names of an app.
HEADERS = [
    "traceparent", "tracestate", "baggage", "x-datadog-trace-id", "x-datadog-origin", "x-datadog-sampling-priority", "sentry-trace", "b3",
    "x-b3-traceid", "x-b3-sampled", "x-amzn-trace-id", "newrelic", "uber-trace-id", "x-requested-with", "x-my.app_version",
]
FETCH = """names => fetch(window.caller, {headers: Object.fromEntries(names.map(name => [name, "1"]))})
  .then(answer => answer.status, error => error.name)"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def account(browser: Browser, nephos: Nephos) -> None:
    """From the account page to the form, to the account, and out again; the browser sends the cookies below the path alone."""
    nephos.run("account", "create", EMAIL, "--password-file", "-", text=PASSWORD + "\n")
    page = browser.new_page()
    page.goto(nephos.url + "/account")
    expect(page).to_have_url(nephos.url + "/sign-in")
    sign_in(page, EMAIL, PASSWORD)
    expect(page).to_have_url(nephos.url + "/account")
    expect(page.locator("main")).to_contain_text(EMAIL)
    assert {cookie["path"] for cookie in page.context.cookies()} == {"/nephos"}, page.context.cookies()
    page.get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page).to_have_url(nephos.url + "/sign-in")
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(nephos.url + "/")
    page.close()


def trends(browser: Browser, nephos: Nephos) -> None:
    token = nephos.run("trends", "token", "create", CONTAINER)
    page = browser.new_page()
    page.goto(f"{nephos.url}/nephos/1/{CONTAINER}/development/trends/#token={token}")
    expect(page).to_have_title(f"Trends of {CONTAINER}")
    expect(page.locator(".said")).to_have_text("Live")
    expect(page.locator(".environment")).to_have_text("development")
    page.close()


def unknown(browser: Browser, nephos: Nephos) -> None:
    page = browser.new_page()
    for path in ["/nothing/here", "/docs/nothing"]:
        assert page.goto(nephos.url + path).status == 404
        expect(page.locator("h1")).to_have_text("There is no page here")
    page.get_by_role("link", name="The first page of this server").click()
    expect(page).to_have_url(nephos.url + "/")
    page.goto(nephos.url + "/docs/README")
    expect(page).to_have_url(nephos.url + "/#documentation")
    page.close()


def below(program: str, browser: Browser) -> None:
    port = free_port()
    with tempfile.TemporaryDirectory() as data:
        nephos = Nephos(program, data, "--demo", "--port", str(port), "--public-url", f"http://localhost:{port}/nephos")
        try:
            assert nephos.url == f"http://localhost:{port}/nephos", nephos.url
            visit(browser, nephos.url, "light", 1200)
            account(browser, nephos)
            trends(browser, nephos)
            unknown(browser, nephos)
        finally:
            nephos.stop()
    print("base path: pages, cookies, redirects, trends and the documentation are below the path of the public URL")


def traced(program: str, chromium: str) -> None:
    """A page of another origin may send what its libraries add, and not what proxies say."""
    with web_app(program, chromium) as app:
        page = app.page()
        assert page.evaluate(FETCH, HEADERS) == 421
        for name in ["x-forwarded-for", "x-forwarded-host", "forwarded", "x-real-ip", "x-http-method-override"]:
            assert page.evaluate(FETCH, [name]) == "TypeError", name
    print(f"headers: a page of another origin may send {len(HEADERS)} headers that its libraries add, and none of proxies")


def main(program: str, chromium: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            below(program, browser)
        finally:
            browser.close()
    traced(program, chromium)


if __name__ == "__main__":
    main(*sys.argv[1:])
