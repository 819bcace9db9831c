"""What the checker knows of a page beside the page itself: Tests/Docs/pages/NAME.toml.

    clock = 2026-12-01      the day on which the page is read, where it shows days to come
    before = "…"            shell: what the page takes for granted, such as a container
    [replace]
    "…" = "$api"            what stands for something of the reader's; shell fills in the value when a block runs

    [[block]]
    starts = "nephos flag"  the blocks whose text begins so
    before, after           shell that runs around the block; `after` fails where the block did not do what the page says
    file = "settings.yaml"  the block is what is in this file, which later blocks use
    fails = 2               the exit code of a shell block that is to fail
    prelude = "…"           Swift that comes first; or script, and then the block is run and not only read
    same_as = "Examples/…"  a file that the block is a part of
    run_by, checked_by      the test that runs or checks the block, or the file that it is the same as
    check = "commands"      its lines are not run; that what they begin with is in the checkout is checked
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
        """All that is noted of a block."""
        found: dict = {}
        for entry in self.entries:
            if block.text.startswith(entry["starts"]):
                entry["is_used"] = True
                found |= entry
        return found

    def left_over(self) -> list[str]:
        """Notes about blocks that are not there (any more)."""
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
