"""Tests what responses contain besides evaluations: entity tags, limits, credentials and paths, each as in docs/ofrep.yaml.

Usage: answers_test.py NEPHOS_PROGRAM
"""

import json
import sys
import urllib.parse

import requests
from description import Description
from flag_server import ALL, CONTAINER, FLAGS, ONE, FlagServer, boolean
from nephos import PATIENCE
from requests import Response

# Rows of docs/requirements.md; scripts/test-ofrep writes whether they passed.
ROWS: list[str] = []
TIP_JAR = ONE.format(key="tipJar")
SPANISH = {"context": {"targetingKey": "d1", "locale": "es-MX"}}
ODD = {"locale": "C", "appVersion": "1..2", "osVersion": 17, "country": "Mexico", "device": [], "platform": "", "timeZone": "Mars/Base"}


class Answers:
    """Sends requests to a server, and compares each response with the description."""

    def __init__(self, server: FlagServer) -> None:
        self.server = server
        self.description = Description()

    def take(self, path: str, answer: Response, status: int, code: str | None, ours: str | None) -> dict:
        self.description.check(path, answer)
        said = answer.json() if answer.content else {}
        found = (answer.status_code, said.get("errorCode"), said.get("serverErrorCode"))
        assert found == (status, code, ours), f"{answer.request.url}: {found} where {(status, code, ours)} was expected: {answer.text}"
        assert "uuid" not in said or said["uuid"] == answer.headers["X-Apple-Request-UUID"]
        return said

    def one(self, key: str, body: object, status: int = 200, code: str | None = None, ours: str | None = None, **how: str) -> dict:
        """The key is encoded as in a path."""
        return self.take(ONE, self.server.ask(ONE.format(key=key), body, **how), status, code, ours)

    def all(self, body: object, status: int = 200, code: str | None = None, ours: str | None = None, **how: str) -> Response:
        answer = self.server.ask(ALL, body, **how)
        self.take(ALL, answer, status, code, ours)
        return answer


def tags(answers: Answers) -> None:
    """A tag is valid as long as the response would be the same: with another flag, context or person, there is another tag."""
    first = answers.all(SPANISH)
    tag = first.headers["ETag"]
    assert [flag["key"] for flag in first.json()["flags"]] == sorted([*FLAGS, "broken"])
    for still in [tag, tag.removeprefix("W/"), f'"other", {tag}', "*"]:
        same = answers.all(SPANISH, 304, If_None_Match=still)
        assert same.headers["ETag"] == tag and not same.content
    for other in ['W/"0"', "nonsense", '""']:
        assert answers.all(SPANISH, If_None_Match=other).headers["ETag"] == tag
    assert answers.all({"context": {"locale": "en"}}, If_None_Match=tag).headers["ETag"] != tag
    assert answers.all(SPANISH, person=answers.server.person, If_None_Match=tag).headers["ETag"] != tag
    answers.server.save({"tipJar": boolean(state="off")})
    changed = answers.all(SPANISH, If_None_Match=tag)
    assert changed.headers["ETag"] != tag
    answers.all(SPANISH, 304, If_None_Match=changed.headers["ETag"])
    answers.server.save({"tipJar": FLAGS["tipJar"]})
    answers.all(SPANISH, 304, If_None_Match=tag)


def stream(answers: Answers) -> None:
    """A client of the stream that a response names is notified of a change, with the tag that responses have from then on."""
    first = answers.all(SPANISH)
    [source] = first.json()["eventStreams"]
    assert source["type"] == "sse"
    with requests.get(source["url"], stream=True, timeout=PATIENCE) as events:
        assert events.status_code == 200 and events.headers["Content-Type"] == "text/event-stream; charset=utf-8"
        lines = events.iter_lines(decode_unicode=True)
        assert next(lines).startswith("retry: ")
        answers.server.save({"tipJar": boolean(state="off")})
        told = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))
    assert told["type"] == "refetchEvaluation" and told["etag"] != first.headers["ETag"]
    answers.all(SPANISH, 304, If_None_Match=told["etag"])
    answers.server.save({"tipJar": FLAGS["tipJar"]})


