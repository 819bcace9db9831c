"""Runs the steps of a workflow file as GitHub does: each step in a new shell, with the variables that earlier steps have set, and
what a step starts keeps running.

Usage: workflow.py WORKFLOW FOLDER NEPHOS_PROGRAM SCRATCH

Steps that use an action, or that are for failures, are skipped. The server listens on a free port, and `swift` builds in SCRATCH,
which contains built libraries. Everything else runs as it is printed.
"""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import yaml

# Seconds that a step may take, such as a build on a slow machine that is busy with other work.
PATIENCE = 7_200


def run(job: dict, folder: str, tools: pathlib.Path, replaced: dict[str, str]) -> list[str]:
    """Runs a job's steps, and returns their names."""
    variables = tools / "variables"
    variables.touch()
    environment = {name: value for name, value in os.environ.items() if not name.startswith("NEPHOS_")}
    environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "GITHUB_ENV": str(variables)}
    environment |= {name: put_in(str(value), replaced) for name, value in job.get("env", {}).items()}
    groups, done = [], []
    try:
        for step in job["steps"]:
            if "run" not in step or "if" in step:
                continue
            lines = [line.split("=", 1) for line in variables.read_text().splitlines()]
            # What a step starts keeps its output open. The output is a file, so that this script need not wait for its end.
            with (tools / "output").open("w") as output:
                process = subprocess.Popen(
                    ["sh", "-e", "-c", put_in(step["run"], replaced)], cwd=folder, env=environment | dict(lines),
                    stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
                groups.append(process.pid)
                if process.wait(PATIENCE) != 0:
                    raise SystemExit(f"{step['name']}: it ends with {process.returncode}\n{(tools / 'output').read_text()}")
            done.append(step["name"])
    finally:
        for group in groups:
            try:
                os.killpg(group, signal.SIGTERM)
            except ProcessLookupError:
                pass
    return done


def put_in(text: str, replaced: dict[str, str]) -> str:
    for old, new in replaced.items():
        text = text.replace(old, new)
    return text


def main(workflow: str, folder: str, nephos: str, scratch: str) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = str(listener.getsockname()[1])
    with tempfile.TemporaryDirectory() as place:
        tools = pathlib.Path(place)
        (tools / "nephos").symlink_to(nephos)
        (tools / "swift").write_text(f"#!/bin/sh\nexec {shutil.which('swift')} \"$@\" --scratch-path '{scratch}'\n")
        (tools / "swift").chmod(0o755)
        replaced = {"8080": port, "/tmp/nephos": f"{place}/nephos-data"}
        for job in yaml.safe_load(pathlib.Path(workflow).read_text())["jobs"].values():
            done = run(job, folder, tools, replaced)
            said = (tools / "output").read_text().strip().split("\n")[-1]
            print(f"{pathlib.Path(workflow).name}: {', '.join(done)}; at the end: {said}")


main(*sys.argv[1:])
