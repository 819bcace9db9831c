"""Sends the requests of an `http` block, and compares each response with the one that the block shows after an empty line.

Usage: send.py URL < BLOCK, with the tokens `api` and `web`, or `bearer`, or a key in `signing_key`, in the environment.

    POST /database/1/CONTAINER/ENVIRONMENT/public/users/current
    {}

    {"userRecordName":"…"}

A header is a line `Name: value` before the body.
"""

import json
import os
import re
import sys
import urllib.error
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Python"))
from answers import difference, pattern  # noqa: E402
from nephos import PATIENCE  # noqa: E402
from signing import signed  # noqa: E402

REQUEST = re.compile(r"^(GET|POST|PUT|DELETE) (\S+)$")
HEADER = re.compile(r"^([A-Za-z-]+): (.*)$")


def ask(server: str, method: str, path: str, headers: dict[str, str], body: str) -> str:
    address = urllib.parse.urlsplit(path)
    tokens = {"ckAPIToken": os.environ.get("api"), "ckWebAuthToken": os.environ.get("web")}
    query = [*urllib.parse.parse_qsl(address.query, keep_blank_values=True)]
    if key := os.environ.get("signing_key"):
        return exchange(method, f"{server}{path}", signed(key, path, body), body)
    if bearer := os.environ.get("bearer"):
        headers = {"Authorization": f"Bearer {bearer}", **headers}
    if "Authorization" not in headers:
        query += [(name, token) for name, token in tokens.items() if token and name not in dict(query)]
    url = f"{server}{address.path}?{urllib.parse.urlencode(query)}"
    return exchange(method, url, headers, body)


def exchange(method: str, url: str, headers: dict[str, str], body: str) -> str:
    request = urllib.request.Request(url, body.encode() if method != "GET" else None, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        raise SystemExit(f"{method} {url}: {error.code} {error.read().decode()}") from None


def main(server: str, text: str) -> None:
    requests: list[dict] = []
    parts = iter(re.split(r"\n[ \t]*\n", text.strip("\n")))
    for part in parts:
        lines = part.split("\n")
        if not REQUEST.match(lines[0]):
            # Responses, in the order of the requests.
            shown = [each for each in requests if "answer" not in each]
            for each, answer in zip(shown, answers(part)):
                each["answer"] = answer
            continue
        for line in lines:
            if found := REQUEST.match(line):
                requests.append({"method": found[1], "path": found[2], "headers": {}, "body": ""})
            elif (found := HEADER.match(line)) and not requests[-1]["body"]:
                requests[-1]["headers"][found[1]] = found[2]
            else:
                requests[-1]["body"] += line + "\n"
    for each in requests:
        json.loads(each["body"] or "{}")
        answer = ask(server, each["method"], each["path"], each["headers"], each["body"])
        print(answer)
        if "answer" in each and (said := difference(each["answer"], json.loads(answer))):
            raise SystemExit(f"{each['method']} {each['path']}: {said}\n{answer}")


def answers(part: str) -> list[object]:
    try:
        return [pattern(part)]
    except ValueError:
        return [pattern(line) for line in part.split("\n")]


main(sys.argv[1], sys.stdin.read())
