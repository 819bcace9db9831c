#!/usr/bin/env python3
"""Prints the licenses of the built program, with the notices of its dependencies, which packages must include."""

from __future__ import annotations

import pathlib
import shutil
import sys

sys.dont_write_bytecode = True

from packages import ROOT, Fault, licence, pins  # noqa: E402

LICENSE = ROOT / "docs" / "vectors" / "LICENSE.unicode"

HEAD = """Nephos is free software under the Apache License, Version 2.0, whose text is in the file LICENSE beside this one
(on Debian: /usr/share/common-licenses/Apache-2.0).

The program contains the packages below. Those under the Apache License have the same text; some add the exception of
Swift's runtime libraries, which requires no notice in programs that were compiled with them. Their notices and the texts
of other licenses follow.
"""

SWIFT = """It also contains Swift's own libraries, of which Foundation includes the data of ICU (Unicode License v3,
https://www.unicode.org/license.txt), and is distributed with Swift's backtracer. Their license:
"""

UNICODE = """It also contains what it knows of languages from Unicode's Common Locale Data Repository. Its license:
"""


def main() -> int:
    try:
        found = pins()
        print(HEAD)
        for pin in found:
            print(f"{pin.identity} {pin.version}, {licence(pin)}, {pin.location}")
        for pin in found:
            files = sorted(pin.folder.glob("NOTICE*"))
            if not licence(pin).startswith("Apache-2.0"):
                files = sorted(pin.folder.glob("LICENSE*")) + files
            for file in files:
                print(f"\n{'=' * 78}\n{pin.identity}: {file.name}\n{'=' * 78}\n\n{file.read_text().strip()}")
        print(f"\n{'=' * 78}\nUnicode CLDR\n{'=' * 78}\n\n{UNICODE}\n{LICENSE.read_text().strip()}")
        print(f"\n{'=' * 78}\nSwift\n{'=' * 78}\n\n{SWIFT}\n{swift_licence()}")
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def swift_licence() -> str:
    compiler = shutil.which("swift")
    if compiler:
        file = pathlib.Path(compiler).resolve().parents[1] / "share" / "swift" / "LICENSE.txt"
        if file.is_file():
            return file.read_text().strip()
    raise Fault("share/swift/LICENSE.txt is missing in the toolchain. Install Swift from https://www.swift.org/install")


if __name__ == "__main__":
    sys.exit(main())
