"""OpenFeature's own client for Python gets the values that flags serve, or its default with the reason if there is no value. The
sample of docs/flags.md runs as it is printed.

Usage: client_test.py NEPHOS_PROGRAM
"""

import logging
import os
import pathlib
import re
import subprocess
import sys

from flag_server import FLAGS, FlagServer, boolean
from nephos import PATIENCE
from openfeature import api
from openfeature.client import OpenFeatureClient
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.flag_evaluation import FlagEvaluationDetails

# Rows of docs/requirements.md; scripts/test-ofrep writes whether they passed.
ROWS: list[str] = []
PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "flags.md"
SPANISH = EvaluationContext("d1", {"locale": "es-MX"})
PHONE = EvaluationContext("d1", {"platform": "iOS", "appVersion": "2.4", "favorites": 3, "beta": True})


def client(server: FlagServer, token: str, person: str | None = None) -> OpenFeatureClient:
    provider = OFREPProvider(server.flags, headers_factory=lambda: {"Authorization": f"Bearer {token}"})
    # As docs/flags.md describes.
    if person:
        provider.session.params = {"ckWebAuthToken": person}
    api.set_provider(provider)
    return api.get_client()


def served(details: FlagEvaluationDetails, value: object, variant: str, reason: str, **metadata: object) -> None:
    found = (details.value, details.variant, details.reason, details.flag_metadata, details.error_code)
    assert found == (value, variant, reason, metadata, None) and type(details.value) is type(value), details


def defaulted(details: FlagEvaluationDetails, value: object, code: str, message: str) -> None:
    found = (details.value, details.reason, details.error_code)
    assert found == (value, "ERROR", code) and message in (details.error_message or ""), details


def values(client: OpenFeatureClient) -> None:
    served(client.get_boolean_details("tipJar", False), True, "on", "DEFAULT")
    served(client.get_boolean_details("tipJar", True, SPANISH), False, "off", "SPLIT", rule="es", bucket=83_663)
    served(client.get_boolean_details("needsRetired", True), False, "off", "DISABLED", prerequisite="retired")
    served(client.get_boolean_details("spelled 100% é", False), True, "on", "STATIC")
    served(client.get_string_details("theme", "none"), "light", "day", "DEFAULT")
    served(client.get_string_details("theme", "none", PHONE), "dark", "night", "TARGETING_MATCH", rule="phones")
    served(client.get_integer_details("pageRows", 1), 20, "few", "STATIC")
    served(client.get_float_details("speed", 1.0), 3.0, "whole", "STATIC")
    served(client.get_object_details("limits", {}), {"rows": 20, "names": ["a", "b"]}, "all", "STATIC")


def defaults(client: OpenFeatureClient) -> None:
    defaulted(client.get_boolean_details("gone", True), True, "FLAG_NOT_FOUND", "there is no such flag")
    spanish = EvaluationContext(attributes={"locale": "es"})
    defaulted(client.get_boolean_details("tipJar", True, spanish), True, "TARGETING_KEY_MISSING", "split by targetingKey")
    defaulted(client.get_boolean_details("broken", True), True, "PARSE_ERROR", "state: expected on or off")
    odd = EvaluationContext("x" * 1_025)
    defaulted(client.get_boolean_details("tipJar", False, odd), False, "INVALID_CONTEXT", "context.targetingKey")
    defaulted(client.get_string_details("tipJar", "none"), "none", "TYPE_MISMATCH", "")
    # As docs/flags.md describes: 20 is not a float, and 3.0 is not an integer.
    defaulted(client.get_float_details("pageRows", 1.5), 1.5, "TYPE_MISMATCH", "")
    defaulted(client.get_integer_details("speed", 7), 7, "TYPE_MISMATCH", "")
    defaulted(client.get_object_details("nothing", {"a": 1}), {"a": 1}, "TYPE_MISMATCH", "")


def signed_in(server: FlagServer) -> None:
    """A person is signed in, and has one bucket: with any targetingKey, and without one."""
    server.save({"members": boolean(defaultVariant="off", rules=[{"id": "in", "when": {"signedIn": True}, "serve": "on"}])})
    served(client(server, server.token).get_boolean_details("members", True), False, "off", "DEFAULT")
    known = client(server, server.token, server.person)
    served(known.get_boolean_details("members", False), True, "on", "TARGETING_MATCH", rule="in")
    contexts = [EvaluationContext(key, {"locale": "es"}) for key in [None, "d1", "d2"]]
    buckets = {known.get_boolean_details("tipJar", True, context).flag_metadata["bucket"] for context in contexts}
    assert len(buckets) == 1, buckets


def sample(server: FlagServer) -> None:
    """The code on the page runs unchanged, and prints what the page says."""
    section = PAGE.read_text().split("\n## From other languages\n")[1].split("\n## ")[0]
    (code,) = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    (expected,) = re.findall(r"It prints `(.*?)`", section)
    settings = {"FLAGS_URL": server.flags, "API_TOKEN": server.token}
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.stdout.strip(), done.returncode) == (expected, 0), done


def main(program: str) -> None:
    # The client logs each error for which it returns a default.
    logging.disable()
    with FlagServer(program) as server:
        known = client(server, server.token)
        values(known)
        defaults(known)
        server.save({"tipJar": boolean(state="off")})
        served(known.get_boolean_details("tipJar", True), False, "off", "DISABLED")
        server.save({"tipJar": FLAGS["tipJar"]})
        sample(server)
        signed_in(server)
        defaulted(client(server, "0" * 64).get_boolean_details("tipJar", True), True, "GENERAL", "unauthorized")
        api.set_provider(OFREPProvider(server.flags, headers_factory=lambda: {"X-API-Key": server.token}))
        served(api.get_client().get_boolean_details("tipJar", False), True, "on", "DEFAULT")
        # The provider does not encode a slash, and shows the reason of the path's error.
        wrong = api.get_client().get_boolean_details("a/b", True)
        defaulted(wrong, True, "FLAG_NOT_FOUND", "no handler found")
        assert "serverErrorCode" not in wrong.error_message, wrong
    defaulted(client(server, server.token).get_boolean_details("tipJar", True), True, "GENERAL", "")
    print("client: OpenFeature's provider gets every kind of value, the reasons and the errors; the sample of docs/flags.md runs")


if __name__ == "__main__":
    main(*sys.argv[1:])
