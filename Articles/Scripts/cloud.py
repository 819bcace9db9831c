"""A separate server for the flows, people with their devices, and a client that does not use our library."""

from __future__ import annotations

import json
import os
import pathlib
import queue
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

CONTAINER = "iCloud.org.nephos.articles"
# In seconds: after that, something that must happen has failed, even on a slow machine that is busy with other work.
PATIENCE = int(os.environ.get("NEPHOS_TEST_PATIENCE") or 180)
# Variables of the caller's shell about other servers have no effect.
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("NEPHOS_")}


class Cloud:
    """A server with its data in a folder, and with one container that has a schema."""

    def __init__(self, program: str, folder: pathlib.Path, schema: pathlib.Path) -> None:
        self.program, self.folder, self.people = program, folder, 0
        arguments = [program, "serve", "--new-store", "--port", "0", "--data", str(folder / "data")]
        self.process = subprocess.Popen(
            arguments, env=ENVIRONMENT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        # The server prints its address before it logs anything.
        said = next((line for line in self.process.stderr if " at http://" in line), "")
        assert said, f"{program} serve did not start"
        self.url = said.rsplit(" ", 1)[1].strip()
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        try:
            self.command("container", "create", CONTAINER)
            self.command("schema", "import", CONTAINER, str(schema))
            self.token = self.command("token", "create", CONTAINER)
        except BaseException:
            self.close()
            raise

    def command(self, *arguments: str) -> str:
        command = [self.program, *arguments, "--data", str(self.folder / "data")]
        return subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout.strip()

    def person(self) -> Person:
        self.people += 1
        return Person(self, f"person{self.people}@example.org")

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Person:
    """A person with an account, who sends requests over CloudKit Web Services."""

    def __init__(self, cloud: Cloud, email: str) -> None:
        self.cloud, self.email = cloud, email
        cloud.command("account", "create", email)
        self.session = self.sign_in()

    def sign_in(self) -> str:
        return self.cloud.command("session", "create", CONTAINER, self.email)

    def ask(self, path: str, body: dict, database: str | None = "private") -> dict:
        """Sends a request. Fails if the request or one of its items fails."""
        place = "/".join(part for part in ["database/1", CONTAINER, "development", database, path] if part)
        query = urllib.parse.urlencode({"ckAPIToken": self.cloud.token, "ckWebAuthToken": self.session})
        try:
            answer = json.loads(send(f"{self.cloud.url}/{place}?{query}", json.dumps(body).encode()))
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.read().decode()}") from None
        items = [item for value in answer.values() if isinstance(value, list) for item in value]
        faults = [item for item in items if "serverErrorCode" in item]
        assert not faults, f"{path}: {faults[0]}"
        return answer

    def save(
        self, records: list[dict], database: str = "private", operation: str = "forceUpdate", **more: object
    ) -> None:
        operations = [{"operationType": operation, "record": record} for record in records]
        self.ask("records/modify", {"operations": operations, **more}, database)

    def query(self, type: str, database: str = "private", filter: list | None = None, **more: object) -> list[dict]:
        query = {"recordType": type, "filterBy": filter or []}
        return self.ask("records/query", {"query": query, **more}, database)["records"]


def send(url: str, body: bytes | None = None, seconds: float = PATIENCE) -> bytes:
    with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=seconds) as answer:
        return answer.read()


class Device:
    """The articles' program with its own session and folder."""

    def __init__(self, program: pathlib.Path, person: Person, folder: pathlib.Path) -> None:
        self.program, self.folder = program, folder
        folder.mkdir()
        self.environment = {
            **ENVIRONMENT, "XDG_CONFIG_HOME": str(folder / "settings"), "XDG_DATA_HOME": str(folder / "data"),
            "NEPHOS_CACHE": str(folder / "cache"),
            "NEPHOS_URL": person.cloud.url, "NEPHOS_CONTAINER": CONTAINER, "NEPHOS_ENVIRONMENT": "development",
            "NEPHOS_API_TOKEN": person.cloud.token, "NEPHOS_WEB_AUTH_TOKEN": person.sign_in(),
        }

    def run(self, *arguments: str, until: tuple[str, ...], seconds: float = PATIENCE) -> list[str]:
        """Runs the program until it has printed lines that begin with these texts, in any order. Returns its output up to then."""
        process = subprocess.Popen(
            [str(self.program), *arguments], cwd=self.folder, env=self.environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=listen, args=(process, said), daemon=True).start()
        try:
            lines = heard(said, until, seconds)
        finally:
            process.stdin.close()
            try:
                end = process.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                end = process.wait()
        assert end == 0, f"the program ended with {end} after {lines[-5:]}"
        return lines


def heard(said: queue.Queue, until: tuple[str, ...], seconds: float) -> list[str]:
    lines, end, missing = [], time.monotonic() + seconds, list(until)
    while missing:
        try:
            line = said.get(timeout=max(0, end - time.monotonic()))
        except queue.Empty:
            raise AssertionError(f"waited {seconds:.0f} s for {missing}; the output ends with {lines[-5:]}") from None
        assert line is not None, f"the program ended; its output ends with {lines[-5:]}"
        assert not line.startswith("failed"), line
        lines.append(line)
        missing = [wanted for wanted in missing if not line.startswith(wanted)]
    return lines


def listen(process: subprocess.Popen, said: queue.Queue) -> None:
    for line in process.stdout:
        said.put(line.rstrip("\n"))
    said.put(None)
