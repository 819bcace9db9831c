"""The gallery of charts at three widths, in the light, in the dark and on paper: what the browser draws can be read.

Usage: charts_test.py NEPHOS_PROGRAM CHROMIUM_PROGRAM
"""

import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from playwright.sync_api import Browser, Page, sync_playwright

# Of docs/requirements.md; scripts/test-browser writes whether they passed.
ROWS: list[str] = []
WIDTHS = [320, 768, 1200]
# A browser rounds boxes of letters.
TOLERANCE = 0.5

# What is wrong with the charts that can be seen, each said with the chart's name.
LOOK = """
([tolerance, textMin, contrastMin]) => {
  const faults = []
  const channel = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  const luminance = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(v => channel(v / 255))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }
  const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > tolerance
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > tolerance
  const charts = [...document.querySelectorAll("svg.nephos-chart")].filter(svg => svg.getBoundingClientRect().width > 0)
  let texts = 0
  for (const svg of charts) {
    const name = svg.getAttribute("aria-labelledby").split(" ")[0]
    const frame = svg.getBoundingClientRect()
    const scale = frame.width / svg.viewBox.baseVal.width
    const paper = getComputedStyle(svg.querySelector(".paper")).fill
    const found = [...svg.querySelectorAll("text")].map(text => [text, text.getBoundingClientRect()])
    texts += found.length
    const fault = said => faults.push(`${name}: ${said}`)
    if (frame.left < -tolerance || frame.right > innerWidth + tolerance) fault("is wider than the page")
    found.forEach(([text, box], place) => {
      const said = JSON.stringify(text.textContent)
      const size = parseFloat(getComputedStyle(text).fontSize) * scale
      if (size < textMin) fault(`${said} is ${size} pixels high`)
      const seen = contrast(getComputedStyle(text).fill, paper)
      if (seen < contrastMin) fault(`${said} has a contrast of ${seen}`)
      if (box.left < frame.left - tolerance || box.right > frame.right + tolerance || box.top < frame.top - tolerance
        || box.bottom > frame.bottom + tolerance) fault(`${said} is outside`)
      for (const [other, otherBox] of found.slice(place + 1)) {
        if (overlap(box, otherBox)) fault(`${said} is on ${JSON.stringify(other.textContent)}`)
      }
    })
    if (svg.querySelectorAll("a, script, image, foreignObject, [style], [onload]").length) fault("holds what no chart has")
  }
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id)
  if (new Set(ids).size !== ids.length) faults.push("an id stands twice")
  for (const svg of charts) for (const id of svg.getAttribute("aria-labelledby").split(" ")) {
    if (!document.getElementById(id)) faults.push(`${id} is not there`)
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("one has to scroll sideways")
  return [charts.length, texts, faults]
}
"""


def look(page: Page) -> tuple[int, int]:
    charts, texts, faults = page.evaluate(LOOK, [TOLERANCE, 11, 4.5])
    assert not faults, "\n".join(faults)
    return charts, texts


def visit(browser: Browser, url: str, scheme: str, width: int) -> tuple[int, int]:
    page = browser.new_page(color_scheme=scheme, viewport={"width": width, "height": 900})
    try:
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("dialog", lambda dialog: problems.append("a script has run"))
        page.goto(url)
        counts = look(page)
        page.emulate_media(media="print")
        look(page)
        assert not problems, problems
        return counts
    except AssertionError as error:
        raise AssertionError(f"{scheme}, {width} pixels: {error}") from None
    finally:
        page.close()


def alone(browser: Browser, file: pathlib.Path, width: int) -> None:
    """A picture that is opened by itself carries its style, and is a document of XML."""
    root = xml.etree.ElementTree.parse(file).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg", file
    page = browser.new_page(color_scheme="dark", viewport={"width": width, "height": 900})
    page.goto(file.as_uri())
    paper = page.evaluate("getComputedStyle(document.querySelector('.paper')).fill")
    assert paper == "rgb(21, 21, 24)", f"{file}: {paper}"
    page.close()


def main(program: str, chromium: str) -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        subprocess.run([pathlib.Path(program).with_name("nephos-gallery"), folder], check=True, stdout=subprocess.DEVNULL)
        gallery = pathlib.Path(folder)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        try:
            url = (gallery / "index.html").as_uri()
            counts = [visit(browser, url, scheme, width) for width in WIDTHS for scheme in ("light", "dark")]
            files = sorted(gallery.glob("*.svg"))
            for file in files:
                xml.etree.ElementTree.parse(file)
            alone(browser, gallery / "readme-versions-768.svg", 768)
        finally:
            browser.close()
    assert all(charts > 30 and texts > 250 for charts, texts in counts), counts
    assert len(files) > 100, files
    print(f"charts: {counts[0][0]} can be read at {WIDTHS} pixels, in the light, in the dark and on paper")


if __name__ == "__main__":
    main(*sys.argv[1:])
