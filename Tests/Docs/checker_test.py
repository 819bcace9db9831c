"""Tests the checker itself: it finds what is wrong with a page, separately for each block.

Usage: checker_test.py NEPHOS_PROGRAM
"""

from __future__ import annotations

import pathlib
import sys
import tempfile

from answers import difference, pattern
from blocks import PageFault, blocks
from docs_test import Page
from swift import Swift

SAVE = """curl -sS "$url" -d '{"operations":[{"operationType":"OPERATION","record":{"recordName":"tom","recordType":"Cat","fields":{}}}]}'"""
# Blocks, each with the fault that the checker must report; empty for none.
WRONG = [
    ("json", '{"a":1,}', "it is no JSON"),
    ("swift", "import NoSuchModule", "NoSuchModule"),
    ("cobol", "DISPLAY 'HELLO'.", "nothing runs or checks a block 'cobol'"),
    ("js", "const const = 1", "SyntaxError"),
    ("sh", SAVE.replace("OPERATION", "update"), "a record is refused"),
    ("sh", SAVE.replace("OPERATION", "forceReplace"), ""),
    ("json answer", '{"records":[{"recordName":"tim",…}]}', "is 'tom', and not 'tim'"),
    ("http", 'POST /database/1/CONTAINER/ENVIRONMENT/public/records/query\n{"query":{"recordType":"Dog"}}', "did not find record type"),
    ("sh", "echo it is over", "it was not reached"),
]
BEFORE = """nephos container create --listable "$container"
api=$(nephos token create "$container")
nephos account create mary@example.org
web=$(nephos session create "$container" mary@example.org)
export api web
url="$NEPHOS_URL/database/1/$container/development/public/records/modify?ckAPIToken=$api&ckWebAuthToken=$web"
"""


def pages(program: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "wrong.md"
        path.write_text("".join(f"```{language}\n{text}\n```\n\n" for language, text, _ in WRONG))
        page = Page(str(path), program, Swift())
        page.notes.before = BEFORE
        page.examine()
    faults = {int(fault.split(":")[1]): fault for fault in page.faults}
    line = 1
    for language, text, expected in WRONG:
        found = faults.pop(line, "")
        assert (expected in found) if expected else not found, f"{language}: {expected!r} is not in {found!r}"
        line += text.count("\n") + 4
    assert not faults, faults


def marks() -> None:
    for text in ["```\necho\n```\n", "text\n\n    nephos serve\n", "```sh\necho\n"]:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "page.md"
            path.write_text(text)
            try:
                blocks(path, "page.md")
            except PageFault:
                continue
        raise AssertionError(f"a wrong page is accepted: {text!r}")


def patterns() -> None:
    answer = {"records": [{"name": "tom", "at": 7, "deleted": False}, {"name": "tim"}], "token": "AQEA"}
    for shown, is_right in [
        ('{"records":[…],"token":"…"}', True), ('{"records":[{"name":"t…m",…},{"name":"tim"}],…}', True),
        ('{"records":[{"name":"tom","at":…,"deleted":false},…],"token":"AQ…"}', True), ('{"records":[…]}', False),
        ('{"records":[{"name":"tom",…}],"token":"…"}', False), ('{"records":[{"name":"tom","deleted":0,…},…],…}', False),
        ('{"records":[…],"token":"B…"}', False), ('{"records":[…],"token":"…","more":1}', False), ("{…}", True),
    ]:
        assert (difference(pattern(shown), answer) is None) == is_right, shown


def main(program: str) -> None:
    patterns()
    marks()
    pages(program)
    print(f"checker: {sum(1 for *_, expected in WRONG if expected)} wrong blocks are found, and {sum(1 for *_, each in WRONG if not each)} is accepted")


main(str(pathlib.Path(sys.argv[1]).resolve()))
