#!/usr/bin/env python3
"""Receives webhooks and mails for tests: an HTTP server and an SMTP server on 127.0.0.1.

    scripts/stand_ins.py PORTS LOG

Writes the ports of both into the file PORTS as soon as they listen, and one line into LOG for each webhook ("POST PATH BODY") and
each mail ("MAIL RECIPIENT SUBJECT").
"""
import asyncio
import pathlib
import sys


async def read_webhook(reader, writer, log):
    """One request for each connection, answered with 200."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    method, path = head.split(" ")[:2]
    length = next(
        (int(line.split(":")[1]) for line in head.splitlines() if line.lower().startswith("content-length:")), 0)
    body = (await reader.readexactly(length)).decode()
    log(f"{method} {path} {body}")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    await writer.drain()


async def read_mail(reader, writer, log):
    """The commands of a client that neither logs in nor encrypts."""
    async def reply(line):
        writer.write(line + b"\r\n")
        await writer.drain()

    recipients = []
    await reply(b"220 test")
    while line := await reader.readline():
        command = line.decode().strip()
        verb = command[:4].upper()
        if verb == "RCPT":
            recipients.append(command.split("<")[1].split(">")[0])
        if verb == "DATA":
            await reply(b"354 end with a dot")
            mail = (await reader.readuntil(b"\r\n.\r\n")).decode()
            subject = next((line[9:] for line in mail.splitlines() if line.lower().startswith("subject: ")), "")
            for recipient in recipients:
                log(f"MAIL {recipient} {subject}")
            recipients = []
        await reply(b"221 bye" if verb == "QUIT" else b"250 test")
        if verb == "QUIT":
            return


async def main(ports, log):
    def write(line):
        with open(log, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def handler(read):
        async def handle(reader, writer):
            try:
                await read(reader, writer, write)
            except (asyncio.IncompleteReadError, ConnectionError):
                pass  # A client that has gone.
            finally:
                writer.close()

        return handle

    servers = [await asyncio.start_server(handler(read), "127.0.0.1", 0) for read in (read_webhook, read_mail)]
    found = [str(server.sockets[0].getsockname()[1]) for server in servers]
    # The file appears with its contents.
    partial = pathlib.Path(ports + ".partial")
    partial.write_text(" ".join(found) + "\n", encoding="utf-8")
    partial.rename(ports)
    await asyncio.gather(*(server.serve_forever() for server in servers))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
