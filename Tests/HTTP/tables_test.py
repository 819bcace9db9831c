"""Runs each row of the tables in docs/ of what is accepted, against a server: what the table states is what a client meets.

A table is run if one of its columns is named in COLUMNS; without a test for it in TABLES, this fails. To add one, write a function that
takes a cloud and a table, and say with @table which page and columns it is for.

Usage: tables_test.py NEPHOS_PROGRAM
"""

from __future__ import annotations

import datetime
import json
import re
import subprocess
import sys
import time
import urllib.request
import zoneinfo
from collections.abc import Callable, Mapping

from cloud import CONTAINER, PATIENCE, Cloud
from tables import Table, tables, tables_of, values

ROWS: list[str] = []
# Columns of tables of what is accepted, or not.
COLUMNS = {"covers", "is read", "is not known", "is accepted", "is refused", "form", "additional keys"}
TABLES: dict[tuple[str, tuple[str, ...]], Callable[[Cloud, Table], int]] = {}
SWITCH = {"state": "on", "variants": {"off": False, "on": True}, "offVariant": "off", "defaultVariant": "off"}
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def table(page: str, *header: str) -> Callable:
    """Registers the test of a table. It returns how many values it has tried."""

    def register(test: Callable[[Cloud, Table], int]) -> Callable[[Cloud, Table], int]:
        TABLES[page, header] = test
        return test

    return register


def flag(when: dict) -> dict:
    return {**SWITCH, "rules": json.dumps([{"when": when, "serve": "on"}])}


def refusal(cloud: Cloud, name: str, fields: dict) -> str:
    """Why a flag is not saved; an empty text if it is."""
    return cloud.save("FeatureFlag", {name: fields})[0].get("reason", "")


def command(cloud: Cloud, *arguments: str) -> str:
    """Why a command fails; an empty text if it does not."""
    try:
        cloud.nephos.run(*arguments)
    except subprocess.CalledProcessError as error:
        return error.stderr or "it fails"
    return ""


# docs/audiences.md


@table("audiences.md", "locale", "covers", "does not cover")
def locales(cloud: Cloud, of: Table) -> int:
    """A flag for each row, for clients of each locale that the row names, in a context and in a query for messages."""
    rows = [(values(row[0])[0], values(row[1]), values(row[2])) for row in of.rows]
    cloud.saved("FeatureFlag", {f"locale {locale}": flag({"locale": locale}) for locale, _, _ in rows})
    clients = sorted({client for _, covered, others in rows for client in covered + others})
    served = {client: cloud.flags({"locale": client}) for client in clients}
    for locale, covered, others in rows:
        for client in covered + others:
            found = served[client][f"locale {locale}"]
            assert found is (client in covered), f"{of.place}: {locale} {'covers' if found else 'does not cover'} {client}"
    return sum(len(covered + others) for _, covered, others in rows)


def moment(text: str) -> int:
    """The time that a text means, in milliseconds since 1970."""
    if re.fullmatch(r"[0-9-]{10}", text):
        text += "T00:00:00Z"
    if zone := re.fullmatch(r"([0-9-]{10}) ([0-9:]{5}) (\S+)", text):
        at = datetime.datetime.fromisoformat(f"{zone[1]}T{zone[2]}").replace(tzinfo=zoneinfo.ZoneInfo(zone[3]))
    else:
        at = datetime.datetime.fromisoformat(re.sub(r"([+-]\d\d)$", r"\1:00", text.upper().replace("Z", "+00:00")))
    return (at - EPOCH) // datetime.timedelta(milliseconds=1)


@table("audiences.md", "form", "example")
def times(cloud: Cloud, of: Table) -> int:
    """Each example is read as the same time in a condition, a schedule, a table of records and a file of a message, as far as its row
    does not leave them out: "only in …", "but not in …"."""
    cloud.saved("Event", {"event0": {"title": "a"}})
    schema = cloud.nephos.run("schema", "export", CONTAINER)
    cloud.nephos.run(
        "schema", "import", CONTAINER, cloud.file("schema.ckdb", re.sub(r"(RECORD TYPE Event \(\n)", r"\1        at TIMESTAMP,\n", schema)))
    tried = 0
    for form, cell in of.rows:
        examples = values(cell)
        # What begins with a sign stands for another end of the first example.
        examples = [examples[0][:-6] + example if example[0] in "+-" else example for example in examples]
        doors = {"conditions", "schedules", "tables", "files of messages"}
        if only := re.search(r"only in (.*)", form):
            doors = {door for door in doors if door in only[1]}
        elif without := re.search(r"but not in (.*)", form):
            doors -= {door for door in doors if door in without[1]}
        for example in examples:
            tried += 1
            found = {
                "conditions": in_condition(cloud, example), "schedules": in_schedule(cloud, example),
                "tables": in_table(cloud, example, tried), "files of messages": in_message(cloud, example, tried),
            }
            for door, reason in found.items():
                assert (reason == "") == (door in doors), f"{of.place}: {example} in {door}: {reason or 'is accepted'}"
    return tried


