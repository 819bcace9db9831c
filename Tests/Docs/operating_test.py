"""The files of docs/operating.md, which are in Examples/operating: nginx.conf and Caddyfile in front of a server, alerts.yml and
prometheus.yml as Prometheus reads them, logrotate.

Usage: operating_test.py NEPHOS_PROGRAM
"""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.parse
import urllib.request

from nephos import PATIENCE, Nephos, ordinary_user
from proxy import ROOT, SAMPLES, Proxy, free_port
from signing import signed

PACKAGES = ROOT / ".build/packages/root"
CONTAINER = "iCloud.com.example.app"
PICTURE = os.urandom(10 << 20)


def program(name: str) -> str:
    """The path of a program, from an unpacked package or from PATH."""
    unpacked = [PACKAGES / folder / name for folder in ("usr/bin", "usr/sbin")]
    return next((str(path) for path in unpacked if path.exists()), None) or shutil.which(name) or name


def with_libraries() -> dict[str, str]:
    """The environment of unpacked programs, which find the libraries that were unpacked with them."""
    return os.environ | {"LD_LIBRARY_PATH": ":".join(map(str, PACKAGES.glob("**/*-linux-gnu")))}


def proxied(name: str, nephos: str, folder: pathlib.Path, base: str = "", keeps: bool = True) -> None:
    """A picture of 10 MB and an event stream pass through the proxy, which hides what it must hide.

    base: The path below which the server is. keeps: Whether the proxy passes on requests with it.
    """
    data = folder / "data"
    data.mkdir()
    port, monitoring = free_port(), free_port()
    proxy = Proxy(name, program(name), folder / name, port, base, keeps)
    server = None
    try:
        server = Nephos(
            nephos, str(data), "--port", str(port), "--public-url", proxy.url, "--trusted-proxy", "127.0.0.1", "--metrics",
            f"127.0.0.1:{monitoring}",
            # A sign of life in a stream would make a proxy send what it has buffered, too.
            environment={"NEPHOS_HEARTBEAT_SECONDS": "86400"})
        server.run("container", "create", "--listable", CONTAINER)
        tokens = {"ckAPIToken": server.run("token", "create", CONTAINER)}
        server.run("account", "create", "mary@example.org")
        tokens["ckWebAuthToken"] = server.run("session", "create", CONTAINER, "mary@example.org")

        def send(url: str, body: bytes | None = None, **headers: str) -> bytes:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=PATIENCE, context=proxy.context) as answer:
                return answer.read()

        def ask(path: str, body: dict) -> dict:
            url = f"{proxy.url}/database/1/{CONTAINER}/development/private/{path}?{urllib.parse.urlencode(tokens)}"
            return json.loads(send(url, json.dumps(body).encode()))

        offer = ask("assets/upload", {"tokens": [{"recordType": "Cat", "fieldName": "picture"}]})
        url = offer["tokens"][0]["url"]
        assert url.startswith(proxy.url), url
        file = json.loads(send(url, PICTURE))["singleFile"]
        saved = ask("records/modify", {"operations": [{"operationType": "create", "record": {
            "recordName": "tom", "recordType": "Cat", "fields": {"picture": {"value": file}}}}]})
        download = saved["records"][0]["fields"]["picture"]["value"]["downloadURL"].replace("${f}", "tom.png")
        assert download.startswith(proxy.url) and send(download) == PICTURE, "the downloaded picture differs"
        streamed(proxy, ask)

        # A signature covers the path as it was sent.
        key = folder / "key.pem"
        identifier = server.run("key", "create", CONTAINER, "--generate", str(key))
        path = f"/database/1/{CONTAINER}/development/public/users/caller"
        for signature in {path, base + path}:
            assert "userRecordName" in json.loads(send(proxy.url + path, b"{}", **signed(f"{identifier} {key}", signature, "{}")))

        if name == "nginx":
            redirected(proxy, f"{path}?{urllib.parse.urlencode(tokens)}")
        for hidden in ("/metrics", "/healthz"):
            assert refusal(lambda: send(proxy.url + hidden)) == 404, hidden
            assert urllib.request.urlopen(f"http://127.0.0.1:{monitoring}{hidden}", timeout=PATIENCE).status == 200
        client = [json.loads(line).get("client") for line in server.log if '"endpoint":"records/modify"' in line]
        assert client and set(client) == {"127.0.0.1"}, client
        server.stop()
        server = None
        assert refusal(lambda: ask("users/current", {})) == 502
        logged = proxy.logged()
        for secret in [*tokens.values(), *map(urllib.parse.quote_plus, tokens.values()), "ckAPIToken"]:
            assert secret not in logged, f"{name} logs a token"
        assert "/database/1/" in logged, logged
    finally:
        if server:
            server.stop()
        proxy.stop()
    where = f", below {base}, which it {'keeps' if keeps else 'removes'}" if base else ""
    print(f"operating: {name}{where} passes on a picture of 10 MB, an event stream and signed requests, and logs no token")


