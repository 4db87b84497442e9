"""FastMCP's client, which opens the browser and listens for its return itself."""

from asked import MCP_URL, lead, serve
from fastmcp import Client


async def story(key):
    async with Client(MCP_URL, auth=key or "oauth") as client:

        async def call(name, arguments):
            return (await client.call_tool(name, arguments)).content[0].text

        return await lead(call)


serve(story)
