"""The official client of version 1."""

import httpx
from asked import MCP_URL, headers, lead, serve, sign_in
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client


async def story(key):
    async with httpx.AsyncClient(headers=headers(key), auth=sign_in(key), timeout=60) as http:
        async with streamable_http_client(MCP_URL, http_client=http) as (read, write, _):
            async with ClientSession(read, write) as session:
                await session.initialize()

                async def call(name, arguments):
                    return (await session.call_tool(name, arguments)).content[0].text

                return await lead(call)


serve(story)
