"""The example's agent, with a model that does what the test says."""

from asked import ask, serve_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph_agent import act


class Scripted(BaseChatModel):
    _llm_type = "scripted"

    def bind_tools(self, tools, **settings):
        return self

    def _generate(self, *messages, **settings):
        raise NotImplementedError

    async def _agenerate(self, messages, stop=None, run_manager=None, **settings):
        last = messages[-1]
        told = None
        if isinstance(last, ToolMessage):
            told = last.content if isinstance(last.content, str) else last.content[0]["text"]
        step = await ask(told)
        said = AIMessage(step.get("say", ""))
        if "use" in step:
            said.tool_calls = [{"name": step["use"], "args": step["arguments"], "id": f"use-{len(messages)}"}]
        return ChatResult(generations=[ChatGeneration(message=said)])


serve_agent(act, Scripted())
