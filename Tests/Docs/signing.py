"""Signs requests as an app's own servers do."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import time


def signed(key: str, path: str, body: str) -> dict[str, str]:
    """The headers of a request that is signed according to docs/protocol.md, K1; `key` is an id and a file."""
    name, file = key.split(" ", 1)
    date = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    digest = base64.b64encode(hashlib.sha256(body.encode()).digest()).decode()
    signature = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", file], input=f"{date}:{digest}:{path}".encode(), capture_output=True, check=True)
    headers = {"KeyID": name, "ISO8601Date": date, "SignatureV1": base64.b64encode(signature.stdout).decode()}
    return {f"X-Apple-CloudKit-Request-{header}": value for header, value in headers.items()}
