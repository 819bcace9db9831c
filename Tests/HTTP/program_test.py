"""Examples/over_http.py, a program of another language that has nothing but HTTP, as several devices run it.

Usage: program_test.py NEPHOS_PROGRAM
"""

from __future__ import annotations

import datetime
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

from cloud import CONTAINER, PATIENCE, Cloud

# Of docs/requirements.md; scripts/test-http writes whether they passed.
ROWS = ["S0-69", "S2-33"]
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "Examples" / "over_http.py"
PICTURE = b"a picture of a ghost"


class Device:
    """A device on which the program runs, each time as a process with Python's standard library alone."""

    def __init__(self, cloud: Cloud, name: str, **facts: str) -> None:
        self.environment = {
            "PATH": os.environ["PATH"], "NEPHOS_URL": cloud.nephos.url, "NEPHOS_CONTAINER": CONTAINER,
            "NEPHOS_API_TOKEN": cloud.token, "DEVICE": name, **facts,
        }

    def start(self, *arguments: str) -> subprocess.Popen:
        return subprocess.Popen(
            # Isolated, and without installed packages.
            [sys.executable, "-I", "-S", "-B", str(PROGRAM), *arguments], env=self.environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments: str) -> list[str]:
        said, wrong = (process := self.start(*arguments)).communicate(timeout=PATIENCE)
        assert process.returncode == 0, f"{arguments}: {said}{wrong}"
        return said.splitlines()


def flags(cloud: Cloud) -> None:
    """Flags are as their rules say for each device, and a device that listens gets the new values when one is switched."""
    run = cloud.nephos.run
    run("flag", "create", CONTAINER, "tipJar", "--default", "true")
    run("role", "assign", CONTAINER, "Admin", "ada@example.org")
    switch = {"state": "on", "variants": {"off": False, "on": True}, "offVariant": "off", "defaultVariant": "off"}
    theme = {"day": "light", "night": "dark"}
    cloud.saved("FeatureFlag", {
        "spanish": {**switch, "rules": json.dumps([{"when": {"locale": "es", "app": ">=2.3"}, "serve": "on"}])},
        "theme": {"kind": "string", "state": "on", "variants": theme, "offVariant": "day", "defaultVariant": "night"},
        "half": {**switch, "rules": json.dumps([{"serve": {"split": {"on": 50_000, "off": 50_000}}}])},
    })
    phone = Device(cloud, "phone", LOCALE="es-MX", VERSION="2.4", PLATFORM="Android")
    told = phone.run("flags")
    assert told == ["half: " + json.dumps("half: true" in told), 'spanish: true', 'theme: "dark"', "tipJar: true"], told
    assert phone.run("flags") == told, "a device does not stay in its half"
    assert "spanish: false" in Device(cloud, "old", LOCALE="es-MX", VERSION="2.2").run("flags")
    assert "spanish: false" in Device(cloud, "german", LOCALE="de", VERSION="2.4").run("flags")
    halves = [Device(cloud, f"device{number}").run("flags")[0] for number in range(8)]
    assert set(halves) == {"half: true", "half: false"}, halves

    listening = phone.start("watch")
    try:
        before = [listening.stdout.readline().strip() for _ in told]
        assert before == told, before
        # Switched before or after the program listens: its stream begins where its values are from.
        run("flag", "off", CONTAINER, "tipJar")
        after, wrong = listening.communicate(timeout=PATIENCE)
        assert listening.returncode == 0 and after.splitlines() == [*told[:-1], "tipJar: false"], after + wrong
    finally:
        listening.kill()
    assert phone.run("flags")[-1] == "tipJar: false"


