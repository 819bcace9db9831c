"""The shell of a reader who works through a page: the blocks run one after another, with their own server."""

from __future__ import annotations

import dataclasses
import datetime
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

from blocks import Block
from late_clock import LateClock
from nephos import PATIENCE, Nephos, ordinary_user
from notes import Notes

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
# The node that playwright includes.
NODE = next((ROOT / ".build/browser").glob("lib/python3*/site-packages/playwright/driver/node"), pathlib.Path("node"))

# Texts on all pages that stand for values of the reader's.
EVERYWHERE = {"http://127.0.0.1:8080": "$NEPHOS_URL", "CONTAINER/ENVIRONMENT": "$container/development"}

# Programs on the reader's PATH. A refused request ends a block, and a server that a page starts ends when it listens.
CURL = """#!/usr/bin/env bash
exec {curl} --fail-with-body --max-time 60 "$@"
"""
COMMAND = """#!/usr/bin/env bash
if [ "${{1:-}}" != serve ]; then exec {program} "$@"; fi
exec {python} -B {folder}/serve.py {program} "$@"
"""
HELPERS = """
set -euo pipefail
run_block() { # NUMBER CODE
    local code from number=$1 expected=$2 status=0
    code=$(cat "$blocks/$number"; echo .)
    code=${code%.}
    while IFS= read -r -d '' from; do
        case $code in *"$from"*) code=${code//"$from"/"$(value_of "$from")"} ;; esac
    done <"$blocks/replaced"
    printf %s "$code" >"$blocks/$number"
    echo "$number" >"$blocks/last"
    if [ "$expected" = 0 ]; then eval "$code" >"$blocks/$number.out" 2>&1; return; fi
    (eval "$code") >"$blocks/$number.out" 2>&1 || status=$?
    [ "$status" = "$expected" ] || { echo "it ended with $status, and not $expected" >>"$blocks/$number.out"; return 1; }
}
file_block() { # NUMBER FILE
    cp "$blocks/$1" "$2"
    echo "$1" >"$blocks/last"
}
"""


def shell(block: Block, note: dict) -> str:
    """The shell code that runs a block."""
    if block.language == "sh":
        return block.text
    programs = {
        "http": f"{shlex.quote(sys.executable)} -B {HERE}/send.py \"$NEPHOS_URL\"",
        "yaml": "nephos settings import \"$container\" --yes", "schema": "nephos schema validate \"$container\"",
        "sql": "psql --quiet --set ON_ERROR_STOP=1 \"$database\"", "python": f"{shlex.quote(sys.executable)} -",
        "js": f"{NODE} --input-type=module -",
    }
    text = block.text
    if block.language == "js":
        text = f"{note['prelude']}\n{text}"
    # A page may show only a part of a file.
    if block.language == "yaml" and not text.startswith("version:"):
        text = f"version: 1\n{text}"
    if block.language == "schema" and text.startswith('"'):
        text = f"RECORD TYPE Anything (\n{text});\n"
    if block.language == "schema" and not text.startswith("DEFINE SCHEMA"):
        text = f"DEFINE SCHEMA\n{text}"
    return f"{programs[block.language]} <<'END-OF-BLOCK'\n{text}END-OF-BLOCK\n"


@dataclasses.dataclass
class Outcome:
    block: Block
    fault: str = ""
    output: str = ""