def redirected(proxy: Proxy, target: str) -> None:
    """Plain HTTP is redirected to the same path and query of the site, with the same method."""
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=PATIENCE)
    connection.request("POST", target, b"{}")
    answer = connection.getresponse()
    connection.close()
    found = answer.status, answer.getheader("Location")
    assert found == (308, f"https://cloud.example.org{target}"), found


def refusal(request: object) -> int:
    try:
        request()
    except urllib.error.HTTPError as error:
        return error.code
    raise AssertionError("it was not refused")


def streamed(proxy: Proxy, ask: object) -> None:
    """An event arrives through the proxy while its stream remains open."""
    ask("subscriptions/modify", {"operations": [{"operationType": "create", "subscription": {
        "subscriptionID": "cats", "subscriptionType": "query", "query": {"recordType": "Cat"}, "firesOn": ["create"]}}]})
    listen = urllib.parse.urlsplit(ask("tokens/create", {"apnsEnvironment": "development"})["webcourierURL"])
    connection = http.client.HTTPSConnection("127.0.0.1", proxy.port, timeout=PATIENCE, context=proxy.context)
    connection.request("GET", f"{listen.path}?{listen.query}", headers={"Accept": "text/event-stream"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    until(answer, b"event: ready")
    saving = threading.Thread(target=ask, args=("records/modify", {"operations": [{"operationType": "create", "record": {
        "recordName": "tim", "recordType": "Cat", "fields": {"name": {"value": "Tim"}}}}]}))
    saving.start()
    until(answer, b"tim")
    saving.join()
    connection.close()


def until(answer: http.client.HTTPResponse, word: bytes) -> None:
    """Reads lines of a stream up to one that contains a word."""
    while line := answer.readline():
        if word in line:
            return
    raise AssertionError(f"the stream ends without {word!r}")


def checked(nephos: str, folder: pathlib.Path) -> None:
    """Prometheus accepts rules and settings, alerts fire when they should, a server has all of their metrics; logrotate accepts its file."""
    tool = program("promtool")
    for source in (SAMPLES / "alerts.yml", SAMPLES / "prometheus.yml", SAMPLES / "logrotate", ROOT / "Tests/Docs/alerts_test.yml"):
        shutil.copy(source, folder / source.name)
    (folder / "alerts.yml").rename(folder / "nephos-alerts.yml")
    (folder / "logrotate").chmod(0o644)
    for arguments in [
        [tool, "check", "rules", "nephos-alerts.yml"], [tool, "check", "config", "prometheus.yml"],
        [tool, "test", "rules", "alerts_test.yml"],
        [program("logrotate"), "--debug", "--state", str(folder / "state"), "logrotate"],
    ]:
        done = subprocess.run(
            arguments, cwd=folder, capture_output=True, text=True, check=False, env=with_libraries(),
            **ordinary_user(arguments[0]))
        said = done.stdout + done.stderr
        assert done.returncode == 0 and "error:" not in said, f"{arguments}: {said}"
    data = folder / "store"
    data.mkdir()
    server = Nephos(nephos, str(data))
    try:
        figures = urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE).read().decode()
        figures = urllib.request.urlopen(f"{server.url}/metrics", timeout=PATIENCE).read().decode()
    finally:
        server.stop()
    for name in set(re.findall(r"nephos_\w+", (SAMPLES / "alerts.yml").read_text())):
        assert re.search(rf"^{name}[ {{]", figures, re.MULTILINE), f"the server has no metric {name}"
    print("operating: Prometheus accepts the alerts, which fire when they should, and logrotate accepts its file")


def main(nephos: str) -> None:
    with tempfile.TemporaryDirectory() as place:
        path = pathlib.Path(place)
        path.chmod(0o755)
        for name in ("nginx", "caddy", "monitoring"):
            folder = path / name
            folder.mkdir()
            folder.chmod(0o777)
            if name == "monitoring":
                checked(nephos, folder)
            else:
                for number, (base, keeps) in enumerate([("", True), ("/nephos", True), ("/nephos", False)]):
                    place = folder / str(number)
                    place.mkdir()
                    place.chmod(0o777)
                    proxied(name, nephos, place, base, keeps)


main(str(pathlib.Path(sys.argv[1]).resolve()))
