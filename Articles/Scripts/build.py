"""The package of the articles: the files that are checked in, the listings, and a build that reports which listings do not compile."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess

from listings import Listing

ERROR = re.compile(r"^(?P<path>[^:\s][^:]*):(?P<line>\d+):\d+: error: (?P<message>.*)$", re.MULTILINE)
SOURCES = pathlib.Path("Sources")
# Its main file is part of all programs.
FIRST = SOURCES / "Articles"


class BuildFault(Exception):
    """The package does not build, for a reason other than a listing or its scaffolding."""


class Package:
    def __init__(self, checkout: pathlib.Path) -> None:
        self.checkout = checkout
        self.folder = checkout / ".build" / "articles" / "package"
        # The sample Examples/ChibiStudio is built there, too: the client library is compiled once.
        self.scratch = checkout / ".build" / "client"
        self.programs = self.scratch / "debug"

    def build(self, listings: list[Listing]) -> list[Listing]:
        """Builds the listings that compile. Marks those that do not, and returns those that are in the program."""
        left = [listing for listing in listings if listing.is_code]
        while True:
            self._write(self._files(left))
            output = self._compile()
            if output is None:
                return left
            faults = blame(output, left)
            if not faults:
                errors = dict.fromkeys(line for line in output.split("\n") if "error: " in line)
                raise BuildFault("\n".join(errors) or output)
            for listing in left:
                listing.fault = faults.get(listing) or faults.get(listing.group) or ""
            faulty = {listing.group for listing in left if listing.fault}
            left = [listing for listing in left if listing.group not in faulty]

    def _files(self, listings: list[Listing]) -> dict[pathlib.Path, str]:
        own = self.checkout / "Articles"
        files = {pathlib.Path("Package.swift"): (own / "Package.swift").read_text()}
        for program in sorted(path.name for path in (own / SOURCES).iterdir()):
            sources = SOURCES / program
            inside = [listing for listing in listings if listing.program == program]
            groups = sorted({listing.group for listing in inside})
            files |= {sources / path.name: path.read_text() for path in (own / FIRST).glob("*.swift")}
            for path in (path for group in groups for path in (own / sources / group).glob("*.swift")):
                files[path.relative_to(own)] = path.read_text()
            for listing in inside:
                files[sources / listing.group / f"{listing.id.replace('.', '_')}.swift"] = listing.swift
            runners = [f'"{group}": run{group}' for group in groups if (own / sources / group).is_dir()]
            files[sources / "Runners.swift"] = f"let runners: [String: Runner] = [{', '.join(runners) or ':'}]\n"
        return files

    def _write(self, files: dict[pathlib.Path, str]) -> None:
        """Writes the files. Does not touch unchanged files, so that little is compiled again."""
        for path in self.folder.rglob("*.swift"):
            if path.relative_to(self.folder) not in files:
                path.unlink()
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if not path.exists() or path.read_text() != text:
                path.write_text(text)

    def _compile(self) -> str | None:
        """None, or the output of the compiler if it failed."""
        command = ["swift", "build", "--package-path", str(self.folder), "--scratch-path", str(self.scratch)]
        # Errors in all files are reported, not only those in the first file that fails.
        command += ["-Xswiftc", "-continue-building-after-errors"]
        environment = {"NEPHOS_ROOT": str(self.checkout), **os.environ}
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        return None if done.returncode == 0 else done.stdout


def blame(output: str, listings: list[Listing]) -> dict[Listing | str, str]:
    """The first error of each listing, and of each group's scaffolding."""
    faults: dict[Listing | str, str] = {}
    groups = {listing.group for listing in listings}
    for error in ERROR.finditer(output):
        path, line = pathlib.Path(error["path"]), int(error["line"])
        culprit = next((listing for listing in listings if listing.place == path.name and listing.holds(line)), None)
        culprit = culprit or (path.parent.name if path.parent.name in groups else None)
        if culprit:
            faults.setdefault(culprit, f"{path.name}:{line}: {error['message']}")
    return faults
