"""Tests mails of the command and of a server, which aiosmtpd accepts or refuses.

Usage: mail_test.py NEPHOS_PROGRAM
"""

import email
import email.policy
import json
import logging
import pathlib
import ssl
import subprocess
import sys
import tempfile

import trustme
from aiosmtpd.smtp import AuthResult
from mailserver import listening

# Rows of docs/requirements.md; scripts/test-mail writes whether they passed.
ROWS: list[str] = []
PASSWORD = "open sesame"


class Taking:
    """Stores mails, or responds as a test specifies."""

    def __init__(self) -> None:
        self.mails: list[tuple[str, list[str], bytes]] = []
        self.logins: list[tuple[str, bytes, bytes]] = []
        self.refusal: dict[str, str] = {}

    async def handle_RCPT(self, server, session, envelope, address, options):
        if answer := self.refusal.get("RCPT"):
            return answer
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        if answer := self.refusal.get("DATA"):
            return answer
        assert server.transport.get_extra_info("sslcontext") is not None
        self.mails.append((envelope.mail_from, envelope.rcpt_tos, envelope.original_content))
        return "250 kept as 4711"

    def authenticate(self, server, session, envelope, mechanism, data):
        self.logins.append((mechanism, data.login, data.password))
        # Not handled: the server itself refuses the login.
        return AuthResult(success=(data.login, data.password) == (b"nephos", PASSWORD.encode()), handled=False)


class World:
    def __init__(self, program: str) -> None:
        self.program = program
        self.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(self.folder.name)
        path.chmod(0o755)
        self.data = path / "data"
        self.data.mkdir()
        self.authority = trustme.CA()
        roots = path / "roots.pem"
        roots.write_bytes(self.authority.cert_pem.bytes())
        roots.chmod(0o644)
        self.environment = {"PATH": "/usr/bin:/bin", "NEPHOS_MAIL_ROOTS": str(roots)}

    def context(self, *names: str) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.authority.issue_cert(*names).configure_cert(context)
        return context

    def run(self, *arguments: str, text: str | None = None, fails: bool = False) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [self.program, *arguments, "--data", str(self.data)], input=text, capture_output=True, text=True,
            env=self.environment, check=False)
        assert (done.returncode != 0) == fails, f"{arguments}: {done.returncode} {done.stdout} {done.stderr}"
        assert PASSWORD not in done.stdout + done.stderr
        return done

    def configure(self, port: int, tls: str, login: bool = True, password: str = PASSWORD) -> None:
        user = ["--user", "nephos", "--password-file", "-"] if login else []
        self.run(
            "mail", "configure", "--smtp", f"localhost:{port}", "--tls", tls, *user, "--from", "Käthe <nephos@example.org>",
            text=password + "\n")


def taken(world: World) -> None:
    """STARTTLS and TLS, PLAIN and LOGIN: Python's parser reads the mail as it was meant."""
    for tls, excluded in [("starttls", []), ("tls", []), ("starttls", ["PLAIN"])]:
        handler = Taking()
        how = {"authenticator": handler.authenticate, "auth_exclude_mechanism": excluded}
        context = world.context("localhost")
        if tls == "tls":
            how |= {"ssl_context": context, "auth_require_tls": False}
        else:
            how |= {"tls_context": context, "require_starttls": True, "auth_required": True}
        controller = listening(handler, **how)
        world.configure(controller.port, tls)
        shown = json.loads(world.run("mail", "show", "--output", "json").stdout)
        assert shown == [{
            "smtp": f"localhost:{controller.port}", "tls": tls, "user": "nephos", "from": "Käthe <nephos@example.org>"}], shown
        said = world.run("mail", "test", "mary@example.com").stdout
        assert "kept as 4711" in said, said
        controller.stop()
        [(sender, recipients, content)] = handler.mails
        assert (sender, recipients) == ("nephos@example.org", ["mary@example.com"])
        assert handler.logins == [("LOGIN" if excluded else "PLAIN", b"nephos", PASSWORD.encode())]
        mail = email.message_from_bytes(content, policy=email.policy.default)
        assert not mail.defects and mail["From"] == "Käthe <nephos@example.org>" and mail["To"] == "mary@example.com"
        assert mail["Auto-Submitted"] == "auto-generated" and mail["Date"].datetime and mail["Message-ID"].endswith("@example.org>")
        assert "has arrived" in mail.get_content()


def domains(world: World) -> None:
    """A domain of any language is sent to in the ASCII form that Python's encoder gives it, and shown in its own letters."""
    handler = Taking()
    controller = listening(
        handler, tls_context=world.context("localhost"), require_starttls=True, authenticator=handler.authenticate,
        auth_required=True)
    world.configure(controller.port, "starttls")
    for domain in ["bücher.example", "BÜCHER.example", "bu\u0308cher.example", "例え。テスト", "пример.испытание", "ελλάδα.gr"]:
        world.run("mail", "test", f"Mary@{domain}")
        [(_, recipients, content)] = handler.mails
        handler.mails = []
        address = "mary@" + domain.encode("idna").decode().lower()
        assert recipients == [address], (recipients, address)
        assert email.message_from_bytes(content, policy=email.policy.default)["To"] == address
    controller.stop()
    world.run("mail", "configure", "--folder", "--from", "nephos@bücher.example")
    assert json.loads(world.run("mail", "show", "--output", "json").stdout)[0]["from"] == "nephos@bücher.example"
    said = world.run("mail", "test", "mary@bü\u200bcher.example", fails=True).stderr
    assert "is no such part" in said, said


