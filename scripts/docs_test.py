#!/usr/bin/env python3
"""Tests which symbols must have documentation and errors (scripts/docs), with a module that the compiler builds."""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True

from symbol_words import Fault, Graph, read, table  # noqa: E402

SAMPLE = """
/// Keeps things, whoever asks.
public protocol Keeper {
    /// Keeps a thing for good.
    ///
    /// - Throws: `Full` when there is no room.
    func keep(_ thing: Thing) throws
    func lose() throws
    /// One.
    var count: Int { get }
}

/// A thing that is kept.
public struct Thing: Equatable, Hashable, CustomStringConvertible {
    public var size: Int
    public var description: String { "thing" }
    /// - Parameter size: Many words about the size, in grams.
    public init(size: Int) { self.size = size }
    var hidden = 0
}

extension Keeper {
    /// Runs a block, which may fail.
    public func each(_ body: () throws -> Void) rethrows { try body() }
    /// Takes a block that may fail, and does not call it.
    public func ignore(_ body: () throws -> Void) {}
    /// Reads all of it again.
    /// - Throws:
    public func reread() throws {}
    /// Whether it can be read.
    public var isReadable: Bool { get throws { true } }
}

/// Keeps nothing for long.
public class Sieve: Keeper {
    public func keep(_ thing: Thing) throws {}
    public func lose() throws {}
    public var count: Int { 0 }
    /// Opens the sieve again.
    public func open() {}
    /// Creates a sieve.
    public init() {}
}

/// A sieve that is closed.
public final class Closed: Sieve {
    public override func open() {}
    public override func lose() throws {}
    // No doc comment.
    public func close() {}
}

/// What a sieve is made of.
public enum Material {
    /// It is of wood or of iron.
    case wood, iron
    case tin
}
"""


class WordTests(unittest.TestCase):
    """All tests examine the same module."""

    graph: Graph

    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.built = pathlib.Path(cls.folder.name) / "built"
        file = pathlib.Path(cls.folder.name) / "Sources" / "Sample" / "Sample.swift"
        file.parent.mkdir(parents=True)
        file.write_text(SAMPLE)
        (cls.built / "Modules").mkdir(parents=True)
        subprocess.run([
            "swiftc", "-emit-module", "-module-name", "Sample", "-parse-as-library",
            "-emit-module-path", str(cls.built / "Modules" / "Sample.swiftmodule"), str(file),
        ], check=True)
        cls.graph = read("Sample", cls.built, pathlib.Path(cls.folder.name) / "graphs")

    def faults(self) -> dict[str, str]:
        return {symbol.name: " and ".join(symbol.faults) for symbol in self.graph.without_words()}

    def test_a_public_symbol_needs_words_of_its_own(self) -> None:
        found = self.faults()
        self.assertEqual(found["Thing.size"], "has no documentation")
        self.assertEqual(found["Material.tin"], "has no documentation")
        self.assertEqual(found["Closed.close()"], "has no documentation")
        self.assertNotIn("Material.iron", found)

    def test_one_word_or_a_parameter_alone_are_no_words(self) -> None:
        found = self.faults()
        self.assertEqual(found["Keeper.count"], "has no documentation")
        self.assertEqual(found["Thing.init(size:)"], "has no documentation")

    def test_what_throws_names_its_errors(self) -> None:
        found = self.faults()
        self.assertEqual(found["Keeper.lose()"], "has no documentation and throws, but has no `- Throws:`")
        self.assertEqual(found["Keeper.reread()"], "throws, but has no `- Throws:`")
        self.assertEqual(found["Keeper.isReadable"], "throws, but has no `- Throws:`")
        self.assertNotIn("Keeper.keep(_:)", found)

    def test_errors_of_blocks_are_those_of_who_passes_them(self) -> None:
        found = self.faults()
        self.assertNotIn("Keeper.each(_:)", found)
        self.assertNotIn("Keeper.ignore(_:)", found)

    def test_what_is_inherited_synthesized_or_hidden_is_not_asked(self) -> None:
        names = {symbol.name for symbol in self.graph.symbols.values()}
        for name in ["Thing.description", "Thing.hash(into:)", "Thing.==(_:_:)", "Thing.hidden", "Sieve.keep(_:)",
                     "Sieve.lose()", "Closed.open()", "Closed.lose()"]:
            self.assertNotIn(name, names)
        self.assertIn("Sieve.open()", names)

    def test_a_row_counts(self) -> None:
        row = self.graph.row("Sample")
        self.assertEqual(row[0], "Sample")
        self.assertEqual([int(cell) for cell in row[3:]], [4, 1])
        self.assertEqual(len(table([row, row]).splitlines()), 2)

    def test_a_module_that_is_not_built_is_a_fault(self) -> None:
        with self.assertRaisesRegex(Fault, "has no Missing. Run make docs"):
            read("Missing", self.built, self.built / "graphs")


if __name__ == "__main__":
    unittest.main()