def in_condition(cloud: Cloud, text: str) -> str:
    reason = refusal(cloud, "time", flag({"from": text}))
    if reason:
        return reason

    def before(milliseconds: int) -> str:
        """Why the time is not before another one."""
        until = EPOCH + datetime.timedelta(milliseconds=milliseconds)
        return refusal(cloud, "time", flag({"from": text, "until": until.isoformat(timespec="milliseconds").replace("+00:00", "Z")}))

    assert before(moment(text) + 1) == "" and "until must be after from" in before(moment(text)), f"{text} is another time in a condition"
    return ""


def in_schedule(cloud: Cloud, text: str) -> str:
    return refusal(cloud, "time", {**SWITCH, "schedule": json.dumps([{"at": text, "state": "on"}])})


def in_table(cloud: Cloud, text: str, number: int) -> str:
    reason = command(cloud, "records", "import", CONTAINER, "Event", cloud.file("events.csv", f"recordName,at\nevent{number},{text}\n"))
    if reason:
        return reason
    said = cloud.nephos.run("records", "get", CONTAINER, "--record-name", f"event{number}")
    assert re.search(rf'"value" ?: ?{moment(text)}\b', said), f"{text} is another time in a table: {said}"
    return ""


def in_message(cloud: Cloud, text: str, number: int) -> str:
    message = {
        "id": f"time{number}", "kind": "information", "title": {"en": "A"}, "body": {"en": "B"}, "buttons": {"okay": {"en": "C"}},
        "from": text, "audience": json.dumps({"claim": f"time{number}"}),
    }
    reason = command(cloud, "message", "new", CONTAINER, cloud.file("message.yaml", json.dumps(message)))
    if reason:
        return reason
    said = cloud.nephos.run("records", "get", CONTAINER, "--record-name", f"time{number}")
    assert re.search(rf'"value" ?: ?{moment(text)}\b', said), f"{text} is another time in a message: {said}"
    return ""


# For each property of the table, what it is called in a query, and a condition that every client fulfills whose value is known.
PROPERTIES: dict[str, tuple[str, dict]] = {
    "locale": ("locale", {"locale": ["es", "en"]}),
    "appVersion": ("version", {"app": ">=0"}),
    "osVersion": ("osVersion", {"os": ">=0"}),
    "country": ("country", {"country": ["MX", "GB"]}),
    "platform": ("platform", {"platform": ["iOS", "C64"]}),
    "device": ("deviceType", {"device": ["iPhone", "1541"]}),
    "timeZone": ("timeZone", {"day": [str(datetime.date.today() + datetime.timedelta(days=days)) for days in range(-2, 4)]}),
}
# For a cell that has words instead of values.
ANY_TEXT = {"platform": ["IOS", "c64"], "device": ["iphone", "1541"]}


@table("audiences.md", "property", "is read", "is not known")
def properties(cloud: Cloud, of: Table) -> int:
    """Each value, in a context, in a query and in the header, is read or not known, and no request fails because of it. A property that is
    not known fulfills the negation of each condition, and all others count."""
    cloud.saved("FeatureFlag", {f"property {name}": flag(when) for name, (_, when) in PROPERTIES.items()})
    cloud.saved("FeatureFlag", {"property beside": flag({"claim": "beta"})})
    content(cloud)
    tried = 0
    for properties, known, unknown in of.rows:
        for name in values(properties):
            word, _ = PROPERTIES[name]
            for is_known, cell in (True, known), (False, unknown):
                for value in values(cell) or ANY_TEXT[name]:
                    tried += 1
                    served = cloud.flags({name: value, "beta": True})
                    found = served[f"property {name}"]
                    assert found is is_known, f"{of.place}: {name} {value!r} is {'read' if found else 'not known'}"
                    assert served["property beside"] is True, f"{of.place}: {name} {value!r} spoils a claim"
                    status, said = cloud.get("content/Chibi/list", {word: value, "count": "50"})
                    shown = {record["recordName"] for record in said.get("records", [])}
                    assert status == 200, f"{of.place}: {name} {value!r} in a query: {status} {said}"
                    assert (name in shown) is is_known and "all" in shown, f"{of.place}: {name} {value!r} in a query: {shown}"
                    header = {"locale": f"2.4;iOS;17.4;{value};d", "appVersion": f"{value};iOS;17.4;es;d"}.get(name, "2.4;iOS;17.4;es;d")
                    cloud.flags({}, {"X-Nephos-App": header})
    for odd in 1, True, ["es"], {"a": "b"}:
        for name in PROPERTIES:
            tried += 1
            served = cloud.flags({name: odd, "beta": True})
            assert served[f"property {name}"] is False and served["property beside"] is True, f"{of.place}: {name} {odd}: {served}"
    return tried


