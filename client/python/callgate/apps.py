"""The clients, with types for every action of the built-in apps: see apps.pyi."""

from .client import AsyncCallgate, Callgate

__all__ = ["AsyncCallgate", "Callgate"]
