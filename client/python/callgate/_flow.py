"""What both clients do, as generators that yield what to send and how long to wait, and get the answers."""

import json
import re
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Generator, Mapping, Optional, Union
from urllib.parse import quote, urlsplit

from typing_extensions import TypedDict

from .errors import CallEndedError, CallgateError, OptionError

LONGEST_WAIT = 60.0
"""Seconds; what should wait longer before another try is told to the caller."""
PATIENCE = 75.0
"""Seconds for one answer: longer than the gateway waits."""


class CallOptions(TypedDict, total=False):
    account: str
    """Which of several accounts of the app."""
    idempotency_key: str
    """The same key is the same call, however often it is sent. A random one by default."""
    reason: str
    """Why, for the person who approves it. Never sent to the app."""
    metadata: Dict[str, str]
    """At most 20 texts to find the call by, 2 KiB: in its record, in lists and webhooks. Never sent to the app."""
    wait: int
    """Seconds that the gateway waits for the call's end before it says ``running``: 0 to 50."""


class RunOptions(CallOptions, total=False):
    on_confirm: Callable[[str, str], Any]
    """Gets the page for the person, and the call's id."""
    timeout: float
    """Seconds; the call goes on after it. Default: for ever."""


@dataclass(frozen=True)
class Call:
    """What became of a call so far."""

    status: str
    call_id: str
    output: Any = None
    confirm_url: Optional[str] = None
    """Give it to the person: they see exactly what would be sent, and approve or reject it."""
    expires_at: Optional[str] = None
    credits_used: int = 0


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    repeatable: bool = True


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Answer:
    """``status`` 0: none came."""

    status: int
    headers: Mapping[str, str]
    body: Any


Step = Union[Request, Pause]
Flow = Generator[Step, Optional[Answer], Any]


def address_of(url: str) -> str:
    """The address of the API, from any that people have of the gateway: its host alone, the API's, or that of MCP."""
    parts = urlsplit(url.strip())
    found = re.fullmatch(r"(.*?)(/api/v1|/mcp(?:/[\w-]+)?)?/*", parts.path)
    prefix, ending = (found.group(1), found.group(2)) if found else (parts.path, None)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc or (prefix and not ending):
        shown = re.sub(r"//[^/]*@", "//", url)
        raise OptionError(f'"{shown}" is no address of a gateway: give https://host, or what ends in /api/v1 or /mcp.')
    return f"{parts.scheme}://{parts.netloc}{prefix}/api/v1"


def send(base_url: str, retries: int, request: Request) -> Generator[Step, Optional[Answer], Answer]:
    """Tries again where that is safe. Raises CallgateError from 400 on, and with status 0 when no answer came."""
    tries = 0
    while True:
        answer = yield request
        error = _error_of(base_url, answer)
        if error is None:
            assert answer is not None
            return answer
        pause = _pause_before(error, tries)
        if not request.repeatable or pause is None or pause > LONGEST_WAIT or tries >= retries:
            raise error
        tries += 1
        yield Pause(pause)


def _error_of(base_url: str, answer: Optional[Answer]) -> Optional[CallgateError]:
    if answer is None or answer.status == 0:
        return CallgateError(0, {"error": "no_answer", "message": f"No answer from {base_url}."})
    body = answer.body
    if answer.status < 300 and isinstance(body, dict):
        return None
    after = answer.headers.get("retry-after", "")
    seconds = float(after) if after.isdigit() else None
    if isinstance(body, dict) and isinstance(body.get("error"), str):
        return CallgateError(answer.status, body, seconds)
    message = f"{base_url} answered {answer.status}, and not as Callgate does. Is that the gateway's address?"
    return CallgateError(answer.status, {"error": "unreadable_answer", "message": message}, seconds)


def _pause_before(error: CallgateError, tries: int) -> Optional[float]:
    """None: another try would come to the same."""
    if error.status == 0 or (error.code == "unreadable_answer" and 502 <= error.status <= 504):
        return error.retry_after or min(2.0**tries, 10.0)
    if error.code in ("rate_limited", "unavailable"):
        return error.retry_after or 1.0
    return 1.0 if error.code == "call_in_progress" else None


