"""The packages that this one depends on: what Package.swift requires, what was resolved, and their licenses."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[1]


class Fault(Exception):
    pass


def output(*command: str) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise Fault(f"{' '.join(command)}\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout


@dataclass(frozen=True)
class Request:
    """A package that Package.swift requires."""

    identity: str
    lower: str
    # The first version that is out of range.
    upper: str
    # Whether only the trait Server needs it: apps that use the library do not resolve it.
    is_of_server: bool

    def takes(self, version: str) -> bool:
        return parts(self.lower) <= parts(version) < parts(self.upper)


@dataclass(frozen=True)
class Pin:
    """A package that was resolved."""

    identity: str
    location: str
    version: str
    revision: str

    @property
    def folder(self) -> pathlib.Path:
        return ROOT / ".build" / "checkouts" / self.location.rsplit("/", 1)[1].removesuffix(".git")


def parts(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def requests() -> list[Request]:
    manifest = json.loads(output("swift", "package", "dump-package"))
    guarded: dict[str, bool] = {}
    for target in manifest["targets"]:
        for product in (entry["product"] for entry in target["dependencies"] if "product" in entry):
            identity, condition = product[1].lower(), product[3] or {}
            guarded[identity] = guarded.get(identity, True) and condition.get("traits") == ["Server"]
    found = []
    for entry in manifest["dependencies"]:
        control = entry["sourceControl"][0]
        ranges = control["requirement"].get("range")
        if not ranges:
            raise Fault(f"Package.swift must require {control['identity']} by a range of versions.")
        identity, bounds = control["identity"], ranges[0]
        if identity not in guarded:
            raise Fault(f"Package.swift requires {identity}, but no target uses it.")
        found.append(Request(identity, bounds["lowerBound"], bounds["upperBound"], guarded[identity]))
    return sorted(found, key=lambda request: request.identity)


def pins() -> list[Pin]:
    path = ROOT / "Package.resolved"
    if not path.is_file():
        raise Fault(f"{path} does not exist. Run swift package resolve.")
    entries = json.loads(path.read_text())["pins"]
    found = [Pin(e["identity"], e["location"], e["state"]["version"], e["state"]["revision"]) for e in entries]
    return sorted(found, key=lambda pin: pin.identity)


def licence(pin: Pin) -> str:
    """The SPDX expression of the license in a package's checkout."""
    files = [pin.folder / name for name in ("LICENSE", "LICENSE.txt", "LICENSE.md")]
    path = next((file for file in files if file.is_file()), None)
    if path is None:
        raise Fault(f"{pin.folder} has no license file. Run swift package resolve.")
    text = re.sub(r"\s+", " ", path.read_text())
    if "Apache License Version 2.0" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge, to any person obtaining a copy" in text:
        return "MIT"
    raise Fault(f"The license in {path} has not been reviewed yet: read it, and add it to scripts/packages.py.")
