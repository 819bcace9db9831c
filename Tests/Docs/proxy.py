"""The proxies of Examples/operating, run by an ordinary user on a free port of this machine."""

from __future__ import annotations

import os
import pathlib
import shutil
import socket
import ssl
import subprocess
import time

from nephos import PATIENCE, ordinary_user

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "Examples" / "operating"
NGINX = """daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/logs/main.log;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{site}
}}
"""


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def replaced(text: str, pairs: dict[str, str]) -> str:
    """A sample with values of this machine. It must contain each text that is replaced."""
    for old, new in pairs.items():
        assert old in text, f"the sample has no {old!r}"
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy at `url`, in front of a server that may not run yet."""

    def __init__(self, name: str, program: str, folder: pathlib.Path, server_port: int, path: str = "", keeps: bool = True) -> None:
        """path: Below which the server is (docs/operating.md, "Below a path"). keeps: Whether requests are passed on with it."""
        self.name, self.folder = name, folder
        self.port, self.plain_port = free_port(), free_port()
        self.url = f"https://127.0.0.1:{self.port}{path}"
        self.logs = folder / "logs"
        self.logs.mkdir(parents=True)
        self.certificate, key = folder / "certificate.pem", folder / "key.pem"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
             "/CN=cloud.example.org", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", self.certificate],
            check=True, capture_output=True)
        configuration = folder / "configuration"
        if name == "nginx":
            site = replaced((SAMPLES / "nginx.conf").read_text(), {
                "listen 80;": f"listen 127.0.0.1:{self.plain_port};", "listen 443 ssl http2": f"listen 127.0.0.1:{self.port} ssl http2",
                "/etc/letsencrypt/live/cloud.example.org/fullchain.pem": str(self.certificate),
                "/etc/letsencrypt/live/cloud.example.org/privkey.pem": str(key),
                "/var/log/nginx": str(self.logs), "location / {": f"location {path}/ {{",
                "http://127.0.0.1:8080;": f"http://127.0.0.1:{server_port}{'' if keeps else '/'};",
            })
            configuration.write_text(NGINX.format(folder=folder, site=site))
            command = [program, "-p", str(folder), "-c", str(configuration), "-e", str(self.logs / "main.log")]
            self.check = [*command, "-t"]
        else:
            site = replaced((SAMPLES / "Caddyfile").read_text(), {
                "\ncloud.example.org {": f"\nhttps://127.0.0.1:{self.port} {{\n\ttls {self.certificate} {key}",
                "{\n\t# Queries": "{\n\tadmin off\n\tauto_https off\n\t# Queries",
                "127.0.0.1:8080": f"127.0.0.1:{server_port}",
            })
            if path:
                handle = f"\t{'handle' if keeps else 'handle_path'} {path}/* {{\n"
                end = "flush_interval -1\n\t}"
                site = replaced(site, {"\treverse_proxy": f"{handle}\treverse_proxy", end: f"{end}\n\t}}"})
            configuration.write_text(site)
            command = [program, "run", "--adapter", "caddyfile", "--config", str(configuration)]
            self.check = [program, "validate", "--adapter", "caddyfile", "--config", str(configuration)]
        self.user = ordinary_user(program)
        if self.user:
            for path in [folder, *folder.rglob("*")]:
                shutil.chown(path, self.user["user"], self.user["group"])
        self.environment = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
        checked = subprocess.run(self.check, capture_output=True, text=True, env=self.environment, check=False, **self.user)
        assert checked.returncode == 0, f"{name}: {checked.stderr}"
        self.process = subprocess.Popen(
            command, env=self.environment, stdout=subprocess.DEVNULL, stderr=(self.logs / "standard-error").open("w"), **self.user)
        self.wait()

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            assert self.process.poll() is None, f"{self.name}: {(self.logs / 'standard-error').read_text()}"
            try:
                socket.create_connection(("127.0.0.1", self.port), PATIENCE).close()
                return
            except OSError:
                time.sleep(0.05)
        raise AssertionError(f"{self.name} does not listen")

    @property
    def context(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    def logged(self) -> str:
        return "".join(path.read_text(errors="replace") for path in self.logs.iterdir())

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(20)