def content(cloud: Cloud) -> None:
    """An item for each property, and one for everybody."""
    def chibi(audience: str = "") -> dict:
        fields = {"publishedAt": {"value": 1_700_000_000_000, "type": "TIMESTAMP"}, "audience": {"value": audience or None}}
        return {"recordType": "Chibi", "fields": fields}

    cloud.saved("Chibi", {"all": {"audience": ""}})
    items = {name: chibi(json.dumps(when)) for name, (_, when) in PROPERTIES.items()} | {"all": chibi()}
    operations = [{"operationType": "forceReplace", "record": {"recordName": name, **item}} for name, item in items.items()]
    said = cloud.nephos.ask(
        f"{CONTAINER}/development/public/records/modify", {"operations": operations}, ckAPIToken=cloud.token, ckWebAuthToken=cloud.person)
    assert "serverErrorCode" not in json.dumps(said), said
    settings = cloud.nephos.run("settings", "export", CONTAINER)
    cloud.nephos.run(
        "settings", "import", CONTAINER,
        cloud.file("settings.yaml", f"{settings}\ncontent:\n  Chibi: {{publishedAt: publishedAt, audience: audience}}\n"), "--yes")
    until = time.monotonic() + PATIENCE
    # Until the server has sorted them.
    while (answer := cloud.get("content/Chibi/list"))[0] != 200 or not answer[1]["records"]:
        assert time.monotonic() < until, answer
        time.sleep(0.1)


# docs/messages.md


@table("messages.md", "kind", "additional keys", "buttons")
def kinds(cloud: Cloud, of: Table) -> int:
    """A message of each kind needs its keys, except those that are optional, and has the buttons of its row and no others."""
    samples = {
        "url": "https://example.org/new", "requires": "2.5", "to": "ada@example.org", "subject": {"en": "S"}, "product": "pro",
    }
    keys = {values(row[0])[0]: [key for key in values(row[1]) if key in samples] for row in of.rows}
    for number, row in enumerate(of.rows):
        kind = values(row[0])[0]
        roles = {value for value in values(row[2]) if value in ("okay", "action", "cancel")}
        message = {
            "id": f"kind{number}", "kind": kind, "title": {"en": "A"}, "body": {"en": "B"}, "buttons": {role: {"en": role} for role in roles},
            **{key: samples[key] for key in keys[kind]},
        }

        def new(message: dict) -> str:
            return command(cloud, "message", "new", CONTAINER, cloud.file("message.yaml", json.dumps(message)))

        assert (reason := new(message)) == "", f"{of.place}: {kind}: {reason}"
        if wrong := {"okay", "action", "cancel"} - roles:
            role = sorted(wrong)[0]
            bad = {**message, "id": f"wrong{number}", "buttons": {**message["buttons"], role: {"en": role}}}
            assert f"a message of kind {kind} has the buttons" in new(bad), f"{of.place}: {kind} takes the button {role}"
        settings = re.sub(r"kinds: \[[^\]]*\]", f"kinds: [{', '.join(keys)}]", cloud.nephos.run("settings", "export", CONTAINER))
        cloud.nephos.run("settings", "import", CONTAINER, cloud.file("settings.yaml", settings), "--yes")
        cloud.nephos.run("message", "publish", CONTAINER, message["id"])
        shown: set[str] = set()
        for state in {"version": "2.4"}, {"version": "2.5", "state": "subscribed"}:
            status, said = cloud.get("messages/current", state)
            assert status == 200 and said["message"]["kind"] == kind, said
            shown |= {button["role"] for button in said["message"]["buttons"]}
        assert shown == roles, f"{of.place}: {kind} has the buttons {shown}"
        cloud.nephos.run("message", "withdraw", CONTAINER, message["id"])
        for key in set(keys[kind]) & set(values(row[1].partition("optionally")[0])):
            without = {name: value for name, value in message.items() if name != key} | {"id": f"without{key}"}
            reason = new(without) or command(cloud, "message", "publish", CONTAINER, without["id"])
            assert reason, f"{of.place}: {kind} is published without {key}"
    return len(of.rows)


