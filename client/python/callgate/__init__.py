"""The client of a Callgate gateway."""

from ._flow import Call
from .client import AsyncCallgate, Callgate
from .errors import CallEndedError, CallgateError, OptionError

__all__ = ["AsyncCallgate", "Call", "CallEndedError", "Callgate", "CallgateError", "OptionError"]
