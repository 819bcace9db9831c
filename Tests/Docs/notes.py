"""What the checker knows about a page in addition to the page itself: Tests/Docs/pages/NAME.toml.

    clock = 2026-12-01      the date on which the reader follows the page, if it shows dates in the future
    before = "…"            shell code that creates what the page presupposes, such as a container
    [replace]
    "…" = "$api"            a text that stands for a value of the reader's; the shell inserts the value when a block runs

    [[block]]
    starts = "nephos flag"  the blocks whose text begins with this
    before, after           shell code before and after the block; `after` fails if the block did not do what the page says
    file = "settings.yaml"  the block is the content of this file, which later blocks use
    fails = 2               the exit code of a shell block that is expected to fail
    prelude = "…"           Swift code before the block; or JavaScript, and then the block is run and not only checked
    same_as = "Examples/…"  a file that contains the block
    run_by, checked_by      the test that runs or checks the block, or the file that it is the same as
    check = "commands"      its lines are not run; what they begin with must be in the checkout
    neither = "…"           why nothing runs or checks it
"""

from __future__ import annotations

import dataclasses
import datetime
import pathlib
import tomllib

from blocks import Block, PageFault

KEYS = {
    "starts", "before", "after", "file", "fails", "prelude", "same_as", "run_by", "checked_by", "check",
    "neither"}


@dataclasses.dataclass
class Notes:
    name: str = ""
    before: str = ""
    replace: dict[str, str] = dataclasses.field(default_factory=dict)
    entries: list[dict] = dataclasses.field(default_factory=list)
    clock: datetime.date | None = None

    def of(self, block: Block) -> dict:
        """All notes about a block."""
        found: dict = {}
        for entry in self.entries:
            if block.text.startswith(entry["starts"]):
                entry["is_used"] = True
                found |= entry
        return found

    def left_over(self) -> list[str]:
        """Reports notes about blocks that do not exist (anymore)."""
        return [f"{self.name}: no block begins with {entry['starts']!r}" for entry in self.entries if "is_used" not in entry]


def read(folder: pathlib.Path, page: str) -> Notes:
    path = folder / f"{pathlib.Path(page).stem if page != 'docs/README.md' else 'docs'}.toml"
    if not path.exists():
        return Notes(path.name)
    table = tomllib.loads(path.read_text())
    for entry in table.get("block", []):
        if "starts" not in entry or (unknown := set(entry) - KEYS):
            raise PageFault(f"{path.name}: {'a block needs starts' if 'starts' not in entry else f'what is {unknown}?'}")
    return Notes(path.name, table.get("before", ""), table.get("replace", {}), table.get("block", []), table.get("clock"))
