#!/usr/bin/env python3
"""Publishes records from a CSV file in the public database of a container, and exports them as CSV. It needs only Python and openssl.

    publish.py import Book books.csv
    publish.py export Book copy.csv

NEPHOS_URL, NEPHOS_CONTAINER, NEPHOS_KEY_ID and NEPHOS_KEY_FILE name the server, the container and a server-to-server key;
NEPHOS_ENVIRONMENT is the environment, by default development. The column `recordName` names each record, so that an import can be repeated.
"""

import base64
import csv
import datetime
import hashlib
import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request

SERVER = os.environ.get("NEPHOS_URL", "http://127.0.0.1:8080")
CONTAINER = os.environ.get("NEPHOS_CONTAINER", "")
ENVIRONMENT = os.environ.get("NEPHOS_ENVIRONMENT", "development")


def ask(path: str, body: dict) -> dict:
    """Sends a signed request to the public database, and returns the response."""
    path = f"/database/1/{CONTAINER}/{ENVIRONMENT}/public/{path}"
    data = json.dumps(body).encode()
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    message = f"{date}:{base64.b64encode(hashlib.sha256(data).digest()).decode()}:{path}"
    command = ["openssl", "dgst", "-sha256", "-sign", os.environ["NEPHOS_KEY_FILE"]]
    signature = subprocess.run(command, input=message.encode(), capture_output=True, check=True).stdout
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


def kind_of(texts: list[str]) -> tuple[str, type]:
    """The type of a column, by all of its cells: numbers are INT64 or DOUBLE; numbers with a leading zero, such as codes, are text."""
    number = r"-?(0|[1-9]\d{0,14})"
    if all(re.fullmatch(number, text) for text in texts):
        return "INT64", int
    if all(re.fullmatch(number + r"(\.\d+)?", text) for text in texts):
        return "DOUBLE", float
    return "STRING", str


def import_csv(record_type: str, file: str) -> None:
    # Spreadsheets begin a file with a byte order mark, which this encoding skips.
    with open(file, newline="", encoding="utf-8-sig") as table:
        rows = list(csv.DictReader(table))
    if not rows or not all(row.get("recordName") for row in rows):
        sys.exit(f"{file}: each row needs a value in the column recordName")
    columns = [name for name in rows[0] if name and name != "recordName"]
    kinds = {name: kind_of([row[name] for row in rows if row[name]]) for name in columns}
    records = [
        {"recordType": record_type, "recordName": row["recordName"],
         "fields": {name: {"value": kinds[name][1](row[name]), "type": kinds[name][0]} for name in columns if row[name]}}
        for row in rows
    ]
    # A request has at most 200 operations.
    for first in range(0, len(records), 200):
        batch = records[first:first + 200]
        answer = ask("records/modify", {"operations": [{"operationType": "forceReplace", "record": each} for each in batch]})
        for record in answer["records"]:
            if "serverErrorCode" in record:
                sys.exit(f"{record['recordName']}: {record['serverErrorCode']}: {record['reason']}")
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
            fields = {name: field["value"] for name, field in record["fields"].items()}
            writer.writerow({"recordName": record["recordName"], **fields})
    print(f"{len(records)} records are in {file}")


if __name__ == "__main__":
    actions = {"import": import_csv, "export": export_csv}
    if len(sys.argv) != 4 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    for needed in ("NEPHOS_CONTAINER", "NEPHOS_KEY_ID", "NEPHOS_KEY_FILE"):
        if not os.environ.get(needed):
            sys.exit(f"{needed} is not set.\n{__doc__}")
    try:
        actions[sys.argv[1]](*sys.argv[2:])
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(str(error))
