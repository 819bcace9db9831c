"""Runs `nephos serve` as a page shows it, but with its own store and on free ports, and stops it as soon as it listens.

Usage: serve.py PROGRAM serve OPTION...
"""

import os
import re
import signal
import subprocess
import sys
import tempfile

program, *arguments = sys.argv[1:]
environment = dict(os.environ)
with tempfile.TemporaryDirectory() as data:
    for option in ("--port", "--data"):
        if option in arguments:
            place = arguments.index(option)
            del arguments[place:place + 2]
    arguments = [re.sub(r"^127\.0\.0\.1:\d+$", "127.0.0.1:0", each) for each in arguments]
    arguments = ["127.0.0.1" if each == "0.0.0.0" else each for each in arguments]
    if "NEPHOS_STORE" not in environment and "--new-store" not in arguments and "--demo" not in arguments:
        arguments.append("--new-store")
    environment["NEPHOS_DATA"] = data
    server = subprocess.Popen([program, *arguments, "--port", "0"], stderr=subprocess.PIPE, text=True, env=environment)
    for line in server.stderr:
        print(line, end="", file=sys.stderr)
        if line.startswith("Nephos serves "):
            server.send_signal(signal.SIGTERM)
            server.stderr.read()
            sys.exit(server.wait(20))
    sys.exit(server.wait(20) or 1)
