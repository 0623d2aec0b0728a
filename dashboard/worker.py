"""What one worker of `manage.py serve` runs: the WSGI application, for as long as the server above it lives."""

import atexit
import multiprocessing
import os
import signal
import sys
import threading

from dashboard.wsgi import application  # isort: split

from dashboard import background

__all__ = ["application"]


def _end_with_the_server() -> None:
    """A killed server stops nobody; an orphan would keep the port and go on answering."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os.kill(os.getpid(), signal.SIGTERM)


def _leave() -> None:
    """Requests are done by now. Taking the interpreter down as well lets native threads that ask for it abort the
    process, with a stack trace instead of an end."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


atexit.register(_leave)
threading.Thread(target=_end_with_the_server, name="end-with-the-server", daemon=True).start()
background.start()