def call(base_url: str, retries: int, action: str, given: Any, options: CallOptions) -> Flow:
    app, _, name = action.partition(".")
    headers = {
        "Idempotency-Key": options.get("idempotency_key") or str(uuid.uuid4()),
        "X-Callgate-Account": options.get("account"),
        "X-Callgate-Reason": quote(options["reason"]) if options.get("reason") else None,
        "X-Callgate-Metadata": json.dumps(options["metadata"]) if options.get("metadata") else None,
        "Prefer": f"wait={options['wait']}" if "wait" in options else None,
    }
    sent = {header: value for header, value in headers.items() if value is not None}
    # With its key it is the same call when it is sent again.
    answer = yield from send(base_url, retries, Request("POST", f"/{app}/{name}", given, sent))
    if answer.status == 200:
        used = int(answer.headers.get("x-credits-used", "0"))
        return Call("executed", answer.headers.get("x-request-id", ""), answer.body, credits_used=used)
    body = answer.body
    return Call(body["status"], body["call_id"], None, body.get("confirm_url"), body.get("expires_at"))


def run(base_url: str, retries: int, action: str, given: Any, options: RunOptions) -> Flow:
    """Makes a call and waits for its output, also for days."""
    end = time.monotonic() + options["timeout"] if "timeout" in options else None
    rest: Any = {name: value for name, value in options.items() if name not in ("on_confirm", "timeout")}
    if "timeout" in options:
        rest["wait"] = min(options.get("wait", 25), int(options["timeout"]))
    made = yield from call(base_url, retries, action, given, rest)
    if made.status == "executed":
        return made.output
    if made.status == "awaiting_confirmation" and "on_confirm" in options:
        options["on_confirm"](made.confirm_url, made.call_id)
    left = None if end is None else max(0.0, end - time.monotonic())
    return (yield from wait_for_approval(base_url, retries, made.call_id, left, heard=True))


def wait_for_end(
    base_url: str, retries: int, call_id: str, timeout: Optional[float] = None, heard: bool = False
) -> Flow:
    """The call's record once it is final, or when the time is over. A gateway that was ``heard`` before is waited for, too."""
    end = None if timeout is None else time.monotonic() + timeout
    misses = 0
    while True:
        left = 50.0 if end is None else max(0.0, end - time.monotonic())
        path = f"/calls/{quote(call_id, safe='')}?wait={int(min(50.0, left))}"
        try:
            record = (yield from send(base_url, 0 if heard else retries, Request("GET", path))).body
        except CallgateError as error:
            pause = _pause_before(error, misses)
            if not heard or pause is None or pause > LONGEST_WAIT or left <= 0:
                raise
            misses += 1
            yield Pause(min(pause, left))
            continue
        heard, misses = True, 0
        over = end is not None and time.monotonic() >= end
        if record["status"] not in ("running", "awaiting_confirmation") or over:
            return record
        if left < 1:
            yield Pause(left)


def wait_for_approval(
    base_url: str, retries: int, call_id: str, timeout: Optional[float] = None, heard: bool = False
) -> Flow:
    """Waits until a call is final and returns its output."""
    record = yield from wait_for_end(base_url, retries, call_id, timeout, heard)
    status = record["status"]
    if status == "executed":
        return record.get("output")
    if status == "failed":
        raise CallgateError(record["error"].get("http_status", 0), record["error"])
    if status in ("running", "awaiting_confirmation"):
        raise CallgateError(0, {"error": "wait_timed_out", "message": f"{call_id} is still {status}."})
    raise CallEndedError(record)


def read(base_url: str, retries: int, method: str, *parts: str, query: str = "") -> Flow:
    """A route of calls or connections, by the parts of its path."""
    path = "".join(f"/{quote(part, safe='')}" for part in parts) + query
    return (yield from send(base_url, retries, Request(method, path, repeatable=method == "GET"))).body


def listed(filters: Mapping[str, Any]) -> str:
    metadata = {f"metadata.{name}": value for name, value in (filters.get("metadata") or {}).items()}
    wanted = {**filters, "metadata": None, **metadata}
    given = [f"{quote(name, safe='')}={quote(str(value), safe='')}" for name, value in wanted.items() if value is not None]
    return f"?{'&'.join(given)}" if given else ""


def headers_of(api_key: str, more: Mapping[str, str]) -> Dict[str, str]:
    """What it says of a value that cannot be sent does not quote it: it may be the key."""
    headers = {"Authorization": f"Bearer {api_key}", "User-Agent": "callgate-python/0.1.0", **more}
    for name, value in headers.items():
        if not re.fullmatch(r"[\x20-\x7e]*", value):
            raise OptionError(f"{'The API key' if name == 'Authorization' else name} has characters that cannot be sent.")
    return headers


def connections(base_url: str, retries: int) -> Flow:
    return (yield from read(base_url, retries, "GET", "connections"))["connections"]
