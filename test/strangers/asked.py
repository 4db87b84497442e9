"""How the test leads a client that it did not write: a line of JSON out, a line of JSON in."""

import asyncio
import json
import os
import sys
from urllib.parse import parse_qsl, urlsplit

MCP_URL = os.environ["MCP_URL"]


def headers(key):
    return {} if key is None else {"Authorization": f"Bearer {key}"}


async def heard():
    return json.loads(await asyncio.to_thread(sys.stdin.readline))


def tell(**line):
    print(json.dumps(line), flush=True)


async def ask(told=None):
    """What to do next, after what a tool told: {"use", "arguments"} of a tool, or {"say"} at the end."""
    tell(told=told if told is None or isinstance(told, str) else json.dumps(told))
    return await heard()


def sign_in(key):
    """None where there is a key; else the official way of signing a person in, whose browser is the test."""
    if key is not None:
        return None
    from mcp.client.auth import OAuthClientProvider
    from mcp.shared import auth
    from mcp.shared.auth import OAuthClientMetadata

    class Memory:
        tokens = client = None

        async def get_tokens(self):
            return self.tokens

        async def set_tokens(self, tokens):
            self.tokens = tokens

        async def get_client_info(self):
            return self.client

        async def set_client_info(self, client):
            self.client = client

    async def visit(url):
        print(f"visit {url}", flush=True)

    async def come_back():
        sent = dict(parse_qsl(urlsplit((await heard())["back"]).query))
        # Of version 2; in version 1 it is a pair.
        if hasattr(auth, "AuthorizationCodeResult"):
            return auth.AuthorizationCodeResult(**sent)
        return sent["code"], sent["state"]

    metadata = OAuthClientMetadata(
        client_name="A stranger's client", redirect_uris=["http://127.0.0.1:9/callback"], token_endpoint_auth_method="none"
    )
    return OAuthClientProvider(MCP_URL, metadata, Memory(), visit, come_back)


async def lead(call):
    """For clients that run no model: `call` runs a tool and returns its text."""
    told = None
    while "use" in (step := await ask(told)):
        told = await call(step["use"], step["arguments"])
    return step["say"]


def serve(story):
    """One story after the other, each with a key or, by None, without: loading what a client is made of takes longest."""

    async def all_of_them():
        while line := await asyncio.to_thread(sys.stdin.readline):
            tell(end=await story(json.loads(line)["key"]))

    asyncio.run(all_of_them())


def serve_agent(act, model):
    """Those of examples/agents."""

    async def story(key):
        return await act(model=model, prompt="Answer who wrote.", mcp_url=MCP_URL, api_key=key, auth=sign_in(key))

    serve(story)
