"""The listings: reads the table, extracts the code from the articles, and generates the contents of Swift files."""

from __future__ import annotations

import hashlib
import pathlib
import re
import tomllib
from dataclasses import dataclass, field

# Lines that can only be code. The listings of the table must contain all of them.
CODE = re.compile(
    r"^\s*(let|var|func|struct|extension|typealias|if|import)\s.*[({=]|\{\s*$|^\s*\}|^[a-zA-Z.]+\(.*\)\s*$")
DECLARED = re.compile(r"^(?:func|struct|extension|typealias) (\w+)", re.MULTILINE)
CALLED = re.compile(r"^(?!//).*?(\w+)\((?!.*\)\.)", re.MULTILINE)


class TableFault(Exception):
    """The table does not match the articles."""


@dataclass(eq=False)
class Listing:
    id: str
    article: str
    lines: list[int]
    hash: str = ""
    group: str = ""
    # The target that the group is in.
    program: str = "Articles"
    imports: list[str] = field(default_factory=list)
    before: str = ""
    after: str = ""
    drop: list[int] = field(default_factory=list)
    edits: list[list] = field(default_factory=list)
    runs: bool = True
    why: str = ""
    # The ids of rows of docs/requirements.md.
    rows: list[str] = field(default_factory=list)
    # As the author wrote it.
    text: list[str] = field(default_factory=list)
    # What went wrong; empty if nothing did.
    fault: str = ""

    @property
    def is_code(self) -> bool:
        return bool(self.group)

    @property
    def name(self) -> str:
        """The name of the first declaration, else of the first call, else the first word."""
        text = "\n".join(self.text)
        found = DECLARED.search(text) or CALLED.search(text) or re.search(r"(\w+)", text)
        return found[1] if found else ""

    @property
    def place(self) -> str:
        """The name of the file in the compiler's errors; it contains the id, because two programs may have lines of the same article."""
        return f"{self.id} of {self.article}"

    def holds(self, line: int) -> bool:
        return self.lines[0] <= line <= self.lines[1]

    def check(self) -> None:
        found = hashlib.sha256("\n".join(self.text).encode()).hexdigest()
        if not self.hash or not found.startswith(self.hash):
            place = f"{self.id}: lines {self.lines} of {self.article}"
            raise TableFault(f"{place} have the hash {found[:12]}, not {self.hash}")

    @property
    def kept(self) -> list[str]:
        """The lines for the compiler, each in its original place."""
        lines = dict(enumerate(self.text, self.lines[0]))
        for number in self.drop:
            lines[number] = ""
        for number, pattern, replacement in self.edits:
            lines[number], count = re.subn(pattern, lambda _: replacement, lines[number])
            if count != 1:
                raise TableFault(f"{self.id}: '{pattern}' matches {count} times in line {number} of {self.article}")
        return list(lines.values())

    @property
    def unchanged(self) -> int:
        return sum(1 for old, new in zip(self.text, self.kept) if old == new)

    @property
    def swift(self) -> str:
        """The file of the listing. Errors in it name the lines of the article."""
        code = "\n".join(self.kept)
        place = f'#sourceLocation(file: "{self.place}", line: {self.lines[0]})'
        imports = "\n".join(f"import {module}" for module in ["CloudKit", *self.imports])
        return f"{imports}\n\n{self.before}\n{place}\n{code}\n#sourceLocation()\n{self.after}\n"


def read(table: pathlib.Path, articles: pathlib.Path) -> list[Listing]:
    """Every listing with its text. Raises TableFault if the table does not match the articles."""
    listings = [Listing(**entry) for entry in tomllib.loads(table.read_text())["listing"]]
    for article in sorted(articles.glob("*.txt")):
        text = article.read_text().split("\n")
        own = [listing for listing in listings if listing.article == article.name]
        for listing in own:
            listing.text = text[listing.lines[0] - 1 : listing.lines[1]]
        for number, line in enumerate(text, 1):
            if CODE.search(line) and not any(listing.holds(number) for listing in own):
                raise TableFault(f"line {number} of {article.name} looks like code, but no listing contains it")
    for listing in listings:
        listing.check()
    return listings