# docs/flags.md


def evaluate(cloud: Cloud, key: str, headers: Mapping[str, str]) -> tuple[int, dict]:
    return cloud.send(f"{cloud.base}/flags/ofrep/v1/evaluate/flags/{key}", {}, headers)


@table("flags.md", "API token", "form")
def credentials(cloud: Cloud, of: Table) -> int:
    """Each form is accepted; with a wrong token it is refused, in OFREP's words."""
    cloud.saved("FeatureFlag", {"credentials": SWITCH})
    for _, cell in of.rows:
        for token, status in (cloud.token, 200), ("0" * 64, 401):
            form = values(cell)[0].replace("TOKEN", token)
            name, _, value = form.partition(": ")
            headers = {"Authorization": ""} | ({name: value} if value else {})
            found, said = evaluate(cloud, "credentials" + ("" if value else form), headers)
            assert found == status, f"{of.place}: {form}: {found} {said}"
            assert said.get("errorCode") == (None if status == 200 else "GENERAL"), f"{of.place}: {form}: {said}"
    return 2 * len(of.rows)


@table("flags.md", "key", "form")
def keys(cloud: Cloud, of: Table) -> int:
    rows = [(values(key)[0], values(forms)) for key, forms in of.rows]
    cloud.saved("FeatureFlag", {key: SWITCH for key, _ in rows})
    for key, forms in rows:
        for form in forms:
            status, said = evaluate(cloud, form, {})
            assert (status, said.get("key")) == (200, key), f"{of.place}: {form}: {status} {said}"
    return sum(len(forms) for _, forms in rows)


# docs/protocol.md


@table("protocol.md", "whose headers", "is accepted", "is refused")
def preflights(cloud: Cloud, of: Table) -> int:
    """A browser may send each header that is accepted, and none that is refused, at any path."""

    def permitted(name: str, path: str) -> bool:
        asked = {"Origin": "https://app.example.org", "Access-Control-Request-Headers": name}
        request = urllib.request.Request(cloud.nephos.url + path, headers=asked, method="OPTIONS")
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return name.lower() in answer.headers["Access-Control-Allow-Headers"].lower().split(", ")

    tried = 0
    for _, accepted, refused in of.rows:
        names = [(name, True) for name in values(accepted)] + [(name, False) for name in values(refused)]
        for name, is_accepted in names:
            # What begins a name stands for one that begins so.
            name = name if name == "*" else name.replace("*", "x")
            for path in "/nothing", f"/database/1/{CONTAINER}/development/public/records/query":
                tried += 1
                assert permitted(name, path) is is_accepted, f"{of.place}: {name} is {'refused' if is_accepted else 'accepted'}"
    assert not permitted("a" * 65, "/") and permitted("a" * 64, "/"), of.place
    return tried


def reading() -> None:
    """How tables are read."""
    found = tables_of("page.md", "a\n\n| x | covers |\n|---|---|\n| `a` | `b`, an empty text |\n| 1 | 2 |\n\n| y |\n|---|\n| z |\n")
    assert [(each.line, each.header, len(each.rows)) for each in found] == [(3, ("x", "covers"), 2), (8, ("y",), 1)], found
    assert values(found[0].rows[0][1]) == ["b", ""], found


def main(program: str) -> None:
    reading()
    found = [each for each in tables() if COLUMNS & set(each.header)]
    missing = [each.place for each in found if (each.page, each.header) not in TABLES]
    assert not missing, f"These tables state what is accepted, and no test runs their rows: {', '.join(missing)}. Add it to {__file__}."
    gone = TABLES.keys() - {(each.page, each.header) for each in found}
    assert not gone, f"These tables are not in docs any more: {gone}"
    with Cloud(program) as cloud:
        cloud.nephos.run("flag", "create", CONTAINER, "first", "--default", "true")
        cloud.nephos.run("role", "assign", CONTAINER, "Admin", "ada@example.org")
        for each in found:
            tried = TABLES[each.page, each.header](cloud, each)
            assert tried >= len(each.rows), f"{each.place}: {tried} values were tried, of {len(each.rows)} rows"
            print(f"{each.place}: {len(each.rows)} rows, {tried} values")


if __name__ == "__main__":
    main(*sys.argv[1:])
