"""The blocks of code in a page of Markdown."""

from __future__ import annotations

import dataclasses
import pathlib
import re

FENCE = re.compile(r"^( *)```+ *(\S*) *(.*)$")
ITEM = re.compile(r"^( *(?:-|\d+\.) )")


class PageFault(Exception):
    """A page has a block that cannot be checked."""


@dataclasses.dataclass
class Block:
    page: str
    # The line in which the block begins, counted from 1.
    line: int
    language: str
    # The words after the language, which readers of the page do not see.
    words: list[str]
    text: str

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"


def blocks(path: pathlib.Path, page: str) -> list[Block]:
    """All blocks of a page, in their order.

    Raises PageFault if a block has no language, or is indented instead of fenced: then it has none, either.
    """
    found: list[Block] = []
    lines = path.read_text().split("\n")
    number, margin, is_after_blank = 0, 0, True
    while number < len(lines):
        line = lines[number]
        if fence := FENCE.match(line):
            end = next((place for place in range(number + 1, len(lines)) if FENCE.match(lines[place])), None)
            if end is None:
                raise PageFault(f"{page}:{number + 1}: the block has no end")
            if not fence[2]:
                raise PageFault(f"{page}:{number + 1}: the block needs a language, such as sh, json or text")
            inside = [text.removeprefix(fence[1]) for text in lines[number + 1:end]]
            found.append(Block(page, number + 1, fence[2], fence[3].split(), "\n".join(inside) + "\n"))
            number = end + 1
            continue
        indent = len(line) - len(line.lstrip(" "))
        if item := ITEM.match(line):
            margin = len(item[1])
        elif line.strip() and indent == 0:
            margin = 0
        elif line.strip() and is_after_blank and indent >= margin + 4:
            raise PageFault(f"{page}:{number + 1}: write the indented block as one with ``` and a language")
        is_after_blank = not line.strip()
        number += 1
    return found
