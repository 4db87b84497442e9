"""An agent as a graph of LangGraph: it finds an action, runs it, and waits for its person where that is due."""

from langchain_mcp_adapters.client import MultiServerMCPClient
from langchain_mcp_adapters.tools import load_mcp_tools
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


async def act(*, model, prompt, mcp_url, api_key=None, auth=None):
    """What the model says in the end.

    `model`: any chat model of LangChain that can use tools. `mcp_url`: the gateway's, ending in /mcp. `auth`: in place of a key, an
    httpx.Auth such as mcp.client.auth.OAuthClientProvider. What waits for the person is in the tool's result, with `confirm_url`: the
    model tells them, and asks get_call for the end.
    """
    server = {"transport": "streamable_http", "url": mcp_url, "timeout": 60}
    if auth is None:
        server["headers"] = {"Authorization": f"Bearer {api_key}"}
    else:
        server["auth"] = auth
    async with MultiServerMCPClient({"callgate": server}).session("callgate") as session:
        tools = await load_mcp_tools(session)
        knowing = model.bind_tools(tools)

        async def think(state):
            return {"messages": [await knowing.ainvoke(state["messages"])]}

        graph = StateGraph(MessagesState)
        graph.add_node("think", think)
        graph.add_node("tools", ToolNode(tools))
        graph.add_edge(START, "think")
        graph.add_conditional_edges("think", tools_condition)
        graph.add_edge("tools", "think")
        state = await graph.compile().ainvoke({"messages": [("user", prompt)]}, {"recursion_limit": 50})
        return state["messages"][-1].text
