#!/usr/bin/env python3
"""Tests the versions and change logs of packages (scripts/changelog.py) and the manual (scripts/manual.py) with sample data."""

from __future__ import annotations

import datetime
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.dont_write_bytecode = True

import changelog  # noqa: E402
import manual  # noqa: E402

MOMENT = datetime.datetime(2026, 11, 27, 21, 13, tzinfo=datetime.timezone.utc)
PAGE = """# Changelog

What changes.

## 0.2.0, unreleased

Words before the list.

- **New**: `nephos check` looks at **files** too, however long the text is that says so, and in however many lines it stands.
- **Changed**: an answer has a key
  more.
- **Breaking**: a key is gone.

## 0.1.0, 2026-12-01

- **New**: everything.
"""


def sources(version: str) -> str:
    return f'package static let current = "{version}"'


class Changelog(unittest.TestCase):
    def test_packages_of_an_unreleased_version_sort_before_its_release(self) -> None:
        first, second = changelog.read(PAGE)
        self.assertEqual(changelog.version_of(first, MOMENT), "0.2.0~20261127.2113")
        self.assertEqual(changelog.version_of(second, MOMENT), "0.1.0")

    def test_entries_are_wrapped_and_plain(self) -> None:
        text = changelog.debian(changelog.read(PAGE), MOMENT, "A <a@example.org>", None)
        self.assertTrue(all(len(line) <= 78 for line in text.splitlines()))
        self.assertIn("nephos (0.2.0~20261127.2113) UNRELEASED; urgency=medium\n\n  * New: nephos check looks at files too,", text)
        self.assertIn("  * Changed: an answer has a key more.\n", text)
        self.assertIn("\n -- A <a@example.org>  Fri, 27 Nov 2026 21:13:00 +0000\n\nnephos (0.1.0) unstable;", text)
        self.assertIn("\n -- A <a@example.org>  Tue, 01 Dec 2026 00:00:00 +0000\n", text)

    def test_news_has_what_breaks_first_and_no_version_without_any(self) -> None:
        text = changelog.debian(changelog.read(PAGE), MOMENT, "A <a@example.org>", ("Breaking", "Changed"))
        self.assertLess(text.index("Breaking: a key is gone."), text.index("Changed: an answer"))
        self.assertNotIn("New:", text)
        self.assertNotIn("(0.1.0)", text)

    def test_builds_of_an_unreleased_version_are_listed_by_day(self) -> None:
        page = """# Changelog

## 0.2.0, unreleased

Words.

### Builds of 2026-11-27

- **Breaking**: a key is gone.
- **New**: a key.

### Builds of 2026-11-25

- **Changed**: an answer.

## 0.1.0, 2026-11-01

- **New**: everything.
"""
        sections = changelog.read(page)
        changelog.check(sections, sources("0.2.0"))
        text = changelog.debian(sections, MOMENT, "A <a@example.org>", ("Breaking", "Changed"))
        versions = [line.split("(")[1].split(")")[0] for line in text.splitlines() if line.startswith("nephos (")]
        self.assertEqual(versions, ["0.2.0~20261127.2113", "0.2.0~20261125.2359"])
        self.assertIn("  * Changed: an answer.\n\n -- A <a@example.org>  Wed, 25 Nov 2026 23:59:00 +0000\n", text)
        for heading, reason in (
            ("### Builds of 2026-11-28", "must precede"), ("### Builds of today", "does not have the form"), ("### More", "does not have the form")):
            with self.assertRaisesRegex(changelog.Fault, reason):
                changelog.read(page.replace("### Builds of 2026-11-25", heading))
        with self.assertRaisesRegex(changelog.Fault, "does not have the form"):
            changelog.read(page.replace("2026-11-01\n", "2026-11-01\n\n### Builds of 2026-11-01\n"))
        late = changelog.read(page.replace("- **New**: a key.", "- **New**: a key.\n- **Breaking**: more."))
        with self.assertRaisesRegex(changelog.Fault, "comes first in the builds of 2026-11-27"):
            changelog.check(late, sources("0.2.0"))

    def test_headings_of_another_form_are_refused(self) -> None:
        for heading in ("## 0.2, unreleased", "## 0.2.0", "## 0.2.0, soon", "## Next"):
            with self.assertRaisesRegex(changelog.Fault, "does not have the form"):
                changelog.read(f"{heading}\n\n- **New**: x\n")
        with self.assertRaisesRegex(changelog.Fault, "no section"):
            changelog.read("# Changelog\n")

    def test_the_page_and_the_sources_must_agree(self) -> None:
        changelog.check(changelog.read(PAGE), sources("0.2.0"))
        with self.assertRaisesRegex(changelog.Fault, "begins with 0.2.0, but .* has 0.1.0"):
            changelog.check(changelog.read(PAGE), sources("0.1.0"))
        with self.assertRaisesRegex(changelog.Fault, "0.1.0 is unreleased, though"):
            changelog.check(changelog.read(PAGE.replace("2026-12-01", "unreleased")), sources("0.2.0"))

    def test_this_change_log_can_be_packed(self) -> None:
        sections = changelog.read(changelog.ROOT.joinpath("CHANGELOG.md").read_text())
        changelog.check(sections, changelog.ROOT.joinpath(changelog.SOURCES).read_text())


