"""A package of the client library and its tests, without the server, for runs that need a separate build. It is in .build, and uses
the sources and the targets of this checkout. The first build takes 5 minutes of processor time, most of it for swift-crypto.
"""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
TESTS = ["NephosKitTests", "ClientTests"]
# The server, as a program and in the tests' process. Both are left out: these tests start the program built in this checkout.
SERVER = ["nephos", "ServerTesting"]
# Seconds that the tests may take, on a slow machine that is busy with other work as well.
PATIENCE = 7_200


class Fault(Exception):
    pass


def output(*command: object, folder: pathlib.Path = ROOT) -> str:
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Fault(f"{' '.join(map(str, command))[:200]}\n{(done.stdout + done.stderr)[-4000:]}")
    return done.stdout or done.stderr


class ClientPackage:
    def __init__(self, name: str, *options: str):
        """`options` are those of `swift build` and `swift test`."""
        self.folder = ROOT / ".build" / name
        self.built = self.folder / ".build" / "debug"
        self.log = self.folder / "test.log"
        self.options = options
        self.targets = self.closure()

    def closure(self) -> list[dict]:
        """The test targets and all targets of this package that they depend on, except the server."""
        dump = output("swift", "package", "dump-package")
        targets = {target["name"]: target for target in json.loads(dump)["targets"]}
        wanted, waiting = {}, list(TESTS)
        while waiting:
            name = waiting.pop()
            if name in targets and name not in wanted and name not in SERVER:
                wanted[name] = targets[name]
                waiting += [entry["byName"][0] for entry in targets[name]["dependencies"] if "byName" in entry]
        return list(wanted.values())

    def manifest(self) -> str:
        names = ", ".join(json.dumps(target["name"]) for target in self.targets)
        server = ", ".join(map(json.dumps, SERVER))
        return (ROOT / "Package.swift").read_text() + f"""
package.products = []
package.dependencies.removeAll {{ !"\\($0.kind)".contains("swift-crypto") }}
package.targets.removeAll {{ ![{names}].contains($0.name) }}
for target in package.targets {{
    target.dependencies.removeAll {{ if case .byNameItem(let name, _) = $0 {{ [{server}].contains(name) }} else {{ false }} }}
}}
"""

    def build(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("Sources", "Tests"):
            if not (self.folder / name).is_symlink():
                (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "Package.swift").write_text(self.manifest())
        if (ROOT / "Package.resolved").exists():
            shutil.copy(ROOT / "Package.resolved", self.folder)
        output("swift", "build", "--build-tests", *self.options, folder=self.folder)

    def test(self, **variables: str) -> bool:
        """Runs the tests against the program that NEPHOS_BINARY names, or builds `nephos`. - Returns: Whether they passed."""
        environment = {**os.environ, **variables}
        if not environment.get("NEPHOS_BINARY"):
            output("swift", "build", "--product", "nephos")
            environment["NEPHOS_BINARY"] = str(ROOT / ".build/debug/nephos")
        with self.log.open("w") as log:
            command = ["swift", "test", "--skip-build", *self.options]
            run = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=subprocess.STDOUT,
                start_new_session=True)
            try:
                return run.wait(timeout=PATIENCE) == 0
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                raise Fault(f"The tests did not end within {PATIENCE} s. See {self.log}") from None

    def failures(self) -> str:
        """Describes what failed in the last run."""
        lines = [line for line in self.log.read_text(errors="replace").splitlines() if line.startswith("✘")]
        return "\n".join([*lines[:40], f"Tests failed. See {self.log}"])
