#!/usr/bin/env python3
"""Tests scripts/test-engine: what it says it is doing, and what it does with targets that fail or hang. A small script stands in for
the test program.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent

PROGRAM = """#!/usr/bin/env bash
echo '◇ Test "One" started.'
echo '◇ Test "Two" started.'
echo '✔ Test "Two" passed after 0.1 seconds.'
case "$2" in
*Hanging*) exec sleep 600 ;;
*Failing*) exit 1 ;;
esac
"""


class EngineTests(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "scripts").mkdir()
        (self.root / ".build").mkdir()
        shutil.copy(SCRIPTS / "test-engine", self.root / "scripts")
        program = self.root / "scripts" / "test-program"
        program.write_text(PROGRAM)
        program.chmod(0o755)

    def run_targets(self, *targets: str) -> tuple[int, list[str]]:
        """The exit code, and what is printed and logged."""
        environment = {
            **os.environ, "NEPHOS_TEST_FOLDER": str(self.root), "NEPHOS_TEST_DISK": str(self.root), "TMPDIR": str(self.root),
            "NEPHOS_TEST_SILENCE": "1"}
        done = subprocess.run(
            [self.root / "scripts" / "test-engine", "sqlite", *targets], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, check=False)
        self.assertEqual((self.root / ".build" / "nephos-test.log").read_text(), done.stdout)
        return done.returncode, done.stdout.splitlines()

    def test_it_says_which_target_of_how_many_is_tested_on_which_engine(self) -> None:
        code, said = self.run_targets("AudienceTests", "ChartsTests")
        self.assertEqual(code, 0)
        self.assertIn("== AudienceTests on SQLite, target 1 of 2", said)
        self.assertIn("== ChartsTests on SQLite, target 2 of 2", said)
        self.assertRegex(said[-1], "^== ChartsTests on SQLite took [0-9]+ s$")

    def test_a_failure_stops_no_other_target(self) -> None:
        code, said = self.run_targets("FailingTests", "ChartsTests")
        self.assertEqual(code, 1)
        self.assertIn("== ChartsTests on SQLite, target 2 of 2", said)
        self.assertEqual(said[-1], "Failed on SQLite: FailingTests")

    def test_a_target_that_hangs_is_killed_and_its_tests_are_named(self) -> None:
        code, said = self.run_targets("HangingTests", "ChartsTests")
        self.assertEqual(code, 1)
        place = said.index("✘ HangingTests printed nothing for 1 s, and was killed. These tests had not ended:")
        self.assertEqual(said[place + 1], '✘   Test "One"')
        self.assertIn("== ChartsTests on SQLite, target 2 of 2", said)
        self.assertEqual(said[-1], "Failed on SQLite: HangingTests")


if __name__ == "__main__":
    unittest.main()