def values(answers: Answers) -> None:
    """The values that are served, with the reason and its details."""
    for key, context, expected in [
        ("tipJar", SPANISH["context"], (False, "off", "SPLIT", {"rule": "es", "bucket": 83_663})),
        ("tipJar", None, (True, "on", "DEFAULT", {})),
        ("theme", {"platform": "ios", "appVersion": "2.4"}, ("dark", "night", "TARGETING_MATCH", {"rule": "phones"})),
        # docs/audiences.md, "Contexts": what cannot be read is not known, and costs nothing else.
        ("theme", ODD | {"platform": "ios", "appVersion": "v2.4"}, ("dark", "night", "TARGETING_MATCH", {"rule": "phones"})),
        ("theme", ODD | {"platform": "ios"}, ("light", "day", "DEFAULT", {})),
        ("needsRetired", {}, (False, "off", "DISABLED", {"prerequisite": "retired"})),
        ("nothing", {}, (None, "null", "STATIC", {})),
        ("spelled%20100%25%20%C3%A9", {}, (True, "on", "STATIC", {})),
    ]:
        said = answers.one(key, {"context": context})
        assert (said["value"], said["variant"], said["reason"], said["metadata"]) == expected, said
    assert answers.one("newer", {})["metadata"]["passedOver"] == "moon"
    assert '"value":3.0,' in answers.server.ask(ONE.format(key="speed")).text
    # All flags together have the same values as each flag alone.
    alone = [answers.server.ask(ONE.format(key=flag["key"]), SPANISH).json() for flag in answers.all(SPANISH).json()["flags"]]
    for flag, said in zip(answers.all(SPANISH).json()["flags"], alone, strict=True):
        assert flag == {name: said[name] for name in flag}, (flag, said)


def failures(answers: Answers) -> None:
    answers.one("tipJar", {"context": {"locale": "es"}}, 400, "TARGETING_KEY_MISSING", "BAD_REQUEST")
    answers.one("broken", {}, 400, "PARSE_ERROR", "BAD_REQUEST")
    answers.one("gone", {}, 404, "FLAG_NOT_FOUND", "NOT_FOUND")
    answers.one("%FF", {}, 400, "GENERAL", "BAD_REQUEST")
    answers.one("a/b", {}, 404, "GENERAL", "NOT_FOUND")


def keys(answers: Answers) -> None:
    """A key is one segment, whatever it contains."""
    for key in ["team/checkout", "/", "a//b", "a?b#c&d=e+f", '"<>\\^`{|}', "🍕"]:
        encoded = urllib.parse.quote(key, safe="")
        answers.one(encoded, {}, 404, "FLAG_NOT_FOUND", "NOT_FOUND")
        answers.server.save({key: boolean()})
        assert answers.one(encoded, {})["key"] == key


def bodies(answers: Answers) -> None:
    """A body that can be valid is read completely; any other body is not a valid context."""

    def long(size: int) -> bytes:
        return json.dumps({"context": {"note": ""}}).encode().replace(b'""', b'"' + b"x" * (size - 25) + b'"')

    good = [b"", b" {} ", b'{"context":null}', b'{"more":[1]}', b'{"context":{"a":[{}],"targetingKey":null}}', long(65_536)]
    for body in [*good, {"context": ODD}, *({"context": {key: value}} for key, value in ODD.items())]:
        answers.one("tipJar", body)
        answers.all(body)
    answers.one("tipJar", {"context": {f"k{place}": 1 for place in range(256)}})
    bad = [
        b"[", b"[]", b"null", b'"x"', b"1", b"{}{}", b'{"context":[]}', b'{"context":{},"context":{}}', b'{"context":{"a":1,"a":2}}',
        b'{"context":{"a":"\xff"}}', b'{"context":{"a":"\\ud800"}}', b'{"context":{"a":1e999}}', long(65_537), long(300_000),
        b'{"context":{"a":' + b"[" * 33 + b"]" * 33 + b"}}",
        *(
            {"context": context}
            for context in [
                {"targetingKey": ""}, {"targetingKey": 5}, {"targetingKey": "x" * 1_025}, {"targetingKey": "é" * 513},
                {f"k{place}": 1 for place in range(257)},
            ]
        ),
    ]
    for body in bad:
        answers.one("tipJar", body, 400, "INVALID_CONTEXT", "BAD_REQUEST")
        answers.all(body, 400, "INVALID_CONTEXT", "BAD_REQUEST")
    answers.one("tipJar", long((16 << 20) + 1), 413, None, "BAD_REQUEST")
    answers.all({}, Content_Type="text/plain", Accept="text/html")


