"""What docs/audiences.md says of locales and of what apps report, row by row: OpenFeature's own client for Python gets the value for whom a
row says that it is, and no error for what cannot be read.

Usage: accepted_test.py NEPHOS_PROGRAM
"""

import datetime
import pathlib
import re
import sys

from client_test import client
from flag_server import FlagServer, boolean
from openfeature.client import OpenFeatureClient
from openfeature.evaluation_context import EvaluationContext

# Rows of docs/requirements.md; scripts/test-ofrep writes whether they passed.
ROWS: list[str] = []
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "audiences.md"
DAYS = [str(datetime.datetime.now(datetime.timezone.utc).date() + datetime.timedelta(days=days)) for days in (-1, 0, 1, 2)]
# A condition that everybody matches of whom the property is known, for the values of the page.
KNOWN = {
    "locale": {"locale": ["es", "en"]}, "appVersion": {"app": ">=0"}, "osVersion": {"os": ">=0"}, "country": {"country": ["MX", "GB"]},
    "platform": {"platform": ["", "x"]}, "device": {"device": ["", "x"]}, "timeZone": {"day": DAYS},
}


def rows(section: str) -> list[list[list[str]]]:
    """The rows of the only table in a section: for each cell, the values in it."""
    (text,) = re.findall(rf"^## {section}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("| ")]
    return [[values(cell) for cell in cells] for cells in lines[1:]]


def values(cell: str) -> list[str]:
    named = {"an empty text": "", "any other text": "x"}
    return [value for words, value in named.items() if words in cell] + re.findall("`([^`]*)`", cell)


def rule(when: object) -> dict[str, object]:
    return boolean(defaultVariant="off", rules=[{"id": "row", "when": when, "serve": "on"}])


def expect(client: OpenFeatureClient, flag: str, is_for: bool, **reported: object) -> None:
    details = client.get_boolean_details(flag, not is_for, EvaluationContext("d1", reported))
    found = (details.value, details.reason, details.error_code)
    assert found == (is_for, "TARGETING_MATCH" if is_for else "DEFAULT", None), f"{flag} for {reported}: {details}"


def locales(server: FlagServer) -> None:
    table = rows("Locales")
    assert len(table) >= 18, table
    server.save({f"locale{place}": rule({"locale": locale}) for place, (locale, _, _) in enumerate(table)})
    own = client(server, server.token)
    for place, (_, covered, others) in enumerate(table):
        assert covered and others
        for tag in covered:
            expect(own, f"locale{place}", True, locale=tag)
        for tag in others:
            expect(own, f"locale{place}", False, locale=tag)


def contexts(server: FlagServer) -> None:
    server.save({name: rule(when) for name, when in KNOWN.items()})
    own = client(server, server.token)
    found: set[str] = set()
    for names, known, unknown in rows("Contexts"):
        assert known and unknown
        for name in names:
            for value in known:
                expect(own, name, True, **{name: value})
            for value in [*unknown, 2.4, 17, True, ["x"], {"x": "x"}]:
                expect(own, name, False, **{name: value})
                # Everything else of the context counts.
                other = "country" if name != "country" else "platform"
                expect(own, other, True, **{name: value, other: "MX" if other == "country" else "x"})
        found.update(names)
    assert found == KNOWN.keys(), found


def main(program: str) -> None:
    with FlagServer(program) as server:
        locales(server)
        contexts(server)
    print("accepted: locales and what apps report are read as docs/audiences.md has them")


if __name__ == "__main__":
    main(*sys.argv[1:])
