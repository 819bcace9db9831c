"""The flows: each calls the articles' own functions, and checks on the server what they did."""

from __future__ import annotations

import json
import pathlib
import random
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Callable

from cloud import CONTAINER, Cloud, Device, Person, send

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass
class Stage:
    cloud: Cloud
    # The folder of the articles' programs.
    programs: pathlib.Path
    # The texts of the listings, by their ids.
    texts: dict[str, str]

    def device(self, person: Person | None = None, name: str = "phone", program: str = "Articles") -> Device:
        """A device of this person, or of a new one."""
        person = person or self.cloud.person()
        return Device(self.programs / program, person, self.cloud.folder / f"{person.email} {name}")

    def fields(self, id: str) -> dict[str, str]:
        """The fields that a listing sets, so that they need not be repeated here."""
        return {name: value for value, name in re.findall(r'setObject\("(.*)" as .*forKey: "(.*)"\)', self.texts[id])}


Flow = Callable[[Stage], None]


def record(type: str, name: str, zone: str | None = None, **fields: object) -> dict:
    made = {"recordType": type, "recordName": name, "fields": {key: {"value": value} for key, value in fields.items()}}
    return {**made, "zoneID": {"zoneName": zone}} if zone else made


def flags(stage: Stage) -> None:
    """The record that was changed last determines the flags, and no other record is fetched."""
    editor = stage.cloud.person()
    editor.save([record("AppFeatures", "first", tipJar=0), record("AppFeatures", "second", tipJar=1)], "public")
    editor.save([record("AppFeatures", "first", tipJar=0, chibiVersionCheck=1)], "public")
    lines = stage.device().run("Flags", until=("end",))
    key = "featureOverride_tipJar"
    assert lines == ["default: true true", key, "first: false true", key, "end"], lines


def switches(stage: Stage) -> None:
    """The same declarations and the same check with the kit's types: with the article's record, and with flags over OFREP."""
    editor = stage.cloud.person()
    editor.save([record("AppFeatures", "old", tipJar=1), record("AppFeatures", "new", tipJar=0, chibiVersionCheck=1)], "public")
    editor.save([record("AppFeatures", "new", tipJar=0, chibiVersionCheck=0)], "public")
    # Here, the library requests nothing that Apple's service does not provide.
    phone = stage.device(program="Switches")
    phone.environment["NEPHOS_SERVICE"] = "apple"
    lines = phone.run("Kit", "records", until=("end",))
    assert lines == ["defaults: true true", "fetched: false false", "end"], lines

    # One record for each flag, as the article would have it if it were written today.
    stage.cloud.command("flag", "import", CONTAINER, "AppFeatures", "new")
    phone = stage.device(program="Switches")
    lines = phone.run("Kit", "server", until=("end",))
    assert lines == ["defaults: true true", "fetched: false false", "end"], lines
    # The last fetched values are available at the next start, before any request.
    stage.cloud.command("flag", "on", CONTAINER, "tipJar")
    lines = phone.run("Kit", "server", until=("end",))
    assert lines == ["kept: false false", "fetched: true false", "end"], lines


def messages(stage: Stage) -> None:
    """A message with the article's twelve fields has what its type requires: texts by language, and buttons for the app's version."""
    editor = stage.cloud.person()

    def commun(name: str, identifier: int, type: str, current: int) -> dict:
        made = record(
            "Communs", name, title="en=New in 2.5|es=Novedades", content="en=It has flags.|es=Tiene banderas.",
            image=upload(editor, b"a dancer", "Communs", "image"), imageLabel="en=A dancer|es=Una bailarina", actionTitle="en=Update|es=Actualizar",
            cancelTitle="en=No Thanks|es=No, Gracias", okayTitle="en=Cool, I Have It|es=Ya la tengo", description="for the editor",
            identifier=identifier, version=0, isCurrent=current)
        made["fields"]["type"] = {"value": type}
        return made

    editor.save([commun("commun2", 2, "information", 0), commun("commun3", 3, "newVersion|2.5", 1)], "public")
    texts = ["3 en: New in 2.5. It has flags.", "3 es: Novedades. Tiene banderas.", "picture: A dancer"]
    for version, buttons in [("2.4", ["[Actualizar] [No, Gracias]", "acts: update"]), ("2.5", ["[Ya la tengo]"])]:
        lines = stage.device(program="Communs", name=version).run("Messages", version, until=("end",))
        assert lines == [*texts, *buttons, "end"], lines
    editor.save([commun("commun3", 3, "newVersion|2.5", 0), commun("commun4", 4, "website|https://example.org/new?a=b", 1)], "public")
    lines = stage.device(program="Communs").run("Messages", "2.5", until=("end",))
    assert lines[-2] == "acts: open(https://example.org/new?a=b)" and lines[0].startswith("4 en: "), lines


