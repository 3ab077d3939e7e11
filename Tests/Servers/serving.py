"""What the sample servers have in common: their options, the port that is free, and their end."""

import argparse
import os
import sys
import threading
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

HOST = "127.0.0.1"


def parser(description):
    """A parser with the options that all servers have."""
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=0, help="the port; one that is free without it")
    options.add_argument(
        "--until-eof", action="store_true",
        help="end with the standard input, so that no server outlives the process that started it")
    options.add_argument("--verbose", action="store_true", help="print a line for each request")
    return options


def start(arguments, port):
    """To be called once the socket listens: prints the root, and from then on watches the standard input if asked."""
    print(f"http://{HOST}:{port}/", flush=True)
    if arguments.until_eof:
        threading.Thread(target=_end_with_input, daemon=True).start()


def _end_with_input():
    while sys.stdin.buffer.read(4096):
        pass
    # Nothing is worth keeping, and a clean end would wait for open connections.
    os._exit(0)


def wsgi_server(arguments, make_application, one_thread=False):
    """A server for the application that `make_application` gives for the root of the service."""

    class Handler(WSGIRequestHandler):
        def log_message(self, format, *values):
            if arguments.verbose:
                print(self.requestline, values[1] if len(values) > 1 else "", flush=True)

    class Server(WSGIServer):
        request_queue_size = 128

    class ThreadingServer(ThreadingMixIn, Server):
        daemon_threads = True

    server = (Server if one_thread else ThreadingServer)((HOST, arguments.port), Handler)
    server.set_app(make_application(f"http://{HOST}:{server.server_port}/"))
    return server