class Session:
    def __init__(self, program: str, folder: pathlib.Path, page: str, notes: Notes) -> None:
        self.folder, self.page, self.notes, self.program = folder, page, notes, program
        self.work, self.blocks, bin_folder, data = (folder / name for name in ("work", "blocks", "bin", "data"))
        for path in (self.work, self.blocks, bin_folder, data):
            path.mkdir(parents=True)
        # Files of the checkout that pages mention; copies, because pages also write to them.
        for name in ("Examples", "docs"):
            shutil.copytree(ROOT / name, self.work / name)
        shutil.copy(ROOT / "README.md", self.work)
        names = {"program": program, "python": sys.executable, "folder": HERE, "curl": shutil.which("curl")}
        for name, text in [("curl", CURL), ("nephos", COMMAND)]:
            (bin_folder / name).write_text(text.format(**names))
            (bin_folder / name).chmod(0o755)
        self.bin, self.data = bin_folder, data
        self.script: list[str] = []

    def add(self, number: int, block: Block, note: dict) -> None:
        """Adds a block that is to be run, or written to a file."""
        self.script.append(note.get("before", ""))
        if "file" in note:
            (self.blocks / str(number)).write_text(block.text)
            self.script.append(f"file_block {number} {shlex.quote(note['file'])}")
        else:
            (self.blocks / str(number)).write_text(shell(block, note))
            self.script.append(f"run_block {number} {note.get('fails', 0)}")
        if "after" in note:
            self.script.append(f"output=$blocks/{number}.out\n{note['after']}")
        self.script.append(f"echo {number} >>\"$blocks/done\"")

    def run(self) -> None:
        """Runs the added blocks in their order, up to the first that fails."""
        user = ordinary_user(self.program) and ordinary_user(sys.executable)
        clock = self.clock()
        server = Nephos(self.program, str(self.data), environment=self.clean() | clock)
        try:
            replaced = {**EVERYWHERE, **self.notes.replace}
            cases = "".join(f"{shlex.quote(name)}) printf %s \"{value}\" ;;\n" for name, value in replaced.items())
            (self.blocks / "replaced").write_bytes(b"".join(name.encode() + b"\0" for name in replaced))
            (self.blocks / "script").write_text(
                f"{HELPERS}value_of() {{ case $1 in\n{cases}esac; }}\n{self.notes.before}\n" + "\n".join(self.script) + "\n")
            environment = self.clean() | clock | {
                "PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.work), "NEPHOS_DATA": str(self.data),
                "NEPHOS_URL": server.url, "blocks": str(self.blocks), "PYTHONDONTWRITEBYTECODE": "1",
                "container": "iCloud.com.example.app",
            }
            if user:
                for path in [self.folder, *self.folder.rglob("*")]:
                    if not path.is_symlink() and self.data not in path.parents:
                        shutil.chown(path, user["user"], user["group"])
            with (self.blocks / "script.out").open("w") as out:
                subprocess.run(
                    ["bash", self.blocks / "script"], cwd=self.work, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                    stderr=subprocess.STDOUT, timeout=10 * PATIENCE, check=False, **user)
        finally:
            server.stop()

    def clock(self) -> dict[str, str]:
        """The environment of processes whose clock shows the date of the page."""
        if self.notes.clock is None:
            return {}
        place = self.folder / "clock"
        place.mkdir()
        day = datetime.datetime.combine(self.notes.clock, datetime.time(), datetime.timezone.utc)
        return LateClock(place, int(day.timestamp() - time.time())).environment

    def clean(self) -> dict[str, str]:
        """The environment without the caller's settings for other servers."""
        kept = {"NEPHOS_TEST_POSTGRES"}
        return {name: value for name, value in os.environ.items() if not name.startswith("NEPHOS_") or name in kept}

    def outcome(self, number: int, block: Block) -> Outcome:
        """The outcome of a block."""
        def text(name: str) -> str:
            path = self.blocks / name
            return path.read_text(errors="replace") if path.exists() else ""

        output = text(f"{number}.out")
        if str(number) in text("done").split():
            return Outcome(block, output=output)
        if text("last").strip() == str(number):
            return Outcome(block, f"it fails\n{text('script.out')}{output}".rstrip(), output)
        done = [int(each) for each in text("done").split()]
        is_next = number == min((each for each in self.numbers() if each not in done), default=None)
        return Outcome(block, f"what comes before it fails\n{text('script.out')}".rstrip() if is_next else "it was not reached")

    def numbers(self) -> list[int]:
        return [int(path.name) for path in self.blocks.iterdir() if path.name.isdigit()]
