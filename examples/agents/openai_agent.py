"""An agent of the OpenAI Agents SDK: it finds an action, runs it, and waits for its person where that is due."""

from agents import Agent, Runner
from agents.mcp import MCPServerStreamableHttp


async def act(*, model, prompt, mcp_url, api_key=None, auth=None):
    """What the model says in the end.

    `model`: a name, or any Model of the SDK. `mcp_url`: the gateway's, ending in /mcp. `auth`: in place of a key, an httpx2.Auth such as
    mcp.client.auth.OAuthClientProvider. What waits for the person is in the tool's result, with `confirm_url`: the model tells them,
    and asks get_call for the end.
    """
    server = {"url": mcp_url, "timeout": 60}
    if auth is None:
        server["headers"] = {"Authorization": f"Bearer {api_key}"}
    else:
        server["auth"] = auth
    # By itself it gives up on a tool after 5 s, and the model would run the action again.
    async with MCPServerStreamableHttp(server, client_session_timeout_seconds=60) as callgate:
        agent = Agent(name="Callgate", model=model, mcp_servers=[callgate])
        result = await Runner.run(agent, prompt, max_turns=20)
        return result.final_output
