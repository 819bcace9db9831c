"""A server for the tests in Python."""

import json
import os
import pathlib
import pwd
import shutil
import subprocess
import threading
import urllib.error
import urllib.parse
import urllib.request

# In seconds: how long a test waits for something that must happen. It is patience for a hang, and never an expectation: much longer
# than anything takes on a slow machine that is busy with other work.
PATIENCE = int(os.environ.get("NEPHOS_TEST_PATIENCE") or 180)


def ordinary_user(program: str) -> dict[str, object]:
    """The user as whom processes run when root runs the tests: root's rights would hide what users meet."""
    path = pathlib.Path(program).resolve()
    # In a folder of root's, no other user could run it.
    if os.geteuid() != 0 or not all(place.stat().st_mode & 0o001 for place in [path, *path.parents]):
        return {}
    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


class Nephos:
    """A server with a data folder of its own, and the command for it."""

    def __init__(self, program: str, data: str, *options: str, environment: dict[str, str] | None = None) -> None:
        self.program, self.data = program, data
        self.environment = {**os.environ, **(environment or {})}
        if user := ordinary_user(program):
            shutil.chown(data, user["user"], user["group"])
        arguments = [program, "serve", "--new-store", "--data", data, "--port", "0", *options]
        self.process = subprocess.Popen(
            arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment,
            **ordinary_user(program))
        # The server prints its address before it logs anything.
        said = []
        for line in self.process.stderr:
            said.append(line)
            if line.startswith("Nephos serves ") and " http" in line:
                break
        else:
            raise AssertionError(f"the server does not start: {''.join(said)}")
        self.url = said[-1].rsplit(" ", 1)[1].strip()
        # Everything that it has logged since.
        self.log: list[str] = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def run(self, *arguments: str, text: str | None = None) -> str:
        command = [self.program, *arguments, "--data", self.data]
        done = subprocess.run(
            command, input=text, check=True, capture_output=True, text=True, env=self.environment, **ordinary_user(self.program))
        return done.stdout.strip()

    def ask(self, path: str, body: dict, **query: str) -> dict:
        """Sends a request of CloudKit Web Services, and returns its response."""
        url = f"{self.url}/database/1/{path}?{urllib.parse.urlencode(query)}"
        request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()}") from None

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