def content(stage: Stage) -> None:
    """30 of 45 records are fetched, newest first and none from the future; the file of the chosen one is copied. With each other pseudo-random
    sort descriptor it is the first 30 of that order. On a device whose clock is ahead, records from the future are fetched early, until their
    type is published content: then the server's clock decides."""
    editor, drawing, now = stage.cloud.person(), b"a drawing", int(time.time() * 1000)
    file = upload(editor, drawing)

    def published(name: str, hours: int) -> dict:
        return record("PublishedChibi", name, publishedAt=now + hours * 3_600_000, entityData=file)

    past = [published(f"past{n:02}", -n) for n in range(1, 41)]
    # Changed in another order than that of their times.
    changed = random.Random(26).sample(past, len(past))
    for items in [published(f"soon{n}", n) for n in range(1, 6)], *([item] for item in changed):
        editor.save(items, "public")
    device = stage.device()
    lines = device.run("Content", until=("chosen",))
    wanted = [f"candidate {item['recordName']}" for item in past[:30]]
    assert lines[:-1] == wanted, f"{len(lines) - 1} candidates: {lines}"
    assert lines[-1].replace("chosen", "candidate") in wanted, lines[-1]
    assert (device.folder / lines[-1].replace(" ", "-")).read_bytes() == drawing, "the copied file differs"

    # As the sort descriptors are numbered in the program.
    for number, order in enumerate([past, past[::-1], changed[::-1], changed]):
        lines = stage.device().run("Content", str(number), until=("chosen",))
        candidates = [f"candidate {item['recordName']}" for item in order[:30]]
        assert lines[:-1] == candidates, f"sort descriptor {number}: {lines}"
        assert lines[-1].replace("chosen", "candidate") in candidates, lines[-1]

    if sys.platform != "linux":
        return
    ahead = stage.device()
    ahead.environment |= clock_ahead(stage, hours=24)
    early = [f"candidate soon{n}" for n in range(5, 0, -1)]
    lines = ahead.run("Content", until=("chosen",))
    assert lines[:-1] == early + wanted[:25], lines
    settings = stage.cloud.folder / "content.yaml"
    settings.write_text("version: 1\ncontent:\n  PublishedChibi: {}\n")
    stage.cloud.command("settings", "import", CONTAINER, str(settings))
    lines = ahead.run("Content", until=("chosen",))
    assert lines[:-1] == wanted, lines


