"""What calls end with besides an output."""

from typing import Any, Dict, Optional


class CallgateError(Exception):
    """What the gateway refused or what a call failed with. Never branch on the message: ``code`` says what it is."""

    def __init__(self, status: int, body: Dict[str, Any], retry_after: Optional[float] = None) -> None:
        super().__init__(f"{body['error']}: {body.get('message', '')}")
        self.status = status
        """The HTTP status, or 0 when no answer came."""
        self.code: str = body["error"]
        self.body = body
        """The whole error body: ``details``, ``connect_url``, ``app_message`` and so on."""
        self.request_id: Optional[str] = body.get("request_id")
        self.retry_after = retry_after
        """Seconds to wait before another try; None when waiting does not help."""

    @property
    def link(self) -> Optional[str]:
        """Where the user fixes it: connects the account, gives the key access, or allows more."""
        links = ("connect_url", "request_access_url", "widen_url", "credits_url")
        return next((self.body[name] for name in links if self.body.get(name)), None)


class CallEndedError(Exception):
    """A call that ended without an output and without an error: rejected, expired, cancelled, or unknown."""

    def __init__(self, record: Dict[str, Any]) -> None:
        self.call_id: str = record["call_id"]
        self.status: str = record["status"]
        self.reason: Optional[str] = (record.get("decision") or {}).get("reason")
        """Why the person rejected it, in their words."""
        super().__init__(
            f"Whether {self.call_id} happened is not known. Look in the app before doing it again."
            if self.status == "unknown"
            else f"{self.call_id} was {self.status}; nothing was sent."
        )


class OptionError(ValueError):
    """An option that cannot be used. Nothing was sent."""
