#!/usr/bin/env python3
"""Tests what counts as done and what is a fault (scripts/requirements), with sample pages and logs."""

from __future__ import annotations

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from requirement_rows import Fault, Log, Row, Run, faults, read_page  # noqa: E402

PAGE = """
| id | requirement | state |
|---|---|---|
| S0-1 | Data stays in step | done |
| S0-2 | Switches change | open: records do; endpoints are missing |
| S1-1 | The article's fetch works | done: `make articles` |
"""


def log(*lines: str) -> Log:
    log = Log()
    log.add("\n".join(lines))
    return log


def ended(name: str, how: str = "passed", kind: str = "Test", cases: str = "") -> str:
    return f'{"✔" if how == "passed" else "✘"} {kind} "{name}" {cases}{how} after 0.1 seconds.'


class PageTests(unittest.TestCase):
    def test_rows_have_a_state_and_what_is_said_of_it(self) -> None:
        rows = read_page(PAGE)
        self.assertEqual([(row.id, row.is_done) for row in rows], [("S0-1", True), ("S0-2", False), ("S1-1", True)])
        self.assertEqual(rows[1].note, "records do; endpoints are missing")
        self.assertEqual([[run.name for run in row.runs] for row in rows], [[], [], ["make articles"]])

    def test_a_row_without_a_state_is_a_fault(self) -> None:
        for line in ["| S0-3 | Something | server side |", "| S0-3 | Something |", "| S7-1 | Something | done |"]:
            with self.assertRaisesRegex(Fault, "neither done nor open"):
                read_page(PAGE.replace("| S1-1", f"{line}\n| S1-1"))

    def test_no_row_is_left_out_or_there_twice(self) -> None:
        for line in ["| S0-2 | Switches change | done |", "| S0-4 | Something | open |"]:
            with self.assertRaisesRegex(Fault, "where S0-3 is expected"):
                read_page(PAGE.replace("| S1-1", f"{line}\n| S1-1"))


class LogTests(unittest.TestCase):
    def test_names_of_tests_and_suites_carry_ids(self) -> None:
        found = log(
            ended("One (S0-1)"), ended("Many (S0-2, S1-1)", kind="Suite"), ended("Rows (S0-3)", cases="with 3 test cases "))
        self.assertEqual(found.passed, {
            "S0-1": ["One (S0-1)"], "S0-2": ["Many (S0-2, S1-1)"], "S1-1": ["Many (S0-2, S1-1)"], "S0-3": ["Rows (S0-3)"]})

    def test_names_of_sources_carry_ids(self) -> None:
        found = Log()
        found.add_sources('@Test("One \\"two\\" (S0-1)")\n@Suite(\n    "Many (S0-2)", .serialized)\n"No test (S0-3)"')
        self.assertEqual(found.passed, {"S0-1": ['One \\"two\\" (S0-1)'], "S0-2": ["Many (S0-2)"]})

    def test_colors_quotes_and_engines_do_not_matter(self) -> None:
        line = ended('It says \\"no\\" (S0-1)')
        colored = f"\x1b[92m{line[0]}\x1b[0m {line[2:]}"
        self.assertEqual(log(line, colored, line).passed, {"S0-1": ['It says \\"no\\" (S0-1)']})

    def test_what_did_not_end_well_is_not_passed(self) -> None:
        found = log(
            '◇ Test "Begun (S0-1)" started.', '➜ Test "Skipped (S0-1)" skipped.',
            '◇ Test case passing 1 argument row → 1 to "Rows (S0-1)" started.', "✔ Test unnamedS0() passed after 1 seconds.",
            '✘ Test "Known (S0-2)" passed after 0.1 seconds with 1 known issue.', ended("Broken (S0-1)", "failed"))
        self.assertEqual(found.passed, {})
        self.assertEqual(found.failed, {"S0-2": ["Known (S0-2)"], "S0-1": ["Broken (S0-1)"]})


class FaultTests(unittest.TestCase):
    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)
        (self.root / "Articles").mkdir()
        (self.root / "Tests").mkdir()
        self.write("Articles/listings.toml", '# S0-2 is none of them\nrows = ["S1-1"]\n')
        self.write("articles.txt", "S1-1 passed\n")

    def write(self, path: str, text: str) -> None:
        (self.root / path).write_text(text)

    def faults(self, *lines: str, must_run: bool = True) -> list[str]:
        runs = [Run("make articles", "Articles/listings.toml")]
        return faults(read_page(PAGE), log(*lines), runs, self.root, self.root, lambda run: must_run)

    def test_there_is_none_where_page_log_and_runs_agree(self) -> None:
        self.assertEqual(self.faults(ended("In step (S0-1)"), ended("Something else")), [])

    def test_a_run_that_a_row_names_has_taken_place(self) -> None:
        (self.root / "articles.txt").unlink()
        self.assertEqual(
            self.faults(ended("In step (S0-1)")), ["S1-1 is done by make articles on the page, which has not run here: run it."])
        self.assertEqual(self.faults(ended("In step (S0-1)"), must_run=False), [])

    def test_done_needs_a_test_that_passed(self) -> None:
        self.assertIn("no test has it in its name", self.faults()[0])
        self.write("Tests/SomeTests.swift", '@Test("In step (S0-1)") func inStep() {}')
        self.assertIn("Tests/SomeTests.swift names it: run make test", self.faults()[0])
        both = self.faults(ended("In step (S0-1)"), ended("Also (S0-1)", "failed"))
        self.assertEqual(both, ['S0-1 is done on the page, but this failed: "Also (S0-1)"'])

    def test_an_open_row_has_no_test_that_passed(self) -> None:
        found = self.faults(ended("In step (S0-1)"), ended("Switched (S0-2)"))
        self.assertEqual(len(found), 1)
        self.assertIn('S0-2 is open on the page, but this passed: "Switched (S0-2)"', found[0])
        self.assertEqual(self.faults(ended("In step (S0-1)"), ended("Switched (S0-2)", "failed")), [])

    def test_an_id_has_a_row(self) -> None:
        found = self.faults(ended("In step (S0-1)"), ended("Nothing (S3-9)"))
        self.assertIn("S3-9: the page has no such row", found[0])
        self.write("Articles/listings.toml", 'rows = ["S1-1", "S4-1"]\n')
        self.assertIn("S4-1: the page has no such row, but make articles lists it", self.faults(ended("In step (S0-1)"))[0])

    def test_a_run_lists_its_rows_and_passed_when_it_ran_last(self) -> None:
        self.write("articles.txt", "S1-1 failed\n")
        self.assertIn("in its last run it failed", self.faults(ended("In step (S0-1)"))[0])
        self.write("articles.txt", "")
        self.assertIn("was not checked", self.faults(ended("In step (S0-1)"))[0])
        self.write("Articles/listings.toml", "# S1-1 stands in a comment alone\n")
        self.assertIn("which does not list it", self.faults(ended("In step (S0-1)"))[0])

    def test_a_run_shows_no_open_row(self) -> None:
        self.write("Articles/listings.toml", 'rows = ["S1-1", "S0-2"]\n')
        self.write("articles.txt", "S1-1 passed\nS0-2 passed\n")
        self.assertIn("S0-2 is open on the page, but make articles proves it", self.faults(ended("In step (S0-1)"))[0])


if __name__ == "__main__":
    unittest.main()
