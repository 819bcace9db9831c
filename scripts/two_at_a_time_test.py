#!/usr/bin/env python3
"""Tests scripts/two_at_a_time.py."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True


class TwoAtATime(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = self.folder / "log"

    def run_all(self, *commands: str) -> tuple[int, str]:
        program = pathlib.Path(__file__).with_name("two_at_a_time.py")
        done = subprocess.run(
            [program, self.log, *commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=self.folder,
            check=False)
        return done.returncode, done.stdout

    def test_two_run_at_the_same_time_and_their_outputs_are_not_mixed(self) -> None:
        os.mkfifo(self.folder / "pipe")
        writer, reader = "sh -c 'echo one; echo two >pipe; echo three'", "sh -c 'echo first; cat pipe; echo last'"
        status, said = self.run_all(writer, reader)
        self.assertEqual(status, 0, said)
        self.assertIn(f"== {writer} begins (test 1 of 2)\n", said)
        self.assertIn(f"== {reader} begins (test 2 of 2)\n", said)
        self.assertIn(f"one\nthree\n== {writer} took ", said)
        self.assertIn(f"first\ntwo\nlast\n== {reader} took ", said)
        self.assertEqual(self.log.read_text().count(" took "), 2)

    def test_all_run_after_a_failure_which_is_named_at_the_end(self) -> None:
        status, said = self.run_all("sh -c 'echo bad; exit 3'", "true", "touch third")
        self.assertEqual(status, 1, said)
        self.assertTrue((self.folder / "third").exists())
        self.assertTrue(said.endswith("Failed: sh -c 'echo bad; exit 3'\n"), said)
        self.assertIn("failed with 3\n", said)
        self.assertIn("✘ sh -c 'echo bad; exit 3': bad\n", self.log.read_text())

    def test_a_program_that_does_not_exist_fails(self) -> None:
        status, said = self.run_all("./missing", "touch second")
        self.assertEqual(status, 1, said)
        self.assertTrue((self.folder / "second").exists())
        self.assertIn("Failed: ./missing\n", said)


if __name__ == "__main__":
    unittest.main()
