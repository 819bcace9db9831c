#!/usr/bin/env python3
"""Publishes records from a CSV file in the public database of a container, and exports them as CSV. It needs only Python and openssl.

    publish.py import Book books.csv
    publish.py import Book books.csv --replace
    publish.py export Book copy.csv

NEPHOS_URL, NEPHOS_CONTAINER, NEPHOS_KEY_ID and NEPHOS_KEY_FILE name the server, the container and a server-to-server key;
NEPHOS_ENVIRONMENT is the environment, by default development. The column `recordName` names each record, so that an import can be
repeated. An import keeps fields that have no column in the file; with --replace it removes them.
"""

import base64
import csv
import datetime
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.error
import urllib.request

SERVER = os.environ.get("NEPHOS_URL", "http://127.0.0.1:8080")
CONTAINER = os.environ.get("NEPHOS_CONTAINER", "")
ENVIRONMENT = os.environ.get("NEPHOS_ENVIRONMENT", "development")
# How a text begins that a spreadsheet would run, or that has an apostrophe before such a beginning.
FORMULA = r"'* *[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]"
# Types whose values are texts that can begin like that: Base64 can begin with a plus.
TEXTS = ("STRING", "BYTES")


def ask(path: str, body: dict) -> dict:
    """Sends a signed request to the public database, and returns the response."""
    path = f"/database/1/{CONTAINER}/{ENVIRONMENT}/public/{path}"
    data = json.dumps(body).encode()
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    message = f"{date}:{base64.b64encode(hashlib.sha256(data).digest()).decode()}:{path}"
    command = ["openssl", "dgst", "-sha256", "-sign", os.environ["NEPHOS_KEY_FILE"]]
    signature = subprocess.run(command, input=message.encode(), stdout=subprocess.PIPE, check=True).stdout
    headers = {
        "X-Apple-CloudKit-Request-KeyID": os.environ["NEPHOS_KEY_ID"],
        "X-Apple-CloudKit-Request-ISO8601Date": date,
        "X-Apple-CloudKit-Request-SignatureV1": base64.b64encode(signature).decode(),
    }
    try:
        with urllib.request.urlopen(urllib.request.Request(SERVER + path, data, headers)) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        sys.exit(f"{path}: {error.code} {error.read().decode()}")
    except urllib.error.URLError as error:
        sys.exit(f"{SERVER} does not respond: {error.reason}")


def save(records: list[dict], operation: str = "forceUpdate") -> None:
    """Saves at most 200 records, by a name that each has. It ends the script if one of them is refused."""
    answer = ask("records/modify", {"operations": [{"operationType": operation, "record": record} for record in records]})
    for record in answer["records"]:
        if "serverErrorCode" in record:
            sys.exit(f"{record['recordName']}: {record['serverErrorCode']}: {record['reason']}")


def kind_of(texts: list[str]) -> type:
    """What a column contains, by all of its cells: numbers, or text. Numbers with a leading zero, such as codes, are text."""
    number = r"-?(0|[1-9]\d{0,14})"
    if all(re.fullmatch(number, text) for text in texts):
        return int
    return float if all(re.fullmatch(number + r"(\.\d+)?", text) for text in texts) else str


def guarded(text: str) -> str:
    """A text as a cell: after an apostrophe if a spreadsheet would run it, or if it has such an apostrophe already."""
    return f"'{text}" if re.match(FORMULA, text) else text


def unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and re.match(FORMULA, cell) else cell


def rows_of(file: str) -> list[dict[str, str]]:
    try:
        # Spreadsheets begin a file with a byte order mark, which this encoding skips.
        table = csv.DictReader(io.StringIO(pathlib.Path(file).read_bytes().decode("utf-8-sig"), newline=""))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        sys.exit(f"{file}: Line {line} is not UTF-8. Save the file as CSV UTF-8.")
    rows = []
    for row in table:
        if None in row or None in row.values():
            sys.exit(f"{file}: Line {table.line_num} has more or fewer cells than the header. Quote a cell that contains a comma.")
        if not row.get("recordName"):
            sys.exit(f"{file}: Line {table.line_num} has no cell in the column recordName. Columns are separated by commas.")
        rows.append(row)
    return rows or sys.exit(f"{file}: There are no rows.")


def import_csv(record_type: str, file: str, operation: str) -> None:
    rows = rows_of(file)
    columns = [column for column in rows[0] if column and column != "recordName"]
    kinds = {column: kind_of([row[column] for row in rows if row[column]]) for column in columns}
    records = []
    for row in rows:
        fields = {}
        for column in columns:
            # A column may name its type. Without one, the server takes that of the schema.
            name, _, field_type = column.partition(":")
            if not row[column]:
                fields[name] = {"value": None}
            elif field_type:
                fields[name] = {"value": unguarded(row[column]) if field_type in TEXTS else row[column], "type": field_type}
            else:
                kind = kinds[column]
                fields[name] = {"value": unguarded(row[column]) if kind is str else kind(row[column])}
        records.append({"recordType": record_type, "recordName": unguarded(row["recordName"]), "fields": fields})
    for first in range(0, len(records), 200):
        batch = records[first:first + 200]
        save(batch, operation)
        print(f"{first + len(batch)} of {len(records)} records are published")


def export_csv(record_type: str, file: str) -> None:
    query, records, marker = {"recordType": record_type}, [], None
    while True:
        page = ask("records/query", {"query": query, "resultsLimit": 200, **({"continuationMarker": marker} if marker else {})})
        records += page["records"]
        if not (marker := page.get("continuationMarker")):
            break
    names = sorted({name for record in records for name in record["fields"]})
    with open(file, "w", newline="", encoding="utf-8") as rows:
        writer = csv.DictWriter(rows, ["recordName", *names])
        writer.writeheader()
        for record in records:
            fields = {
                name: guarded(field["value"]) if field["type"] in TEXTS else field["value"]
                for name, field in record["fields"].items()
            }
            writer.writerow({"recordName": guarded(record["recordName"]), **fields})
    print(f"{len(records)} records are in {file}")


if __name__ == "__main__":
    for needed in ("NEPHOS_CONTAINER", "NEPHOS_KEY_ID", "NEPHOS_KEY_FILE"):
        if not os.environ.get(needed):
            sys.exit(f"{needed} is not set.\n{__doc__}")
    try:
        match sys.argv[1:]:
            case ["import", record_type, file]:
                import_csv(record_type, file, "forceUpdate")
            case ["import", record_type, file, "--replace"]:
                import_csv(record_type, file, "forceReplace")
            case ["export", record_type, file]:
                export_csv(record_type, file)
            case _:
                sys.exit(__doc__)
    except (OSError, csv.Error, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
