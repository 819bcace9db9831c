#!/usr/bin/env python3
"""What an app gets with nothing but HTTP, in any language: its flags, its content and its messages. It needs only Python.

    over_http.py flags               prints each flag
    over_http.py watch               prints the flags, and again when one was switched
    over_http.py content Chibi       prints an item that is picked, with the size of its picture
    over_http.py message             prints the message that is to be shown, and reports that it was shown

NEPHOS_URL, NEPHOS_CONTAINER and NEPHOS_API_TOKEN name the server, the container and an API token; NEPHOS_ENVIRONMENT is the environment,
by default development. DEVICE, LOCALE, VERSION, PLATFORM, COUNTRY and TIME_ZONE describe the device, as far as they are set.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

SERVER = os.environ.get("NEPHOS_URL", "http://127.0.0.1:8080")
CONTAINER = os.environ.get("NEPHOS_CONTAINER", "")
ENVIRONMENT = os.environ.get("NEPHOS_ENVIRONMENT", "development")
TOKEN = os.environ.get("NEPHOS_API_TOKEN", "")
BASE = f"{SERVER}/nephos/1/{CONTAINER}/{ENVIRONMENT}"


def device(**names: str) -> dict[str, str]:
    """What is known about the device, under the names that a request has for it."""
    return {name: os.environ[variable] for name, variable in names.items() if variable in os.environ}


def send(url: str, body: dict | None = None, **headers: str) -> urllib.request.addinfourl | None:
    """Sends a request: a POST if there is a body. Returns the response; None if nothing has changed."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"} | headers
    try:
        return urllib.request.urlopen(urllib.request.Request(url, data, headers), timeout=3600)
    except urllib.error.HTTPError as error:
        if error.code == 304:
            return None
        sys.exit(f"{url}: {error.code} {error.read().decode()}")
    except urllib.error.URLError as error:
        sys.exit(f"{SERVER} does not respond: {error.reason}")


def flags(tag: str = "") -> tuple[str, str]:
    """Prints all flags, unless they are the same as those with this tag. Returns the new tag, and the address of the stream of changes."""
    context = device(
        targetingKey="DEVICE", locale="LOCALE", appVersion="VERSION", platform="PLATFORM", country="COUNTRY", timeZone="TIME_ZONE")
    answer = send(f"{BASE}/flags/ofrep/v1/evaluate/flags", {"context": context}, **({"If-None-Match": tag} if tag else {}))
    if answer is None:
        return tag, ""
    result = json.load(answer)
    for flag in result["flags"]:
        print(f"{flag['key']}: {json.dumps(flag['value'])}" if "value" in flag else f"{flag['key']}: {flag['errorCode']}", flush=True)
    return answer.headers["ETag"], result["eventStreams"][0]["url"]


def watch() -> None:
    tag, stream = flags()
    for line in send(stream):
        if line.startswith(b"data: ") and json.loads(line[6:])["type"] == "refetchEvaluation":
            changed, _ = flags(tag)
            if changed != tag:
                return


def content(record_type: str) -> None:
    query = device(device="DEVICE", locale="LOCALE", version="VERSION", platform="PLATFORM", country="COUNTRY", timeZone="TIME_ZONE")
    answer = json.load(send(f"{BASE}/content/{record_type}/pick?{urllib.parse.urlencode(query)}"))
    print(f"{answer['eligible']} of {record_type}")
    for record in answer["records"]:
        print(f"{record['recordName']}: {record['fields']['title']['value']}")
        if picture := record["fields"].get("picture"):
            # The address is valid for some minutes. ${f} stands for the name under which a browser would save the file.
            with urllib.request.urlopen(picture["value"]["downloadURL"].replace("${f}", "picture")) as file:
                print(f"a picture of {len(file.read())} bytes")


def message() -> None:
    query = device(device="DEVICE", locale="LOCALE", version="VERSION", platform="PLATFORM", country="COUNTRY", timeZone="TIME_ZONE")
    shown = json.load(send(f"{BASE}/messages/current?{urllib.parse.urlencode(query)}"))["message"]
    if shown is None:
        print("no message")
        return
    print(f"{shown['id']}: {shown['title']} {' '.join('[' + button['title'] + ']' for button in shown['buttons'])}")
    send(f"{BASE}/messages/seen", {"id": shown["id"], "device": os.environ.get("DEVICE", "")})


if __name__ == "__main__":
    if not CONTAINER or not TOKEN:
        sys.exit(f"NEPHOS_CONTAINER or NEPHOS_API_TOKEN is not set.\n{__doc__}")
    match sys.argv[1:]:
        case ["flags"]:
            flags()
        case ["watch"]:
            watch()
        case ["content", record_type]:
            content(record_type)
        case ["message"]:
            message()
        case _:
            sys.exit(__doc__)
