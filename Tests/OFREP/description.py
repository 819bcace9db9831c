"""docs/ofrep.yaml as this server must comply with it: without keys that it does not name."""

import pathlib
from typing import Any

import schemathesis
import yaml
from requests import Response
from schemathesis.specs.openapi import checks

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "ofrep.yaml"
CHECKS = [
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]


def read() -> dict[str, Any]:
    page = yaml.safe_load(PAGE.read_text())
    for schema in page["components"]["schemas"].values():
        if "properties" in schema:
            # Clients ignore other keys; this version sends none.
            schema.setdefault("additionalProperties", False)
    return page


class Description:
    def __init__(self) -> None:
        self.schema = schemathesis.openapi.from_dict(read())

    def check(self, path: str, answer: Response) -> None:
        """Raises an error if the page does not describe such a response to a POST."""
        operation = self.schema[path]["POST"]
        values = {"key": "any"} if "{key}" in path else {}
        operation.Case(path_parameters=values).validate_response(answer, checks=CHECKS)
