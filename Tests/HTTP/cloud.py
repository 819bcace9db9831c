"""A server with a container, whose clients have nothing but Python's standard library."""

from __future__ import annotations

import json
import pathlib
import shutil
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping

from nephos import Nephos

CONTAINER = "iCloud.org.nephos.http"
PATIENCE = 120


class Cloud:
    """Ends with its `with` statement, and leaves no files."""

    def __init__(self, program: str) -> None:
        self.data = tempfile.mkdtemp()
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.folder.chmod(0o755)
        self.nephos = Nephos(program, self.data)
        try:
            self.nephos.run("container", "create", CONTAINER)
            self.token = self.nephos.run("token", "create", CONTAINER)
            self.nephos.run("account", "create", "ada@example.org")
            self.person = self.nephos.run("session", "create", CONTAINER, "ada@example.org")
        except BaseException:
            self.stop()
            raise

    @property
    def base(self) -> str:
        return f"{self.nephos.url}/nephos/1/{CONTAINER}/development"

    def send(self, url: str, body: dict | None = None, headers: Mapping[str, str] | None = None) -> tuple[int, dict]:
        """Sends a request of an app: a POST if there is a body. Returns the status and the JSON of the response."""
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json", **(headers or {})}
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data, sent), timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            text = error.read()
            return error.code, json.loads(text) if text else {}

    def get(self, path: str, query: Mapping[str, str] | None = None, headers: Mapping[str, str] | None = None) -> tuple[int, dict]:
        return self.send(f"{self.base}/{path}?{urllib.parse.urlencode(query or {})}", None, headers)

    def flags(self, context: Mapping[str, object], headers: Mapping[str, str] | None = None) -> dict[str, object]:
        """What the flags are for a context."""
        status, said = self.send(f"{self.base}/flags/ofrep/v1/evaluate/flags", {"context": dict(context)}, headers)
        assert status == 200, f"{context}: {status} {said}"
        return {flag["key"]: flag.get("value", flag.get("errorCode")) for flag in said["flags"]}

    def save(self, record_type: str, records: Mapping[str, Mapping[str, object]]) -> list[dict]:
        """Saves records as Ada; returns the results. A value that is no text, number or list stands for its JSON."""

        def field(value: object) -> dict:
            return {"value": json.dumps(value) if isinstance(value, (dict, bool)) else value}

        results: list[dict] = []
        names = list(records)
        for start in range(0, len(names), 200):
            operations = [
                {
                    "operationType": "forceReplace",
                    "record": {
                        "recordName": name, "recordType": record_type,
                        "fields": {key: field(value) for key, value in records[name].items()},
                    },
                }
                for name in names[start:start + 200]
            ]
            query = urllib.parse.urlencode({"ckAPIToken": self.token, "ckWebAuthToken": self.person})
            url = f"{self.nephos.url}/database/1/{CONTAINER}/development/public/records/modify?{query}"
            status, said = self.send(url, {"operations": operations}, {"Authorization": ""})
            assert status == 200, said
            results += said["records"]
        return results

    def saved(self, record_type: str, records: Mapping[str, Mapping[str, object]]) -> None:
        """The same, where none may be refused."""
        faults = [result for result in self.save(record_type, records) if "serverErrorCode" in result]
        assert not faults, faults

    def file(self, name: str, text: str) -> str:
        """The path of a file that a command can read."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o644)
        return str(path)

    def stop(self) -> None:
        self.nephos.stop()
        shutil.rmtree(self.data)
        shutil.rmtree(self.folder)

    def __enter__(self) -> Cloud:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