def refused(world: World) -> None:
    """Each refusal ends the command immediately, with the reason, and without a mail: wrong password, wrong name, no STARTTLS, 4xx and 5xx."""
    handler = Taking()
    context = world.context("localhost")
    controller = listening(
        handler, tls_context=context, require_starttls=True, authenticator=handler.authenticate, auth_required=True)
    world.configure(controller.port, "starttls", password="wrong")
    assert "535" in world.run("mail", "test", "mary@example.com", fails=True).stderr
    world.configure(controller.port, "starttls")
    for command, answer in [("RCPT", "450 later"), ("RCPT", "550 nobody"), ("DATA", "451 later"), ("DATA", "554 no")]:
        handler.refusal = {command: answer}
        assert answer in world.run("mail", "test", "mary@example.com", fails=True).stderr
    controller.stop()
    other = listening(handler, tls_context=world.context("mail.example.org"), require_starttls=True)
    world.configure(other.port, "starttls", login=False)
    assert "TLS" in world.run("mail", "test", "mary@example.com", fails=True).stderr
    other.stop()
    clear = listening(handler)
    world.configure(clear.port, "starttls")
    logins = len(handler.logins)
    assert "STARTTLS" in world.run("mail", "test", "mary@example.com", fails=True).stderr
    assert len(handler.logins) == logins and not handler.mails
    clear.stop()
    world.configure(clear.port, "starttls")
    assert "cannot be reached" in world.run("mail", "test", "mary@example.com", fails=True).stderr


def wrong(world: World) -> None:
    """Options that cannot be meant are refused with advice, and change nothing."""
    before = world.run("mail", "show", "--output", "json").stdout
    for arguments, advice in [
        (["--from", "a@b"], "Pass one of --smtp, --command and --folder."),
        (["--smtp", "h:25", "--folder", "--from", "a@b"], "Pass one of --smtp, --command and --folder."),
        (["--smtp", "h", "--tls", "tls", "--from", "a@b"], "a host and a port, smtp.example.org:587"),
        (["--smtp", "h:25", "--from", "a@b"], "Pass --tls starttls or --tls tls"),
        (["--smtp", "h:25", "--tls", "none", "--from", "a@b"], "only for a server on this machine"),
        (["--smtp", "localhost:25", "--tls", "none", "--user", "u", "--password-file", "-", "--from", "a@b"], "--user needs TLS"),
        (["--smtp", "h:25", "--tls", "tls", "--user", "u", "--from", "a@b"], "Pass both --user and --password-file, or neither."),
        (["--command", "mail", "--from", "a@b"], "the absolute path of a program"),
        (["--command", "/nowhere/sendmail", "--from", "a@b"], "Pass the full path of a program that can be run."),
        (["--folder", "--from", "a"], "A mail address is name@domain"),
        (["--folder", "--from", "x\r\nBcc: c@d <a@b>"], "A mail address is name@domain"),
        (["--folder"], "--from <address>"),
        (["--folder", "--tls", "tls", "--from", "a@b"], "need --smtp"),
    ]:
        refused = world.run("mail", "configure", *arguments, text="p", fails=True)
        assert advice in refused.stderr, f"{arguments}: {refused.stderr}"
    world.run("mail", "test", "a@b\r\nRCPT TO:<c@d>", fails=True)
    assert world.run("mail", "show", "--output", "json").stdout == before


def files(world: World) -> None:
    """The folder contains one file for each mail, which is a valid mail."""
    world.run("mail", "configure", "--folder", "--from", "nephos@localhost")
    world.run("mail", "test", "mary@example.com")
    [file] = (world.data / "mail").iterdir()
    assert file.suffix == ".eml" and file.stat().st_mode & 0o077 == 0
    assert email.message_from_bytes(file.read_bytes(), policy=email.policy.default)["To"] == "mary@example.com"
    world.run("mail", "remove")
    assert json.loads(world.run("mail", "show", "--output", "json").stdout) == []
    assert "mail configure" in world.run("mail", "test", "mary@example.com", fails=True).stderr


def main() -> None:
    # aiosmtpd warns about clients that disconnect, which is intended here.
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    world = World(sys.argv[1])
    world.run("container", "create", "iCloud.org.example.mail", "--new-store")
    for test in [taken, domains, refused, wrong, files]:
        test(world)
        print(f"{test.__name__}: {test.__doc__.splitlines()[0]}")


main()
