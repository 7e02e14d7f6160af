"""How the explorer answers requests: to this machine alone, to who knows the secret, and never with a traceback."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from isocost.errors import IsocostError
from isocost.explorer.panel import explorer_page, policy

if TYPE_CHECKING:
    from isocost.explorer.explorer import Explorer

_MOST_SETTINGS = 1_000_000
# A refused upload is read and thrown away up to here, so that the sender hears why; beyond, the line is cut.
_MOST_DRAINED = 2_000_000_000
_PATIENCE = 30.0
_KINDS = {"report.html": "text/html", "report.json": "application/json", "report.md": "text/markdown"}


class Server(ThreadingHTTPServer):
    """One thread a request, on this machine alone."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, explorer: Explorer, port: int) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.explorer = explorer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent: a browser that went away is no news, and a traceback tells too much."""


class _Refused(Exception):  # noqa: N818 - an answer, not an error of ours
    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    """Answers one request; refuses who does not know the secret or asks under another name."""

    protocol_version = "HTTP/1.1"
    server_version = "isocost"
    sys_version = ""
    timeout = _PATIENCE
    server: Server

    @property
    def explorer(self) -> Explorer:
        """What is served."""
        return self.server.explorer

    def do_GET(self) -> None:
        """Show the page, or hand out the report."""
        self._answer(self._get)

    def do_POST(self) -> None:
        """Take another file, or other settings."""
        self._answer(self._post)

    def log_message(self, *_: Any) -> None:
        """Keep the terminal quiet, and the secret out of it."""

    def _answer(self, act: Callable[[], None]) -> None:
        try:
            act()
        except _Refused as refused:
            self._say(refused.status, str(refused))
        except IsocostError as error:
            self._say(HTTPStatus.BAD_REQUEST, str(error))
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except Exception:  # whatever it was, its details stay here
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, "the explorer could not do that")

    def _place(self) -> str:
        """Return what is asked for, or refuse who asks."""
        if self.headers.get("Host") not in self.explorer.hosts:
            raise _Refused(HTTPStatus.FORBIDDEN, "wrong host")
        parts = urlsplit(self.path).path.split("/", 2)
        given = parts[1] if len(parts) == 3 else ""
        if not hmac.compare_digest(given.encode(), self.explorer.token.encode()):
            raise _Refused(HTTPStatus.FORBIDDEN, "wrong or missing token: use the address the explorer printed")
        return parts[2]

    def _get(self) -> None:
        place = self._place()
        if place == "":
            text = explorer_page(self.explorer.view, self.explorer.most_bytes)
            self._send(HTTPStatus.OK, text.encode(), "text/html", {"Content-Security-Policy": policy()})
        elif place in _KINDS:
            report = self.explorer.view.report
            if report is None:
                raise _Refused(HTTPStatus.NOT_FOUND, "there is no report yet")
            text = {"html": report.html, "json": report.json, "md": report.markdown}[place.rpartition(".")[2]]
            saved = {"Content-Disposition": f'attachment; filename="{place}"'}
            self._send(HTTPStatus.OK, text.encode(), _KINDS[place], saved)
        else:
            raise _Refused(HTTPStatus.NOT_FOUND, "there is nothing here")

    def _post(self) -> None:
        place = self._place()
        origin = self.headers.get("Origin")
        if origin is not None and origin not in [f"http://{host}" for host in self.explorer.hosts]:
            raise _Refused(HTTPStatus.FORBIDDEN, "wrong origin")
        if place == "open":
            name = parse_qs(urlsplit(self.path).query).get("name", ["file"])[0][:200]
            if not self.explorer.receiving.acquire(timeout=_PATIENCE):
                self.close_connection = True
                raise _Refused(HTTPStatus.SERVICE_UNAVAILABLE, "other files are still being received: try again")
            try:
                self.explorer.open(self._body(self.explorer.most_bytes), name)
            finally:
                self.explorer.receiving.release()
        elif place == "sample":
            self.explorer.sample()
        elif place == "settings":
            try:
                given = json.loads(self._body(_MOST_SETTINGS))
            except (ValueError, RecursionError) as error:
                raise _Refused(HTTPStatus.BAD_REQUEST, "the settings are not JSON") from error
            if not isinstance(given, dict):
                raise _Refused(HTTPStatus.BAD_REQUEST, "the settings must be a JSON object")
            self.explorer.change(given)
        else:
            raise _Refused(HTTPStatus.NOT_FOUND, "there is nothing here")
        self._send(HTTPStatus.OK, b"{}", "application/json")

    def _body(self, most: int) -> bytes:
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdigit():
            self.close_connection = True
            raise _Refused(HTTPStatus.LENGTH_REQUIRED, "say how long the data are (Content-Length)")
        size = int(length)
        if size > most:
            self.close_connection = True
            text = f"{size / 1e6:.0f} MB are too much: the explorer takes up to {most / 1e6:.0f} MB; use the command for larger files"
            self._say(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, text)
            left = min(size, _MOST_DRAINED)
            while left > 0 and (part := self.rfile.read(min(left, 1 << 20))):
                left -= len(part)
            raise ConnectionAbortedError
        data = self.rfile.read(size)
        if len(data) < size:
            raise ConnectionAbortedError
        return data

    def _say(self, status: HTTPStatus, text: str) -> None:
        # The rest of a request that was not read must not be taken for the next one.
        self.close_connection = True
        self._send(status, json.dumps({"error": text}).encode(), "application/json")

    def _send(self, status: HTTPStatus, data: bytes, kind: str, more: dict[str, str] | None = None) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(data)), "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
        }  # fmt: skip
        for name, value in (headers | (more or {})).items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(data)
