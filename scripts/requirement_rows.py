"""The rows of docs/requirements.md, the tests and runs that prove them, and where the two do not agree."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "requirements.md"
LOG = ROOT / ".build" / "nephos-test.log"
# The folder in which acceptance runs write their results, a line for each row: "S0-47 passed".
RESULTS = ROOT / ".build" / "requirements"
ID = re.compile(r"\bS[0-4]-[0-9]+\b")
COLOR = re.compile(r"\x1b\[[0-9;]*m")
NAMED = re.compile(r'@(?:Test|Suite)\(\s*"((?:[^"\\]|\\.)*)"')
ENDED = re.compile(r"^\S+\s+(?:Test|Suite) \"(.*)\" (?:with \d+ test cases? )?(passed|failed) after (.*)$")


class Fault(Exception):
    pass


@dataclass(frozen=True)
class Run:
    """A run that proves rows, and is not a test in the log of `make test`."""

    # Its name on the page.
    name: str
    # The file that lists its rows, in lines such as `rows = ["S0-47"]`.
    table: str
    # Whether `make test` consists of it, too.
    in_test: bool = False

    def rows(self, root: pathlib.Path = ROOT) -> set[str]:
        files = sorted(root.glob(self.table))
        lines = [line for file in files for line in file.read_text().splitlines()]
        return {id for line in lines if re.match(r"rows *=", line, re.IGNORECASE) for id in ID.findall(line)}

    @property
    def slug(self) -> str:
        return re.split(r"[ /]", self.name)[-1]

    def results(self, folder: pathlib.Path = RESULTS) -> dict[str, str] | None:
        """For each row, whether it passed in the last run; None if the run has not taken place."""
        file = folder / f"{self.slug}.txt"
        if not file.is_file():
            return None
        return dict(line.split(" ", 1) for line in file.read_text().splitlines())


RUNS = [
    Run("make articles", "Articles/listings.toml"),
    Run("scripts/test-browser", "Tests/Browser/*_test.py", in_test=True),
    Run("scripts/test-ofrep", "Tests/OFREP/*_test.py", in_test=True),
    Run("scripts/test-http", "Tests/HTTP/*_test.py", in_test=True),
    Run("scripts/prove-switches", "scripts/prove-switches", in_test=True),
    Run("scripts/bench arrival", "Benchmarks/flag-arrival"),
    Run("scripts/bench million", "Benchmarks/million"),
]


@dataclass(frozen=True)
class Row:
    id: str
    text: str
    is_done: bool
    # The text after the state on the page.
    note: str = ""

    @property
    def prefix(self) -> str:
        return self.id.split("-")[0]

    @property
    def runs(self) -> list[Run]:
        return [run for run in RUNS if f"`{run.name}`" in self.note] if self.is_done else []


def read_page(text: str) -> list[Row]:
    """The rows in their order. Raises Fault if a row cannot be read, or is missing."""
    rows: list[Row] = []
    for line in text.splitlines():
        if not re.match(r"\| *S\d+-", line):
            continue
        match = re.fullmatch(r"\| (S[0-4]-\d+) \| (.+) \| (done|open)(?:: (.+))? \|", line)
        if not match:
            raise Fault(f"This row is neither done nor open: write '| S0-1 | … | open: what is missing |'.\n  {line}")
        rows.append(Row(match[1], match[2], match[3] == "done", match[4] or ""))
    for prefix in sorted({row.prefix for row in rows}):
        found = [row.id for row in rows if row.prefix == prefix]
        expected = [f"{prefix}-{number}" for number in range(1, len(found) + 1)]
        if found != expected:
            wrong = next(pair for pair in zip(found, expected) if pair[0] != pair[1])
            raise Fault(f"Found {wrong[0]} where {wrong[1]} is expected: each id must occur once, in order.")
    return rows


@dataclass
class Log:
    """The display names of tests and suites that ended, by the ids of rows in these names."""

    passed: dict[str, list[str]] = field(default_factory=dict)
    failed: dict[str, list[str]] = field(default_factory=dict)

    def add(self, text: str) -> None:
        for line in COLOR.sub("", text).splitlines():
            if match := ENDED.match(line):
                # A known issue is an expected failure.
                is_good = match[2] == "passed" and "known issue" not in match[3]
                for id in ID.findall(match[1]):
                    names = (self.passed if is_good else self.failed).setdefault(id, [])
                    if match[1] not in names:
                        names.append(match[1])

    def add_sources(self, text: str) -> None:
        """Adds the display names of a file's tests and suites as if they had passed, to compare the page with them before a run."""
        for name in NAMED.findall(text):
            for id in ID.findall(name):
                self.passed.setdefault(id, []).append(name)


def every(run: Run) -> bool:
    return True


def faults(
    rows: list[Row], log: Log, runs: list[Run], folder: pathlib.Path = RESULTS, root: pathlib.Path = ROOT, must_run: Callable[[Run], bool] = every
) -> list[str]:
    """Describes what is wrong with rows, and what to do. It is a fault, too, if a run has not taken place that must_run asks for."""
    found = [fault for row in rows for fault in (of_done(row, log, folder, root, must_run) if row.is_done else of_open(row, log))]
    known, is_done = {row.id for row in rows}, {row.id: row.is_done for row in rows}
    for id in sorted((log.passed.keys() | log.failed.keys()) - known):
        names = log.passed.get(id, []) + log.failed.get(id, [])
        found.append(f"{id}: the page has no such row, but tests have it in their names: {quoted(names)}")
    for run in runs:
        found += [f"{id}: the page has no such row, but {run.name} lists it." for id in sorted(run.rows(root) - known)]
        for id, state in (run.results(folder) or {}).items():
            if state == "passed" and is_done.get(id) is False:
                found.append(f"{id} is open on the page, but {run.name} proves it: mark it as done there.")
    return found


def of_open(row: Row, log: Log) -> list[str]:
    if row.id not in log.passed:
        return []
    names = quoted(log.passed[row.id])
    return [f"{row.id} is open on the page, but this passed: {names}. Mark it as done there, or remove the id from the name."]


def of_done(row: Row, log: Log, folder: pathlib.Path, root: pathlib.Path, must_run: Callable[[Run], bool]) -> list[str]:
    if row.id in log.failed:
        return [f"{row.id} is done on the page, but this failed: {quoted(log.failed[row.id])}"]
    if row.runs:
        return [fault for run in row.runs for fault in of_run(row, run, folder, root, must_run(run))]
    if row.id in log.passed:
        return []
    if named := [file for file in sorted(root.glob("Tests/**/*.swift")) if row.id in ID.findall(file.read_text())]:
        place = named[0].relative_to(root)
        return [f"{row.id} is done on the page, but no test in the log has it in its name; {place} names it: run make test."]
    return [f"{row.id} is done on the page, but no test has it in its name: add ({row.id}) to a test that proves it, or mark it as open."]


def of_run(row: Row, run: Run, folder: pathlib.Path, root: pathlib.Path, must_run: bool) -> list[str]:
    if row.id not in run.rows(root):
        return [f"{row.id} is done by {run.name} on the page, which does not list it: add it to the rows in {run.table}."]
    results = run.results(folder)
    if results is None:
        return [f"{row.id} is done by {run.name} on the page, which has not run here: run it."] if must_run else []
    if results.get(row.id) == "passed":
        return []
    state = results.get(row.id, "was not checked")
    return [f"{row.id} is done by {run.name} on the page, but in its last run it {state}: fix it, and run it again."]


def quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)
