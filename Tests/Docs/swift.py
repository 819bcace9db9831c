"""Swift code on pages: code that a test compiles, code that the compiler accepts with the modules of this build, and manifests."""

from __future__ import annotations

import pathlib
import re
import subprocess
import tempfile

from blocks import Block

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build" / "tested"
MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "App",
{}
)
"""


class Swift:
    """Checks blocks, and each text only once."""

    def __init__(self) -> None:
        self.known: dict[str, str] = {}
        sources = [*ROOT.glob("Tests/*Tests/**/*.swift"), *ROOT.glob("Tests/*Package/**/*.swift")]
        self.tests = [(path, path.read_text()) for path in sources]

    def compiled_in(self, block: Block) -> str | None:
        """The folder of tests that names the page of a block, and contains all lines of the block; None if there is no such folder."""
        lines = {line.strip() for line in block.text.split("\n")} - {""}
        for folder in sorted({path.parent for path, text in self.tests if block.page in text}):
            inside = [text for path, text in self.tests if folder == path.parent or folder in path.parents]
            if lines <= {line.strip() for text in inside for line in text.split("\n")}:
                return str(folder.relative_to(ROOT))
        return None

    def fault(self, block: Block, prelude: str) -> str | None:
        """The compiler's errors for a block, or None."""
        text = f"{prelude}\n{block.text}" if prelude else block.text
        if text not in self.known:
            self.known[text] = self.manifest(text) if is_manifest(block) else self.types(text, block.text)
        return self.known[text] or None

    def manifest(self, text: str) -> str:
        if "import PackageDescription" not in text:
            part = text if "dependencies:" in text else f"    dependencies: [\n{text.rstrip()}\n    ]"
            text = MANIFEST.format(part.rstrip())
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "Package.swift").write_text(text)
            return said(["swift", "package", "--package-path", folder, "dump-package"])

    def types(self, text: str, shown: str) -> str:
        if "import " not in text:
            text = f"import CloudKit\n{text}"
        maps = [*BUILD.glob("*.build/module.modulemap"), *ROOT.glob("Sources/Server/C*/module.modulemap")]
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "main.swift"
            file.write_text(text)
            # A file of an app is not a script.
            is_library = re.search(r"^\s*(public |@main |@propertyWrapper |#if )", shown, re.MULTILINE)
            options = ["-parse-as-library"] if is_library else []
            each = [word for path in maps for word in ("-Xcc", f"-fmodule-map-file={path}")]
            return said(["swiftc", "-typecheck", *options, "-I", str(BUILD / "Modules"), *each, str(file)])


def is_manifest(block: Block) -> bool:
    """A whole Package.swift, or a part of one."""
    return "import PackageDescription" in block.text or "manifest" in block.words


def said(command: list[str]) -> str:
    """The output of a command if it fails, else an empty text."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stderr + done.stdout).strip()[-2000:]
