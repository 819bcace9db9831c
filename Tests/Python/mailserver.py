"""A mail server for the tests in Python."""

import socket

from aiosmtpd.controller import Controller
from nephos import PATIENCE


def listening(handler: object, **options: object) -> Controller:
    """Accepts connections at a port of this machine that the system chooses."""
    controller = Controller(handler, hostname="127.0.0.1", port=0, ready_timeout=PATIENCE, **options)

    def knock() -> None:
        # The controller does not look up that port.
        controller.port = controller.server.sockets[0].getsockname()[1]
        socket.create_connection(("127.0.0.1", controller.port), PATIENCE).close()

    controller._trigger_server = knock
    controller.start()
    return controller
