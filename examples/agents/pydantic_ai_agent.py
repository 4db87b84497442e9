"""An agent of Pydantic AI: it finds an action, runs it, and waits for its person where that is due."""

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset


async def act(*, model, prompt, mcp_url, api_key=None, auth=None):
    """What the model says in the end.

    `model`: a name such as 'openai:gpt-5', or any Model of Pydantic AI. `mcp_url`: the gateway's, ending in /mcp. `auth`: in place of a
    key, an httpx2.Auth such as mcp.client.auth.OAuthClientProvider. What waits for the person is in the tool's result, with
    `confirm_url`: the model tells them, and asks get_call for the end.
    """
    headers = {"Authorization": f"Bearer {api_key}"} if auth is None else None
    callgate = MCPToolset(mcp_url, headers=headers, auth=auth, read_timeout=60)
    agent = Agent(model, toolsets=[callgate])
    async with agent:
        result = await agent.run(prompt)
        return result.output
