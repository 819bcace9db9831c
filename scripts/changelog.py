#!/usr/bin/env python3
"""Derives a package's version and change log from CHANGELOG.md and the version in the sources:

    scripts/changelog.py version            the version of a package
    scripts/changelog.py debian "NAME <ADDRESS>"   the change log in Debian's format
    scripts/changelog.py news "NAME <ADDRESS>"     the notes for upgrades, in the same format

The heading of a section is `## 1.2.0, 2026-12-01`, or `## 1.2.0, unreleased`. Packages of an unreleased version sort before its release,
by the time of their commit, SOURCE_DATE_EPOCH: `1.2.0~20261127.2113`. What an unreleased version changes is listed by the day of its
builds, newest first: `### Builds of 2026-11-27`; what breaks something is first. The first section must describe the version in the
sources.
"""

from __future__ import annotations

import datetime
import email.utils
import os
import pathlib
import re
import sys
import textwrap
from dataclasses import dataclass, field

ROOT = pathlib.Path(__file__).resolve().parents[1]
SOURCES = "Sources/Server/NephosEndpoints/Pages/ServerVersion.swift"


class Fault(Exception):
    pass


@dataclass
class Section:
    """What changed in one version, or in the builds of one day of an unreleased one."""

    version: str
    # None if the version is unreleased.
    date: datetime.datetime | None
    # The end of the day of these builds; None if the version does not list them by day.
    day: datetime.datetime | None = None
    # Kind and text: ("Breaking", "links in answers …").
    entries: list[tuple[str, str]] = field(default_factory=list)


def main(what: str, maintainer: str = "") -> int:
    try:
        moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    except (KeyError, ValueError):
        print("Set SOURCE_DATE_EPOCH to the time of the commit in seconds: git log -1 --format=%ct", file=sys.stderr)
        return 1
    try:
        sections = read(ROOT.joinpath("CHANGELOG.md").read_text())
        check(sections, ROOT.joinpath(SOURCES).read_text())
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    if what == "version":
        print(version_of(sections[0], moment))
    else:
        kinds = ("Breaking", "Changed") if what == "news" else None
        print(debian(sections, moment, maintainer, kinds), end="")
    return 0


def read(text: str) -> list[Section]:
    """The sections, newest first."""
    found: list[Section] = []
    for line in text.splitlines():
        if line.startswith("## "):
            heading = re.fullmatch(r"## (\d+\.\d+\.\d+), (unreleased|\d{4}-\d{2}-\d{2})", line)
            if not heading:
                raise Fault(f'CHANGELOG.md: "{line}" does not have the form "## 1.2.0, 2026-12-01" or "## 1.2.0, unreleased".')
            date = None
            if heading[2] != "unreleased":
                date = datetime.datetime.fromisoformat(heading[2]).replace(tzinfo=datetime.timezone.utc)
            found.append(Section(heading[1], date))
        elif line.startswith("### "):
            heading = re.fullmatch(r"### Builds of (\d{4}-\d{2}-\d{2})", line)
            if not heading or not found or found[-1].date:
                raise Fault(f'CHANGELOG.md: "{line}" does not have the form "### Builds of 2026-11-27", in an unreleased version.')
            day = datetime.datetime.fromisoformat(f"{heading[1]}T23:59").replace(tzinfo=datetime.timezone.utc)
            if found[-1].day and found[-1].day <= day:
                raise Fault(f'CHANGELOG.md: "{line}" must precede the builds of earlier days.')
            if found[-1].entries or found[-1].day:
                found.append(Section(found[-1].version, None))
            found[-1].day = day
        elif found and (entry := re.match(r"- \*\*(\w+)\*\*: (.*)", line)):
            found[-1].entries.append((entry[1], entry[2]))
        elif found and found[-1].entries and line.startswith("  "):
            kind, begun = found[-1].entries[-1]
            found[-1].entries[-1] = (kind, f"{begun} {line.strip()}")
    if not found:
        raise Fault("CHANGELOG.md has no section for a version.")
    return found


def check(sections: list[Section], sources: str) -> None:
    current = re.search(r'current = "([^"]+)"', sources)
    if not current or current[1] != sections[0].version:
        raise Fault(f"CHANGELOG.md begins with {sections[0].version}, but {SOURCES} has {current and current[1]}. Change one of them.")
    for section in sections:
        others = [kind for kind, _ in section.entries if kind != "Breaking"]
        if section.day and [kind for kind, _ in section.entries][len(section.entries) - len(others):] != others:
            raise Fault(f"CHANGELOG.md: what breaks something comes first in the builds of {section.day:%Y-%m-%d}.")
    for section in sections[1:]:
        if section.date is None and section.version != sections[0].version:
            raise Fault(f"CHANGELOG.md: {section.version} is unreleased, though a newer version follows it. Add its date.")


def version_of(section: Section, moment: datetime.datetime) -> str:
    """The version of the package of that moment, or of the last one of a day."""
    return section.version if section.date else f"{section.version}~{moment:%Y%m%d.%H%M}"


def debian(sections: list[Section], moment: datetime.datetime, maintainer: str, kinds: tuple[str, ...] | None) -> str:
    """The sections in the format of Debian's tools. With `kinds`, only entries of these kinds, in this order."""
    found = []
    for section in sections:
        # The first ones are in the package itself.
        built = moment if section is sections[0] or not section.day else section.day
        entries = section.entries
        if kinds:
            entries = [entry for kind in kinds for entry in section.entries if entry[0] == kind]
        if not entries:
            continue
        # The notes for upgrades always have this suite.
        suite = "unstable" if section.date or kinds else "UNRELEASED"
        lines = [f"nephos ({version_of(section, built)}) {suite}; urgency=medium", ""]
        for kind, text in entries:
            words = f"{kind}: {text.replace('**', '').replace('`', '')}"
            lines += textwrap.wrap(words, 78, initial_indent="  * ", subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)
        lines += ["", f" -- {maintainer}  {email.utils.format_datetime(section.date or built)}", ""]
        found.append("\n".join(lines))
    return "\n".join(found)


if __name__ == "__main__":
    if not (sys.argv[1:] == ["version"] or (len(sys.argv) == 3 and sys.argv[1] in ("debian", "news"))):
        print("usage: scripts/changelog.py version | debian MAINTAINER | news MAINTAINER", file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
