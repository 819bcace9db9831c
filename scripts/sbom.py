#!/usr/bin/env python3
"""Writes the dependencies of the server's program, as CycloneDX 1.5 JSON, to .build/nephos.cdx.json.

Packages are those of Package.resolved, with the licenses in their checkouts. The system's libraries are those that the built program
loads (.build/release/nephos, else .build/debug/nephos), with the names and versions of Debian's packages. The same checkout, program
and machine produce the same bytes: the file contains no time, and its serial number is a hash.
"""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import uuid

sys.dont_write_bytecode = True

from packages import ROOT, Fault, Pin, licence, output, pins  # noqa: E402

TARGET = ROOT / ".build" / "nephos.cdx.json"


def main() -> int:
    try:
        TARGET.write_text(text())
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    print(TARGET.relative_to(ROOT))
    return 0


def text() -> str:
    found = pins()
    libraries = [*system_libraries(program()), swift()]
    version = re.search(r'current = "([^"]+)"', (ROOT / "Sources/Server/NephosEndpoints/Pages/ServerVersion.swift").read_text())
    nephos = {"type": "application", "bom-ref": "nephos", "name": "nephos", "version": version[1] if version else ""}
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": nephos},
        "components": [package(pin) for pin in found] + libraries,
        "dependencies": graph({pin.identity for pin in found}, [library["bom-ref"] for library in libraries]),
    }
    digest = hashlib.sha256(json.dumps(bill, sort_keys=True).encode()).hexdigest()
    bill["serialNumber"] = f"urn:uuid:{uuid.UUID(digest[:32], version=5)}"
    return json.dumps(bill, indent=2, sort_keys=True) + "\n"


def package(pin: Pin) -> dict:
    place = pin.location.removeprefix("https://").removesuffix(".git")
    known = licence(pin)
    return {
        "type": "library",
        "bom-ref": pin.identity,
        "name": pin.identity,
        "version": pin.version,
        "purl": f"pkg:swift/{place}@{pin.version}",
        "licenses": [{"expression": known} if " " in known else {"license": {"id": known}}],
        "externalReferences": [{"type": "vcs", "url": pin.location, "comment": f"commit {pin.revision}"}],
    }


def graph(known: set[str], libraries: list[str]) -> list[dict]:
    """The dependencies of each package, as the package manager reports them."""
    needs: dict[str, set[str]] = {}

    def walk(node: dict, name: str) -> None:
        children = [child for child in node["dependencies"] if child["identity"] in known]
        needs.setdefault(name, set()).update(child["identity"] for child in children)
        for child in children:
            walk(child, child["identity"])

    walk(json.loads(output("swift", "package", "show-dependencies", "--format", "json")), "nephos")
    needs["nephos"].update(libraries)
    return [{"ref": name, "dependsOn": sorted(needs[name])} for name in sorted(needs)]


# The system's libraries


def program() -> pathlib.Path:
    for kind in ("release", "debug"):
        path = ROOT / ".build" / kind / "nephos"
        if path.is_file():
            return path
    raise Fault("The program is not built yet. Run make release, or scripts/build --product nephos.")


def system_libraries(program: pathlib.Path) -> list[dict]:
    """The libraries that the loader finds for the program, by package; by file name if the system has no dpkg."""
    if shutil.which("ldd") is None:
        return []
    files = sorted(set(re.findall(r"=> (/\S+)", output("ldd", str(program)))))
    found = {}
    for file in files:
        owner = debian_package(file)
        if owner is None and "/swift/" in file:
            continue
        name, version, architecture = owner or (pathlib.Path(file).name, "", "")
        entry = {"type": "library", "bom-ref": f"system:{name}", "name": name}
        if version:
            entry |= {"version": version, "purl": f"pkg:deb/debian/{name}@{version}?arch={architecture}"}
        found[name] = entry
    return [found[name] for name in sorted(found)]


def debian_package(file: str) -> tuple[str, str, str] | None:
    """The package that contains a file. Its list may contain the file under another path (/lib is /usr/lib)."""
    if shutil.which("dpkg-query") is None:
        return None
    real = str(pathlib.Path(file).resolve())
    for path in dict.fromkeys([file, real, real.removeprefix("/usr"), "/usr" + real]):
        done = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if done.returncode == 0:
            name = done.stdout.split(": ")[0].split(",")[0]
            form = "${Package} ${Version} ${Architecture}"
            package, version, architecture = output("dpkg-query", "-W", f"-f={form}", name).split(" ")
            return package, version, architecture
    return None


def swift() -> dict:
    """The language's own libraries, which a release build contains and a debug build loads."""
    found = re.search(r"Swift version (\S+)", output("swift", "--version"))
    version = found[1] if found else ""
    return {
        "type": "library",
        "bom-ref": "swift",
        "name": "swift",
        "version": version,
        "purl": f"pkg:swift/github.com/swiftlang/swift@{version}",
        "licenses": [{"expression": "Apache-2.0 WITH Swift-exception"}],
    }


if __name__ == "__main__":
    sys.exit(main())
