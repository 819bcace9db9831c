"""The tables of the documentation, for tests that run each row of them."""

from __future__ import annotations

import pathlib
import re
from dataclasses import dataclass

DOCS = pathlib.Path(__file__).resolve().parents[2] / "docs"


@dataclass(frozen=True)
class Table:
    page: str
    # The line of its header, counted from 1.
    line: int
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def place(self) -> str:
        return f"docs/{self.page}:{self.line}"


def tables() -> list[Table]:
    """All tables of all pages."""
    return [table for path in sorted(DOCS.glob("*.md")) for table in tables_of(path.name, path.read_text())]


def tables_of(page: str, text: str) -> list[Table]:
    lines, found, number = text.split("\n"), [], 0
    while number + 1 < len(lines):
        if not (lines[number].startswith("|") and re.fullmatch(r"\|[-:| ]+\|", lines[number + 1])):
            number += 1
            continue
        first, last = number + 2, number + 2
        while last < len(lines) and lines[last].startswith("|"):
            last += 1
        rows = tuple(cells(line) for line in lines[first:last])
        found.append(Table(page, number + 1, cells(lines[number]), rows))
        for row in rows:
            assert len(row) == len(found[-1].header), f"{found[-1].place}: a row has {len(row)} cells: {row}"
        number = last
    return found


def cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip()[1:-1]))


def values(cell: str) -> list[str]:
    """The values that a cell names: what is written as code, and the empty text if it is mentioned."""
    return re.findall(r"`([^`]*)`", cell) + ([""] if "an empty text" in cell else [])
