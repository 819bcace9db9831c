"""docs/ofrep.yaml is OpenAPI 3.1, its examples comply with it, and so do a server's responses to schemathesis: to requests that it
permits, to requests that it does not, and to requests that follow from a response.

Usage: description_test.py NEPHOS_PROGRAM
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

import jsonschema
import yaml
from description import PAGE, read
from flag_server import ALL, ONE, FlagServer
from openapi_spec_validator import validate

# Rows of docs/requirements.md; scripts/test-ofrep writes whether they passed.
ROWS: list[str] = []
HERE = pathlib.Path(__file__).resolve().parent
FACTS = "#/components/parameters/Facts"
STREAM = "/stream"
# The responses that must have occurred, so that the run proves something.
MET = {(ONE, status) for status in (200, 400, 401, 404)} | {(ALL, status) for status in (200, 304, 400, 401)}


def examples(node: Any) -> Iterator[tuple[Any, Any]]:
    """Each example, with its schema."""
    if isinstance(node, dict):
        if "example" in node:
            yield node.get("schema", node), node["example"]
        for name, part in node.items():
            if name != "example":
                yield from examples(part)
    elif isinstance(node, list):
        for part in node:
            yield from examples(part)


def check_examples(page: dict[str, Any]) -> int:
    found = list(examples(page))
    for schema, example in found:
        jsonschema.validate(example, {"components": page["components"], **schema}, jsonschema.Draft202012Validator)
    return len(found)


def generatable(page: dict[str, Any]) -> dict[str, Any]:
    """The page without what cannot be generated: proved facts, which are signed, and streams, which do not end."""
    for operations in page["paths"].values():
        for operation in operations.values():
            operation["parameters"] = [one for one in operation.get("parameters", []) if one.get("$ref") != FACTS]
    return {**page, "paths": {path: operations for path, operations in page["paths"].items() if path != STREAM}}


def generate(server: FlagServer, folder: str) -> set[tuple[str, int]]:
    """The paths and statuses of responses. Raises an error if schemathesis has found something."""
    (pathlib.Path(folder) / "ofrep.json").write_text(json.dumps(generatable(read())))
    command = [
        pathlib.Path(sys.executable).with_name("schemathesis"), "--no-color", "--config-file", HERE / "generated.toml",
        "run", "ofrep.json", "--url", server.flags, "--report-ndjson-path", "report.ndjson",
    ]
    # In a separate folder: schemathesis writes its own files to the current one.
    done = subprocess.run(command, cwd=folder, env={**os.environ, "API_TOKEN": server.token}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    print(next(line.strip() for line in done.stdout.splitlines() if "passed" in line and "generated" in line))
    met = set()
    for line in (pathlib.Path(folder) / "report.ndjson").read_text().splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        for place, exchange in recorder.get("interactions", {}).items():
            met.add((recorder["cases"][place]["value"]["path"], exchange["response"]["status_code"]))
    return met


def main(program: str) -> None:
    page = yaml.safe_load(PAGE.read_text())
    validate(page)
    count = check_examples(page)
    assert count > 10, count
    with FlagServer(program) as server, tempfile.TemporaryDirectory() as folder:
        met = generate(server, folder)
    assert MET <= met, f"these responses did not occur: {MET - met}"
    print(f"description: docs/ofrep.yaml is OpenAPI, {count} examples comply with it, and so do a server's responses")


if __name__ == "__main__":
    main(*sys.argv[1:])
