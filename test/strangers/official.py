"""The official client of version 2."""

import httpx2
from asked import MCP_URL, headers, lead, serve, sign_in
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client


async def story(key):
    async with httpx2.AsyncClient(headers=headers(key), auth=sign_in(key), timeout=60) as http:
        transport = streamable_http_client(MCP_URL, http_client=http)
        async with Client(transport, mode="auto") as client:

            async def call(name, arguments):
                return (await client.call_tool(name, arguments)).content[0].text

            return await lead(call)


serve(story)
