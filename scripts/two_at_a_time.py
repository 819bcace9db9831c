#!/usr/bin/env python3
"""Runs commands, two at a time, in the order given, and prints the output of each when it has ended:

    scripts/two_at_a_time.py LOG scripts/test-http "scripts/docs --check"

Most of them use less than one processor: they wait for a browser, a server that stops, or a compiler. Appends to LOG how long each took, and
what the last lines of each that failed were, marked with ✘ like the failures of tests: the output of others may follow, and logs are
truncated. Runs all of them even if one fails; then exits with 1, and names those that failed.
"""

from __future__ import annotations

import concurrent.futures
import pathlib
import subprocess
import sys
import threading
import time

# How many lines of the output of a command that failed are shown again.
SHOWN = 20


def main(log: pathlib.Path, commands: list[str]) -> int:
    printing = threading.Lock()

    def run(number: int, command: str) -> bool:
        began = time.monotonic()
        with printing:
            print(f"== {command} begins (test {number} of {len(commands)})", flush=True)
        done = subprocess.run(
            ["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        took = f"== {command} took {round(time.monotonic() - began)} s"
        with printing:
            sys.stdout.buffer.write(done.stdout)
            print(took if done.returncode == 0 else f"{took}, and failed with {done.returncode}", flush=True)
            with log.open("a") as lines:
                print(took, file=lines)
                if done.returncode != 0:
                    for line in done.stdout.decode(errors="replace").splitlines()[-SHOWN:]:
                        print(f"✘ {command}: {line}", file=lines)
        return done.returncode == 0

    pool = concurrent.futures.ThreadPoolExecutor(2)
    try:
        passed = list(pool.map(run, range(1, len(commands) + 1), commands))
    except KeyboardInterrupt:
        # The running commands have got it as well; no other begins.
        pool.shutdown(cancel_futures=True)
        return 130
    failed = [command for command, did in zip(commands, passed) if not did]
    for command in failed:
        print(f"Failed: {command}")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: scripts/two_at_a_time.py LOG COMMAND...")
    sys.exit(main(pathlib.Path(sys.argv[1]), sys.argv[2:]))