def clock_ahead(stage: Stage, hours: int) -> dict[str, str]:
    """The environment variables that set the clock of a program ahead."""
    library, source = stage.cloud.folder / "late-clock.so", ROOT / "Tests" / "CommandTests" / "late-clock.c"
    subprocess.run(["clang", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-ldl"], check=True)
    return {"LD_PRELOAD": str(library), "LATE_CLOCK_SECONDS": str(hours * 3600)}


def upload(editor: Person, content: bytes, type: str = "PublishedChibi", field: str = "entityData") -> dict:
    token = {"recordType": type, "fieldName": field}
    url = editor.ask("assets/upload", {"tokens": [token]}, "public")["tokens"][0]["url"]
    return json.loads(send(url, content))["singleFile"]


def infos(stage: Stage) -> None:
    """Subscriptions with notification infos are stored on the server as they were meant."""
    person = stage.cloud.person()
    stage.device(person).run("Following", "infos", until=("saved silent", "saved visible"))
    silent, visible = (subscription["notificationInfo"] for subscription in subscriptions(person))
    assert silent == {"shouldSendContentAvailable": True}, silent
    assert visible == {"shouldBadge": True, "alertBody": "alertBody", "soundName": "default"}, visible


def subscriptions(person: Person) -> list[dict]:
    return person.ask("subscriptions/list", {})["subscriptions"]


def subscription(stage: Stage) -> None:
    """Two launches on each of two devices create one subscription; a second launch sends no request."""
    person = stage.cloud.person()
    phone, tablet = stage.device(person), stage.device(person, "tablet")
    for device in phone, tablet:
        device.run("Following", "subscribe", until=("asks", "launched", "subscribed true"))
        lines = device.run("Following", "subscribe", until=("launched",))
        assert lines == ["launched"], f"the second launch: {lines}"
        found = [(each["subscriptionType"], each["subscriptionID"]) for each in subscriptions(person)]
        assert found == [("database", "shared-changes")], found


def following(stage: Stage) -> None:
    """Another device changes something; after a push from the server, the changes are fetched, each time from the saved tokens."""
    person = stage.cloud.person()
    zone = {"zoneName": "Notes"}
    person.ask("zones/modify", {"operations": [{"operationType": "create", "zone": {"zoneID": zone}}]})
    names = [f"note{n:03}" for n in range(450)]
    for start in range(0, 450, 150):
        person.save([record("Note", name, text=name) for name in names[start : start + 150]], zoneID=zone)
    phone = stage.device(person)
    phone.run("Following", "subscribe", until=("launched", "subscribed true"))
    device = {"apnsEnvironment": "development", "clientId": "phone"}
    courier = person.ask("tokens/create", device, None)["webcourierURL"]

    def push(*expected: str) -> list[str]:
        payload = send(courier)
        (phone.folder / "payload.json").write_bytes(payload)
        lines = phone.run("Following", "push", "payload.json", until=("handled",))
        changes = sorted(line for line in lines if line.startswith("record"))
        assert changes == sorted(expected), f"after {payload.decode()}: {changes[:5]}, {len(changes)} in all"
        assert lines[-1] == "handled newData" and "saved database" in lines and "saved Notes" in lines, lines[-5:]
        return lines

    person.save([record("Note", "another", text="")], zoneID=zone)
    lines = push("record another", *(f"record {name}" for name in names))
    assert lines.count("saved Notes") > 1, "the token is saved once instead of after each page"
    person.save([{"recordName": "note000"}], operation="forceDelete", zoneID=zone)
    push("record deleted note000")


def user(stage: Stage) -> None:
    person = stage.cloud.person()
    lines = stage.device(person).run("User", until=("user",))
    name = person.ask("users/caller", {}, "public")["userRecordName"]
    assert lines == [f"user {name}"], f"{lines} instead of {name}"


def parents(stage: Stage) -> None:
    person = stage.cloud.person()
    stage.device(person).run("Parents", until=("saved 2",))
    is_in_album = {"fieldName": "parent", "comparator": "EQUALS", "fieldValue": {"value": "holidays"}}
    found = person.query("photo", filter=[is_in_album])
    assert [each["parent"]["recordName"] for each in found] == ["holidays"], found


def permission(stage: Stage) -> None:
    stage.device().run("Permission", until=("granted",))


def public_record(stage: Stage) -> None:
    person = stage.cloud.person()
    stage.device(person).run("Records", "public", until=("record saved successfully",))
    found = [values(each) for each in person.query("MyUser", "public")]
    assert found == [stage.fields("S3.4")], found


def zone(stage: Stage) -> None:
    person = stage.cloud.person()
    stage.device(person).run("Records", "zone", until=("zone FavZone",))
    assert "FavZone" in [each["zoneID"]["zoneName"] for each in person.ask("zones/list", {})["zones"]]


def private_record(stage: Stage) -> None:
    person = stage.cloud.person()
    phone = stage.device(person)
    phone.run("Records", "zone", until=("zone FavZone",))
    phone.run("Records", "private", until=("record saved successfully",))
    found = [values(each) for each in person.query("PrivateInfo", zoneID={"zoneName": "FavZone"})]
    assert found == [stage.fields("S3.6")], found


def sharing(stage: Stage) -> None:
    """A person shares a record with a friend through an address in their public profile: the friend reads it, also later, and a third gets nothing."""
    owner, friend, third = (stage.cloud.person() for _ in range(3))
    phone = stage.device(owner)
    phone.run("Records", "zone", until=("zone FavZone",))
    for step in "private", "public":
        phone.run("Records", step, until=("record saved successfully",))
    phone.run("Sharing", "share", until=("all done, folks!",))
    own = owner.ask("users/caller", {}, "public")["userRecordName"]
    profile = next(each for each in owner.query("MyUser", "public") if each["created"]["userRecordName"] == own)
    assert "/share/" in profile["fields"]["privateShareUrl"]["value"], profile
    name = friend.ask("users/caller", {}, "public")["userRecordName"]
    phone.run("Sharing", "add", name, until=("added",))
    given = stage.fields("S3.6")
    wanted = f"private {given['phoneNumber']} {given['email']}"
    tablet = stage.device(friend, "tablet")
    # The first time the share is accepted, and the second time it has been.
    for _ in range(2):
        lines = tablet.run("Sharing", "refresh", profile["recordName"], until=("private",))
        assert lines == [wanted], lines
    lines = stage.device(third).run("Sharing", "refresh", profile["recordName"], until=("Error Domain=CKErrorDomain Code=11",))
    assert not any(line.startswith("private") for line in lines), lines


def values(record: dict) -> dict:
    return {name: field["value"] for name, field in record["fields"].items()}


# The flow of each listing.
FLOWS: dict[str, Flow] = {
    **dict.fromkeys(["S0.1", "S0.2", "S0.3", "S0.4"], flags), "S0.5": content,
    **dict.fromkeys(["S0.2-kit", "S0.3-kit"], switches), "S2.1": messages,
    **dict.fromkeys(["S1.1", "S1.2"], infos), "S1.3": subscription, **dict.fromkeys(["S1.4", "S1.5"], following),
    "S1.6": user, "S1.8": parents,
    "S3.3": permission, "S3.4": public_record, "S3.5": zone, "S3.6": private_record,
    **dict.fromkeys(["S3.7", "S3.8"], sharing),
}