COMMAND = {
    "commandName": "nephos",
    "abstract": "A server.",
    "subcommands": [
        {
            "commandName": "token",
            "abstract": "Make tokens.",
            "subcommands": [
                {
                    "commandName": "create",
                    "abstract": "Make a token.",
                    "discussion": "Shown once.\n\n  nephos token create X \\\n    --name 'a'\n\n.hidden or 'quoted' lines stay.",
                    "arguments": [
                        {"kind": "positional", "valueName": "container", "abstract": "Its id."},
                        {
                            "kind": "option",
                            "names": [{"kind": "long", "name": "name"}],
                            "valueName": "name",
                            "isOptional": True,
                            "allValues": ["a", "b"],
                            "defaultValue": "a",
                        },
                        {"kind": "flag", "names": [{"kind": "long", "name": "quiet"}], "isOptional": True, "shouldDisplay": False},
                        {"kind": "flag", "names": [{"kind": "short", "name": "h"}, {"kind": "long", "name": "help"}]},
                    ],
                }
            ],
        },
        {"commandName": "help", "abstract": "Show help."},
        {"commandName": "secret", "abstract": "Hidden.", "shouldDisplay": False},
    ],
}


class Manual(unittest.TestCase):
    def test_each_command_that_is_shown_has_a_page(self) -> None:
        self.assertEqual(sorted(manual.pages(COMMAND, [], "1", "2026-12-01")), ["nephos", "nephos-token"])

    def test_pages_show_arguments_and_keep_examples(self) -> None:
        text = shown(manual.pages(COMMAND, [], "1", "2026-12-01")["nephos-token"])
        self.assertIn("nephos token create <container> [--name <name>]\n", text)
        self.assertNotIn("quiet", text)
        self.assertIn("nephos token create X \\\n", text)
        self.assertIn(".hidden or 'quoted' lines stay.", text)
        self.assertIn("Values: a, b. (default: a)", text)

    def test_variables_come_from_the_page_for_operators(self) -> None:
        variables = manual.variables_of(manual.ROOT.joinpath("docs/running.md").read_text())
        self.assertGreater(len(variables), 30)
        text = shown(manual.pages(COMMAND, variables, "1", "2026-12-01")["nephos"])
        self.assertIn("NEPHOS_LOG_LEVEL\n", text)
        self.assertIn("(default: info)", text)


def shown(page: str) -> str:
    """A page as `man` displays it. Fails if `man` reports errors in it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "page.1"
        file.write_text(page)
        done = subprocess.run(
            ["man", "--warnings", "--local-file", str(file)],
            capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "MANWIDTH": "120", "LC_ALL": "C.UTF-8"},
        )
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"man: {done.stderr}")
    return done.stdout


if __name__ == "__main__":
    unittest.main()
