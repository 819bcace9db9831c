"""Which public symbols are documented, according to the symbol graphs that the compiler writes for built modules.

A symbol is documented if its own doc comment has at least two words before the first field (`- Parameter`, `- Throws:` and the like).
The errors of a throwing function, initializer, subscript or property are documented if that comment has `- Throws:` with words after it.
`rethrows` requires no errors: they are those of the block that is passed.

Three kinds of symbols need no documentation; the compiler, not their names, identifies them:

- what it synthesizes, such as `==` and `hashValue`;
- what implements a requirement of a protocol, or is from a protocol's extension, and has no comment of its own: the requirement
  is documented (the graph is extracted with `-skip-protocol-implementations`, `-skip-synthesized-members` and `-skip-inherited-docs`);
- what overrides a member of a superclass (the relationship `overrides` of the whole graph), likewise.
"""

from __future__ import annotations

import json
import pathlib
import platform
import re
import subprocess
from dataclasses import dataclass

FIELD = re.compile(
    r"^\s*- (Parameters?\b|Returns?:|Throws:|Note:|Important:|Warning:|Precondition:|Postcondition:|Complexity:|SeeAlso:|Tip:)",
    re.IGNORECASE)
THROWS = re.compile(r"^\s*- Throws:(.*)$", re.IGNORECASE)
WORD = re.compile(r"[^\W\d_]+")
ASKED = ["-skip-protocol-implementations", "-skip-synthesized-members", "-skip-inherited-docs"]


class Fault(Exception):
    pass


@dataclass(frozen=True)
class Symbol:
    id: str
    name: str
    # Where it is declared, below `Sources`, and the line.
    file: str
    line: int
    comment: tuple[str, ...]
    throws: bool

    @property
    def has_words(self) -> bool:
        said = []
        for line in self.comment:
            if FIELD.match(line):
                break
            said += WORD.findall(line)
        return len(said) >= 2

    @property
    def has_errors(self) -> bool:
        fields = [THROWS.match(line) for line in self.comment]
        return any(field and WORD.search(field[1]) for field in fields)

    @property
    def faults(self) -> list[str]:
        found = [] if self.has_words else ["has no documentation"]
        return found + (["throws, but has no `- Throws:`"] if self.throws and not self.has_errors else [])


class Graph:
    """The public symbols of one module that must be documented."""

    def __init__(self, asked: list[pathlib.Path], whole: list[pathlib.Path]):
        """`asked` was extracted with the options ``ASKED``, `whole` without them: `asked` does not contain what they leave out."""
        self.symbols: dict[str, Symbol] = {}
        inherited = {relation["source"] for relation in entries(whole, "relationships") if relation["kind"] == "overrides"}
        for entry in entries(asked, "symbols"):
            id = entry["identifier"]["precise"]
            # What the compiler adds has no location in a source file.
            if id not in inherited and "::SYNTHESIZED::" not in id and "location" in entry:
                self.symbols[id] = symbol(entry)

    def without_words(self) -> list[Symbol]:
        wrong = [symbol for symbol in self.symbols.values() if symbol.faults]
        return sorted(wrong, key=lambda symbol: (symbol.file, symbol.line, symbol.name))

    def row(self, name: str) -> list[str]:
        every = list(self.symbols.values())
        throwing = [symbol for symbol in every if symbol.throws]
        return [
            name, str(len(every)), str(sum(symbol.has_words for symbol in every)),
            str(len(throwing)), str(sum(symbol.has_errors for symbol in throwing)),
        ]


def entries(files: list[pathlib.Path], key: str) -> list[dict]:
    return [entry for file in files for entry in json.loads(file.read_text())[key]]


def symbol(entry: dict) -> Symbol:
    fragments = entry["declarationFragments"]
    lines = entry.get("docComment", {}).get("lines", [])
    return Symbol(
        entry["identifier"]["precise"], ".".join(entry["pathComponents"]),
        entry["location"]["uri"].split("/Sources/")[-1], entry["location"]["position"]["line"] + 1,
        tuple(line["text"] for line in lines), throws(fragments))


def throws(fragments: list[dict]) -> bool:
    """Whether the declaration itself throws, not only a block among its parameters."""
    depth = 0
    for fragment in fragments:
        text = fragment["spelling"]
        if depth == 0 and fragment["kind"] == "keyword" and text == "throws":
            return True
        depth += text.count("(") - text.count(")")
    return False


def extract(module: str, built: pathlib.Path, folder: pathlib.Path, *options: str) -> list[pathlib.Path]:
    """Extracts the graphs of a module in `built`, the folder of `swift build`: its own, and those of modules that it extends."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (built / "Modules" / f"{module}.swiftmodule").exists():
        raise Fault(f"{built}/Modules has no {module}. Run make docs, which builds it.")
    maps = [word for map in sorted(built.glob("*.build/module.modulemap")) for word in ("-Xcc", f"-fmodule-map-file={map}")]
    command = [
        "swift", "symbolgraph-extract", "-module-name", module, "-target", target(), "-I", str(built / "Modules"), *maps, *sdk(),
        "-minimum-access-level", "public", "-output-dir", str(folder), *options,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise Fault(f"The symbols of {module} cannot be extracted:\n{(done.stdout + done.stderr)[-4000:]}")
    return sorted(folder.glob(f"{module}.symbols.json")) + sorted(folder.glob(f"{module}@*.symbols.json"))


def read(module: str, built: pathlib.Path, folder: pathlib.Path) -> Graph:
    return Graph(extract(module, built, folder / "asked", *ASKED), extract(module, built, folder / "whole"))


def target() -> str:
    done = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["target"]["triple"]


def sdk() -> list[str]:
    if platform.system() != "Darwin":
        return []
    done = subprocess.run(["xcrun", "--show-sdk-path"], check=True, capture_output=True, text=True)
    return ["-sdk", done.stdout.strip()]


def table(rows: list[list[str]]) -> str:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) if column == 0 else cell.rjust(width)
                  for column, (cell, width) in enumerate(zip(row, widths)))
        for row in rows)
