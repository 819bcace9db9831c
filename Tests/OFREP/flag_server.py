"""A server with a container that has flags of every kind, for clients of OFREP."""

from __future__ import annotations

import json
import shutil
import tempfile
import urllib.parse
from collections.abc import Mapping

import requests
from nephos import PATIENCE, Nephos

CONTAINER = "iCloud.org.nephos.ofrep"
# Paths as in docs/ofrep.yaml.
ALL = "/ofrep/v1/evaluate/flags"
ONE = ALL + "/{key}"
SCHEMA = """
DEFINE SCHEMA
    RECORD TYPE FeatureFlag (
        "___recordID" REFERENCE QUERYABLE,
        state STRING, kind STRING, variants STRING, offVariant STRING, defaultVariant STRING, rules STRING, prerequisites STRING,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
"""
SETTINGS = """
version: 1
flags: {type: FeatureFlag}
audiences: {spanish: {locale: es}}
"""
SPLIT = {"id": "es", "when": {"audience": "spanish"}, "serve": {"split": {"on": 25_000, "off": 75_000}}}


def flag(variants: Mapping[str, object], default: str, off: str = "off", **fields: object) -> dict[str, object]:
    return {"state": "on", "variants": variants, "defaultVariant": default, "offVariant": off, **fields}


def boolean(**fields: object) -> dict[str, object]:
    return flag({"off": False, "on": True}, "on", **fields)


FLAGS: dict[str, dict[str, object]] = {
    "tipJar": boolean(rules=[SPLIT]),
    "retired": boolean(state="off"),
    "needsRetired": boolean(prerequisites=["retired"]),
    "newer": boolean(rules=[{"id": "moon", "when": {"moonPhase": "full"}, "serve": "off"}]),
    "theme": flag(
        {"day": "light", "night": "dark"}, "day", "day", kind="string",
        rules=[{"id": "phones", "when": {"platform": "iOS", "app": ">=2.3 <3"}, "serve": "night"}]),
    "pageRows": flag({"few": 20, "many": 500}, "few", "few", kind="number"),
    "speed": flag({"half": 0.5, "whole": 3.0}, "whole", "half", kind="number"),
    "limits": flag({"all": {"rows": 20, "names": ["a", "b"]}}, "all", "all", kind="json"),
    "nothing": flag({"null": None}, "null", "null", kind="json"),
    "spelled 100% é": boolean(),
}
# Not a valid flag: it was saved before the settings specified which records are flags.
BROKEN = {"state": "perhaps"}


class FlagServer:
    """Ends with its `with` statement, and leaves no files."""

    def __init__(self, program: str) -> None:
        self.data = tempfile.mkdtemp()
        self.nephos = Nephos(program, self.data)
        try:
            self.nephos.run("container", "create", CONTAINER)
            self.nephos.run("schema", "import", CONTAINER, text=SCHEMA)
            self.token = self.nephos.run("token", "create", CONTAINER)
            self.nephos.run("account", "create", "ada@example.org")
            self.person = self.nephos.run("session", "create", CONTAINER, "ada@example.org")
            self.save({"broken": BROKEN})
            self.nephos.run("settings", "import", CONTAINER, text=SETTINGS)
            self.save(FLAGS)
        except BaseException:
            self.stop()
            raise

    @property
    def flags(self) -> str:
        """The base URL of clients."""
        return f"{self.nephos.url}/nephos/1/{CONTAINER}/development/flags"

    def save(self, flags: Mapping[str, Mapping[str, object]]) -> None:
        """Creates or replaces flags, as an app does for the person who is signed in."""
        operations = [
            {
                "operationType": "forceReplace",
                "record": {
                    "recordName": name, "recordType": "FeatureFlag",
                    "fields": {field: {"value": value if isinstance(value, str) else json.dumps(value)} for field, value in fields.items()},
                },
            }
            for name, fields in flags.items()
        ]
        url = f"{self.nephos.url}/database/1/{CONTAINER}/development/public/records/modify"
        who = {"ckAPIToken": self.token, "ckWebAuthToken": self.person}
        answer = requests.post(url, params=who, json={"operations": operations}, timeout=PATIENCE).json()
        faults = [record for record in answer.get("records", [answer]) if "serverErrorCode" in record]
        assert not faults, faults

    def ask(
        self, path: str, body: object = None, *, method: str = "POST", token: str | None = None, person: str | None = None, **headers: str
    ) -> requests.Response:
        """Sends bytes as they are, and everything else as JSON. Uses the container's token if no other is passed."""
        return requests.request(
            method,
            self.flags + path if path.startswith("/ofrep") else path,
            params={"ckWebAuthToken": person} if person else {},
            data=body if isinstance(body, bytes) else json.dumps({} if body is None else body),
            headers={"Authorization": f"Bearer {self.token if token is None else token}"}
            | {name.replace("_", "-"): value for name, value in headers.items()},
            timeout=PATIENCE,
        )

    def stop(self) -> None:
        self.nephos.stop()
        shutil.rmtree(self.data)

    def __enter__(self) -> FlagServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

