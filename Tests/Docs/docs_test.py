"""Runs or checks every block of code in README.md, CONTRIBUTING.md and docs/, unless a note says why not.

Usage: docs_test.py NEPHOS_PROGRAM [PAGE...]

Prints a table of what was run, checked, and neither. Fails if a block does not do what its page says, if no note says why a block is
neither, or if more than a tenth of the blocks are neither.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import notes
from answers import difference, pattern
from blocks import Block, PageFault, blocks
from session import NODE, ROOT, Session
from swift import Swift

MOST_NEITHER = 0.1
# Languages of blocks that are not code: the output of programs, formulas, grammars.
TEXT = {"text", "ebnf"}
IN_SESSION = {"sh", "http", "yaml", "schema", "sql", "python"}


class Page:
    def __init__(self, name: str, program: str, swift: Swift) -> None:
        self.name, self.program, self.swift = name, program, swift
        self.blocks = blocks(ROOT / name, name)
        self.notes = notes.read(ROOT / "Tests/Docs/pages", name)
        self.results: dict[str, list[Block]] = {"run": [], "checked": [], "neither": [], "text": []}
        self.faults: list[str] = []

    def examine(self) -> None:
        in_session: list[tuple[int, Block, dict]] = []
        answers: list[tuple[int, Block]] = []
        for number, block in enumerate(self.blocks):
            note = self.notes.of(block)
            if "same_as" in note and unindented(block.text) not in unindented((ROOT / note["same_as"]).read_text()):
                self.faults.append(f"{block.place}: it differs from {note['same_as']}")
            if "neither" in note:
                self.results["neither"].append(block)
            elif tested := note.get("run_by") or note.get("checked_by"):
                self.results["run" if "run_by" in note else "checked"].append(block)
                if not self.is_tested(block, note, tested):
                    self.faults.append(f"{block.place}: {tested} names neither the page nor the file nor its folder")
            elif block.language in TEXT:
                self.results["text"].append(block)
            elif "answer" in block.words:
                answers.append((number, block))
            elif block.language == "js" and "prelude" in note:
                in_session.append((number, block, note))
            elif "check" not in note and block.language in IN_SESSION or "file" in note or "after" in note:
                in_session.append((number, block, note))
            elif (fault := self.check(block, note)) is not None:
                self.faults.append(f"{block.place}: {fault}")
            else:
                self.results["checked"].append(block)
        if in_session:
            self.run(in_session, answers)
        self.faults += self.notes.left_over()

    def is_tested(self, block: Block, note: dict, test: str) -> bool:
        path = ROOT / test
        files = [path] if path.is_file() else [*path.rglob("*.swift")]
        same = pathlib.Path(note.get("same_as", block.page))
        names = {block.page, same.name, same.parent.name} - {"docs"}
        return any(name in file.read_text() for file in files for name in names)

    def run(self, parts: list[tuple[int, Block, dict]], answers: list[tuple[int, Block]]) -> None:
        with tempfile.TemporaryDirectory() as place:
            pathlib.Path(place).chmod(0o755)
            session = Session(self.program, pathlib.Path(place) / "page", self.name, self.notes)
            for part in parts:
                session.add(*part)
            session.run()
            outcomes = {number: session.outcome(number, block) for number, block, _ in parts}
        for number, outcome in outcomes.items():
            # Settings count as run, too: the server has read them when they were imported.
            self.results["run"].append(outcome.block)
            shown = next((each.text for place, each in answers if place == number + 1), "")
            if outcome.fault:
                self.faults.append(f"{outcome.block.place}: {outcome.fault}")
            elif self.is_refused(outcome.output) and not (self.is_refused(shown) or "fails" in self.notes.of(outcome.block)):
                self.faults.append(f"{outcome.block.place}: a record is refused\n{outcome.output}")
        for number, block in answers:
            self.results["run"].append(block)
            before = max((each for each in outcomes if each < number), default=None)
            if before is None:
                self.faults.append(f"{block.place}: no block that was run precedes this answer")
            elif not outcomes[before].fault and (said := compare(block.text, outcomes[before].output)):
                self.faults.append(f"{block.place}: {said}")

    @staticmethod
    def is_refused(text: str) -> bool:
        """Whether a response reports that a record was refused; its status does not show that."""
        return "serverErrorCode" in text

    def check(self, block: Block, note: dict) -> str | None:
        """What is wrong with a block that is not run, or None."""
        if "check" in note:
            return commands(block.text)
        if block.language == "swift":
            if self.swift.compiled_in(block):
                return None
            return self.swift.fault(block, note.get("prelude", ""))
        if block.language == "json":
            try:
                for part in [block.text] if block.text.count("\n{") == 0 else block.text.strip().split("\n"):
                    pattern(part)
            except ValueError as error:
                return f"it is no JSON: {error}"
            return None
        if block.language == "js":
            done = subprocess.run(
                [str(NODE), "--input-type=module", "--check"], input=block.text, capture_output=True, text=True, check=False)
            return None if done.returncode == 0 else done.stderr
        return f"nothing runs or checks a block {block.language!r}: note why in Tests/Docs/pages/{self.notes.name}"


def unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().split("\n"))


def commands(text: str) -> str | None:
    """Reports the first line of shell whose program or target of make is not in the checkout; None if there is no such line."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for line in filter(None, text.split("\n")):
        program, *arguments = shlex.split(line, comments=True)
        is_there = arguments[0] in targets if program == "make" else os.access(ROOT / program, os.X_OK)
        if not is_there:
            return f"the checkout has no {line}"
    return None


def compare(shown: str, output: str) -> str | None:
    """Where the JSON at the end of an output differs from what a page shows, or None."""
    lines = output.strip().split("\n")
    for first in range(len(lines)):
        try:
            answer = json.loads("\n".join(lines[first:]))
        except ValueError:
            continue
        return difference(pattern(shown), answer)
    return f"the output before it has no JSON at its end: {output[-500:]}"


def table(pages: list[Page]) -> list[str]:
    kinds = ["run", "checked", "neither", "text"]
    rows = [[page.name, *(len(page.results[kind]) for kind in kinds)] for page in pages if page.blocks]
    rows.append(["together", *(sum(row[column] for row in rows) for column in range(1, 5))])
    return [f"{name:<28}" + "".join(f"{value:>9}" for value in values) for name, *values in [["page", *kinds], *rows]]


def main(program: str, names: list[str]) -> int:
    every = ["README.md", "CONTRIBUTING.md", *sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md"))]
    swift = Swift()
    try:
        pages = [Page(name, program, swift) for name in names or every]
    except PageFault as fault:
        print(fault, file=sys.stderr)
        return 1
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(Page.examine, pages))
    print("\n".join(table(pages)))
    for page in pages:
        for block in page.results["neither"]:
            print(f"Neither: {block.place}: {page.notes.of(block)['neither']}")
    faults = [fault for page in pages for fault in page.faults]
    of_code = sum(len(page.results[kind]) for page in pages for kind in ("run", "checked", "neither"))
    neither = sum(len(page.results["neither"]) for page in pages)
    if neither > MOST_NEITHER * of_code:
        faults.append(f"{neither} of {of_code} blocks are neither run nor checked; at most a tenth may be")
    for fault in faults:
        print(f"✘ {fault}", file=sys.stderr)
    if not faults:
        print(f"docs: {of_code} blocks of code, of which {neither} are neither run nor checked")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2:]))
