"""Measures whether what the browser draws is legible, by its own boxes and colors."""

from playwright.sync_api import Page

WIDTHS = [320, 768, 1200]
# Browsers round the boxes of text.
TOLERANCE = 0.5

# The contrast of two colors.
COLORS = """
  const channel = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4
  const luminance = color => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(v => channel(v / 255))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  }
"""

# The visible flaws of charts, each with the name of its chart.
LOOK = f"([tolerance, textMin, contrastMin]) => {{{COLORS}" + """
  const faults = []
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
  if (new Set(ids).size !== ids.length) faults.push("an id is used twice")
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


# The flaws of the text around the charts: its size, and its contrast with the background.
READ = f"([textMin, contrastMin]) => {{{COLORS}" + """
  const faults = []
  const parts = color => color.match(/[\\d.]+/g).map(Number)
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const color = getComputedStyle(at).backgroundColor
      if ((parts(color)[3] ?? 1) > 0) return color
    }
    return "rgb(255, 255, 255)"
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  let count = 0
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement
    const said = texts.currentNode.data.trim()
    const box = element.getBoundingClientRect()
    if (!said || element.closest("svg, script, style, template, .unseen, option") || !element.checkVisibility() || box.width < 2) continue
    count += 1
    const style = getComputedStyle(element)
    if (parseFloat(style.fontSize) < textMin) faults.push(`${JSON.stringify(said)} is ${style.fontSize} high`)
    const seen = contrast(style.color, ground(element))
    if (seen < contrastMin) faults.push(`${JSON.stringify(said)} has a contrast of ${seen}`)
    if (box.right > innerWidth + 0.5 && !element.closest(".figures")) faults.push(`${JSON.stringify(said)} is outside`)
  }
  return [count, faults]
}
"""


def read(page: Page) -> int:
    count, faults = page.evaluate(READ, [11, 4.5])
    assert not faults, "\n".join(faults)
    return count