def content(cloud: Cloud) -> None:
    """What is published is picked, for a device's language and version; its picture is downloaded."""
    cloud.saved("Chibi", {"ghost": {"title": "A ghost", "audience": ""}})
    query = f"ckAPIToken={cloud.token}&ckWebAuthToken={urllib.request.quote(cloud.person, safe='')}"
    database = f"{cloud.nephos.url}/database/1/{CONTAINER}/development/public"
    wanted = {"tokens": [{"recordType": "Chibi", "recordName": "ghost", "fieldName": "picture"}]}
    status, offer = cloud.send(f"{database}/assets/upload?{query}", wanted, {"Authorization": ""})
    assert status == 200, offer
    with urllib.request.urlopen(urllib.request.Request(offer["tokens"][0]["url"], PICTURE), timeout=PATIENCE) as answer:
        file = json.load(answer)["singleFile"]
    now = int(time.time() * 1_000)

    def chibi(title: str, start: int, audience: str | None = None, picture: dict | None = None) -> dict:
        fields = {"title": {"value": title}, "publishedAt": {"value": start, "type": "TIMESTAMP"}}
        fields |= {"audience": {"value": audience}} if audience else {}
        fields |= {"picture": {"value": picture}} if picture else {}
        return {"recordType": "Chibi", "fields": fields}

    records = {
        "ghost": chibi("A ghost", now - 60_000, picture=file), "soon": chibi("Later", now + 86_400_000),
        "pumpkin": chibi("A pumpkin", now - 60_000, json.dumps({"locale": "es", "app": ">=3"})),
    }
    operations = [{"operationType": "forceReplace", "record": {"recordName": name, **record}} for name, record in records.items()]
    status, said = cloud.send(f"{database}/records/modify?{query}", {"operations": operations}, {"Authorization": ""})
    assert status == 200 and "serverErrorCode" not in json.dumps(said), said
    cloud.nephos.run("settings", "import", CONTAINER, cloud.file("content.yaml", with_content(cloud)), "--yes")
    until = time.monotonic() + PATIENCE
    # Until the server has sorted them.
    while (pick := cloud.get("content/Chibi/pick"))[0] != 200 or pick[1]["eligible"] != 1:
        assert time.monotonic() < until, pick
        time.sleep(0.1)
    said = Device(cloud, "german", LOCALE="de", VERSION="3.1").run("content", "Chibi")
    assert said == ["1 of Chibi", "ghost: A ghost", f"a picture of {len(PICTURE)} bytes"], said
    said = Device(cloud, "spanish", LOCALE="es-AR", VERSION="3.1").run("content", "Chibi")
    assert said[0] == "2 of Chibi" and said[1] in ("ghost: A ghost", "pumpkin: A pumpkin"), said


def with_content(cloud: Cloud) -> str:
    """The settings of the container, with a type of content."""
    return cloud.nephos.run("settings", "export", CONTAINER) + "\ncontent:\n  Chibi: {publishedAt: publishedAt, audience: audience}\n"


def messages(cloud: Cloud) -> None:
    """The current message is in the device's language, with the buttons of its version, and is shown once on each device."""
    run = cloud.nephos.run
    message = {
        "id": "anniversary", "kind": "newVersion", "requires": "2.5", "title": {"en": "New in 2.5", "es": "Novedades"},
        "body": {"en": "It has flags.", "es": "Tiene banderas."},
        "buttons": {
            "action": {"en": "Update", "es": "Actualizar"}, "cancel": {"en": "No", "es": "No"}, "okay": {"en": "Have it", "es": "Ya la tengo"}
        },
    }
    # JSON is YAML.
    run("message", "new", CONTAINER, cloud.file("message.yaml", json.dumps(message)))
    phone = Device(cloud, "phone", LOCALE="es-MX", VERSION="2.4", PLATFORM="Android")
    assert phone.run("message") == ["no message"]
    run("message", "publish", CONTAINER, "anniversary")
    assert phone.run("message") == ["anniversary: Novedades [Actualizar] [No]"]
    assert phone.run("message") == ["no message"]
    for name, facts, said in [
        ("tablet", {"LOCALE": "en-GB", "VERSION": "2.4"}, "anniversary: New in 2.5 [Update] [No]"),
        ("newer", {"LOCALE": "es", "VERSION": "2.5", "PLATFORM": "Windows"}, "anniversary: Novedades [Ya la tengo]"),
    ]:
        assert Device(cloud, name, **facts).run("message") == [said]
    shown = run("message", "stats", CONTAINER, "anniversary").splitlines()[-1].split()
    assert shown[1] == "3", shown

    # Where the day is another one, wherever this test runs.
    run("message", "withdraw", CONTAINER, "anniversary")
    today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=14))).date()
    days = [str(today), str(today + datetime.timedelta(days=1))]
    day = {**message, "id": "day", "audience": json.dumps({"day": days})}
    run("message", "new", CONTAINER, cloud.file("day.yaml", json.dumps(day)))
    run("message", "publish", CONTAINER, "day")
    assert Device(cloud, "east", TIME_ZONE="Pacific/Kiritimati").run("message") == ["day: New in 2.5 [Update] [No]"]
    assert Device(cloud, "west", TIME_ZONE="Etc/GMT+12").run("message") == ["no message"]
    assert Device(cloud, "nowhere").run("message") == ["no message"]


def refused(cloud: Cloud) -> None:
    """A program that is not let in says why."""
    stranger = Device(cloud, "phone")
    stranger.environment["NEPHOS_API_TOKEN"] = "0" * 64
    process = stranger.start("flags")
    said, wrong = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1 and not said and "AUTHENTICATION_FAILED" in wrong, said + wrong


def main(program: str) -> None:
    with Cloud(program) as cloud:
        for test in flags, content, messages, refused:
            test(cloud)
    print("HTTP: a program with nothing but HTTP gets flags, content and messages")


if __name__ == "__main__":
    main(*sys.argv[1:])