def callers(answers: Answers) -> None:
    """A caller without credentials for this container learns nothing else."""
    server = answers.server
    for how in [{"token": "0" * 64}, {"Authorization": f"Basic {server.token}"}, {"Authorization": ""}]:
        answers.one("tipJar", {}, 401, "GENERAL", "AUTHENTICATION_FAILED", **how)
        answers.one("gone", [], 401, "GENERAL", "AUTHENTICATION_FAILED", **how)
        answers.all({}, 401, "GENERAL", "AUTHENTICATION_FAILED", If_None_Match="*", **how)
    for container, environment in [("iCloud.org.nephos.nowhere", "development"), (CONTAINER, "production")]:
        url = server.flags.replace(f"{CONTAINER}/development", f"{container}/{environment}") + ALL
        answers.take(ALL, server.ask(url), 401, "GENERAL", "AUTHENTICATION_FAILED")
    url = server.flags.replace("development", "staging") + ALL
    answers.take(ALL, server.ask(url), 400, "GENERAL", "BAD_REQUEST")
    # OFREP's own header, which is also used if another scheme is in the usual one.
    for how in [{"Authorization": ""}, {"Authorization": "Basic x"}]:
        answers.one("tipJar", {}, X_API_Key=server.token, **how)
        answers.all({}, X_API_Key=server.token, **how)
    answers.one("tipJar", {}, 401, "GENERAL", "AUTHENTICATION_FAILED", Authorization="", X_API_Key="0" * 64)
    # A token in the query takes precedence over the header.
    url = f"{server.flags}{TIP_JAR}?ckAPIToken="
    answers.take(ONE, server.ask(url + server.token, Authorization=""), 200, None, None)
    answers.take(ONE, server.ask(url + "0", {}), 401, "GENERAL", "AUTHENTICATION_FAILED")
    said = answers.one("tipJar", {}, 421, "GENERAL", "AUTHENTICATION_REQUIRED", person="nobody")
    assert said["redirectURL"].startswith(f"{server.nephos.url.replace('127.0.0.1', 'localhost')}/sign-in?")
    # A signed-in person stays the same, whatever the context contains.
    buckets = {answers.one("tipJar", {"context": {"locale": "es", "targetingKey": key}}, person=server.person)["metadata"]["bucket"] for key in "ab"}
    assert len(buckets) == 1
    assert "X-Apple-CloudKit-Web-Auth-Token" in answers.all({}, person=server.person).headers


def methods(answers: Answers) -> None:
    for path in [ALL, TIP_JAR]:
        for method in ["GET", "PUT", "DELETE", "PATCH"]:
            answer = answers.server.ask(path, b"", method=method)
            assert (answer.status_code, answer.headers["Allow"]) == (405, "POST, OPTIONS"), answer.headers
            assert answer.json()["serverErrorCode"] == "BAD_REQUEST" and answer.json()["errorCode"] == "GENERAL"
        assert answers.server.ask(path, b"", method="HEAD").status_code == 405
        answer = answers.server.ask(path, b"", method="OPTIONS", Authorization="", Origin="https://example.org")
        assert answer.status_code == 200
        assert {"Authorization", "X-API-Key"} <= set(answer.headers["Access-Control-Allow-Headers"].split(", "))


def main(program: str) -> None:
    with FlagServer(program) as server:
        answers = Answers(server)
        for test in [values, tags, stream, failures, bodies, callers, methods, keys]:
            test(answers)
    print("answers: entity tags, bodies, limits, credentials, paths and methods are as docs/ofrep.yaml has them")


if __name__ == "__main__":
    main(*sys.argv[1:])
